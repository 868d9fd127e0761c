"""Simple pronouns resolved from the sentence before, when only one thing can be meant.

A wrong name is worse than a pronoun: with no antecedent or with two, the sentence is left as it is.
"""

import re
from dataclasses import dataclass

_HE = frozenset("father dad brother son husband boyfriend uncle grandfather grandpa nephew".split())
_SHE = frozenset(
    "mother mom mum sister daughter wife girlfriend aunt grandmother grandma niece".split()
)
_ANY_PERSON = frozenset(
    "boss manager friend colleague partner doctor therapist teacher coach neighbor neighbour cousin"
    " mentor roommate flatmate landlord client coworker fiance fiancee".split()
)
_MANY = frozenset(
    "kids children parents friends siblings brothers sisters sons daughters colleagues coworkers"
    " neighbors neighbours grandparents cats dogs pets students clients mentors".split()
)
_NOUN_PHRASE = re.compile(
    r"\b([Aa]n?|[Mm]y|[Oo]ur|[Tt]he|his|her|their|this"
    r"|[A-Z][\w-]*['’]s)\s+((?:[\w-]+\s+){0,3}?[\w-]+)"
    r"(?=\s*(?:[.,;:!?)]|$|\s(?:for|with|in|on|at|as|to|from|of|and|but|that|which|who|is|was|are"
    r"|were|has"
    r"|had|last|yesterday|today|this|next|because|so|by|called|named|about|when|since)\b))"
)
_RELATIVE = re.compile(
    r"(?<!\bis )(?<!\bwas )(?<!\bas )\b((?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he|[Aa]n?"
    r"|[A-Z][\w-]*['’]s))\s+((?:[a-z-]+\s){0,2}?)"
    rf"({'|'.join(sorted(_HE | _SHE | _ANY_PERSON | _MANY))})\b(?:,?\s([A-Z][a-z]+)\b)?"
)
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][a-z]{2,}\b")
_FIRST_NAME = re.compile(
    r"^([A-Z][a-z]{2,})(?:,?\s+(?:and|is|was|has|had|will|can|said|told|came|went|[a-z]+(?:ed"
    r"|s))\b|['’]s\s)"
)
_NOT_NAMES = frozenset(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June"
    " July August September October November December English French German Spanish".split()
)
_PRONOUNS = frozenset(
    "This That These Those There They She His Her Its Our What When Where Who How The And But"
    " Then Yes"
    " Some All One Both Each Every Most Another Nothing Everyone Someone Things Seems".split()
)
_PERSON_PRONOUN = re.compile(r"(?:He|She)\b(?=['’\s])")
_MANY_PRONOUN = re.compile(r"They\b(?=['’\s])")
_THING_PRONOUN = re.compile(
    r"(?:It|This|That)(?=['’]s\s|\s(?:is|was|has|had|will|helps?|makes?|runs|uses|costs?|needs?"
    r"|works?|contains?)\b)"
)
# "It's great to see", "it was raining", "that's so cool": nothing is meant, or all of it.
_EMPTY_SUBJECT = re.compile(
    r"(?:It|That|This)(?:['’]s|\s(?:is|was|has|had|will|has been))\s+(?:\w+\s+){0,3}?(?:to|that"
    r"|when|how|if|why|what"
    r"|because|rain\w*|snow\w*|late|early|time|true|cool|great|nice|awesome|amazing|fun|so)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Resolved:
    """A sentence and whether a pronoun in it was given a name."""

    text: str
    is_resolved: bool = False


def with_antecedent(text: str, before: str | None, people: tuple[str, ...]) -> Resolved:
    """The sentence with its opening pronoun replaced by what the sentence before spoke of."""
    if not before:
        return Resolved(text)
    if _PERSON_PRONOUN.match(text):
        wrong = _SHE if text.startswith("He") else _HE
        return _replaced(text, _persons(before, people, wrong))
    if _MANY_PRONOUN.match(text):
        return _replaced(text, _phrases(before, _MANY), is_many=True)
    if _THING_PRONOUN.match(text) and not _EMPTY_SUBJECT.match(text):
        return _replaced(text, _things(before))
    return Resolved(text)


def _replaced(text: str, candidates: list[str], *, is_many: bool = False) -> Resolved:
    if len(candidates) != 1:
        return Resolved(text)
    pronoun = re.match(r"\w+", text)
    rest = text[pronoun.end() :] if pronoun else text
    rest = re.sub(r"^['’]re\b", " are", rest)
    rest = re.sub(r"^['’]ve\b", " have", rest)
    rest = re.sub(r"^['’]ll\b", " will", rest)
    if not is_many:
        rest = re.sub(r"^['’]s\b(?=\s+been\b)", " has", rest)
        rest = re.sub(r"^['’]s\b", " is", rest)
    name = candidates[0]
    return Resolved(name[0].upper() + name[1:] + rest, is_resolved=True)


def _persons(before: str, people: tuple[str, ...], wrong: frozenset[str]) -> list[str]:
    """Those that "he" or "she" can mean: neither who speaks nor who listens is spoken of so."""
    found = [phrase for phrase in _phrases(before, _HE | _SHE | _ANY_PERSON)
             if phrase.split()[-1].lower() not in wrong]  # fmt: skip
    first = _FIRST_NAME.match(before)
    names = ([first[1]] if first else []) + _NAME.findall(before)
    spoken = {part for name in people for part in name.split()}
    placed = {match[1] for match in re.finditer(r"\b(?:in|at|to|from|near) ([A-Z]\w+)", before)}
    found += [name for name in names if name not in spoken | placed | _NOT_NAMES | _PRONOUNS]
    return list(dict.fromkeys(found))


def _phrases(before: str, nouns: frozenset[str]) -> list[str]:
    """The noun phrases of a sentence that end in one of these nouns; "my sister Kate" is Kate."""
    found = [
        match[4] or f"{_in_sentence(match[1])} {match[2] or ''}{match[3]}"
        for match in _RELATIVE.finditer(before)
        if match[3].lower() in nouns
    ]
    return list(dict.fromkeys(found))


def _in_sentence(word: str) -> str:
    """An article as it stands inside a sentence; a name keeps its capital."""
    return word if "'" in word or "’" in word else word.lower()


def _things(before: str) -> list[str]:
    """What "it" can mean: the one thing the sentence introduces."""
    persons = _HE | _SHE | _ANY_PERSON | _MANY
    found = []
    for match in _NOUN_PHRASE.finditer(before):
        if match[2].split()[-1].lower() in persons | _TIMES:
            continue
        article = "the" if match[1].lower() in {"a", "an", "this"} else _in_sentence(match[1])
        found.append(f"{article} {match[2]}")
    return list(dict.fromkeys(found))


_TIMES = frozenset(
    "day week month year weekend morning evening night time while bit lot way first last one thing"
    " things kind sort".split()
)
