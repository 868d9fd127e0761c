"""Reflections: what somebody says of who they are, in one text once it has grown too long.

Below the size nothing happens. Above it the current statements are put into half the size: whole
sentences of the sources, each said once, in the order in which they were said.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from engram.memory.dreams.artefact import Artefact, ArtefactKind, inherited
from engram.memory.dreams.lines import Line, current, lines_of, ranked
from engram.memory.dreams.summaries import Weighed, best_sentences
from engram.memory.record import Memory
from engram.memory.scopes import Scope

KEY = "identity"
_IDENTITY = "identity"
_MARK = "reflection"
_LOOKED_AT = 400  # memories; beyond that the least weighty cannot come into half the size
_AS_A_SHARE = 0.5
_FEWEST_CHARACTERS = 12  # of a sentence: no more of them fit than the size over this


def is_reflection(memory: Memory) -> bool:
    """Whether somebody says who they are: by its category, or because it is marked as such."""
    tags = memory.metadata.get("tags")
    is_tagged = isinstance(tags, list) and _MARK in tags
    return memory.category == _IDENTITY or is_tagged or memory.metadata.get(_MARK) is True


def size_of(memories: Iterable[Memory]) -> int:
    """How many bytes they have together."""
    return sum(len(each.content.encode()) for each in memories)


def reflection_of(
    memories: Sequence[Memory], *, scope: Scope, now: datetime, most_bytes: int
) -> Artefact | None:
    """The reflections of a scope in one text; None: they are short enough as they are."""
    told = [each for each in memories if is_reflection(each)]
    size = size_of(told)
    if size <= most_bytes:
        return None
    kept = _within(told, int(size * _AS_A_SHARE))
    if not kept:
        return None
    numbers = {each.number for each in kept}
    sources = sorted(
        (each for each in told if each.number in numbers), key=lambda each: each.number
    )
    trust, secrecy = inherited(sources)
    return Artefact(
        kind=ArtefactKind.REFLECTION,
        scope=scope,
        key=KEY,
        text="\n".join(each.text for each in kept),
        body={"lines": [each.as_plain for each in kept], "memories": len(told), "bytes": size},
        sources=tuple(each.number for each in sources),
        trust=trust,
        secrecy=secrecy,
        made_at=now,
    )


def _within(memories: Sequence[Memory], room: int) -> list[Line]:
    """The most central current sentences that fit into so many bytes, in the order of time."""
    best = current(ranked(memories)[:_LOOKED_AT])
    by_number = {each.number: each for each in best}
    lines = list(lines_of(best, lambda _: ""))
    texts = [
        Weighed(line.text, 1.0 / (1.0 + place / max(1, len(lines))), line.number)
        for place, line in enumerate(lines)
    ]
    kept: list[Line] = []
    for each in best_sentences(texts, most=max(1, room // _FEWEST_CHARACTERS)):
        takes = len(each.text.encode()) + 1
        if takes <= room:
            room -= takes
            kept.append(Line(each.text, each.number, by_number[each.number].version))
    return sorted(kept, key=lambda each: (by_number[each.number].at, each.number))
