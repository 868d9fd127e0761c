"""Whether the answer shown is the current one, and whether recall knows what it does not know.

- current: questions of the small stores whose answer has changed.
- confidence: what is called confident and unknown, each store alone and all of them in one.
- crowd: facts that answer, among 0 to 100,000 other turns.
- asked: everyday facts asked for in other words.
- languages: small stores in other languages.
"""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path

from engram.engine import Engram
from engram.evaluation.conversations import Asked, Conversation, Turn
from engram.evaluation.corpus import PARTS, AskedFact, sample
from engram.evaluation.metrics import is_current_first
from engram.evaluation.put_in import observed
from engram.evaluation.task_report import ENGRAM, Bar, Figure, TaskLine, TaskReport, Unit, counted
from engram.evaluation.truth_stores import (
    CONFIDENT,
    UNKNOWN,
    Answered,
    StoreTrial,
    Tick,
    Truth,
    ask,
    ask_all,
    hear,
    report,
    share,
)
from engram.language.stems import stem

ALONE, TOGETHER = "each store alone", "all in one store"
_ENGLISH = "en"
_BINS = 10
_FIRST_HITS = 3  # an answer below these is not seen as one
_STORE_OF = 30
_OTHER_TURNS = 300
_CROWD_FACTS = 50
CROWDS = (0, 500, 5_000)
LARGEST_CROWD = 100_000
_READ_AT_MOST = 500  # of the others; the rest are kept as turns, which is what takes no hour
_SHARED_STEMS = 2
_LEAST_LETTERS = 4
_MOST_EXAMPLES = 40

CURRENT_BARS = (Bar("before stale", 0.95),)
CONFIDENCE_BARS = (
    Bar("unanswerable confident", 0.10, is_least=False),
    Bar("answerable unknown", 0.05, is_least=False),
    Bar("answerable confident", 0.70),
    Bar("calibration error", 0.08, is_least=False),
)
CROWD_BARS = (Bar("confident", 0.90),)
ASKED_BARS = {
    "30 facts": (Bar("first", 0.88), Bar("confident", 0.75)),
    "among 300 turns": (Bar("first", 0.80), Bar("confident", 0.65)),
}
LANGUAGE_BARS = (Bar("updates", 0.75), Bar("unknowns", 0.75))


def measure_current(truth: Truth, tick: Tick) -> TaskReport:
    """Whether what holds now is shown first, where the store holds what held before too."""
    answers = [each for trial in truth.alone(tick) for each in trial.answers if each.asked.stale]
    english = [each for each in answers if each.asked.category == _ENGLISH]
    lines = [_current_line("all", answers)]
    if 0 < len(english) < len(answers):
        lines.append(_current_line("English", english))
    wrong = [each.asked.id for each in answers if not _is_first_current(each)]
    material = f"{counted(len(answers), 'question')} whose answer has changed"
    return report("current", material, lines, {"all": CURRENT_BARS}, wrong[:_MOST_EXAMPLES])


def _current_line(part: str, answers: Sequence[Answered]) -> TaskLine:
    told = [_is_current(each) for each in answers]
    judged = [each for each in told if each is not None]
    both = [
        each
        for each in answers
        if not each.asked.stale.isdisjoint(each.ranked)
        and not _current(each).isdisjoint(each.ranked)
    ]
    return TaskLine(
        ENGRAM,
        part,
        len(answers),
        (
            Figure("before stale", share(sum(judged), len(judged))),
            Figure("first hit current", share(sum(map(_is_first_current, answers)), len(answers))),
            Figure("both shown", share(len(both), len(answers))),
            Figure("of these before", share(sum(bool(_is_current(e)) for e in both), len(both))),
        ),
    )


def _current(answer: Answered) -> frozenset[str]:
    return answer.asked.evidence - answer.asked.stale


def _is_current(answer: Answered) -> bool | None:
    return is_current_first(answer.ranked, answer.asked.evidence, answer.asked.stale)


def _is_first_current(answer: Answered) -> bool:
    first = frozenset(answer.hits[0]) if answer.hits else frozenset()
    return not first.isdisjoint(_current(answer)) and first.isdisjoint(answer.asked.stale)


def measure_confidence(truth: Truth, tick: Tick) -> TaskReport:
    """What is called confident and unknown, and whether confidence means what it says."""
    alone = [each for trial in truth.alone(tick) for each in trial.answers]
    with truth.open() as engram:
        hear(engram, [turn for store in truth.stores for turn in store.turns])
        together = [each for store in truth.stores for each in ask_all(engram, store)]
    lines = []
    for part, answers in ((ALONE, alone), (TOGETHER, together)):
        english = [each for each in answers if each.asked.category == _ENGLISH]
        lines.append(confidence_line(part, answers))
        if 0 < len(english) < len(answers):
            lines.append(confidence_line(f"{part}, English", english))
    bars = {ALONE: CONFIDENCE_BARS, TOGETHER: CONFIDENCE_BARS}
    wrong = [
        f"{each.asked.id} {each.assessment}"
        for each in alone
        if each.assessment == (UNKNOWN if each.asked.is_answerable else CONFIDENT)
    ]
    material = f"{counted(len(truth.stores), 'store')}, {counted(len(alone), 'question')}"
    return report("confidence", material, lines, bars, wrong[:_MOST_EXAMPLES])


