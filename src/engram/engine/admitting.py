"""Admitting: the part of the facade by which callers from outside are let in."""

from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeVar

from engram.engine.core import Core, Moment, checked_reason
from engram.errors import AccessDenied, InvalidInput, KeyNotFound
from engram.memory.access import (
    LONGEST_GRACE,
    MOST_PER_MINUTE,
    AccessKey,
    Admission,
    IssuedKey,
    KeyId,
    KeyKind,
    KeyState,
    checked_holder,
)
from engram.memory.changes import Action
from engram.memory.roles import Role
from engram.memory.scopes import GLOBAL_PATH, Reach, Scope, checked_scope
from engram.memory.times import parse_time
from engram.security.access_keys import checked_key_id, fresh_key, is_same, read_key
from engram.storage.access_keys import AccessKeyTable
from engram.storage.unit import UnitOfWork
from engram.text.strings import checked_name

_REPLACED = "Replaced by another key."
_Choice = TypeVar("_Choice", bound=StrEnum)


class Admitting(Core):
    """Who is let in from outside. Only the owner of the store decides that."""

    def issue_key(  # what a key grants is said outright, each part by name
        self,
        name: str,
        *,
        kind: str = KeyKind.AGENT,
        role: str = Role.READER,
        scope: Scope | None = None,
        expires_at: Moment | None = None,
        per_minute: int | None = None,
    ) -> IssuedKey:
        """Make a key for somebody. Its text is given here and never again: only a digest is kept.

        Without a role it reads and does nothing else; without a scope it reads what is global.
        """
        self._check_owner()
        now = self._clock()
        shown = fresh_key()
        key = AccessKey(
            id=shown.id,
            name=checked_name(name, name="name"),
            kind=_one_of(KeyKind, kind, "kind"),
            role=_one_of(Role, role, "role"),
            scope=checked_scope(scope) or Scope(),
            per_minute=_checked_limit(per_minute),
            issued_at=now,
            expires_at=_checked_expiry(expires_at, now),
        )
        checked_holder(key.kind, key.role, key.scope)
        self._check_may_vouch(key.kind)
        with self._keyring() as unit:
            AccessKeyTable(unit.transaction).add(key, shown.digest)
            _audit(unit, Action.ISSUE_KEY, key.id)
        self._parts.log.write(Action.ISSUE_KEY.value, now, key=key.id)
        return IssuedKey(key=key, text=shown.text)

    def keys(self, *, every: bool = False) -> list[AccessKey]:
        """The keys that open something now, the newest first; `every` shows past ones too."""
        self._check_owner()
        with self._store.database.reading(self._patience) as transaction:
            found = AccessKeyTable(transaction).all()
        now = self._clock()
        return [key for key in found if every or key.state(now) is KeyState.ACTIVE]

    def rotate_key(self, key_id: str, *, grace_seconds: float = 0) -> IssuedKey:
        """Replace a key by one that grants the same and lives as long from now on.

        The old one is refused at once, or after a grace in which its holder changes over.
        """
        self._check_owner()
        grace = _checked_grace(grace_seconds)
        now, shown = self._clock(), fresh_key()
        with self._keyring() as unit:
            table = AccessKeyTable(unit.transaction)
            old = _the_key(table, key_id)
            if old.revoked_at is not None:
                raise InvalidInput(hint="This key has been revoked or replaced; issue another.")
            self._check_may_vouch(old.kind)
            key = _renewed(old, shown.id, now)
            table.add(key, shown.digest)
            table.revoke(old.id, at=now + grace, reason=_REPLACED)
            _audit(unit, Action.ROTATE_KEY, key.id)
        self._parts.log.write(Action.ROTATE_KEY.value, now, key=key.id, replaces=old.id)
        return IssuedKey(key=key, text=shown.text)

    def revoke_key(self, key_id: str, reason: str = "") -> AccessKey:
        """Refuse a key from now on, in every process; doing it again changes nothing."""
        self._check_owner()
        because, now = checked_reason(reason), self._clock()
        with self._keyring() as unit:
            table = AccessKeyTable(unit.transaction)
            key = _the_key(table, key_id)
            is_ended = table.revoke(key.id, at=now, reason=because)
            if is_ended:
                _audit(unit, Action.REVOKE_KEY, key.id)
            key = _the_key(table, key.id)
        if is_ended:
            self._parts.log.write(Action.REVOKE_KEY.value, now, key=key.id)
        return key

    def recognise(self, text: str) -> Admission | None:
        """Who shows this key; None for one that is unknown, expired, revoked or no key at all.

        It looks at the store each time, at one row: a key that another process revokes opens
        nothing from then on.
        """
        self._check_owner()
        shown = read_key(text)
        if shown is None:
            return None
        with self._store.database.reading(self._patience) as transaction:
            found = AccessKeyTable(transaction).find(shown.id)
        is_right = is_same(shown, found[1] if found else None)
        if found is None or not is_right or found[0].state(self._clock()) is not KeyState.ACTIVE:
            return None
        return self._admission(found[0])

    def _admission(self, key: AccessKey) -> Admission:
        limits = self.settings.network
        usual = limits.per_minute if key.is_trusted else limits.untrusted_per_minute
        # A key with a limit of its own was thought about: it is held to that one alone.
        is_counted = not key.is_trusted and key.per_minute is None
        ends = [each for each in (key.expires_at, key.revoked_at) if each is not None]
        return Admission(
            key_id=key.id,
            name=key.name,
            role=key.role,
            principal=key.principal,
            per_minute=key.per_minute or usual,
            per_session=limits.untrusted_per_session if is_counted else None,
            is_trusted=key.is_trusted,
            expires_at=min(ends, default=None),
        )

    def _keyring(self) -> AbstractContextManager[UnitOfWork]:
        return self._store.write(Reach(()), actor=self.principal.actor, now=self._clock())

    def _check_may_vouch(self, kind: KeyKind) -> None:
        """What agents say waits for a person: none may make itself one by a key, nor an admin."""
        if kind is KeyKind.PERSON and not self.principal.is_person:
            raise AccessDenied(hint="Only a person can vouch for a person.")


