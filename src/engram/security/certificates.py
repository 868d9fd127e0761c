"""Certificates of erasures: signed with a key of the store's own, and telling no content."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from engram.errors import CertificateInvalid
from engram.memory.erasure import CertificateVerdict, Erasure
from engram.storage.graves import Notes

_KEY = "certificate_key"
_VERSION = 1
_SIGNED_WITH = "Ed25519"


@dataclass(frozen=True, slots=True)
class AuditPlace:
    """Where the audit stood when an erasure was done."""

    store: str
    entries: int
    head: str


def certify(
    notes: Notes, erasure: Erasure, audit: AuditPlace, finished: datetime
) -> dict[str, object]:
    """A signed statement of what was erased and whether that is proven."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(_private_key(notes))
    body: dict[str, object] = {
        "certificate": _VERSION,
        "store": audit.store,
        "erasure": erasure.id,
        "at": erasure.at.isoformat(),
        "finished": finished.isoformat(),
        "selected_by": erasure.kind.value,
        "counts": dict(erasure.counts),
        "verdict": erasure.state.value,
        "remains": [[each.place, each.what] for each in erasure.remains],
        "audit": {"entries": audit.entries, "head": audit.head},
        "signed_with": _SIGNED_WITH,
        "public_key": key.public_key().public_bytes_raw().hex(),
    }
    return {**body, "signature": key.sign(_canonical(body)).hex()}


def check_certificate(notes: Notes, document: object) -> CertificateVerdict:
    """Whether a certificate is unaltered, and whether this store signed it."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if not isinstance(document, Mapping) or document.get("signed_with") != _SIGNED_WITH:
        raise CertificateInvalid
    body = {str(name): value for name, value in document.items() if name != "signature"}
    try:
        public = bytes.fromhex(str(document["public_key"]))
        signature = bytes.fromhex(str(document["signature"]))
        Ed25519PublicKey.from_public_bytes(public).verify(signature, _canonical(body))
    except (KeyError, ValueError):
        raise CertificateInvalid from None
    except InvalidSignature:
        return CertificateVerdict(is_unaltered=False, is_ours=False)
    return CertificateVerdict(
        is_unaltered=True, is_ours=public == _public_key(notes),
        erasure=str(body.get("erasure", "")), verdict=str(body.get("verdict", "")),
    )  # fmt: skip


def _canonical(body: Mapping[str, object]) -> bytes:
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def _private_key(notes: Notes) -> bytes:
    """The store's own signing key, made when it is first needed; it lies in the vault."""
    found = notes.noted(_KEY).get("1")
    if found is None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        notes.note(_KEY, "1", Ed25519PrivateKey.generate().private_bytes_raw())
        found = notes.noted(_KEY)["1"]
    return found


def _public_key(notes: Notes) -> bytes:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    found = notes.noted(_KEY).get("1")
    if found is None:
        return b""  # it has signed nothing
    return Ed25519PrivateKey.from_private_bytes(found).public_key().public_bytes_raw()
