"""The time a question is about, when it has to be looked up, and what memories lie in it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np

from engram.language.sentences import split_sentences
from engram.language.when.lexicons import lexicon_of
from engram.language.when.spans import EARLIEST, LATEST, TimeSpan, find_times
from engram.memory.record import Memory
from engram.recall.events import Relation
from engram.recall.gather import Asked, candidates
from engram.recall.plan import Plan, plan_question
from engram.recall.question import Question
from engram.recall.selection import Selection
from engram.storage.reader import StoreReader
from engram.text.calendar import DAYS, Grain

_LEAST_COVERAGE = 0.5  # of the words of an event, in the memory that tells of it
_MOST_READ = 50  # memories that tell of one event
_GAP = timedelta(days=3)  # what is told of an event after a longer break is told of another one
_DAY = timedelta(days=1)
_BRIEF = (*DAYS, Grain.HOUR, Grain.MINUTE)


def with_event(plan: Plan, selection: Selection, question: Question, see: StoreReader) -> Plan:
    """The plan with the time of the event it counts from, by the memories that tell of it best."""
    if plan.event is None:
        return plan
    event = plan_question(plan.event.event, selection.people, question.moments.instant)
    found = candidates(replace(event, asks_for_time=False), selection, Asked())
    if not len(found.rows) or found.text.coverage.max() < _LEAST_COVERAGE:
        return plan
    fits = found.text.own * found.text.coverage
    order = np.argsort(-fits, kind="stable")[:_MOST_READ]
    alike = order[found.text.coverage[order] >= found.text.coverage[order[0]]]
    states = selection.wordings.states[found.rows[alike]].tolist()
    memories = see.confirmed(states, question.moments, question.filters, question.types)
    told = [memories[state] for state in states if state in memories]
    if not told:
        return plan
    start, end = _bounds(plan.event.relation, told)
    return replace(plan, spans=(TimeSpan(start, end, plan.event.event, (0, 0), Grain.RANGE),))


def _bounds(relation: Relation, told: Sequence[Memory]) -> tuple[datetime, datetime]:
    best = _period(told[0])
    match relation:
        case Relation.SINCE:
            return best[0], LATEST
        case Relation.AFTER:
            return best[1], LATEST
        case Relation.BEFORE:
            return EARLIEST, best[0]
        case Relation.UNTIL:
            return EARLIEST, best[1]
        case Relation.DURING:
            return _whole_event([_day(_period(memory)) for memory in told])


def _period(memory: Memory) -> tuple[datetime, datetime]:
    """When what a memory tells of was: the first time it names, else when it was said."""
    times = (span for span in find_times(memory.content, memory.at) if not span.is_open)
    first = next(times, None)
    return (memory.at, memory.at) if first is None else (first.start, first.end)


def _day(period: tuple[datetime, datetime]) -> tuple[datetime, datetime]:
    """A period that is at least a day long."""
    start, end = period
    midnight = start.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return (start, end) if end - start >= _DAY else (midnight, midnight + _DAY)


def _whole_event(periods: Sequence[tuple[datetime, datetime]]) -> tuple[datetime, datetime]:
    """The first period with those next to it."""
    start, end = periods[0]
    for first, last in sorted(periods, reverse=True):
        start = first if start - _GAP <= last and first < start else start
    for first, last in sorted(periods):
        end = last if first <= end + _GAP and last > end else end
    return start, end


def lies_in(memory: Memory, spans: Iterable[TimeSpan]) -> bool:
    """Whether a memory tells of a time within one of some times, or was said within one.

    What was said on a day and tells of another one only ("dinner tomorrow") is not of that day.
    """
    told = find_times(memory.content, memory.at, keeps_parts=True)
    times = [(time.start, time.end) for time in told]
    times += [(memory.valid_from, memory.valid_from)] if memory.valid_from else []
    days = sum(time.grain in _BRIEF and not time.is_bound for time in told)
    is_of_others = days > 0 and days >= len(split_sentences(memory.content))
    said = [(memory.at, memory.at)]
    return any(
        _lies_within(start, end, span)
        for span in spans
        for start, end in times + ([] if is_of_others and span.grain in _BRIEF else said)
    )


def _lies_within(start: datetime, end: datetime, span: TimeSpan) -> bool:
    """Whether more than half of a time lies in a span: "last night" is over after midnight."""
    is_inside = span.start <= start < span.end and end <= span.end
    return is_inside or 2 * (min(end, span.end) - max(start, span.start)) > end - start


def is_of_other_day(memory: Memory, spans: Iterable[TimeSpan]) -> bool:
    """Whether a memory tells of "tomorrow" as a question does, and meant another day by it."""
    named = {span.text.lower(): span for span in spans if _is_counted_from_now(span)}
    if not named or lies_in(memory, named.values()):
        return False
    return any(time.text.lower() in named for time in find_times(memory.content, memory.at))


def _is_counted_from_now(span: TimeSpan) -> bool:
    """Whether it is a word such as "tomorrow"; "today" says no more than that it holds now."""
    word = span.text.lower()
    tag, value = lexicon_of(word).first(word) or ("", 0)
    return tag == "E" or (tag == "J" and value != 0)
