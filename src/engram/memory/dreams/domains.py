"""The confidence map: how well each domain is known, from what is known of it and how fresh it is.

Everything lies between 0 and 1. Depth saturates: the hundredth memory on one thing adds little.
What passes with time is worked out when it is read, so that a map is as old as its news and not as
its making.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from engram.memory.dreams.artefact import Artefact, Plain
from engram.memory.dreams.lines import stems_in
from engram.memory.record import Memory
from engram.memory.times import parse_time
from engram.memory.vocabulary import Status

CONFIDENT, UNCERTAIN = 0.7, 0.3
WEAK = 0.4  # below, a domain is told in smaller pieces
_DEEP = 10.0  # memories, each wholly trusted and vivid, that come to about two thirds
_CLUSTERS = 3  # from so many clusters on a domain counts as looked at from several sides
_NARROW = 0.8  # what one flat cluster is worth beside that
_FRESH = timedelta(days=30)  # without news for longer, confidence goes down
_HALVING = timedelta(days=90)
_LEAST_FRESH = 0.5  # lasting knowledge without news is uncertain, not gone
_FEW_DOMAINS = 3  # among fewer, a domain is what was left together and not what belongs together
_IN_COMMON = 0.5  # of the memories of a domain that is about one thing have some word in common
_TOLERANCE = 0.05  # a figure that moved less is no reason to write the map anew


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the tree tells of a domain: its clusters, its memories, and how many there are."""

    clusters: int
    memories: int
    domains: int = _FEW_DOMAINS


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownDomain:
    """Something the store knows about, and how well."""

    key: str
    scope: str
    label: str
    memory_count: int
    clusters: int
    depth: float
    uncertainty: float
    gaps: int
    challenged: int
    latest: datetime
    freshness: float
    confidence: float
    assessment: str  # confident, uncertain, unknown


@dataclass(frozen=True, slots=True)
class DomainAssessment:
    """In which domain an answer lies, and how well that is known."""

    label: str
    confidence: float
    assessment: str
    gaps: int


@dataclass(frozen=True, slots=True)
class DomainFigures:
    """What is kept of a domain: bases, from which the rest follows at any later time."""

    depth: float
    uncertainty: float
    clusters: int
    memories: int
    gaps: int
    challenged: int
    latest: datetime
    is_mixed: bool = False  # all sorts of things, which nobody knows well as one


def figures(
    memories: Sequence[Memory],
    *,
    vividness: Callable[[Memory], float],
    latest: datetime | None,
    coverage: Coverage | None,
    gaps: int,
) -> DomainFigures:
    """The figures of the memories of one domain; there is at least one."""
    challenged = sum(each.status is Status.CHALLENGED for each in memories)
    mass = sum(vividness(each) * each.trust for each in memories)
    clusters = coverage.clusters if coverage else 0
    return DomainFigures(
        depth=round(depth(mass, clusters if coverage else None), 2),
        uncertainty=round(uncertainty(len(memories), gaps + challenged), 2),
        clusters=clusters,
        memories=len(memories),
        gaps=gaps,
        challenged=challenged,
        latest=latest or max(each.learned_at for each in memories),
        is_mixed=coverage is not None and is_mixed(memories, coverage.domains),
    )


def is_mixed(memories: Sequence[Memory], domains: int) -> bool:
    """Whether a domain, one of so many, holds what was left together rather than one thing.

    Much in one heap is no sign that anything in it is known well.
    """
    if domains >= _FEW_DOMAINS or len(memories) < 2:
        return False
    counts = Counter(stemmed for each in memories for stemmed in stems_in(each.content))
    return max(counts.values(), default=0) < _IN_COMMON * len(memories)


def depth(mass: float, clusters: int | None) -> float:
    """How much is known: vividness times trust of all memories, squashed; flat counts less.

    Without a tree nobody knows how flat it is, and nothing is taken off.
    """
    full = 1.0 - math.exp(-max(0.0, mass) / _DEEP)
    if clusters is None:
        return full
    breadth = min(1.0, max(0, clusters - 1) / (_CLUSTERS - 1))
    return full * (_NARROW + (1.0 - _NARROW) * breadth)


def uncertainty(memories: int, open_matters: int) -> float:
    """The share of what is open (gaps, disputed memories) in all there is."""
    return min(1.0, open_matters / max(1, memories))


def freshness(latest: datetime, now: datetime) -> float:
    """How fresh the news of a domain are: 1 for a month, then slowly down to a half."""
    late = max(timedelta(), now - latest - _FRESH)
    return _LEAST_FRESH + (1.0 - _LEAST_FRESH) * float(2.0 ** -(late / _HALVING))


