"""Which statements are retired or linked by later ones, rightly and wrongly.

- updates: pairs of the test part, the first and then the later statement, in a store with
  statements about other things, through `remember(wait=True)` and through `observe`.
- retired: the small stores, and everything that is said in the test part in a row.
- past-events: dated events of the past, which happened whatever is told later.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice

from engram.evaluation.conversations import Turn
from engram.evaluation.corpus import Pair, sample
from engram.evaluation.task_report import ENGRAM, Bar, Figure, TaskLine, TaskReport, Unit, counted
from engram.evaluation.truth_stores import (
    Replacement,
    Replacements,
    StoreTrial,
    Tick,
    Truth,
    hear,
    replacements_in,
    report,
    share,
)

OTHERS = 20
MIXED_TURNS = 5_000
PAST_EVENTS = 960
_BATCH = 48
_FIRST_AT = datetime(2026, 2, 2, 9, tzinfo=UTC)
_LATER_AT = _FIRST_AT + timedelta(days=30)
_MOST_EXAMPLES = 20
REMEMBER, OBSERVE = "remember", "observe"
_ENGLISH = "en"
UPDATE_BARS = (Bar("caught", 0.75), Bar("retired", 0.50))
RETIRED_BARS = (
    Bar("wrongly retired", 0.005, is_least=False),
    Bar("wrongly linked", 0.10, is_least=False),
)
PAST_BARS = (Bar("retired", 0.0, is_least=False), Bar("wrongly linked", 0.10, is_least=False))


@dataclass(frozen=True, slots=True)
class Batch:
    """Pairs of different topics that share a store, and what else is in it."""

    pairs: tuple[Pair, ...]
    others: tuple[Pair, ...]  # of topics that no pair has; only their first statements


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one pair."""

    pair: Pair
    is_retired: bool
    is_linked: bool
    is_kept: bool  # both sides are statements; only these can be compared


@dataclass
class UpdateScore:
    """What became of many pairs, and of statements about other things beside them."""

    verdicts: list[Verdict]
    statements: int = 0
    others_retired: int = 0
    others_linked: int = 0


def measure_updates(truth: Truth, tick: Tick) -> TaskReport:
    """How many changes are caught, by both ways in."""
    pairs = sample(truth.corpus.pairs(), truth.limit)
    batches = list(batches_of(pairs))
    lines, bars, examples, done = [], {}, [], 0
    tick(0, 2 * len(pairs))
    for way, judge in ((REMEMBER, _judge_remembered), (OBSERVE, _judge_observed)):
        score = UpdateScore([])
        for batch in batches:
            judge(truth, batch, score)
            done += len(batch.pairs)
            tick(done, 2 * len(pairs))
        english = [each for each in score.verdicts if each.pair.language == _ENGLISH]
        lines.append(_update_line(way, score.verdicts, score))
        if 0 < len(english) < len(score.verdicts):
            lines.append(_update_line(f"{way}, English", english, score))
        bars[way] = UPDATE_BARS
        examples += [
            f"{way}: {each.pair.name} {each.pair.relation}: retired"
            for each in score.verdicts
            if each.is_retired and not each.pair.is_change
        ]
    material = f"{counted(len(pairs), 'pair')}, each beside at least {OTHERS} other statements"
    return report("updates", material, lines, bars, examples[:_MOST_EXAMPLES])


def batches_of(pairs: Sequence[Pair]) -> Iterator[Batch]:
    """All pairs, so that no two of a store are of one topic and each has others beside it."""
    waiting: dict[str, list[Pair]] = {}
    for pair in pairs:
        waiting.setdefault(pair.topic, []).append(pair)
    while waiting:
        topics = sorted(waiting, key=lambda topic: (-len(waiting[topic]), topic))[: OTHERS + 1]
        chosen = [waiting[topic].pop(0) for topic in topics]
        waiting = {topic: rest for topic, rest in waiting.items() if rest}
        spare = (pair for pair in pairs if pair.topic not in topics)
        yield Batch(tuple(chosen), tuple(islice(spare, OTHERS + 1 - len(chosen))))


