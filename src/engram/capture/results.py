"""What work came to, taken in with where it comes from; output that tells nothing is left out."""

import re
from collections.abc import Mapping

from engram.errors import InvalidInput
from engram.language.affect import TaskOutcome
from engram.memory.record import Memory, check_metadata
from engram.memory.vocabulary import ResultKind
from engram.text.strings import checked_name

_FEWEST_WORDS = 4
_WORD = re.compile(r"[^\W\d_]{2,}")
_STRUCTURE = re.compile(r"[\[\]{}\",:\s\d.eE+-]*")


def result_arguments(
    kind: object, name: str | None, outcome: object, arguments: Mapping[str, object]
) -> dict[str, object]:
    """The arguments of the turn that a result is kept as."""
    if kind not in list(ResultKind):
        raise InvalidInput(hint=f"`kind` is one of: {', '.join(ResultKind)}.")
    if outcome is not None and outcome not in list(TaskOutcome):
        raise InvalidInput(hint=f"`outcome` is one of: {', '.join(TaskOutcome)}.")
    named = "" if name is None else f":{checked_name(name, name='name')}"
    metadata = {**check_metadata(arguments.get("metadata") or {}), "result": kind}
    if outcome is not None:
        metadata["outcome"] = str(outcome)
    return {
        **arguments,
        "role": "result",
        "source": f"result:{kind}{named}",
        "metadata": metadata,
    }


def is_trivial(text: str) -> bool:
    """Whether a result tells nothing: too few words, or structure without words."""
    return len(_WORD.findall(text[:2_000])) < _FEWEST_WORDS or not _STRUCTURE.sub("", text[:2_000])


def is_result(turn: Memory) -> bool:
    """Whether a kept turn is a result."""
    return turn.metadata.get("role") == "result"


def outcome_of(turn: Memory) -> TaskOutcome | None:
    """How the work ended that a turn tells of."""
    outcome = turn.metadata.get("outcome")
    return TaskOutcome(outcome) if outcome in list(TaskOutcome) else None
