"""Gathers what a prompt may be made of: recalled, in mind, usual, not known. Reads only."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engram.context.budget import RECALLED, Budget
from engram.context.choose import chosen, floor, in_order, without_their_turns
from engram.context.message import ChatMessage
from engram.context.modes import Mode, mode_for, read_mode
from engram.context.notes import reflection
from engram.context.options import ContextOptions
from engram.context.piece import Piece, piece_of
from engram.context.standing import Key, Standing
from engram.context.window import Context, Offered
from engram.errors import EngramError, ProviderError, SearchTimeout, StoreBusy
from engram.language.asking import states_something
from engram.memory.attribution import replacement_marks
from engram.memory.changes import Action
from engram.memory.dreams.artefact import ArtefactKind
from engram.memory.dreams.behaviour import seen_behaviour
from engram.memory.dreams.overview import overview_of
from engram.memory.dreams.tree import GLOBAL
from engram.memory.links import Replacement
from engram.memory.momentum import TopicShift
from engram.memory.situation import read_situation
from engram.memory.skills.outline import outline
from engram.memory.standing_rules import standing_instructions
from engram.memory.trust import may_enter_unasked
from engram.providers.embedder import well_formed
from engram.recall.journal import figures_of
from engram.recall.match_skills import matches
from engram.recall.result import Hit, RecallResult
from engram.storage.reader import StoreReader
from engram.text.strings import checked_name

if TYPE_CHECKING:
    from engram.engine.contexts import Composing, Wanted
    from engram.memory.dreams.gaps import Gap
    from engram.memory.episodes.episode import Episode
    from engram.memory.ids import MemoryId
    from engram.memory.record import Memory
    from engram.memory.working.slots import Slot

_MOST_SKILLS = 3
_LONGEST_SITUATION = 2_000  # characters of what is asked that skills are looked for by
_WEIGHTY = 1.0  # the score of what holds whatever is asked
_FIT_ENOUGH = 0.3  # of a skill, to be named unasked
_EPISODE, _SKILL = "episode", "skill"
_PATTERNS = "dream:patterns"
_OVERVIEW_TOKENS = 400  # of what is known altogether, where nothing else is found
_MOST_RULES = 200  # instructions and pinned statements that are looked at
_SMALL_ROOM = 300  # tokens for memories, below which perhaps none fits
_SOFT = (SearchTimeout, StoreBusy, ProviderError)  # a prompt without memory is better than none


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of memories beside what they say: their turns, and what replaced them."""

    sources: Mapping[int, Sequence[int]]
    marks: Mapping[int, str]
    changes: Sequence[Replacement]

    @classmethod
    def of(cls, numbers: Iterable[int], see: StoreReader) -> "_Known":
        listed = sorted(set(numbers))
        found = see.links.replacements_of(listed) if listed else []
        return cls(
            see.turns.source_numbers(listed) if listed else {},
            replacement_marks(found),
            found,
        )

    def told(self, piece: Piece) -> Piece:
        """A piece with where it is from and whether it still holds."""
        if piece.memory is None:
            return piece
        number = piece.memory.number
        sources = frozenset(self.sources.get(number, ()))
        return replace(piece, mark=self.marks.get(number, ""), sources=sources)

    def ordered(self, pieces: Iterable[Piece]) -> tuple[Piece, ...]:
        """Pieces with all that, the newer before what it replaces."""
        return tuple(in_order(map(self.told, pieces), self.changes))


