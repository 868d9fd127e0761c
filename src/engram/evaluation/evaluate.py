"""From a folder to a report: load, score the tasks, put in, ask, compare, sum up."""

import os
import platform
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from engram.engine import Engram
from engram.errors import EmbedderUnavailable, InvalidInput
from engram.evaluation.baselines import Baselines, TurnsToVectors
from engram.evaluation.conversations import (
    Conversation,
    ConversationSet,
    LostEvidence,
    has_sets,
    load_sets,
)
from engram.evaluation.corpus import Corpus, is_corpus
from engram.evaluation.put_in import OBSERVE, WAYS, Step
from engram.evaluation.report import Machine, Report, SetReport, report_set
from engram.evaluation.task_report import TaskReport
from engram.evaluation.tasks import FOLDER, OF_CONVERSATIONS, Material, check_names, run_tasks
from engram.evaluation.trial import Trial, changed_settings, run_trial
from engram.evaluation.truth_stores import Truth
from engram.providers.choose import choose_embedder
from engram.providers.options import EmbedderOptions
from engram.version import __version__

Progress = Callable[[str, int, int], None]  # stage, done, of how many

RECALL, TASKS = "recall", "tasks"
PARTS = (RECALL, TASKS)
_MOST_NAMED = 5
NO_EMBEDDER = "MiniLM and RRF are missing: the built-in embedder is not available."


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """What is measured."""

    sets: tuple[str, ...] = ()  # all of them
    limit_files: int | None = None  # of each set, the first by name
    has_baselines: bool = True
    settings: Mapping[str, object] = field(default_factory=dict)  # one configuration for all sets
    through: str = OBSERVE  # by which call turns go in
    only: str | None = None  # one of the parts, instead of both
    tasks: tuple[str, ...] = ()  # all of them; named ones leave recall out
    limit: int | None = None  # of a corpus, so many rows of each kind, evenly spread
    is_full: bool = False  # of a corpus, with what takes an hour

    def wants(self, part: str) -> bool:
        """Whether a part is measured."""
        only = self.only or (TASKS if self.tasks else None)
        return only in (None, part)


def evaluate(
    folder: str | Path,
    options: EvaluationOptions | None = None,
    *,
    embedder: TurnsToVectors | None = None,
    progress: Progress | None = None,
) -> Report:
    """Measure recall and the tasks beside it on a folder of conversations with questions.

    Each conversation gets a fresh store that is thrown away. `embedder` is the one of the
    baselines, the built-in one without it; Engram itself follows its settings.
    """
    chosen = options or EvaluationOptions()
    _check(chosen)
    if is_corpus(Path(folder)) and not has_sets(Path(folder)):
        chosen = replace(chosen, only=TASKS)
    sets = _sets(Path(folder), chosen)
    tasks = _tasks(Path(folder), sets, chosen, progress)
    notes: list[str] = []
    trials = _trials(sets, chosen, embedder, notes, progress) if chosen.wants(RECALL) else []
    reports = tuple(report_set(*pair) for pair in zip(sets, trials, strict=False))
    return Report(
        version=__version__,
        at=datetime.now(UTC),
        machine=this_machine(),
        changed_settings=trials[0][0].changed_settings if trials else _changed(chosen.settings),
        through=chosen.through,
        sets=reports,
        tasks=tasks,
        notes=(*notes, *_remarks(reports)),
    )


def _check(chosen: EvaluationOptions) -> None:
    if chosen.through not in WAYS:
        raise InvalidInput(hint=f"Turns go in through one of: {', '.join(WAYS)}.")
    if chosen.only not in (None, *PARTS):
        raise InvalidInput(hint=f"What can be measured alone is one of: {', '.join(PARTS)}.")
    if chosen.only == RECALL and chosen.tasks:
        raise InvalidInput(hint="Recall alone is measured without any task.")
    if chosen.limit is not None and chosen.limit < 1:
        raise InvalidInput(hint="At least one row of each kind has to be read.")
    check_names(chosen.tasks)


def _sets(folder: Path, chosen: EvaluationOptions) -> tuple[ConversationSet, ...]:
    """The conversations, where something is measured on them; tasks alone can do without."""
    if not chosen.wants(RECALL):
        are_read = not chosen.tasks or not OF_CONVERSATIONS.isdisjoint(chosen.tasks)
        has_tasks = (folder / FOLDER).is_dir() or is_corpus(folder)
        is_apart = not has_sets(folder) and has_tasks and not chosen.sets
        if not are_read or is_apart:
            return ()
    return load_sets(folder, chosen.sets, limit_files=chosen.limit_files)


