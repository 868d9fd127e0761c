"""How the person behaves: preferences, principles and ways of working, a line each.

Only what a person said, or approved, stands here; what is current, and as much as there is room
for. The weakest lines go first, and no line is cut.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from engram.memory.dreams.artefact import Artefact, ArtefactKind, inherited
from engram.memory.dreams.headings import heading_of, heading_place
from engram.memory.dreams.lines import (
    Line,
    current,
    lines_of,
    ranked,
    standing_lines,
    under_headings,
)
from engram.memory.record import Memory
from engram.memory.scopes import Scope

KEY = "behaviour"
CATEGORIES = frozenset(
    "instruction constraint principle preference procedure tooling correction decision".split()
)
_POOL = 4  # times as many memories as there are lines are held against each other


@dataclass(frozen=True, slots=True)
class Behaviour:
    """The behavioural profile as a caller sees it: what stands of it, and its words."""

    lines: tuple[Line, ...]
    text: str
    reflection: str = ""  # who they are, where that is too long to be read as it was said
    made_at: datetime | None = None  # None: no dream has made one yet


def tells_behaviour(memory: Memory) -> bool:
    """Whether a memory says how the person behaves, and a person vouches for it."""
    return memory.category in CATEGORIES and memory.is_vouched_for


def behaviour_lines(memories: Iterable[Memory], *, most: int) -> tuple[Line, ...]:
    """The lines of the profile, headings counted: the strongest first, until there is no room."""
    best = current(ranked(filter(tells_behaviour, memories))[: _POOL * most])
    speakers = {each.speaker for each in best if each.speaker}
    kept: list[Line] = []
    taken = 0
    lines = lines_of(
        best, lambda memory: heading_of(memory.category), is_attributed=len(speakers) > 1
    )
    for each in _one_of_each(lines):
        takes = 1 + (each.heading not in {line.heading for line in kept})
        if taken + takes > most:
            continue  # one under a heading that is there already may still have room
        kept.append(each)
        taken += takes
    return tuple(sorted(kept, key=lambda each: heading_place(each.heading)))


def _one_of_each(lines: Iterable[Line]) -> Iterable[Line]:
    """The first line of each memory: one that says more says the rest where it stands."""
    seen: set[int] = set()
    for each in lines:
        if each.number not in seen:
            seen.add(each.number)
            yield each


def behaviour_of(
    memories: Sequence[Memory], *, scope: Scope, now: datetime, most_lines: int
) -> Artefact | None:
    """The profile of a scope; None: nobody said how they behave."""
    lines = behaviour_lines(memories, most=most_lines)
    if not lines:
        return None
    numbers = {each.number for each in lines}
    sources = sorted(
        (each for each in memories if each.number in numbers), key=lambda each: each.number
    )
    trust, secrecy = inherited(sources)
    return Artefact(
        kind=ArtefactKind.BEHAVIOUR,
        scope=scope,
        key=KEY,
        text="\n".join(under_headings(lines)),
        body={"lines": [each.as_plain for each in lines]},
        sources=tuple(each.number for each in sources),
        trust=trust,
        secrecy=secrecy,
        made_at=now,
    )


def seen_behaviour(
    profiles: Sequence[Artefact], reflections: Sequence[Artefact], wordings: Mapping[int, int]
) -> Behaviour:
    """The profiles of the scopes in sight as one, as far as their sources still stand."""
    found = standing_lines(profiles, "lines", wordings)
    lines = tuple(sorted(found, key=lambda each: heading_place(each.heading)))
    return Behaviour(
        lines,
        "\n".join(under_headings(lines)),
        "\n".join(each.text for each in standing_lines(reflections, "lines", wordings)),
        max((each.made_at for each in profiles), default=None),
    )
