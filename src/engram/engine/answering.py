"""What becomes of an answer to a question: it is kept, or it decides between what is kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import assert_never

from engram.errors import MemoryNotFound
from engram.lifecycle.dreams.answered import (
    all_hold,
    give_way,
    holds,
    is_wrong,
    none_holds,
    prevails,
)
from engram.memory.dreams.artefact import ArtefactKind
from engram.memory.dreams.gap_answers import (
    Answer,
    Chosen,
    Done,
    GapAnswer,
    Judged,
    Said,
    read_answer,
)
from engram.memory.dreams.gap_fields import sort_named
from engram.memory.dreams.gaps import Gap, GapKind, as_artefact, from_artefact
from engram.memory.outcomes import Outcome
from engram.memory.record import Memory
from engram.memory.scopes import Principal
from engram.memory.status import RECALLABLE
from engram.storage.artefacts import end_artefact
from engram.storage.reader import StoreReader
from engram.storage.unit import UnitOfWork

UNKNOWN = "No open question of this id is in sight; `gaps` lists them."
_GONE = "What was asked about is gone; the next dream settles that."


@dataclass(frozen=True, slots=True)
class Answering:
    """Who answers which question, and how words are taken in."""

    unit: UnitOfWork
    principal: Principal
    gap: Gap
    reason: str
    told: Callable[[str], Outcome]  # keep a statement about the subject of the gap
    corrected: Callable[[Memory, str], Outcome]  # keep it in a memory's place

    def take(self, text: str) -> GapAnswer:
        """Do what the answer says, and settle the question in the same change."""
        gap, see = self.gap, self.unit.see
        if see.artefacts.find(ArtefactKind.GAP, gap.scope, gap.id) is None:
            raise MemoryNotFound(hint=UNKNOWN)
        memories = [m for number in gap.numbers if (m := see.current(number)) is not None]
        if gap.kind is not GapKind.MISSING_FIELD and len(memories) < len(gap.numbers):
            raise MemoryNotFound(hint=_GONE)
        done = self._taken(read_answer(gap, text, memories), memories)
        if done.is_closed:
            end_artefact(self.unit.transaction, as_artefact(gap), done.changes[0])
        return done

    def _taken(self, answer: Answer, memories: Sequence[Memory]) -> GapAnswer:
        match answer:
            case Said(text) if self.gap.kind is GapKind.MISSING_FIELD:
                return self._kept(self.told(text))
            case Said(text):
                return self._replaced(text, memories)
            case Chosen(number):
                winner, loser = sorted(memories, key=lambda each: each.number != number)
                changed = prevails(self.unit, self.principal, winner, loser, reason=self.reason)
                return self._settled("settled", changed)
            case Judged():
                return self._judged(answer, memories)
            case _:
                assert_never(answer)

    def _judged(self, answer: Judged, memories: Sequence[Memory]) -> GapAnswer:
        unit, who, why = self.unit, self.principal, self.reason
        match answer.verdict:
            case "holds" if not who.is_person:
                voiced = holds(unit, who, memories[0], reason=why)
                return GapAnswer(self.gap, "confirmed", True, (voiced,), unit.decisions[-1:])
            case "holds":
                return self._settled("verified", [holds(unit, who, memories[0], reason=why)])
            case "wrong":
                return self._settled("withdrawn", [is_wrong(unit, who, memories[0], reason=why)])
            case "both":
                return self._settled("verified", all_hold(unit, who, memories, reason=why))
            case "neither":
                return self._settled("withdrawn", none_holds(unit, who, memories, reason=why))
            case _:
                assert_never(answer.verdict)

    def _replaced(self, text: str, memories: Sequence[Memory]) -> GapAnswer:
        """What is said instead takes the place of what was asked about, of the newest first."""
        *others, newest = sorted(memories, key=lambda each: (each.at, each.number))
        done = self._kept(self.corrected(newest, text), kind="replaced")
        if not done.is_closed:
            return done
        retired = [
            give_way(self.unit, self.principal, each, done.memories[0], reason=self.reason)
            for each in others
        ]
        changes = (*reversed([each.change_id for each in retired]), *done.changes)
        return GapAnswer(self.gap, "replaced", True, (*done.memories, *retired), changes)

    def _kept(self, outcome: Outcome, kind: Done | None = None) -> GapAnswer:
        """What became of words that were kept; those that wait for a person settle nothing yet."""
        changes = (outcome.change_id,) if outcome.change_id else ()
        is_closed = outcome.memory.status in RECALLABLE and bool(changes)
        plain: Done = "confirmed" if outcome.kind == "confirmed" else "stored"
        done: Done = (kind or plain) if is_closed else "held"
        return GapAnswer(self.gap, done, is_closed, (outcome.memory,), changes, outcome.reason)

    def _settled(self, kind: Done, memories: Sequence[Memory]) -> GapAnswer:
        return GapAnswer(self.gap, kind, True, tuple(memories), (memories[-1].change_id,))


def open_gaps(see: StoreReader) -> list[Gap]:
    """The questions in sight that stand, what matters most first."""
    found = (from_artefact(each) for each in see.artefacts.all(ArtefactKind.GAP))
    return sorted(found, key=lambda gap: gap.order)


def category_of(gap: Gap) -> str:
    """Where an answer belongs."""
    sort = sort_named(gap.template)
    return sort.category if sort else "fact"
