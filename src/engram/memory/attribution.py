"""Who said a memory and when: the one form in which every line that tells a memory says it."""

from collections.abc import Iterable

from engram.memory.categories import TURN
from engram.memory.fencing import harmless
from engram.memory.ids import label_of
from engram.memory.links import Replacement
from engram.memory.record import Memory
from engram.text.strings import clipped

_LONGEST_NAME = 60
_BRACKETS = str.maketrans("()", "[]")  # in a name they would end what stands before the text
_NOTED = {"manual": "note", "tool": "agent", "result": "result", "bus": "agent"}
_SPOKEN_ROLES = frozenset({"user", "assistant", "tool", "system"})


_REPLACED = {"may be": "may be replaced by", "partly": "partly replaced by"}


def replacement_marks(found: Iterable[Replacement]) -> dict[int, str]:
    """What a line says of a memory that another one replaced or may replace, by its number.

    What is certain goes before what is not, and of several the newest is named.
    """
    ranks = {"may be": 0, "partly": 1, "replaced": 2}
    ordered = sorted(found, key=lambda each: (ranks[each.how], each.new))
    return {
        old: f"{_REPLACED.get(how, 'replaced by')} {label_of(new)}" for old, new, how in ordered
    }


def newer_first(numbers: Iterable[int], changes: Iterable[Replacement]) -> list[int]:
    """The numbers of memories in their order, but each before those that it replaces."""
    found = list(numbers)
    for old, new, _ in sorted(changes, key=lambda change: change.new):
        if old in found and new in found and found.index(old) < found.index(new):
            found.remove(new)
            found.insert(found.index(old), new)
    return found


def speaker_of(memory: Memory) -> str:
    """Who said it; where no speaker is known, how it came in: user, assistant, note, import."""
    if memory.speaker:
        return clipped(memory.speaker, _LONGEST_NAME)
    role = memory.metadata.get("role")
    if isinstance(role, str) and role in _SPOKEN_ROLES:
        return role
    way = memory.source.partition(":")[0]
    return _NOTED.get(way, way)


def attribution(memory: Memory, mark: str = "") -> str:
    """Speaker, day and category, and what there is to know about it: harmless, without brackets."""
    parts = (speaker_of(memory), f"{memory.at:%Y-%m-%d}", memory.category, mark)
    return harmless(", ".join(filter(None, parts)).translate(_BRACKETS))


def is_verbatim(memory: Memory) -> bool:
    """Whether its content is what somebody said, word for word."""
    return memory.category == TURN or memory.is_drawn


def told_line(memory: Memory, text: str, mark: str = "") -> str:
    """A memory on one harmless line: label, speaker, day, category, text."""
    return f"- {memory.label} ({attribution(memory, mark)}): {quoted(memory, text)}"


def quoted(memory: Memory, text: str) -> str:
    """A harmless text of a memory; between quotation marks where somebody said exactly that."""
    told = harmless(text)
    return f'"{told}"' if is_verbatim(memory) and text == memory.content else told


def spoken_on(memory: Memory, text: str) -> str:
    """The same for people: Marta, 5 March 2026: "…"."""
    return f'{speaker_of(memory)}, {memory.at.day} {memory.at:%B %Y}: "{text}"'
