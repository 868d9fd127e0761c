"""What a person can show to open a store: a passphrase, or a key from wherever it is kept."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from engram.errors import InvalidInput, StoreLocked

KEY_BYTES = 32


class Kind(StrEnum):
    """Where what opens a store is kept."""

    PASSPHRASE = "passphrase"  # noqa: S105  # the kind, which is kept in a head
    KEY = "key"  # in a file or the environment
    KEYRING = "keyring"  # in the keyring of the operating system
    RECOVERY = "recovery"  # on paper


@dataclass(frozen=True, slots=True, repr=False)
class Credentials:
    """One thing that a person can show: a passphrase, or a key and where it comes from."""

    passphrase: str | None = None
    key: bytes | None = None
    source: Kind = Kind.KEY  # of the key

    @property
    def are_given(self) -> bool:
        """Whether there is anything to unlock with."""
        return self.passphrase is not None or self.key is not None

    @property
    def kind(self) -> Kind:
        """Which wrappings this could open."""
        return Kind.PASSPHRASE if self.passphrase is not None else self.source


def parse_key(text: str) -> bytes:
    """A raw key written as 64 hexadecimal digits."""
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise InvalidInput(
            hint="The key of a store (ENGRAM_KEY, ENGRAM_KEY_FILE) is 64 hexadecimal digits, as "
            "`engram keys generate` makes; the key of a caller, engram_…, is sent by that caller."
        )
    return key


def read_key_file(path: Path) -> bytes:
    """The key in a key file."""
    try:
        if not path.is_file():  # a pipe would keep us waiting for ever
            raise StoreLocked(hint="The key file is missing, or is no file.")
        return parse_key(path.read_text(encoding="ascii"))
    except (OSError, UnicodeDecodeError) as error:
        raise StoreLocked(hint="The key file cannot be read.") from error
