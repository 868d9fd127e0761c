"""First and second person turned into names, so that a sentence stands alone.

"I'm late" said by Ann is "Ann is late". The verb follows its subject, possessives too. "We"
is Ann and others, since who they are is not said.
"""

import re
from collections.abc import Sequence

from engram.capture.reading.grammar import (
    ADVERBS,
    BASE_VERBS,
    CONTRACTED,
    NEGATED,
    is_past,
    with_subject,
    would_or_had,
)
from engram.capture.reading.turns import People

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|\s+|[^\w\s]|_")
_FIRST = frozenset({"i", "i'm", "i've", "i'll", "i'd", "im", "ive"})
_SECOND = frozenset({"you", "you're", "you've", "you'll", "you'd"})
# After a preposition "you" is no subject; after these verbs only if no verb follows it.
_PREPOSITIONS = frozenset(
    "to for with from at of about on by than near beside behind without like".split()
)
# What never is the verb behind a subject: "I'll remind you on Tuesday".
_NO_VERB = _PREPOSITIONS - {"like", "near"} | frozenset(
    "and or in as when if that before after until once every again tomorrow today tonight who what"
    " where how why via next this the a an".split()
)
_TAKE_OBJECT = frozenset(
    "see thank tell told give gave help let make made ask love miss show hear know want wish call"
    " called believe teach send sent bring brought".split()
)
_VERBS_OF_YOU = BASE_VERBS | frozenset("are were had will can could would should did don't".split())
_PAST_TOLD = re.compile(
    r"\b(?:yesterday|last|ago|when I was|in (?:19|20)\d\d|once|previously)\b", re.IGNORECASE
)
_GROUP = re.compile(
    r"\b(?:with|and)\s+(my|the|our)\s+((?:whole\s+)?(?:family|kids|children|husband|wife|team"
    r"|friends"
    r"|partner|girlfriend|boyfriend|parents|colleagues|coworkers|class|band|squad|crew))\b",
    re.IGNORECASE,
)


def in_third_person(
    text: str, people: People, *, context: str = "", is_past_told: bool | None = None
) -> str:
    """The sentence with I, you and we replaced by who they are, and the verbs made to agree.

    `context` is the sentence before, which may tell who "we" are. Forms such as "read" are past
    when the sentence tells a past time; who has replaced its dates says so by `is_past_told`.
    """
    tokens = _TOKEN.findall(text.replace("’", "'"))
    if not any(_is_person(token) for token in tokens):
        return text
    is_past = tells_past(text) if is_past_told is None else is_past_told
    return _Rewriter(tokens, people, _group_of(context, people.speaker), is_past).rewritten()


def tells_past(text: str) -> bool:
    """Whether a sentence names a time that has passed."""
    return _PAST_TOLD.search(text) is not None


_PERSONS = (
    _FIRST | _SECOND | frozenset("me my mine myself we we're we've we'll we'd us our ours ourselves"
                                 " your yours yourself".split())
)  # fmt: skip


def _is_person(token: str) -> bool:
    return token.lower() in _PERSONS


class _Rewriter:
    """One pass over the tokens of a sentence; the state is where it stands and what it wrote."""

    def __init__(
        self, tokens: Sequence[str], people: People, group: str, is_past_told: bool
    ) -> None:
        self._tokens = list(tokens)
        self._people = people
        self._is_past_told = is_past_told
        self._group = group
        self._names = _names_for(people, group)
        self._place = 0
        self._written: list[str] = []
        self._was_inflected = False  # the subject's verb got an ending; one behind "and" needs it
        self._since_to = False

    def rewritten(self) -> str:
        """The whole sentence."""
        while self._place < len(self._tokens):
            self._step()
        return "".join(self._written)

    def _step(self) -> None:
        word = self._tokens[self._place]
        lower = word.lower()
        self._place += 1
        if lower in _FIRST:
            self._subject(self._people.speaker, lower.replace("im", "i'm").replace("ive", "i've"))
        elif lower in _SECOND and self._people.listener:
            self._second(self._people.listener, lower)
        elif lower.split("'")[0] == "we" and lower in _PERSONS:
            self._we(lower)
        else:
            self._write(self._plain(word, lower))

    def _plain(self, word: str, lower: str) -> str:
        if lower in self._names:
            return self._names[lower]
        if lower == "to":
            self._since_to = True
        if self._was_inflected and not self._since_to and lower in BASE_VERBS:
            return self._agreed(word) if self._follows_and() else word
        return word

    def _follows_and(self) -> bool:
        """Whether "and" or "but" stands directly before, as in "I love tea and hate coffee"."""
        before = [token for token in self._written[-4:] if not token.isspace()]
        return bool(before) and before[-1].lower() in {"and", "but"}

    def _subject(self, name: str, lower: str) -> None:
        self._was_inflected = self._since_to = False
        self._write(name)
        contracted = lower.partition("'")[2]
        if contracted == "d":
            self._write(f" {would_or_had(self._next_word())}")
        elif contracted:
            self._write(f" {CONTRACTED[contracted]}")
        else:
            self._verb()

    def _second(self, name: str, lower: str) -> None:
        before = [token.lower() for token in self._tokens[: self._place - 1] if not token.isspace()]
        last, following = before[-1] if before else "", self._next_word().lower()
        is_object = (
            last in _PREPOSITIONS
            or (last in _TAKE_OBJECT and following not in _VERBS_OF_YOU)
            or not following[:1].isalpha()
            or following in _NO_VERB
        )
        if lower == "you" and is_object:
            self._write(name)
        else:
            self._subject(name, lower)

    def _we(self, lower: str) -> None:
        self._was_inflected = False
        self._write(self._group)
        contracted = lower.partition("'")[2]
        if contracted:
            words = {"re": "are", "ve": "have", "ll": "will"}
            self._write(f" {words.get(contracted) or would_or_had(self._next_word())}")

    def _verb(self) -> None:
        """Make the verb agree, stepping over adverbs; what is no verb is left alone."""
        for _ in range(3):
            self._copy_space()
            if self._place >= len(self._tokens):
                return
            word = self._tokens[self._place]
            lower = word.lower()
            if not word[0].isalpha():
                return
            self._place += 1
            if lower in ("myself", "yourself"):
                self._write("themselves")
                continue
            if lower in ADVERBS or (
                lower.endswith("ly") and lower not in {"rely", "apply", "reply"}
            ):
                self._write(word)
                continue
            self._write(self._agreed(word))
            return

    def _agreed(self, word: str) -> str:
        lower = word.lower()
        if lower in NEGATED:
            return NEGATED[lower]
        if lower in _NO_VERB or lower in {"as", "not", "myself"}:
            return word
        agreed = with_subject(word, is_past_told=self._is_past_told)
        self._was_inflected = agreed != word and lower not in {"am", "are", "have", "do", "were"}
        return agreed

    def _copy_space(self) -> None:
        while self._place < len(self._tokens) and self._tokens[self._place].isspace():
            self._write(self._tokens[self._place])
            self._place += 1

    def _next_word(self) -> str:
        for token in self._tokens[self._place : self._place + 4]:
            if not token.isspace() and token.lower() not in ADVERBS:
                return token
        return ""

    def _write(self, token: str) -> None:
        self._written.append(token)


