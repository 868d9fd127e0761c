"""Keeps the map of what is known how well: a domain of the tree each, or a category without one."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from engram.lifecycle.dreams.made import Made, labels, made
from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.lifecycle.dreams.tree import may_be_told
from engram.memory.dreams.artefact import Artefact, ArtefactKind, inherited
from engram.memory.dreams.contracts import NewsTimes, TreeCoverage
from engram.memory.dreams.counts import counted
from engram.memory.dreams.domains import (
    Coverage,
    DomainFigures,
    body_of,
    confidence,
    figures,
    figures_in,
    is_near,
)
from engram.memory.dreams.summaries import Background, background_of, label_for
from engram.memory.dreams.tree import Shape, fingerprint, known_shape
from engram.memory.record import Memory
from engram.memory.retention import retention
from engram.storage.reader import StoreReader

BY_CATEGORY = "category:"  # the key of a domain where there is no tree
_MOST_LABELLED = 60  # texts of a domain that its name is looked for in


@dataclass(frozen=True, slots=True)
class EventTimes:
    """When there was last news, by what memories tell of and not by when they were heard."""

    now: datetime

    def latest(self, memories: Sequence[Memory]) -> datetime | None:
        """The last moment they tell of that has come."""
        moments = [min(each.at, each.learned_at, self.now) for each in memories]
        return max(moments, default=None)


@dataclass(frozen=True, slots=True)
class ShapeCoverage:
    """How broad the domains of a tree are."""

    shape: Shape

    def coverage(self, domain: str) -> Coverage | None:
        """Its clusters and memories."""
        if domain not in self.shape.domains:
            return None
        domains = self.shape.domains
        return Coverage(len(domains[domain]), len(self.shape.members(domain)), len(domains))


def confidence_map(night: Night, see: StoreReader) -> Planned:
    """The map of a scope, brought up to date."""
    nodes = see.artefacts.all(ArtefactKind.TREE_NODE, scope=night.scope)
    shape = known_shape(nodes)
    return mapped(
        night,
        see,
        shape,
        times=EventTimes(night.now),
        coverage=ShapeCoverage(shape) if shape is not None else None,
    )


def mapped(
    night: Night,
    see: StoreReader,
    shape: Shape | None,
    *,
    times: NewsTimes | None,
    coverage: TreeCoverage | None,
) -> Planned:
    """The same with whoever helps: who knows when there was news, and how broad a domain is."""
    statements = {each.number: each for each in night.statements(see)}
    domains = _domains(shape, statements)
    known = {each.key: each for each in see.artefacts.all(ArtefactKind.DOMAIN, scope=night.scope)}
    writer = _Writer(night, _open_gaps(see, night), times, coverage, statements)
    decisions: list[Decision] = []
    background: Background | None = None
    for key in sorted(domains):
        night.breathe()
        figure = writer.figures(key, domains[key])
        before = known.get(key)
        if before is not None and _stands(before, figure, domains[key]):
            continue
        if background is None:
            background = background_of(each.content for each in statements.values())
        planned = writer.artefact(key, domains[key], figure, background)
        if not planned.says_the_same(before):
            decisions.append(writer.decision(planned, figure))
    decisions += [writer.ending(known[key]) for key in sorted(known) if key not in domains]
    return Planned(decisions=tuple(decisions), looked_at=len(statements))


def _domains(
    shape: Shape | None, statements: Mapping[int, Memory]
) -> dict[str, tuple[Memory, ...]]:
    """The memories of each domain; sorted by category where no tree tells what belongs together."""
    if shape is None:
        by_category: dict[str, list[Memory]] = {}
        for each in statements.values():
            by_category.setdefault(BY_CATEGORY + each.category, []).append(each)
        return {key: tuple(each) for key, each in by_category.items()}
    found = {
        key: tuple(statements[n] for n in shape.members(key) if n in statements)
        for key in shape.domains
    }
    return {key: members for key, members in found.items() if members}


def _open_gaps(see: StoreReader, night: Night) -> dict[int, set[str]]:
    """The open questions about each memory."""
    found: dict[int, set[str]] = {}
    for gap in see.artefacts.all(ArtefactKind.GAP, scope=night.scope):
        for number in gap.sources:
            found.setdefault(number, set()).add(gap.key)
    return found


def _stands(before: Artefact, after: DomainFigures, members: Sequence[Memory]) -> bool:
    """Whether what is written still holds, but for a little fading."""
    return before.body.get("print") == _print_of(members) and is_near(figures_in(before), after)


def _print_of(members: Sequence[Memory]) -> str:
    return fingerprint((each.number, each.version) for each in members)


@dataclass(frozen=True, slots=True)
class _Writer:
    """Makes the artefacts of domains."""

    night: Night
    gaps: Mapping[int, set[str]]
    times: NewsTimes | None
    coverage: TreeCoverage | None
    statements: Mapping[int, Memory]

    def figures(self, key: str, members: Sequence[Memory]) -> DomainFigures:
        """What can be said of a domain."""
        night = self.night
        gaps = {key for each in members for key in self.gaps.get(each.number, ())}
        return figures(
            members,
            vividness=lambda each: retention(each, night.now, night.retention_mode),
            latest=self.times.latest(members) if self.times is not None else None,
            coverage=self.coverage.coverage(key) if self.coverage is not None else None,
            gaps=len(gaps),
        )

    def artefact(
        self, key: str, members: Sequence[Memory], figure: DomainFigures, background: Background
    ) -> Artefact:
        """The domain with its name, as it is kept."""
        trust, secrecy = inherited(members)
        return Artefact(
            kind=ArtefactKind.DOMAIN, scope=self.night.scope, key=key,
            text=_label(key, members, background),
            body=body_of(figure, print_of=_print_of(members)),
            sources=tuple(each.number for each in members), trust=trust, secrecy=secrecy,
            made_at=self.night.now,
        )  # fmt: skip

    def decision(self, planned: Artefact, figure: DomainFigures) -> Decision:
        """Put a domain on the map, or in its predecessor's place."""
        value = confidence(figure, self.night.now)
        why = (
            f"{_domain_of(len(planned.sources))}, known with a confidence of {value:.2f} "
            f"(depth {figure.depth:.2f}, {counted(figure.gaps, 'gap')}, "
            f"{figure.challenged} disputed{', a mixture' if figure.is_mixed else ''})."
        )
        what = Made(f"domain {planned.key}", keep=(planned,))
        return made(what, why, self.night.scope, self.statements)

    def ending(self, gone: Artefact) -> Decision:
        """Take a domain off the map that nothing is left of."""
        why = f"Nothing is left of a domain that {labels(gone.sources)} made up."
        decision = made(Made(f"domain {gone.key}", end=(gone,)), why, self.night.scope, {})
        # Which one it was belongs to the key: another of that name may come and go again.
        return dataclasses.replace(decision, key=f"{decision.key} {gone.change_id}")


def _domain_of(memories: int) -> str:
    told = counted(memories, "memory", "memories")
    return f"{told} {'is' if memories == 1 else 'are'} one domain"


def _label(key: str, members: Sequence[Memory], background: Background) -> str:
    """What tells the domain from others: telling words, else its category."""
    texts = [each.content for each in members if may_be_told(each)][:_MOST_LABELLED]
    found = label_for(texts, background) if texts and not key.startswith(BY_CATEGORY) else ""
    if found:
        return found
    counts: dict[str, int] = {}
    for each in members:
        counts[each.category] = counts.get(each.category, 0) + 1
    return max(counts, key=lambda name: (counts[name], name))
