"""The tasks beside recall: facts, speed, typed memories, dates, screening, names, contradictions.

Each is scored by the rule of its own module, beside a naive reader, and held against its bar. Those
of a hand-written corpus are in `truth`.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from engram.errors import InvalidInput
from engram.evaluation import task_contradiction as contradictions
from engram.evaluation import task_dates as dates
from engram.evaluation import task_entities as entities
from engram.evaluation import task_facts as facts
from engram.evaluation import task_lines as line_of
from engram.evaluation import task_screening as screening
from engram.evaluation.conversations import Conversation
from engram.evaluation.gold_facts import FactScore, Kept, TypeScore, score_facts, score_types
from engram.evaluation.put_in import Step
from engram.evaluation.task_capture import measure_capture
from engram.evaluation.task_report import ENGRAM, Bar, TaskLine, TaskReport, counted, verdicts
from engram.evaluation.truth import TRUTH_TASKS, can_measure
from engram.evaluation.truth_stores import Tick, Truth

FOLDER = "tasks"
EVERY_SENTENCE = "every sentence"
RULES_ALONE = "rules, no store"
_ALL, _ENGLISH, _CLAIMED = "all", "en", "claimed"
_FILES = {
    "memory-extraction": facts.TYPED_FILE,
    "dates": dates.FILE,
    "pii": screening.PERSONAL_FILE,
    "injection": screening.INJECTION_FILE,
    "entities": entities.FILE,
    "contradiction": contradictions.FILE,
}
PLAIN_TASKS = ("facts", "capture", *_FILES)
TASKS = (*PLAIN_TASKS, *TRUTH_TASKS)
OF_CONVERSATIONS = frozenset({"facts", "capture"})  # the others have a file of their own

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Material:
    """What there is to score: conversations with facts, and the folder of the files."""

    folder: Path
    conversations: tuple[Conversation, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    truth: Truth | None = None  # the hand-written corpus, where the folder is one

    def file(self, task: str) -> Path:
        """The file of a task."""
        return self.folder / FOLDER / _FILES[task]

    def has(self, task: str) -> bool:
        """Whether a task can be scored."""
        if task in TRUTH_TASKS:
            return self.truth is not None and can_measure(task, self.truth)
        return self.file(task).is_file() if task in _FILES else bool(self.conversations)


def check_names(names: Sequence[str]) -> None:
    """Refuse a task that nobody knows."""
    unknown = [name for name in names if name not in TASKS]
    if unknown:
        raise InvalidInput(
            hint=f"There is no task {', '.join(unknown)}; there are: {', '.join(TASKS)}."
        )


def run_tasks(
    material: Material, names: Sequence[str] = (), *, progress: Progress | None = None
) -> tuple[TaskReport, ...]:
    """Score the tasks that are named, or all there is material for."""
    check_names(names)
    missing = [name for name in names if not material.has(name)]
    if missing:
        raise InvalidInput(hint=f"The folder holds nothing to score {', '.join(missing)} on.")
    wanted = [task for task in TASKS if material.has(task) and (not names or task in names)]
    return tuple(_run(task, material, progress) for task in wanted)


def _run(task: str, material: Material, progress: Progress | None) -> TaskReport:
    def tick(done: int, total: int) -> None:
        if progress is not None:
            progress(task, done, total)

    started = time.perf_counter()
    if task in TRUTH_TASKS and material.truth is not None:
        report = TRUTH_TASKS[task].measure(material.truth, tick)
    else:
        report = _SCORED[task](material, tick)
    return replace(report, seconds=time.perf_counter() - started)


def _report(
    task: str, measured_on: str, lines: Sequence[TaskLine], bars: Sequence[Bar], part: str = _ALL
) -> TaskReport:
    held = line_of.first_of(lines, ENGRAM, part)
    return TaskReport(task, measured_on, tuple(lines), verdicts(held, bars))


def _counting(tick: Tick, total: int) -> Step:
    """Counts the turns of several conversations as they are read."""
    done = 0
    tick(0, total)

    def step(stage: str, count: int) -> None:
        nonlocal done
        if stage == "read":
            done += count
            tick(done, total)

    return step


def _facts(material: Material, tick: Tick) -> TaskReport:
    talks = material.conversations
    turns = sum(len(each.turns) for each in talks)
    step = _counting(tick, turns)
    kept: dict[str, list[list[Kept]]] = {
        ENGRAM: [facts.kept_by_observe(each.turns, material.settings, step) for each in talks],
        RULES_ALONE: [facts.kept_by_reading(each.turns) for each in talks],
        EVERY_SENTENCE: [facts.every_sentence(each.turns) for each in talks],
    }
    cases = list(map(facts.fact_case, talks))
    lines = [
        line_of.fact_line(
            reader, sum(map(score_facts, cases, found), FactScore()), kept_words(talks, found)
        )
        for reader, found in kept.items()
    ]
    tick(turns, turns)
    measured_on = f"{counted(len(talks), 'conversation')}, {counted(turns, 'turn')}"
    return _report("facts", measured_on, lines, line_of.FACT_BARS)


def kept_words(talks: Sequence[Conversation], kept: Sequence[Sequence[Kept]]) -> float:
    """The words of what is kept as a share of the words that were said."""
    said = sum(len(turn.text.split()) for each in talks for turn in each.turns)
    found = sum(len(each.text.split()) for of_talk in kept for each in of_talk)
    return found / said if said else 0.0


def _capture(material: Material, tick: Tick) -> TaskReport:
    turns = sum(len(each.turns) for each in material.conversations)
    step = _counting(tick, turns)
    speed = measure_capture(material.conversations, material.settings, step)
    tick(turns, turns)
    measured_on = f"{counted(speed.turns, 'turn')}, {speed.one_by_one:,} of them one by one"
    lines = [line_of.capture_line(ENGRAM, speed)]
    return _report("capture", measured_on, lines, line_of.CAPTURE_BARS)


def _typed(material: Material, tick: Tick) -> TaskReport:
    texts = facts.read_typed_texts(material.file("memory-extraction"))
    turns = [each.turn for each in texts]
    step = _counting(tick, len(texts))
    kept = {
        ENGRAM: facts.kept_by_observe(turns, material.settings, step),
        EVERY_SENTENCE: facts.every_sentence(turns),
    }
    english = [each for each in texts if each.language == _ENGLISH]
    lines = [
        line_of.typed_line(reader, part, _type_score(chosen, found))
        for part, chosen in ((_ENGLISH, english), (_ALL, texts))
        for reader, found in kept.items()
    ]
    measured_on = f"{counted(len(texts), 'text')}, {len(english)} of them English"
    return TaskReport("memory-extraction", measured_on, tuple(lines))


def _type_score(texts: Sequence[facts.TypedText], kept: Sequence[Kept]) -> TypeScore:
    of_text: dict[str, list[Kept]] = {}
    for each in kept:
        of_text.setdefault(each.turn_id, []).append(each)
    scores = (score_types(text.memories, of_text.get(text.turn.id, [])) for text in texts)
    return sum(scores, TypeScore())


def _dates(material: Material, tick: Tick) -> TaskReport:
    sentences = dates.read_sentences(material.file("dates"))
    tick(0, len(sentences))
    lines = [
        line_of.date_line(ENGRAM, dates.score_dates(sentences)),
        line_of.date_line("dates in numbers", dates.score_dates(sentences, dates.naive_times)),
    ]
    tick(len(sentences), len(sentences))
    return _report("dates", counted(len(sentences), "sentence"), lines, line_of.DATE_BARS)


def _personal(material: Material, tick: Tick) -> TaskReport:
    texts = screening.read_marked_texts(material.file("pii"))
    tick(0, len(texts))
    together, naive, *kinds = screening.score_personal(texts)
    lines = [
        line_of.personal_line(ENGRAM, _CLAIMED, together),
        line_of.personal_line(naive.name, _CLAIMED, naive),
        *(line_of.personal_line(ENGRAM, str(kind.name), kind) for kind in kinds),
    ]
    tick(len(texts), len(texts))
    measured_on = counted(len(texts), "text")
    return _report("pii", measured_on, lines, line_of.PERSONAL_BARS, _CLAIMED)


def _injection(material: Material, tick: Tick) -> TaskReport:
    texts = screening.read_labelled_texts(material.file("injection"))
    tick(0, len(texts))
    ours, naive = screening.score_injection(texts)
    lines = [line_of.injection_line(ENGRAM, ours), line_of.injection_line(naive.name, naive)]
    tick(len(texts), len(texts))
    return _report("injection", counted(len(texts), "text"), lines, line_of.INJECTION_BARS)


def _entities(material: Material, tick: Tick) -> TaskReport:
    texts = entities.read_texts(material.file("entities"))
    tick(0, len(texts))
    lines = [
        line_of.entity_line(ENGRAM if each.name == "engram" else "capitals", each)
        for each in entities.score_entities(texts)
    ]
    tick(len(texts), len(texts))
    measured_on = counted(len(texts), "text")
    if not any(each.language == _ENGLISH for each in texts):
        return TaskReport("entities", measured_on, tuple(lines))  # the bar is for English
    return _report("entities", measured_on, lines, line_of.ENTITY_BARS, _ENGLISH)


def _contradiction(material: Material, tick: Tick) -> TaskReport:
    pairs = contradictions.read_pairs(material.file("contradiction"))
    tick(0, len(pairs))
    ours, naive = contradictions.score_contradictions(pairs)
    lines = [
        line_of.contradiction_line(ENGRAM, ours),
        line_of.contradiction_line(naive.name, naive),
    ]
    tick(len(pairs), len(pairs))
    return _report("contradiction", counted(len(pairs), "pair"), lines, line_of.CONTRADICTION_BARS)


_SCORED: Mapping[str, Callable[[Material, Tick], TaskReport]] = {
    "facts": _facts,
    "capture": _capture,
    "memory-extraction": _typed,
    "dates": _dates,
    "pii": _personal,
    "injection": _injection,
    "entities": _entities,
    "contradiction": _contradiction,
}
