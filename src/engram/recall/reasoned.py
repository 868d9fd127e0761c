"""What reasoning may look at, how far it may go, and what it gives back."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from engram.memory.record import Memory
from engram.recall.result import Hit, RecallResult

DEPTH = 3  # hops when the caller names none: longer chains are rarely told in memories
MOST_DEPTH = 5
CALLS_PER_HOP = 3
COVERED, NOTHING_MORE, DEPTH_REACHED = "covered", "nothing more", "depth"
CALLS_USED, TIME_USED, TOKENS_USED = "calls", "time", "tokens"


class StepKind(StrEnum):
    """What was done in one step."""

    RECALL = "recall"  # a question to the store
    LINKS = "links"  # what the finds are tied to was looked up
    SUB_QUESTION = "sub_question"  # a question that a model wants answered first
    SUFFICIENT = "sufficient"  # a model judged: the finds answer it
    GAP = "gap"  # a model judged: something is missing
    DECOMPOSE = "decompose"  # a model judged: these are several questions
    SYNTHESIS = "synthesis"  # a model put together what was found
    FALLBACK = "fallback"  # from here on by rules


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done on the way: mostly a question that was asked."""

    number: int
    depth: int  # 0: the question itself
    query: str  # what was asked, or which question it was about
    through: str | None  # the name that led here; None: the question itself, or words it left open
    after: str | None  # the label of the memory that told the name
    found: int
    kind: StepKind = StepKind.RECALL
    calls: int = 0  # how often a model was asked
    tokens: int = 0  # what a model read and wrote
    detail: str = ""  # what it came to, in a few words


@dataclass(frozen=True, slots=True)
class Evidence:
    """A memory that was found, by which step, and what it adds."""

    hit: Hit
    step: int  # the number of the step that found it
    asked: str
    through: str | None  # the name or the relation it was reached by
    after: str | None  # the label of the memory before it in its chain
    covers: tuple[str, ...]  # the words of the question that stand in it

    @property
    def memory(self) -> Memory:
        """The memory itself."""
        return self.hit.memory


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer, and the labels of the memories that carry it."""

    text: str
    memories: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reasoning:
    """What was found out, how, and what is still missing."""

    question: str
    evidence: tuple[Evidence, ...]  # in the order to be read
    chain: tuple[Evidence, ...]  # the one line of memories that covers most of the question
    steps: tuple[Step, ...]
    gaps: tuple[str, ...]  # words of the question that stand in no memory found, or what is missing
    is_sufficient: bool
    confidence: float
    assessment: str  # confident, uncertain, unknown
    stopped: str  # why no more was asked: covered, nothing more, depth, calls, tokens, time
    level: str
    degraded: tuple[str, ...]
    milliseconds: float
    answer: tuple[Sentence, ...] = ()  # of a model, as far as memories carry it; rules write none
    dropped: int = 0  # sentences of the model that no memory carried
    model: str | None = None  # who judged; None: rules alone

    def __iter__(self) -> Iterator[Evidence]:
        return iter(self.evidence)

    def __len__(self) -> int:
        return len(self.evidence)

    @property
    def text(self) -> str:
        """The answer in one piece; empty where rules alone have reasoned."""
        return " ".join(sentence.text for sentence in self.answer)

    @property
    def calls(self) -> int:
        """How often a model was asked."""
        return sum(step.calls for step in self.steps)

    @property
    def tokens(self) -> int:
        """What a model read and wrote, all calls together."""
        return sum(step.tokens for step in self.steps)


@dataclass(frozen=True, slots=True)
class Linked:
    """A memory that one that was found is tied to."""

    of: int  # the number of the one that was found
    relation: str
    hit: Hit


class Look(Protocol):
    """What may be looked at while reasoning, all through one caller's eyes."""

    def ask(self, query: str) -> RecallResult:
        """Recall once."""
        ...

    def linked(self, hits: Sequence[Hit]) -> Sequence[Linked]:
        """What some memories are tied to, as far as recall itself might show it."""
        ...

    def behind(self, hits: Sequence[Hit]) -> Mapping[int, Sequence[Memory]]:
        """The turns that statements were drawn from: they may name whom the statement means."""
        ...

    def aliases(self) -> Mapping[str, str]:
        """Which entity each name was decided to mean, by the keys of both."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may be asked and given back."""

    depth: int
    limit: int
    budget: int | None
    is_time_up: Callable[[], bool]
    begin_again: Callable[[], None] = lambda: None  # what a model has used of the time is past

    @property
    def calls(self) -> int:
        """How many questions may be asked in all."""
        return 1 + self.depth * CALLS_PER_HOP
