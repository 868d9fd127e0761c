"""The allow-list of predicates: which properties have one value at a time.

The list may grow; a predicate that is missing only means that two statements stay side by side.
"""

import re
from dataclasses import dataclass

from engram.memory.claims.claim import plain_name

_BE = r"(?:is|are|am)"
_OLD = r"(?:[^,;]|,(?=\d)){1,60}?"


@dataclass(frozen=True, slots=True)
class Verb:
    """How a predicate is said between a subject and an object."""

    pattern: re.Pattern[str]
    predicate: str
    is_functional: bool
    is_denial: bool = False  # "hates" denies "likes"


def _verb(pattern: str, predicate: str, is_functional: bool, is_denial: bool = False) -> Verb:
    whole = re.compile(rf" (?:{pattern}) (?=\S)", re.IGNORECASE)
    return Verb(whole, predicate, is_functional, is_denial)


LIVES, WORKS, LOCATION, TIME = "lives in", "works at", "location", "time"
NAME, JOB, MANAGER, OWNER, HOST = "name", "job", "manager", "owner", "host"
DEADLINE, PRICE, BIRTHDAY, SPOUSE, STATUS = "deadline", "price", "birthday", "married to", "status"
BORN_IN, RUNS_ON, BELONGS = "born in", "runs on", "belongs to"
USES, MOVED, PREFERS, IS, WHEREABOUTS = "uses", "moved to", "prefers", "is", "is in"

# In order: of two that begin at the same word the longer match wins.
VERBS: tuple[Verb, ...] = (
    _verb(rf"(?:lives?|{_BE} living|resides?|{_BE} residing) (?:in|at)", LIVES, True),
    _verb(rf"{_BE} (?:based|located|situated) (?:in|at|on)", LOCATION, True),
    _verb(rf"(?:{_BE}|sits?|stands?) (?:in|at)", WHEREABOUTS, True),
    _verb(r"(?:has |have |was |were |is being |has been |have been )?"
          r"(?:moved|relocated|rescheduled|postponed|delayed|shifted|pushed|brought forward|pushed"
          rf" back)(?: from (?P<old>{_OLD}))? (?:to|until|till)", MOVED, True),
    _verb(rf"{_BE} moving to", MOVED, True),
    _verb(rf"(?:works?|{_BE} working|{_BE} employed|started working|started work|started a job"
          r"|took a job|took a position|has a job|have a job) (?:at|for|by)", WORKS, True),
    _verb(rf"(?:works?|{_BE} working|{_BE} employed|serves?) as(?: an?| the)?", JOB, True),
    _verb(r"(?:was|got|has been|have been) promoted to(?: an?| the)?", JOB, True),
    _verb(rf"(?:{_BE} (?:named|called|known as|titled)|(?:goes|go) by(?= (?-i:[A-Z\"']))"
          r"|(?:was|were|has been|have been)"
          rf" renamed(?: from (?P<old>{_OLD}))?(?: to)?)", NAME, True),
    _verb(rf"{_BE} married to|married|got married to", SPOUSE, True),
    _verb(rf"(?:was|were|{_BE}) born on", BIRTHDAY, True),
    _verb(rf"(?:was|were|{_BE}) born in", BORN_IN, True),
    _verb(rf"(?:reports?|{_BE} reporting) to|{_BE} managed by|{_BE} supervised by", MANAGER, True),
    _verb(rf"{_BE} owned by", OWNER, True),
    _verb(r"belongs? to", BELONGS, True),
    _verb(rf"{_BE} hosted (?:on|at|by|in)", HOST, True),
    _verb(r"(?:runs?|listens?|is running|is listening|is exposed) on port", "port", True),
    _verb(rf"(?:runs?|{_BE} running) on", RUNS_ON, True),
    _verb(rf"costs?|{_BE} priced at|sells? for", PRICE, True),
    _verb(rf"{_BE} due(?: on| by| at)?|must be (?:done|ready|finished) by", DEADLINE, True),
    _verb(rf"(?:{_BE}|was|were|has been) (?:scheduled|planned|set|booked|rescheduled) (?:for|on|at)"
          r"|takes? place (?:on|at|in)|will be (?:on|at)|will take place (?:on|at|in)", TIME, True),
    _verb(r"expires? (?:on|in|at)", "expiry", True),
    _verb(r"starts? (?:on|at|in)", "start", True),
    _verb(r"ends? (?:on|at|in)", "end", True),
    _verb(rf"reached? me at|can be reached at|{_BE} reachable at", "contact", True),
    _verb(rf"prefers?|{_BE} preferring", PREFERS, False),
    _verb(r"(?:has |have )?(?:switched|migrated|changed|transitioned|converted)"
          rf" from (?P<old>{_OLD}) to", USES, False),
    _verb(r"(?:has |have )?(?:switched|migrated|transitioned)(?: over)? to", USES, False),
    _verb(rf"(?:has |have )?replaced (?P<old>{_OLD}) (?:with|by)", USES, False),
    _verb(rf"uses?|{_BE} using|relies on|rely on|started using", USES, False),
    _verb(rf"(?:really )?(?:likes?|loves?|enjoys?|adores?)|{_BE} (?:fond of|a fan of|into)|"
          rf"{_BE} a (?:big|huge|great) fan of", "likes", False),
    _verb(r"hates?|dislikes?|detests?|can not stand|despises?", "likes", False, True),
    _verb(r"(?:has |have )?visited|(?:has |have )been to", "has visited", False),
    _verb(r"knows?", "knows", False),
    _verb(r"owns?|has|have|possesses", "has", False),
    _verb(r"speaks?", "speaks", False),
    _verb(r"plays?", "plays", False),
    _verb(r"supports?", "supports", False),
    _verb(r"eats?", "eats", False),
    _verb(r"drinks?", "drinks", False),
    _verb(r"smokes?", "smokes", False),
    _verb(r"drives?", "drives", False),
    _verb(r"trusts?", "trusts", False),
    _verb(r"needs?|requires?", "needs", False),
    _verb(rf"{_BE} allergic to", "allergic to", False),
    _verb(rf"{_BE} (?:a|an)", "is a", False),
)  # fmt: skip

