"""A sentence as what it says and whether it affirms or denies it.

"There is no clerk at the desk" and "the clerk is not at the desk" deny "a clerk is at the desk",
which affirms it. Only sentences with one clear denial are read so; two denials in one are left to
people.
"""

import re
from dataclasses import dataclass

from engram.language.lexicon import folded
from engram.memory.claims.forms import is_past, plain_form, spelled_out, with_numbers

_LONGEST_SENTENCE = 1_000  # characters; more are several sentences
_WORD = re.compile(r"[\w][\w'+#./:@-]*[\w+#]|\w")
_LIGHT = frozenset(
    """a an the is are am be been being do does did has have had was were there this that these
    those some any who which that's it's its of and or just now currently really very actually also
    already still""".split()
)
_DENYING = frozenset("not no never nobody none neither nor nothing".split())
_DENYING_PHRASES = (
    (re.compile(r"\b(?:no one|no-one|nobody)\b", re.IGNORECASE), "no someone"),
    (re.compile(r"\bnothing\b", re.IGNORECASE), "no something"),
    (re.compile(r"\bno longer\b", re.IGNORECASE), "not"),
    (re.compile(r"\b(?:anymore|any more|any longer)\b", re.IGNORECASE), ""),
    (re.compile(r"\bsomebody\b", re.IGNORECASE), "someone"),
)
# Words that bind a denial to something else than the sentence: "not only", "no doubt", "not yet".
_IDIOM = re.compile(
    r"\b(?:not only|no doubt|not just|no problem|not yet|no matter|no idea|not sure|not necessarily"
    r"|not all|not every|not always|why not|if not|or not|whether|no \d|not \d|not many|not much"
    r"|not very|not too|unless|except|no more than|no less than|no wonder)\b",
    re.IGNORECASE,
)
_MODAL = frozenset("can could may might must should would shall will if when maybe perhaps".split())


# Who is not named may be somebody else each time.
INDEFINITE = re.compile(
    r"(?:an?|some|someone|something|several|many|few|there|no|not|\d+|one|two|three|four|five|six"
    r"|seven|eight|nine|ten|another|people|any)\b",
    re.IGNORECASE,
)
FIRST_OR_SECOND_PERSON = re.compile(
    r"\b(?:i|me|my|mine|myself|we|us|our|ours|you|your|yours)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Polarity:
    """What a sentence says, word by word, and whether it says that it is so."""

    words: tuple[str, ...]  # content words in one form, in order
    is_negated: bool
    denied_at: int = 0  # how many content words stand before the denial
    modals: frozenset[str] = frozenset()
    is_past: bool = False
    is_of_known: bool = True  # it speaks of somebody or something definite, not of "a man"


def polarity_of(text: str) -> Polarity | None:
    """What a sentence affirms or denies; None when it is a question or denies in a tangled way."""
    if len(text) > _LONGEST_SENTENCE:
        return None
    plain = spelled_out(text).strip()
    if plain.endswith("?") or _IDIOM.search(plain):
        return None
    for pattern, replacement in _DENYING_PHRASES:
        plain = pattern.sub(replacement, plain)
    words: list[str] = []
    denials: list[int] = []
    written = with_numbers([folded(each) for each in _WORD.findall(plain)])
    for word in written:
        if word in _DENYING:
            denials.append(len(words))
        elif word not in _LIGHT and word not in _MODAL:
            words.append(plain_form(word))
    if len(denials) > 1 or not words:
        return None
    at = denials[0] if denials else 0
    return Polarity(
        words=tuple(words),
        is_negated=bool(denials),
        denied_at=at,
        modals=_MODAL & set(written),
        is_past=_tells_of_past(written),
        is_of_known=INDEFINITE.match(plain) is None,
    )


def _tells_of_past(written: list[str]) -> bool:
    """Whether the finite verb is a past: the helping verb tells, where there is one."""
    said = set(written)
    if said & _PAST_HELPERS:
        return True
    return not said & _PRESENT_HELPERS and any(map(is_past, written))


_PAST_HELPERS = frozenset("was were had did".split())
_PRESENT_HELPERS = frozenset("is are am do does has have".split())
