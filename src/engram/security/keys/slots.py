"""The key slot: a random master key, wrapped once for each way in, and the versions of its keys.

A new passphrase wraps the master key anew; the database itself need not be touched. The keys that
files are encrypted with are made of the master key, by a label with a version: the next version
of one is an entirely other key.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NotRequired, TypedDict

from engram.errors import InvalidInput, LastWayIn, StoreLocked
from engram.security.keys.credentials import KEY_BYTES, Credentials, Kind
from engram.security.keys.derive import expanded, stretched
from engram.storage.place import StoreKeys

SALT_BYTES = 16
NONCE_BYTES = 12
TAG_BYTES = 16
MOST_WRAPPINGS = 8  # each passphrase that is tried takes half a second
_PURPOSE = b"engram/key-slot/v1"
_OTHER_PURPOSES = {
    Kind.KEYRING: b"engram/key-slot/keyring/v1",
    Kind.RECOVERY: b"engram/key-slot/recovery/v1",
}


class Use(StrEnum):
    """What a key made of the master key is for."""

    DATABASE = "database"
    VAULT = "vault"
    AUDIT_HEAD = "audit-head"
    EXPORT = "export"
    CERTIFICATE = "certificate"


class StoreUse(StrEnum):
    """The keys that files are encrypted with: these have versions."""

    DATABASE = "database"
    VAULT = "vault"


class Wrapping(TypedDict):
    """The master key under one way in."""

    id: str
    kind: str
    salt: str
    wrapped: str
    entry: NotRequired[str]  # what the keyring calls it


class KeySlot(TypedDict):
    """The slot file: everything but the secrets."""

    version: int
    keys: dict[str, int]
    wrappings: list[Wrapping]


@dataclass(frozen=True, slots=True, repr=False)
class MasterKey:
    """The one key that all others are made of. Never printed, never stored as it is."""

    secret: bytes

    def sub_key(self, use: Use, version: int = 1) -> bytes:
        """The key for one use."""
        return expanded(self.secret, f"engram/{use}/v{version}".encode())


def made_slot(credentials: Credentials, *, entry: str = "") -> tuple[KeySlot, StoreKeys]:
    """A fresh master key in a slot that these credentials open, and the keys of the files."""
    master = MasterKey(secrets.token_bytes(KEY_BYTES))
    first = {str(use): 1 for use in StoreUse}
    slot = KeySlot(version=2, keys=first, wrappings=[_wrapping(credentials, master, entry)])
    return slot, _keys(slot, master)


def fresh_slot(credentials: Credentials) -> tuple[KeySlot, bytes]:
    """The same, with the key of the database alone."""
    slot, keys = made_slot(credentials)
    return slot, keys.database or b""


def master_key(slot: KeySlot, credentials: Credentials) -> MasterKey:
    """The master key; a wrong passphrase or key is refused."""
    return _opened(slot, credentials)[0]


def store_keys(slot: KeySlot, credentials: Credentials) -> StoreKeys:
    """The keys of the database and of the vault beside it."""
    return _keys(slot, master_key(slot, credentials))


def database_key(slot: KeySlot, credentials: Credentials) -> bytes:
    """The key of the database; a wrong passphrase or key is refused."""
    return store_keys(slot, credentials).database or b""


def fresh_name() -> str:
    """The id of a way in, the same in the slots of a store and of its backups."""
    return secrets.token_hex(4)


def opened_by(slot: KeySlot) -> list[str]:
    """The kinds of ways in, as they were added."""
    return [each["kind"] for each in slot["wrappings"]]


def rewrapped(
    slot: KeySlot, old: Credentials, new: Credentials, *, entry: str = "", name: str = ""
) -> KeySlot:
    """The same master key, opened by other credentials instead of those shown.

    Whoever shows the recovery key has lost the rest: what the new ones are like is replaced, and
    the recovery key stays.
    """
    master, shown = _opened(slot, old)
    fresh = _wrapping(new, master, entry, name)
    is_lost = shown["kind"] == Kind.RECOVERY and fresh["kind"] != Kind.RECOVERY
    gone = {fresh["kind"]} if is_lost else set()
    kept = [
        each
        for each in slot["wrappings"]
        if each["kind"] not in gone and (is_lost or each["id"] != shown["id"])
    ]
    return _with(slot, [fresh, *kept])


def with_wrapping(
    slot: KeySlot, shown: Credentials, added: Credentials, *, entry: str = "", name: str = ""
) -> KeySlot:
    """The same slot with one more way in; there is only ever one recovery key."""
    fresh = _wrapping(added, master_key(slot, shown), entry, name)
    is_recovery = fresh["kind"] == Kind.RECOVERY
    kept = [
        each for each in slot["wrappings"] if not (is_recovery and each["kind"] == fresh["kind"])
    ]
    return _with(slot, [*kept, fresh])


def without_wrapping(slot: KeySlot, shown: Credentials, removed: str) -> KeySlot:
    """The same slot without one way in, by its id or kind; one must remain that is no paper."""
    master_key(slot, shown)
    found = [each for each in slot["wrappings"] if removed in (each["id"], each["kind"])]
    if len(found) != 1:
        raise InvalidInput(
            hint="Several ways in are of that kind: name one by its id, as `engram keys` shows it."
            if found
            else "There is no such way in; `engram keys` shows those there are."
        )
    kept = [each for each in slot["wrappings"] if each is not found[0]]
    if not any(each["kind"] != Kind.RECOVERY for each in kept):
        raise LastWayIn
    return _with(slot, kept)


def with_next_versions(
    slot: KeySlot, shown: Credentials, uses: Iterable[StoreUse]
) -> tuple[KeySlot, StoreKeys]:
    """The slot of files that are encrypted with the next keys for these uses, and those keys."""
    master = master_key(slot, shown)
    raised = {str(use): slot["keys"][use] + 1 for use in uses}
    changed = KeySlot(version=2, keys={**slot["keys"], **raised}, wrappings=slot["wrappings"])
    return changed, _keys(changed, master)


def with_fresh_master(slot: KeySlot, shown: Credentials) -> tuple[KeySlot, StoreKeys]:
    """Another master key, opened by what was shown alone, and the keys made of it.

    The other ways in cannot follow: nobody but their holders could wrap it for them, and one of
    them may be the reason.
    """
    if shown.kind is Kind.RECOVERY:
        raise LastWayIn(hint="Set a passphrase or key by `engram keys change` first, and show it.")
    return made_slot(shown, entry=_opened(slot, shown)[1].get("entry", ""))


def _with(slot: KeySlot, wrappings: list[Wrapping]) -> KeySlot:
    if len(wrappings) > MOST_WRAPPINGS:
        raise InvalidInput(hint=f"A store has at most {MOST_WRAPPINGS} ways in; remove one first.")
    return KeySlot(version=2, keys=slot["keys"], wrappings=wrappings)


def _keys(slot: KeySlot, master: MasterKey) -> StoreKeys:
    versions = slot["keys"]
    return StoreKeys(
        master.sub_key(Use.DATABASE, versions[StoreUse.DATABASE]),
        master.sub_key(Use.VAULT, versions[StoreUse.VAULT]),
    )


def _wrapping(credentials: Credentials, master: MasterKey, entry: str, name: str = "") -> Wrapping:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if not credentials.are_given:
        raise StoreLocked(hint="Encryption needs a passphrase, a key file or a key.")
    salt, nonce = secrets.token_bytes(SALT_BYTES), secrets.token_bytes(NONCE_BYTES)
    key = _wrapping_key(credentials, salt)
    sealed = nonce + AESGCM(key).encrypt(nonce, master.secret, _PURPOSE)
    made = Wrapping(
        id=name or fresh_name(), kind=credentials.kind, salt=salt.hex(), wrapped=sealed.hex()
    )
    if entry and credentials.kind is Kind.KEYRING:
        made["entry"] = entry
    return made


def _opened(slot: KeySlot, credentials: Credentials) -> tuple[MasterKey, Wrapping]:
    """The master key and the wrapping that gave it."""
    if not credentials.are_given or credentials.passphrase == "":
        raise StoreLocked(hint=_needed(slot))
    for wrapping in slot["wrappings"]:
        if wrapping["kind"] == credentials.kind:
            secret = _unwrapped(wrapping, credentials)
            if secret is not None:
                return MasterKey(secret), wrapping
    if credentials.kind not in opened_by(slot):
        raise StoreLocked(hint=_needed(slot))
    raise StoreLocked


def _unwrapped(wrapping: Wrapping, credentials: Credentials) -> bytes | None:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    sealed = bytes.fromhex(wrapping["wrapped"])
    key = _wrapping_key(credentials, bytes.fromhex(wrapping["salt"]))
    try:
        return AESGCM(key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], _PURPOSE)
    except InvalidTag:
        return None


def _wrapping_key(credentials: Credentials, salt: bytes) -> bytes:
    if credentials.passphrase is not None:
        return stretched(credentials.passphrase, salt)
    purpose = _OTHER_PURPOSES.get(credentials.kind, _PURPOSE)
    return expanded(credentials.key or b"", purpose, salt)


_WAYS = {
    Kind.PASSPHRASE: "its passphrase (ENGRAM_PASSPHRASE)",
    Kind.KEY: "its key (ENGRAM_KEY_FILE or ENGRAM_KEY)",
    Kind.KEYRING: "its entry in the keyring (ENGRAM_KEYRING)",
    Kind.RECOVERY: "its recovery key (ENGRAM_RECOVERY_KEY)",
}


def _needed(slot: KeySlot) -> str:
    ways = " or ".join(_WAYS[Kind(kind)] for kind in dict.fromkeys(opened_by(slot)))
    return f"This store needs {ways}. Nothing was changed."
