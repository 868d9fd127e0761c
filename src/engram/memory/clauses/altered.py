"""Whether a statement says with a word or two less, or with its contrary, what nobody told.

"Ada moves to Porto" is made of the words of "Ada might move to Porto", and "above 40" of those of
"below 40". So a statement is held against the sentences that share its words: it is altered where
each of them says the opposite, is held back by a word that the statement drops ("might", "wants
to", "except"), or has its number in another measure. What no sentence comes close to is left to
other rules.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from engram.language.lexicon import folded
from engram.language.sentences import split_sentences
from engram.memory.grounding import content_of

_STEM = 4  # letters by which two forms of a word are one: dreams, dreaming
_LEAST_SHARE = 0.6  # of a statement's words that a sentence must have to be about the same
# The two of a pair are contraries of each other: said with the sides exchanged they are the same.
_OPPOSITES = tuple(
    tuple(frozenset(side.split()) for side in pair.split("|"))
    for pair in (
        "above|below beneath", "with|without", "am|pm", "before|after", "older|younger elder",
        "accept accepts accepted|refuse refuses refused decline declines declined reject rejects "
        "rejected", "approve approves approved|reject rejects rejected refuse refuses refused",
        "more|less fewer", "bigger larger greater|smaller", "higher|lower", "taller|shorter",
        "faster quicker|slower", "earlier|later", "cheaper|dearer pricier", "better|worse",
        "increase increases increased rose|decrease decreases decreased fell dropped",
        "open opens opened|close closes closed", "enable enables enabled|disable disables disabled",
        "allow allows allowed|forbid forbids forbidden prohibited banned", "like likes liked loves|"
        "dislike dislikes disliked hates hated", "passed succeeded|failed", "hired|fired",
        "joined|left", "arrived|departed", "remembered|forgot", "minimum least|maximum most",
        "inside|outside", "public|private", "buys bought|sells sold", "won|lost",
        "borrows borrowed|lends lent", "most many|few", "morning|evening", "cold|hot",
        "safe|dangerous", "present|absent", "guilty|innocent", "true|false",
    )
)  # fmt: skip
_ALL = frozenset("all any every always everyone everybody anyone anybody everything most".split())
# What holds a sentence back, and the words of a statement that keep it so.
_POSSIBLE = "might may could maybe perhaps possibly probably likely would should seems appears"
_WANTED = (
    "want wants wanted wanting hope hopes hoped hoping plan plans planned planning intend intends "
    "intended aim aims wish wishes dream dreams try tries tried trying consider considers "
    "considering thinking thought promised promises offered offers agreed agrees goal interested "
    "like will going need needs"
)
_REPORTED = (
    "accused alleged allegedly rumoured rumored rumour rumor suspected supposedly reportedly "
    "pretended pretends"
)
_ENDED = "stopped stops quit ceased almost nearly failed refused forgot avoided declined"
_SELDOM = "few hardly barely rarely seldom scarcely"
_EXCEPT = "except excluding"
_DENYING = "not no never cannot nobody none without former formerly before until gave longer"
_HELD_BACK = tuple(
    (re.compile(rf"\b(?:{pattern})\b"), frozenset(kept.split()))
    for pattern, kept in (
        (r"might|may|could|maybe|perhaps|possibly|probably|supposedly", f"{_POSSIBLE} {_WANTED}"),
        (r"(?:want|hope|plan|intend|aim|wish|dream|tr[yi]|consider)\w* (?:to|of|about)"
         r"(?! (?:let|tell|say|share|give you)\b)"
         r"|(?:promis|offer|agree)\w* to|would like to|thinking (?:of|about)",
         f"{_WANTED} {_POSSIBLE}"),
        ("|".join(_REPORTED.split()), f"{_REPORTED} {_POSSIBLE} claimed said accusation"),
        (r"stopped|quit|ceased|gave up|almost|nearly|(?:failed|refused|forgot|declined) to|avoided",
         f"{_ENDED} {_DENYING} n't"),
        ("|".join(_SELDOM.split()), f"{_SELDOM} {_DENYING} little sometimes n't"),
        (r"except|excluding|all but|apart from",
         f"{_EXCEPT} but apart other others most {_DENYING}"),
    )
)  # fmt: skip
_CONDITION = re.compile(r"\b(?:if|unless)\b")
_CONDITIONAL = frozenset("if unless when whenever would should case once until after".split())
_DISOWNED = re.compile(
    r"\b(?:that|it|this|which) (?:was|is|were) (?:wrong|false|untrue|a lie|not so)"
)
_DISOWNING = frozenset("wrong false untrue mistaken lie lied not never".split())
_PART = re.compile(r"[,;:()]|\b(?:and|but|because|while|which|so|how)\b")
_WORD = re.compile(r"n't\b|\d+(?:[.,:]\d+)*|[^\W\d_]+")
_SCALED = re.compile(
    r"(\d+(?:[.,]\d+)*)\s*(hundred|thousand|million|billion|trillion|dozen|percent|%|k|bn)(?!\w)"
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_RANGE = re.compile(r"(\d+)\s*(?:-|–|to)\s*(\d+)")


@dataclass(frozen=True)
class _Sentence:
    """A sentence and what is looked at in it."""

    text: str

    @cached_property
    def plain(self) -> str:
        """In small letters; "May" is no doubt, and "a few" are not few."""
        text = re.sub(r"\bMay\b", "month", self.text).replace("’", "'")
        return folded(text).replace("p.m.", "pm").replace("a.m.", "am").replace("a few", "several")

    @cached_property
    def words(self) -> list[str]:
        return _WORD.findall(self.plain)

    @cached_property
    def content(self) -> frozenset[str]:
        return frozenset(content_of(self.text))

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(content_of(" ".join(re.findall(r"\b[A-Z]\w*", self.text))))


def alters(statement: str, told: Iterable[str]) -> bool:
    """Whether all that was told in the words of a statement says something else than it."""
    said = _Sentence(statement)
    if not said.content:
        return False
    sentences = [_Sentence(each.text) for text in told for each in split_sentences(text)]
    close = [each for each in sentences if _is_close(said, each)]
    return bool(close) and all(_is_altered(said, each) for each in close)


def _is_close(said: _Sentence, told: _Sentence) -> bool:
    ours = {word for word in said.content if not _is_contrary(word)} or said.content
    return len(ours & told.content) >= _LEAST_SHARE * len(ours)


def _is_contrary(word: str) -> bool:
    return any(word in side for pair in _OPPOSITES for side in pair)


def _is_altered(said: _Sentence, told: _Sentence) -> bool:
    if said.words == told.words:
        return False
    return (
        _is_opposed(said, told)
        or _is_overstated(said, told)
        or _is_unbound(said, told)
        or _is_measured_otherwise(said, told)
    )


def is_converse(statement: str, told: Iterable[str]) -> bool:
    """Whether a statement says from the other side what was told: "B after A", "A before B"."""
    said = _Sentence(statement)
    sentences = (_Sentence(each.text) for text in told for each in split_sentences(text))
    return any(
        _are_sides_exchanged(said, mine, each, yours)
        for each in sentences
        if _is_close(said, each)
        for mine, yours in _contraries(said, each)
    )


def _is_opposed(said: _Sentence, told: _Sentence) -> bool:
    """Whether one word stands where its contrary was told, and the sides are the same."""
    return any(
        not _are_sides_exchanged(said, mine, told, yours) for mine, yours in _contraries(said, told)
    )


def _contraries(
    said: _Sentence, told: _Sentence
) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """The pairs of which a statement has the one side alone, and what was told the other."""
    ours, theirs = set(said.words), set(told.words)
    for one, other in _OPPOSITES:
        for mine, yours in ((one, other), (other, one)):
            if mine & ours and yours & theirs and not (yours & ours or mine & theirs):
                yield mine, yours


def _are_sides_exchanged(
    said: _Sentence, mine: frozenset[str], told: _Sentence, yours: frozenset[str]
) -> bool:
    """Whether "B after A" is said where "A before B" was told."""
    before, after = _sides(said, mine)
    told_before, told_after = _sides(told, yours)
    return bool((before & told_after) or (after & told_before))


def _sides(sentence: _Sentence, pivot: frozenset[str]) -> tuple[set[str], set[str]]:
    place = next(at for at, word in enumerate(sentence.words) if word in pivot)
    left, right = (
        set(content_of(" ".join(words)))
        for words in (sentence.words[:place], sentence.words[place + 1 :])
    )
    return left - right, right - left


def _is_overstated(said: _Sentence, told: _Sentence) -> bool:
    """Whether something is said of all or of most that was told of some alone."""
    bound = {"only", "few", "some", "one", "sometimes"}
    words = set(told.words)
    return bool(_ALL & set(said.words)) and not _ALL & words and bool(bound & words)


def _is_unbound(said: _Sentence, told: _Sentence) -> bool:
    """Whether a word is dropped that held back what was told."""
    ours = set(said.words)
    if _DISOWNED.search(told.plain) and not ours & _DISOWNING:
        return True
    is_conditional = told.plain.startswith(("if ", "unless "))
    if is_conditional and not ours & _CONDITIONAL:
        return True
    parts = _PART.split(told.plain) if "all but" not in told.plain else [told.plain]
    free = frozenset().union(*(content_of(part) for part in parts if not _is_held(part, ours)))
    # A name is taken up by "she" in the next part, so it need not stand there itself.
    shared = (said.content & told.content) - told.names
    is_any_held = any(_is_held(part, ours) for part in parts)
    return is_any_held and not shared <= free


def _is_held(part: str, ours: set[str]) -> bool:
    if _CONDITION.search(part) and not ours & _CONDITIONAL:
        return True
    found = ((pattern.search(part), kept) for pattern, kept in _HELD_BACK)
    return any(word is not None and not _is_kept(word.group(), ours, kept) for word, kept in found)


def _is_kept(word: str, ours: set[str], kept: frozenset[str]) -> bool:
    """Whether a statement keeps the word, in whatever form, or another that does the same."""
    return bool(ours & kept) or any(each.startswith(word[:_STEM]) for each in ours)


def _is_measured_otherwise(said: _Sentence, told: _Sentence) -> bool:
    """Whether a number lost or changed its measure, or a range runs backwards."""
    ours, theirs = dict(_SCALED.findall(said.plain)), dict(_SCALED.findall(told.plain))
    unscaled = set(_NUMBER.findall(_SCALED.sub("", told.plain)))
    numbers = set(_NUMBER.findall(said.plain))
    if any(each in numbers and each not in unscaled and each not in ours for each in theirs):
        return True
    backwards = {(end, start) for start, end in _RANGE.findall(told.plain) if start != end}
    return bool(backwards & set(_RANGE.findall(said.plain)))
