"""What happened that concerns a store's safety: typed, counted by the minute, without words."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engram.errors import InvalidInput


class SecurityKind(StrEnum):
    """Every kind of event there is; nothing else can be written down."""

    # who wanted in
    WRONG_KEY = "wrong_key"  # the store was not opened: its passphrase or key was wrong or missing
    KEY_REFUSED = "key_refused"  # a caller from a network showed no key that is valid
    RATE_LIMITED = "rate_limited"
    REQUEST_REFUSED = "request_refused"  # called by another name, or by a web page of another site
    SIGNATURE_INVALID = "signature_invalid"
    ACCESS_DENIED = "access_denied"  # a caller that is known wanted what it may not
    # what wanted in
    INJECTION_FLAGGED = "injection_flagged"
    IMPORT_REFUSED = "import_refused"
    # what went out
    UNSEALED_MANY = "unsealed_many"
    EXPORTED_PLAIN = "exported_plain"
    TIER_LOWERED = "tier_lowered"
    ERASE_PENDING = "erase_pending"
    # the store itself
    AUDIT_BROKEN = "audit_broken"
    PERMISSIONS_LOOSE = "permissions_loose"
    KEYS_CHANGED = "keys_changed"
    STORE_RECOVERED = "store_recovered"  # the last process did not leave in order
    STORE_RESTORED = "store_restored"


@dataclass(frozen=True, slots=True)
class SecurityEvent:
    """What happened in one minute, how often, and who is named in the audit for it."""

    kind: SecurityKind
    first_at: datetime
    last_at: datetime
    actor: str  # the principal or the id of a key, as in the audit; empty: nobody who is known
    scope: str
    code: str  # of the error that was told, if any
    count: int


def parse_kind(value: str) -> SecurityKind:
    """The name of a kind, or a refusal that lists them."""
    try:
        return SecurityKind(value)
    except ValueError:
        raise InvalidInput(hint=f"A security event is one of: {', '.join(SecurityKind)}.") from None
