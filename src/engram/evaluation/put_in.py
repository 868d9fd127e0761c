"""Puts a conversation into a store, as a host would: heard by `observe`, or by `remember`."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engram.engine import Engram
from engram.evaluation.conversations import Turn

OBSERVE, REMEMBER = "observe", "remember"
WAYS = (OBSERVE, REMEMBER)
_AGENT_ROLES = frozenset({"assistant", "agent"})
_ROLES = frozenset({"user", "assistant", "tool", "system"})
_OF_STATEMENTS = frozenset({"stored", "confirmed", "held", "refused"})

Step = Callable[[str, int], None]  # which stage, and how far it got on


@dataclass(frozen=True, slots=True)
class PutIn:
    """What became of the turns and of what they state, and how long each part of it took."""

    turns: Mapping[str, int] = field(default_factory=dict)  # by outcome
    statements: Mapping[str, int] = field(default_factory=dict)  # drawn from them, by outcome
    keep_seconds: float = 0.0
    read_seconds: float = 0.0  # none where nothing reads: by `remember`
    embed_seconds: float = 0.0  # what was left of it after the rest; it goes on meanwhile

    @property
    def seconds(self) -> float:
        """How long it took until all could be found."""
        return self.keep_seconds + self.read_seconds + self.embed_seconds


def put_in(engram: Engram, turns: Sequence[Turn], way: str, step: Step) -> PutIn:
    """Take in every turn with words, in order; done when all of it can be found."""
    said = [turn for turn in turns if turn.text.strip()]
    wordless = len(turns) - len(said)
    step("put in", wordless)
    if way == REMEMBER:
        return _remember(engram, said, step)
    step("read", wordless)
    return _observe(engram, said, step)


def _remember(engram: Engram, turns: Sequence[Turn], step: Step) -> PutIn:
    advance = _Advance("put in", step)
    with _Clock() as keeping:
        outcomes = engram.remember_many(list(map(remembered, turns)), progress=advance)
    with _Clock() as embedding:
        engram.settle()
    return PutIn(
        turns=Counter(outcome.kind for outcome in outcomes),
        keep_seconds=keeping.seconds,
        embed_seconds=embedding.seconds,
    )


def _observe(engram: Engram, turns: Sequence[Turn], step: Step) -> PutIn:
    with _Clock() as keeping:
        kept = engram.observe_many(list(map(observed, turns)), progress=_Advance("put in", step))
    advance = _Advance("read", step)
    with _Clock() as reading:
        engram.flush(progress=advance)
    advance(len(turns), len(turns))  # with those that were read in the background meanwhile
    with _Clock() as embedding:
        engram.settle()
    return PutIn(
        turns=Counter(each.kind for each in kept),
        statements=statements_learnt(engram),
        keep_seconds=keeping.seconds,
        read_seconds=reading.seconds,
        embed_seconds=embedding.seconds,
    )


def statements_learnt(engram: Engram) -> dict[str, int]:
    """How many statements were drawn from turns, by what became of them; whoever read them."""
    found: Counter[str] = Counter()
    for each in engram.capture_statistics():
        if each.outcome in _OF_STATEMENTS:
            found[each.outcome] += each.count
    return dict(found)


def remembered(turn: Turn) -> dict[str, object]:
    """A turn as an argument of `remember_many`; what an assistant said is not a person's word."""
    item = _plain(turn)
    if turn.role.lower() in _AGENT_ROLES:
        item["source"] = "agent"
    return item


def observed(turn: Turn) -> dict[str, object]:
    """A turn as an argument of `observe_many`."""
    return _plain(turn) | {"role": role_of(turn)}


def role_of(turn: Turn) -> str:
    """The role as `observe` knows it; one that nobody knows is a person's."""
    role = "assistant" if turn.role.lower() in _AGENT_ROLES else turn.role.lower()
    return role if role in _ROLES else "user"


def _plain(turn: Turn) -> dict[str, object]:
    item: dict[str, object] = {"text": turn.text, "at": turn.at, "reference": turn.id}
    if turn.speaker:
        item["speaker"] = turn.speaker
    if turn.session:
        item["session"] = turn.session
    return item


class _Advance:
    """Turns "so many are done" into "so many more"."""

    def __init__(self, stage: str, step: Step) -> None:
        self._stage = stage
        self._step = step
        self._so_far = 0

    def __call__(self, done: int, total: int) -> None:  # noqa: ARG002  # as the facade calls it
        if done > self._so_far:
            self._step(self._stage, done - self._so_far)
            self._so_far = done


class _Clock:
    """Seconds from entering to leaving."""

    seconds = 0.0

    def __enter__(self) -> "_Clock":
        self._started = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self._started
