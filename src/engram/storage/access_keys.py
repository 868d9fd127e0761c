"""The keys that callers from outside show: their rows inside one transaction."""

from datetime import datetime
from typing import cast

from engram.errors import StoreCorrupt
from engram.memory.access import AccessKey, KeyId, KeyKind
from engram.memory.roles import Role
from engram.memory.scopes import Scope
from engram.memory.times import to_micros
from engram.storage.database import Row, Transaction, Value, stored_time


class AccessKeyTable:
    """Keys are added and revoked, never taken out: the audit names them for ever."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def add(self, key: AccessKey, digest: bytes) -> None:
        """Keep a key that was issued, and the digest of its secret."""
        row: dict[str, Value] = {
            "id": key.id,
            "name": key.name,
            "digest": digest,
            "kind": key.kind.value,
            "role": key.role.value,
            "scope": key.scope.path,
            "per_minute": key.per_minute,
            "issued_at": to_micros(key.issued_at),
            "expires_at": None if key.expires_at is None else to_micros(key.expires_at),
            "replaces": key.replaces,
        }
        self._transaction.run("insert_access_key", row)

    def find(self, key_id: KeyId) -> tuple[AccessKey, bytes] | None:
        """A key and the digest of its secret."""
        rows = self._transaction.rows("access_key", (key_id,))
        if not rows:
            return None
        digest = rows[0][11]
        if not isinstance(digest, bytes):
            raise StoreCorrupt
        return _key_from_row(rows[0]), digest

    def all(self) -> list[AccessKey]:
        """Every key that was ever issued, the newest first."""
        return [_key_from_row(row) for row in self._transaction.rows("access_keys", ())]

    def revoke(self, key_id: KeyId, *, at: datetime, reason: str) -> bool:
        """Refuse a key from a moment on; False when it ends no later anyway."""
        ending: dict[str, Value] = {
            "id": key_id,
            "revoked_at": to_micros(at),
            "revoked_for": reason,
        }
        self._transaction.run("revoke_access_key", ending)
        return self._transaction.changed() == 1


def _key_from_row(row: Row) -> AccessKey:
    try:
        kind, role = KeyKind(cast(str, row[2])), Role(cast(str, row[3]))
    except ValueError:
        raise StoreCorrupt from None
    return AccessKey(
        id=KeyId(cast(str, row[0])),
        name=cast(str, row[1]),
        kind=kind,
        role=role,
        scope=Scope.parse(cast(str, row[4])),
        per_minute=cast("int | None", row[5]),
        issued_at=stored_time(row[6]),
        expires_at=None if row[7] is None else stored_time(row[7]),
        revoked_at=None if row[8] is None else stored_time(row[8]),
        revoked_for=cast(str, row[9]),
        replaces=None if row[10] is None else KeyId(cast(str, row[10])),
    )
