"""Subject, predicate and object of a statement that stands alone, where its form gives them."""

import re
from dataclasses import dataclass

from engram.capture.reading.grammar import ADVERBS, MODALS, is_past
from engram.capture.reading.turns import People

_VERBS = frozenset(
    "is are was were has have had does did will would can could should must may might lives live"
    " works"
    " work uses use prefers prefer likes like loves love hates hate enjoys enjoy owns own runs"
    " run speaks"
    " speak plays play wants want needs need knows know believes believe thinks think feels feel"
    " plans"
    " plan hopes hope goes go makes make studies teaches drinks eats drives keeps costs listens"
    " contains"
    " means supports reports belongs avoids collects manages leads sounds writes reads".split()
)
_BREAK = re.compile(
    r"[,;:](?=\s|$)|[–—]| - | because | but | although | while | if | unless | so that "
)
_LEADING_TIME = re.compile(r"^(?:On|In|Around|Since) (?:[A-Za-z]+ )?\d[\d-]*,? ")
_PREPOSITION = frozenset("in at to for with from on of as about into by near".split())
_JOINING = frozenset({"and", "or", "&", "who", "that", "with", "of", "themselves"})
_WORD = re.compile(r"\S+")
_LONGEST_SUBJECT = 6
_LONGEST_OBJECT = 160


@dataclass(frozen=True, slots=True)
class Triple:
    """Who, does what, with what; each part may be missing."""

    subject: str | None = None
    predicate: str | None = None
    object: str | None = None


def triple_of(text: str, people: People | None = None) -> Triple:
    """The parts of a plain statement: "Ann works at Acme." is Ann, works at, Acme.

    Whatever stands behind the name of one of `people` is taken for the verb.
    """
    told = _LEADING_TIME.sub("", text.rstrip(".!… "), count=1)
    clause = _BREAK.split(told, maxsplit=1)[0]
    words = _WORD.findall(clause)[:60]
    verb = _behind_name(words, people) or _verb_place(words)
    if verb is None:
        return Triple()
    end = verb + 1
    while end < len(words) and (_is_auxiliary(words[end - 1]) or words[end].lower() in ADVERBS):
        if not (_goes_on(words[end]) or _takes_verb(words[end - 1], words[end])):
            break
        end += 1
    if end < len(words) and words[end].lower() in _PREPOSITION:
        end += 1
    object_ = " ".join(words[end:])[:_LONGEST_OBJECT]
    return Triple(" ".join(words[:verb]), " ".join(words[verb:end]), object_ or None)


def _behind_name(words: list[str], people: People | None) -> int | None:
    for name in (people.speaker, people.listener) if people else ():
        parts = (name or "").split()
        begins = [word.lower() for word in words[: len(parts)]]
        if parts and begins == [part.lower() for part in parts] and len(words) > len(parts):
            place = len(parts)
            while place < len(words) - 1 and words[place].lower() in ADVERBS:
                place += 1
            return place if words[place].islower() and words[place] not in _JOINING else None
    return None


def _verb_place(words: list[str]) -> int | None:
    for place, word in enumerate(words[: _LONGEST_SUBJECT + 1]):
        lower = word.lower()
        is_verb = lower in _VERBS or lower in MODALS or lower.endswith("n't") or is_past(lower)
        if (
            place
            and is_verb
            and word.islower()
            and words[place - 1].lower() not in {"a", "an", "the", "to"}
        ):
            return place
    return None


def _is_auxiliary(word: str) -> bool:
    lower = word.lower()
    return lower in MODALS or lower in {
        "is", "are", "was", "were", "has", "have", "had", "does", "did", "been", "be", "not", "to",
        "going", "doesn't", "didn't", "isn't", "hasn't", "wants", "want", "used", "plans", "hopes",
    }  # fmt: skip


def _takes_verb(before: str, word: str) -> bool:
    """Whether a bare verb must follow, as in "will send" and "doesn't eat"."""
    lower = before.lower()
    return word.isalpha() and (
        lower in MODALS or lower in {"to", "does", "did", "doesn't", "didn't"}
    )


def _goes_on(word: str) -> bool:
    """Whether a word still belongs to the verb: "has been working", "will send"."""
    lower = word.lower()
    return (
        lower in {"not", "been", "be", "to", "going", "have", "got"}
        or lower in ADVERBS
        or lower in _VERBS
        or is_past(lower)
        or (lower.endswith("ing") and len(lower) > 4)
    )
