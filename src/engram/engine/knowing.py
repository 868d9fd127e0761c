"""Knowing: the part of `engram.knowledge` that asks what is believed, and follows it on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from engram.errors import InvalidInput
from engram.memory.changes import Action
from engram.memory.knowledge.graph import Direction, read_leg
from engram.memory.knowledge.paths import Route, read_hops
from engram.memory.scopes import Scope
from engram.recall.question import read_limit, read_moments
from engram.text.strings import checked_name

if TYPE_CHECKING:
    from engram.engine.core import Moment
    from engram.engine.reasoning import Concluding
    from engram.memory.knowledge.belief import Node
    from engram.memory.knowledge.views import Answer as Answer
    from engram.memory.knowledge.views import Conclusion as Conclusion
    from engram.memory.knowledge.views import NodeView as NodeView
    from engram.memory.knowledge.views import Reached as Reached
    from engram.recall.graph_sight import StoreSight
    from engram.storage.conditions import Moments
    from engram.storage.reader import StoreReader

_MOST_NAMES = 50  # that one activation may begin at
_RECALLED = 3  # times as many memories are recalled as answers are wanted: some tell of one node

_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class Path:
    """A way through what is known, laid out step by step and then gone.

    Each word gives a path of its own: one that is kept can be continued in several ways.
    """

    _route: Route
    _gone: "Callable[[Route, int], list[Reached]]"

    def follow(self, relation: str | None = None, direction: str = Direction.OUT) -> "Path":
        """One step along a relation, or along any: "out", "in" or "both" ways.

        A name from the other end means the same the other way round: follow("uses") goes from who
        uses to what is used.
        """
        return Path(self._route.follow(relation, direction), self._gone)

    def where(
        self,
        *,
        type: str | None = None,  # noqa: A002  # it is what callers call it
        label: str | None = None,
        confidence: float | None = None,
        epistemic: str | None = None,
    ) -> "Path":
        """Conditions on the last step: the node it comes to, and the belief it goes by.

        `confidence` is the least; `epistemic` a kind of grounds ("observed"), "certain" or
        "uncertain".
        """
        narrowed = self._route.where(
            type=type, label=label, confidence=confidence, epistemic=epistemic
        )
        return Path(narrowed, self._gone)

    def find(self, limit: int = 100) -> "list[Reached]":
        """Where the path ends: each node once, by the surest way, with the beliefs on it."""
        return self._gone(self._route, read_limit(limit))


class Knowing:
    """Reading what is known.

    `texts` has no effect any more: nothing is read off texts. It is taken for one release."""

    def __init__(self, core: "Concluding") -> None:
        self._core = core

    def node(
        self,
        name_or_id: str,
        *,
        inferred: bool = False,
        texts: bool = True,  # noqa: ARG002  # taken for one release
        limit: int = 200,
        as_of: "Moment | None" = None,
        known_at: "Moment | None" = None,
        scope: Scope | None = None,
    ) -> "NodeView":
        """Somebody or something: other names, type, properties, beliefs out and in."""
        from engram.recall.graph import node_view

        most, moments = read_limit(limit), self._moments(as_of, known_at)
        with self._core._view(scope) as see:
            found = node_view(_sight(see, moments), name_or_id, limit=most, inferred=inferred)
        self._core._note(Action.GET, count=1, shown=found, scope=scope)
        return found

    def nodes(
        self,
        type: str | None = None,  # noqa: A002  # it is what callers call it
        *,
        texts: bool = True,  # noqa: ARG002  # taken for one release
        limit: int = 100,
        scope: Scope | None = None,
    ) -> "list[Node]":
        """Who and what is known, in the order of their names."""
        most = read_limit(limit)
        wanted = None if type is None else checked_name(type, name="type").lower()
        with self._core._view(scope) as see:
            found = _sight(see, self._moments()).listed(wanted, limit=most)
        return self._noted(found, scope)

    def neighbours(
        self,
        name: str,
        *,
        relation: str | None = None,
        direction: str = Direction.BOTH,
        hops: int = 1,
        inferred: bool = False,
        texts: bool = True,  # noqa: ARG002  # taken for one release
        limit: int = 100,
        as_of: "Moment | None" = None,
        known_at: "Moment | None" = None,
        scope: Scope | None = None,
    ) -> "list[Reached]":
        """Who and what is within some hops, nearest and surest first, with the beliefs between.

        `inferred` adds what no single belief says but several together do.
        """
        from engram.recall.graph import neighbours

        leg, far, most = read_leg(relation, direction), read_hops(hops), read_limit(limit)
        moments = self._moments(as_of, known_at)
        with self._core._view(scope) as see:
            sight = _sight(see, moments)
            found = neighbours(sight, name, leg, hops=far, limit=most, inferred=inferred)
        return self._noted(found, scope)

    def path(
        self,
        start: str,
        *,
        texts: bool = True,  # noqa: ARG002  # taken for one release
        as_of: "Moment | None" = None,
        known_at: "Moment | None" = None,
        scope: Scope | None = None,
    ) -> Path:
        """A way from somebody or something, to be laid out with `follow` and gone with `find`."""
        from engram.recall.graph import find

        self._moments(as_of, known_at)  # refused here, and not where the path is gone

        def gone(route: Route, limit: int) -> "list[Reached]":
            moments = self._moments(as_of, known_at)
            with self._core._view(scope) as see:
                found = find(_sight(see, moments), route, limit=limit)
            return self._noted(found, scope)

        return Path(Route(checked_name(start, name="start")), gone)

    def activate(
        self,
        names: Sequence[str],
        *,
        hops: int = 2,
        texts: bool = True,  # noqa: ARG002  # taken for one release
        limit: int = 50,
        as_of: "Moment | None" = None,
        known_at: "Moment | None" = None,
        scope: Scope | None = None,
    ) -> "list[Reached]":
        """What some names bring to mind, strongest first: less with each hop, by the best way."""
        from engram.recall.graph import activate

        begun = _names(names)
        far, most, moments = read_hops(hops), read_limit(limit), self._moments(as_of, known_at)
        with self._core._view(scope) as see:
            found = activate(_sight(see, moments), begun, hops=far, limit=most)
        return self._noted(found, scope)

    def infer(
        self,
        name: str,
        relation: str,
        *,
        texts: bool = True,  # noqa: ARG002  # taken for one release
        limit: int = 100,
        as_of: "Moment | None" = None,
        known_at: "Moment | None" = None,
        scope: Scope | None = None,
    ) -> "list[Conclusion]":
        """What follows from several beliefs along a relation that leads on: nothing of it is kept.

        Named from the other end ("location_of") it is asked for whom something follows.
        """
        from engram.recall.graph import infer

        most, moments = read_limit(limit), self._moments(as_of, known_at)
        with self._core._view(scope) as see:
            found = infer(_sight(see, moments), name, relation, limit=most)
        return self._noted(found, scope)

    def query(
        self,
        text: str,
        *,
        limit: int = 10,
        hops: int = 1,
        texts: bool = True,  # noqa: ARG002  # taken for one release
        as_of: "Moment | None" = None,
        known_at: "Moment | None" = None,
        scope: Scope | None = None,
    ) -> "list[Answer]":
        """Who and what a question is about: what it names, what recall finds, and what is near.

        The score is relevance × confidence, where confidence counts for half at least.
        """
        from engram.recall.graph import answers

        most, far = read_limit(limit), read_hops(hops)
        question = self._core._question(
            text, limit=_RECALLED * most, as_of=as_of, known_at=known_at
        )
        recalled = self._core._look_up(question, scope)
        with self._core._view(scope) as see:
            sight = _sight(see, question.moments)
            found = answers(sight, question.text, recalled, hops=far, limit=most)
        self._core._note(Action.LIST, count=len(found), shown=found, question=text, scope=scope)
        return found

    def _moments(
        self, as_of: "Moment | None" = None, known_at: "Moment | None" = None
    ) -> "Moments":
        return read_moments(self._core._clock(), as_of=as_of, known_at=known_at)

    def _noted(self, found: "list[_Found]", scope: Scope | None) -> "list[_Found]":
        self._core._note(Action.LIST, count=len(found), shown=found, scope=scope)
        return found


def _sight(see: "StoreReader", moments: "Moments") -> "StoreSight":
    from engram.recall.graph_sight import StoreSight

    return StoreSight(see, moments)


def _names(names: object) -> list[str]:
    if isinstance(names, str):
        return [names]
    if not isinstance(names, Sequence) or not 1 <= len(names) <= _MOST_NAMES:
        raise InvalidInput(hint=f"`names` lists 1 to {_MOST_NAMES} names.")
    return [checked_name(each, name="names") for each in names]
