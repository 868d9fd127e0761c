"""What is in mind: the facet that holds it, and that draws on every system for a situation."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from engram.engine.minding import COUNTER, Held, Minding, Ticked, fresh_id, told
from engram.errors import (
    InvalidInput,
    MemoryNotFound,
    SlotNotFound,
    StoreCorrupt,
    StoreReadOnly,
)
from engram.memory.changes import Action
from engram.memory.record import check_share
from engram.memory.scopes import Scope
from engram.memory.situation import Situation, read_situation
from engram.memory.skills.outline import outline
from engram.memory.tokens.estimate import tokens_in
from engram.memory.trust import may_enter_unasked
from engram.memory.working.export import Exported, export, read_form
from engram.memory.working.mind import attend, change_topic, heed, refresh
from engram.memory.working.offers import Origin, WorkingItem, most_relevant
from engram.memory.working.sensory import ROLES, Heard, heard
from engram.memory.working.shorten import text_at
from engram.memory.working.slots import KEPT_AS, TIERS, Focus, Slot, SlotSource, SlotTier
from engram.memory.working.snapshot import Resumed, Suspended
from engram.recall.question import read_limit
from engram.text.injected import without_injected
from engram.text.strings import checked_name, checked_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engram.engine.facade import Engram
    from engram.memory.momentum import TopicShift
    from engram.memory.record import Memory
    from engram.memory.tokens.counter import TokenCounter
    from engram.recall.result import RecallResult

_MOST_SKILLS = 3
_MOST_BUDGET = 10_000_000


class Working:
    """Working memory: what is in mind in a session, and what deserves a place in it."""

    def __init__(self, engram: "Engram") -> None:
        self._engram = engram
        self._minding = Minding(engram)

    def gather(
        self,
        situation: "Situation | str | Mapping[str, object]",
        *,
        limit: int = 12,
        budget: int | None = None,
        scope: Scope | None = None,
    ) -> list[WorkingItem]:
        """What memories, episodes, beliefs and skills offer for a situation, best first.

        Nobody looks at it before a model does: what is flagged or untrusted is left out.
        `budget` is the most tokens that all of it may take together.
        """
        where, most = read_situation(situation), read_limit(limit)
        left = _read_budget(budget)
        if not where.summary:
            raise InvalidInput(hint="Say what the situation is about: a text, a goal or a task.")
        offered = [
            *self._recalled(where, most, scope),
            *self._believed(where, most, scope),
            *self._practised(where, scope),
        ]
        found = most_relevant(offered, limit=most, budget=left)
        self._engram._note(
            Action.RECALL, count=len(found), shown=found, question=where.summary, scope=scope
        )
        return found

    def _recalled(
        self, situation: Situation, limit: int, scope: Scope | None
    ) -> Iterator[WorkingItem]:
        engram = self._engram
        question = engram._question(situation.summary, limit=limit, automatic=True)
        result: RecallResult = engram._look_up(question, scope)
        with engram._view(scope) as see:
            details = see.made_from(hit.memory.number for hit in result)
        for hit in result:
            origin = Origin(details.get(hit.memory.number, Origin.MEMORY))
            if origin is not Origin.SKILL:  # those come as they are to be done now
                why = "found by " + ", ".join(signal.name for signal in hit.why.signals)
                yield _item(hit.memory, origin, hit.probability, why)

    def _believed(
        self, situation: Situation, limit: int, scope: Scope | None
    ) -> Iterator[WorkingItem]:
        for answer in self._engram.knowledge.query(situation.summary, limit=limit, scope=scope):
            for belief in filter(lambda each: may_enter_unasked(each.memory), answer.way[-1:]):
                why = f"known of {answer.node.title}"
                yield _item(belief.memory, Origin.BELIEF, answer.score, why)

    def _practised(self, situation: Situation, scope: Scope | None) -> Iterator[WorkingItem]:
        for match in self._engram.skills.match(situation, _MOST_SKILLS, scope=scope):
            if not may_enter_unasked(match.skill.memory):
                continue
            text = outline(match.skill.current)
            yield WorkingItem(
                match.skill.id, Origin.SKILL, text, tokens_in(text), match.score, match.why
            )

    # What is in mind

    def attend(
        self,
        content: str,
        *,
        relevance: float = 0.7,
        source: str = "user",
        memory_id: str | None = None,
        pinned: bool = False,
        session: str | None = None,
        scope: Scope | None = None,
    ) -> Slot:
        """Bring something to mind; what is weakest makes room, and what mattered of it is kept.

        With a `memory_id` that memory is behind it: the content is one of its four lengths, or
        empty for the whole. The same content or memory again is refreshed. What takes more tokens
        than working memory holds is refused.
        """
        strength = check_share(relevance, name="relevance")
        with self._minding.holding(session, scope) as held:
            if memory_id is None:
                focus = self._from_words(content, source, strength, pinned=pinned)
            else:
                focus = self._from_memory(content, memory_id, strength, held, pinned=pinned)
            attended = attend(held.mind.foci, focus, held.room)
            self._minding.settle(held, attended.made)
            return held.seen(attended.focus)

    def _from_words(self, content: str, source: str, strength: float, *, pinned: bool) -> Focus:
        who = _read_source(source)
        most = self._engram.settings.capture.max_input_bytes
        checked = checked_text(content, name="content", max_bytes=most)
        text, is_flagged = self._minding.fit_to_hold(checked)
        now = self._engram._clock()
        return Focus(
            id=fresh_id(), text=text, tokens=COUNTER.count(text), source=who, strength=strength,
            attended_at=now, refreshed_at=now, is_pinned=_flag(pinned),
            is_flagged=is_flagged or who is SlotSource.WEB,
        )  # fmt: skip

    def _from_memory(
        self, content: str, memory_id: str, strength: float, held: Held, *, pinned: bool
    ) -> Focus:
        now = held.room.now
        with self._engram._view(held.place) as see:
            named = see.memory(memory_id)
            found = see.working.memories([named.id], now) if named is not None else []
        if not found:
            raise MemoryNotFound
        self._engram._note(Action.GET, count=1, memory=found[0])
        tier = _read_tier(content, found[0])
        focus = Focus(
            id=fresh_id(), text="", tokens=0, source=SlotSource.RECALL, strength=strength,
            attended_at=now, refreshed_at=now, tier=tier, memory_id=found[0].id,
            is_pinned=_flag(pinned),
        )  # fmt: skip
        held.room = self._minding.room_with(held.room, found[0])
        return told(focus, found[0])

    def refresh(
        self,
        slot_id: str,
        boost: float = 0.2,
        *,
        session: str | None = None,
        scope: Scope | None = None,
    ) -> Slot:
        """Come back to something in mind: it is more active, at most 1."""
        more = check_share(boost, name="boost")
        with self._with_slot(slot_id, session, scope) as (held, slot):
            held.mind.foci = refresh(held.mind.foci, slot.id, more, held.room)
            return next(each for each in held.slots if each.id == slot.id)

    def dismiss(
        self, slot_id: str, *, session: str | None = None, scope: Scope | None = None
    ) -> Slot:
        """Put something out of mind; nothing is made of it."""
        with self._with_slot(slot_id, session, scope) as (held, slot):
            held.mind.foci = tuple(each for each in held.mind.foci if each.id != slot.id)
            return slot

    @contextmanager
    def _with_slot(
        self, slot_id: str, session: str | None, scope: Scope | None
    ) -> "Iterator[tuple[Held, Slot]]":
        """The mind that a slot is in: that of the session, or whichever is awake."""
        name = checked_name(slot_id, name="slot_id")
        key, place = self._minding.key(session, scope)
        sessions = [key.session]
        if session is None:
            awake = self._engram._parts.minds.awake(key.holder, place.path)
            sessions = [*dict.fromkeys([*(each.session for each in awake), key.session])]
        for each in sessions:
            with self._minding.holding(each or None, scope) as held:
                slot = next((found for found in held.slots if found.id == name), None)
                if slot is not None:
                    yield held, slot
                    return
        raise SlotNotFound

    def active(self, *, session: str | None = None, scope: Scope | None = None) -> list[Slot]:
        """What is in mind now, the most active first."""
        with self._minding.holding(session, scope) as held:
            return self._given(held)

    def _given(self, held: Held) -> list[Slot]:
        """What is in mind; the audit tells how many memories were shown by it."""
        slots = held.slots
        shown = sum(each.memory_id is not None for each in slots)
        if shown:
            self._engram._note(Action.LIST, count=shown, scope=held.place)
        return slots

    def export_items(self, *, session: str | None = None, scope: Scope | None = None) -> list[Slot]:
        """What of it may enter a prompt that nobody looks at first, the most active first."""
        if not self._minding.has_place(scope):
            return []
        return [each for each in self.active(session=session, scope=scope) if not each.is_flagged]

    def export(
        self,
        form: str = "plain",
        *,
        budget: int | None = None,
        session: str | None = None,
        scope: Scope | None = None,
        counter: "TokenCounter | None" = None,
    ) -> Exported:
        """What is in mind as text for a model, never above the budget as the counter counts.

        What does not fit whole is shortened or left out; what is flagged is marked.
        """
        chosen, most, counting = read_form(form), _read_budget(budget), _read_counter(counter)
        slots = self.active(session=session, scope=scope)
        return export(slots, chosen, most, counting)

    def tick(self, *, session: str | None = None, scope: Scope | None = None) -> Ticked:
        """Let time pass: what has faded goes, and what was said a while ago comes to mind.

        Doing it twice in one moment changes nothing. Every other call does it too.
        """
        with self._minding.holding(session, scope) as held:
            return held.ticked

    def hear(
        self,
        text: str,
        role: str = "user",
        *,
        session: str | None = None,
        scope: Scope | None = None,
    ) -> None:
        """Take in a turn word for word, in this process alone; never on disk.

        After half a minute its key fact comes to mind. What it mentions is refreshed a little.
        """
        if not isinstance(role, str) or role not in ROLES:
            raise InvalidInput(hint=f"`role` is one of: {', '.join(ROLES)}.")
        most = self._engram.settings.capture.max_input_bytes
        # What was put before a model is known already, and comes back in its own words.
        said = without_injected(checked_text(text, name="text", max_bytes=most))
        if not said.strip():
            return
        with self._minding.holding(session, scope) as held:
            turn = Heard(said, role, held.room.now)
            held.mind.ring = heard(held.mind.ring, turn, most=held.room.options.sensory_turns)
            held.mind.foci = heed(held.mind.foci, said, held.room)

    def heard(self, *, session: str | None = None, scope: Scope | None = None) -> list[Heard]:
        """What was just said, word for word, the oldest first."""
        with self._minding.holding(session, scope) as held:
            return list(held.mind.ring)

    def topic(
        self, shift: "TopicShift | str", *, session: str | None = None, scope: Scope | None = None
    ) -> Ticked:
        """What a turn does that goes on with the topic, drifts off it or leaves it.

        A drift fades all of it; a switch keeps what is active as memories and clears the mind.
        """
        chosen = _read_shift(shift)
        with self._minding.holding(session, scope) as held:
            self._minding.settle(held, change_topic(held.mind.foci, chosen, held.room))
            return held.ticked

    # Coming and going

    def suspend(self, *, session: str | None = None, scope: Scope | None = None) -> Suspended:
        """Put a session away: what is in mind is kept in the store until it is taken up again."""
        if self._minding.is_read_only:
            raise StoreReadOnly
        key, _ = self._minding.key(session, scope)
        with self._minding.holding(session, scope) as held:
            done = Suspended(len(held.mind.foci), held.room.now)
        self._engram._parts.minds.put_away(key)
        return done

    def resume(self, *, session: str | None = None, scope: Scope | None = None) -> Resumed:
        """Take a session up again: within 4 hours whole, within 24 paler, later afresh.

        Any other call does the same by itself; this one says how it came back.
        """
        with self._minding.holding(session, scope) as held:
            mind = held.mind
            slots = tuple(self._given(held))
            return Resumed(mind.came_back, slots, mind.away_seconds, mind.dropped)

    def clear(self, *, session: str | None = None, scope: Scope | None = None) -> int:
        """Put everything out of a session's mind, also what was put away; how much that was."""
        if self._minding.is_read_only:
            raise StoreReadOnly
        key, place = self._minding.key(session, scope)
        count = 0
        with suppress(StoreCorrupt), self._minding.holding(session, scope) as held:
            count = len(held.mind.foci)
        self._engram._parts.minds.forget(key)
        self._minding.forget(key, place)
        return count


