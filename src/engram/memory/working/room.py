"""Making room in mind: four ways, each of which ends, and what is let go by them.

A step shortens something, makes one of several or lets one go, so that either the tokens or the
number of things shrink every time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engram.memory.tokens.counter import TokenCounter
from engram.memory.working.options import WorkingOptions
from engram.memory.working.shorten import Lengths, at_tier, one_tier_down, within
from engram.memory.working.slots import (
    TIERS,
    Focus,
    SlotId,
    SlotTier,
    activation,
    least_trusted,
    weakest_first,
)

Foci = tuple[Focus, ...]
# How active a thing is that stays in mind at each length, while room is made by tiers.
_LENGTH_FROM = ((0.6, SlotTier.FULL), (0.4, SlotTier.SUMMARY), (0.2, SlotTier.KEY_FACT))


@dataclass(frozen=True, slots=True)
class Made:
    """What is in mind after room was made, and what was let go for it."""

    kept: Foci
    let_go: Foci = ()


@dataclass(frozen=True, slots=True)
class Room:
    """What making room goes by."""

    options: WorkingOptions
    counter: TokenCounter
    now: datetime
    lengths: Lengths

    def activation(self, focus: Focus) -> float:
        """How active something is now."""
        return activation(focus, self.now, self.options.decay_per_hour)

    def weakest(self, foci: Foci) -> list[Focus]:
        """What is let go first."""
        return weakest_first(foci, self.now, self.options.decay_per_hour)


def make_room(foci: Foci, tokens: int, room: Room, *, places: int = 1) -> Made:
    """Room for so many more things that take so many tokens together."""
    options = room.options
    kept, let_go = foci, list[Focus]()
    while kept and len(kept) + places > options.slots:
        made = _summarised(kept, room) if options.compression == "summarise" else None
        made = made or _evicted(kept, room)
        kept, let_go = made.kept, [*let_go, *made.let_go]
    while kept and total(kept) + tokens > options.capacity_tokens:
        made = _one_step(kept, room) or _evicted(kept, room)
        kept, let_go = made.kept, [*let_go, *made.let_go]
    return Made(kept, tuple(let_go))


def total(foci: Sequence[Focus]) -> int:
    """The tokens that things in mind take together."""
    return sum(each.tokens for each in foci)


def _one_step(foci: Foci, room: Room) -> Made | None:
    """One step of the strategy that is set; None when it has nothing left to do."""
    match room.options.compression:
        case "compress":
            return _compressed(foci, room)
        case "summarise":
            return _summarised(foci, room)
        case "hierarchical":
            return _stepped_down(foci, room)
        case _:
            return None


def _evicted(foci: Foci, room: Room) -> Made:
    weakest = room.weakest(foci)[0]
    return Made(_without(foci, weakest), (weakest,))


def _compressed(foci: Foci, room: Room) -> Made | None:
    """The weakest that can still be shortened, at a share of its tokens."""
    for weak in room.weakest(foci):
        most = int(weak.tokens * room.options.compress_ratio)
        shorter = within(weak, most, room.lengths, room.counter) if most else None
        if shorter is not None and shorter.tokens < weak.tokens:
            return Made(_replaced(foci, shorter))
        if not weak.is_pinned:
            return None  # it is as short as it gets: it goes before stronger ones are cut
    return None


def _summarised(foci: Foci, room: Room) -> Made | None:
    """One of several weak ones, in sentences of theirs.

    What a memory is behind takes no part: its text would outlive the memory's being forgotten.
    """
    free = tuple(each for each in room.weakest(foci) if each.memory_id is None)
    batch = tuple(each for each in free if not each.is_pinned)[: room.options.batch_size]
    if len(batch) < 2:
        return None
    made = _summary_of(batch, room)
    if made is None or made.tokens >= total(batch):
        return None
    kept = tuple(each for each in foci if each not in batch)
    return Made((*kept, made))


def _summary_of(batch: Foci, room: Room) -> Focus | None:
    # Imported here: what is never too much needs no summary.
    from engram.memory.dreams.summaries import Weighed, summary

    weighed = [Weighed(each.text, max(room.activation(each), 0.01)) for each in batch]
    text = summary(weighed, most_tokens=room.options.batch_tokens)
    tokens = room.counter.count(text) if text else 0
    if not 0 < tokens <= room.options.batch_tokens:
        return None
    leading = max(batch, key=lambda each: (room.activation(each), each.id))
    return replace(
        leading, id=_next_id(leading.id), text=text, tokens=tokens,
        source=least_trusted(batch), tier=SlotTier.SUMMARY,
        strength=sum(map(room.activation, batch)) / len(batch), refreshed_at=room.now,
        references=max(each.references for each in batch),
        attended_at=min(each.attended_at for each in batch),
        is_flagged=any(each.is_flagged for each in batch),
    )  # fmt: skip


def _stepped_down(foci: Foci, room: Room) -> Made | None:
    """Each at the length that its activation deserves; then the weakest one length shorter."""
    faded = tuple(_as_faded(each, room) for each in foci)
    if total(faded) < total(foci):
        return Made(faded)
    for weak in room.weakest(foci):
        shorter = one_tier_down(weak, room.lengths, room.counter)
        if shorter is not None:
            return Made(_replaced(foci, shorter))
    return None


def _as_faded(focus: Focus, room: Room) -> Focus:
    active = room.activation(focus)
    tier = next((tier for least, tier in _LENGTH_FROM if active >= least), SlotTier.TAG)
    if TIERS.index(tier) <= TIERS.index(focus.tier):
        return focus
    shorter = at_tier(focus, tier, room.lengths, room.counter)
    return shorter if shorter.tokens < focus.tokens else focus


def _without(foci: Foci, one: Focus) -> Foci:
    return tuple(each for each in foci if each.id != one.id)


def _replaced(foci: Foci, one: Focus) -> Foci:
    return tuple(one if each.id == one.id else each for each in foci)


def _next_id(slot_id: SlotId) -> SlotId:
    """Another name, as long as the first: a summary is none of the things it was made of."""
    kind, name, number = (*slot_id.split("-"), "", "")[:3]
    return SlotId(f"{kind}-{name}-{int(number or 0) + 1}")
