"""What every pass of a dream works with, and what it gives back: decisions, not deeds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from engram.lifecycle.dreams.options import DreamOptions
from engram.memory.box_options import BoxOptions
from engram.memory.categories import CategoryRegistry
from engram.memory.deadlines import ExpiryOptions
from engram.memory.record import Memory
from engram.memory.sameness import PairReader
from engram.memory.scopes import Scope
from engram.memory.vocabulary import RetentionMode
from engram.storage.reader import StoreReader
from engram.storage.unit import UnitOfWork

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engram.providers.language_model import LanguageModel

CarryOut = Callable[[UnitOfWork], bool]


class HostFiles(Protocol):
    """The file system of this host, as far as a claim about it can be checked."""

    @property
    def name(self) -> str:
        """What this host is called; empty where nobody knows."""

    def exists(self, path: str) -> bool | None:
        """Whether an absolute path is there; None: it cannot be told."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Something a pass wants done. Nothing has happened yet.

    `key` names the decision whatever night it is: one that was undone is not made again. It is to
    say what it is about (numbers of memories, and a digest of what is written where that changes).
    `carry_out` opens its changes with `unit.begin_change` and does it, all in one transaction; it
    looks again at what it changes, and is False, without having changed anything, when that is no
    longer as it was when the pass looked.
    """

    key: str
    why: str  # a sentence for people, with labels of memories and never their text
    numbers: tuple[int, ...]
    carry_out: CarryOut = field(repr=False)


@dataclass(frozen=True, slots=True)
class Planned:
    """What a pass found in one scope."""

    decisions: tuple[Decision, ...] = ()
    findings: tuple[str, ...] = ()  # seen and left as it is: sentences with labels, never texts
    looked_at: int = 0
    skipped: str = ""  # why something was not looked at
    mark: str | None = None  # how far it got: handed to the next dream once all of it is done
    is_whole: bool = True  # False: more is to be done, and the mark says from where


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """One dream in one scope. `now` stays the same when an interrupted dream goes on."""

    scope: Scope
    now: datetime
    options: DreamOptions
    registry: CategoryRegistry
    retention_mode: RetentionMode
    expiry: ExpiryOptions
    boxes: BoxOptions
    episode_decay_per_hour: float
    host: HostFiles
    statements: Callable[[StoreReader], tuple[Memory, ...]] = lambda _: ()  # the cycle fills in
    vectors: Callable[[StoreReader], "Mapping[int, NDArray[np.float32]]"] = lambda _: {}
    model: "LanguageModel | None" = None  # None: rules alone
    judge: PairReader | None = None  # compares two statements; None: words alone decide
    mark: str | None = None  # where this pass left off in this scope
    is_owners: bool = False  # who dreams holds the whole store
    is_rebuild: bool = False  # make all artefacts anew, whatever the marks say
    breathe: Callable[[], None] = lambda: None  # call every few milliseconds of work: others first


Plan = Callable[[Night, StoreReader], Planned]
