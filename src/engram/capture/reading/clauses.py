"""A sentence cut down to what it states: calls and interjections off, parallel statements apart."""

import re
from collections.abc import Sequence

from engram.memory.claims.lead_ins import LEAD_IN

_INTERJECTIONS = (
    "yep|yeah|yes|yup|nope|no|nah|oh|ooh|wow|woah|whoa|well|hey|hi|hello|hiya|ok|okay|sure|great"
    "|cool"
    "|nice|awesome|amazing|absolutely|definitely|totally|exactly|right|true|indeed|haha|lol|lmao"
    "|omg"
    "|aww|aw|ah|hmm|hm|um|uh|er|thanks|thank you|thx|congrats|sorry|honestly|anyway|anyways|btw"
    "|fyi|so"
    "|by the way|of course|for sure|no problem|no worries|got it|i see|good point|you know|i mean"
    "|ugh"
    "|sounds good|good morning|good evening|good question|guess what|also|plus|man|dude|yay|phew"
    "|luckily|thankfully|fortunately|unfortunately|sadly|agreed|gosh|wonderful|fantastic|perfect"
    "|sweet"
)
_OPENING = re.compile(
    rf"(?:{_INTERJECTIONS})(?:\s+(?:so|very) much|\s+a lot)?\s*(?:[,!.…–—-]+\s*|$)", re.IGNORECASE
)
_BARE_OPENING = re.compile(
    r"(?:so|and|but|well|oh|yeah|plus|also|then|ok|okay|by the way)\s+(?=\S)", re.IGNORECASE
)
_NAMED_OPENING = re.compile(
    rf"(?:(?:{_INTERJECTIONS}),?\s+)?([A-Z][\w'’-]+)\s*[,!.–—-]+\s+", re.IGNORECASE
)
_NAMED_ENDING = re.compile(r",\s*([A-Z][\w'’-]+)\s*([.!?…]*)$")
_MOST_OPENINGS = 4
_JOINT = re.compile(
    r"(?:,\s*|\s+)(?:and|but)\s+(?=(?:I|we|he|she|they|my|I['’](?:m|ve|d|ll)|we['’]\w+|she['’]\w+"
    r"|he['’]\w+|they['’]\w+)\s)|\s*;\s+|\s+[-–—]+\s+(?=(?:I|we|my|I['’]\w+|we['’]\w+)\s)"
)
_FEWEST_WORDS = 3
_MOST_STATEMENTS = 4  # of one sentence
_DEPENDENT = re.compile(
    r"\b(?:if|unless|when|whenever|while|because|since|that|whether|how|once)\b", re.I
)
_GAPPED = re.compile(
    r"(?P<head>(?:[\w'’]+\s+){1,4}?(?:use|uses|used|prefer|prefers|chose|picked|take|takes|drink"
    r"|drinks"
    r"|speak|speaks|run|runs|deploy|deploys|play|plays|study|teach|keep|keeps|like|likes|write"
    r"|writes|eat"
    r"|eats|have|has|wear|wears|need|needs))\s+(?P<rest>.+)"
)
_PREPOSITIONS = ("for", "with", "in", "on", "at", "as", "to", "from")
_LIST_JOINT = re.compile(r",\s+and\s+|\s+and\s+|,\s+")


def without_calls(text: str, names: Sequence[str]) -> str:
    """The sentence without what only opens it or calls somebody: "Yep, Ann. I run" is "I run"."""
    for _ in range(_MOST_OPENINGS):
        cut = _opening_end(text, names)
        if not cut:
            break
        text = text[cut:]
    ending = _NAMED_ENDING.search(text[-60:]) if "," in text[-60:] else None
    if ending is not None and is_called(ending[1], names):
        text = text[: len(text) - len(ending[0])] + (ending[2] or ".")
    return without_tag(text.strip())


def _opening_end(text: str, names: Sequence[str]) -> int:
    named = _NAMED_OPENING.match(text)
    if named is not None and is_called(named[1], names):
        return named.end()
    found = LEAD_IN.match(text) or _OPENING.match(text) or _BARE_OPENING.match(text)
    found = found or _TOLD_TO_KEEP.match(text)
    return found.end() if found is not None else 0