def _judge_remembered(truth: Truth, batch: Batch, score: UpdateScore) -> None:
    with truth.open() as engram:
        firsts = [
            {"text": each.first, "speaker": each.speaker, "at": _FIRST_AT, "reference": each.name}
            for each in (*batch.pairs, *batch.others)
        ]
        engram.remember_many([_given(each) for each in firsts], wait=True)
        for pair in batch.pairs:
            engram.remember(
                pair.later, speaker=pair.later_speaker, at=_LATER_AT,
                reference=_later(pair), wait=True,
            )  # fmt: skip
        _add(score, batch, replacements_in(engram))


def _judge_observed(truth: Truth, batch: Batch, score: UpdateScore) -> None:
    with truth.open() as engram:
        hear(engram, [_first_turn(each) for each in (*batch.pairs, *batch.others)])
        hear(engram, [turn for each in batch.pairs for turn in _later_turns(each)])
        _add(score, batch, replacements_in(engram))


def _first_turn(pair: Pair) -> Turn:
    return Turn(pair.name, f"{pair.name} 1", _FIRST_AT, pair.speaker, "user", pair.first)


def _later_turns(pair: Pair) -> Iterator[Turn]:
    session = f"{pair.name} 2"
    if pair.before is not None:
        asked_at = _LATER_AT - timedelta(minutes=1)
        yield Turn(f"{pair.name} before", session, asked_at, None, "assistant", pair.before)
    yield Turn(_later(pair), session, _LATER_AT, pair.later_speaker, "user", pair.later)


def _later(pair: Pair) -> str:
    return f"{pair.name} later"


def _given(item: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in item.items() if value is not None}


def _add(score: UpdateScore, batch: Batch, found: Replacements) -> None:
    def has(changes: Sequence[Replacement], pair: Pair) -> bool:
        return any(pair.name in old and _later(pair) in new for old, new in changes)

    def beside(changes: Sequence[Replacement]) -> int:
        own = {(pair.name, _later(pair)) for pair in batch.pairs}
        return sum(
            not any((first, later) in own for first in old for later in new) for old, new in changes
        )

    score.verdicts += [
        Verdict(
            pair,
            has(found.retired, pair),
            has(found.linked, pair),
            found.kept >= {pair.name, _later(pair)},
        )
        for pair in batch.pairs
    ]
    score.statements += found.statements
    score.others_retired += beside(found.retired)
    score.others_linked += beside(found.linked)


def _update_line(part: str, judged: Sequence[Verdict], score: UpdateScore) -> TaskLine:
    changes = [each for each in judged if each.pair.is_change]
    rest = [each for each in judged if not each.pair.is_change]
    retired = sum(each.is_retired for each in changes)
    caught = sum(each.is_retired or each.is_linked for each in changes)
    return TaskLine(
        ENGRAM,
        part,
        len(changes),
        (
            Figure("caught", share(caught, len(changes))),
            Figure("retired", share(retired, len(changes))),
            Figure("both kept", share(sum(each.is_kept for each in changes), len(changes))),
            Figure("no change", len(rest), Unit.COUNT),
            Figure("of these retired", share(sum(each.is_retired for each in rest), len(rest))),
            Figure("linked", share(sum(each.is_linked for each in rest), len(rest))),
            Figure("others retired", share(score.others_retired, score.statements)),
            Figure("others linked", share(score.others_linked, score.statements)),
        ),
    )


def measure_retired(truth: Truth, tick: Tick) -> TaskReport:
    """How many statements are wrongly retired, of all that are stored."""
    trials = truth.alone(tick)
    labelled = truth.corpus.changes()
    alone = [_with_gold(each.replacements, [each], labelled) for each in trials]
    turns = mixed_chat(truth)
    with truth.open() as engram:
        hear(engram, turns)
        mixed = _with_gold(replacements_in(engram), trials, labelled)
    parts = {"each store alone": alone, "mixed chat": [mixed]}
    lines = [_retired_line(part, found) for part, found in parts.items()]
    examples = [
        f"{part}: {sorted(old)} by {sorted(new)}"
        for part, found in parts.items()
        for each in found
        for old, new in each.retired_wrongly
    ]
    material = f"{counted(len(trials), 'store')}; {counted(len(turns), 'turn')} in a row"
    bars = dict.fromkeys(parts, RETIRED_BARS)
    return report("retired", material, lines, bars, examples[:_MOST_EXAMPLES])


def mixed_chat(truth: Truth) -> list[Turn]:
    """All turns and stores of the test part in a row, by the time they were said; none twice."""
    said = [each.turn for each in sample(truth.corpus.turns(), truth.limit)]
    said += [turn for store in truth.stores for turn in store.turns]
    return sorted(said[:MIXED_TURNS], key=lambda turn: turn.at)


