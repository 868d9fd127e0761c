"""Makes knowledge of what several memories have in common, and keeps it up with its sources.

The sources stay as they are; that something was made of them is told by links. A pattern that grows
is revised and not made twice, and one whose sources were refuted goes with them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from engram.lifecycle.consolidate_episodes import propose_consolidations
from engram.lifecycle.dreams.derived import derive
from engram.lifecycle.dreams.night import CarryOut, Decision, Night, Planned
from engram.lifecycle.dreams.unchanged import are_unchanged
from engram.memory.changes import Action
from engram.memory.dreams.artefact import inherited
from engram.memory.dreams.patterns import Pattern, Shape, Terms, find_patterns
from engram.memory.dreams.report import Step
from engram.memory.episodes.patterns import Consolidation
from engram.memory.ids import label_of
from engram.memory.links import Relation, made_with
from engram.memory.record import Memory
from engram.memory.staleness import status_at
from engram.memory.vocabulary import Status
from engram.storage.conditions import Filters, Moments
from engram.storage.reader import StoreReader
from engram.storage.tied import tie
from engram.storage.unit import UnitOfWork

_SOURCE = f"dream:{Step.PATTERNS.value}"
_MOST_LINKS = 10_000  # of one memory that was made here
_MOST_EPISODES = 500  # that are held against each other in one night
_REFUTED = frozenset({Status.SUPERSEDED, Status.INVALIDATED, Status.REJECTED})
_FADED = frozenset({Status.STALE, Status.ARCHIVED})


@dataclass(frozen=True, slots=True)
class _Made:
    """What was made of memories before: itself, and those by what became of them."""

    memory: Memory
    sources: frozenset[int]
    refuted: frozenset[int]

    @property
    def may_change(self) -> bool:
        """Whether it is this pass's to revise: a person's word on it is the last."""
        memory = self.memory
        return not (memory.is_pinned or memory.is_vouched_for) and (
            memory.status in (Status.ACTIVE, Status.SUPERSEDED, Status.INVALIDATED)
        )


def patterns(night: Night, see: StoreReader) -> Planned:
    """Find what the memories of a scope have in common, and what was made of that before."""
    statements = night.statements(see)
    details = see.made_from(each.number for each in statements)
    plain = {each.number: each for each in statements if each.number not in details}
    made, faded = _made_before(night, see, plain)
    options = night.options
    found = find_patterns(
        [*plain.values(), *faded.values()],
        night.vectors(see),
        Terms(options.pattern_at_least, options.pattern_similarity, options.pattern_confidence),
        backing=frozenset(faded),
        breathe=night.breathe,
    )
    decisions = [each for one in found if (each := _decided(night, one, made.get(one.key)))]
    keys = {each.key for each in found}
    gone = [
        each
        for key, each in made.items()
        if key not in keys and _is_over(each, options.pattern_at_least)
    ]
    decisions += [_ended(each) for each in gone]
    of_episodes, findings = _episodes(night, see)
    decisions += of_episodes
    most = options.decisions_per_pass
    return Planned(
        decisions=tuple(decisions[:most]),
        findings=findings,
        looked_at=len(statements),
        is_whole=len(decisions) <= most,
    )


def _made_before(
    night: Night, see: StoreReader, present: Mapping[int, Memory]
) -> tuple[dict[str, _Made], dict[int, Memory]]:
    """What stands for each pattern, and the sources of it that have faded since."""
    listed = see.listing(
        Moments(now=night.now),
        Filters(source=_SOURCE),
        status=None,
        limit=night.options.rows_per_pass,
    )
    latest: dict[str, Memory] = {}
    for memory in reversed(listed):  # newest first: the last one told of a key stands
        key = memory.metadata.get("pattern")
        if isinstance(key, str):
            latest[key] = memory
    faded: dict[int, Memory] = {}
    made: dict[str, _Made] = {}
    for key, memory in latest.items():
        night.breathe()
        sources = _sources_of(see, memory)
        others = {number: see.current(number) for number in sources if number not in present}
        gone = {number: each for number, each in others.items() if each is not None}
        refuted = frozenset(number for number, each in gone.items() if each.status in _REFUTED)
        faded |= {
            number: each
            for number, each in gone.items()
            if status_at(each, night.now) in _FADED
        }  # fmt: skip
        made[key] = _Made(memory, sources, refuted)
    return made, faded


def _sources_of(see: StoreReader, memory: Memory) -> frozenset[int]:
    return frozenset(
        end
        for start, end, relation in see.links.around([memory.number], limit=_MOST_LINKS)
        if start == memory.number and relation == Relation.DERIVED_FROM
    )


def _decided(night: Night, found: Pattern, made: _Made | None) -> Decision | None:
    """What is to be done about a pattern; None when what was made of it is as it should be."""
    labels = _labels(found.sources)
    if made is None:
        # Named by the pattern alone: what was taken back once is not made of more memories either.
        why = f"{labels} come to a {found.shape.value}"
        decision = _decision(found, why, lambda unit: _make(unit, night, found, None))
        return replace(decision, key=f"patterns {found.key}")
    if not made.may_change or not _is_outdated(found, made):
        return None
    if made.memory.status is not Status.ACTIVE:
        why = f"{labels} come to a {found.shape.value} again"
        return _decision(found, why, lambda unit: _make(unit, night, found, None))
    why = f"{made.memory.label} is revised: {labels} say so now"
    if found.text == made.memory.content:
        return _decision(found, why, lambda unit: _strengthen(unit, found, made))
    return _decision(found, why, lambda unit: _make(unit, night, found, made.memory))


def _is_outdated(found: Pattern, made: _Made) -> bool:
    """Whether what was made is worth making anew: it lists something else, or grew by half.

    A fact that is said once more is no news each time.
    """
    fresh = {each.number for each in found.sources} - made.sources
    if found.shape is Shape.LIST and found.text != made.memory.content and (fresh or made.refuted):
        return True
    return len(fresh) * 2 >= max(2, len(made.sources))


def _decision(found: Pattern, why: str, carry_out: CarryOut) -> Decision:
    numbers = tuple(each.number for each in found.sources)
    return Decision(
        key=f"patterns {found.key} {','.join(map(str, numbers))}",
        why=why,
        numbers=numbers,
        carry_out=carry_out,
    )


def _make(unit: UnitOfWork, night: Night, found: Pattern, old: Memory | None) -> bool:
    if not are_unchanged(unit, [*found.sources, *([old] if old else [])]):
        return False
    made = derive(
        unit,
        night,
        text=found.text,
        sources=found.sources,
        step=Step.PATTERNS,
        confidence=found.confidence,
        replaces=old,
        metadata=found.metadata,
    )
    return made.learned_at == night.now


def _strengthen(unit: UnitOfWork, found: Pattern, made: _Made) -> bool:
    """The same statement on more sources."""
    if not are_unchanged(unit, [made.memory, *found.sources]):
        return False
    fresh = [each for each in found.sources if each.number not in made.sources]
    change = unit.begin_change(Action.DERIVE, made.memory.scope, f"also made of {_labels(fresh)}")
    trust, _ = inherited([made.memory, *fresh])
    again = unit.replace(
        made.memory, confidence=found.confidence, trust=trust, metadata=found.metadata
    )
    for source in fresh:
        tie(unit, again, source, Relation.DERIVED_FROM, made_with(change))
    return True


def _is_over(made: _Made, at_least: int) -> bool:
    """Whether too little is left of what it was made of; what merely faded still counts."""
    left = len(made.sources - made.refuted)
    is_mine = made.may_change and made.memory.status is Status.ACTIVE
    return is_mine and bool(made.refuted) and left < at_least


def _ended(made: _Made) -> Decision:
    refuted = sorted(made.refuted)
    labels = ", ".join(map(label_of, refuted[:5]))

    def carry_out(unit: UnitOfWork) -> bool:
        if not are_unchanged(unit, [made.memory]):
            return False
        unit.begin_change(Action.INVALIDATE, made.memory.scope, f"{labels} no longer hold")
        unit.replace(made.memory, status=Status.INVALIDATED)
        return True

    return Decision(
        key=f"patterns end {made.memory.number} {','.join(map(str, refuted))}",
        why=f"{made.memory.label} was made of {labels}, which no longer hold",
        numbers=(made.memory.number,),
        carry_out=carry_out,
    )


def _labels(memories: Sequence[Memory]) -> str:
    shown = ", ".join(each.label for each in memories[:5])
    return shown + (f" and {len(memories) - 5} more" if len(memories) > 5 else "")


# Episodes that are about to fade


def _episodes(night: Night, see: StoreReader) -> tuple[list[Decision], tuple[str, ...]]:
    """What fading episodes teach. Those that teach a way to do something are left to `skills`."""
    ripe = propose_consolidations(
        see,
        night.scope,
        now=night.now,
        decay_per_hour=night.episode_decay_per_hour,
        limit=_MOST_EPISODES,
    )
    night.breathe()
    decisions, findings = [], []
    for each in ripe.proposals:
        labels = ", ".join(map(label_of, each.numbers))
        if each.is_skill:
            findings.append(f"{labels} teach a way to do something: consolidate the episodes")
        else:
            decisions.append(_of_episodes(night, each, _memories(see, each.numbers)))
    return decisions, tuple(findings)


def _memories(see: StoreReader, numbers: Iterable[int]) -> tuple[Memory, ...]:
    found = (see.current(number) for number in numbers)
    return tuple(each for each in found if each is not None)


def _of_episodes(night: Night, proposal: Consolidation, sources: tuple[Memory, ...]) -> Decision:
    trust, _ = inherited(sources)

    def carry_out(unit: UnitOfWork) -> bool:
        taken = unit.see.episodes.consolidated(proposal.numbers)
        if taken or not are_unchanged(unit, sources):
            return False
        derive(unit, night, text=proposal.statement, sources=sources, step=Step.PATTERNS,
               confidence=trust)  # fmt: skip
        return True

    return Decision(
        key=f"patterns episodes {','.join(map(str, proposal.numbers))}",
        why=f"{_labels(sources)} had the same course",
        numbers=proposal.numbers,
        carry_out=carry_out,
    )