# "Remember to call" is something to do, and stays; "remember that I moved" asks to keep it.
_TOLD_TO_KEEP = re.compile(
    r"(?:please\s+)?(?:remember|note|keep in mind|do not forget|don['’]t forget)"
    r"(?:\s+that\b|[:,])\s*"
    r"|(?:fyi|for the record|for your information)\b[:,]?\s+",
    re.IGNORECASE,
)


def is_told_to_keep(sentence: str) -> bool:
    """Whether a sentence itself asks to be remembered."""
    return _TOLD_TO_KEEP.match(sentence.lstrip()) is not None


_TAG = re.compile(
    r"(?:,|\s[-–—]+)\s*(?:right|huh|you know|isn['’]t it|don['’]t you think|eh|ok|okay|want to"
    r" see[^?]{0,30}"
    r"|wanna see[^?]{0,30}|pretty \w+,? (?:right|huh))\?$",
    re.IGNORECASE,
)
_TELLING = re.compile(r"(?:I|I['’]\w+|My|We|We['’]\w+|Our)\s")


# "I run Debian 12, can you help me upgrade?" tells something before it asks.
_ASKED_LAST = re.compile(
    r"(?:,|\s[-–—]+|\s(?:and|but|so))\s+(?:so\s+|and\s+|but\s+)?(?:(?:can|could|would|will) you"
    r"|can i|should i"
    r"|how (?:do|can|should|would)|what(?:['’]s| is| are| do| should)|is there|are there|do you"
    r"|any (?:tips|ideas|advice)"
    r"|which|where|why)\b",
    re.IGNORECASE,
)
_FEWEST_TOLD = 5


def without_tag(text: str) -> str:
    """A statement that only ends like a question: "I bought a bike - pretty cool, huh?"."""
    if not text.endswith("?") or not _TELLING.match(text):
        return text
    tag = _TAG.search(text[-80:])
    if tag is not None:
        return f"{text[: len(text) - len(tag[0])]}."
    asked = _ASKED_LAST.search(text)
    is_told = asked is not None and len(text[: asked.start()].split()) >= _FEWEST_TOLD
    return f"{text[: asked.start()]}." if asked is not None and is_told else text


def is_called(word: str, names: Sequence[str]) -> bool:
    """Whether a word is a known name or a short form of one."""
    lower = word.lower()
    return len(lower) > 1 and any(
        lower == part
        or (len(lower) >= 3 and part.startswith(lower[:-1]) and len(lower) <= len(part))
        for name in names
        for part in name.lower().split()
    )


def statements_of(text: str) -> list[str]:
    """The statements that a sentence joins."""
    if _DEPENDENT.match(text):
        return [text]  # "If it rains and I am late, …" is one condition
    parts: list[str] = []
    begin = 0
    for joint in _JOINT.finditer(text):
        if len(parts) == _MOST_STATEMENTS - 1:
            break
        left, right = text[begin : joint.start()], text[joint.end() :]
        if min(len(left.split()), len(right.split())) < _FEWEST_WORDS or _hangs(left):
            continue
        parts.append(left)
        begin = joint.end()
    parts.append(text[begin:])
    return [statement for part in parts for statement in _parallel(part)]


def _hangs(left: str) -> bool:
    """Whether the left part is a condition or a report whose second half is still to come."""
    words = [match[0].lower() for match in _DEPENDENT.finditer(left)]
    return bool(words) and words[-1] in {"if", "unless", "that", "whether", "how"}


def _parallel(text: str) -> list[str]:
    """Two things said with one verb, as in "I use A for B and C for D"."""
    found = _GAPPED.match(text) if " and " in text else None
    if found is None or text.count(" and ") > _MOST_STATEMENTS:
        return [text]
    items = _LIST_JOINT.split(found["rest"].rstrip(".!…"))
    for preposition in _PREPOSITIONS:
        if len(items) > 1 and all(_has_one(item, preposition) for item in items):
            return [f"{found['head']} {item}." for item in items]
    return [text]


def _has_one(item: str, preposition: str) -> bool:
    words = item.lower().split()
    return words.count(preposition) == 1 and 0 < words.index(preposition) < len(words) - 1
