"""Operations on what is known: learn and withdraw beliefs, ask for them, follow them on."""

from typing import Annotated

from pydantic import Field

from engram.engine import Engram
from engram.memory.scopes import Scope
from engram.surfaces.documents import Document, changed_document
from engram.surfaces.knowledge_documents import (
    answers_document,
    conclusions_document,
    learned_document,
    learned_many_document,
    node_view_document,
    nodes_document,
    reached_document,
    revisions_document,
    state_document,
    support_document,
)
from engram.surfaces.operations import knowledge_telling, telling
from engram.surfaces.operations.fields import (
    MOST_ITEMS,
    Id,
    Limit,
    Name,
    Query,
    Reason,
    SecrecyName,
    Share,
    SourceName,
    Text,
    Time,
)
from engram.surfaces.operations.knowledge_fields import (
    AnyJson,
    DirectionName,
    FactRelation,
    GroundsGiven,
    Hops,
    NodeNamed,
    NodeTypeName,
    SomeRelation,
    Steps,
)
from engram.surfaces.operations.memories import home_of
from engram.surfaces.operations.operation import (
    ADDING,
    CURATING,
    READING,
    REMOVING,
    Arguments,
    Progress,
    ScopedArguments,
    long_operation,
    operation,
)

_MOST_NAMES = 50  # that one activation may begin at
_REASON_LENGTH = 500  # 2,000 bytes at most, whatever the letters
Custom = Annotated[bool, Field(description="The relation or type is one of your own.")]


class FactGiven(ScopedArguments):
    """One fact: how two are related, or a property of one and its value."""

    subject: NodeNamed
    relation: FactRelation | None = None
    object: NodeNamed | None = None
    property: Annotated[Name | None, Field(description="Which property `value` is of.")] = None
    value: AnyJson = None
    subject_type: NodeTypeName | None = None
    object_type: NodeTypeName | None = None
    epistemic: GroundsGiven | None = None
    confidence: Share | None = None
    weight: Share = 1.0
    valid_from: Time | None = None
    valid_until: Time | None = None
    at: Time | None = None
    source: SourceName | None = None
    custom: Custom = False
    functional: Annotated[bool, Field(description="Your own relation has one value at a time.")] = (
        False
    )
    distinct: Annotated[
        Name | None, Field(description="Tells the subject from others of its name.")
    ] = None
    idempotency_key: Name | None = None
    secrecy: SecrecyName | None = None

    def as_item(self) -> Document:
        """The fact as the library takes it among many."""
        return {**self.model_dump(exclude={"scope"}, exclude_none=True), "scope": self.part}


@operation(
    "learn", FactGiven, kind=ADDING, route="POST /knowledge", gives="Learned",
    tells=knowledge_telling.learned,
)  # fmt: skip
def learn(engram: Engram, given: FactGiven) -> Document:
    """Learn a fact: how two are related, or a property; says what it does to what was believed."""
    said = given.model_dump(exclude={"scope"}, exclude_none=True)
    return learned_document(engram.knowledge.learn(**said, scope=given.part))


class LearnMany(Arguments):
    """What `learn_many` takes."""

    items: Annotated[list[FactGiven], Field(max_length=MOST_ITEMS)]


@long_operation(
    "learn_many", LearnMany, kind=ADDING, route="POST /knowledge/bulk", gives="LearnedMany",
    tells=knowledge_telling.learned_many,
)  # fmt: skip
def learn_many(engram: Engram, given: LearnMany, progress: Progress) -> Document:
    """Learn many facts; one that cannot be is refused by itself, the others stand."""
    items = [item.as_item() for item in given.items]
    return learned_many_document(engram.knowledge.learn_many(items, progress=progress))


class ProposeBelief(ScopedArguments):
    """What `propose_belief` takes."""

    subject: NodeNamed
    relation: FactRelation
    object: NodeNamed
    by: Annotated[Name | None, Field(description="Which model supposes it.")] = None
    confidence: Share = 0.4
    custom: Custom = False


@operation(
    "propose_belief", ProposeBelief, kind=ADDING, route="POST /knowledge/proposals",
    gives="Learned", tells=knowledge_telling.learned,
)  # fmt: skip
def propose_belief(engram: Engram, given: ProposeBelief) -> Document:
    """Keep what a model supposes: marked as such, trusted little, in nobody's place."""
    said = given.model_dump(exclude={"scope", "by"})
    found = engram.knowledge.propose(**said, model=given.by, scope=given.part)
    return learned_document(found)


