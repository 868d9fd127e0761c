"""How much a statement is worth keeping: a small logistic over what can be seen in its form.

The weights are fitted by `scripts/fit_salience.py`; this module names the figures and adds them up.
No figure knows a topic: what counts is whether somebody tells something specific about a person, an
event, a plan or a thing. Single words have a weight only when people use them in every talk.
"""

import json
import math
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from engram.capture.reading.categorise import REPORTED, Sorted
from engram.memory.claims.updates import names_what_changed
from engram.memory.vocabulary import Kind

KEEP = 0.5  # at and above this a statement is kept; the fit moves the intercept, not this
_FLOOR = 0.6  # what was said on purpose, or names a thing exactly, is kept whatever its form

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_EMPTY = frozenset(
    "a an the and or but if so as of at by for with about into through during before after to"
    " from in on"
    " out off over under again then once here there when where why how all any both each few more"
    " most"
    " other some such no nor not only own same than too very can will just should now i me my"
    " myself we"
    " our ours you your yours he him his she her hers it its they them their what which who this"
    " that"
    " these those am is are was were be been being have has had having do does did doing would"
    " could"
    " also really i'm i've i'd i'll it's that's we're we've don't didn't can't get got go going"
    " gonna much"
    " lot bit so yeah thing things one like know think even still ever always way up down".split()
)
_FLAGS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("opens with I", r"(?:i|i'm|i've|i'd|i'll)\b"),
        ("opens with my", r"my\b"),
        ("opens with we", r"(?:we|we're|we've|our)\b"),
        ("opens with it", r"(?:it|that|this|these|those|there|it's|that's)\b"),
        ("opens with they", r"(?:he|she|they|he's|she's|they're)\b"),
        ("opens with you", r"(?:you|your|you're|you've)\b"),
        ("opens with a gerund", r"[a-z]+ing\b"),
        ("opens with a condition", r"(?:if|when|whenever|once|unless)\b"),
    )
)
_SIGHTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("I", r"\b(?:i|i'm|i've|i'd|i'll)\b"),
        ("I am", r"\b(?:i'm|i am|i was)\b"),
        ("I have", r"\b(?:i've|i have|i had|i got|i've got)\b"),
        ("my", r"\b(?:my|mine)\b"),
        ("me", r"\b(?:me|myself)\b"),
        ("we", r"\b(?:we|our|us|we're|we've)\b"),
        ("you", r"\b(?:you|your|you're|you've|you'll|yours)\b"),
        ("praise", r"\b(?:great|awesome|amazing|cool|nice|wonderful|fantastic|incredible"
                   r"|beautiful|lovely"
                   r"|perfect|fun)\b"),
        ("feeling", r"\b(?:feel|feels|felt|feeling|happy|excited|proud|grateful|thankful|nervous"
                    r"|scared|sad"
                    r"|stressed|thrilled|glad|love|loved|enjoy|enjoyed|passion\w*|calm\w*"
                    r"|peace\w*|relax\w*)\b"),
        ("generality", r"\b(?:always|never|everyone|people|life|important|matters?|key|worth|keep"
                       r"|remember"
                       r"|important|each other|together|sometimes|it takes|nothing|everything"
                       r"|anything)\b"),
        ("wish", r"\b(?:want|wanted|hope|hoping|dream\w*|wish|goal|goals|looking forward|aim"
                 r"|aspir\w+)\b"),
        ("plan", r"\b(?:plan\w*|going to|gonna|thinking (?:of|about)|considering|will|i'll|we'll"
                 r"|about to"
                 r"|next|upcoming|soon|scheduled|signed up|applied|applying)\b"),
        ("change", r"\b(?:started|began|new|recently|just|finally|joined|moved|switched|became"
                   r"|quit|stopped"
                   r"|decided|finished|opened|launched|bought|adopted|graduated|got|lost|since)\b"),
        ("deed", r"\b(?:went|made|took|met|ran|came|gave|found|won|built|wrote|visited|attended"
                 r"|tried|helped"
                 r"|volunteered|hosted|organi[sz]ed|participated|created|painted|played|watched"
                 r"|cooked"
                 r"|baked|hiked|traveled|travelled|learned|worked|read|saw|tried|used|planted"
                 r"|shared)\b"),
        ("kin", r"\b(?:mom|mum|mother|dad|father|wife|husband|partner|kids?|children|son|daughter"
                r"|sister"
                r"|brother|family|parents?|friends?|grand\w+|dog|cat|pets?|puppy|team|class"
                r"|colleagues?)\b"),
        ("work", r"\b(?:job|work\w*|career|business|company|project|studio|store|shop|school"
                 r"|college|degree"
                 r"|study\w*|course|classes|exam|internship|office|campaign|community|program"
                 r"|research)\b"),
        ("pastime", r"\b(?:hobby|hobbies|book|books|music|song|songs|movie|movies|game|games"
                    r"|dance|dancing"
                    r"|paint\w*|art|yoga|hik\w+|camp\w+|cook\w*|recipe\w*|garden\w*|travel\w*"
                    r"|trip|photo\w*"
                    r"|writing|reading|sport\w*|gym|training|race|tournament|team|piano|guitar"
                    r"|violin)\b"),
        ("help to", r"\b(?:helps?|helped|makes?|made|gives?|gave|keeps?|reminds?|inspires?"
                    r"|inspired) (?:me|us)\b"),
        ("because", r"\b(?:because|'cause|cause|since|so that|after|due to)\b"),
        ("quantity", r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|once|twice|couple"
                     r"|first|second)\b"),
        ("look here", r"\b(?:check (?:it|this|out)|take a look|look at|here's|here is|this is|let"
                      r" me|let's|see"
                      r"|picture|pic|photo)\b"),
        ("agreement", r"\b(?:agree|right|exactly|same|too|as well|definitely|for sure|totally"
                      r"|absolutely)\b"),
        ("contrast", r"\b(?:but|though|although|however|despite|even if)\b"),
        ("list", r",[^,]*(?:,| and | or )"),
    )
)  # fmt: skip
_NAME = re.compile(r"(?<=[a-z,'] )[A-Z][\w-]+")
_EXACT = re.compile(
    r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[\w-]*\d[\w.:/-]*\b|\b[a-z]+(?:_[a-z]+)+\b|\b[A-Z]{2,}\b"
    r"|\b\w+\.\w{2,4}\b"
)
_ABOUT_SPEAKER = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|me|my|we|us|our|you|your|you're|it|that)\b")
_ON_PURPOSE = frozenset({"instruction", "correction"})
_TOPICS = frozenset(
    "preference commitment decision relationship principle moment skill identity location health"
    " fiscal project fact".split()
)


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a statement stood and what reading found in it."""

    text: str  # as its speaker worded it
    sort: Sorted
    position: int  # of its sentence in the turn
    sentences: int
    is_answer: bool  # the turn before ended with a question
    has_time: bool
    is_resolved: bool
    has_triple: bool
    turn_words: int  # content words of the whole turn
    longest: int  # content words of its longest sentence
    heard: frozenset[str] = frozenset()  # content words of the turns just before
    told: frozenset[str] = frozenset()  # and of the sentences before it in the turn
    is_alone: bool = False  # all that was said, but for asides: "Sorry for the detour."


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text.replace("’", "'"))]


def content_words(text: str) -> list[str]:
    """The words that tell something, in lower case."""
    return [
        word for word in _words(text) if word not in _EMPTY and (len(word) > 1 or word.isdigit())
    ]


def figures_of(situation: Situation) -> dict[str, float]:
    """What the logistic looks at, by name; figures that are zero are left out."""
    text = situation.text
    plain = text.replace("’", "'").lower()
    words = content_words(text)
    count = len(words)
    found: dict[str, float] = {
        "content": min(count, 15) / 5,
        "content squared": (min(count, 15) / 5) ** 2,
        "length": min(len(text), 240) / 60,
        "position": situation.position / max(1, situation.sentences),
        "sentences": min(situation.sentences, 8) / 4,
        "share of turn": count / max(1, situation.turn_words),
        "heard": sum(word in situation.heard for word in words) / max(1, count),
        "told": sum(word in situation.told for word in words) / max(1, count),
        "turn words": min(situation.turn_words, 60) / 20,
        "short of the longest": min(max(0, situation.longest - count), 12) / 4,
        "names": min(len(_NAME.findall(text)), 3),
        "confidence": situation.sort.confidence,
    }
    found.update((name, 1.0) for name, pattern in _FLAGS if pattern.match(plain))
    found.update((name, 1.0) for name, pattern in _SIGHTS if pattern.search(plain))
    found.update((f"word {word}", 1.0) for word in _words(text))
    found.update((name, 1.0) for name, holds in _marks(situation, text, count) if holds)
    return found


def _marks(situation: Situation, text: str, count: int) -> tuple[tuple[str, bool], ...]:
    sort = situation.sort
    return (
        ("longest", count >= situation.longest),
        ("few words", count <= 2),
        ("many words", count >= 7),
        ("exclaimed", text.rstrip().endswith("!")),
        ("opens the turn", situation.position == 0),
        ("ends the turn", situation.position == situation.sentences - 1),
        ("alone", situation.sentences == 1),
        ("answer", situation.is_answer),
        ("opening answer", situation.is_answer and situation.position <= 1),
        ("time", situation.has_time),
        ("pronoun resolved", situation.is_resolved),
        ("triple", situation.has_triple),
        ("episode", sort.kind is Kind.EPISODE),
        (f"category {sort.category}", sort.category in _TOPICS),
    )


@dataclass(frozen=True, slots=True)
class Weights:
    """The fitted weights: one for each figure that counts."""

    intercept: float
    figures: dict[str, float]

    def __call__(self, figures: dict[str, float]) -> float:
        """The probability that a statement with these figures is worth keeping."""
        named = sum(self.figures.get(name, 0.0) * value for name, value in figures.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, self.intercept + named))))


@cache
def load_weights() -> Weights:
    """The weights that ship with the package."""
    place = files("engram.capture.reading").joinpath("salience.json")
    document = json.loads(place.read_text("utf-8"))
    return Weights(float(document["intercept"]), document["figures"])


def salience_of(situation: Situation) -> float:
    """How much a statement is worth keeping, from 0 to 1."""
    fitted = load_weights()(figures_of(situation))
    return max(fitted, _FLOOR) if _is_deliberate(situation) else fitted


def _is_deliberate(situation: Situation) -> bool:
    """What the fitted talk between friends cannot teach: rules, corrections, exact particulars.

    A statement about neither speaker nor listener that names something exactly ("The staging host
    is 192.168.7.1"), or that is all there is to a turn, is told for its own sake; so is one that
    says what is otherwise now.
    """
    if situation.sort.category in _ON_PURPOSE or situation.sort.confidence >= 0.95:
        return True
    if situation.sort.category in _EXACT_CATEGORIES and situation.sort.confidence > 0.4:
        return True
    if situation.sort.category == "commitment" and situation.has_time:
        return True  # a promise with a date is waited for
    is_all = situation.sentences == 1 or (situation.is_alone and not _is_exclaimed(situation))
    if situation.sort.category in _LASTING and is_all and not situation.is_answer:
        return True  # all that was said: "I like green tea."
    if names_what_changed(situation.text) or _is_plain_fact(situation):
        return True
    plain = situation.text.replace("’", "'").lower()
    is_about_others = _ABOUT_SPEAKER.search(plain) is None
    reasons = (
        situation.has_triple or situation.sort.category in _LASTING,
        _EXACT.search(situation.text) is not None,
        situation.sentences == 1,
    )
    return is_about_others and sum(reasons) >= 2


def _is_exclaimed(situation: Situation) -> bool:
    return situation.text.rstrip().endswith("!")


def _is_plain_fact(situation: Situation) -> bool:
    """What holds of somebody or something definite, told soberly, whatever stands beside it.

    "Ruben is responsible for the seed catalogue" is one. "Hard work pays off" is of nobody, and
    who exclaims, praises, or says what can or must be, tells how they see it.
    """
    plain = situation.text.replace("’", "'").lower()
    is_sober = not (_is_exclaimed(situation) or _VIEW.search(plain) or _OF_US.search(plain))
    is_sure = situation.sort.confidence >= REPORTED and situation.sort.category != "moment"
    if not (is_sober and is_sure) or situation.is_answer:
        return False
    is_named = _NAME.search(situation.text) is not None or len(content_words(situation.text)) >= 4
    is_definite = _DEFINITE.match(plain) is not None
    has_sense = situation.has_triple or situation.sort.category in _LASTING
    return has_sense and (is_definite or (is_named and _GENERAL.match(plain) is None))


def is_aside(sentence: str) -> bool:
    """Whether a sentence says so little that what stands beside it is all that was said."""
    has_exact = _NAME.search(sentence) or any(letter.isdigit() for letter in sentence)
    return not has_exact and len(content_words(sentence)) <= _MOST_OF_ASIDE


# "It" behind what it stands for is about that thing, and not about what was just talked of.
_OF_US = re.compile(
    r"^(?:it|that|it's|that's)\b|\b(?:i|i'm|i've|i'd|i'll|me|my|we|us|our|you|your|you're)\b"
)
_MOST_OF_ASIDE = 3  # content words: "I just came from lunch"
_DEFINITE = re.compile(r"(?:the|his|her|their)\s")
_GENERAL = re.compile(r"[a-z]+ing\b|(?:an?|some|any|every|each|even|little|small|big|good|hard)\b")
_SEEN = dict(_SIGHTS)
_VIEW = re.compile(
    "|".join(_SEEN[name].pattern for name in ("praise", "feeling", "generality"))
    + r"|\b(?:can|could|must|might|may|should|would|so|such|truly|sure|quite|tough|crucial|vital"
    r"|essential|invaluable|rewarding|inspiring|uplifting|overwhelming|refreshing|special|pretty)\b"
)
_LASTING = frozenset({"preference", "relationship", "identity", "location", "decision"})
_EXACT_CATEGORIES = frozenset({"infra", "tooling", "technical", "fiscal", "health"})
