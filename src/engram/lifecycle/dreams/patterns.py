"""Links what several memories have in common, and lets a language model put it into words.

Without a model memories that are alike are linked and counted, and nothing is written. With one the
statement is made of the model's words, as far as its sources carry them; the sources stay as they
are. A statement whose pattern grows is revised and not made twice, and one whose sources were
refuted goes with them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engram.lifecycle.consolidate_episodes import propose_consolidations
from engram.lifecycle.dreams.asked import Asking
from engram.lifecycle.dreams.derived import derive
from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.lifecycle.dreams.tree import may_be_told
from engram.lifecycle.dreams.unchanged import are_unchanged
from engram.memory.changes import Action
from engram.memory.dreams.artefact import inherited
from engram.memory.dreams.patterns import Pattern, Terms, find_patterns
from engram.memory.dreams.report import Step
from engram.memory.episodes.patterns import Consolidation
from engram.memory.ids import label_of
from engram.memory.links import Relation
from engram.memory.record import Memory
from engram.memory.vocabulary import Status
from engram.storage.conditions import Filters, Moments
from engram.storage.reader import StoreReader
from engram.storage.tied import tie
from engram.storage.unit import UnitOfWork

_SOURCE = f"dream:{Step.PATTERNS.value}"
_MOST_LINKS = 10_000  # of one memory that was made here
_MOST_LINKED = 100  # memories of one pattern
_MOST_EPISODES = 500  # that are held against each other in one night
_MOST_WRITTEN = 10  # statements a model is asked for in one night
_TOKENS = 60  # of one
_REFUTED = frozenset({Status.SUPERSEDED, Status.INVALIDATED, Status.REJECTED})


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
        return memory.status is Status.ACTIVE and not (memory.is_pinned or memory.is_vouched_for)

    def is_of(self, found: Pattern) -> bool:
        """Whether it was made of that pattern when that was smaller."""
        return 2 * len(self.sources & found.numbers) > len(self.sources)

    def is_outgrown_by(self, found: Pattern) -> bool:
        """Whether so much was added that it is worth saying anew: half as many again."""
        return 2 * len(found.numbers - self.sources) >= max(2, len(self.sources))


def patterns(night: Night, see: StoreReader) -> Planned:
    """Find what the memories of a scope have in common, and what was made of that before."""
    statements = night.statements(see)
    details = see.made_from(each.number for each in statements)
    plain = [each for each in statements if each.number not in details]
    options = night.options
    found = find_patterns(
        plain,
        night.vectors(see),
        Terms(options.pattern_at_least, options.pattern_similarity, options.pattern_confidence),
        breathe=night.breathe,
    )
    made = _made_before(night, see)
    asking = Asking(night.model)
    decisions = [decision for each in found for decision in _linked(see, each)]
    decisions += _written(night, asking, found, made)
    decisions += [_ended(each) for each in made if _is_over(each, options.pattern_at_least)]
    of_episodes, findings = _episodes(night, see)
    decisions += of_episodes
    most = options.decisions_per_pass
    return Planned(
        decisions=tuple(decisions[:most]),
        findings=findings,
        looked_at=len(statements),
        skipped=_skipped(night, asking, found),
        is_whole=len(decisions) <= most,
    )


def _skipped(night: Night, asking: Asking, found: Sequence[Pattern]) -> str:
    if night.model is None and found:
        return "Patterns are linked and counted; to put them into words needs a language model."
    return asking.skipped


# Linked


def _linked(see: StoreReader, found: Pattern) -> list[Decision]:
    """Links from the first memory of a pattern to the others, less those that are or were there."""
    first, *others = found.sources[:_MOST_LINKED]
    fresh = [each for each in others if not _are_known(see, first, each)]
    if not fresh:
        return []
    told = found.metadata
    why = (
        f"{_labels(found.sources)} are alike: {told['times']} times "
        f"from {told['first']} to {told['last']}"
    )

    def carry_out(unit: UnitOfWork) -> bool:
        if not are_unchanged(unit, [first, *fresh]):
            return False
        links = [tie(unit, first, each, Relation.RELATED, why) for each in fresh]
        return any(link is not None for link in links)

    numbers = (first.number, *(each.number for each in fresh))
    return [Decision(f"patterns link {','.join(map(str, numbers))}", why, numbers, carry_out)]


def _are_known(see: StoreReader, one: Memory, other: Memory) -> bool:
    ends = (one.number, other.number), (other.number, one.number)
    return any(see.links.between(*pair, Relation.RELATED) is not None for pair in ends)


# In words


def _written(
    night: Night, asking: Asking, found: Sequence[Pattern], made: Sequence[_Made]
) -> list[Decision]:
    """What a model says of the patterns that nothing was said of yet, or that have grown."""
    decisions: list[Decision] = []
    for each in found:
        before = next((one for one in made if one.is_of(each)), None)
        if before is not None and not (before.may_change and before.is_outgrown_by(each)):
            continue
        if not asking.has_model or len(decisions) >= _MOST_WRITTEN:
            break
        if not all(map(may_be_told, each.sources)):
            continue
        night.breathe()
        text = asking.summary([source.content for source in each.sources], most_tokens=_TOKENS)
        if text is not None:
            decisions.append(_stated(night, each, text, before.memory if before else None))
    return decisions


def _stated(night: Night, found: Pattern, text: str, old: Memory | None) -> Decision:
    labels = _labels(found.sources)
    why = f"{old.label} is revised: {labels} say so now" if old else f"{labels} come to a statement"

    def carry_out(unit: UnitOfWork) -> bool:
        if not are_unchanged(unit, [*found.sources, *([old] if old else [])]):
            return False
        made = derive(
            unit, night, text=text, sources=found.sources, step=Step.PATTERNS,
            confidence=found.confidence, replaces=old, metadata=found.metadata,
        )  # fmt: skip
        return made.learned_at == night.now

    # Named by its first memory alone: what was taken back once is not made of more memories either.
    grown = f" {len(found.sources)}" if old else ""
    return Decision(
        f"patterns {found.sources[0].number}{grown}", why, tuple(sorted(found.numbers)), carry_out
    )


def _made_before(night: Night, see: StoreReader) -> list[_Made]:
    """What was made of patterns on earlier nights, the newest first."""
    listed = see.listing(
        Moments(now=night.now),
        Filters(source=_SOURCE),
        status=None,
        limit=night.options.rows_per_pass,
    )
    found = []
    for memory in listed:
        if "pattern" in memory.metadata:
            night.breathe()
            sources = _sources_of(see, memory)
            standing = _memories(see, sources)
            refuted = frozenset(each.number for each in standing if each.status in _REFUTED)
            found.append(_Made(memory, sources, refuted))
    return found


def _sources_of(see: StoreReader, memory: Memory) -> frozenset[int]:
    return frozenset(
        end
        for start, end, relation in see.links.around([memory.number], limit=_MOST_LINKS)
        if start == memory.number and relation == Relation.DERIVED_FROM
    )


def _is_over(made: _Made, at_least: int) -> bool:
    """Whether too little is left of what it was made of; what merely faded still counts."""
    left = len(made.sources - made.refuted)
    return made.may_change and bool(made.refuted) and left < at_least


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
               confidence=trust, metadata=proposal.counts)  # fmt: skip
        return True

    return Decision(
        key=f"patterns episodes {','.join(map(str, proposal.numbers))}",
        why=f"{_labels(sources)} had the same course",
        numbers=proposal.numbers,
        carry_out=carry_out,
    )
