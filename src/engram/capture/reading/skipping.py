"""Which sentences tell nothing to keep, and why: each gets a reason that a person can check."""

import re
from collections.abc import Sequence

from engram.capture.reading.categorise import categorise
from engram.language.texts import normalised

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_GREETING = re.compile(
    r"(?:hey|hi|hello|hiya|good (?:morning|evening|afternoon|night)|bye|goodbye|see (?:you|ya)"
    r"|take care"
    r"|talk (?:to you )?(?:soon|later)|catch you|have a (?:great|good|nice|lovely|wonderful)|long"
    r" time no"
    r"|(?:it['’]?s |it was |so )?(?:great|good|nice|lovely) (?:to (?:see|hear|meet|chat|talk|catch)"
    r"|chatting"
    r"|seeing|talking|hearing)|happy (?:birthday|holidays)|merry|welcome|how['’]s it going"
    r"|cheers)\b",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"(?:thanks?|thank you|thx|much appreciated|(?:i )?(?:really |truly )?appreciate (?:it|that"
    r"|you|your)"
    r"|i['’]m (?:so |really )?(?:grateful|thankful) for (?:you|your)|your (?:support|words?"
    r"|kind\w*|backing"
    r"|encouragement) (?:really )?means?)\b",
    re.IGNORECASE,
)
_COMPLIMENT = re.compile(
    r"(?:(?:that|this|it|those|these|which)(?:['’]s| is| are|['’]re| was| were| must be| must"
    r" have been| sounds?"
    r"| looks?| seems?) (?:so |really |very |super |pretty |truly |such an? |an? |just "
    r"|absolutely |quite )*"
    r"(?:great|awesome|amazing|cool|nice|wonderful|fantastic|lovely|incredible|impressive|inspiring"
    r"|beautiful|perfect|exciting|interesting|tough|terrible|awful|sweet|good|fun|brilliant|rough"
    r"|right"
    r"|true|fine|sad|superb|delicious|gorgeous|adorable|stunning|neat|fabulous"
    r"|insightful)\b[^,;]{0,25}$"
    r"|(?:you['’]re|you are|you look|you did|you have|you['’]ve|you deserve|your \w+ (?:is|are"
    r"|looks?|sounds?))\b"
    r"|(?:sounds?|looks?) (?:\w+ )?(?:great|awesome|amazing|good|fun|nice|like|interesting"
    r"|perfect|cool|delicious)"
    r"|(?:i['’]m|i am) (?:so |really |very |super )*(?:proud of|happy for|glad|sorry (?:to hear"
    r"|about|for you|you)|here for)"
    r"(?: (?:you|that you|to hear|it|your))?\b|congrat\w*|well done|good (?:job|luck|for you"
    r"|work)|great job|keep (?:it )?up"
    r"|keep (?:on )?\w+ing|way to go|nice work|wishing you|can['’]t wait to (?:hear|see)|what an?"
    r" |how (?:cool|nice|lovely|great))",
    re.IGNORECASE,
)
_ENCOURAGEMENT = re.compile(
    r"(?:don['’]t|do not|never) (?:ever )?(?:give up|quit|worry|let|lose|be (?:afraid|too|so)"
    r"|hesitate|miss|get"
    r"|stop|beat yourself)\b|(?:always )?(?:here to|here for|there for) |hang in there|stay"
    r" strong|you['’]ve got this"
    r"|you (?:got|can do) (?:this|it)|believe in yourself|chin up|fingers crossed|enjoy (?:it|the"
    r"|your|every)",
    re.IGNORECASE,
)
_FILLER = frozenset(
    "ok okay sure yes no yeah yep right cool nice great thanks wow lol haha hmm indeed exactly"
    " true fine"
    " absolutely definitely totally agreed perfect awesome amazing please sorry got it makes"
    " sense i see"
    " sounds good of course no problem no worries you too me too same here for real let me know"
    " will do"
    " not sure i don't know i know i guess that's it never mind go ahead go on one moment just a"
    " sec and"
    " so well oh ah um uh done good job fair enough all right alright".split()
)
_HYPOTHETICAL = re.compile(
    r"(?:imagine|suppose|supposing|say we|let['’]s say|what if|hypothetically|pretend|assume"
    r"|assuming|picture this"
    r"|if (?:i|we|you|he|she|they|it|there) (?:were|had|was|could|ever|won)\b)"
    r"|\bi(?:['’]d| would)(?: \w+)? (?:\w+ ){0,8}if\b|\bif only\b|\bi wish (?:i|we|you|he|she"
    r"|they|it)\b"
    r"|\bwould have \w+(?:ed|en|ne)\b",
    re.IGNORECASE,
)
_QUESTION_OPENING = re.compile(
    r"(?:what|who|whom|whose|which|where|when|why|how|do|does|did|is|are|was|were|can|could|would"
    r"|will|should|shall|may"
    r"|have you|has (?:he|she|it|anyone)|any (?:idea|plans|tips|advice))\b['’\w]*\s[^.!]*$",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"(?:please )?(?:can|could|would) you\b|(?:please )?(?:help me|tell me|show me|give me"
    r"|explain|write|create|generate"
    r"|make me|list|summari[sz]e|translate|fix|debug|review|find|check|look (?:up|at)|compare"
    r"|draft|rewrite|calculate)\b"
    r"|(?:let me know|let['’]s (?:see|talk|do|start|go|catch|hope|make|keep)|i (?:was wondering"
    r"|wonder)|i(?:['’]d| would) like (?:you|to know)"
    r"|i need (?:your )?help|wanna (?:see|hear|know))\b"
    # Asked for once: how something is always to be done is an instruction, and worth keeping.
    r"|please (?!always|never|use|keep|write|call|answer|reply|format|remember|note|do\b|don['’]?t"
    r"|avoid|make sure|stop|prefer|stick|refer|address|be\b|from now|in future|when|if|treat)\w+"
    r"|(?:run|send|add|open|start|deploy|build|test|remove|delete|update|install|move|rename|print"
    r"|push|pull|merge|commit|book|order|buy|schedule|set|put|get|bring|sketch|try|clean|restart)"
    r"\b[^!\n]{0,200}\bplease[.!]?$",
    re.IGNORECASE,
)
_QUOTE_MARKS = '"“”«»'
_LATIN = re.compile(r"[A-Za-z]")
_VAGUE = frozenset("it that this they them he she those these there one thing things stuff".split())
_STOP = frozenset(
    "a an the and or but if so as of at by for with about to from in on out up is are was were be"
    " been am"
    " i me my you your we our us he him his she her it its they them their this that these those"
    " do does"
    " did have has had will would can could just really very too not no yes what how all more"
    " most some"
    " s t m re ve ll d don't it's i'm that's there here then than when also much many lot like"
    " get got go"
    " going one thing things way so good great nice".split()
)


