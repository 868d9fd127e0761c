"""What happened around a topic in order of time, with what was reworded, replaced or archived."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from engram.memory.changes import HistoryEntry
from engram.memory.ids import MemoryId
from engram.memory.record import Memory
from engram.memory.scopes import Reach
from engram.memory.staleness import as_seen
from engram.memory.times import FOREVER
from engram.memory.vocabulary import MemoryType, Status
from engram.recall.bridges import question_words
from engram.recall.confidence import UNKNOWN_BELOW
from engram.recall.question import Question
from engram.recall.result import RecallResult
from engram.storage.database import Database, Transaction, Value
from engram.storage.part_readers import reach_parameters
from engram.storage.reader import FRAGMENT_WEIGHT, WORD_WEIGHT, StoreReader
from engram.storage.rows import memory_from_row
from engram.text.calendar import shifted, unit_period
from engram.text.terms import Term, standing_terms

REWORDED = "reworded"  # the one standing that is no status: the memory says it otherwise now
_PRESENT = (Status.ACTIVE, Status.CHALLENGED, Status.STALE)
_PAST = (Status.SUPERSEDED, Status.ARCHIVED, Status.INVALIDATED)
# What waits for a person, or was turned down, never happened as far as anybody said.
_TOLD = frozenset((*_PRESENT, *_PAST, Status.MERGED))
_MOST_MATCHES = 500  # of the words of a topic; more would bury what has to do with it
_MOST_STEPS = 50  # from one replacement to the next
_LEAST_FOR_PEAKS = 3
_MOST_PEAKS = 3
_BUSIER = 1.5  # times the mean of all periods: below, a period is like the others
_PEAK_UNITS = (("day", timedelta(days=31)), ("week", timedelta(days=183)))
_UNIT_LENGTHS = {"day": timedelta(days=1), "week": timedelta(days=7), "month": timedelta(days=30)}


@dataclass(frozen=True, slots=True)
class Span:
    """The time asked about; an end that is not named is open."""

    since: datetime | None = None
    until: datetime | None = None

    def holds(self, moment: datetime) -> bool:
        """Whether a moment lies in it."""
        is_late_enough = self.since is None or moment >= self.since
        return is_late_enough and (self.until is None or moment < self.until)


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """One wording of one memory in its place in time."""

    memory: Memory  # as it was while it had this wording
    at: datetime  # when it happened; of a later wording, when it was given
    standing: str  # its status, or "reworded"
    replaces: tuple[str, ...] = ()  # labels of memories it replaced; a wording as "mem-0001 v1"
    replaced_by: str | None = None
    ended_at: datetime | None = None
    reason: str = ""  # why it was reworded, replaced or archived

    @property
    def is_current(self) -> bool:
        """Whether it still stands."""
        return self.standing in _PRESENT

    @property
    def place(self) -> tuple[datetime, int, int]:
        """Where it comes in order of time."""
        return self.at, self.memory.number, self.memory.version


@dataclass(frozen=True, slots=True)
class Peak:
    """A day, week or month in which more happened than in most others."""

    start: datetime
    end: datetime
    count: int


class Timeline(list[TimelineEntry]):
    """What happened around a topic, oldest first, and when most of it did."""

    @property
    def peaks(self) -> list[Peak]:
        """The busiest days, weeks or months, the busiest first."""
        return find_peaks([entry.at for entry in self])


def find_peaks(moments: Sequence[datetime]) -> list[Peak]:
    """The periods that hold clearly more moments than the others: at most three.

    Counted by days within a month, by weeks within half a year, and by months beyond.
    """
    if len(moments) < _LEAST_FOR_PEAKS:
        return []
    length = max(moments) - min(moments)
    unit = next((name for name, most in _PEAK_UNITS if length <= most), "month")
    counts = Counter(_period_start(moment, unit) for moment in moments)
    periods = max(len(counts), length // _UNIT_LENGTHS[unit] + 1)
    mean = len(moments) / periods
    busy = [
        Peak(start, shifted(start, unit, 1), count)
        for start, count in counts.items()
        if count > 1 and count >= _BUSIER * mean
    ]
    return sorted(busy, key=lambda peak: (-peak.count, peak.start))[:_MOST_PEAKS]


def _period_start(moment: datetime, unit: str) -> datetime:
    # The calendar of `language` may leave the zone out.
    return unit_period(unit, moment.astimezone(UTC)).start.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Matches:
    """Finds memories by the words of a topic whatever became of them, through one reach."""

    transaction: Transaction
    database: Database
    reach: Reach

    def of(self, question: Question, statuses: Sequence[Status]) -> list[Memory]:
        """The best matches among memories of at most three statuses."""
        if not question.terms:
            return []
        wanted: dict[str, Value] = {
            f"status_{index}": status.value for index, status in enumerate(statuses)
        }
        types: dict[str, Value] = {
            f"type_{index}": each.value for index, each in enumerate(MemoryType)
        }
        parameters: Mapping[str, Value] = {
            **reach_parameters(self.reach), **question.moments.parameters(),
            **question.filters.parameters(), **wanted, **types,
            "valid_after": -FOREVER,  # what has ceased to hold happened all the same
            **self._matching(question),
        }  # fmt: skip
        return [memory_from_row(row) for row in self.transaction.rows("search_text", parameters)]

    def of_the_past(self, question: Question) -> list[Memory]:
        """The best matches among states that are past: what memories once said."""
        if not question.terms:
            return []
        parameters = {**reach_parameters(self.reach), **self._matching(question)}
        found = self.transaction.rows("search_past_states", parameters)
        return [memory_from_row(row) for row in found]

    def _matching(self, question: Question) -> dict[str, Value]:
        tokens = [term.tokens for term in question.terms]
        return {
            "match": self.database.match_expression(tokens),
            "word_weight": WORD_WEIGHT,
            "fragment_weight": FRAGMENT_WEIGHT,
            "limit": _MOST_MATCHES,
        }


def timeline(
    question: Question, found: RecallResult, see: StoreReader, matches: Matches
) -> list[TimelineEntry]:
    """Every wording that has to do with a topic, what has most to do with it first."""
    about = _about(question, found, see, matches)
    whole = _with_replacements(about, see)
    told = _without_doubles(whole, see)
    by_id = {memory.id: memory for memory in told}
    replaced = _replaced(told)
    now = question.moments.now
    return [
        entry for memory in told for entry in _wordings(memory, see, by_id, replaced, now)
    ]  # fmt: skip


def _about(
    question: Question, found: RecallResult, see: StoreReader, matches: Matches
) -> list[Memory]:
    """What has enough of the topic in it: by words whatever became of it, else if recalled."""
    words = question_words(question.text)
    needed = -(-len(words) // 2)
    by_words = [*matches.of(question, _PRESENT), *matches.of(question, _PAST)]
    covered = sorted(
        ((_covered(words.values(), memory), memory) for memory in by_words),
        key=lambda pair: -pair[0],
    )
    near = [
        hit.memory
        for hit in found
        if hit.probability >= UNKNOWN_BELOW or _covered(words.values(), hit.memory) >= needed
    ]
    told = [memory for count, memory in covered if count >= max(needed, 1)]
    once = {
        memory.number
        for memory in matches.of_the_past(question)
        if _covered(words.values(), memory) >= max(needed, 1)
    } - {memory.number for memory in (*told, *near)}
    # A memory that was taken back has no present state, and what is held is not told.
    reworded = [memory for memory in map(see.current, sorted(once)) if memory is not None]
    allowed = [memory for memory in reworded if memory.status in _TOLD]
    return list({memory.number: memory for memory in [*told, *near, *allowed]}.values())


def _covered(words: Iterable[Term], memory: Memory) -> int:
    said = " ".join(filter(None, (memory.content, memory.subject, memory.speaker)))
    return len(standing_terms(list(words), said))


def _with_replacements(memories: Sequence[Memory], see: StoreReader) -> list[Memory]:
    """The memories with those that replaced them and that they replaced, step by step."""
    known = {memory.number: memory for memory in memories}
    latest = list(memories)
    for _ in range(_MOST_STEPS):
        found = {
            other.number: other
            for memory in latest
            for other in _beside(memory, see)
            if other.number not in known and other.status in _TOLD
        }
        if not found:
            break
        known.update(found)
        latest = list(found.values())
    return list(known.values())


def _beside(memory: Memory, see: StoreReader) -> Iterator[Memory]:
    if memory.superseded_by and (successor := see.memory(memory.superseded_by)):
        yield successor
    for number in sorted(see.replaced_by(memory.id)):
        if earlier := see.current(number):
            yield earlier


def _without_doubles(memories: Sequence[Memory], see: StoreReader) -> list[Memory]:
    """Without the turns of which a statement is told already."""
    drawn = [memory.number for memory in memories if memory.is_drawn]
    sources = see.turns.source_numbers(drawn) if drawn else {}
    turns = {number for found in sources.values() for number in found}
    return [memory for memory in memories if memory.number not in turns]


def _replaced(memories: Iterable[Memory]) -> dict[MemoryId, tuple[str, ...]]:
    """What each memory replaced, by labels."""
    found: dict[MemoryId, tuple[str, ...]] = {}
    for memory in memories:
        if memory.superseded_by:
            earlier = found.get(memory.superseded_by, ())
            found[memory.superseded_by] = (*earlier, memory.label)
    return found


def _wordings(
    memory: Memory,
    see: StoreReader,
    by_id: Mapping[MemoryId, Memory],
    replaced: Mapping[MemoryId, tuple[str, ...]],
    now: datetime,
) -> Iterator[TimelineEntry]:
    """A memory's wordings in their order; most have one, and need no look at their past."""
    if memory.version == 1 and memory.status in _PRESENT:
        present = as_seen(memory, now)
        yield TimelineEntry(
            present, _began(memory), present.status.value, replaced.get(memory.id, ())
        )  # fmt: skip
        return
    spans = _spans(see.history(memory.id))
    before: tuple[str, ...] = replaced.get(memory.id, ())
    for span, following in pairwise([*spans, None]):
        if span is None:
            return
        first, last = span[0], span[-1]
        at = _began(first.memory) if first is spans[0][0] else first.change.at
        if following is not None:
            ended = following[0].change
            yield TimelineEntry(
                last.memory, at, REWORDED, before, _wording(following[0].memory), ended.at,
                ended.reason,
            )  # fmt: skip
            before = (_wording(last.memory),)
        else:
            yield _last(as_seen(last.memory, now), last, at, before, by_id)


def _last(
    memory: Memory,
    entry: HistoryEntry,
    at: datetime,
    before: tuple[str, ...],
    by_id: Mapping[MemoryId, Memory],
) -> TimelineEntry:
    """The wording that a memory has now, or had when it was retired."""
    if memory.status in _PRESENT:
        return TimelineEntry(memory, at, memory.status.value, before)
    successor = by_id.get(memory.superseded_by) if memory.superseded_by else None
    return TimelineEntry(
        memory, at, memory.status.value, before, successor.label if successor else None,
        memory.valid_until or entry.change.at, entry.change.reason,
    )  # fmt: skip


def _spans(history: Sequence[HistoryEntry]) -> list[list[HistoryEntry]]:
    """The states that were told and not taken back since, put together by wording."""
    spans: list[list[HistoryEntry]] = []
    for entry in history:
        if entry.memory.status not in _TOLD or entry.change.undone_by is not None:
            continue
        if spans and spans[-1][-1].memory.content == entry.memory.content:
            spans[-1].append(entry)
        else:
            spans.append([entry])
    return spans


def _began(memory: Memory) -> datetime:
    return memory.valid_from or memory.at


def _wording(memory: Memory) -> str:
    return f"{memory.label} v{memory.version}"