# Of these there are several, and yet a later statement can name the one that was given up.
GIVEN_UP_BY_NAME = frozenset({USES})

# Where any of them begins: one search for all is ten times as fast as one search for each.
ANY_VERB = re.compile(
    "|".join(re.sub(r"\?P<\w+>", "?:", verb.pattern.pattern) for verb in VERBS), re.IGNORECASE
)

# What the properties of people and things are called, and the predicate each stands for.
_ATTRIBUTES = f"""
    name; full name=name; surname; last name=surname; nickname; username; user name=username
    handle; email; e-mail=email; email address=email; e-mail address=email; phone
    phone number=phone; telephone=phone; telephone number=phone; mobile=phone
    mobile number=phone; cell=phone; birthday; date of birth=birthday; birth date=birthday
    birthdate=birthday; age; height; weight; address; home address=address
    postal address=address; hometown; home town=hometown; postcode; zip code=postcode
    nationality; time zone; timezone=time zone; pronouns; blood type; shoe size; job
    job title=job; title; position=job; role=job; occupation=job; profession=job
    employer={WORKS}; company={WORKS}; salary; wage=salary; rent; doctor; dentist; landlord
    manager; boss=manager; supervisor=manager; line manager=manager; team lead=lead; lead
    owner; maintainer; assignee; ceo; cto; cfo; president; capital; wife={SPOUSE}
    husband={SPOUSE}; spouse={SPOUSE}; fiancé=fiance; fiancee=fiance; fiance; girlfriend
    boyfriend; host; hostname=host; server=host; port; ip; ip address=ip; url; web address=url
    website; endpoint; domain; region; zone; cluster; branch; commit; version; release
    build number; status; state; stage; priority; severity; price; cost=price; fee=price
    budget; quota; limit; timeout; threshold; interval; frequency; retention; ttl; size; length
    width; depth; capacity; temperature; speed; deadline; due date=deadline; start date=start
    end date=end; launch date; release date; date; time; delivery date; expiry date=expiry
    expiration date=expiry; meeting time=time; schedule; location; office
    headquarters=location; room; desk; seat; floor; table number; flight number; path; folder
    directory; repository; remote; account number; order number; ticket number; database
    framework; editor; shell; licence; theme; font; colour; currency; tier; mascot; motto
    code name; codename=code name; default; model; password manager; operating system
    os=operating system; browser; package manager; diet
"""
ATTRIBUTES: dict[str, str] = {}
for _entry in _ATTRIBUTES.replace("\n", ";").split(";"):
    if _entry.strip():
        _said, _, _meant = _entry.strip().partition("=")
        ATTRIBUTES[_said] = _meant or _said
PLAIN_ATTRIBUTES = {plain_name(said): meant for said, meant in ATTRIBUTES.items()}
# Their values are moments: "is due to rain" names none.
OF_TIME = frozenset({TIME, DEADLINE, BIRTHDAY, "expiry", "start", "end"})
LONGEST_ATTRIBUTE = max(len(each.split()) for each in ATTRIBUTES)
# Properties whose value has a figure or a moment in it.
FIGURED = OF_TIME | frozenset(
    """age height weight phone email birthday postcode salary rent port ip url endpoint version
    release price budget quota limit timeout threshold interval frequency retention ttl size length
    width depth capacity temperature speed date time schedule floor commit""".split()
) | {"shoe size", "build number", "launch date", "release date", "delivery date", "table number",
     "flight number", "account number", "order number", "ticket number"}  # fmt: skip
