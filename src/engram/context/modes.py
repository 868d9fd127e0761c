"""How much is brought up for a message: nothing for a thank-you, more for a look back."""

import re
from enum import StrEnum

from engram.errors import InvalidInput
from engram.language.lexicon import COMMON_WORDS
from engram.text.strings import folded


class Mode(StrEnum):
    """How much is recalled."""

    MINIMAL = "minimal"  # nothing: who the person is and what is in mind are enough
    STANDARD = "standard"
    DEEP = "deep"  # twice as many memories, and they go before the conversation


AUTOMATIC = "automatic"
MODES = (AUTOMATIC, *(mode.value for mode in Mode))
_DEEP = re.compile(
    r"\b(?:history of|timeline|over (?:time|the (?:last|past) \w+)|compare|comparison|everything"
    r" (?:you|we|i)|all (?:that )?(?:you|we|i) (?:know|said|did|decided|talked)|look(?:ing)? back"
    r"|recap|retrospect\w*|summari[sz]e (?:what|all|everything|our|my)|since when|how (?:has|have)"
    r" .{0,60} (?:changed|evolved|developed)|what do you (?:know|remember) about)\b",
    re.IGNORECASE,
)
_SOCIAL = frozenset(
    "thanks thank thx ty cheers ok okay k sure fine great cool nice perfect awesome good excellent"
    " yes yep yeah no nope hello hi hey bye goodbye goodnight morning evening night welcome please"
    " sorry lol haha wow danke merci gracias grazie obrigado ciao hola bonjour hallo ja nein oui"
    " non si understood gotcha agreed done bitte very much so lot you it all got that s is sounds"
    " go ahead continue next the a and for well right exactly correct now then there noted glad"
    " roger acknowledged".split()
)
_WORD = re.compile(r"[^\W\d_]+")
_SUM = re.compile(r"[\d\s.,+*/()=^%-]+\??")
_LONGEST_SOCIAL = 60


def read_mode(mode: object, default: str) -> str:
    """The mode that is asked for, or the one that is set."""
    if mode is None:
        return default
    if isinstance(mode, str) and mode in MODES:
        return mode
    raise InvalidInput(hint=f"`mode` is one of: {', '.join(MODES)}.")


def mode_for(message: str, asked: str) -> Mode:
    """How much a message needs, unless somebody said so."""
    if asked != AUTOMATIC:
        return Mode(asked)
    text = message.strip()
    if not text or is_social(text) or _SUM.fullmatch(text):
        return Mode.MINIMAL
    return Mode.DEEP if _DEEP.search(text) else Mode.STANDARD


def is_social(text: str) -> bool:
    """Thanks, greetings, a yes: nothing in it that memory could know anything about."""
    if len(text) > _LONGEST_SOCIAL or "?" in text or any(map(str.isdigit, text)):
        return False
    words = [folded(word) for word in _WORD.findall(text)]
    return (
        bool(words)
        and all(word in _SOCIAL or word in COMMON_WORDS for word in words)
        and any(word in _SOCIAL for word in words)
    )
