"""One sentence made ready to be cut in three: openings, adverbs and its denial taken off.

A sentence that asks, guesses, plans, reports or tells what once was is not read at all: it claims
nothing that a later statement could replace.
"""

import re
from dataclasses import dataclass

from engram.memory.claims.forms import LONGEST_TEXT, spelled_out

_LONGEST_SENTENCE = 400

_SENTENCE_BREAK = re.compile(r"[.!?…]['\")]?\s+(?=\S)|\n\s*\S|;")
_OPENING = re.compile(
    r"(?:(?:actually|anyway|btw|by the way|fyi|for your information|update|correction"
    r"|note(?: that)?|remember(?: that)?|please remember(?: that)?"
    r"|just so you know|for the record|well|so|oh|ok"
    r"|okay|yes|no wait|wait|sorry|as of (?:today|now|\w+ \d{1,2}|\w+)|from now on|since then"
    r"|these days|nowadays|currently|now|today|recently|in fact|turns out(?: that)?|good news"
    r"|heads up|hey|hi|also)(?:\s*[,:!–-]+\s*|\s+(?=\S)))+",
    re.IGNORECASE,
)
_DROPPED = re.compile(
    r"\b(?:now|currently|actually|already|just|really|still|recently|presently|nowadays|these days"
    r"|at the moment|at present|as of (?:now|today)|for the time being|officially|finally"
    r"|permanently|basically|indeed|right now|instead(?! of)|today)\b\s*",
    re.IGNORECASE,
)
# Said besides what was known, not in its place.
_BESIDES = re.compile(
    r"\b(?:also|too|as well|additionally|in addition|besides|another|part-time|sometimes"
    r"|occasionally|often|partly|either)\b\s*",
    re.IGNORECASE,
)
_UNCLEAR = re.compile(
    r"\b(?:if|unless|whether|maybe|perhaps|probably|possibly|might|may|could|would|should|shall"
    r"|can|wants?|wish(?:es)?|hopes?|plans?|planning|considering|thinks?|thought|believes?|guess"
    r"|suppose|seems?|apparently|allegedly|supposedly|rumou?r|heard|says?|said|told|asked|imagine"
    r"|pretend|almost|nearly|used to|formerly|previously|once|hardly|barely|rarely|seldom"
    r"|except|when|while|until recently)\b",
    re.IGNORECASE,
)
_CAN_BE_SAID = re.compile(r"\bcan not stand\b|\bcan be reached at\b", re.IGNORECASE)
_MONTH_MAY = re.compile(r"\bMay\b(?=,? \d)|(?<=\d )May\b|\b(?:in|until|till|by|to|of) May\b")
_DENIALS = (
    (re.compile(r"\b(?:do|does|did) not (?=\w)", re.IGNORECASE), ""),
    (re.compile(r"\b(is|are|am|was|were|has|have|will) (?:not|never|no longer)\b", re.IGNORECASE),
     r"\1"),
    (re.compile(r"\b(?:no longer|never) (?=\w)", re.IGNORECASE), ""),
    (re.compile(r"\b(has|have) no (?=\w)", re.IGNORECASE), r"\1 "),
    (re.compile(r"\b(?:has |have )?(?:stopped|quit|ceased|gave up|given up) working (at|for)\b",
                re.IGNORECASE), r"works \1"),
    (re.compile(r"\b(?:has |have )?(?:stopped|quit|ceased|gave up|given up) living (in|at)\b",
                re.IGNORECASE), r"lives \1"),
    (re.compile(r"\b(?:has |have )?(?:stopped|quit|ceased|gave up|given up) using\b",
                re.IGNORECASE), "uses"),
    (re.compile(r"\b(?:has |have )?(?:stopped|quit|gave up|given up) (drink|eat|play)ing\b",
                re.IGNORECASE), r"\1s"),
    (re.compile(r"\b(?:has |have )?(?:stopped|quit|gave up|given up) (smok|driv)ing\b",
                re.IGNORECASE), r"\1es"),
    (re.compile(r"\bmoved (?:away from|out of)\b", re.IGNORECASE), "lives in"),
)  # fmt: skip
_ANY_DENIAL = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|stopped|quit|ceased|gave up"
    r"|given up|moved (?:away|out))\b",
    re.IGNORECASE,
)
_NOT_ANY_MORE = re.compile(r"[,\s]+(?:anymore|any more|any longer)$", re.IGNORECASE)
_OTHER_DENIAL = re.compile(r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without)\b",
                           re.IGNORECASE)  # fmt: skip
INSTEAD = re.compile(r"^(.{1,80}?),? (?:instead of|rather than|not) (.{1,80})$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence ready to be cut in three, and what was taken off it before."""

    text: str
    speaker: str
    is_negated: bool
    is_besides: bool


def read_sentence(text: str, speaker: str) -> Sentence | None:
    """The text as one clear sentence of that speaker, else None."""
    plain = spelled_out(text[: LONGEST_TEXT + 1]).strip()
    if not 3 <= len(plain) <= _LONGEST_SENTENCE or plain.endswith("?"):
        return None
    plain = plain.rstrip(" .!…\"'")
    if _SENTENCE_BREAK.search(plain):
        return None
    opened = _OPENING.match(plain)
    plain = plain[opened.end() :] if opened else plain
    looked_at = _CAN_BE_SAID.sub(" ", _MONTH_MAY.sub(" ", plain))
    if _UNCLEAR.search(looked_at):
        return None
    besides = _BESIDES.search(plain) is not None or bool(opened and "also" in opened[0].lower())
    plain = " ".join(_BESIDES.sub("", _DROPPED.sub("", plain)).split()).strip(" ,")
    affirmed, denials = _affirmed(plain)
    if denials > 1 or not affirmed:
        return None
    return Sentence(affirmed, speaker, denials == 1, besides)


def _affirmed(plain: str) -> tuple[str, int]:
    """The sentence without its denial, and how often it denied."""
    if _ANY_DENIAL.search(plain) is None:
        return plain, 0
    count = 0
    plain = _NOT_ANY_MORE.sub("", plain)
    for pattern, replacement in _DENIALS:
        plain, found = pattern.subn(replacement, plain)
        count += found
    kept_instead = INSTEAD.search(plain) is not None
    others = 0 if kept_instead else len(_OTHER_DENIAL.findall(plain))
    return " ".join(plain.split()), count + 2 * others
