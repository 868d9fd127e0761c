"""What the rest of Engram needs of the place where a store is kept, whatever engine keeps it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Protocol

from engram.storage.audit_chain import AuditIdentity
from engram.storage.database import Database, Transaction

DATABASE = "engram.db"  # the file by which a folder is known to be a store
SENDING_LOCK = "webhooks.lock"  # held by the process that delivers to webhooks
KEYS_LOCK = "keys.lock"  # held by the process that changes what opens the store
DREAM_LOCK = "dream.lock"  # held by the process that dreams


def is_store(folder: Path) -> bool:
    """Whether a store lies in a folder; looking makes none."""
    return (folder / DATABASE).is_file()


@dataclass(frozen=True, slots=True, repr=False)
class StoreKeys:
    """What the files of a store are encrypted with; without keys they are plain. Never printed."""

    database: bytes | None = None
    vault: bytes | None = None


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


class Scrubber(Protocol):
    """Cleans the files of a store of what was erased, and hands out their bytes for a search."""

    def write_index_anew(self) -> None:
        """Let the words of lines that are gone go from the text index, too."""
        ...

    def fold_away(self) -> bool:
        """Fold the log into the file and cut it to nothing; False when somebody is in the way."""
        ...

    def rewrite(self) -> None:
        """Write the whole file anew, from its rows alone."""
        ...

    def image(self) -> Iterator[bytes]:
        """The bytes of all pages, decrypted."""
        ...

    def copies(self) -> list[Path]:
        """The store's own backups and what a restore replaced."""
        ...

    def scrub_copy(
        self, path: Path, key: bytes | None, erase: Callable[[Transaction], None]
    ) -> None:
        """Take rows out of a backup and write it anew."""
        ...

    def image_of_copy(self, path: Path, key: bytes | None) -> Iterator[bytes]:
        """The bytes of a backup's pages, decrypted."""
        ...

    def remove_copy(self, path: Path) -> None:
        """Take a backup away that cannot be opened."""
        ...

    def set_aside(self) -> list[Path]:
        """Files that a salvage set aside, and what others are making right now."""
        ...

    def other_files(self) -> list[Path]:
        """Whatever else lies in the store's folder and is no database that is open."""
        ...

    def name_of(self, path: Path) -> str:
        """By what a file is known, wherever the store lies."""
        ...

    def is_ours(self, path: Path) -> bool:
        """Whether a file is one that Engram itself writes, and never a memory's text into."""
        ...


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

    def back_up(self, target: Path | None = None, *, with_keys: bool = False) -> Backup:
        """Make a verified backup: at a path, or among the place's own; never with keys of persons
        but where asked."""
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

    def audit_in_backup(self, backup: Path, *, keys: StoreKeys) -> AuditIdentity | None:
        """Whose audit a backup holds; None when it cannot be read."""
        ...

    def restore(self, backup: Path, *, keys: StoreKeys) -> int:
        """Replace the database by a backup (under these keys); return how many states it holds."""
        ...

    def backup_slots(self) -> list[Path]:
        """The key slots of its own backups."""
        ...

    def rekey(self, keys: StoreKeys, place_slot: Callable[[Path], None] | None) -> None:
        """Bring every file under other keys, alone; without a slot to place they become plain."""
        ...

    def renew_people(self, *, drop_old: bool) -> int:
        """Put every sealed record under fresh keys of its persons; return how many they were."""
        ...

    def plain_copies(self) -> list[Path]:
        """Every copy of the store that can be read without a key."""
        ...

    def scrubber(self) -> Scrubber:
        """What cleans its files of what was erased."""
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