def confidence_line(part: str, answers: Sequence[Answered]) -> TaskLine:
    """The figures of confidence over some answers."""
    known = [each for each in answers if each.asked.is_answerable]
    others = [each for each in answers if not each.asked.is_answerable]
    return TaskLine(
        ENGRAM,
        part,
        len(answers),
        (
            Figure("unanswerable confident", _called(others, CONFIDENT)),
            Figure("answerable unknown", _called(known, UNKNOWN)),
            Figure("answerable confident", _called(known, CONFIDENT)),
            Figure("calibration error", calibration_error(answers)),
            Figure("unanswerable", len(others), Unit.COUNT),
            Figure("answer in first 3", share(sum(map(has_answer, known)), len(known))),
        ),
    )


def _called(answers: Sequence[Answered], assessment: str) -> float:
    return share(sum(each.assessment == assessment for each in answers), len(answers))


def has_answer(answer: Answered) -> bool:
    """Whether an answer stands among the first hits."""
    first = {reference for hit in answer.hits[:_FIRST_HITS] for reference in hit}
    return answer.asked.is_answerable and not answer.asked.evidence.isdisjoint(first)


def calibration_error(answers: Sequence[Answered]) -> float:
    """How far confidence is from the share of answers that are there, over ten bins."""
    bins: list[list[Answered]] = [[] for _ in range(_BINS)]
    for each in answers:
        bins[min(int(each.confidence * _BINS), _BINS - 1)].append(each)
    gaps = (
        abs(sum(each.confidence for each in found) - sum(map(has_answer, found)))
        for found in bins
        if found
    )
    return sum(gaps) / len(answers) if answers else 0.0


def measure_crowd(truth: Truth, tick: Tick) -> TaskReport:
    """Whether a fact that answers is called confident, however much else is in the store."""
    facts = _crowd_facts(truth)
    crowds = (*CROWDS, LARGEST_CROWD) if truth.is_full else CROWDS
    lines = []
    tick(0, len(crowds))
    for done, others in enumerate(crowds, start=1):
        found = list(_alone(truth, facts) if not others else _among(truth, facts, others))
        right = sum(_is_found(each) for each in found)
        figures = (
            Figure("confident", _called(found, CONFIDENT)),
            Figure("first", share(right, len(found))),
        )
        lines.append(TaskLine(ENGRAM, f"{others:,} others", len(found), figures))
        tick(done, len(crowds))
    material = f"{counted(len(facts), 'fact')} whose question shares words with it"
    return report("crowd", material, lines, {line.part: CROWD_BARS for line in lines})


def _is_found(answer: Answered) -> bool:
    return bool(answer.hits) and not answer.asked.evidence.isdisjoint(answer.hits[0])


def _crowd_facts(truth: Truth) -> list[tuple[Conversation, Asked]]:
    """English questions with one turn that answers, of which it shares two stems."""
    found = []
    for store in truth.corpus.stores():
        text_of = {turn.id: turn.text for turn in store.turns}
        for asked in store.questions:
            if asked.category != _ENGLISH or asked.stale or len(asked.evidence) != 1:
                continue
            (evidence,) = asked.evidence
            if len(_stems(asked.text) & _stems(text_of[evidence])) >= _SHARED_STEMS:
                turn = next(each for each in store.turns if each.id == evidence)
                found.append((Conversation(store.name, (turn,), (asked,)), asked))
    return sample(found, min(truth.limit or _CROWD_FACTS, _CROWD_FACTS))


def _stems(text: str) -> set[str]:
    words = ("".join(filter(str.isalnum, word)).lower() for word in text.split())
    return {stem(word) for word in words if len(word) >= _LEAST_LETTERS}


def _alone(truth: Truth, facts: Sequence[tuple[Conversation, Asked]]) -> Iterator[Answered]:
    for store, asked in facts:
        with truth.open() as engram:
            hear(engram, store.turns)
            yield ask(engram, asked, store)


def _among(
    truth: Truth, facts: Sequence[tuple[Conversation, Asked]], others: int
) -> Iterator[Answered]:
    topics = {store.name for store, _ in facts}
    with truth.open() as engram:
        hear(engram, [turn for store, _ in facts for turn in store.turns])
        fillers = filler_turns(truth, others, without=topics)
        hear(engram, fillers[:_READ_AT_MOST])
        for each in fillers[_READ_AT_MOST:]:
            keep_unread(engram, each)
        engram.settle()
        yield from (ask(engram, asked, store) for store, asked in facts)


