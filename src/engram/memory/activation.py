"""Spreading activation: what is linked to a good find is worth a look too, less with each step.

The strongest way counts and not the sum of all ways: otherwise whatever has many links would win.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engram.memory.links import CAUSAL, Ends

HOPS = 2
CAUSAL_HOPS = 3  # from a cause to its effect's effect is still one thought
DECAY = 0.6
THRESHOLD = 0.05
MOST_AT_NODE = 50  # beliefs that meet in what is passed through; a hub ties all to everything


@dataclass(frozen=True, slots=True)
class Activated:
    """How strongly a memory is activated, and by which way: numbers from the seed to itself."""

    score: float
    path: tuple[int, ...]

    @property
    def hops(self) -> int:
        """How many links lie between the seed and the memory."""
        return len(self.path) - 1


def spread(
    seeds: Mapping[int, float],
    links: Iterable[Ends],
    *,
    hops: int = HOPS,
    causal_hops: int = CAUSAL_HOPS,
    decay: float = DECAY,
    threshold: float = THRESHOLD,
) -> dict[int, Activated]:
    """Every memory that activation reaches, the seeds among them, by number.

    Links are followed in both directions. A way of causal links alone may be longer than others.
    What falls below the threshold is not activated and passes nothing on.
    """
    given = list(links)
    begun = {
        number: Activated(score, (number,))
        for number, score in sorted(seeds.items())
        if score >= threshold
    }
    reached = _spread(begun, _neighbours(given), hops, decay, threshold)
    if causal_hops > hops:
        causal = _neighbours(link for link in given if link[2] in CAUSAL)
        further = _spread(begun, causal, causal_hops, decay, threshold)
        reached = _stronger(reached, further)
    return reached


def _spread(
    begun: Mapping[int, Activated],
    neighbours: Mapping[int, set[int]],
    hops: int,
    decay: float,
    threshold: float,
) -> dict[int, Activated]:
    reached, latest = dict(begun), dict(begun)
    for _ in range(hops):
        found: dict[int, Activated] = {}
        for number, active in latest.items():
            score = active.score * decay
            if score < threshold:
                continue
            for neighbour in neighbours.get(number, ()):
                step = Activated(score, (*active.path, neighbour))
                if _is_stronger(step, found.get(neighbour)):
                    found[neighbour] = step
        # Only what got stronger can make others stronger: a circle comes to rest.
        latest = {n: step for n, step in found.items() if _is_stronger(step, reached.get(n))}
        reached.update(latest)
    return reached


def _neighbours(links: Iterable[Ends]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for start, end, _ in links:
        found.setdefault(start, set()).add(end)
        found.setdefault(end, set()).add(start)
    return found


def _is_stronger(one: Activated, other: Activated | None) -> bool:
    """Between equals the shorter way counts, then the one through older memories."""
    if other is None or one.score != other.score:
        return other is None or one.score > other.score
    return (len(one.path), one.path) < (len(other.path), other.path)


def _stronger(
    first: Mapping[int, Activated], second: Mapping[int, Activated]
) -> dict[int, Activated]:
    better = {n: active for n, active in second.items() if _is_stronger(active, first.get(n))}
    return {**first, **better}
