"""One claim: a subject, a predicate and an object, and when two of them speak of the same."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from engram.language.lexicon import folded
from engram.language.texts import normalised
from engram.language.when.spans import find_times
from engram.memory.claims.forms import EQUAL_WORDS, spelled_out, with_numbers

_ARTICLE = re.compile(r"^(?:(?:the|a|an|our|your|his|her|their|its)\s+)+")


@dataclass(frozen=True, slots=True)
class Claim:
    """What a sentence says of a subject; a functional predicate has one value at a time."""

    subject: str
    predicate: str
    object: str
    is_negated: bool = False
    is_functional: bool = False
    instead_of: str = ""  # the value that was given up, where a change names it
    is_whole: bool = True  # the sentence says nothing beyond it: no date, no reason

    @property
    def key(self) -> tuple[str, str]:
        """What the claim is about: the same for all ways to write subject and predicate."""
        return plain_name(self.subject), self.predicate


def plain_name(name: str) -> str:
    """A subject or a value as it is compared: lower case, no article, numbers in figures."""
    plain = _ARTICLE.sub("", normalised(folded(spelled_out(name))))
    words = [EQUAL_WORDS.get(word, word) for word in plain.split()]
    return " ".join(with_numbers(words))


def covers(wider: str, narrower: str) -> bool:
    """Whether one value says all that another does: "Porto, Portugal" says "Porto" too."""
    said, asked = _value_words(wider), _value_words(narrower)
    if said == asked:
        return True
    if any(character.isdigit() for character in wider + narrower):
        return _covers_moment(wider, narrower)
    return "," in wider and said[: len(asked)] == asked


def _value_words(value: str) -> list[str]:
    return [word.strip(",;") for word in plain_name(value).split()]


def _covers_moment(wider: str, narrower: str) -> bool:
    """ "May 5th" is "5 May"; "3 May 1990" says "3 May" too, and not the other way round."""
    ours, theirs = (find_times(value, _ANY_DAY) for value in (wider, narrower))
    is_moment = len(ours) == len(theirs) == 1 and all(
        len(span.text) + len("on the ") >= len(value.strip())
        for span, value in zip((*ours, *theirs), (wider, narrower), strict=True)
    )
    if not is_moment:
        return False
    (mine,), (other,) = ours, theirs
    if (mine.start, mine.end) == (other.start, other.end):
        return True
    has_year = re.search(r"\b\d{4}\b", wider) is not None and not re.search(r"\b\d{4}\b", narrower)
    return has_year and f"{mine.start:%m-%d %H:%M}" == f"{other.start:%m-%d %H:%M}"


_ANY_DAY = datetime(2024, 6, 15, tzinfo=UTC)