class Offering:
    """What one context may be made of."""

    def __init__(
        self, engram: "Composing", wanted: "Wanted", options: ContextOptions, budget: Budget
    ) -> None:
        self._engram, self._wanted, self._options, self._budget = engram, wanted, options, budget
        session = wanted.session
        self._session = None if session is None else checked_name(session, name="session")
        self._asked_mode = read_mode(wanted.mode, options.mode)
        self._query = ""
        self._degraded: list[str] = []
        self._gap: Gap | None = None  # whose question is offered
        self._result: RecallResult | None = None

    def offered(self, messages: Sequence[ChatMessage]) -> Offered:
        """Everything that could go in, best first."""
        last = next((each.text for each in reversed(messages) if each.is_from_person), "")
        self._query = self._wanted.query or last
        mode = mode_for(self._query, self._asked_mode)
        slots = self._in_mind()
        topic = self._topic(mode)
        hits = self._recalled(mode)
        now = self._engram._clock()
        with self._engram._view(self._wanted.scope) as see:
            rules = standing_instructions(see.working.rules(now, limit=_MOST_RULES), now)
            in_mind = self._behind(see, slots)
            shown = [*rules, *in_mind.values(), *(hit.memory for hit in hits)]
            known = _Known.of((memory.number for memory in shown), see)
            hits = without_their_turns(hits, known.sources)
            identity = self._identity(see)
            overview = self._overview(see, hits) if mode is not Mode.MINIMAL else ()
            standing = self._standing(see, topic)
            details = see.made_from(hit.memory.number for hit in hits)
            going_on = {
                number
                for number, made_from in details.items()
                if made_from == _EPISODE and _goes_on(see.episodes.get(number))
            }
        # Of an episode that goes on nothing is told yet but its name.
        told = [hit for hit in hits if hit.memory.number not in going_on]
        plain = [hit for hit in told if details.get(hit.memory.number) != _SKILL]
        usual = [hit for hit in plain if hit.memory.source == _PATTERNS]
        return Offered(
            messages=tuple(messages),
            system=self._wanted.system or "",
            identity=identity,
            instructions=known.ordered(piece_of(memory, _WEIGHTY) for memory in rules),
            working=known.ordered(_in_mind(slot, in_mind) for slot in slots),
            recalled=known.ordered(_pieces(hit for hit in plain if hit.memory.source != _PATTERNS)),
            schemas=known.ordered(_pieces(usual)),
            skills=self._skills() if mode is not Mode.MINIMAL else (),
            overview=overview,
            notes=self._notes(messages, len(hits), bool(slots)),
            questions=self._questions(mode),
            topic=topic,
            mode=mode.value,
            degraded=tuple(self._degraded),
            standing=standing,
        )

    def note(self, made: Context) -> None:
        """Take down what was put in: for the audit, the counts of use and the next prompt."""
        engram, now = self._engram, self._engram._clock()
        memories = [each.memory for each in made.memories]
        engram._parts.echoes.note(memories, now)
        engram._note(
            Action.RECALL, count=len(memories), shown=memories,
            numbers=tuple(dict.fromkeys(memory.number for memory in memories)),
            question=self._query, scope=self._wanted.scope,
            figures=None if self._result is None else figures_of(self._result, now),
        )  # fmt: skip
        if made.questions and self._gap is not None and self._session is not None:
            engram._note_put(self._gap, self._session, self._wanted.scope)
        if made.standing is not None and self._session is not None:
            engram._parts.windows.keep(self._key(self._session), made.standing)

    def _notes(
        self, messages: Sequence[ChatMessage], recalled: int, is_in_mind: bool
    ) -> tuple[str, ...]:
        """What memory does not know; what was said before the question may be the answer."""
        if self._result is None:
            return ()
        said = [each.text for each in messages if each.text != self._query]
        return reflection(
            self._result, self._query, recalled=recalled, said=said, is_in_mind=is_in_mind
        )

    def _recalled(self, mode: Mode) -> list[Hit]:
        """What is known about the question, as far as it is worth a line."""
        if mode is Mode.MINIMAL or not self._query.strip():
            return []
        wanted = self._budget.most_memories * (2 if mode is Mode.DEEP else 1)
        most = min(wanted, self._options.most_memories)
        engram = self._engram
        question = engram._question(self._query, limit=most, automatic=True)
        engram._parts.wake_embedding()
        try:
            self._result = engram._found(question, self._wanted.scope, self._session)
        except _SOFT as error:
            self._degraded.append(f"recall: {error.message} [{error.code}]")
            return []
        self._degraded += self._result.degraded
        return chosen(self._result.hits, floor(self._options.least_share_of_best, most))

    def _in_mind(self) -> "list[Slot]":
        if self._session is None:
            return []
        working = self._engram.working  # type: ignore[attr-defined]  # every Engram has it
        slots: list[Slot] = working.export_items(session=self._session, scope=self._wanted.scope)
        # What only asks is no evidence, also where it was just heard.
        return [slot for slot in slots if states_something(slot.text)]

    def _behind(self, see: StoreReader, slots: "Sequence[Slot]") -> "dict[MemoryId, Memory]":
        """The memories behind what is in mind."""
        ids = [slot.memory_id for slot in slots if slot.memory_id is not None]
        found = see.working.memories(ids, self._engram._clock()) if ids else []
        return {memory.id: memory for memory in found}

    def _identity(self, see: StoreReader) -> tuple[str, ...]:
        """How the person works, as dreams made it out and as far as it still stands."""
        profiles = see.artefacts.all(ArtefactKind.BEHAVIOUR)
        if not profiles:
            return ()
        found = seen_behaviour(profiles, (), self._engram._wordings(see, profiles))
        return tuple(line.text for line in found.lines)

    def _overview(self, see: StoreReader, hits: Sequence[Hit]) -> tuple[str, ...]:
        """What is known altogether, where nothing is found or perhaps nothing fits."""
        room = round(self._budget.tokens * self._budget.shares[RECALLED])
        if hits and room > _SMALL_ROOM:
            return ()
        nodes = see.artefacts.all(ArtefactKind.TREE_NODE)
        standing = self._engram._wordings(see, nodes)
        most = max(1, min(room, _OVERVIEW_TOKENS))
        levels = (
            overview_of(nodes, standing, tokens=most),
            overview_of(nodes, standing, level=GLOBAL, tokens=most),
            overview_of(nodes, standing, level=GLOBAL, tokens=max(1, most // 3)),
        )
        return tuple(dict.fromkeys(each.text for each in levels if each.nodes))

    def _topic(self, mode: Mode) -> str:
        """Whether this goes on with what was talked about, as far as the session tells."""
        if self._session is None or mode is Mode.MINIMAL or not self._query.strip():
            return ""
        try:
            scope = self._wanted.scope
            return self._engram._topic_shift(self._session, self._query, scope=scope).value
        except _SOFT as error:
            self._degraded.append(f"topic: {error.message} [{error.code}]")
            return ""

    def _standing(self, see: StoreReader, topic: str) -> Standing | None:
        """What stands in this session's prompts and still holds, word for word."""
        if self._session is None:
            return None
        if topic == TopicShift.SWITCH:
            return Standing()
        found = self._engram._parts.windows.find(self._key(self._session))
        numbers = {
            each.piece.memory.number for _, each in found.packed if each.piece.memory is not None
        }
        versions = see.dreams.standing(sorted(numbers), self._engram._clock()) if numbers else {}
        known = _Known.of(numbers, see)
        return Standing(
            tuple(
                (name, each)
                for name, each in found.packed
                if each.piece.memory is not None
                and versions.get(each.piece.memory.number) == each.piece.version
                and known.marks.get(each.piece.memory.number, "") == each.piece.mark
            )
        )

    def _skills(self) -> tuple[Piece, ...]:
        """The skills that fit what is asked, as they are to be done now."""
        asked = well_formed(self._query.replace("\0", " ")).strip()[:_LONGEST_SITUATION]
        if not asked:
            return ()
        engram, scope = self._engram, self._wanted.scope
        situation = read_situation(asked)
        finding = engram.skills  # type: ignore[attr-defined]  # every Engram has it
        fits = finding._fitting(situation, scope)
        if not fits:
            return ()
        with engram._view(scope) as see:
            found = matches(see, fits, situation, limit=_MOST_SKILLS)
        return tuple(
            Piece(
                key=match.skill.id, version=match.skill.memory.version,
                text=outline(match.skill.current), score=match.score,
                label=match.skill.memory.label, sort=_SKILL, memory=match.skill.memory,
            )
            for match in found
            if match.score >= _FIT_ENOUGH and may_enter_unasked(match.skill.memory)
        )  # fmt: skip

    def _questions(self, mode: Mode) -> tuple[str, ...]:
        if self._session is None or mode is Mode.MINIMAL or not self._wanted.with_questions:
            return ()
        try:
            self._gap = self._engram._question_to_put(self._session, self._wanted.scope)
        except EngramError as error:
            self._degraded.append(f"questions: {error.message} [{error.code}]")
        return (f"Worth asking, when it fits: {self._gap.question}",) if self._gap else ()

    def _key(self, session: str) -> Key:
        engram = self._engram
        where = self._wanted.scope or engram.principal.scope
        return engram.principal.holder, where.path if where else "", session


def _pieces(hits: Iterable[Hit]) -> tuple[Piece, ...]:
    return tuple(piece_of(hit.memory, hit.score) for hit in hits)


def _goes_on(episode: "Episode | None") -> bool:
    return episode is not None and episode.is_ongoing


def _in_mind(slot: "Slot", behind: "Mapping[MemoryId, Memory]") -> Piece:
    """What is in mind; where a memory is behind it, by that memory's name."""
    memory = behind.get(slot.memory_id) if slot.memory_id is not None else None
    if memory is not None:
        return replace(piece_of(memory, slot.activation), text=slot.text)
    return Piece(
        key=slot.memory_id or f"slot:{slot.id}", version=1, text=slot.text, score=slot.activation,
        day=slot.attended_at, sort=slot.source.value,
    )  # fmt: skip