# Properties whose value is a name.
NAMED = frozenset(
    """name surname nickname manager owner lead maintainer assignee ceo cto cfo president capital
    fiance girlfriend boyfriend doctor dentist landlord hometown nationality office location room
    desk seat address region""".split()
) | {SPOUSE, WORKS, "code name", "time zone"}
OF_STATE = frozenset({STATUS, "state", "stage", "priority", "severity"})
PLACED = OF_TIME | {"office", "location", "room", "desk", "seat", "address", "floor", "date"}
# What can be said of anything, so that it is the value of nothing in particular.
STATES = frozenset(
    """angry annoying awesome awful away back bad beautiful best better big boring broken busy cheap
    clean clear closed cold cool correct critical crowded dead delayed different difficult dirty
    done down dying early easy empty excellent exciting expensive fantastic fast fine finished flaky
    full fun gone good great happy hard here high hot huge ill important incorrect invalid kind late
    lost low lovely missing necessary nice off ok okay old on open over overdue perfect pregnant
    public ready real required right running sad safe sick slow small smart strange strict stuck
    supportive terrible there tight tired tough tricky unavailable unclear unknown up upset urgent
    useless valid weird wonderful worse worst wrong young unstable unreachable available
    fixed""".split()
)
# "The default editor", "the current sprint": these words say that there is one.
SINGLING_WORDS = frozenset(
    "favourite favorite default main primary current preferred best-loved usual official".split()
)
_SINGLING_PLAIN = {"favorite": "favourite", "preferred": "favourite", "best-loved": "favourite"}


def singling_word(word: str) -> str:
    """One word for all ways to single a thing out."""
    return _SINGLING_PLAIN.get(word, word)


# Each family has one value at a time; what is deployed may well be stable too.
_STATUS_FAMILIES = {
    STATUS: """done finished complete completed blocked closed open merged paused cancelled canceled
        postponed archived released shipped pending approved rejected resolved unresolved draft""",
    "running status": "up down online offline live running stopped",
    "switch": "enabled disabled on off active inactive",
    "condition": "broken fixed stable unstable working",
    "availability": "available unavailable sold vacant occupied",
}
STATUSES = {word: family for family, words in _STATUS_FAMILIES.items() for word in words.split()}
PERSONS = frozenset(
    """mother father brother sister son daughter wife husband partner girlfriend boyfriend friend
    boss colleague neighbour neighbor aunt uncle cousin grandmother grandfather grandma grandpa mum
    mom dad parents kids children family niece nephew roommate flatmate doctor teacher manager user
    coworker twin child baby landlord fiancé fiancee therapist client customer assistant""".split()
)
EVENTS = frozenset(
    """meeting call appointment launch release deadline review standup stand-up demo party lesson
    class flight wedding interview session sprint trip event workshop conference dinner lunch
    breakfast exam test sync retrospective retro kickoff kick-off presentation webinar delivery
    hearing concert match game training course deploy deployment migration""".split()
)

IP_ADDRESS = r"\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?:/\d{1,2})?"
# A value that can be told apart at sight; what it is called keeps unlike values unrelated.
_VALUES = (
    ("ip address", rf"{IP_ADDRESS}|(?:[0-9a-f]{{0,4}}:){{2,7}}[0-9a-f]{{1,4}}"),
    ("url", r"[a-z][a-z0-9+.-]{1,12}://\S{1,300}"),
    ("email", r"[\w.+-]{1,64}@[\w.-]{1,200}\.\w{2,24}"),
    ("path", r"(?:~|\.{1,2})?/[\w.@/+-]{1,300}|[a-z]:\\\S{1,300}"),
    ("date", r"\d{4}-\d{2}-\d{2}"),
    ("clock time", r"(?:at )?\d{1,2}(?::\d{2}(?: ?[ap]\.?m\.?)?| ?[ap]\.?m\.?)"),
    ("version", r"v?\d+(?:\.\w+){2,4}(?:-[\w.]+)?|v\d+(?:\.\d+)?"),
    ("amount", r"[$€£]\s?\d[\d,.]*(?:\s?(?:k|m|million|thousand|billion))?"),
    ("share", r"\d+(?:[.,]\d+)?\s?(?:%|percent)"),
)
VALUES = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _VALUES)
QUANTITY = re.compile(
    r"(-?\d[\d,.]*|\d+/\d+)(?: ?([a-zµ°%]+))?(?: (old|tall|wide|long|deep|high))?"
)
