"""From a folder of conversations to a report: load, put in, ask, compare, sum up."""

import os
import platform
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from engram.errors import EmbedderUnavailable
from engram.evaluation.baselines import Baselines, TurnsToVectors
from engram.evaluation.conversations import Conversation, ConversationSet, load_sets
from engram.evaluation.report import Machine, Report, SetReport, report_set
from engram.evaluation.trial import Step, run_trial
from engram.providers.choose import choose_embedder
from engram.providers.options import EmbedderOptions
from engram.version import __version__

Progress = Callable[[str, int, int], None]  # stage, done, of how many

NO_EMBEDDER = "MiniLM and RRF are missing: the built-in embedder is not available."


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """What is measured."""

    sets: tuple[str, ...] = ()  # all of them
    limit_files: int | None = None  # of each set, the first by name
    has_baselines: bool = True
    settings: Mapping[str, object] = field(default_factory=dict)  # one configuration for all sets


def evaluate(
    folder: str | Path,
    options: EvaluationOptions | None = None,
    *,
    embedder: TurnsToVectors | None = None,
    progress: Progress | None = None,
) -> Report:
    """Measure recall on a folder of conversations with questions.

    Each conversation gets a fresh store that is thrown away. `embedder` is the one of the
    baselines, the built-in one without it; Engram itself follows its settings.
    """
    chosen = options or EvaluationOptions()
    sets = load_sets(Path(folder), chosen.sets, limit_files=chosen.limit_files)
    notes: list[str] = []
    step = _counted(sets, progress)
    with _comparison(embedder, notes, is_wanted=chosen.has_baselines) as others:
        trials = [
            [run_trial(each, chosen.settings, others, step) for each in group.conversations]
            for group in sets
        ]
    reports = tuple(report_set(*pair) for pair in zip(sets, trials, strict=True))
    return Report(
        version=__version__,
        at=datetime.now(UTC),
        machine=this_machine(),
        changed_settings=trials[0][0].changed_settings,
        sets=reports,
        notes=(*notes, *_remarks(reports)),
    )


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
    asked = sum(group.questions for group in sets)
    totals = {"put in": sum(group.turns for group in sets), "ask": asked, "compare": asked}
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
            found.append(f"{each.name}: {each.lost_evidence} pieces of evidence name no turn.")
        found += [
            f"{each.name}: {count} recalls were degraded: {why}."
            for why, count in each.degraded.items()
        ]
        hidden = {kind: each.outcomes.get(kind, 0) for kind in ("held", "refused")}
        found += [
            f"{each.name}: {count} turns were {kind}." for kind, count in hidden.items() if count
        ]
    return found


def this_machine() -> Machine:
    """The machine in general terms: no name, no user, no path."""
    return Machine(
        system=platform.system(),
        processor=platform.machine(),
        cores=os.cpu_count() or 1,
        python=platform.python_version(),
    )
