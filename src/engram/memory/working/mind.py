"""One session's mind: what attending, ticking and a change of topic do to what is in it.

Everything here takes values and gives values; who holds them, stores what is let go and looks
memories up is the engine's business.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engram.errors import ContentTooLarge
from engram.memory.working.room import Foci, Made, Room, make_room
from engram.memory.working.shorten import at_tier, text_at
from engram.memory.working.slots import (
    REFERRED_BOOST,
    Focus,
    SlotId,
    refers_to,
    refreshed,
    scaled,
)

if TYPE_CHECKING:
    from engram.memory.momentum import TopicShift

DRIFT_FACTOR = 0.7
DRIFT_FLOOR = 0.2


@dataclass(frozen=True, slots=True)
class Attended:
    """What attending came to: the thing itself, and what made way for it."""

    focus: Focus
    made: Made


def attend(foci: Foci, focus: Focus, room: Room) -> Attended:
    """Bring something to mind; what is there already is refreshed instead of being there twice."""
    if focus.tokens > room.options.capacity_tokens:
        raise ContentTooLarge(
            hint=f"It takes {focus.tokens} tokens; working memory holds "
            f"{room.options.capacity_tokens} (`working.capacity_tokens`)."
        )
    known = next((each for each in foci if _is_same(each, focus)), None)
    if known is not None:
        focus = _attended_again(known, focus, room)
        foci = tuple(each for each in foci if each.id != known.id)
    made = make_room(foci, focus.tokens, room)
    return Attended(focus, Made((*made.kept, focus), made.let_go))


def _is_same(known: Focus, focus: Focus) -> bool:
    if focus.memory_id is not None or known.memory_id is not None:
        return focus.memory_id == known.memory_id
    return known.text == focus.text and known.source is focus.source


def _attended_again(known: Focus, focus: Focus, room: Room) -> Focus:
    """The same thing under its old name, at the length that was asked for now."""
    stronger = max(room.activation(known), focus.strength)
    return replace(
        focus, id=known.id, attended_at=known.attended_at, strength=stronger,
        references=known.references + 1,
        is_pinned=known.is_pinned or focus.is_pinned,
        is_flagged=known.is_flagged or focus.is_flagged,
    )  # fmt: skip


def refresh(foci: Foci, slot_id: SlotId, boost: float, room: Room) -> Foci:
    """Come back to one of them."""
    rate = room.options.decay_per_hour
    return tuple(
        refreshed(each, boost, room.now, rate) if each.id == slot_id else each for each in foci
    )


def tick(foci: Foci, room: Room) -> Made:
    """Let go of what has faded; done twice in the same moment, the second time does nothing."""
    floor = room.options.eviction_threshold
    return _parted(foci, (each for each in foci if _stays(each, floor, room)))


def change_topic(foci: Foci, shift: "TopicShift", room: Room) -> Made:
    """What a turn does that goes on, drifts off or leaves the topic; what is pinned stays."""
    # Imported here: who never changes the topic never loads NumPy.
    from engram.memory.momentum import TopicShift

    match shift:
        case TopicShift.CONTINUATION:
            return Made(foci)
        case TopicShift.DRIFT:
            rate = room.options.decay_per_hour
            weaker = tuple(scaled(each, DRIFT_FACTOR, room.now, rate) for each in foci)
            stay = (each for each in weaker if _stays(each, DRIFT_FLOOR, room))
            return _parted(weaker, stay)
        case TopicShift.SWITCH:
            return _parted(foci, (each for each in foci if each.is_pinned))


def heed(foci: Foci, said: str, room: Room) -> Foci:
    """What is said comes back to what is in mind: those are refreshed a little."""
    rate = room.options.decay_per_hour
    return tuple(
        refreshed(each, REFERRED_BOOST, room.now, rate) if refers_to(said, each.text) else each
        for each in foci
    )


def as_they_stand(foci: Foci, room: Room) -> Made:
    """Things in mind as the memories behind them are now worded; what no longer stands is gone."""
    kept = []
    for each in foci:
        if each.memory_id is None:
            kept.append(each)
        elif each.memory_id in room.lengths:
            kept.append(_reworded(each, room))
    return Made(tuple(kept))


def _reworded(focus: Focus, room: Room) -> Focus:
    if focus.memory_id is None:
        return focus
    text = text_at(room.lengths[focus.memory_id], focus.tier)
    return focus if text == focus.text else at_tier(focus, focus.tier, room.lengths, room.counter)


def _stays(focus: Focus, floor: float, room: Room) -> bool:
    return focus.is_pinned or room.activation(focus) >= floor


def _parted(foci: Foci, staying: Iterable[Focus]) -> Made:
    kept = tuple(staying)
    ids = {each.id for each in kept}
    return Made(kept, tuple(each for each in foci if each.id not in ids))
