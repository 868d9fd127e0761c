"""What a question wants: one of six intents with a plan each, and small facts about its wording.

Rules over words alone; the words stand in `language/en/intents.json`. A question that shows no sign
of anything else looks something up.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from engram.language.tables import read_table
from engram.language.when.spans import names_time
from engram.recall.events import find_event
from engram.text.terms import quoted_phrases

_LEAST_TEXT_SHARE, _MOST_TEXT_SHARE = 0.1, 0.7
_LONGEST_QUESTION = 2_000  # what a question wants is said in its first sentences


class Intent(StrEnum):
    """The six things a question can want."""

    LOOKUP = "lookup"
    EXPLORATORY = "exploratory"
    COMPARATIVE = "comparative"
    TEMPORAL = "temporal"
    PROCEDURAL = "procedural"
    CAUSAL = "causal"


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """How to search for one intent.

    `hops` is how far links are followed. The other two count where ranks are fused (rerank = rrf):
    `text_share` is the part of text search against meaning that a question of ordinary wording
    starts from, and `time_weight` how much nearness in time counts.
    """

    text_share: float
    hops: int = 2
    time_weight: float = 0.15


PLANS: dict[Intent, SearchPlan] = {
    Intent.LOOKUP: SearchPlan(0.4),
    Intent.EXPLORATORY: SearchPlan(0.2),
    Intent.COMPARATIVE: SearchPlan(0.3),
    Intent.TEMPORAL: SearchPlan(0.3, time_weight=0.4),
    Intent.PROCEDURAL: SearchPlan(0.3),
    Intent.CAUSAL: SearchPlan(0.2, hops=3),  # causes lie behind other causes
}

_READ = read_table("intents.json")


def _pattern(text: str) -> re.Pattern[str]:
    """A pattern of the file, with the parts that it names put in."""
    for name, part in _READ["parts"].items():
        text = text.replace(f"<{name}>", part)
    return re.compile(text, re.IGNORECASE)


def _any_of(phrases: list[str]) -> re.Pattern[str]:
    return _pattern(rf"\b(?:{'|'.join(phrases)})")


_LOOKUP_PRIOR = 0.5  # without any other sign a question looks something up
# Each sign with how surely it tells.
_SIGNS = tuple(
    (Intent(each["intent"]), float(each["weight"]), _any_of(each["phrases"]))
    for each in _READ["signs"]
)
_PATTERNS = {name: _any_of(phrases) for name, phrases in _READ["phrases"].items()}
_PATTERNS |= {name: _pattern(text) for name, text in _READ["patterns"].items()}
# What an ordering question is wrapped in, from its outside to its inside. None of it says what the
# things are about; all of it would draw turns that talk about talking.
_FRAME = tuple(map(_pattern, _READ["order_frame"]))
_NAMED_TIME_WEIGHT = 1.4
_EVENT_WEIGHT = 1.0
_ORDER_WEIGHT = 2.5  # more than "walk me through", which such questions often begin with


def intent_of(question: str) -> Intent:
    """What a question most likely wants, by the signs in its wording."""
    text = question[:_LONGEST_QUESTION]
    weights = {intent: _LOOKUP_PRIOR * (intent is Intent.LOOKUP) for intent in Intent}
    for intent, weight, pattern in _SIGNS:
        if pattern.search(text):
            weights[intent] += weight
    if names_time(text):
        weights[Intent.TEMPORAL] += _NAMED_TIME_WEIGHT
    elif find_event(text) is not None:
        weights[Intent.TEMPORAL] += _EVENT_WEIGHT
    if asks_for_order(text):
        weights[Intent.TEMPORAL] += _ORDER_WEIGHT
    return max(weights, key=lambda intent: weights[intent])


# What of a wording tells how much text search should count: exact strings (identifiers, numbers,
# acronyms) must be matched as they are written.
_SHARES = (
    (0.2, re.compile(
        r"`[^`\n]{1,80}`"
        r"|\b\w{1,40}[_/\\@#=]\w"
        r"|\b\w{1,40}\.\w{2,12}\b(?<![.]\s)"
        r"|\b[a-z]{1,20}[A-Z]\w"
        r"|\b\w{0,20}[A-Za-z]\w{0,20}\d\w{0,20}|\b\d+\w{0,20}[A-Za-z]"
        r"|--?[a-z][\w-]{1,20}"
    )),
    (0.05, re.compile(r"(?<![\w.])\d[\d.,:]*")),
    (0.05, re.compile(r"\b[A-Z]{2,}\b")),
    (-0.08, _PATTERNS["concept"]),
)  # fmt: skip


def text_share(question: str, intent: Intent | None = None) -> float:
    """The part that text search should have against meaning, from 0.1 to 0.7.

    A long question in ordinary words is better served by its meaning. An intent that is known
    already need not be guessed again.
    """
    text = question[:_LONGEST_QUESTION]
    length = len(text.split())
    share = PLANS[intent or intent_of(text)].text_share
    share += sum(weight for weight, pattern in _SHARES if pattern.search(text))
    share += 0.15 * bool(quoted_phrases(text)) + 0.1 * (length <= 3)
    share -= 0.08 * (length > 12) + 0.08 * (length > 24)
    return round(min(max(share, _LEAST_TEXT_SHARE), _MOST_TEXT_SHARE), 4)


# Facts about a question's wording, each a feature of the ranking


def _says(name: str, question: str) -> bool:
    """Whether a pattern, or one of the phrases, under a name stands in a question."""
    return _PATTERNS[name].search(question[:_LONGEST_QUESTION]) is not None


asks_how_many = partial(_says, "how_many")  # for a number or an amount
asks_for_summary = partial(_says, "summary")  # for the whole of a matter and not one fact of it
asks_for_order = partial(_says, "order")  # in which things came
asks_latest = partial(_says, "latest")  # for the most recent of several like things


def asks_when(question: str) -> bool:
    """Whether a date, a time or a length of time is asked for."""
    return _says("when", _PATTERNS["condition"].sub(" ", question[:_LONGEST_QUESTION]))


def is_request(question: str) -> bool:
    """Whether advice or work is asked for, to which preferences and standing wishes apply."""
    return _says("request", question) and not asks_for_order(question)


def asks_current_value(question: str) -> bool:
    """Whether the question is for what holds now, so that an older statement would mislead."""
    text = question[:_LONGEST_QUESTION]
    if _says("current", text):
        return not _says("history", text) or "still" in text.lower()
    if _says("history", text) or asks_for_summary(text) or asks_for_order(text):
        return False
    # "What time should I leave?" asks for a value; "what should I wear?" for advice.
    return _says("plain_value", text) or (_says("value", text) and not is_request(text))


def asks_about_past(question: str) -> bool:
    """Whether the question is for what held before; "did it cost in the end" is not."""
    return _says("held_before", question) and "still" not in question[:_LONGEST_QUESTION].lower()


def without_order_frame(question: str) -> str:
    """An ordering question without its wrapping: what is left is what the things are about.

    Any other question comes back as it is, and so does one of which too little would be left.
    """
    if not asks_for_order(question):
        return question
    bare = question
    for frame in _FRAME:
        bare = frame.sub(" ", bare)
    bare = _STRAY_MARKS.sub(r"\1", " ".join(bare.split())).strip(" ,.?!")
    return bare if len(bare.split()) >= 2 else question


_STRAY_MARKS = re.compile(r"\s*([,.?!])(?:\s*[,.?!])*")
