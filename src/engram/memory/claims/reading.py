"""Reading one claim out of one sentence, or none when it is not clear that there is just one."""

import re
from dataclasses import replace

from engram.memory.claims import table
from engram.memory.claims.claim import Claim, plain_name
from engram.memory.claims.forms import plain_form
from engram.memory.claims.polarity import INDEFINITE
from engram.memory.claims.sentence import Sentence, read_sentence
from engram.memory.claims.shapes import FIRST_PERSON, GROUP, shaped
from engram.memory.claims.values import CLAUSE, SINCE, fits, is_typed, typed_predicate

_MOST_SUBJECT_WORDS, _MOST_OBJECT_WORDS = 9, 14

# A subject with one of these in it is a clause, and the verb found is not the sentence's own.
_NO_SUBJECT = re.compile(
    r"\b(?:is|are|was|were|am|has|have|had|do|does|did|will|that|which|who|because|but|or|to|it|he"
    r"|she|they|this|these|those|you|there|here|what|where|why|how|who|everyone|everybody|someone"
    r"|somebody|nobody|anyone|people|and then|says|live|lives|went|came|made)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r",?\s+(?:because|since (?:i|we|she|he|they|it|the|my|our)|so that|due to|thanks to"
    r"|after all)\b",
    re.IGNORECASE,
)
_QUALIFIER = re.compile(
    r"[,\s]+((?:in|on|for|at|during|under|inside|within|behind|with|per|every|each|by|from|of)"
    r"\s.+)$",
    re.IGNORECASE,
)
_ATTRIBUTE_OF = re.compile(r"^(?:the |our |my )?(.{2,40}?) (?:of|for|on|at|in) (.{1,80})$",
                           re.IGNORECASE)  # fmt: skip
_POSSESSIVE = re.compile(r"^(.{1,80}?)(?:'s|(?<=s)') (.{2,60})$", re.IGNORECASE)
_COPULA = re.compile(
    r" (?:(?:is|are|am)(?: set to| equal to)?|will be|(?:has|have|was|were)?(?: been)?"
    r" ?(?:changed|updated|raised|lowered|reduced|increased|extended|cut|bumped|upgraded|set"
    r"|moved|rescheduled|postponed|pushed(?: back)?|brought forward)"
    r"(?: from (?P<old>(?:[^,;]|,(?=\d)){1,60}?))? (?:to|until|at)"
    r"|(?:became|went up to|went down to|rose to"
    r"|fell to|dropped to)) (?=\S)",
    re.IGNORECASE,
)


def claim_of(text: str, *, speaker: str | None = None) -> Claim | None:
    """The claim of a text that is one sentence with one clear statement, else None.

    The first person is the speaker, or "the user". Questions, guesses, plans, conditions, reports
    and what was once the case claim nothing that a later statement could replace.
    """
    sentence = read_sentence(text, speaker or "the user")
    if sentence is None:
        return None
    claim = _of_attribute(sentence) or _of_verb(sentence) or _of_value(sentence)
    if claim is None or not _is_sound(claim):
        return None
    is_negated = claim.is_negated != sentence.is_negated
    is_functional = claim.is_functional and not sentence.is_besides
    is_whole = sentence.text.endswith(claim.object)
    return replace(claim, is_negated=is_negated, is_functional=is_functional, is_whole=is_whole)


def _of_attribute(sentence: Sentence) -> Claim | None:
    """ "X's Y is Z", "the Y of X is Z", "my favourite Y is Z", "the deadline for X is Z"."""
    cut = _COPULA.search(sentence.text) or _EQUATION_CUT.search(sentence.text)
    if cut is None or cut.start() == 0:
        return None
    left, value = sentence.text[: cut.start()], sentence.text[cut.end() :]
    owner, name = _owner_and_name(left)
    predicate = _predicate_of(name)
    subject = _subject(owner, sentence.speaker)
    if predicate is None or subject is None or CLAUSE.search(name):
        return None
    if cut.re is _EQUATION_CUT and not (owner != name and is_typed(value)):
        return None  # a line of code or of a form, with no telling whose it is
    value = _REASON.split(value)[0]
    value, qualifier = _qualified(SINCE.sub("", value))
    if predicate in table.PLACED:
        value = _PLACING.sub("", value)
    if not value or not fits(predicate, value):
        return None
    old = cut.groupdict().get("old") or ""
    return Claim(f"{subject} {qualifier}".strip(), predicate, value, False, True, old)


_PLACING = re.compile(r"^(?:in|on|at|by) (?=\S)", re.IGNORECASE)
_EQUATION_CUT = re.compile(r"(?<=\w)\s?(?:=|:|->)\s+")


def _owner_and_name(left: str) -> tuple[str, str]:
    """Whose property it is and what it is called; an owner who is not named is the thing itself."""
    if match := _POSSESSIVE.match(left):
        return match[1], match[2]
    if match := re.match(r"(my|our) (.+)$", left, re.IGNORECASE):
        of = _ATTRIBUTE_OF.match(match[2])
        if of and _predicate_of(of[1]):
            return of[2], of[1]
        inner = _POSSESSIVE.match(match[2])
        if inner:
            return f"{match[1]} {inner[1]}", inner[2]
        return _split_compound(match[2], "I" if match[1].lower() == "my" else "")
    if (match := _ATTRIBUTE_OF.match(left)) and _predicate_of(match[1]):
        return match[2], match[1]
    return _split_compound(re.sub(r"^the ", "", left, flags=re.IGNORECASE), "")


def _split_compound(words: str, owner: str) -> tuple[str, str]:
    """ "Billing API port" as the port of the billing API; a bare "port" is its own owner."""
    parts = words.split()
    if owner and _predicate_of(words):
        return owner, words
    for size in range(min(table.LONGEST_ATTRIBUTE, len(parts) - 1), 0, -1):
        name = " ".join(parts[-size:])
        rest = parts[:-size]
        if (
            plain_name(name) in table.PLAIN_ATTRIBUTES
            and rest[-1].lower() not in table.SINGLING_WORDS
        ):
            rest_of_name = " ".join(rest)
            return (f"my {rest_of_name}" if owner else rest_of_name), name
    return owner or words, words


def _predicate_of(name: str) -> str | None:
    """The predicate that a property's name stands for, if the property has one value at a time."""
    words = [word for word in name.lower().split() if word not in ("the", "a", "an")]
    while words and words[0] in ("new", "latest", "own", "exact", "actual"):
        words = words[1:]
    if not words:
        return None
    if words[0] in table.SINGLING_WORDS and 2 <= len(words) <= 6:
        thing = " ".join(plain_form(word) for word in words[1:])
        return f"{table.singling_word(words[0])} {thing}"
    return table.PLAIN_ATTRIBUTES.get(plain_name(" ".join(words)))


def _qualified(value: str) -> tuple[str, str]:
    """The value, and where or when alone it holds: "8080 in staging"."""
    match = _QUALIFIER.search(value)
    if match is None or not is_typed(value[: match.start()]):
        return value.strip(" ,"), ""
    return value[: match.start()].strip(" ,"), plain_name(match[1])


def _of_value(sentence: Sentence) -> Claim | None:
    """ "X is 10.0.0.1", "X is 5 kg", "X is done": values that can be told at sight."""
    cut = _COPULA.search(sentence.text) or _EQUATION_CUT.search(sentence.text)
    if cut is None:
        return None
    left = sentence.text[: cut.start()]
    if cut.re is _EQUATION_CUT and len(left.split()) < 2:
        return None
    subject = _subject(left, sentence.speaker)
    value, qualifier = _qualified(SINCE.sub("", _REASON.split(sentence.text[cut.end() :])[0]))
    if subject is None or not value:
        return None
    predicate = typed_predicate(value) or table.STATUSES.get(value.lower())
    if predicate is None:
        return None
    old = cut.groupdict().get("old") or ""
    return Claim(f"{subject} {qualifier}".strip(), predicate, value, False, True, old)


def _of_verb(sentence: Sentence) -> Claim | None:
    found = _first_verb(sentence.text)
    if found is None:
        return None
    verb, match = found
    left = sentence.text[: match.start()]
    subject = _subject(left, sentence.speaker)
    value = _REASON.split(sentence.text[match.end() :])[0].strip(" ,")
    if subject is None or not value:
        return None
    old = (match.groupdict().get("old") or "").strip()
    claim = Claim(subject, verb.predicate, value, verb.is_denial, verb.is_functional, old)
    return shaped(claim, left)


def _first_verb(text: str) -> tuple[table.Verb, re.Match[str]] | None:
    """The verb that begins first; of those that begin together the longest."""
    first = table.ANY_VERB.search(text, 1)
    if first is None:
        return None
    place = first.start()
    found = [(verb, match) for verb in table.VERBS if (match := verb.pattern.match(text, place))]
    return max(found, key=lambda pair: pair[1].end())


def _subject(words: str, speaker: str) -> str | None:
    """The subject with the first person resolved; None when it is a clause or points elsewhere."""
    plain = words.strip(" ,")
    if not plain[:1].isalnum() or len(plain.split()) > _MOST_SUBJECT_WORDS or _CODE.search(plain):
        return None
    if INDEFINITE.match(plain):
        return None
    if FIRST_PERSON.match(plain):
        return speaker
    if GROUP.match(plain):
        return f"{speaker}'s group"
    if _NO_SUBJECT.search(plain):
        return None
    plain = re.sub(r"^my\b", f"{speaker}'s".replace("\\", ""), plain, flags=re.IGNORECASE)
    return re.sub(r"^our\b", "the", plain, flags=re.IGNORECASE)


_CODE = re.compile(r"[{}<>=`|*\[\]]|\w\(|\$\{")


def _is_sound(claim: Claim) -> bool:
    """Whether the value is a value: short, and no clause of its own."""
    words = claim.object.split()
    if not words or len(words) > _MOST_OBJECT_WORDS or _CODE.search(claim.object):
        return False
    is_list_allowed = not claim.is_functional or claim.predicate.startswith("favourite")
    joined = re.search(r"\b(?:and|or)\b", claim.object)
    clause = re.search(r"\b(?:but|then|which|who|where|that|because|although)\b", claim.object)
    return clause is None and (joined is None or is_list_allowed)
