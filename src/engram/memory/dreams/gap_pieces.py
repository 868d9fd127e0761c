"""The piece that was asked for, out of the words somebody answers with.

"It is Miso", "her name is Miso!" and "Miso" say the same to who asked for a name; "He was a
plumber" is a sentence as soon as it says who; and "no idea, maybe next year" says nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_ENDS = r"(?=$|\s*[,;:.!?…–])"
_FILLER = re.compile(
    r"(?:(?:well|oh|ah|u[hm]+|hm+|no(?=,)|yes|yeah|sure|sorry|honestly|actually|to be honest"
    r"|i (?:think|guess|believe)(?: that)?)(?:\s*[,:…–]\s*|\s+))+(?=\S)",
    re.IGNORECASE,
)
_CANNOT = r"(?:do not|don't|dont|did not|didn't|cannot|can not|can't|could not|couldn't)"
_NOTHING = re.compile(
    rf"(?:(?:i|we) )?(?:really |just )?{_CANNOT} (?:really |even )?"
    r"(?:know|remember|recall|say|tell)\b"
    r"|(?:(?:i|we)(?: have|'ve) )?(?:got )?(?:no|not a|not the slightest) (?:idea|clue)\b"
    r"|(?:(?:i|we|it|that|this)(?: am| are| is|'m|'re|'s) )?(?:still |rather )?"
    r"(?:not (?:so |too |really |quite |entirely |yet )?(?:sure|certain|clear|known|decided)"
    r"|unsure|uncertain|unclear|undecided|still open)\b"
    r"|(?:maybe|perhaps|possibly|not yet|i forgot|(?:i|we)(?:'ll| will| shall) see"
    r"|to be (?:decided|determined|announced|confirmed)|(?:it )?depends|who knows"
    r"|no ?(?:one|body) knows|hard to (?:say|tell)|i(?:'d| would) rather not"
    r"|none of your business|never ?mind|you tell me)\b"
    r"|(?:(?:ask me )?later|skip(?: (?:it|this|that))?|pass|next(?: question)?|dunno|unknown"
    rf"|tb[ad]){_ENDS}"
    r"|[\s?!.…]*$",
    re.IGNORECASE,
)
_LEFT_OPEN = re.compile(
    r"(?:[\w']+ ){0,3}?(?:not|\w+n't) (?:(?:yet )?(?:been )?(?:decided|settled|fixed|agreed"
    r"|chosen|picked|scheduled|announced|determined|confirmed)\b|(?:\w+ ){1,3}yet\b)"
    r"|not\b(?! (?:planned|before|until|after|earlier))"
    r"|(?:none|nobody|no one|nothing|nowhere)\b.*\b(?:yet|decided|so far)\b"
    r"|(?:he|she|it|they|that|this)(?:'s|'re| is| are| was| were)?[ .!?…]*$",
    re.IGNORECASE,
)
_ASKS_BACK = re.compile(
    r"(?:who|what|why|when|where|which|how|do|does|is|are|can|could|should|would)\b.*\?$",
    re.IGNORECASE | re.DOTALL,
)
_LACKED = (
    r"(?:name|deadline|date|end|lead|leader|owner|job|role|breed|version|plan|database|repository"
    r"|place|host|model|purpose|tool|framework)"
)
_NONE = re.compile(
    r"(?:there(?: is| are|'s) )?"
    rf"(?:none|nobody|no one|nothing|nowhere|never|n/?a|no|no {_LACKED}|not any)"
    r"(?: at all| in particular)?|not (?:applicable|planned)|there (?:is not|isn't) (?:one|any)"
    rf"|(?:(?:it|he|she|they) )?ha(?:s|ve) (?:none|no {_LACKED})"
    r"|(?:it|he|she|they) (?:do|does)(?: not|n't) have (?:one|any)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:(?:her|his|its|their|the) name(?:'s| is| was)"
    r"|(?:i|we) (?:call|called|name|named) (?:her|him|it|them))\s+(?=\S)",
    re.IGNORECASE,
)
_COPULA = re.compile(
    r"(?P<who>he|she|it|they|that|this)(?P<verb>'s|'re| is| are| was| were| would be)\s+"
    r"(?:(?:called|named)\s+)?(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_DOES = re.compile(
    r"(?P<who>he|she|it|they) (?P<rest>[a-z]+(?:n't)?\s+\S.*)", re.IGNORECASE | re.DOTALL
)
_LACKS_SUBJECT = re.compile(r"(?:is|was|has|had|works|worked)\s+\S.*", re.IGNORECASE | re.DOTALL)
_LACKS_OBJECT = re.compile(r"(?P<said>\S+(?: \S+){1,4}) (?:it|them)", re.IGNORECASE)
_ONES_OWN = re.compile(r"(?:i|we)(?:'(?:m|re|ve|ll|d))?\s+\w+\s+\S.*", re.IGNORECASE | re.DOTALL)
_ECHO = re.compile(r"(?<=\S) (?:do|does|did|is|am|are)$", re.IGNORECASE)
_ONESELF = frozenset({"i", "me", "myself"})
_LOWERED = frozenset(
    """a an the in on at by for from with as to my our his her their next every late early mid
    around before after until since""".split()
)
_PEOPLE = frozenset({"he", "she", "they"})
_SINGULAR = {
    "are": "is", "'re": "is", "were": "was", "have": "has", "do": "does", "aren't": "isn't",
    "weren't": "wasn't", "haven't": "hasn't", "don't": "doesn't",
}  # fmt: skip
_HAS = re.compile(r"(?:got|been)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Piece:
    """What is left of an answer to put into the sentence of a field."""

    text: str
    is_past: bool = False


@dataclass(frozen=True, slots=True)
class Predicate:
    """What an answer says of "it" or "her": a sentence that lacks only its subject."""

    text: str
    is_person: bool  # "he" and "she" are no projects


@dataclass(frozen=True, slots=True)
class Clause:
    """What somebody says of it without naming it: "Ada leads it", "we want to ship in May"."""

    text: str
    is_open: bool  # it lacks only its object, the subject of the question


@dataclass(frozen=True, slots=True)
class Whole:
    """An answer that begins with nothing that would have to be taken off."""

    text: str


def says_nothing(text: str, *, is_piece: bool) -> bool:
    """Whether an answer leaves open what was asked; for a piece "not decided yet" does too."""
    plain = _begun(text)
    if _NOTHING.match(plain) or _ASKS_BACK.match(plain):
        return True
    return is_piece and _LEFT_OPEN.match(plain) is not None


def says_none(text: str) -> bool:
    """Whether an answer says that there is nothing of the kind."""
    return _NONE.fullmatch(_ended(_begun(text))) is not None


def piece_of(
    text: str, *, is_of_subject: bool, is_person: bool
) -> Piece | Predicate | Clause | Whole:
    """An answer by what it begins with.

    `is_of_subject`: "he is …" answers the question with the subject in its place ("What does Tom
    do?"), where elsewhere "it is …" only leads to what was asked for ("Who leads it?").
    """
    plain = _begun(text)
    named, copula, does = _NAMED.match(plain), _COPULA.fullmatch(plain), _DOES.fullmatch(plain)
    if named is not None:
        return Piece(_ended(plain[named.end() :]))
    if copula is not None:
        is_about_it = copula["who"].lower() in _PEOPLE or not is_person
        if is_of_subject and is_about_it:
            return _predicate(copula["who"], f"{_verb(copula)} {copula['rest']}")
        return Piece(_ended(copula["rest"]), is_past=_verb(copula) in ("was", "were"))
    if does is not None:
        return _predicate(does["who"], does["rest"])
    if is_of_subject and _LACKS_SUBJECT.fullmatch(plain):
        return _predicate("", plain)
    return _clause(_ended(plain)) or Whole(_ended(plain))


def _clause(plain: str) -> Clause | None:
    lacking = _LACKS_OBJECT.fullmatch(plain)
    if lacking is not None:
        return Clause(lacking["said"], is_open=True)
    return Clause(plain, is_open=False) if _ONES_OWN.fullmatch(plain) else None


def joined(before: str, piece: str, after: str) -> str:
    """A piece between the words of a sentence, nothing said twice: "is due" and "due Friday"."""
    lead, words = before.split(), _as_inside(piece).split()
    if lead[-1:] == ["a"] and words[:1] and words[0].lower() in ("a", "an", "the"):
        lead = lead[:-1]
    if lead[-1:] == ["for"] and words[:1] == ["to"]:
        lead = lead[:-1]
    words = words[_shared(lead, words, most=len(words) - 1) :]
    tail = after.rstrip(".").split()
    words = words[: len(words) - _shared(words, tail, most=len(words) - 1)]
    return " ".join((*lead, *words)) + after


def _as_inside(piece: str) -> str:
    """A piece as it reads inside a sentence: "A tabby" as "a tabby", "I do" as "the user"."""
    plain = _ECHO.sub("", piece)
    if plain.lower() in _ONESELF:
        return "the user"
    first, space, rest = plain.partition(" ")
    return f"{first.lower()}{space}{rest}" if first.lower() in _LOWERED else plain


def _shared(one: Sequence[str], other: Sequence[str], *, most: int) -> int:
    """How many words end the one and begin the other."""
    for count in range(min(len(one), len(other), most), 0, -1):
        if [each.lower() for each in one[-count:]] == [each.lower() for each in other[:count]]:
            return count
    return 0


def _predicate(who: str, text: str) -> Predicate:
    verb, _, rest = text.partition(" ")
    return Predicate(f"{_SINGULAR.get(verb, verb)} {_ended(rest)}", who.lower() in ("he", "she"))


def _verb(copula: re.Match[str]) -> str:
    verb = copula["verb"].strip().lower()
    if verb == "'s":
        return "has" if _HAS.match(copula["rest"]) else "is"
    return verb


def _begun(text: str) -> str:
    """An answer from where it begins to say something."""
    plain = " ".join(text.replace("’", "'").split())
    return _FILLER.sub("", plain, count=1) if _FILLER.match(plain) else plain


def _ended(text: str) -> str:
    return text.rstrip(" .!?…")