def _tasks(
    folder: Path,
    sets: Sequence[ConversationSet],
    chosen: EvaluationOptions,
    progress: Progress | None,
) -> tuple[TaskReport, ...]:
    if not chosen.wants(TASKS):
        return ()
    talks = tuple(each for group in sets for each in group.conversations if each.facts)
    truth = Truth(Corpus(folder), chosen.settings, chosen.limit, chosen.is_full)
    material = Material(folder, talks, chosen.settings, truth if is_corpus(folder) else None)
    found = run_tasks(material, chosen.tasks, progress=progress)
    if not found and not chosen.wants(RECALL):
        raise InvalidInput(hint=f"{folder} holds no tasks and no conversation with facts.")
    return found


def _trials(
    sets: tuple[ConversationSet, ...],
    chosen: EvaluationOptions,
    embedder: TurnsToVectors | None,
    notes: list[str],
    progress: Progress | None,
) -> list[list[Trial]]:
    step = _counted(sets, progress)
    with _comparison(embedder, notes, is_wanted=chosen.has_baselines) as others:
        return [
            [
                run_trial(each, chosen.settings, others, step, way=chosen.through)
                for each in group.conversations
            ]
            for group in sets
        ]


def _changed(settings: Mapping[str, object]) -> dict[str, object]:
    with Engram.open(":memory:", settings=settings) as engram:
        return changed_settings(engram)


@contextmanager
def _comparison(
    given: TurnsToVectors | None, notes: list[str], *, is_wanted: bool
) -> Iterator[Callable[[Conversation], Baselines | None]]:
    """What makes the baselines of each conversation, as many as there is an embedder for."""
    own = choose_embedder(EmbedderOptions()) if is_wanted and given is None else None
    embedder = given or own

    def over(conversation: Conversation) -> Baselines | None:
        nonlocal embedder
        if not is_wanted:
            return None
        try:
            return Baselines(conversation.turns, embedder)
        except EmbedderUnavailable:
            # Said in the report, and not tried again.
            notes.append(NO_EMBEDDER)
            embedder = None
            return Baselines(conversation.turns, None)

    try:
        yield over
    finally:
        if own is not None:
            own.close()


def _counted(sets: tuple[ConversationSet, ...], progress: Progress | None) -> Step:
    asked, said = sum(group.questions for group in sets), sum(group.turns for group in sets)
    totals = {"put in": said, "read": said, "ask": asked, "compare": asked}
    done: Counter[str] = Counter()

    def step(stage: str, count: int) -> None:
        done[stage] += count
        if progress is not None:
            progress(stage, done[stage], totals[stage])

    return step


def _remarks(reports: tuple[SetReport, ...]) -> list[str]:
    """What a reader has to know before believing the figures."""
    found = []
    for each in reports:
        if each.lost_evidence:
            found.append(f"{each.name}: {_told(each.lost_evidence)}")
        found += [
            f"{each.name}: {count} recalls were degraded: {why}."
            for why, count in each.degraded.items()
        ]
        hidden = ((kind, each.put_in.turns.get(kind, 0)) for kind in ("held", "refused"))
        found += [f"{each.name}: {count} turns were {kind}." for kind, count in hidden if count]
    return found


def _told(lost: Sequence[LostEvidence]) -> str:
    """How much evidence cannot be found by anybody, and where; all of it stands in the JSON."""
    pieces = sum(each.missing for each in lost)
    unscored = sum(not each.is_scored for each in lost)
    named = [f"{each.file} {each.question}" for each in lost[:_MOST_NAMED]]
    more = [f"{len(lost) - _MOST_NAMED} more"] if len(lost) > _MOST_NAMED else []
    return (
        f"{pieces} pieces of evidence of {len(lost)} questions name no turn; {unscored} of these "
        f"questions are not scored ({', '.join([*named, *more])})."
    )


def this_machine() -> Machine:
    """The machine in general terms: no name, no user, no path."""
    return Machine(
        system=platform.system(),
        processor=platform.machine(),
        cores=os.cpu_count() or 1,
        python=platform.python_version(),
    )
