"""A recovery key as people write it down: groups of letters and digits that are hard to mistake."""

import hashlib
import secrets

from engram.errors import InvalidInput
from engram.security.keys.credentials import KEY_BYTES, Credentials, Kind

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # without I, L, O and U
_MISREAD = str.maketrans("ILO", "110")
_CHECK_BYTES = 3
_GROUP = 4
_CHARACTERS = (KEY_BYTES + _CHECK_BYTES) * 8 // 5


def make_recovery_key() -> tuple[str, Credentials]:
    """A fresh recovery key, to be shown once, and the credentials it stands for."""
    key = secrets.token_bytes(KEY_BYTES)
    return _written(key), Credentials(key=key, source=Kind.RECOVERY)


def parse_recovery_key(text: str) -> Credentials:
    """What a person typed from paper; a slip of the pen is told from a wrong key."""
    number = 0
    letters = _letters(text)
    if len(letters) == _CHARACTERS and all(letter in _LETTERS for letter in letters):
        for letter in letters:
            number = number * len(_LETTERS) + _LETTERS.index(letter)
    content = number.to_bytes(KEY_BYTES + _CHECK_BYTES, "big")
    key, check = content[:KEY_BYTES], content[KEY_BYTES:]
    if not number or not secrets.compare_digest(check, _check(key)):
        raise InvalidInput(
            hint="A recovery key is 14 groups of 4 letters and digits; one of them is not right."
        )
    return Credentials(key=key, source=Kind.RECOVERY)


def looks_like_recovery_key(text: str) -> bool:
    """Whether a text can only be meant as a recovery key."""
    try:
        parse_recovery_key(text)
    except InvalidInput:
        return False
    return True


def _written(key: bytes) -> str:
    number = int.from_bytes(key + _check(key), "big")
    letters = ""
    for _ in range(_CHARACTERS):
        number, rest = divmod(number, len(_LETTERS))
        letters = _LETTERS[rest] + letters
    return "-".join(letters[at : at + _GROUP] for at in range(0, _CHARACTERS, _GROUP))


def _letters(text: str) -> str:
    kept = "".join(letter for letter in text.upper() if not letter.isspace() and letter != "-")
    return kept.translate(_MISREAD)


def _check(key: bytes) -> bytes:
    return hashlib.sha256(b"engram/recovery/v1" + key).digest()[:_CHECK_BYTES]
