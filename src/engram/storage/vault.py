"""What the store needs of a vault: records sealed under keys of persons, and those keys' end."""

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Sequence
from typing import Protocol

from engram.memory.people import Person
from engram.storage.record_cipher import is_sealed
from engram.text.strings import SEALED_MARK


class Vault(Protocol):
    """Seals records, each under a key of its own that all the persons' keys together wrap."""

    def identity(self) -> str | None:
        """By what this vault is told from every other, as it was read last; None: there is none."""
        ...

    def is_there(self) -> bool:
        """Whether there is a vault, also one that cannot be read."""
        ...

    def check(self) -> None:
        """Refuse where this is not the vault that the database's records were sealed with."""
        ...

    def refresh(self) -> None:
        """Forget cached keys when another process changed the vault; once per transaction."""
        ...

    def seal(self, text: str, people: Sequence[Person]) -> bytes:
        """A text that can be read only as long as every one of these persons has a key."""
        ...

    def unseal(self, blob: bytes) -> str | None:
        """The text of a record; None when a key is gone or the record was altered."""
        ...

    def seal_bytes(self, content: bytes, people: Sequence[Person]) -> bytes:
        """The same for bytes, such as a vector."""
        ...

    def unseal_bytes(self, blob: bytes) -> bytes | None:
        """The bytes of a record; None when a key is gone or the record was altered."""
        ...

    def tag(self, content: bytes, person: Person) -> bytes:
        """A keyed hash under a person's key: equal for equal content, useless without the key."""
        ...

    def people(self) -> list[Person]:
        """Everybody who has a key."""
        ...

    def has_key(self, person: Person) -> bool:
        """Whether this person has a key."""
        ...

    def people_of(self, blob: bytes) -> list[Person]:
        """The persons whose keys a record needs, as far as they still have one."""
        ...

    def can_unseal(self, blob: bytes) -> bool:
        """Whether every key that a record names is there; its beginning is enough."""
        ...

    def destroy(self, people: Sequence[Person]) -> int:
        """End the keys of these persons for ever, durably; return how many persons had one."""
        ...

    def renew_people(self) -> int:
        """Give every person a new key for what is sealed from now on; the old ones still read."""
        ...

    def rewrap(self, blob: bytes) -> bytes | None:
        """A record under its persons' newest keys; None when it is so already or cannot be read."""
        ...

    def drop_old_keys(self) -> int:
        """Remove the keys that were renewed; only when no record needs one any more."""
        ...

    def note(self, kind: str, key: str, content: bytes) -> None:
        """Keep something outside the database, so that no restore brings an older one back."""
        ...

    def noted(self, kind: str) -> dict[str, bytes]:
        """What is kept of one kind."""
        ...

    def forget_note(self, kind: str, key: str) -> None:
        """Keep it no longer."""
        ...


def as_text(blob: bytes) -> str:
    """A sealed record as it stands in a column for text."""
    return SEALED_MARK + b64encode(blob).decode("ascii")


def blob_in(value: object) -> bytes | None:
    """The sealed record in a column's value, whatever the column's type; None: it is no record."""
    if isinstance(value, bytes):
        return value if is_sealed(value) else None
    if not isinstance(value, str) or not value.startswith(SEALED_MARK):
        return None
    try:
        return b64decode(value[len(SEALED_MARK) :], validate=True)
    except (NotBase64, ValueError):
        return b""  # it says that it is sealed, but nothing can be read