@dataclass(frozen=True, slots=True)
class _Judged:
    statements: int
    retired: int
    retired_wrongly: tuple[Replacement, ...]
    linked_wrongly: tuple[Replacement, ...]


def _with_gold(
    found: Replacements, trials: Sequence[StoreTrial], labelled: Set[tuple[str, str]]
) -> _Judged:
    changes = labelled | {
        (stale, later)
        for trial in trials
        for asked in trial.store.questions
        for stale in asked.stale
        for later in asked.evidence | asked.stale
        if stale != later
    }

    def wrong(many: Sequence[Replacement]) -> tuple[Replacement, ...]:
        return tuple(
            (old, new)
            for old, new in many
            if not any((first, later) in changes for first in old for later in new)
        )

    return _Judged(found.statements, len(found.retired), wrong(found.retired), wrong(found.linked))


def _retired_line(part: str, found: Sequence[_Judged]) -> TaskLine:
    statements = sum(each.statements for each in found)
    linking = sum(len({new for _, new in each.linked_wrongly}) for each in found)
    retired = sum(each.retired for each in found)
    wrongly = sum(len(each.retired_wrongly) for each in found)
    return TaskLine(
        ENGRAM,
        part,
        statements,
        (
            Figure("retired", retired, Unit.COUNT),
            Figure("wrongly retired", share(wrongly, statements)),
            Figure("wrongly linked", share(linking, statements)),
        ),
    )


_PEOPLE = (
    "Elena", "Marcus", "Aiko", "Tobias", "Nadia", "Rafael", "Ingrid", "Samuel", "Priya", "Oskar",
)  # fmt: skip
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_YEARS = (2021, 2022, 2023, 2024, 2025)
_PLACES = ("Osaka", "Berlin", "Lisbon", "Oslo", "Quito", "Tallinn", "Perth", "Leeds")
_PASTS = (
    "moved to {place}",
    "started a new job in {place}",
    "bought a flat in {place}",
    "opened a bakery in {place}",
    "ran the marathon in {place}",
    "left the choir in {place}",
    "sold the boat in {place}",
    "got married in {place}",
    "visited an aunt in {place}",
    "had an operation in {place}",
    "was elected chair of the club in {place}",
    "switched schools in {place}",
)


def past_events(count: int) -> list[str]:
    """Dated events of the past, each once; the dates follow no order."""
    found: dict[str, None] = {}
    number = 0
    while len(found) < count:
        past = _PASTS[number % len(_PASTS)].format(place=_PLACES[(number * 5 + 3) % len(_PLACES)])
        person = _PEOPLE[(number // len(_PASTS)) % len(_PEOPLE)]
        month = _MONTHS[(number * 7 + number // 60) % len(_MONTHS)]
        year = _YEARS[(number * 3 + number // 35) % len(_YEARS)]
        orders = (
            f"{person} {past} in {month} {year}.",
            f"In {month} {year}, {person} {past}.",
            f"{person} {past}; that was in {month} {year}.",
        )
        found[orders[(number // 4) % len(orders)]] = None
        number += 1
    return list(found)


def measure_past_events(truth: Truth, tick: Tick) -> TaskReport:
    """How many dated events of the past are retired or linked by others: none should be."""
    events = past_events(min(truth.limit or PAST_EVENTS, PAST_EVENTS))
    items = [{"text": text, "reference": str(place)} for place, text in enumerate(events)]
    tick(0, len(items))
    with truth.open() as engram:
        for start in range(0, len(items), _BATCH):
            batch = [{**item, "at": _FIRST_AT} for item in items[start : start + _BATCH]]
            engram.remember_many(batch, wait=True)
            tick(min(start + _BATCH, len(items)), len(items))
        found = replacements_in(engram)
    figures = (
        Figure("retired", len(found.retired), Unit.COUNT),
        Figure("wrongly linked", share(len({new for _, new in found.linked}), len(items))),
    )
    line = TaskLine(ENGRAM, "all", len(items), figures)
    examples = [f"{events[int(min(old))]} / {events[int(min(new))]}" for old, new in found.retired]
    material = f"{counted(len(items), 'dated event')} in batches of {_BATCH}"
    return report("past-events", material, [line], {"all": PAST_BARS}, examples[:_MOST_EXAMPLES])