def _audit(unit: UnitOfWork, action: Action, key_id: KeyId) -> None:
    """Tell what was done to a key, in the same transaction: its id as a keyed hash, no more.

    What is global can be seen by all; which key it was stands in the list of keys and in the log.
    """
    unit.audit(action, GLOBAL_PATH, digest=unit.digest(key_id))


def _the_key(table: AccessKeyTable, key_id: str) -> AccessKey:
    found = table.find(checked_key_id(key_id))
    if found is None:
        raise KeyNotFound
    return found[0]


def _renewed(old: AccessKey, key_id: KeyId, now: datetime) -> AccessKey:
    """The same grant under another id, for as long a life as the old one was given."""
    expires_at = None if old.expires_at is None else now + (old.expires_at - old.issued_at)
    return replace(old, id=key_id, issued_at=now, expires_at=expires_at, replaces=old.id)


def _one_of(choices: type[_Choice], value: str, name: str) -> _Choice:
    try:
        return choices(value)
    except ValueError:
        raise InvalidInput(hint=f"`{name}` is one of: {', '.join(choices)}.") from None


def _checked_expiry(moment: Moment | None, now: datetime) -> datetime | None:
    if moment is None:
        return None
    expires_at = parse_time(moment, name="expires_at")
    if expires_at <= now:
        raise InvalidInput(hint="`expires_at` has passed already.")
    return expires_at


def _checked_limit(per_minute: int | None) -> int | None:
    if per_minute is None:
        return None
    is_number = isinstance(per_minute, int) and not isinstance(per_minute, bool)
    if not is_number or not 1 <= per_minute <= MOST_PER_MINUTE:
        raise InvalidInput(hint=f"`per_minute` is a whole number from 1 to {MOST_PER_MINUTE}.")
    return per_minute


def _checked_grace(seconds: float) -> timedelta:
    longest = LONGEST_GRACE.total_seconds()
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not is_number or not 0 <= seconds <= longest:
        raise InvalidInput(hint=f"`grace_seconds` is a number from 0 to {longest:g}.")
    return timedelta(seconds=seconds)
