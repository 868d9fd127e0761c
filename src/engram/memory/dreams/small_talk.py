"""Whether a turn tells anything that somebody may ask for later, and whether others tell it too.

Rules over the words alone, and careful ones: a name, a number, a date, a place, a claim, a
preference, or simply many words keep a turn. What is left are greetings, thanks, cheers, short
questions and the like.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from engram.language.lexicon import COMMON_WORDS
from engram.language.names.mentions import find_mentions
from engram.language.sentences import split_sentences
from engram.language.stems import stem
from engram.memory.traits import Mark, marks_of
from engram.text.strings import folded

_LONGEST_READ = 2_000  # characters; a longer turn tells something
# Of talk between people, the turns that answer a question about it: how many of them would be taken
# for small talk decides these numbers, rather than how much goes.
_FEW = 1  # words that may tell something, in a sentence that tells nothing
_FEW_ASKED = 3  # a question says less in as many words
_WORDS_OF_ANSWER = 4  # a turn of so many words may be an answer
_COVERED = 0.6  # of a sentence's words, for it to stand in other words elsewhere
_PARTICULAR = Mark.NUMBER | Mark.RULE | Mark.PLACE
_TELLING = _PARTICULAR | Mark.PREFERENCE
# Words of scripts that are not known here, some written without spaces: in doubt they tell.
_FOREIGN = re.compile(r"[^\W\d_a-zA-Z\u00c0-\u024f]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_FIGURE = re.compile(r"\w*\d\w*")
# Written exactly, to be found exactly: addresses, paths, identifiers, abbreviations, quotations.
_EXACT = re.compile(
    r"\d|[@#/\\_`{}<>=]|https?:|\b\w+\.\w{2,4}\b|\b[A-Z]{2,}\b|\b[a-z]+[A-Z]\w*|[\"“”«»]\w"
)
# "Hey Kate!", "… , Kate.": who is spoken to is known.
_GREETED = re.compile(
    r"^\W*(?i:hey|hi|hello|thanks|thank you|bye|good (?:morning|evening|night)|sorry|congrats"
    r"|congratulations|wow|aw+)[,!]* +[A-Z][a-z]+\b"
)
_ADDRESSED = re.compile(r", +[A-Z][a-z]+(?= *[!.?,]|$)|^\W*[A-Z][a-z]+[,!](?= *\w)")
_REQUEST = re.compile(
    r"\?\W*$|^\W*(?:(?:ok|okay|hey|hi|hmm|so|and|now|then|also|cool|great|thanks)[,!. ]+)*"
    r"(?:please|can you|could you|would you|will you|can we|could we|let's|help me)\b"
    r"|\bplease\W*$",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:always|never|every|usually|because|allerg\w+|favou?rite|prefer\w*|must|should|promise\w*"
    r"|decid\w+|plan\w*|will|going to|gonna|used to|born|birthday|married|moved?|moving|lives?"
    r"|works?|died|hospital|pregnan\w+|password|address|remember|remind|forget|don't|do not|won't"
    r"|can't|named?|called|means?)\b"
)
# Words with which people keep a talk going; they tell nothing of their own.
_PHATIC = frozenset(
    """absolutely again agree agreed ah aha amazing anytime appreciate aw awesome aww aye beautiful
    best bet better big bravo bro btw bye care catch chat cheers completely congrats
    congratulations cool course cute damn day dear definitely dude else enjoy evening exactly
    excellent excited fab fantastic feel fine fingers crossed friend fun funny gee glad gladly
    goes gonna good goodbye gosh gotcha gotta great guess ha haha hahaha hang happy hard hear
    heard hello help helped helpful hey hi hmm hope huge huh idea impressive incredible indeed
    inspiring interesting job keep kidding kind kinda know later laugh let like lol long look
    looking looks lot lots love loved lovely luck lucky man many maybe mean meant mind moment
    morning much nah need neat never nice night nope ok okay omg oh ooh pal people perfect please
    pleased pleasure posted pretty probably problem proud quite read reading ready really rest
    right same say saying see seems share sharing sleep soon sorry sound sounded sounds stay stuff
    super support supportive sure sweet take talk talking tell thank thankful thanks that'll there
    thing things think thinking though thought time today tomorrow tonight too totally true truly
    try ugh understand understood wait want way weekend welcome well whoa wish wonderful won't
    wonder word work worked worries worry worth wow ya yay yeah yep yes yet yo yup""".split()
)


def says_nothing_lasting(text: str) -> bool:
    """Whether nobody will ask for what a turn says; in doubt it says something."""
    if len(text) > _LONGEST_READ or _may_answer(text):
        return False
    return not any(_tells(each.text) for each in split_sentences(text))


def _may_answer(text: str) -> bool:
    """Whether a turn of few words may be what somebody was asked for: "Vegetarian.", "No, Lyon"."""
    plain = _GREETED.sub(" ", text.replace("’", "'"))
    is_short = len(_WORD.findall(plain)) <= _WORDS_OF_ANSWER and not plain.rstrip().endswith("?")
    return is_short and bool(_telling_words(plain.lower()))


def has_particulars(text: str, *, known: Sequence[str] = ()) -> bool:
    """Whether a text names people, things, numbers or places, or is too long to tell.

    The `known` are those whose names say nothing, as the one who speaks.
    """
    if len(text) > _LONGEST_READ:
        return True
    for name in known:
        text = re.sub(rf"\b{re.escape(name)}\b", "they", text, flags=re.IGNORECASE)
    return any(
        _has_particulars(_unaddressed(each.text)) or bool(_LASTING.search(each.text.lower()))
        for each in split_sentences(text)
    )


def _unaddressed(sentence: str) -> str:
    return _ADDRESSED.sub(" ", _GREETED.sub(" ", sentence.replace("’", "'")))


def asks_for_something(text: str) -> bool:
    """Whether all that a turn tells is what somebody wants to be done or to know."""
    if len(text) > _LONGEST_READ:
        return False
    telling = [each.text for each in split_sentences(text) if _tells(each.text)]
    return bool(telling) and all(_REQUEST.search(_unaddressed(each)) for each in telling)


def is_told_elsewhere(text: str, drawn: Sequence[str]) -> bool:
    """Whether what was drawn from a turn says all that the turn says.

    Each of its sentences either tells nothing, or its words stand there: all names and numbers,
    and most of the others.
    """
    if not drawn or len(text) > _LONGEST_READ:
        return False
    said = _words_of(drawn)
    return all(_is_covered(each.text, said) for each in split_sentences(text) if _tells(each.text))


def _tells(sentence: str) -> bool:
    """Whether a sentence tells something of its own."""
    unaddressed = _unaddressed(sentence)
    lower = unaddressed.lower()
    words = _telling_words(lower)
    is_asked = lower.rstrip().endswith("?")
    if len(words) > (_FEW_ASKED if is_asked else _FEW) or _has_particulars(unaddressed):
        return True
    return bool(words) and not is_asked and _claims(unaddressed)


def _claims(sentence: str) -> bool:
    """Whether a short sentence says how somebody or something is, likes or does things."""
    return _LASTING.search(sentence.lower()) is not None or bool(marks_of(sentence) & _TELLING)


def _has_particulars(sentence: str) -> bool:
    """Whether it names somebody or something, a number, a place or something written exactly."""
    if _EXACT.search(sentence) or _FOREIGN.search(sentence) or marks_of(sentence) & _PARTICULAR:
        return True
    return any(each.surface.lower() not in _PHATIC for each in find_mentions(sentence))


def _telling_words(lower: str) -> list[str]:
    return [
        word
        for word in _WORD.findall(lower)
        if word not in _PHATIC and word not in COMMON_WORDS and len(word) > 1
    ]


def _is_covered(sentence: str, said: frozenset[str]) -> bool:
    names = {
        stem(folded(word))
        for mention in find_mentions(sentence)
        for word in _WORD.findall(mention.surface)
    }
    figures = {folded(each) for each in _FIGURE.findall(sentence)}
    if not (names | figures) <= said:
        return False
    stems = [_stem(word) for word in _telling_words(sentence.replace("’", "'").lower())]
    return sum(each in said for each in stems) >= _COVERED * len(stems)


def _words_of(texts: Iterable[str]) -> frozenset[str]:
    words = [word for text in texts for word in _WORD.findall(text.replace("’", "'"))]
    return frozenset(_stem(word) for word in words) | frozenset(folded(word) for word in words)


@lru_cache(maxsize=16_384)
def _stem(word: str) -> str:
    return stem(folded(word).removesuffix("'s"))
