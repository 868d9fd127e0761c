"""What is so for the moment: the weather, hunger, a mood, none of which anybody asks for later.

A state in the present, of short duration by its own word ("hungry", "foggy") or by a word beside it
("again", "right now"), without a name, a number or a word that makes it last: "I'm hungry already"
is small talk, "I'm always hungry at ten" and "it is always foggy in Porto" are not.
"""

import re

_BE = r"(?: is| are| am|['’]s|['’]re|['’]m| feels?)"
_DEGREE = (
    r"(?:a bit|a little|so|very|really|quite|pretty|rather|still|just|already|finally|too|not|half"
    r"|all|completely|totally|feeling|getting|about to|full of|in an?|kind of|terribly|awfully"
    r"|super|extremely|slightly|again)"
)
_WEATHER = (
    r"(?:rain(?:ing|y)|snow(?:ing|y)|drizzl(?:ing|y)|pouring|hailing|thundering|storm(?:ing|y)?"
    r"|foggy|misty|sunny|cloudy|overcast|windy|breezy|gr[ea]y|hot|cold|warm|chilly|freezing|frosty"
    r"|icy|humid|muggy|(?:lovely|nice|awful|horrible|beautiful|gorgeous|pleasant|miserable)"
    r" (?:outside|out there|out))"
)
_BODY = (
    r"(?:hungry|thirsty|starving|tired|sleepy|drowsy|exhausted|awake|asleep|groggy|cold|hot|warm"
    r"|freezing|sweating|stuffed|grumpy|bored|knackered)"
)
# Of these somebody can be one by nature: "I am restless"; a bit of it is one of the day.
_MOOD = (
    r"(?:restless|cheerful|energy|focused|distracted|slow|sluggish|quiet|full"
    r"|(?:good|bad|great|foul|strange|silly) mood)"
)
_CUP = (
    r"(?:the|my|this) (?:coffee|tea|soup|lunch|breakfast|dinner|toast|cake|sandwich|cocoa|weather"
    r"|sky)"
)
_TASTE = (
    r"(?:cold|hot|warm|strong|weak|bitter|burnt|good|great|bad|fine|awful|terrible|horrible|lovely"
    r"|nice|delicious|gone|empty|late|ready|gr[ea]y|blue|clear)"
)
_HERE = r"(?:(?:here|out here|outside|today|this morning|right now),? )?"
_NO_OBJECT = r"\b(?!-)(?! (?:of|for|about|from|with|by|at|to|in (?:winter|summer|spring|autumn))\b)"
_STATES = re.compile(
    rf"^{_HERE}(?:it{_BE} (?:{_DEGREE} )*{_WEATHER}|(?:i|we){_BE} (?:{_DEGREE} )*{_BODY}"
    rf"|(?:i|we){_BE} (?:{_DEGREE} )+{_MOOD}|(?:i|we){_BE} {_MOOD} (?:today|again|already)"
    rf"|{_CUP}{_BE} (?:{_DEGREE} )*{_TASTE}){_NO_OBJECT}",
    re.IGNORECASE,
)
# Beside a state these say that it is one of the moment.
_MOMENT = re.compile(
    r"\b(?:already|again|right now|just now|at the moment|for the moment|for now|this minute"
    r"|this (?:morning|afternoon|evening)|today|tonight)\b",
    re.IGNORECASE,
)
_PRESENT = re.compile(
    rf"^{_HERE}(?:it|i|we|everything|nothing|(?:the|this|my|our) [\w -]{{2,40}}?) ?"
    r"(?:is|are|am|['’]s|['’]re|['’]m)\b(?! (?:the|an?(?! (?:bit|little)\b)|my|our|now)\b)",
    re.IGNORECASE,
)
# Trouble that is back, a chore that is open, and what has been so for some hours.
_OPEN = re.compile(
    r"^(?:something|nothing|it['’]s the \S+) (?:with|about|in|is wrong)\b.*\bagain\b"
    r"|\bstill (?:have|has|need|needs) to\b"
    r"|\bsince (?:\d{1,2}(?::\d\d)? ?(?:o['’]clock|[ap]m\b)|this morning|noon|lunch|breakfast)",
    re.IGNORECASE,
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_LASTING = re.compile(
    rf"\bsince (?!{_DAY}|yesterday|this|last night)"
    r"|\b(?:always|never|ever|every|each|usually|often|mostly|normally|generally|by nature|whenever"
    r"|when|if|because|for (?:\w+ )?(?:years|months|weeks|days)|all year"
    r"|allerg\w+|diagnos\w+|chronic\w*|pregnan\w+|married|retired|vegan|vegetarian|any ?more"
    r"|no longer|prefer\w*|like|love|hate|must|should|need)\b|\d",
    re.IGNORECASE,
)
_NAME = re.compile(rf"(?<=[a-z,'’] )(?!I\b|(?i:{_DAY})\b)[A-Z][\w-]+")
_LONGEST = 120  # characters; who says more of it tells something


def is_small_talk(statement: str) -> bool:
    """Whether a statement tells no more than how the weather, a body or a cup is just now."""
    return _is_plain(statement) and _STATES.match(statement) is not None


def is_of_the_moment(statement: str) -> bool:
    """Whether a statement says that something is so just now: what happened, not what holds."""
    if _OPEN.search(statement):
        return True
    has_moment = _MOMENT.search(statement) is not None
    is_present = _PRESENT.match(statement) is not None
    return _is_plain(statement) and (is_small_talk(statement) or (has_moment and is_present))


def _is_plain(statement: str) -> bool:
    if len(statement) > _LONGEST:
        return False
    return _LASTING.search(statement) is None and _NAME.search(statement) is None
