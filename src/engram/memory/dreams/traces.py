"""Traces: things that were come back to, summed up over the boxes in which they were talked about.

Boxes stay as capture made them; a trace is what they tell together.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from engram.memory.dreams.artefact import Artefact, ArtefactKind, Plain, inherited
from engram.memory.dreams.lines import Line, lines_in, lines_of, ranked, standing
from engram.memory.dreams.summaries import Weighed, best_sentences, one_after_another
from engram.memory.dreams.topics import as_written
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.times import parse_time

FEWEST_BOXES = 2
_MOST_TOPICS = 8
_MOST_LINES = 3
_LOOKED_AT = 60
_MOST_MEMBERS = 200


@dataclass(frozen=True, slots=True)
class Boxed:
    """What is known of one box."""

    trace: str
    session: str
    opened_at: datetime
    last_at: datetime
    topics: Mapping[str, int]
    numbers: tuple[int, ...]  # of the memories in it


@dataclass(frozen=True, slots=True)
class Trace:
    """A thing that was come back to, as a caller sees it."""

    id: str
    topics: tuple[str, ...]
    since: datetime
    until: datetime
    boxes: int
    sessions: int
    numbers: tuple[int, ...]
    lines: tuple[Line, ...]


def traces_of(boxes: Iterable[Boxed]) -> dict[str, list[Boxed]]:
    """The boxes of each trace that was come back to, in their order."""
    found: dict[str, list[Boxed]] = {}
    for each in boxes:
        if each.numbers:
            found.setdefault(each.trace, []).append(each)
    return {
        trace: sorted(each, key=lambda box: (box.opened_at, box.last_at))
        for trace, each in sorted(found.items())
        if len(each) >= FEWEST_BOXES
    }


def trace_artefact(
    trace: str, boxes: Sequence[Boxed], members: Sequence[Memory], *, scope: Scope, now: datetime
) -> Artefact:
    """What a trace tells: its topics, from when to when, and its best sentences."""
    counts = Counter[str]()
    for box in boxes:
        counts.update(box.topics)
    topics = sorted(counts, key=lambda topic: (-counts[topic], topic))[:_MOST_TOPICS]
    newest = members[-_LOOKED_AT:]
    lines = _best(members)
    numbers = {each.number for each in lines}
    sources = [each for each in members if each.number in numbers] or list(members[-1:])
    trust, secrecy = inherited(sources)
    body: dict[str, Plain] = {
        "topics": [as_written(each, newest, {}) for each in topics],
        "since": min(box.opened_at for box in boxes).isoformat(),
        "until": max(box.last_at for box in boxes).isoformat(),
        "boxes": len(boxes),
        "sessions": len({box.session for box in boxes}),
        "numbers": [each.number for each in members[-_MOST_MEMBERS:]],
        "lines": [each.as_plain for each in lines],
    }
    return Artefact(
        kind=ArtefactKind.TRACE,
        scope=scope,
        key=trace,
        text=one_after_another([each.text for each in lines]),
        body=body,
        sources=tuple(each.number for each in sources),
        trust=trust,
        secrecy=secrecy,
        made_at=now,
    )


def _best(members: Sequence[Memory]) -> tuple[Line, ...]:
    best = ranked(members)[:_LOOKED_AT]
    by_text = {each.text: each for each in lines_of(best, lambda _: "")}
    texts = [Weighed(text, 1.0, line.number) for text, line in by_text.items()]
    return tuple(by_text[each.text] for each in best_sentences(texts, most=_MOST_LINES))


def trace_in(artefact: Artefact, wordings: Mapping[int, int]) -> Trace | None:
    """A trace as a caller sees it; None: nothing that it is about can be seen or still stands."""
    body = artefact.body
    numbers = tuple(
        number for number in (int(str(each)) for each in _listed(body, "numbers"))
        if number in wordings
    )  # fmt: skip
    if not numbers:
        return None
    return Trace(
        artefact.key,
        tuple(str(each) for each in _listed(body, "topics")),
        parse_time(str(body["since"]), name="since"),
        parse_time(str(body["until"]), name="until"),
        int(str(body["boxes"])),
        int(str(body["sessions"])),
        numbers,
        standing(lines_in(body, "lines"), wordings),
    )


def seen_traces(artefacts: Iterable[Artefact], wordings: Mapping[int, int]) -> list[Trace]:
    """Those of which something stands, the latest first."""
    found = [each for each in (trace_in(one, wordings) for one in artefacts) if each is not None]
    return sorted(found, key=lambda each: (each.until, each.id), reverse=True)


def numbers_in(artefact: Artefact) -> set[int]:
    """The memories that a trace is about, as far as it lists them."""
    return {int(str(each)) for each in _listed(artefact.body, "numbers")} | set(artefact.sources)


def _listed(body: Mapping[str, Plain], name: str) -> Sequence[Plain]:
    found = body.get(name, ())
    return found if isinstance(found, Sequence) and not isinstance(found, str) else ()
