"""How far a source is believed, and what that means for one memory as an answer."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from engram.errors import InvalidInput
from engram.memory.feedback import Feedback, accuracy_factor
from engram.memory.record import Memory, MetadataValue
from engram.memory.retention import retention
from engram.memory.scopes import Principal
from engram.memory.vocabulary import LearnedBy, RetentionMode, Secrecy, SourceClass
from engram.text.strings import checked_name

_SCREENED = frozenset({"flags", "personal", "secrets"})
SOURCE_TRUST: dict[SourceClass, float] = {
    SourceClass.PERSON: 1.0,
    SourceClass.AGENT: 0.7,
    SourceClass.TOOL: 0.6,
    SourceClass.IMPORT: 0.5,
    SourceClass.DREAM: 0.4,
    SourceClass.WEB: 0.3,
}

CLASS_OF_PREFIX: dict[str, SourceClass] = {
    "manual": SourceClass.PERSON,
    "user": SourceClass.PERSON,
    "assistant": SourceClass.AGENT,
    "tool": SourceClass.AGENT,
    "agent": SourceClass.AGENT,
    "harness": SourceClass.AGENT,
    "bus": SourceClass.AGENT,
    "result": SourceClass.TOOL,
    "import": SourceClass.IMPORT,
    "dream": SourceClass.DREAM,
    "web": SourceClass.WEB,
}

_LEARNED_BY_PREFIX: dict[str, LearnedBy] = {
    "manual": LearnedBy.MANUAL,
    "user": LearnedBy.OBSERVE,
    "assistant": LearnedBy.OBSERVE,
    "harness": LearnedBy.HARVEST,
    "import": LearnedBy.IMPORT,
    "bus": LearnedBy.BUS,
    "dream": LearnedBy.DREAM,
    "agent": LearnedBy.AGENT,
}

_BY_KEY = ":key:"  # what callers with a key leave behind
UNTRUSTED = 0.5  # up to here nobody who is known stands behind the words
_OUTSIDE_RESULTS = frozenset({"tool", "research", "scan"})  # words of others that work brought up
_WEIGHTS = (0.35, 0.25, 0.20, 0.20)  # relevance, accuracy, freshness, utility


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who vouches for a memory and how it came in."""

    source: str
    source_class: SourceClass
    learned_by: LearnedBy
    trust: float


@lru_cache(maxsize=1024)
def provenance(principal: Principal, source: str | None) -> Provenance:
    """Where a memory comes from; a claimed source can only lower what the caller stands for."""
    own = SourceClass.PERSON if principal.is_person else SourceClass.AGENT
    text = source or _own_source(principal)
    checked_name(text, name="source")
    if source and _BY_KEY in source:
        raise InvalidInput(hint="`source` names a key only where Engram has seen it.")
    prefix = text.partition(":")[0]
    claimed = CLASS_OF_PREFIX.get(prefix)
    if claimed is None:
        raise InvalidInput(
            hint=f"`source` starts with one of: {', '.join(CLASS_OF_PREFIX)}; then :details."
        )
    least = min(own, claimed, key=SOURCE_TRUST.__getitem__)
    learned_by = _LEARNED_BY_PREFIX.get(prefix, LearnedBy.REMEMBER)
    trust = SOURCE_TRUST[least]
    return Provenance(
        text, least, learned_by, min(trust, UNTRUSTED) if _is_words_of_others(text) else trust
    )


def _is_words_of_others(source: str) -> bool:
    """Whether a result is what a tool, a search or a scan read somewhere, whoever wrote that."""
    way, _, rest = source.partition(":")
    return way == "result" and rest.partition(":")[0] in _OUTSIDE_RESULTS


def _own_source(principal: Principal) -> str:
    """What is written down when a caller names no source; one with a key leaves which it was."""
    way = "manual" if principal.is_person else "tool:remember"
    return f"{way}:{principal.credential}" if principal.credential else way


def is_untrusted(memory: Memory) -> bool:
    """Whether nobody who is known stands behind it: no person, no agent, and none has verified it.

    Said again by an agent it stays so: an agent may be repeating what it has just read.
    """
    if memory.last_verified_at is not None:
        return False
    return memory.trust <= UNTRUSTED or _is_words_of_others(memory.source)


def is_flagged(memory: Memory) -> bool:
    """Whether its wording looks like an order to an agent."""
    flags = memory.metadata.get("flags")
    return isinstance(flags, list) and "injection" in flags


def may_enter_unasked(memory: Memory) -> bool:
    """Whether a memory may come into a prompt that nobody looks at first.

    Not what looks like an order to an agent, and not what nobody trustworthy said, until a person
    has verified it; and never what is confidential, whoever said it.
    """
    return memory.secrecy is not Secrecy.CONFIDENTIAL and _is_sound(memory)


def _is_sound(memory: Memory) -> bool:
    if memory.last_verified_at is not None:
        return True
    return not is_flagged(memory) and not is_untrusted(memory)


def passed_on(memory: Memory) -> float:
    """The trust of what is made of a memory: its own, and never above that of the untrusted."""
    return memory.trust if _is_sound(memory) else min(memory.trust, UNTRUSTED)


def unlabelled(memory: Memory) -> dict[str, MetadataValue]:
    """The metadata without what screening said of its wording: another one is looked over anew."""
    return {name: value for name, value in memory.metadata.items() if name not in _SCREENED}


@dataclass(frozen=True, slots=True)
class TrustScore:
    """Four reasons to rely on a hit, each from 0 to 1, and their weighted mean."""

    relevance: float
    accuracy: float
    freshness: float
    utility: float
    composite: float


def trust_score(
    memory: Memory,
    relevance: float,
    now: datetime,
    mode: RetentionMode = RetentionMode.HUBER,
    *,
    feedbacks: Sequence[Feedback] = (),
) -> TrustScore:
    """How far this memory can be relied on as an answer now, by what callers said of it too."""
    doubt = 1.0 / (1.0 + memory.usage.confirmations)
    accuracy = memory.trust * (1.0 - doubt * (1.0 - memory.confidence)) * accuracy_factor(feedbacks)
    freshness = retention(memory, now, mode)
    utility = min(1.0, math.log1p(memory.usage.accesses) / math.log(21))
    parts = (relevance, accuracy, freshness, utility)
    composite = sum(weight * part for weight, part in zip(_WEIGHTS, parts, strict=True))
    return TrustScore(*parts, composite)
