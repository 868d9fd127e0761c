"""The care of a store as a whole: backups, restore, health, doctor and keys."""

from pathlib import Path

from engram.errors import AccessDenied, BackupFailed, StorePathInvalid
from engram.memory.changes import Action
from engram.memory.scopes import Principal, Reach, Scope
from engram.parts import EngramParts
from engram.security.access_log import Access
from engram.security.keys import Credentials
from engram.security.vault import backup_key, change_credentials, encrypt_store
from engram.settings import Settings, write_setting
from engram.storage.place import Backup, Place
from engram.storage.upkeep import DoctorReport, Health, doctor, health

_LOOK_SECONDS = 30.0


class Upkeep:
    """What the owner of a store can do with the whole of it."""

    def __init__(self, parts: EngramParts, principal: Principal) -> None:
        self._parts = parts
        self._principal = principal

    def backup(self, path: str | Path | None = None) -> Backup:
        """Make a verified backup, among the store's own or at a path."""
        place = self._owned_place()
        made = place.back_up(_named_path(path))
        self.record(Action.BACKUP, made.states)
        return made

    def restore(self, path: str | Path | None = None) -> int:
        """Put a backup (the newest without a path) in the store's place; needs the store alone."""
        place = self._owned_place()
        source = _named_path(path) or place.newest_backup()
        if source is None:
            raise BackupFailed(hint="This store has no backups of its own yet.")
        self._parts.access_log.flush()
        states = place.restore(source, key=backup_key(place, source, self._parts.credentials))
        self.record(Action.RESTORE, states)
        return states

    def health(self) -> Health:
        """Whether the store can be relied on right now, tried for real."""
        self._principal.check_known()
        parts = self._parts
        problems = {
            "settings": parts.settings.problem,
            "read audit": parts.access_log.problem,
            "log": parts.log.problem,
        }
        options = parts.settings.current.storage
        return health(parts.store, parts.place, options, parts.clock(), problems=problems)

    def doctor(self, *, repair: bool = False) -> DoctorReport:
        """Look everything over; mend only when told to."""
        report = doctor(self._owned_place(), repair=repair)
        if report.repairs:
            self.record(Action.REPAIR, len(report.repairs))
        return report

    def encrypt(self, passphrase: str | None = None, key: bytes | None = None) -> list[Path]:
        """Encrypt a plain store; return the plain backups that remain beside it."""
        place = self._owned_place()
        new = Credentials(passphrase=passphrase, key=key)
        plain = encrypt_store(place, new)
        self._parts.credentials = new
        place.back_up()
        self.record(Action.ENCRYPT, 1)
        return plain

    def change_key(self, passphrase: str | None = None, key: bytes | None = None) -> None:
        """Let another passphrase or key open the store; the old one no longer does."""
        new = Credentials(passphrase=passphrase, key=key)
        change_credentials(self._owned_place(), self._parts.credentials, new)
        self._parts.credentials = new
        self.record(Action.ENCRYPT, 1)

    def scope_of(self, name: str) -> Scope | None:
        """Where a memory, or what a change touched, belongs; the owner may look everywhere."""
        self._check_owner()
        reach = self._principal.review_reach()
        with self._parts.store.read(reach, timeout_seconds=_LOOK_SECONDS) as see:
            change = see.change(name)
            found = see.last_state(change.numbers[0]) if change else None
            memory = found[0] if found else see.memory(name)
        return memory.scope if memory else None

    def scopes(self) -> dict[str, int]:
        """How many memories each scope holds."""
        self._check_owner()
        reach = self._principal.review_reach()
        with self._parts.store.read(reach, timeout_seconds=_LOOK_SECONDS) as see:
            return see.count_by_scope()

    def recent_reads(self) -> list[Access]:
        """The last reads of this process, oldest first; also those not yet in the audit."""
        self._owned_place()
        return self._parts.access_log.recent()

    def configure(self, key: str, value: str | None) -> Settings:
        """Set one setting of this store, or take it out; running processes follow."""
        settings = write_setting(self._owned_place().root / "config.toml", key, value)
        self.record(Action.CONFIGURE, 1)
        return settings

    def _check_owner(self) -> None:
        if not self._principal.is_owner:
            raise AccessDenied(hint="Only the owner, who opens the store without a scope, may.")

    def _owned_place(self) -> Place:
        self._check_owner()
        if self._parts.place is None:
            raise StorePathInvalid(hint="A store in memory has nothing on disk.")
        return self._parts.place

    def record(self, action: Action, count: int) -> None:
        """Note in audit and log what the owner did to the store as a whole."""
        self._owned_place()
        now = self._parts.clock()
        if self._parts.place is not None and self._parts.place.read_only:
            return
        with self._parts.store.write(Reach(()), actor=self._principal.actor, now=now) as unit:
            unit.audit(action, "/", count=count)
        self._parts.log.write(action.value, now, count=count)


def _named_path(path: str | Path | None) -> Path | None:
    if path is None:
        return None
    if "\x00" in str(path):
        raise BackupFailed(hint="A path cannot contain a NUL character.")
    return Path(path).expanduser().absolute()
