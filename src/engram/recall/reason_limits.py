"""How deep a model may reason, how often it is asked and what that may take, by what it can do."""

from dataclasses import dataclass

from engram.errors import InvalidInput
from engram.recall.reasoned import MOST_DEPTH

MOST_CALLS = 15
MOST_TOKENS = 10_000_000
LEAST_TOKENS = 4_000  # the instructions, a few memories and an answer, twice
_LARGE_WINDOW, _MEDIUM_WINDOW = 200_000, 100_000
_CALLS_OF_DEPTH = {1: 3, 2: 6, 3: 8, 4: 12, 5: 15}
_LEAST_ANSWER = 256
_ANSWERS_SHARE = 2  # half of what may be used is for answers


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """What one question may take of a model."""

    depth: int  # sub-questions below sub-questions
    calls: int
    tokens: int  # read and written, all calls together
    answer_tokens: int  # written in one call


@dataclass(frozen=True, slots=True)
class WantedLimits:
    """What a caller asks for, checked; None: as the model allows."""

    depth: int | None = None
    calls: int | None = None
    tokens: int | None = None

    def __post_init__(self) -> None:
        _check(self.depth, 1, MOST_DEPTH, "depth")
        _check(self.calls, 1, MOST_CALLS, "calls")
        _check(self.tokens, LEAST_TOKENS, MOST_TOKENS, "tokens")


def model_limits(
    window: int, *, has_thinking: bool, most_answer: int, wanted: WantedLimits
) -> ModelLimits:
    """The limits of a model with such a window: half of it at most is used for one question."""
    most = window // 2
    depth = wanted.depth or depth_of(window, has_thinking=has_thinking)
    calls = wanted.calls or _CALLS_OF_DEPTH[depth]
    tokens = min(wanted.tokens or most, most)
    answer = max(_LEAST_ANSWER, min(most_answer, tokens // (_ANSWERS_SHARE * calls)))
    return ModelLimits(depth, calls, tokens, answer)


def depth_of(window: int, *, has_thinking: bool) -> int:
    """How deep a model is worth sending: small ones lose the thread."""
    if has_thinking and window >= _LARGE_WINDOW:
        return 5
    return 3 if window >= _MEDIUM_WINDOW else 1


def _check(value: object, least: int, most: int, name: str) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidInput(hint=f"`{name}` is a whole number from {least} to {most}.")
