"""The little English grammar that rewriting needs: which form a verb has, and its third person."""

MODALS = frozenset(
    "will would can could should must may might shall cannot can't couldn't won't wouldn't"
    " shouldn't"
    " mustn't mightn't ought used".split()
)
ADVERBS = frozenset(
    "really also still just always usually never often actually currently now only definitely"
    " totally absolutely mostly generally sometimes especially even kinda truly already recently"
    " rarely normally typically personally honestly probably finally basically mainly strongly"
    " then both all first once ever barely hardly simply certainly eventually lately nearly".split()
)
# Forms that are past without "-ed". Those that are present too (read, put, cut) stand apart.
IRREGULAR_PAST = frozenset(
    "was were had did went got made said saw took came gave found thought told became left felt"
    " brought began kept held wrote stood heard meant met ran paid sat spoke lay led grew lost fell"
    " sent built understood drew broke spent rose drove bought wore chose caught taught ate drank"
    " swam sang slept won flew threw knew hung dug sold lent bent sought forgot forgave froze hid"
    " rode rang shook shot shrank sank slid stole stuck struck swore swept swung tore woke wound"
    " blew bit bled bred dealt dreamt dreamed fed fled fought ground knelt laid lit overcame"
    " overslept rebuilt redid rewrote shone showed sped spun sprang stung swore undertook underwent"
    " upheld withdrew wove".split()
)
SAME_IN_PAST = frozenset(
    "read put set cut let hit quit cost hurt shut split spread bet cast".split()
)
_PRESENT_IN_ED = frozenset(
    "need feed seed speed breed proceed succeed exceed bleed weed heed embed shed wed indeed"
    " red bed".split()
)
_IRREGULAR_THIRD = {"have": "has", "do": "does", "go": "goes", "am": "is", "are": "is", "be": "is"}
_HISS = ("s", "x", "z", "ch", "sh", "o")
_VOWELS = "aeiou"
BASE_VERBS = frozenset(
    "love hate like enjoy prefer use want need have try make go live work play feel think know hope"
    " believe find take get keep help see look plan run write read speak teach study cook eat drink"
    " sing paint draw drive own miss dream spend give tell call ask start stop travel volunteer"
    " wish learn listen watch meet buy sell build design develop manage lead deploy prefer avoid"
    " support collect grow garden hike swim practice practise visit stay come care do be".split()
)


def is_past(verb: str) -> bool:
    """Whether a word, taken as a verb, is a form of the past."""
    word = verb.lower()
    return word in IRREGULAR_PAST or (
        word.endswith("ed") and len(word) > 3 and word not in _PRESENT_IN_ED
    )


def third_person(verb: str) -> str:
    """The form that goes with he, she or a name: have to has, try to tries."""
    word = verb.lower()
    if word in _IRREGULAR_THIRD:
        return _IRREGULAR_THIRD[word]
    if word.endswith("y") and len(word) > 1 and word[-2] not in _VOWELS:
        return verb[:-1] + "ies"
    return verb + ("es" if word.endswith(_HISS) else "s")


def with_subject(verb: str, *, is_past_told: bool) -> str:
    """A verb that stood after "I" as it stands after a name."""
    word = verb.lower()
    if word == "am" or word == "are":
        return "is"
    if word == "were":
        return "was"
    if word in MODALS or is_past(word) or (word in SAME_IN_PAST and is_past_told):
        return verb
    return third_person(verb)


# What "I" and "you" contract to, as it stands after a name.
CONTRACTED = {"m": "is", "ve": "has", "re": "is", "ll": "will"}
NEGATED = {
    "don't": "doesn't", "haven't": "hasn't", "aren't": "isn't", "weren't": "wasn't",
    "dont": "doesn't", "ain't": "isn't",
}  # fmt: skip
_PARTICIPLES = frozenset("been gone done seen taken had known given written better".split())


def would_or_had(following: str) -> str:
    """What "'d" stands for before a word."""
    word = following.lower()
    return "had" if word in _PARTICIPLES or (word.endswith("ed") and is_past(word)) else "would"
