"""What is said about the limits of memory, once and plainly, when it is not sure of an answer.

Only to a question that memory could answer: who states something or wants something done asks
nothing of it, and what is in mind or was just said may be the answer itself.
"""

import re
from collections.abc import Iterable

from engram.language.lexicon import COMMON_WORDS
from engram.language.stems import stem
from engram.recall.result import RecallResult
from engram.text.strings import folded

_UNKNOWN = "Nothing in memory answers this: an answer rests on something else."
_UNCERTAIN = "What memory holds on this may not be the answer: it is uncertain."
_SURE = "confident"
_ASKS = re.compile(
    r"[?\uff1f\u061f][^\w?\uff1f\u061f]*$"
    r"|^\W*(?:who|whom|whose|what|which|when|where|why|how|do|does|did|is|are|was|were|has|have|had)"
    r"(?:'s|\u2019s|'re)?\s",
    re.IGNORECASE,
)
# Something to be done or explained: "can you write …", "how do I sort …", "translate … ?".
_TASK = re.compile(
    r"^\W*(?:(?:and|so|ok|okay|hey|hi|hello|now|then|also|thanks)[,!.]* +)*"
    r"(?:please|help|let's|how (?:to|do|can|would|should|could) (?:i|you|one|we)|write|make|create"
    r"|translate|explain|summari[sz]e|fix|sort|convert|calculate|draft|generate|implement|add|list"
    r"|refactor|(?:can|could|would|will) (?:you|we))\b"
    r"(?!.*\b(?:remember|recall|remind|know|tell me)\b)",
    re.IGNORECASE | re.DOTALL,
)
_WORD = re.compile(r"[^\W_]+")
_SHARE = 0.5  # of a question's words, for something said to be about it


def reflection(
    result: RecallResult, question: str, *, recalled: int, said: Iterable[str], is_in_mind: bool
) -> tuple[str, ...]:
    """The note on an answer of memory; none where it is confident of it or was not asked."""
    words = _telling_words(question)
    if not words or not _ASKS.search(question) or _TASK.search(question):
        return ()
    if not recalled:
        is_known = is_in_mind or any(_is_about(text, words) for text in said)
        return () if is_known else (_UNKNOWN,)
    domain = result.domain
    is_open = domain is not None and domain.assessment != _SURE and domain.gaps > 0
    if domain is None or not is_open:
        return () if result.assessment == _SURE else (_UNCERTAIN,)
    questions = "one open question" if domain.gaps == 1 else f"{domain.gaps} open questions"
    return (
        f"What memory holds on “{domain.label}” has {questions}: it may be incomplete or out of"
        " date.",
    )


def _is_about(text: str, words: frozenset[str]) -> bool:
    return len(words & _telling_words(text)) >= _SHARE * len(words)


def _telling_words(text: str) -> frozenset[str]:
    found = (folded(word) for word in _WORD.findall(text))
    return frozenset(stem(word) for word in found if word not in COMMON_WORDS and len(word) > 1)
