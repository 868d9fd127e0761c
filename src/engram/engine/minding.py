"""Minds and the store: how one wakes, what is looked up for it, what is kept of what it lets go."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING, cast

from engram.context.minds import Mind
from engram.errors import AccessDenied, StoreCorrupt
from engram.memory.changes import Action
from engram.memory.ids import MemoryId
from engram.memory.jsons import JsonObject
from engram.memory.outcomes import Outcome
from engram.memory.record import Memory
from engram.memory.scopes import Reach, Scope
from engram.memory.tokens.estimate import DEFAULT_FAMILY, Estimator
from engram.memory.trust import may_enter_unasked
from engram.memory.working.mind import as_they_stand, attend, tick
from engram.memory.working.morning import morning
from engram.memory.working.options import WorkingOptions
from engram.memory.working.room import Foci, Made, Room, make_room
from engram.memory.working.sensory import (
    HEARD_RELEVANCE,
    ROLES,
    Heard,
    key_fact,
    rested,
    worth_keeping_in_mind,
)
from engram.memory.working.shorten import text_at
from engram.memory.working.slots import (
    KEPT_AS,
    TIERS,
    Focus,
    Slot,
    SlotId,
    SlotSource,
    SlotTier,
    matters,
    seen,
)
from engram.memory.working.snapshot import (
    KEPT_FOR,
    Return,
    Snapshot,
    left_behind,
    restored,
    snapshot_of,
    way_back,
)
from engram.memory.working.withdrawn import Withdrawn
from engram.storage.database import Transaction
from engram.storage.erasing import erasure_count
from engram.storage.working_snapshots import (
    MindKey,
    drop_old_snapshots,
    drop_snapshot,
    keep_snapshot,
)
from engram.text.strings import checked_name

if TYPE_CHECKING:
    from engram.context.trajectory import TrajectoryKey
    from engram.engine.facade import Engram

_CATEGORY = "context"  # of what only was in mind: it turns stale in a month unless it is used
_LAYER = "working"
_MOST_TO_START = 25  # looked at of each sort, to find the few to start with
_UNREADABLE = (
    "What was put away of this session cannot be read; `engram working clear` lets go of it."
)
COUNTER = Estimator(DEFAULT_FAMILY)


@dataclass(frozen=True, slots=True)
class Ticked:
    """What became of a mind: what came to it, what it let go, what of that was kept as memories."""

    came: tuple[Slot, ...] = ()
    let_go: tuple[Slot, ...] = ()
    kept: tuple[Outcome, ...] = ()


@dataclass(slots=True)
class Held:
    """A mind in use: the moment, the place, what making room goes by, and what happened so far."""

    mind: Mind
    place: Scope
    room: Room
    came: list[Focus] = field(default_factory=list)
    let_go: list[Focus] = field(default_factory=list)
    kept: list[Outcome] = field(default_factory=list)

    @property
    def slots(self) -> list[Slot]:
        """What is in mind, the most active first."""
        found = [self.seen(each) for each in self.mind.foci]
        return sorted(found, key=lambda each: (-each.activation, each.attended_at, each.id))

    def seen(self, focus: Focus) -> Slot:
        """A thing in mind as it is now."""
        return seen(focus, self.room.now, self.room.options.decay_per_hour)

    @property
    def ticked(self) -> Ticked:
        """What happened so far."""
        return Ticked(
            tuple(self.seen(each) for each in self.came),
            tuple(self.seen(each) for each in self.let_go),
            tuple(self.kept),
        )


class Minding:
    """Brings minds and the store together for one caller."""

    def __init__(self, engram: "Engram") -> None:
        self._engram = engram
        self._parts = engram._parts
        self._minds = engram._parts.minds

    @property
    def options(self) -> WorkingOptions:
        """The settings of working memory in force now."""
        return self._engram.settings.working

    def key(self, session: str | None, scope: Scope | None) -> tuple[MindKey, Scope]:
        """Whose mind is meant; nobody gets at another's by naming it."""
        principal = self._engram.principal
        place = principal.write_scope(scope)
        principal.reach(place)  # what cannot be read cannot be brought to mind either
        name = "" if session is None else checked_name(session, name="session")
        return MindKey(principal.holder, place.path, name), place

    def has_place(self, scope: Scope | None) -> bool:
        """Whether the caller can have anything in mind there; a place it may not read is refused.

        Who only reads further up, or is nobody, holds no mind there, and so has nothing in it.
        """
        principal = self._engram.principal
        principal.reach(scope)
        try:
            principal.write_scope(scope)
        except AccessDenied:
            return False
        return True

    @contextmanager
    def holding(self, session: str | None, scope: Scope | None) -> Iterator[Held]:
        """A mind, held alone and up to date: faded, reworded, without what no longer stands."""
        key, place = self.key(session, scope)
        with self._minds.using(key, lambda: self._wake(key, place)) as mind:
            now = self._engram._clock()
            self._let_go_of_withdrawn(mind, place)
            ids = [each.memory_id for each in mind.foci if each.memory_id is not None]
            found = self.memories(ids, place, now)
            mind.foci = tuple(_marked(each, found) for each in mind.foci)
            held = Held(mind, place, self.room(found.values(), now))
            self._bring_up_to_date(held)
            yield held

    def _let_go_of_withdrawn(self, mind: Mind, place: Scope) -> None:
        """What was forgotten or undone since is out of mind, also where no memory is behind it."""
        with self._engram._view(place) as see:
            line = see.working.audit_length()
            is_worth_asking = line != mind.line and (mind.foci or mind.ring)
            contents = see.working.withdrawn_since(mind.line) if is_worth_asking else []
        mind.line = line
        if not contents:
            return
        gone = Withdrawn(contents)
        mind.foci = gone.left_of(mind.foci)
        # A turn is kept without its secrets, and heard with them.
        mind.ring = tuple(
            each for each in mind.ring
            if not gone.told_by(each.text) and not gone.told_by(self.fit_to_hold(each.text)[0])
        )  # fmt: skip

    def _bring_up_to_date(self, held: Held) -> None:
        mind = held.mind
        standing = as_they_stand(mind.foci, held.room)
        self.settle(held, tick(standing.kept, held.room))
        fresh, due = rested(mind.ring, held.room.now, held.room.options.sensory_seconds)
        mind.ring = fresh
        for turn in worth_keeping_in_mind(due):
            self._bring_to_mind(held, turn)
        self.settle(held, make_room(mind.foci, 0, held.room, places=0))

    def _bring_to_mind(self, held: Held, turn: Heard) -> None:
        words, is_flagged = self.fit_to_hold(turn.text)
        text = key_fact(words)
        focus = Focus(
            id=fresh_id(), text=text, tokens=held.room.counter.count(text),
            source=ROLES[turn.role], strength=HEARD_RELEVANCE, attended_at=turn.at,
            refreshed_at=held.room.now, tier=SlotTier.KEY_FACT, is_flagged=is_flagged,
        )  # fmt: skip
        focus = self._on_turn(held, focus, words)
        if focus.tokens <= held.room.options.capacity_tokens:
            attended = attend(held.mind.foci, focus, held.room)
            held.came.append(attended.focus)
            self.settle(held, attended.made)

    def _on_turn(self, held: Held, focus: Focus, words: str) -> Focus:
        """What was said and is kept as a turn needs no second memory: the turn is behind it."""
        session = held.mind.key.session
        if not session:
            return focus
        with self._engram._view(held.place) as see:
            turn = see.working.turn_said(words, session, held.room.now)
        if turn is None:
            return focus
        held.room = self.room_with(held.room, turn)
        return told(replace(focus, memory_id=turn.id), turn)

    # What is looked up

    def room(self, behind: Iterable[Memory], now: datetime) -> Room:
        """What making room goes by, given the memories behind what is in mind."""
        lengths = {each.id: each.tiers for each in behind}
        return Room(self.options, COUNTER, now, lengths)

    def room_with(self, room: Room, memory: Memory) -> Room:
        """The same with one more memory behind what is in mind."""
        return replace(room, lengths={**room.lengths, memory.id: memory.tiers})

    def memories(
        self, ids: Sequence[MemoryId], place: Scope, now: datetime
    ) -> dict[MemoryId, Memory]:
        """Those of some memories that the caller sees from a place and that stand now."""
        if not ids:
            return {}
        with self._engram._view(place) as see:
            return {each.id: each for each in see.working.memories(ids, now)}

    def fit_to_hold(self, text: str) -> tuple[str, bool]:
        """A text as it may be held: secrets are masked as in turns; and whether it gives orders."""
        # Imported here: who only looks never loads what screening takes.
        from engram.capture.screened import without_secrets
        from engram.security.screening.screen import screen

        screened = screen(text)
        rules = self._engram._draft_rules(self._engram._clock())
        return without_secrets(text, screened, rules), screened.is_flagged

    # What is kept when something is let go

    def settle(self, held: Held, made: Made) -> None:
        """Keep what mattered of what is let go or cut short, and hold the rest."""
        before = {each.id: each for each in held.mind.foci}
        kept = tuple(self._backed(held, before.get(each.id), each) for each in made.kept)
        used: list[MemoryId] = []
        for each in made.let_go:
            if not matters(each, held.room.now, held.room.options):
                continue
            if each.memory_id is not None:
                # Nobody asked for what a morning brings: unless it was come back to, it was no use.
                is_used = each.source is not SlotSource.MORNING or each.references > 0
                used += [each.memory_id] if is_used else []
            elif each.tier is not SlotTier.TAG:  # a few words say nothing without the rest
                self._keep(held, each)
        self._count_as_used(used, held)
        held.let_go += made.let_go
        held.mind.foci = kept

    def _backed(self, held: Held, before: Focus | None, after: Focus) -> Focus:
        """What matters is kept whole before it is cut short; then a memory is behind it."""
        if before is None or before.memory_id is not None or before.tokens <= after.tokens:
            return after
        if before.tier is SlotTier.TAG or not matters(before, held.room.now, held.room.options):
            return after
        outcome = self._keep(held, before)
        if outcome is None or outcome.kind not in ("stored", "confirmed") or outcome.parts:
            return after
        return _on_memory(after, outcome.memory, held.room)

    def _keep(self, held: Held, focus: Focus) -> Outcome | None:
        source = KEPT_AS[focus.source]
        if source is None or self.is_read_only:
            return None
        outcome = self._engram.remember(
            focus.text, category=_CATEGORY, layer=_LAYER, source=source, at=focus.attended_at,
            session=held.mind.key.session or None, scope=held.place,
        )  # fmt: skip
        held.kept.append(outcome)
        return outcome

    def _count_as_used(self, ids: list[MemoryId], held: Held) -> None:
        found = self.memories(ids, held.place, held.room.now)
        numbers = tuple(each.number for each in found.values())
        if numbers:
            note = self._engram._note
            note(Action.RECALL, count=len(numbers), numbers=numbers, scope=held.place)

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be written."""
        return self._parts.place is not None and self._parts.place.read_only

    # Waking and putting away

    def _wake(self, key: MindKey, place: Scope) -> Mind:
        """A mind as it comes back after so long, or as it starts."""
        now = self._engram._clock()
        try:
            with self._engram._view(place) as see:
                line, found = see.working.audit_length(), see.working.snapshot(key)
                gone = see.working.withdrawn_since(found.line) if found and found.foci else []
        except StoreCorrupt as error:
            raise StoreCorrupt(hint=_UNREADABLE) from error
        way = way_back(found, now)
        snapshot = found and replace(found, foci=Withdrawn(gone).left_of(found.foci))
        mind = Mind(key, lambda mind: self._put_away(mind, place), now, came_back=way, line=line)
        if snapshot is not None:
            mind.away_seconds = (now - snapshot.saved_at).total_seconds()
        if snapshot is None or way is Return.FRESH:
            mind.foci = self._morning(place, now)
            if snapshot is not None:
                self._lay_to_rest(snapshot, mind, place)
        else:
            self._bring_back(snapshot, mind, place, now)
        if found is not None and snapshot is not None:
            mind.dropped += len(found.foci) - len(snapshot.foci)
        mind.as_woken = mind.foci
        return mind

    def _bring_back(self, snapshot: Snapshot, mind: Mind, place: Scope, now: datetime) -> None:
        ids = [each.memory_id for each in snapshot.foci if each.memory_id is not None]
        found = self.memories(ids, place, now)
        mind.foci = tuple(
            each if each.memory_id is None else told(each, found[each.memory_id])
            for each in restored(snapshot, now)
            if each.memory_id is None or each.memory_id in found
        )
        mind.dropped = len(snapshot.foci) - len(mind.foci)
        if snapshot.momentum is not None:
            self._restore_momentum(mind.key, place, snapshot.momentum)

    def _lay_to_rest(self, snapshot: Snapshot, mind: Mind, place: Scope) -> None:
        """Keep what mattered of a mind that is too old to come back."""
        mind.dropped = len(snapshot.foci)
        if self.is_read_only:
            return
        room = Room(self.options, COUNTER, snapshot.saved_at, {})
        held = Held(Mind(mind.key, mind.put_away, mind.touched_at), place, room)
        self.settle(held, Made((), left_behind(snapshot, self.options)))
        self._drop_snapshot(mind.key)

    def _morning(self, place: Scope, now: datetime) -> Foci:
        options = self.options
        most = min(options.morning_items, options.slots)
        if not most:
            return ()
        with self._engram._view(place) as see:
            offered = see.working.to_start_with(now, limit=_MOST_TO_START)
        start = [_primed(each.memory, each.strength, now) for each in morning(
            offered, now, most=most
        )]  # fmt: skip
        room = Room(options, COUNTER, now, {})
        return make_room(tuple(start), 0, room, places=0).kept

    def _put_away(self, mind: Mind, place: Scope) -> None:
        """Write what is to be kept of a mind; of what was just said nothing is."""
        if self.is_read_only:
            return
        now = self._engram._clock()
        self._let_go_of_withdrawn(mind, place)
        momentum = self._momentum(mind.key, place)
        if mind.came_back is Return.FRESH and mind.foci == mind.as_woken and momentum is None:
            return  # nobody has put anything into it: it starts the same way again
        snapshot = snapshot_of(mind.foci, now, self.options.decay_per_hour, momentum, mind.line)
        with self._writing(now) as transaction:
            drop_old_snapshots(transaction, now - KEPT_FOR)
            # Somebody erased something since it was thought of: nobody knows what it tells.
            is_void = erasure_count(transaction) != self._parts.erasures_seen
            if not is_void and (snapshot.foci or momentum is not None):
                keep_snapshot(transaction, mind.key, snapshot)
            else:
                drop_snapshot(transaction, mind.key)

    def forget(self, key: MindKey, place: Scope) -> None:
        """Let go of what was put away under a key, and of where its talk was heading."""
        self._drop_snapshot(key)
        if "trajectories" in self._parts.__dict__:
            self._parts.trajectories.forget(self._heading_of(key, place))

    def _drop_snapshot(self, key: MindKey) -> None:
        with self._writing(self._engram._clock()) as transaction:
            drop_snapshot(transaction, key)

    @contextmanager
    def _writing(self, now: datetime) -> Iterator[Transaction]:
        store, actor = self._engram._store, self._engram.principal.actor
        with store.write(Reach(()), actor=actor, now=now) as unit:
            yield unit.transaction

    def _momentum(self, key: MindKey, place: Scope) -> JsonObject | None:
        """Where the conversation was heading; vectors and counted words, no text."""
        if "trajectories" not in self._parts.__dict__:
            return None  # nobody has said anything, and NumPy need not be loaded for that
        document = self._parts.trajectories.as_document(self._heading_of(key, place))
        return cast("JsonObject | None", document)

    def _restore_momentum(self, key: MindKey, place: Scope, document: JsonObject) -> None:
        heading = self._heading_of(key, place)
        if not self._parts.trajectories.recent(heading):  # what is said meanwhile goes first
            self._parts.trajectories.restore(heading, document)

    def _heading_of(self, key: MindKey, place: Scope) -> "TrajectoryKey":
        return self._engram._trajectory_key(key.session, place)


def fresh_id() -> SlotId:
    """A name for something that came to mind; it means nothing elsewhere."""
    return SlotId(f"slot-{token_hex(5)}")


def told(focus: Focus, memory: Memory) -> Focus:
    """A thing in mind in the words of the memory behind it."""
    text = text_at(memory.tiers, focus.tier)
    return replace(
        focus, text=text, tokens=COUNTER.count(text), is_flagged=not may_enter_unasked(memory)
    )


def _marked(focus: Focus, found: Mapping[MemoryId, Memory]) -> Focus:
    """A memory that was flagged meanwhile is so in mind too, and the other way round."""
    memory = found.get(focus.memory_id) if focus.memory_id is not None else None
    return focus if memory is None else replace(focus, is_flagged=not may_enter_unasked(memory))


def _primed(memory: Memory, strength: float, now: datetime) -> Focus:
    focus = Focus(
        id=fresh_id(), text="", tokens=0, source=SlotSource.MORNING, strength=strength,
        attended_at=now, refreshed_at=now, tier=SlotTier.SUMMARY, memory_id=memory.id,
    )  # fmt: skip
    return told(focus, memory)


def _on_memory(focus: Focus, memory: Memory, room: Room) -> Focus:
    """The same thing, told from now on by the memory that was made of it."""
    for tier in TIERS[TIERS.index(focus.tier) :]:
        text = text_at(memory.tiers, tier)
        tokens = room.counter.count(text)
        if tokens <= focus.tokens:
            return replace(
                focus, text=text, tokens=tokens, tier=tier, memory_id=memory.id,
                source=SlotSource.RECALL,
            )  # fmt: skip
    return focus
