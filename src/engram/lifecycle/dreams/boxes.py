"""Sums up what was come back to: a trace of two or more boxes is told in one piece.

The boxes themselves stay as they are: capture seals one when the talk goes on, and whether an
open one has been silent for too long is seen from its last moment.
"""

from collections.abc import Mapping

from engram.lifecycle.dreams.made import Made, fresh, labels, made
from engram.lifecycle.dreams.named import statements_by_number
from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.memory.dreams.artefact import Artefact, ArtefactKind
from engram.memory.dreams.traces import Boxed, trace_artefact, traces_of
from engram.memory.record import Memory
from engram.storage.reader import StoreReader


def boxes(night: Night, see: StoreReader) -> Planned:
    """Plan the traces of one scope."""
    statements = statements_by_number(see, night)
    found = see.boxes.boxed(night.scope, limit=night.options.rows_per_pass)
    standing = [_with(each, statements) for each in found]
    before = {each.key: each for each in see.artefacts.all(ArtefactKind.TRACE, scope=night.scope)}
    decisions: list[Decision] = []
    for trace, parts in traces_of(standing).items():
        night.breathe()
        numbers = sorted({number for box in parts for number in box.numbers})
        members = [statements[number] for number in numbers]
        artefact = trace_artefact(trace, parts, members, scope=night.scope, now=night.now)
        before.pop(trace, None)
        if fresh(see, [artefact]):
            why = f"What {labels(numbers)} come back to, in {len(parts)} boxes."
            decisions.append(made(Made(trace, (artefact,)), why, night.scope, statements))
    decisions += [_over(each, night) for _, each in sorted(before.items())]
    most = night.options.decisions_per_pass
    return Planned(tuple(decisions[:most]), looked_at=len(found), is_whole=len(decisions) <= most)


def _with(box: Boxed, statements: Mapping[int, Memory]) -> Boxed:
    """The box with what in it can still be recalled."""
    numbers = tuple(number for number in box.numbers if number in statements)
    return Boxed(box.trace, box.session, box.opened_at, box.last_at, box.topics, numbers)


def _over(artefact: Artefact, night: Night) -> Decision:
    why = f"What {labels(artefact.sources)} came back to is no longer told in two boxes."
    return made(Made(artefact.key, end=(artefact,)), why, night.scope, {})
