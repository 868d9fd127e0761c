"""Finds memories that are near enough to be taken for one another though they say different things.

Nothing is done about them: that they are told apart is for whoever asks. Only what is new since the
last dream is compared with the rest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from engram.lifecycle.dreams.made import Made, labels, made
from engram.lifecycle.dreams.night import Decision, Night
from engram.memory.dreams.artefact import Artefact, ArtefactKind, inherited
from engram.memory.dreams.clusters import neighbour_pairs, stacked
from engram.memory.dreams.counts import counted
from engram.memory.dreams.replaying import CONFUSABLE, Pair, confusing, mixed_up
from engram.memory.record import Memory
from engram.storage.reader import StoreReader

_MOST_COMPARED = 200  # near pairs that are read word by word in one night, the nearest first
_MOST_PAIRS = 20_000
_MOST_GROUPS = 200
_MOST_MEMBERS = 50
_MOST_TOLD = 10
Memories = Mapping[int, Memory]
Differences = Mapping[tuple[int, int], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Interference:
    """What is easily mixed up: what to write down of it, what to tell, and how far this got."""

    decisions: tuple[Decision, ...]
    findings: tuple[str, ...]
    mark: str | None


def interfering(night: Night, see: StoreReader, memories: Memories) -> Interference:
    """The groups of memories that are easily mixed up, brought up to date."""
    kind = ArtefactKind.INTERFERENCE
    known = {each.key: each for each in see.artefacts.all(kind, scope=night.scope)}
    differences = confusing(_near(night, see, memories), memories)
    before = [] if night.is_rebuild else [_left_of(each, memories) for each in known.values()]
    groups = mixed_up(before, differences, memories)[:_MOST_GROUPS]
    wanted = {
        _key(group): _artefact(night, group[:_MOST_MEMBERS], differences, known, memories)
        for group in groups
    }
    keep = tuple(each for key, each in wanted.items() if not each.says_the_same(known.get(key)))
    end = tuple(each for key, each in known.items() if key not in wanted)
    mark = _mark(night, memories)
    if not keep and not end:
        return Interference((), (), mark)
    decision = made(
        Made("interference", keep, end), _why(len(keep), len(end)), night.scope, memories
    )
    return Interference((decision,), tuple(each.text for each in keep[:_MOST_TOLD]), mark)


def _why(kept: int, ended: int) -> str:
    told = []
    if kept:
        told.append(f"Easily taken for one another though they differ: {_groups(kept)}.")
    if ended:
        told.append(f"Nobody mixes up any more: {_groups(ended)}.")
    return " ".join(told)


def _groups(count: int) -> str:
    return f"{counted(count, 'group')} of memories"


def _near(night: Night, see: StoreReader, memories: Memories) -> list[Pair]:
    """The nearest pairs with a memory that has come or been reworded since the last dream."""
    since = _since(night)
    added = [n for n, each in memories.items() if since is None or each.recorded_at > since]
    rest = sorted(memories.keys() - set(added))
    vectors = night.vectors(see)
    numbers, matrix = stacked(vectors, [*rest, *sorted(added)])
    if not len(numbers):
        return []
    start = sum(number in vectors for number in rest)
    places = neighbour_pairs(
        matrix, CONFUSABLE, start=start, most=_MOST_PAIRS, breathe=night.breathe
    )
    cosines = np.einsum("ij,ij->i", matrix[places[:, 0]], matrix[places[:, 1]])
    pairs = [
        Pair.of(numbers[one], numbers[two], float(cosine))
        for (one, two), cosine in zip(places.tolist(), cosines, strict=True)
    ]
    return sorted(pairs, key=lambda each: (-each.similarity, each.first, each.second))[
        :_MOST_COMPARED
    ]


def _since(night: Night) -> datetime | None:
    try:
        return datetime.fromisoformat(night.mark) if night.mark and not night.is_rebuild else None
    except ValueError:
        return None


def _mark(night: Night, memories: Memories) -> str | None:
    newest = max((each.recorded_at for each in memories.values()), default=None)
    return night.mark if newest is None else newest.isoformat()


def _key(group: Sequence[int]) -> str:
    return f"near-{group[0]}"


def _left_of(known: Artefact, memories: Memories) -> list[int]:
    """The members of a known group that are still there and still say what they said."""
    members = known.body.get("members")
    if not isinstance(members, list):
        return []
    return [
        number for number, version in members
        if number in memories and memories[number].version == version
    ]  # fmt: skip


def _artefact(
    night: Night,
    group: Sequence[int],
    differences: Differences,
    known: Mapping[str, Artefact],
    memories: Memories,
) -> Artefact:
    inside = set(group)
    kinds = {kind for pair, each in differences.items() if inside.issuperset(pair) for kind in each}
    for each in known.values():
        told = each.body.get("differs_in")
        if inside.issuperset(each.sources) and isinstance(told, list):
            kinds.update(map(str, told))
    members = [memories[number] for number in group]
    trust, secrecy = inherited(members)
    differs_in = sorted(kinds)
    text = f"{labels(group)} are easily taken for one another: they differ in "
    return Artefact(
        kind=ArtefactKind.INTERFERENCE, scope=night.scope, key=_key(group),
        text=text + f"{', '.join(differs_in) or 'wording'}.",
        body={
            "members": [[each.number, each.version] for each in members], "differs_in": differs_in,
        },
        sources=tuple(group), trust=trust, secrecy=secrecy, made_at=night.now,
    )  # fmt: skip
