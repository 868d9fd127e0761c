"""Who is let in from outside: keys, whether they are good now, and whom they stand for."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType

from engram.errors import InvalidInput
from engram.memory.roles import Need, Role, caller, may
from engram.memory.scopes import Principal, PrincipalKind, Scope, check_may_have_skills

KeyId = NewType("KeyId", str)
KEY_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: no i, l, o, u to misread
KEY_ID_LENGTH = 10
MOST_PER_MINUTE = 10_000_000  # requests that any key may be granted
LONGEST_GRACE = timedelta(days=30)  # a secret that is to be replaced should not live on for ever

_SKILL_ROLES = frozenset({Role.READER, Role.WRITER})


class KeyKind(StrEnum):
    """What holds a key."""

    PERSON = "person"
    AGENT = "agent"
    SKILL = "skill"


class KeyState(StrEnum):
    """Whether a key opens anything."""

    ACTIVE = "active"
    EXPIRED = "expired"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessKey:
    """A key as it may be shown to anybody who looks after keys: all of it but its secret."""

    id: KeyId
    name: str
    kind: KeyKind
    role: Role
    scope: Scope
    per_minute: int | None  # requests; None: as the settings say
    issued_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None = None  # ahead: it was replaced, and is good until then
    revoked_for: str = ""  # the reason
    replaces: KeyId | None = None

    def state(self, now: datetime) -> KeyState:
        """Whether it opens anything at a moment."""
        if self.revoked_at is not None and self.revoked_at <= now:
            return KeyState.REVOKED
        if self.expires_at is not None and self.expires_at <= now:
            return KeyState.EXPIRED
        return KeyState.ACTIVE

    @property
    def is_trusted(self) -> bool:
        """Whether its holder was granted more than everybody begins with."""
        return self.role is not Role.READER

    @property
    def principal(self) -> Principal:
        """The caller that it stands for; the audit tells which key it was."""
        return replace(
            _holder(self), credential=f"key:{self.id}", may_curate=may(self.role, Need.CURATE)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedKey:
    """A key with its text, which is nowhere else: it cannot be shown again."""

    key: AccessKey
    text: str

    def __repr__(self) -> str:
        return f"IssuedKey(key={self.key!r})"  # a secret has no place in a log or a trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """A caller who showed a good key, and what it may take."""

    key_id: KeyId
    name: str
    role: Role
    principal: Principal
    per_minute: int  # requests
    per_session: int | None  # requests until half an hour of rest; None: no limit
    is_trusted: bool
    expires_at: datetime | None  # when it ends by itself, as far as is known now


def checked_holder(kind: KeyKind, role: Role, scope: Scope) -> None:
    """Refuse a key that would stand for nobody, or for more than its kind can be."""
    if role is Role.ADMIN and scope != Scope():
        raise InvalidInput(hint="An admin holds the whole store; leave the scope out.")
    if kind is KeyKind.SKILL:
        check_may_have_skills(scope)
        if role not in _SKILL_ROLES:
            raise InvalidInput(hint="A skill is a reader or a writer of its own namespace.")
    elif scope.channel is not None and scope.user is None:
        raise InvalidInput(hint="In a channel a key needs a user: channel=…,user=….")


def _holder(key: AccessKey) -> Principal:
    if key.kind is KeyKind.SKILL:
        return Principal.skill(key.name, key.scope)
    if key.kind is KeyKind.AGENT:
        return caller(key.role, PrincipalKind.AGENT, key.scope)
    is_in_channel = key.scope.channel is not None
    kind = PrincipalKind.CHANNEL_USER if is_in_channel else PrincipalKind.PERSON
    return caller(key.role, kind, key.scope)