def reason_to_skip(text: str, *, recalled: Sequence[str] = ()) -> str | None:
    """Why a sentence is not learnt, or None when it may tell something."""
    if is_recalled(text, recalled):
        return "recalled"
    plain = text.strip()
    if is_question(plain):
        return "question"
    words = [word.lower().replace("’", "'") for word in _WORD.findall(plain)]
    if not words or all(word in _FILLER for word in words):
        return "filler"
    return _by_pattern(plain) or _by_content(plain, words)


def is_question(text: str) -> bool:
    """Whether a sentence asks; a question mark inside quotes does not count."""
    bare = text.rstrip(" \"'”’)*_")
    if bare.endswith(("?", "？")) or "?!" in bare[-3:]:
        return True
    return not bare.endswith((".", "!", ":")) and _QUESTION_OPENING.match(bare) is not None


def _by_pattern(text: str) -> str | None:
    if _is_quoted(text):
        return "quoted"
    for pattern, reason in (
        (_GREETING, "greeting"),
        (_THANKS, "thanks"),
        (_COMPLIMENT, "compliment"),
        (_ENCOURAGEMENT, "encouragement"),
        (_HYPOTHETICAL, "hypothetical"),
        (_REQUEST, "request"),
    ):
        if pattern.match(text) or (reason == "hypothetical" and pattern.search(text)):
            return reason
    return None


def _by_content(text: str, words: Sequence[str]) -> str | None:
    """Too little is said: one word, or nothing but pronouns and praise."""
    if not _LATIN.search(text):
        return None  # these rules read English; other scripts are judged by their salience
    telling = [word for word in words if word not in _STOP]
    if len(words) < 3 and not any(letter.isdigit() for letter in text):
        return None if _says_who_one_is(text, words) else "fragment"
    if not telling or (len(telling) == 1 and words[0].split("'")[0] in _VAGUE):
        return "too vague"
    return None


def _says_who_one_is(text: str, words: Sequence[str]) -> bool:
    """ "I'm vegetarian" is short and whole."""
    if len(words) != 2 or words[0] != "i'm":
        return False
    sort = categorise(text, has_time=False, is_first_person=True)
    return sort.category in ("health", "identity")


def _is_quoted(text: str) -> bool:
    """Whether most of a sentence is somebody else's words between quotation marks."""
    marks = [place for place, letter in enumerate(text) if letter in _QUOTE_MARKS]
    if len(marks) < 2:
        return False
    return marks[-1] - marks[0] > 0.6 * len(text) and marks[-1] - marks[0] > 20


def is_recalled(text: str, recalled: Sequence[str]) -> bool:
    """Whether a sentence only repeats what was recalled; `recalled` is normalised."""
    if not recalled:
        return False
    said = normalised(text)
    return any(said == known or (len(said) >= 12 and said in known) or
               (len(known) >= 12 and known in said and len(known) > 0.8 * len(said))
               for known in recalled)  # fmt: skip