class AddAlias(ScopedArguments):
    """What `add_alias` takes."""

    name: Annotated[Name, Field(description="The other name.")]
    of: NodeNamed
    reason: Reason = ""


@operation(
    "add_alias", AddAlias, kind=CURATING, route="POST /knowledge/aliases", gives="Renamed",
    tells=telling.renamed,
)  # fmt: skip
def add_alias(engram: Engram, given: AddAlias) -> Document:
    """Say that a name means somebody or something that is known; the change can be undone."""
    change = engram.knowledge.alias(given.name, given.of, reason=given.reason, scope=given.part)
    return {"change_id": change}


class OneBelief(ScopedArguments):
    """What an operation on one belief takes."""

    belief_id: Id

    def place(self, engram: Engram) -> Scope | None:
        """The scope that is meant; an owner who names none means the belief's own."""
        return self.part or home_of(engram, self.belief_id)


class Retract(OneBelief):
    """What `retract` takes."""

    reason: Annotated[Text, Field(max_length=_REASON_LENGTH)]


@operation(
    "retract", Retract, kind=REMOVING, route="DELETE /knowledge/beliefs/{belief_id}",
    gives="Changed", tells=telling.changed,
)  # fmt: skip
def retract(engram: Engram, given: Retract) -> Document:
    """Withdraw a belief because it was wrong; it stays in the history with the reason."""
    memory = engram.knowledge.retract(given.belief_id, given.reason, scope=given.place(engram))
    return changed_document(memory)


@operation(
    "support", OneBelief, kind=READING, route="GET /knowledge/beliefs/{belief_id}/support",
    gives="Support", tells=knowledge_telling.support,
)  # fmt: skip
def support(engram: Engram, given: OneBelief) -> Document:
    """Who says a belief: independent voices make it surer, one that repeats itself does not."""
    return support_document(engram.knowledge.support(given.belief_id, scope=given.place(engram)))


class AboutOneThing(ScopedArguments):
    """What `belief_history` takes: a relation of the subject, or one of its properties."""

    subject: NodeNamed
    relation: SomeRelation | None = None
    property: Name | None = None


class AboutOneThingThen(AboutOneThing):
    """What `belief` takes."""

    as_of: Annotated[Time | None, Field(description="What held at that time.")] = None
    known_at: Annotated[Time | None, Field(description="What was known at that time.")] = None


@operation(
    "belief", AboutOneThingThen, kind=READING, route="GET /knowledge/belief", gives="BeliefState",
    tells=knowledge_telling.state,
)  # fmt: skip
def belief(engram: Engram, given: AboutOneThingThen) -> Document:
    """What is believed about one thing: held, contested with all positions, retracted, unknown."""
    asked = given.model_dump(exclude={"scope"})
    return state_document(engram.knowledge.belief(**asked, scope=given.part))


@operation(
    "belief_history", AboutOneThing, kind=READING, route="GET /knowledge/history",
    gives="Revisions", tells=knowledge_telling.revisions,
)  # fmt: skip
def belief_history(engram: Engram, given: AboutOneThing) -> Document:
    """How what is believed about one thing came to be, oldest first."""
    asked = given.model_dump(exclude={"scope"})
    return revisions_document(engram.knowledge.history(**asked, scope=given.part))


class Looking(ScopedArguments):
    """What operations that look into the graph take."""

    texts: Annotated[bool, Field(description="Also what is read off memories' texts.")] = True
    limit: Limit = 100
    as_of: Annotated[Time | None, Field(description="What held at that time.")] = None
    known_at: Annotated[Time | None, Field(description="What was known at that time.")] = None


class KnowledgeOf(Looking):
    """What `knowledge_of` takes."""

    name: NodeNamed
    inferred: Annotated[bool, Field(description="Also what only follows.")] = False
    limit: Limit = 200


@operation(
    "knowledge_of", KnowledgeOf, kind=READING, route="GET /knowledge/nodes/{name}",
    gives="NodeView", tells=knowledge_telling.node_view,
)  # fmt: skip
def knowledge_of(engram: Engram, given: KnowledgeOf) -> Document:
    """All that is believed of somebody or something: properties, relations out and in."""
    asked = given.model_dump(exclude={"scope", "name"})
    view = engram.knowledge.node(given.name, **asked, scope=given.part)
    return node_view_document(view)


