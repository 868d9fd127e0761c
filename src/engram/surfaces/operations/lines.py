"""Lines of text for a model: whatever a memory says, it stays on its line and within bounds."""

import unicodedata
from collections.abc import Iterable

MOST_CHARACTERS = 20_000
_MOST_OF_A_TEXT = 2_000
_JOINERS = "\u200c\u200d"  # they make letters and emoji of several signs
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def on_one_line(text: object, most: int = _MOST_OF_A_TEXT) -> str:
    """A text that cannot look like another line: breaks and unseen characters are written out."""
    whole = str(text)
    kept = "".join(_written(character) for character in whole[:most])
    left = len(whole) - most
    return f"{kept}… ({left:,} more characters)" if left > 0 else kept


def _written(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    if character in _JOINERS or unicodedata.category(character) not in _UNSEEN:
        return character
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def bounded(lines: Iterable[str], most: int = MOST_CHARACTERS) -> str:
    """As many lines as there is room for; then it says how many are left out."""
    kept: list[str] = []
    left = most
    every = list(lines)
    for line in every:
        left -= len(line) + 1
        if left < len(_LEFT_OUT.format(len(every))):
            break
        kept.append(line)
    missing = len(every) - len(kept)
    return "\n".join([*kept, *([_LEFT_OUT.format(f"{missing:,}")] if missing else [])])


_LEFT_OUT = "({} more lines left out; ask for fewer at once)"


def counted(count: int, one: str, many: str | None = None) -> str:
    """A number with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
