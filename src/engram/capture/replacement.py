"""Decides which older statement a new one replaces: retired when sure, linked when unsure.

The verdict is the reader's, on the nearest statements about the same thing; what follows depends on
who said what. A source that is trusted less than the old statement's never retires it, and what two
people say against each other is put to a person. A past event is never retired: it happened.
"""

import math
import re
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from typing import Protocol

import numpy as np

from engram.language.changes import tells_change, without_adverbs
from engram.language.lexicon import COMMON_WORDS, FIRST_PERSON
from engram.language.stems import stem
from engram.language.tables import read_table
from engram.language.when.spans import find_times
from engram.memory.changes import Action
from engram.memory.links import Relation
from engram.memory.record import Memory
from engram.memory.scopes import Reach
from engram.memory.staleness import ceases_at, status_at
from engram.memory.status import LEGAL_MOVES, RECALLABLE
from engram.memory.trust import SOURCE_TRUST, is_untrusted
from engram.memory.vocabulary import SourceClass, Status
from engram.storage.links import StoredLink
from engram.storage.reader import StoreReader
from engram.storage.store import Store
from engram.storage.unit import UnitOfWork
from engram.storage.vectors.loaded import LoadedVectors
from engram.storage.verdicts import (
    PendingVerdict,
    await_verdicts,
    pending_verdicts,
    take_verdict,
)
from engram.text.strings import folded

RETIRE = 0.7  # these two are set on data/confidence-diaries and data/confidence
LINK = 0.15
LEAST_CHANGE = 0.05  # of the reader, below which nothing else is looked at
_INTERCEPT = 0.41  # these are fitted by scripts/fit_replacement.py
_WEIGHTS = {
    "reader": 0.26, "before others": 0.24, "shared": 0.17, "share": 0.61, "length": -0.98,
    "likeness": 2.06, "change is told": 0.99, "one speaker": -0.75, "nearer": -2.85,
}  # fmt: skip
_NEAREST = 10
_BY_WORDS = 6
_MOST_READ = 6  # candidates that the model reads
_LEAST_LIKENESS = 0.2
_AT_ONCE = 16
_READ_SECONDS = 30.0
_MOST_CHARACTERS = 1_000
_LONGEST_RETIRED = 300  # characters: more is several sentences, of which one may have changed
_OTHERS = -2.0  # of the reader, where no other candidate is any likelier
_PLAIN_CHANGE = 0.97  # the same words but for one value
_INSTRUCTION = "instruction"
_FIGURE = re.compile(r"\d")
_WORD = re.compile(r"\w+")


