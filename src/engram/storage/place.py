"""What the rest of Engram needs of the place where a store is kept, whatever engine keeps it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Protocol

from engram.storage.database import Database

DATABASE = "engram.db"  # the file by which a folder is known to be a store
SENDING_LOCK = "webhooks.lock"  # held by the process that delivers to webhooks
DREAM_LOCK = "dream.lock"  # held by the process that dreams


def is_store(folder: Path) -> bool:
    """Whether a store lies in a folder; looking makes none."""
    return (folder / DATABASE).is_file()


@dataclass(frozen=True, slots=True)
class Backup:
    """A verified copy of the whole store."""

    path: Path
    states: int  # of all memories, past ones too
    bytes: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a doctor looked at."""

    name: str
    is_fine: bool
    detail: str
    repair: str = ""  # which repair would mend it


class Place(Protocol):
    """A store's files, or its server, and this process's hold on them."""

    read_only: bool
    recovered: bool
    backup_problem: str

    @property
    def database(self) -> Database:
        """The database in it."""
        ...

    @property
    def root(self) -> Path:
        """Its folder."""
        ...

    @property
    def key_slot(self) -> Path:
        """How its key is derived, when it is encrypted."""
        ...

    @property
    def is_encrypted(self) -> bool:
        """Whether its files are unreadable without a key."""
        ...

    def back_up(self, target: Path | None = None) -> Backup:
        """Make a verified backup: at a path, or among the place's own."""
        ...

    def last_backup_age(self) -> timedelta | None:
        """How long ago the newest own backup was made."""
        ...

    def newest_backup(self) -> Path | None:
        """The newest own backup."""
        ...

    def slot_of_backup(self, backup: Path) -> Path:
        """Where the key slot of a backup lies."""
        ...

    def restore(self, backup: Path, *, key: bytes | None) -> int:
        """Replace the database by a backup, alone; return how many states it holds."""
        ...

    def backup_slots(self) -> list[Path]:
        """The key slots of its own backups."""
        ...

    def encrypt(self, key: bytes, place_slot: Callable[[Path], None]) -> list[Path]:
        """Turn a plain store into an encrypted one; return the plain backups that remain."""
        ...

    def inspect(self) -> list[Finding]:
        """Look everything over, changing nothing."""
        ...

    def repair(self, repairs: Sequence[str]) -> list[str]:
        """Mend what was found, after a copy was made; say what was done."""
        ...

    def free_megabytes(self) -> int:
        """The space left on the disk."""
        ...

    def close(self) -> None:
        """Finish what runs and leave in order."""
        ...
