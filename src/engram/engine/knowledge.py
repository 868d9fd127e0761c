"""What is believed of whom and what: the facet that learns, withdraws, and tells how it came."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

from engram.engine.core import Moment, checked_reason
from engram.engine.knowing import Knowing
from engram.errors import InvalidInput, MemoryNotFound
from engram.memory.changes import Action
from engram.memory.ids import ChangeId
from engram.memory.jsons import Json
from engram.memory.knowledge.belief import NodeName, is_node_id, read_name
from engram.memory.knowledge.epistemic import Epistemic, Hypothetical
from engram.memory.knowledge.learned import Learned, Support
from engram.memory.knowledge.relations import PROPERTY, read_relation
from engram.memory.knowledge.story import Revision
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.vocabulary import Secrecy
from engram.text.strings import checked_name

if TYPE_CHECKING:
    from engram.capture.fact_draft import Fact
    from engram.memory.knowledge.belief import Node
    from engram.memory.knowledge.reconcile import BeliefState
    from engram.recall.believed import About
    from engram.storage.knowledge import KnowledgeReader

Progress = Callable[[int, int], None]
_MODEL = "dream:proposal"  # what a model supposes is trusted like what was dreamt up


class Knowledge(Knowing):
    """What is believed: learnt, reconciled with what was believed before, withdrawn, told."""

    def learn(
        self,
        subject: str,
        relation: str | None = None,
        object: str | None = None,  # noqa: A002  # it is what callers call it
        *,
        property: str | None = None,  # noqa: A002  # it is what callers call it
        value: Json = None,
        subject_type: str | None = None,
        object_type: str | None = None,
        epistemic: Epistemic | Mapping[str, Json] | str | None = None,
        confidence: float | None = None,
        weight: float = 1.0,
        valid_from: Moment | None = None,
        valid_until: Moment | None = None,
        at: Moment | None = None,
        source: str | None = None,
        custom: bool = False,
        functional: bool = False,
        distinct: str | None = None,
        scope: Scope | None = None,
        idempotency_key: str | None = None,
        secrecy: Secrecy | str | None = None,
    ) -> Learned:
        """Learn one fact: how two are related, or a property of one and its value.

        A relation or type of your own needs `custom=True`; `functional` says that such a relation
        has one value at a time. `weight` is how strong the tie is, from 0 to 1: ways along weak
        ones count less. `distinct` tells two of one name apart. What contradicts what is
        known takes its place, is noted beside it, or contests it; the answer says which, and why.
        """
        arguments = {
            "subject": subject, "relation": relation, "object": object, "property": property,
            "value": value, "subject_type": subject_type, "object_type": object_type,
            "epistemic": epistemic, "confidence": confidence, "weight": weight,
            "valid_from": valid_from, "valid_until": valid_until, "at": at, "source": source,
            "custom": custom, "functional": functional, "distinct": distinct, "scope": scope,
            "idempotency_key": idempotency_key, "secrecy": secrecy,
        }  # fmt: skip
        return self._learn_one(arguments)

    def learn_many(
        self, items: Iterable[Mapping[str, object]], *, progress: Progress | None = None
    ) -> list[Learned]:
        """Learn many facts in few transactions; each item has the arguments of `learn`.

        All are checked before the first is written. One that would lead from something to itself
        or close a circle is refused by itself: its answer says so, the others stand.
        """
        from engram.capture.fact_draft import read_fact_item

        if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable):
            raise InvalidInput(hint="`items` is a list of dictionaries with learn()'s arguments.")
        now = self._core._clock()
        rules = self._core._draft_rules(now)
        facts = [read_fact_item(item, index, rules) for index, item in enumerate(items)]
        learned: list[Learned] = []
        size = self._core.settings.storage.rows_per_commit
        for start in range(0, len(facts), size):
            learned += self._take_in(facts[start : start + size], now, is_one=False)
            if progress is not None:
                progress(len(learned), len(facts))
        self._see_to_embedding()
        return learned

    def propose(
        self,
        subject: str,
        relation: str,
        object: str,  # noqa: A002  # it is what callers call it
        *,
        model: str | None = None,
        confidence: float = 0.4,
        custom: bool = False,
        scope: Scope | None = None,
    ) -> Learned:
        """Keep what a model supposes: marked as such, trusted little, in nobody's place."""
        named = f":{checked_name(model, name='model')}" if model else ""
        arguments = {
            "subject": subject, "relation": relation, "object": object, "confidence": confidence,
            "custom": custom, "scope": scope, "epistemic": Hypothetical(),
            "source": f"{_MODEL}{named}", "metadata": {"proposed": True},
        }  # fmt: skip
        return self._learn_one(arguments, is_proposed=True)

    def alias(
        self, name: str, of: str, *, reason: str = "", scope: Scope | None = None
    ) -> ChangeId:
        """Say that a name means somebody or something that is known; the change can be undone."""
        from engram.lifecycle.alias import alias

        other = read_name(name, name="name")
        where = self._core.principal.write_scope(scope)
        with self._core._unit(scope) as unit:
            node = _found(unit.see.knowledge, of, name="of")
            return alias(
                unit, self._core.principal, other, node, where, reason=checked_reason(reason)
            )

    def retract(self, belief_id: str, reason: str, *, scope: Scope | None = None) -> Memory:
        """Withdraw a belief: it was wrong. It stays in the history with the reason."""
        from engram.lifecycle.retract import retract

        if not reason:
            raise InvalidInput(hint="Say why: a retraction without a reason explains nothing.")
        with self._core._unit(scope) as unit:
            return retract(unit, self._core.principal, belief_id, reason=checked_reason(reason))

    def belief(
        self,
        subject: str,
        relation: str | None = None,
        *,
        property: str | None = None,  # noqa: A002  # it is what callers call it
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        scope: Scope | None = None,
    ) -> "BeliefState":
        """What is believed about one thing: held, contested, retracted or unknown."""
        from engram.memory.knowledge.reconcile import Unknown
        from engram.recall.believed import belief_about

        moments = self._moments(as_of, known_at)
        about = _asked(subject, relation, property)
        with self._core._view(scope) as see:
            state = belief_about(about, see, moments)
        count = int(not isinstance(state, Unknown))
        self._core._note(Action.GET, count=count, shown=state, scope=scope)
        return state

    def history(
        self,
        subject: str,
        relation: str | None = None,
        *,
        property: str | None = None,  # noqa: A002  # it is what callers call it
        scope: Scope | None = None,
    ) -> list[Revision]:
        """How what is believed about one thing came to be, oldest first."""
        from engram.recall.believed import revisions

        about = _asked(subject, relation, property)
        with self._core._view(scope) as see:
            found = revisions(about, see, self._moments())
        self._core._note(Action.HISTORY, count=len(found), shown=found, scope=scope)
        return found

    def support(self, belief_id: str, *, scope: Scope | None = None) -> Support:
        """Who says a belief: independent voices make it surer, one that repeats itself does not."""
        with self._core._view(scope) as see:
            memory = see.memory(belief_id)
            beliefs = see.knowledge.edges_of([memory.number]) if memory else []
            if memory is None or not beliefs:
                raise MemoryNotFound(hint="No belief you can see has this id.")
            sayings = see.knowledge.sayings(memory.number)
        self._core._note(Action.GET, count=1, memory=memory)
        return Support(sayings, beliefs[0].support, beliefs[0].confidence)

    def _learn_one(self, arguments: Mapping[str, object], *, is_proposed: bool = False) -> Learned:
        from engram.capture.fact_draft import read_fact

        now = self._core._clock()
        fact = read_fact(arguments, self._core._draft_rules(now), is_proposed=is_proposed)
        (learned,) = self._take_in([fact], now, is_one=True)
        self._see_to_embedding()
        return learned

    def _take_in(self, facts: "list[Fact]", now: datetime, *, is_one: bool) -> list[Learned]:
        from engram.capture.learn_fact import learn_fact, refused_fact

        core = self._core
        rules = core._draft_rules(now)
        learned: list[Learned] = []
        for scope, group in groupby(facts, key=lambda fact: fact.draft.scope):
            with core._writing(scope, now) as unit:
                knowledge = unit.see.knowledge
                for fact in group:
                    try:
                        learned.append(learn_fact(fact, unit, rules, knowledge))
                    except (InvalidInput, MemoryNotFound) as error:
                        if is_one:
                            raise
                        reason = error.hint or str(error)
                        learned.append(refused_fact(fact, reason, unit, rules))
        return learned

    def _see_to_embedding(self) -> None:
        self._core._parts.expect_recall()
        self._core._parts.wake_embedding()


def _asked(subject: str, relation: str | None, property_name: str | None) -> "About":
    from engram.recall.believed import About

    if relation is None and property_name is None:
        raise InvalidInput(hint="Name a `relation` or a `property`.")
    read_name(subject, name="subject")
    read = read_relation(relation or PROPERTY, is_custom=True)
    if property_name is None:
        return About(subject, read)
    name = checked_name(property_name, name="property")
    return About(subject, read, " ".join(name.casefold().split()))


def _found(knowledge: "KnowledgeReader", named: str, *, name: str) -> "Node":
    """The node that is named, by its id or its name."""
    if is_node_id(named):
        node = knowledge.node(named)
    else:
        wanted: NodeName = read_name(named, name=name)
        node = knowledge.named([wanted]).get(wanted)
    if node is None:
        raise MemoryNotFound(hint="Nobody and nothing you can see is called so.")
    return node
