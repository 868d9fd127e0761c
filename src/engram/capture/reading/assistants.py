"""What an assistant said that is worth keeping: promises, decisions, deeds and recommendations."""

import re
from dataclasses import dataclass

_PROMISE = re.compile(r"^(?:i['’]ll|i will|i won['’]t|i promise|i commit)\b", re.IGNORECASE)
_EMPTY_PROMISE = re.compile(
    r"^(?:i['’]ll|i will) (?:be (?:happy|glad|here)|do my best|try|help|wait|let you|explain|walk"
    r" you|assume|start|"
    r"break|provide|show|give|list|outline|go through|need)\b",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"^(?:i|we)(?:['’]ve| have)? (?:decided|chosen|chose|went with|settled|agreed"
    r"|opted|switched)\b",
    re.IGNORECASE,
)
_DEED = re.compile(
    r"^i(?:['’]ve| have)? (?:just )?(?:updated|fixed|created|added|removed|deployed|merged"
    r"|changed|renamed|installed|moved"
    r"|deleted|sent|booked|scheduled|refactored|committed|pushed|configured|wrote|implemented"
    r"|replaced|migrated|ordered|found|ran|paid|cancelled|canceled|reserved|tested|reverted"
    r"|rewrote|set up)\b",
    re.IGNORECASE,
)
_FINDING = re.compile(r"^the (?:root )?cause (?:is|was)\b", re.IGNORECASE)
_RECOMMENDED = re.compile(
    r"^(?:i(?:['’]d| would)? (?:strongly |highly |also )?(?:suggest|recommend|advise)(?:"
    r" that)?(?: you)?"
    r"|my (?:recommendation|suggestion|advice)(?: is| would be)?(?: to)?|you (?:should|could try"
    r"|might want to|may want to)"
    r"|(?:i['’]d|i would) (?:go with|go for|choose|pick)|consider(?= \w+ing\b))[:,]?\s+",
    re.IGNORECASE,
)


# What follows these is a bare verb: "you should use it" recommends to use it.
_BEFORE_VERB = re.compile(
    r"you (?:should|might want to|may want to)|my \w+ (?:is|would be) to"
    r"|i(?:['’]d| would)? (?:\w+ )?(?:suggest|recommend|advise)(?: that)? you\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AssistantStatement:
    """What is left of an assistant's sentence, and the category its act decides."""

    text: str
    category: str | None


def _lowered(text: str) -> str:
    """Without its capital, unless the first word is a name or an abbreviation."""
    is_common = text.split(" ", 1)[0].lower() in {"the", "a", "an", "to", "this", "that", "using"}
    return text[:1].lower() + text[1:] if is_common else text


def read_assistant(text: str, name: str) -> AssistantStatement | None:
    """The act that a sentence of an assistant performs, or None for general explanation."""
    recommended = _RECOMMENDED.match(text)
    if recommended is not None and len(text) > recommended.end() + 2:
        what = text[recommended.end() :]
        link = "to " if _BEFORE_VERB.match(recommended[0]) else ""
        return AssistantStatement(f"{name} recommended {link}{_lowered(what)}", "fact")
    if _PROMISE.match(text) and not _EMPTY_PROMISE.match(text):
        return AssistantStatement(text, "commitment")
    if _DECISION.match(text):
        return AssistantStatement(text, "decision")
    if _FINDING.match(text):
        return AssistantStatement(text, "fact")
    return AssistantStatement(text, "moment") if _DEED.match(text) else None