def _item(memory: "Memory", origin: Origin, relevance: float, why: str) -> WorkingItem:
    summary = memory.tiers.summary
    return WorkingItem(memory.id, origin, summary.text, summary.tokens, relevance, why)


def _read_budget(value: int | None) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= _MOST_BUDGET:
        raise InvalidInput(hint=f"`budget` is a number of tokens from 1 to {_MOST_BUDGET}.")
    return value


def _read_counter(counter: "TokenCounter | None") -> "TokenCounter":
    if counter is None:
        return COUNTER
    # A text counts too, though no tokens: it says nothing of how well it does.
    if not callable(getattr(counter, "count", None)) or not hasattr(counter, "is_exact"):
        raise InvalidInput(hint="`counter` counts the tokens of a text: `counter.count(text)`.")
    return counter


def _read_source(source: str) -> SlotSource:
    may = [each.value for each, kept in KEPT_AS.items() if kept is not None]
    if source not in may:
        raise InvalidInput(hint=f"`source` is one of: {', '.join(may)}.")
    return SlotSource(source)


def _read_shift(shift: "TopicShift | str") -> "TopicShift":
    # Imported here: who never changes the topic never loads NumPy.
    from engram.memory.momentum import TopicShift

    try:
        return TopicShift(shift)
    except ValueError:
        may = ", ".join(TopicShift)
        raise InvalidInput(hint=f"A change of topic is one of: {may}.") from None


def _read_tier(content: str, memory: "Memory") -> SlotTier:
    if not content:
        return SlotTier.FULL
    for tier in TIERS:
        if content == text_at(memory.tiers, tier) or (
            tier is SlotTier.FULL and content == memory.content
        ):
            return tier
    raise InvalidInput(
        hint="With a `memory_id` the content is one of that memory's lengths, or empty."
    )


def _flag(value: bool) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(hint="`pinned` must be true or false.")
    return value
