"""Thirteen promises between parts that help each other, and that none of them depends on.

Each is one small interface. Who relies on one takes it as an argument that may be None, and does
something plainer without it; nobody fails because a partner is missing. `docs/contracts.md` names
who keeps each promise and what happens without.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from engram.memory.dreams.domains import Coverage
from engram.memory.record import Memory

if TYPE_CHECKING:
    from engram.memory.dreams.sized_groups import Matrix
    from engram.memory.dreams.tree import Shape


@runtime_checkable
class ReplayWeights(Protocol):
    """1. Feelings to replay: what stirred is gone through more often."""

    def replay_weight(self, memory: Memory) -> float:
        """How many times as likely as others it is chosen."""


@runtime_checkable
class NewsTimes(Protocol):
    """2. Time to self-knowledge: when there was last news of something."""

    def latest(self, memories: Sequence[Memory]) -> datetime | None:
        """The last moment that these memories tell of; None: it cannot be told."""


@runtime_checkable
class Weakness(Protocol):
    """3. Self-knowledge to the tree: where little is known, the tree is finer."""

    def is_weak(self, numbers: Collection[int]) -> bool:
        """Whether little is known of what these memories are about."""


@runtime_checkable
class Timeline(Protocol):
    """4. Time to names: what happened to somebody, in the order in which it happened."""

    @property
    def timeline(self) -> tuple[Memory, ...]:
        """The memories by the time they tell of."""


@runtime_checkable
class Profiles(Protocol):
    """5. Intent to names: a question about somebody finds all that is known of them."""

    def entity(self, name: str) -> object | None:
        """What is known of a name; None when nobody bears it."""


@runtime_checkable
class TimeInterest(Protocol):
    """6. Intent to time: a question that asks for a time weighs times more."""

    @property
    def asks_for_time(self) -> bool:
        """Whether a time is what is asked for."""


@runtime_checkable
class EntityCentres(Protocol):
    """7. Names to the tree: clusters are looked for around what has a name first."""

    def centres(self) -> "Sequence[Matrix]":
        """Where the entities with most memories lie, those first."""


@runtime_checkable
class EntityNews(Protocol):
    """8. Names to the bus: what is known of somebody has changed."""

    def entity_changed(self, name: str, numbers: Sequence[int]) -> None:
        """Tell who has asked to be told."""


@runtime_checkable
class Received(Protocol):
    """9. The bus to replay: what came from others is gone through sooner."""

    def is_received(self, memory: Memory) -> bool:
        """Whether it came from another agent."""


@runtime_checkable
class Insight(Protocol):
    """10. Replay to feelings: a memory that ties many others together stirs more."""

    def stirred(self, memory: Memory, links: int) -> float:
        """Its arousal with the links that dreams have found reckoned in."""


@runtime_checkable
class Reshaping(Protocol):
    """11. Replay to the tree: what came or changed is put in its place, the rest stays."""

    def __call__(self, numbers: Sequence[int], matrix: "Matrix", known: "Shape | None") -> "Shape":
        """The tree after a night, from the one before."""


@runtime_checkable
class TreeCoverage(Protocol):
    """12. The tree to self-knowledge: how deep and how broad a domain is."""

    def coverage(self, domain: str) -> Coverage | None:
        """How many clusters and memories it has; None: there is no such domain."""


@runtime_checkable
class NameResolution(Protocol):
    """13. The bus to names: a name from another agent means whom it means here."""

    def resolve(self, names: Sequence[str]) -> Mapping[str, str]:
        """For each name the entity it means."""