def _names_for(people: People, group: str) -> dict[str, str]:
    """What the forms that need no verb become."""
    owned = _possessive(people.speaker)
    names = {"me": people.speaker, "myself": "themselves", "us": group}
    names |= dict.fromkeys(("my", "mine", "our", "ours"), owned)
    if people.listener:
        names |= dict.fromkeys(("your", "yours"), _possessive(people.listener))
        names["yourself"] = "themselves"
    return names


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") and " " not in name else f"{name}'s"


def _group_of(context: str, speaker: str) -> str:
    """Who "we" are: the speaker and those they were just said to be with, else others."""
    found = list(_GROUP.finditer(context))
    if len({match[2].lower() for match in found}) == 1:
        return f"{speaker} and the {found[0][2].lower()}"
    return f"{speaker} and others"


# Sentences that leave "I" out: "Sorting old stamps", "Decided on tabs", "Gonna call her".
_GERUND = re.compile(r"([A-Za-z]{2,}ing)\b")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|isn't|wasn't|makes?|made|helps?|helped|gives?|gave|keeps?|has|have|had"
    r"|will"
    r"|can|could|would|sounds?|feels?|seems?|means?|takes?|brings?|brought|turned|does|did)\b"
    r"|\w's\b",
    re.IGNORECASE,
)
_NO_GERUND = frozenset(
    "nothing something anything everything morning evening during bring king".split()
)
_LEFT_OUT = {
    "gonna": "I'm going to", "wanna": "I want to", "gotta": "I have to", "been": "I have been",
    "will": "I will", "won't": "I won't", "can't": "I can't", "hope": "I hope", "want": "I want",
}  # fmt: skip
_PAST_OPENERS = frozenset(
    "decided promised confirmed agreed chose went started finished signed bought got made moved met"
    " switched joined took visited tried picked ended spent saw learned learnt committed built"
    " fixed"
    " booked planned volunteered adopted completed ordered launched opened quit found told".split()
)
_AGREEING = re.compile(r"(?:just|also|still|recently|finally|currently|actually)\s+", re.IGNORECASE)


def with_subject_told(text: str) -> str:
    """The sentence with the "I" that it left out."""
    adverb = _AGREEING.match(text)
    lead = adverb[0].lower() if adverb else ""
    rest = text[adverb.end() :] if adverb else text
    first, _, behind = rest.partition(" ")
    word = first.lower()
    if (word in _LEFT_OUT and behind and word != "will") or (word == "will" and _is_verb(behind)):
        return f"{_LEFT_OUT[word]} {lead}{behind}"
    if word in _PAST_OPENERS and is_past(word) and behind:
        return f"I {lead}{word} {behind}"
    gerund = _GERUND.fullmatch(first)
    if gerund and behind and word not in _NO_GERUND and not _FINITE.search(_main_clause(behind)):
        return f"I'm {lead}{word} {behind}"
    return text


def _is_verb(behind: str) -> bool:
    first = behind.split(" ", 1)[0]
    return first.islower() and first.isalpha()


def _main_clause(text: str) -> str:
    """Up to where something else begins: "sorting stamps - it's a joy" has no verb yet."""
    return re.split(r"[,;:–—]| - | because | that | who | which | when | since ", text, maxsplit=1)[
        0
    ]


def without_own_name(text: str, speaker: str) -> str:
    """ "I'm Ann and I live in Porto" says of Ann that she is Ann, which she said to be polite."""
    opening = f"{speaker} is {speaker}"
    if not text.lower().startswith(opening.lower()):
        return text
    rest = re.sub(r"^(?:\s*,)?\s*(?:and\s+)?", "", text[len(opening) :])
    return rest or text
