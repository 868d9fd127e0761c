"""Has a language model read turns for what is worth keeping, and believes none of it unchecked."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files

from engram.capture.model_answer import (
    VERBATIM,
    ModelFact,
    NearMemory,
    Problem,
    Refusal,
    Shown,
    check_answer,
)
from engram.capture.split import split
from engram.capture.turns import Turn
from engram.errors import ModelUnavailable
from engram.memory.categories import CategoryRegistry
from engram.providers.embedder import well_formed
from engram.providers.json_answer import shown_as_text
from engram.providers.language_model import LanguageModel, Prompt, prompt_tokens
from engram.providers.model_options import ModelOptions
from engram.providers.price import estimated_cost

PURPOSE = "extract"
MOST_NEAR = 20  # memories shown beside the turns
_NEAR_CHARACTERS = 300  # of each
_BYTES_AROUND_A_TURN = 120  # its number, role, names and time

_Numbered = tuple[int, Turn]


@dataclass(frozen=True, slots=True)
class ModelReading:
    """What a model read in turns; with a problem there is nothing, and the turns are still unread.

    The refusals are counted also then.
    """

    facts: tuple[ModelFact, ...] = ()
    refused: Mapping[Refusal, int] = field(default_factory=dict)
    dropped: int = 0
    problem: Problem = Problem.NONE
    hint: str = ""  # what to do about the problem
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True)
class ReadingPlan:
    """What reading turns would take at most; nobody is asked."""

    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None  # None: no prices are set


def extract_by_model(
    model: LanguageModel,
    turns: Sequence[Turn],
    near: Sequence[NearMemory],
    *,
    options: ModelOptions,
    registry: CategoryRegistry | None = None,
) -> ModelReading:
    """Ask the model for the facts in the turns, in as many calls as their length needs.

    Whatever goes wrong is said in `problem`: it never passes for a conversation without facts.
    """
    known = registry or CategoryRegistry()
    reading = ModelReading()
    for batch in _batches(turns, options.max_conversation_bytes):
        replaced = {fact.replaces for fact in reading.facts}
        standing = [memory for memory in near[:MOST_NEAR] if memory.id not in replaced]
        shown = Shown(batch, standing, known)
        reading = _read(model, shown, options, reading)
        if reading.problem:
            return replace(reading, facts=())
    return reading


def plan_reading(
    turns: Sequence[Turn],
    near: Sequence[NearMemory] = (),
    *,
    options: ModelOptions,
    registry: CategoryRegistry | None = None,
) -> ReadingPlan:
    """What `extract_by_model` would take at most for these turns, without a call."""
    known = registry or CategoryRegistry()
    prompts = [
        _prompt(Shown(batch, near[:MOST_NEAR], known), options)
        for batch in _batches(turns, options.max_conversation_bytes)
    ]
    tokens_in = sum(map(prompt_tokens, prompts))
    tokens_out = sum(prompt.max_tokens for prompt in prompts)
    cost = estimated_cost(tokens_in, tokens_out, options)
    return ReadingPlan(len(prompts), tokens_in, tokens_out, cost)


def _read(
    model: LanguageModel, shown: Shown, options: ModelOptions, before: ModelReading
) -> ModelReading:
    """The reading so far, and what one more call adds to it."""
    try:
        completion = model.complete(_prompt(shown, options))
    except ModelUnavailable as error:
        return replace(before, problem=Problem.UNAVAILABLE, hint=error.hint)
    answer = check_answer(completion.text, shown)
    refused = dict(before.refused)
    for reason, count in answer.refused.items():
        refused[reason] = refused.get(reason, 0) + count
    return ModelReading(
        (*before.facts, *answer.facts),
        refused,
        before.dropped + answer.dropped,
        answer.problem,
        f"The model's answer is refused: {answer.problem}." if answer.problem else "",
        before.calls + 1,
        before.tokens_in + completion.tokens_in,
        before.tokens_out + completion.tokens_out,
    )


def _batches(turns: Sequence[Turn], max_bytes: int) -> Iterator[list[_Numbered]]:
    """The turns in calls of at most so many bytes; a turn that is longer is cut at its seams."""
    batch: list[_Numbered] = []
    size = 0
    for place, turn in enumerate(turns):
        for piece in split(well_formed(turn.text), max_bytes):
            more = len(piece.encode()) + _BYTES_AROUND_A_TURN
            if batch and size + more > max_bytes:
                yield batch
                batch, size = [], 0
            batch.append((place, replace(turn, text=piece)))
            size += more
    if batch:
        yield batch


def _prompt(shown: Shown, options: ModelOptions) -> Prompt:
    names = [name for name in shown.registry.names() if name != VERBATIM]
    return Prompt(
        system=_instructions().replace("CATEGORIES", ", ".join(names)),
        user=_document(shown),
        schema=_schema(tuple(names)),
        max_tokens=options.max_answer_tokens,
        purpose=PURPOSE,
    )


@cache
def _instructions() -> str:
    return (files("engram.capture") / "prompts" / "extract.md").read_text(encoding="utf-8")


def _document(shown: Shown) -> str:
    """The turns and memories as JSON in which no text can pass for anything but text."""
    turns = [
        {
            "turn": number,
            "role": turn.role,
            "speaker": turn.speaker,
            "listener": turn.listener,
            "at": turn.at.isoformat(timespec="minutes"),
            "text": turn.text,
        }
        for number, (_, turn) in enumerate(shown.turns, start=1)
    ]
    known = [
        {"number": number, "text": memory.text[:_NEAR_CHARACTERS]}
        for number, memory in enumerate(shown.near, start=1)
    ]
    plain = json.dumps({"turns": turns, "known": known}, ensure_ascii=False, indent=0)
    return shown_as_text(plain)


def _schema(categories: tuple[str, ...]) -> dict[str, object]:
    """The form of the answer; strict servers want every field named and required."""
    text: dict[str, object] = {"type": "string"}
    text_or_none: dict[str, object] = {"type": ["string", "null"]}
    fields: dict[str, object] = {
        "text": text,
        "category": {"type": "string", "enum": list(categories)},
        "confidence": {"type": "number"},
        "subject": text_or_none,
        "predicate": text_or_none,
        "object": text_or_none,
        "turn": {"type": "integer"},
        "replaces": {"type": ["integer", "null"]},
        "valid_from": text_or_none,
        "deadline": text_or_none,
    }
    fact = {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"facts": {"type": "array", "items": fact}},
        "required": ["facts"],
        "additionalProperties": False,
    }
