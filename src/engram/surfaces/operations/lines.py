"""Lines of text for a model: whatever a memory says, it stays on its line and within bounds."""

from collections.abc import Iterable

from engram.memory.line_rules import fitting, replace_unseen

MOST_CHARACTERS = 20_000
_MOST_OF_A_TEXT = 2_000
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def on_one_line(text: object, most: int = _MOST_OF_A_TEXT) -> str:
    """A text that cannot look like another line: breaks and unseen characters are written out."""
    whole = str(text)
    kept = replace_unseen(whole[:most], _written)
    left = len(whole) - most
    return f"{kept}… ({left:,} more characters)" if left > 0 else kept


def _written(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def bounded(lines: Iterable[str], most: int = MOST_CHARACTERS) -> str:
    """As many lines as there is room for; then it says how many are left out."""
    every = list(lines)
    kept = fitting(every, most - len(_LEFT_OUT.format(len(every))))
    missing = len(every) - len(kept)
    return "\n".join([*kept, *([_LEFT_OUT.format(f"{missing:,}")] if missing else [])])


_LEFT_OUT = "({} more lines left out; ask for fewer at once)"


def counted(count: int, one: str, many: str | None = None) -> str:
    """A number with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
