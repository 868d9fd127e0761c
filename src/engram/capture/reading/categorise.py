"""What sort of statement a sentence makes: its category, its firmness, episode or note."""

import re
from dataclasses import dataclass

from engram.capture.reading.passing import is_of_the_moment
from engram.memory.categories import BUILT_IN
from engram.memory.claims.updates import names_what_changed
from engram.memory.vocabulary import Kind, Layer, MemoryType

# The first that fits decides; the order is from what a speaker does by saying it (corrects, rules,
# promises, decides) to what the sentence is about.
_TABLE: tuple[tuple[str, str], ...] = (
    ("correction", r"^(?:actually|no),? (?:it|my|i|the|that|we|it's|i'm)\b|\bi meant\b"
                   r"|^correction\b|\b(?:that|which) (?:was|is) wrong\b"
                   r"|\bi was wrong\b|\bnot \w+, (?:but|it's)\b|\bscratch that\b|\bi misspoke\b"
                   r"|^(?:it's|that's|it is|that is) .{1,60}, not \w+"),
    ("instruction", r"^(?:please )?(?:(?:always|never)(?! (?:here|there|up|been|had|an?|so|seen"
                    r"|thought|knew|heard|[a-z]+ing|[a-z]+ed|fun|good|great|nice)\b)|from now on"
                    r"|going forward|in (?:the )?future"
                    r"|whenever|don't|do not|stop|make sure|avoid"
                    r"|call me|use \w+ (?:for|when|instead)|answer|reply|respond|keep (?:it|your"
                    r"|answers|responses))\b"
                    r"|\bwhen(?:ever)? i ask\b|\bfrom now on\b|^(?:i want|i need|i'd like) you"
                    r" to\b|^please (?:use|keep|write|call|answer|reply|format)\b"),
    ("commitment", r"\b(?:i|we)(?:'ll| will| shall)\b(?! (?:always|never|be (?:honest|fine"
                   r"|happy)))|\bi promise|\bpromised\b|\bcommit(?:s|ted|ting)? to\b"
                   r"|\b(?:i|we) (?:have|need) to .{1,80}\bby\b|\bremind me\b|\bwill (?:send"
                   r"|deliver|share|email|call|finish|run|write|ship|do|fix"
                   r"|review|bring|help)\b|\bdue (?:on|by)\b|\bi owe\b|\bi'm going to"
                   r" .{1,60}\b(?:tomorrow|by|next|this|on)\b|\bi vow"),
    ("decision", r"\b(?:decided|decision|chose|chosen|settled on|opted|going with|went with"
                 r"|switching to|switched to|picked|agreed (?:to|on|that)"
                 r"|adopting|made up (?:my|our) mind|we're using|resolved to|ruled out|signed"
                 r" off)\b"),
    ("preference", r"\b(?:prefer\w*|favou?rites?|i(?:'m| am)? (?:really |also |just |absolutely"
                   r" )?(?:love|like|hate|enjoy|adore|dislike|into)\b"
                   r"|(?:loves?|hates?|enjoys?|likes|adores|dislikes) |fan of|can't stand|not"
                   r" (?:interested in|comfortable with|into)|aversion|i avoid|i'd"
                   r" rather|she'd rather|he'd rather|would rather"
                   r"|(?:don't|doesn't|do not) (?:like|enjoy|want)|my (?:take|view|read|opinion)"
                   r"|in my (?:opinion|view)|passionate about|rather than)"),
    ("health", r"\b(?:allerg\w+|diagnos\w+|(?:my|the|a) doctor (?:said|told|says|prescribed)"
               r"|surgery|medications?|therap(?:y|ist)|injur(?:y|ed)|asthma|diabet\w+|pregnan\w+"
               r"|blood pressure"
               r"|hospital|diet|phobia|vegan|vegetarian|gluten|lactose|migraines?|anxiety"
               r"|depress\w+|insomnia"
               r"|ill\b|illness|disease|cancer|sick)\b"),
    ("fiscal", r"\b(?:salary|mortgage|rent is|budget|debt|loan|taxe?s|invest\w+|savings|income"
               r"|bank account|invoice|paid \$|costs? \$"
               r"|insurance|pension|revenue)\b|[$€£]\s?\d"),
    ("identity", r"\b(?:my name|i'm called|born (?:in|on)|years old|my birthday|my pronouns"
                 r"|nationality|citizen|i(?:'m| am) (?:an? )?(?:\w+ )?"
                 r"(?:engineer|developer|teacher|nurse|doctor|student|artist|writer|designer"
                 r"|lawyer|manager|scientist|trans\w*|gay|lesbian"
                 r"|christian|muslim|jewish|hindu|buddhist|atheist|single|retired|veteran"
                 r"|researcher|musician|founder|freelancer|parent|mother|father"
                 r"|mom|dad|programmer|analyst|consultant|chef|photographer|dancer)|i work (?:as"
                 r"|at|for)|my job|my email|my phone)\b"),
    ("location", r"\b(?:live|lives|living|lived|moved|moving|relocat\w+|based|grew up|office is"
                 r"|stay(?:s|ing)?|address is|home(?:town)? is|born) "
                 r"(?:in|to|at|near|from)\b|\bi(?:'m| am) from\b|\bmy (?:hometown|address|home"
                 r" country)\b"),
    ("relationship", r"\b(?:my|his|her|their|our|'s) (?:late |older |younger |best |little |big "
                     r"|ex-?|new )?(?:wife|husband|partner|boyfriend|girlfriend|fianc\w+|son|sons"
                     r"|daughters?|kids?|child|children|mother|father|mom|mum|dad|parents?"
                     r"|brothers?|sisters?|siblings?|cousins?|aunt|uncle|grand\w+"
                     r"|friends?|boss|manager|colleagues?|coworkers?|mentor|roommate|dog|cat"
                     r"|pets?|puppy|kitten|nephew|niece|family)\b"
                     r"|\b(?:married|engaged to|dating|divorced|reports to)\b"),
    ("skill", r"\b(?:know how to|fluent|expert (?:in|at)|good at|skilled|learned (?:how )?to"
              r"|learnt to|can (?:play|speak|code|write|cook|swim|drive|ski)"
              r"|play(?:s|ing)? the|years of experience|certified|proficient|trained (?:in|as)"
              r"|mastered|i speak|speaks)\b"),
    ("infra", r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\b(?:port \d+|servers?|hosts?|cluster|kubernetes"
              r"|docker|nginx|deployed (?:on|to)|runs on|listens on|s3|aws|gcp|azure|dns"
              r"|vpn|firewall|subnet|production database|staging)\b"),
    ("tooling", r"\b(?:uses?|using|switched|editor|ide|linter|framework|library|compiler|plugin"
                r"|toolchain|pytest|vim|emacs|vscode|vs code"
                r"|package manager) .{0,60}\b(?:for|as|with|in|on|to)\b|\b(?:i|we|team) uses? \w"),
    ("technical", r"\b(?:api|endpoint|backend|frontend|schema|bug|commit|branch|function|class"
                  r"|module|latency|cache|regex|python|rust|typescript"
                  r"|javascript|postgres\w*|sqlite|react|deploy\w*|release|version \d|refactor\w*"
                  r"|tests? (?:pass|fail)\w*)\b"),
    ("principle", r"\b(?:i believe|believes?|it's important to|the key is|(?:is|are) (?:so "
                  r"|really |super |very )?(?:important|crucial|vital|essential|key|necessary)"
                  r"|matters? (?:most|to me)|i value|values?|my motto|should always)\b"),
    ("project", r"\b(?:project|startup|my (?:business|company|shop|store|studio|book|novel|blog"
                r"|podcast|app|course)|roadmap|milestone|launch(?:ing|ed)?|sprint)\b"),
)  # fmt: skip
_CATEGORIES = tuple((name, re.compile(pattern)) for name, pattern in _TABLE)
_BY_NAME = {category.name: category for category in BUILT_IN}

# Six steps decide, the first that applies: what happened once is an episode and stays as it was
# told, what holds is a note and may be revised.
_TEMPORAL = re.compile(
    r"\b(?:yesterday|today|tonight|this (?:morning|afternoon|evening|week|weekend)|last (?:night"
    r"|week|month|year|weekend|\w+day)"
    r"|(?:\w+|\d+) (?:days?|weeks?|months?|years?|hours?) ago|the other day|tomorrow|next (?:week"
    r"|month|\w+day)|just now|earlier today"
    r"|on \d{4}-\d\d-\d\d)\b"
)
_NOTE_CATEGORIES = frozenset(
    "preference correction decision commitment relationship principle skill identity location"
    " health"
    " fiscal instruction constraint".split()
)
_PAST_ACTION = re.compile(
    r"\b(?:went|did|made(?! (?:of|from|by))|got|took|saw|met|ran|came|bought|gave|found|told|won"
    r"|lost|left|built|wrote"
    r"|ate|had|sold|sent|spent|taught|held|brought|began|broke|drove|flew|swam|sang)\b"
)
_WORD = re.compile(r"[a-z'-]+")
# In front of a regular past these make it a deed; elsewhere in a sentence it describes a noun.
_BEFORE_DEED = frozenset(
    "i we he she they it you who and just also finally recently already then have has had i've"
    " we've"
    " they've never".split()
)
_STATES = frozenset("is are am be been i'm it's he's she's they're we're you're that's".split())
_NO_DEED = frozenset("need indeed used called named based speed feed".split())
_LATEST_VERB = 4  # "My old neighbour painted": the verb stands near the beginning
_NOTE_WORDS = re.compile(
    r"\b(?:prefers?|always|must|never|usually|every|each|often|is|are|am|has|have|likes?|loves?"
    r"|uses?|wants?|needs?|i'm|i've|lives?|works?|don't|doesn't|can|can't|if|plays?|reads?"
    r"|drinks?|eats?|speaks?|runs?|costs?|takes?|fails?|disagree"
    r"|agree|know|knows|owns?|drives?|teaches|studies|called|named|belongs?|leads|keeps|opens|closes"
    r"|contains?|means|holds|hosts|handles|listens|stands|lies|includes?|requires?|depends|manages"
    r"|stores|starts|ends|looks after)\b"
)
_SPECULATIVE = re.compile(
    r"\b(?:maybe|perhaps|might|not sure|possibly|could be|may be|i guess|i suppose|unsure"
    r"|wonder(?:ing)?|thinking (?:of|about)|considering)\b"
)
_HEDGED = re.compile(
    r"\b(?:i think|probably|seems?|i believe|i feel like|kind of|sort of|apparently|likely|i"
    r" assume|supposedly|i heard|as far as i know|roughly|about to)\b"
)
_EXPLICIT = re.compile(
    r"\b(?:remember (?:that|this)|note that|for the record|keep in mind|don't forget|my name is"
    r"|i always|i never|i prefer|i'm allergic|from now on"
    r"|i am an?(?! (?:bit|little|tad|touch|lot)\b)|i decided|we decided|i promise"
    r"|i avoid|i only|i(?: strongly| really)? (?:dislike|hate)|i'm on an?"
    r"|i (?:don't|do not) (?:like|eat|drink)|i have an? (?:phobia|fear|strong|strict)"
    r"|i(?:'m| am) not (?:interested|comfortable))\b"
)
EXPLICIT, STATED, REPORTED, INFERRED, SPECULATIVE = 0.96, 0.85, 0.75, 0.55, 0.35
NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|without|cannot|no longer|neither|nor)\b|n't\b|n’t\b",
    re.I,
)
CONDITION = re.compile(
    r"(?:^|[,;] ?|\b)(?:if|unless|in case|as long as|provided|assuming|when(?:ever)? (?:i|we|you)"
    r" (?:ask|say|want|need)|whenever|except (?:if|when))\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Sorted:
    """Where a statement belongs."""

    category: str
    memory_type: MemoryType
    layer: Layer
    kind: Kind
    confidence: float


def categorise(text: str, *, has_time: bool, is_first_person: bool) -> Sorted:
    """Category, type, layer, kind and confidence of a statement, as its speaker worded it."""
    plain = text.replace("’", "'").lower()
    category = next((name for name, found in _CATEGORIES if found.search(plain)), None)
    kind = _kind(text, plain, category, has_time=has_time)
    if category is None or (category in _EVENT_ABOUT and kind is Kind.EPISODE):
        category = "moment" if kind is Kind.EPISODE and _tells_deed(plain) else (category or "fact")
    entry = _BY_NAME[category]
    is_event = kind is Kind.EPISODE and entry.layer is Layer.SEMANTIC
    return Sorted(
        category,
        MemoryType.NARRATIVE if is_event else entry.memory_type,
        Layer.EPISODIC if is_event else entry.layer,
        kind,
        _confidence(plain, category, is_first_person=is_first_person),
    )


# An event with a friend, at a place or with a project is a moment before it is about these.
_EVENT_ABOUT = frozenset({"relationship", "project", "location"})


def _tells_deed(plain: str) -> bool:
    if _PAST_ACTION.search(plain):
        return True
    words = _WORD.findall(plain)
    return any(
        word.endswith("ed") and len(word) > 3 and word not in _NO_DEED and _is_verb(words, place)
        for place, word in enumerate(words)
    )


def _is_verb(words: list[str], place: int) -> bool:
    """Whether a form in -ed tells a deed: "is called" and "recycled paper" tell what holds."""
    if not place or _STATES & set(words[max(0, place - 2) : place]):
        return False
    return place < _LATEST_VERB or words[place - 1] in _BEFORE_DEED


def _kind(text: str, plain: str, category: str | None, *, has_time: bool) -> Kind:
    """Episode or note, by the six steps in their order; tags do not exist yet at this point."""
    is_standing = category in {"instruction", "preference", "commitment", "correction", "decision"}
    if category not in _NOTE_CATEGORIES and is_of_the_moment(text):
        return Kind.EPISODE
    if names_what_changed(text) and not _TEMPORAL.search(plain):
        return Kind.NOTE  # "We moved the standup to 9:20" tells how it is from then on
    if _TEMPORAL.search(plain) or (has_time and _tells_deed(plain) and not is_standing):
        return Kind.EPISODE
    if category in _NOTE_CATEGORIES and not (category in _EVENT_ABOUT and _tells_deed(plain)):
        return Kind.NOTE
    if _tells_deed(plain):
        return Kind.EPISODE
    return Kind.NOTE if _NOTE_WORDS.search(plain) else Kind.EPISODE


def _confidence(plain: str, category: str | None, *, is_first_person: bool) -> float:
    if category in ("instruction", "correction"):
        return EXPLICIT
    if _SPECULATIVE.search(plain):
        return SPECULATIVE
    if _HEDGED.search(plain):
        return INFERRED
    if _EXPLICIT.search(plain):
        return EXPLICIT
    return STATED if is_first_person else REPORTED