def confidence(known: DomainFigures, now: datetime) -> float:
    """How far the store can be relied on in this domain; never wholly where it is a mixture."""
    value = known.depth * freshness(known.latest, now) * (1.0 - known.uncertainty)
    return min(value, CONFIDENT) if known.is_mixed else value


def assessment(value: float) -> str:
    """A confidence in one word."""
    if value > CONFIDENT:
        return "confident"
    return "uncertain" if value > UNCERTAIN else "unknown"


def is_weak(memories: Sequence[Memory], vividness: Callable[[Memory], float]) -> bool:
    """Whether so little is known that it is told in smaller pieces.

    By the memories alone: what depends on the tree or on the time since would turn in a circle.
    """
    if not memories:
        return False
    disputed = sum(each.status is Status.CHALLENGED for each in memories)
    settled = 1.0 - uncertainty(len(memories), disputed)
    mass = 0.0
    for each in memories:
        mass += vividness(each) * each.trust
        if depth(mass, None) * settled >= WEAK:
            return False  # the first few tell, where much is known
    return True


def body_of(known: DomainFigures, *, print_of: str) -> dict[str, Plain]:
    """The figures as an artefact keeps them."""
    return {
        "depth": known.depth,
        "uncertainty": known.uncertainty,
        "clusters": known.clusters,
        "memories": known.memories,
        "gaps": known.gaps,
        "challenged": known.challenged,
        "latest": known.latest.isoformat(),
        "is_mixed": known.is_mixed,
        "print": print_of,
    }


def figures_in(artefact: Artefact) -> DomainFigures:
    """The figures that an artefact keeps."""
    body = artefact.body
    return DomainFigures(
        depth=_number(body, "depth"),
        uncertainty=_number(body, "uncertainty"),
        clusters=int(_number(body, "clusters")),
        memories=int(_number(body, "memories")),
        gaps=int(_number(body, "gaps")),
        challenged=int(_number(body, "challenged")),
        latest=parse_time(str(body.get("latest", "")), name="latest"),
        is_mixed=body.get("is_mixed") is True,
    )


def is_near(before: DomainFigures, after: DomainFigures) -> bool:
    """Whether nothing but a little fading lies between two figures of one domain."""
    moved = abs(before.depth - after.depth)
    is_same = replace(before, depth=0.0, uncertainty=0.0) == replace(
        after, depth=0.0, uncertainty=0.0
    )
    return is_same and moved < _TOLERANCE


def known_domain(artefact: Artefact, now: datetime, *, standing: int) -> KnownDomain:
    """A domain as it stands now; `standing` of its memories can still be recalled."""
    known = figures_in(artefact)
    value = round(confidence(known, now), 4)
    return KnownDomain(
        key=artefact.key,
        scope=artefact.scope.path,
        label=artefact.text,
        memory_count=standing,
        clusters=known.clusters,
        depth=known.depth,
        uncertainty=known.uncertainty,
        gaps=known.gaps,
        challenged=known.challenged,
        latest=known.latest,
        freshness=round(freshness(known.latest, now), 4),
        confidence=value,
        assessment=assessment(value),
    )


def seen_domains(
    found: Iterable[Artefact], standing: Collection[int], now: datetime
) -> list[KnownDomain]:
    """The domains as they stand now, the best known first; `standing` can still be recalled.

    What most of a domain's memories no longer say must not go on speaking by its name.
    """
    left = [(each, sum(number in standing for number in each.sources)) for each in found]
    return by_confidence(
        known_domain(each, now, standing=count)
        for each, count in left
        if 2 * count > len(each.sources)
    )


def by_confidence(domains: Iterable[KnownDomain]) -> list[KnownDomain]:
    """The best known first."""
    return sorted(domains, key=lambda each: (-each.confidence, -each.memory_count, each.key))


def coverage_of(domains: Sequence[KnownDomain]) -> float:
    """How well the whole is known: the confidence of the domains, the larger counting more."""
    total = sum(each.memory_count for each in domains)
    weighed = sum(each.confidence * each.memory_count for each in domains)
    return round(weighed / total, 4) if total else 0.0


def assessed(
    found: Mapping[int, float], domain_of: Mapping[int, KnownDomain]
) -> DomainAssessment | None:
    """The domain of most of what was found, each find by its weight; None when it is in none."""
    weights: dict[str, float] = {}
    domains: dict[str, KnownDomain] = {}
    for number, weight in found.items():
        domain = domain_of.get(number)
        if domain is not None:
            weights[domain.key] = weights.get(domain.key, 0.0) + weight
            domains[domain.key] = domain
    if not weights:
        return None
    best = domains[max(weights, key=lambda key: (weights[key], key))]
    return DomainAssessment(best.label, best.confidence, best.assessment, best.gaps)


def _number(body: Mapping[str, Plain], name: str) -> float:
    value = body.get(name)
    return float(value) if isinstance(value, int | float) else 0.0
