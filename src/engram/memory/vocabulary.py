"""The closed sets of words that a memory's fields are made of."""

from enum import StrEnum


class Layer(StrEnum):
    """Where in the life of knowledge a memory stands."""

    WORKING = "working"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    CODEBASE = "codebase"


class MemoryType(StrEnum):
    """What sort of statement a memory makes."""

    FACT = "fact"
    PROCEDURE = "procedure"
    NARRATIVE = "narrative"


class Kind(StrEnum):
    """Whether a memory tells of one event or of something that holds."""

    EPISODE = "episode"
    NOTE = "note"


class Status(StrEnum):
    """Where a memory stands in its life; `status.py` holds the legal moves."""

    PENDING = "pending"
    ACTIVE = "active"
    CHALLENGED = "challenged"
    STALE = "stale"
    SUPERSEDED = "superseded"
    MERGED = "merged"
    INVALIDATED = "invalidated"
    REJECTED = "rejected"
    ARCHIVED = "archived"
    QUARANTINED = "quarantined"


class LearnedBy(StrEnum):
    """By which way a memory came in."""

    REMEMBER = "remember"
    OBSERVE = "observe"
    HARVEST = "harvest"
    MANUAL = "manual"
    IMPORT = "import"
    AGENT = "agent"
    BUS = "bus"
    DREAM = "dream"


class SourceClass(StrEnum):
    """Who vouches for a memory, from the most to the least trusted."""

    PERSON = "person"
    AGENT = "agent"
    TOOL = "tool"
    IMPORT = "import"
    DREAM = "dream"
    WEB = "web"


class Secrecy(StrEnum):
    """How a memory's text is protected; only cleartext reaches the text index."""

    CLEARTEXT = "cleartext"
    SENSITIVE = "sensitive"
    CONFIDENTIAL = "confidential"


class RecallMode(StrEnum):
    """Which types of memory an answer may draw on."""

    FACTS_ONLY = "facts_only"
    FACTS_PLUS_RULES = "facts_plus_rules"
    FULL_CONTEXT = "full_context"


class RetentionMode(StrEnum):
    """The curve by which an unused memory fades."""

    L2 = "l2"
    HUBER = "huber"
    ELASTIC = "elastic"


class ResultKind(StrEnum):
    """Of what a result is that is taken in."""

    COMPACTION = "compaction"
    TASK = "task"
    FLOW = "flow"
    ORCHESTRATOR = "orchestrator"
    SWARM = "swarm"
    RESEARCH = "research"
    TOOL = "tool"