class PairReader(Protocol):
    """The model that compares two statements."""

    def compare(self, pairs: Sequence[tuple[str, str]]) -> list[dict[str, float]]:
        """How likely each relation of a later statement to an earlier one is."""
        ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """An older statement, how near it is to the new one, and how many are nearer."""

    memory: Memory
    likeness: float
    nearer: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the reader says of one older statement."""

    old: Memory
    relation: str  # "replaces" or "ends"
    probability: float


class ReplacementJudge:
    """Judges the statements of one store that wait; one at a time, each in its own change."""

    def __init__(self, store: Store, reader: PairReader, vectors: LoadedVectors) -> None:
        self._store = store
        self._reader = reader
        self._vectors = vectors
        self._one_at_a_time = threading.Lock()

    def judge_waiting(
        self,
        now: datetime,
        *,
        needs_vectors: bool,
        only: Collection[int] | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> int:
        """Judge what waits, or only some of it; returns how many were judged.

        `needs_vectors` leaves those that are not embedded yet for later.
        """
        judged, after = 0, 0
        while not is_stopped():
            with self._store.database.reading(_READ_SECONDS) as transaction:
                waiting = pending_verdicts(transaction, after=after, limit=_AT_ONCE)
            if not waiting:
                break
            for each in waiting:
                if (only is None or each.number in only) and not is_stopped():
                    # The background judges too; what it has judged is not compared again.
                    with self._one_at_a_time:
                        judged += self._judge(each, now, needs_vectors=needs_vectors)
            after = waiting[-1].number
        return judged

    def _judge(self, waiting: PendingVerdict, now: datetime, *, needs_vectors: bool) -> bool:
        reach = Reach((waiting.scope.path,))
        with self._store.database.reading(_READ_SECONDS) as transaction:
            if not await_verdicts(transaction, [waiting.number]):
                return False
        with self._store.read(reach, timeout_seconds=_READ_SECONDS) as see:
            new = see.current(waiting.number)
            is_live = new is not None and status_at(new, now) in RECALLABLE
            found = self._candidates(new, see) if new is not None and is_live else []
        if found is None and needs_vectors:
            return False
        verdict = self._verdict(new, found or []) if new is not None else None
        with self._store.write(reach, actor=waiting.actor, now=now) as unit:
            compared = [] if new is None else [new]
            compared += [] if verdict is None else [verdict.old]
            if any(_is_another(each, unit.see.current(each.number)) for each in compared):
                return False  # one of them was changed meanwhile: it goes on waiting
            if take_verdict(unit.transaction, waiting.number) and verdict is not None:
                act_on(verdict, waiting, unit)
        return True

    def _candidates(self, new: Memory, see: StoreReader) -> list[Candidate] | None:
        """The older statements that are nearest in meaning or words; None: not embedded yet."""
        near = self._nearest(new, see)
        if near is None:
            return None
        found = {number: see.current(number) for number in near}
        for each in see.closest(new.content, new.scope, limit=_BY_WORDS):
            found.setdefault(each.number, each)
        older = [each for each in found.values() if each and may_be_replaced(each, new)]
        return [
            Candidate(old, near.get(old.number, _LEAST_LIKENESS), nearer)
            for nearer, old in enumerate(older[:_MOST_READ])
        ]

    def _nearest(self, new: Memory, see: StoreReader) -> dict[int, float] | None:
        """The numbers of the nearest statements and how near they are."""
        vectors = self._vectors.refresh(see.derived)
        if vectors is None:
            return None
        own = see.derived.first_vectors(vectors.space, {new.number: new.version})
        if new.number not in own:
            return None
        current = np.array(see.current_statements(new.scope), dtype=np.int64)
        allowed = np.isin(vectors.numbers, current[current != new.number]) & (vectors.parts == 0)
        if not allowed.any():
            return {}
        nearest = vectors.search(see.derived, own[new.number], _NEAREST, allowed)
        places = np.searchsorted(vectors.ids, nearest.ids)
        return {
            int(vectors.numbers[place]): float(likeness)
            for place, likeness in zip(places, nearest.similarities, strict=True)
            if likeness >= _LEAST_LIKENESS
        }

    def _verdict(self, new: Memory, candidates: Sequence[Candidate]) -> Verdict | None:
        """The one older statement that is most likely replaced or ended."""
        best: Verdict | None = None
        pairs = [(as_read(each.memory), as_read(new)) for each in candidates]
        read = self._reader.compare(pairs)
        figures = change_figures(candidates, new, read)
        for each, chances, of_pair in zip(candidates, read, figures, strict=True):
            is_value = gives_other_value(each.memory.content, new.content)
            if chances["replaces"] + chances["ends"] < LEAST_CHANGE and not is_value:
                continue
            relation = max(("replaces", "ends"), key=lambda name: chances[name])
            chance = chance_of_change(of_pair)
            if relation == "ends" and not of_pair["shared"]:  # what ends is named, as a rule
                chance = min(chance, RETIRE - 0.01)
            found = Verdict(each.memory, relation, chance)
            if is_value and are_of_one(each.memory, new):
                found = Verdict(each.memory, "replaces", _PLAIN_CHANGE)
            if best is None or found.probability > best.probability:
                best = found
        return best if best is not None and best.probability >= LINK else None


def chance_of_change(figures: Mapping[str, float]) -> float:
    """How likely a later statement changes an earlier one, when the two stand in one store.

    The reader alone tells that something sounds like a change; that both speak of one thing shows
    in words they share, in how near they are, and in how far the reader prefers this one to the
    other candidates. `scripts/fit_replacement.py` fits the weights.
    """
    total = _INTERCEPT + sum(_WEIGHTS[name] * value for name, value in figures.items())
    return 1.0 / (1.0 + math.exp(-total))


def change_figures(
    candidates: Sequence[Candidate], new: Memory, read: Sequence[Mapping[str, float]]
) -> list[dict[str, float]]:
    """What tells of each candidate that a later statement changes it; `read` by the reader."""
    changes = [_odds(chances["replaces"] + chances["ends"]) for chances in read]
    theirs, found = telling_stems(new.content), []
    for place, (old, change) in enumerate(zip(candidates, changes, strict=True)):
        ours = telling_stems(old.memory.content)
        shared = len(ours & theirs)
        figures = {
            "reader": change,
            "before others": change - max([_OTHERS, *changes[:place], *changes[place + 1 :]]),
            "shared": min(shared, 3) / 3,
            "share": shared / max(1, min(len(ours), len(theirs))),
            "length": math.log(max(len(ours), len(theirs), 1)),
            "likeness": old.likeness,
            "change is told": float(tells_change(new.content)),
            "one speaker": float(old.memory.speaker == new.speaker),
            "nearer": old.nearer / _MOST_READ,
        }
        found.append(figures)
    return found


def _odds(chance: float) -> float:
    chance = min(max(chance, 0.001), 0.999)
    return math.log(chance / (1.0 - chance))


@lru_cache(maxsize=4_096)
def telling_stems(text: str) -> frozenset[str]:
    """The stems of the words that tell something."""
    words = _WORD.findall(folded(text[:_MOST_CHARACTERS]))
    return frozenset(stem(word) for word in words if word not in COMMON_WORDS)


def as_read(memory: Memory) -> str:
    """A statement as the reader was taught to read it: who said it, then the words."""
    content = memory.content[:_MOST_CHARACTERS]
    return f"{memory.speaker}: {content}" if memory.speaker else content


def are_of_one(old: Memory, new: Memory) -> bool:
    """Whether two statements speak of one thing whoever says them: "I" means its speaker."""
    texts = (old.content, new.content)
    return old.speaker == new.speaker or not any(map(FIRST_PERSON.search, texts))


def gives_other_value(first: str, later: str) -> bool:
    """Whether two statements give one thing two values in otherwise the same words.

    Only one word differs, a figure or a name, and it stands behind a verb that has one value at a
    time: "lives in Oslo" and "lives in Bern", and neither "speaks Thai" and "speaks Urdu" nor
    "room 12 is free" and "room 14 is free".
    """
    before, after = (without_adverbs(text.rstrip(" .!").split()) for text in (first, later))
    if len(before) != len(after):
        return False
    pairs = list(zip(before, after, strict=True))
    differing = [place for place, (one, other) in enumerate(pairs) if one.lower() != other.lower()]
    if len(differing) != 1:
        return False
    place = differing[0]
    are_figures = all(_FIGURE.search(each) for each in pairs[place])
    is_value = are_figures or all(
        each[0].isupper() or _FIGURE.search(each) for each in pairs[place]
    )
    lead = f" {' '.join(before[:place]).lower()}"
    is_single = lead.endswith(_single_valued("any"))
    return (is_value and is_single) or (are_figures and lead.endswith(_single_valued("figures")))


@cache
def _single_valued(kind: str) -> tuple[str, ...]:
    """The endings of what stands before a value, or a figure, that a thing has one of at a time."""
    return tuple(f" {phrase}" for phrase in read_table("single_valued.json")[kind])


def may_be_replaced(old: Memory, new: Memory) -> bool:
    """Whether one statement is older than another, and in force."""
    is_older = (old.at, old.number) < (new.at, new.number)
    return is_older and old.number != new.number and old.status in RECALLABLE


def act_on(verdict: Verdict, waiting: PendingVerdict, unit: UnitOfWork) -> None:
    """Retire the old statement, or link the new one to it, in a change that can be undone."""
    new = unit.see.current(waiting.number)
    old = unit.see.current(verdict.old.number)
    if new is None or old is None or not may_be_replaced(old, new):
        return
    if status_at(new, unit.now) not in RECALLABLE:
        return
    if unit.see.links.between(new.number, old.number, Relation.MAY_REPLACE) is not None:
        return
    reason = reason_to_ask(verdict, old, new)
    if not reason and Status.SUPERSEDED in LEGAL_MOVES[status_at(old, unit.now)]:
        word = "ended" if verdict.relation == "ends" else "replaced"
        unit.begin_change(Action.SUPERSEDE, new.scope, f"{word} by {new.label}")
        ends = ceases_at(old, new.valid_from or new.at)
        unit.replace(old, status=Status.SUPERSEDED, superseded_by=new.id, valid_until=ends)
        return
    change = unit.begin_change(
        Action.RELATE, new.scope, f"{new.label} may replace {old.label}: {reason}"
    )
    link = StoredLink(change, new.number, old.number, Relation.MAY_REPLACE, None)
    unit.add_link(link, [(new, new.scope), (old, old.scope)])


def _is_another(compared: Memory, current: Memory | None) -> bool:
    """Whether a memory is not what was compared any more."""
    return current is None or current.version != compared.version


def reason_to_ask(verdict: Verdict, old: Memory, new: Memory) -> str:
    """Why the old statement is not retired without a person; empty when it may be."""
    if verdict.probability < RETIRE:
        return "not sure"
    if is_past_event(old):
        return "a past event stays as it was told"
    if old.is_pinned:
        return "it is pinned"
    if len(old.content) > _LONGEST_RETIRED:
        return "it may say more than what has changed"
    if old.category == _INSTRUCTION and not _are_alike(old.content, new.content):
        return "a standing instruction stays until it is clear that it is meant"
    if new.confidence < old.confidence and new.confidence < 0.5:
        return "said with little confidence"
    is_stranger = is_untrusted(new) and not is_untrusted(old)
    if is_stranger or SOURCE_TRUST[new.source_class] < SOURCE_TRUST[old.source_class]:
        return "its source is trusted less"
    if old.is_vouched_for and new.source_class is not SourceClass.PERSON:
        return "a person stands behind it"
    if old.speaker is not None and new.speaker is not None and old.speaker != new.speaker:
        return "two people say different things"
    return ""


def _are_alike(first: str, later: str) -> bool:
    """Whether two texts share half of the words of the shorter one."""
    ours, theirs = telling_stems(first), telling_stems(later)
    return 2 * len(ours & theirs) >= max(1, min(len(ours), len(theirs)))


def is_past_event(memory: Memory) -> bool:
    """Whether a statement tells of something that happened at a time that was over then."""
    times = [each for each in find_times(memory.content, memory.at) if not each.is_open]
    return bool(times) and all(each.end <= memory.at for each in times)