class ListNodes(ScopedArguments):
    """What `nodes` takes."""

    type: NodeTypeName | None = None
    texts: Annotated[bool, Field(description="Also what is read off memories' texts.")] = True
    limit: Limit = 100


@operation(
    "nodes", ListNodes, kind=READING, route="GET /knowledge/nodes", gives="Nodes",
    tells=knowledge_telling.nodes,
)  # fmt: skip
def nodes(engram: Engram, given: ListNodes) -> Document:
    """Who and what is known, in the order of their names."""
    asked = given.model_dump(exclude={"scope"})
    return nodes_document(engram.knowledge.nodes(**asked, scope=given.part))


class Neighbours(Looking):
    """What `neighbours` takes."""

    name: NodeNamed
    relation: SomeRelation | None = None
    direction: DirectionName = "both"
    hops: Hops = 1
    inferred: Annotated[bool, Field(description="Also what only follows.")] = False


@operation(
    "neighbours", Neighbours, kind=READING, route="GET /knowledge/nodes/{name}/neighbours",
    gives="Reached", tells=knowledge_telling.reached,
)  # fmt: skip
def neighbours(engram: Engram, given: Neighbours) -> Document:
    """Who and what is within some hops, nearest and surest first, with the beliefs between."""
    asked = given.model_dump(exclude={"scope"})
    found = engram.knowledge.neighbours(**asked, scope=given.part)
    return reached_document(found)


class Traverse(Looking):
    """What `traverse` takes."""

    start: NodeNamed
    steps: Steps


@operation(
    "traverse", Traverse, kind=READING, route="POST /knowledge/paths", gives="Reached",
    tells=knowledge_telling.reached,
)  # fmt: skip
def traverse(engram: Engram, given: Traverse) -> Document:
    """Follow relations step by step: from Ada to what she uses, from there to who created it."""
    path = engram.knowledge.path(
        given.start,
        texts=given.texts,
        as_of=given.as_of,
        known_at=given.known_at,
        scope=given.part,
    )
    for step in given.steps:
        wanted = step.model_dump(exclude={"relation", "direction"})
        path = path.follow(step.relation, step.direction).where(**wanted)
    return reached_document(path.find(given.limit))


class Activate(Looking):
    """What `activate` takes."""

    names: Annotated[list[NodeNamed], Field(min_length=1, max_length=_MOST_NAMES)]
    hops: Hops = 2
    limit: Limit = 50


@operation(
    "activate", Activate, kind=READING, route="POST /knowledge/activate", gives="Reached",
    tells=knowledge_telling.reached,
)  # fmt: skip
def activate(engram: Engram, given: Activate) -> Document:
    """What some names bring to mind, strongest first: less with each hop."""
    asked = given.model_dump(exclude={"scope"})
    found = engram.knowledge.activate(**asked, scope=given.part)
    return reached_document(found)


class Infer(Looking):
    """What `infer` takes."""

    name: NodeNamed
    relation: SomeRelation


@operation(
    "infer", Infer, kind=READING, route="GET /knowledge/nodes/{name}/conclusions",
    gives="Conclusions", tells=knowledge_telling.conclusions,
)  # fmt: skip
def infer(engram: Engram, given: Infer) -> Document:
    """What follows from several beliefs along one relation, with the premises; none is kept."""
    asked = given.model_dump(exclude={"scope"})
    found = engram.knowledge.infer(**asked, scope=given.part)
    return conclusions_document(found)


class QueryKnowledge(Looking):
    """What `query_knowledge` takes."""

    text: Query
    hops: Hops = 1
    limit: Limit = 10


@operation(
    "query_knowledge", QueryKnowledge, kind=READING, route="POST /knowledge/query",
    gives="Answers", tells=knowledge_telling.answers,
)  # fmt: skip
def query_knowledge(engram: Engram, given: QueryKnowledge) -> Document:
    """Who and what a question is about, with the beliefs by which that was found."""
    asked = given.model_dump(exclude={"scope"})
    found = engram.knowledge.query(**asked, scope=given.part)
    return answers_document(found)
