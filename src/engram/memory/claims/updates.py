"""When a sentence says outright that something is otherwise now: the same sentence, another value.

"The treasurer is Dimitri now" ends "The treasurer is Konstanze", and "We moved the standup to
10:05" ends "The standup is at 9:35", though nobody has listed treasurers and standups among what
has one value at a time: whoever says "now" or "moved to" says so. Without such a word nothing
follows from here, nor from likeness: the two must be one sentence but for the value, about
something definite, and the values must be of one sort.
"""

import re
from dataclasses import dataclass

_LONGEST = 300  # characters; a longer text is more than one saying
_MOST_OF_VALUE = 4  # words
_NOW = re.compile(r"\b(?:now|currently|these days|nowadays|from now on|as of today)\b[, ]*", re.I)
_DEFINITE = r"(?:the|my|our|his|her|their|your|[A-Z][\w-]*(?:'s|’s))"
_CHANGED = (
    r"(?:moved|switched|changed|shifted|transferred|raised|lowered|postponed|rescheduled|increased"
    r"|reduced|updated|set)"
)
# Most sentences tell no change, and are not read further.
_HINT = re.compile(rf"{_NOW.pattern}|\b{_CHANGED}\b|\bno longer\b|\bany ?more\b", re.I)
_MADE = re.compile(
    rf"^(?:\S+ ){{1,4}}?{_CHANGED} (?P<subject>{_DEFINITE} [^,;]+?)(?: from [^,;]+?)?"
    r" (?:over )?to (?P<value>.+)$"
)
_BECAME = re.compile(
    rf"^(?P<subject>[A-Z][^,;]+?) (?:was|has been|got|is) {_CHANGED}(?: from [^,;]+?)? to"
    r" (?P<value>.+)$"
)
_DEFINITE_START = re.compile(rf"^{_DEFINITE} ", re.I)
# In doubt, in denial, in addition or in the past: no word on what holds now.
_HEDGED = re.compile(
    r"\b(?:not|never|no|n't|maybe|perhaps|might|(?-i:may)|could|would|should|possibly|probably|think|guess"
    r"|also|too|another|both|sometimes|either|or|if|unless|used to|was|were|had|planning|want|wants"
    r"|will)\b|n['’]t\b|\?",
    re.I,
)
_NO_LONGER = re.compile(r"\bno longer\b|(?:\bnot|n['’]t)\b[^.;,]{1,40}\bany ?more\b", re.I)
_DOUBTED = re.compile(
    r"\b(?:maybe|perhaps|might|could|would|should|possibly|probably|think|guess|if|unless|will"
    r"|was|were|had)\b|\?",
    re.I,
)
_BE = frozenset({"is", "are", "am", "'s"})
_PRONOUNS = frozenset(
    "i we you he she it they this that these those there here a an some i'm we're it's that's he's"
    " she's they're".split()
)
# Of these there can be many at a time: another one is no news of the first.
_SEVERAL = frozenset(
    """like likes love loves enjoy enjoys know knows use uses speak speaks play plays own owns see
    sees meet meets visit visits met saw visited bought buy buys read reads eat eats drink drinks
    want wants need needs hate hates support supports include includes contain contains help helps
    teach teaches study studies follow follows watch watches""".split()
)
# How something is, or where and when: what it is changed to ends that, and not what it does.
_STANDING = _BE | frozenset(
    """runs sits stands lies stays lives hangs costs starts begins ends opens closes takes happens
    meets leaves arrives has uses""".split()
)
_PLACING = frozenset(
    "in on at under over behind with near by beside inside outside above below next".split()
)
_TIME = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|noon|midnight)\b|\d{1,2}:\d\d|\d{4}-\d\d-\d\d"
    r"|\b\d{1,2} ?[ap]m\b",
    re.I,
)
# "… to Postgres in March": when it was done is no part of what it was changed to.
_WHEN_TOLD = re.compile(
    rf"(?<=\S) (?:in|on|since|last|this|next) (?:{_TIME.pattern}|\d{{4}}|week|month|year).*$", re.I
)
_NUMBER = re.compile(
    r"\d|^(?:one|two|three|four|five|six|seven|eight|nine|ten|first|second|third|fourth|fifth|sixth"
    r"|ground|top)$",
    re.I,
)


def is_update(earlier: str, later: str, *, speaker: str | None = None) -> bool:
    """Whether the later sentence says outright that what the earlier one says is otherwise now.

    With the one who said both, "our treasurer" and "the treasurer" are one.
    """
    if max(len(earlier), len(later)) > _LONGEST:
        return False
    before, after = _read(_unowned(earlier, speaker)), _read(_unowned(later, speaker))
    if before is None or after is None or not after.tells_change:
        return False
    if before.subject or after.subject:
        return _are_of_one_subject(before, after)
    return _differ_in_value(before.words, after.words)


def tells_change(text: str) -> bool:
    """Whether a sentence says outright that something is otherwise now."""
    if len(text) > _LONGEST or not _HINT.search(text):
        return False
    said = _read(text)
    return _is_ended(text) or (said is not None and said.tells_change)


def names_what_changed(text: str) -> bool:
    """Whether a sentence also says of what: "I am busy now" tells a change of nothing definite."""
    if not tells_change(text):
        return False
    said = _read(text)
    is_of_something = said is not None and said.subject != ""
    return is_of_something or _is_ended(text) or _DEFINITE_START.match(text) is not None


def what_changed(text: str, *, speaker: str | None = None) -> str:
    """The words by which what was so before is found: of what it is, else all but its "now"."""
    said = _read(_unowned(text, speaker))
    if said is None:
        return _NO_LONGER.sub("", text)
    return said.subject or " ".join(said.words)