def keep_unread(engram: Engram, turn: Turn) -> None:
    """Keep a turn as it is: handed in with its facts, of which it has none, nobody reads it."""
    arguments = {name: value for name, value in observed(turn).items() if name != "text"}
    engram.observe(turn.text, facts=(), **arguments)  # type: ignore[arg-type]  # as observed gives


def filler_turns(truth: Truth, count: int, *, without: Iterable[str] = ()) -> list[Turn]:
    """That many turns of the corpus; from the second round on by other speakers."""
    left_out = set(without)
    corpus = truth.corpus
    said = [each.turn for part in PARTS for each in corpus.turns(part)]
    said += [
        turn
        for part in PARTS
        for store in corpus.stores(part)
        if store.name not in left_out
        for turn in store.turns
    ]
    if not said:
        return []
    return [_again(said[place % len(said)], place // len(said)) for place in range(count)]


def _again(turn: Turn, times: int) -> Turn:
    if not times:
        return turn
    return Turn(
        f"{turn.id} #{times}", f"{turn.session} #{times}", turn.at - timedelta(days=times),
        f"{turn.speaker or 'Somebody'} {times}", turn.role, turn.text,
    )  # fmt: skip


def measure_asked(truth: Truth, tick: Tick) -> TaskReport:
    """Whether everyday facts are found by questions that share no word with them."""
    facts = sample(truth.corpus.asked(), truth.limit)
    batches = [facts[start : start + _STORE_OF] for start in range(0, len(facts), _STORE_OF)]
    small, crowded = list(ASKED_BARS)
    found: dict[str, list[Answered]] = {small: [], crowded: []}
    tick(0, 2 * len(facts))
    with truth.folder() as folder:
        turns = sample([each.turn for each in truth.corpus.turns()], _OTHER_TURNS)
        with truth.open(folder / "turns") as engram:
            hear(engram, turns)
        for batch in batches:
            found[small] += _ask_batch(truth, folder / small, batch)
            shutil.copytree(folder / "turns", folder / crowded)
            found[crowded] += _ask_batch(truth, folder / crowded, batch)
            tick(sum(map(len, found.values())), 2 * len(facts))
    lines = [_asked_line(part, answers) for part, answers in found.items()]
    wrong = [each.asked.id for each in found[small] if not _is_found(each)]
    material = f"{counted(len(facts), 'fact')}; {counted(len(turns), 'other turn')}"
    return report("asked", material, lines, ASKED_BARS, wrong[:_MOST_EXAMPLES])


def _ask_batch(truth: Truth, place: Path, batch: Sequence[AskedFact]) -> list[Answered]:
    with truth.open(place) as engram:
        items = [{"text": each.fact, "reference": each.name} for each in batch]
        engram.remember_many(items, wait=True)
        found = []
        for each in batch:
            asked = Asked(
                each.name, each.question, _ENGLISH, frozenset({each.name}), frozenset(), True
            )
            result = engram.recall(each.question)
            hits = tuple(hit.references for hit in result)
            found.append(Answered(asked, hits, result.confidence, result.assessment))
    shutil.rmtree(place)
    return found


def _asked_line(part: str, answers: Sequence[Answered]) -> TaskLine:
    right = sum(map(_is_found, answers))
    return TaskLine(
        ENGRAM,
        part,
        len(answers),
        (
            Figure("first", share(right, len(answers))),
            Figure("confident", _called(answers, CONFIDENT)),
            Figure("unknown", _called(answers, UNKNOWN)),
        ),
    )


def measure_languages(truth: Truth, tick: Tick) -> TaskReport:
    """Updates and unknowns in languages other than English."""
    trials = truth.languages(tick)
    by_language: dict[str, list[StoreTrial]] = {}
    for trial in trials:
        by_language.setdefault(trial.store.questions[0].category, []).append(trial)
    lines = [_language_line(name, found) for name, found in sorted(by_language.items())]
    material = counted(len(trials), "store")
    return report("languages", material, lines, {line.part: LANGUAGE_BARS for line in lines})


def _language_line(language: str, trials: Sequence[StoreTrial]) -> TaskLine:
    answers = [each for trial in trials for each in trial.answers]
    changed = [_is_current(each) for each in answers if each.asked.stale]
    judged = [each for each in changed if each is not None]
    known = [each for each in answers if each.asked.is_answerable]
    others = [each for each in answers if not each.asked.is_answerable]
    return TaskLine(
        ENGRAM,
        language,
        len(trials),
        (
            Figure("updates", share(sum(judged), len(judged))),
            Figure("unknowns", 1 - _called(others, CONFIDENT)),
            Figure("answerable confident", _called(known, CONFIDENT)),
            Figure("answerable unknown", _called(known, UNKNOWN)),
            Figure("changed", len(judged), Unit.COUNT),
            Figure("unanswerable", len(others), Unit.COUNT),
        ),
    )
