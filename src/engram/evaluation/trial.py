"""One conversation put into a store of its own through the public calls, and asked about."""

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from engram.engine import Engram
from engram.errors import EngramError
from engram.evaluation.baselines import Baselines
from engram.evaluation.conversations import Asked, Conversation
from engram.evaluation.metrics import ASKED_FOR
from engram.evaluation.put_in import PutIn, Step, put_in
from engram.evaluation.rankings import Found
from engram.memory.tokens.estimate import tokens_in
from engram.recall.result import RecallResult
from engram.settings import setting_rules

ENGRAM = "Engram"


@dataclass(frozen=True, slots=True)
class Answer:
    """One question and what every method found for it."""

    conversation: Conversation
    asked: Asked
    found: Mapping[str, Found]


@dataclass(frozen=True, slots=True)
class Trial:
    """Everything that was measured on one conversation."""

    answers: tuple[Answer, ...]
    put_in: PutIn
    levels: Mapping[str, int]  # which means of search were at work, and how often
    degraded: Mapping[str, int]  # what was not, and how often
    changed_settings: Mapping[str, object]


def run_trial(
    conversation: Conversation,
    settings: Mapping[str, object] | None,
    baselines: Callable[[Conversation], Baselines | None],
    step: Step,
    *,
    way: str,
) -> Trial:
    """Put a conversation in, then ask; the store is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="engram-eval-") as folder:
        try:
            with Engram.open(Path(folder) / "store", settings=settings) as engram:
                taken = put_in(engram, conversation.turns, way, step)
                results = [
                    _ask(engram, conversation, each, step) for each in conversation.questions
                ]
                changed = changed_settings(engram)
        except EngramError as error:
            error.hint = f"{conversation.name}: {error.hint}"
            raise
    others = baselines(conversation)
    answers = []
    for asked, (found, _) in zip(conversation.questions, results, strict=True):
        beside = others.ask(asked.text) if others else {}
        answers.append(Answer(conversation, asked, {ENGRAM: found, **beside}))
        step("compare", 1)
    return Trial(
        answers=tuple(answers),
        put_in=taken,
        levels=Counter(result.level for _, result in results),
        degraded=Counter(reason for _, result in results for reason in result.degraded),
        changed_settings=changed,
    )


def _ask(
    engram: Engram, conversation: Conversation, asked: Asked, step: Step
) -> tuple[Found, RecallResult]:
    started = time.perf_counter()
    result = engram.recall(asked.text, limit=ASKED_FOR, now=conversation.ends_at)
    milliseconds = (time.perf_counter() - started) * 1000
    step("ask", 1)
    return found_by(result, milliseconds), result


def found_by(result: RecallResult, milliseconds: float) -> Found:
    """A recall in the terms in which all methods are compared."""
    return Found(
        hits=tuple(hit.references for hit in result),
        tokens=tuple(tokens_in(hit.memory.content) for hit in result),
        confidence=result.confidence,
        milliseconds=milliseconds,
    )


def changed_settings(engram: Engram) -> dict[str, object]:
    """The settings in force that are not the defaults, so that a report cannot hide them."""
    changed: dict[str, object] = {}
    for key, (default, rule) in setting_rules().items():
        section, name = key.split(".")
        value = getattr(getattr(engram.settings, section), name)
        if value != default:
            # Free text may be an address or a secret; that it was set is enough to know.
            is_plain = not isinstance(value, str) or bool(rule.choices)
            changed[key] = value if is_plain else "(set)"
    return changed
