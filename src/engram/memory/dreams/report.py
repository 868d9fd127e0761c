"""What a dream did, pass by pass, and why: for people to read and to take back."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

from engram.errors import InvalidInput
from engram.memory.ids import ChangeId

DreamId = NewType("DreamId", str)
DREAM_PREFIX = "drm-"


class Step(StrEnum):
    """The passes of a dream, in their order: what is over goes first, what sums up comes last."""

    EXPIRE = "expire"  # guesses, promises and horizons that have passed
    CONTRADICTIONS = "contradictions"
    MERGE = "merge"  # near-identical memories become one
    PATTERNS = "patterns"  # what several episodes have in common becomes knowledge
    PROMOTE = "promote"
    ARCHIVE = "archive"
    DRIFT = "drift"  # claims that name files, checked against the file system
    ENTITIES = "entities"  # aliases, profiles, cards, centroids
    PROFILE = "profile"  # how the person behaves
    REFLECTIONS = "reflections"
    BOXES = "boxes"
    TOPICS = "topics"
    INFER = "infer"  # beliefs that follow from others
    BRIDGES = "bridges"
    PROBE = "probe"
    REPLAY = "replay"
    TREE = "tree"
    GAPS = "gaps"
    MAP = "map"  # what is known well, and what is not
    QUANTISE = "quantise"
    PRUNE = "prune"


ALL_STEPS = tuple(Step)
# What these make sums up memories and changes none: it can be made anew whenever it is wanted.
SUMMING_UP = frozenset({
    Step.PROFILE, Step.REFLECTIONS, Step.BOXES, Step.TOPICS, Step.TREE, Step.GAPS, Step.MAP,
})  # fmt: skip
CONCLUDED = f"dream:{Step.INFER.value}"  # the source of what follows from beliefs


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision: what it was, why, and the changes that take it back."""

    why: str
    numbers: tuple[int, ...]  # of the memories it concerns
    changes: tuple[ChangeId, ...]  # none yet in a dry run


@dataclass(frozen=True, slots=True, kw_only=True)
class PassReport:
    """What one pass did in one scope."""

    step: Step
    scope: str
    looked_at: int = 0
    decided: tuple[Decided, ...] = ()
    findings: tuple[str, ...] = ()  # seen, and left as it is
    skipped: str = ""  # why it did nothing, or not everything
    seconds: float = 0.0
    is_whole: bool = True  # False: a bound was reached; the next dream goes on from there
    is_finished: bool = True  # False: it was interrupted, and the dream has not gone on yet


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamReport:
    """What one dream did."""

    id: DreamId
    at: datetime
    is_dry: bool
    is_resumed: bool
    passes: tuple[PassReport, ...]

    @property
    def decisions(self) -> int:
        """How many decisions it made."""
        return sum(len(each.decided) for each in self.passes)

    @property
    def is_whole(self) -> bool:
        """Whether no pass had to stop before its end."""
        return all(each.is_whole for each in self.passes)

    def of(self, step: Step | str) -> tuple[PassReport, ...]:
        """What one pass did, scope by scope."""
        return tuple(each for each in self.passes if each.step == step)


@dataclass(frozen=True, slots=True)
class DreamRecord:
    """A dream as it is kept: when it was, by whom, and how much of it still stands."""

    id: DreamId
    at: datetime
    actor: str
    scope: str
    steps: tuple[Step, ...]
    finished_at: datetime | None
    decisions: int
    undone: int


def is_dream(id_: object) -> bool:
    """Whether an id names a dream or one pass of it, and not a single change."""
    return isinstance(id_, str) and id_.startswith(DREAM_PREFIX)


def read_steps(steps: object) -> tuple[Step, ...]:
    """The passes that are wanted, in the order in which they run; None: all of them."""
    if steps is None:
        return ALL_STEPS
    wanted = [steps] if isinstance(steps, str) else steps
    if not isinstance(wanted, list | tuple | set | frozenset) or not wanted:
        raise InvalidInput(hint=_HINT)
    try:
        chosen = {Step(each) for each in wanted}
    except ValueError:
        raise InvalidInput(hint=_HINT) from None
    return tuple(step for step in ALL_STEPS if step in chosen)


_HINT = f"`steps` is a list of passes: {', '.join(ALL_STEPS)}."