def _is_ended(text: str) -> bool:
    return _NO_LONGER.search(text) is not None and not _DOUBTED.search(text)


def _unowned(text: str, speaker: str | None) -> str:
    """What is the speaker's own is "the" one to who speaks."""
    if speaker is None:
        return text
    own = rf"(?:my|our|{re.escape(speaker)}['’]s?)"
    return re.sub(rf"(?<!\w){own}(?= \w)", "the", text, flags=re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence without its "now"; one that tells a change also has its subject and value."""

    words: tuple[str, ...]
    tells_change: bool
    subject: str = ""
    value: str = ""


def _read(text: str) -> _Said | None:
    plain = " ".join(text.replace("’", "'").split()).rstrip(".! ")
    if re.search(r"[.!;] ", plain):
        return None  # more than one sentence
    made = _MADE.match(plain) or _BECAME.match(plain)
    if made and not _HEDGED.search(made["value"]):
        value = _WHEN_TOLD.sub("", _NOW.sub("", made["value"]).strip())
        return _Said(tuple(plain.split()), True, made["subject"].casefold(), value)
    if _HEDGED.search(plain):
        return None
    words = tuple(_NOW.sub("", plain).split())
    return _Said(words, _NOW.search(plain) is not None) if words else None


def _are_of_one_subject(before: _Said, after: _Said) -> bool:
    """One tells a change of something; the other tells the same, or how that thing is."""
    if before.subject and after.subject:
        return before.subject == after.subject and _are_rivals(before.value, after.value)
    told, plain = (before, after) if before.subject else (after, before)
    length = len(told.subject.split())
    opening = " ".join(plain.words[:length]).casefold()
    rest = plain.words[length:]
    if opening != told.subject or len(rest) < 2:
        return False
    return rest[0].casefold() in _STANDING and _are_rivals(" ".join(rest[1:]), told.value)


def _differ_in_value(before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Whether they are one sentence but for one value."""
    folded = [tuple(word.casefold() for word in words) for words in (before, after)]
    shared = _shared(folded[0], folded[1])
    rest = min(len(before), len(after)) - shared
    ending = min(rest, _shared(folded[0][::-1], folded[1][::-1]))
    values = [words[shared : len(words) - ending] for words in (before, after)]
    if not all(0 < len(value) <= _MOST_OF_VALUE for value in values):
        return False
    # "Ada is on Tuesday" and "Bo is on Thursday" are no values, but two things and theirs.
    if any(word.casefold() in _BE for value in values for word in value):
        return False
    ours, theirs = (" ".join(value) for value in values)
    if shared:
        return _is_value_of(folded[1][:shared], folded[1][len(after) - ending :], ours, theirs)
    return _is_holder_of(folded[1][len(after) - ending :], ours, theirs)


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _is_value_of(opening: tuple[str, ...], ending: tuple[str, ...], ours: str, theirs: str) -> bool:
    """ "The treasurer is …", "The farm shop opens at …", "The car is parked in …"."""
    # "Choir practice is on …" and "Breakfast is at …" are of one thing without saying "the".
    is_when = _sort(ours) == _sort(theirs) == "time" and opening[0] not in _PRONOUNS
    is_definite = _DEFINITE_START.match(" ".join(opening)) or _DEFINITE_START.match(
        f"{opening[0].capitalize()} "
    )
    if not (is_definite or is_when):
        return False
    if len(opening) < 3 or _SEVERAL & set(opening):
        return False
    if _sort(ours) != _sort(theirs) or not (_begins_at_once(ours) and _begins_at_once(theirs)):
        return False
    is_placed = bool(_PLACING & set(opening[2:])) or _sort(ours) == "place"
    if _BE & set(opening) and is_placed:
        return True
    # A plain word is a quality ("long", "finished"), of which a thing has many.
    return _sort(ours) in ("number", "time") or (_sort(ours) == "name" and not ending)


def _begins_at_once(value: str) -> bool:
    """A time or a number stands first: before it would stand of what else it is one."""
    first = value.split()[0]
    if _sort(value) not in ("number", "time") or first.casefold() in _PLACING:
        return True
    return bool(_TIME.search(first) or _NUMBER.search(first))


def _is_holder_of(ending: tuple[str, ...], ours: str, theirs: str) -> bool:
    """ "… leads the billing team": one at a time of what there is one of."""
    if len(ending) < 3 or ending[0] in _SEVERAL:
        return False
    has_one = any(word in ("the", "my", "our") for word in ending[1:3])
    return has_one and _sort(ours) == _sort(theirs) == "name"


def _are_rivals(ours: str, theirs: str) -> bool:
    """Whether a value told in a sentence and one something was changed to are of one sort."""
    if theirs.casefold() in ours.casefold() or ours.casefold() in theirs.casefold():
        return False
    sorts = {_sort(_bare(ours)), _sort(_bare(theirs))}
    return len(sorts) == 1


def _bare(value: str) -> str:
    """Without what leads up to it: "parked in Mill Lane", "at 9:35", "the loft"."""
    words = value.split()
    while len(words) > 1 and (words[0].casefold() in _PLACING or words[0].endswith("ed")):
        words = words[1:]
    return " ".join(words)


def _sort(value: str) -> str:
    words = value.split()
    if _TIME.search(value):
        return "time"
    if any(_NUMBER.search(word) for word in words):
        return "number"
    if words[0].casefold() in _PLACING:
        return "place"
    if all(word[:1].isupper() for word in words):
        return "name"
    return "thing"
