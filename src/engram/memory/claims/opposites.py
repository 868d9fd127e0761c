"""Words that cannot hold of one thing at one time, and words that say less than others.

Both lists are our own and may grow. A pair that is missing only means that a contradiction is not
seen; a pair that does not exclude itself ("red" and "round") must not be here.
"""

from engram.memory.claims.forms import plain_form

_OPPOSITES = """
    open closed; opening closing; open shut; opens closes; inside outside; near far
    full empty; alive dead; present absent; true false; left right; first last; top bottom; win lose
    hot cold; warm cold; wet dry; clean dirty; cleaning dirtying; light heavy; light dark; hard soft
    fast slow; quickly slowly; loud quiet; noisy silent; noisy quiet; loudly quietly; talking silent
    speaking silent; rich poor; cheap expensive; free paid; safe dangerous; strong weak; thick thin
    thin fat; tall short; long short; wide narrow; high low; deep shallow; big small; large tiny
    large small; huge tiny; easy difficult; easy hard; possible impossible; legal illegal
    married single; married divorced; awake asleep; awake sleeping
    naked clothed; dressed naked; happy sad; happy unhappy; calm nervous
    early late; always never; often rarely; indoors outdoors; online offline
    public private; enabled disabled; enable disable; enables disables; allowed forbidden
    allows forbids; required optional; mandatory optional; accept reject; accepts rejects
    accepted rejected; approved rejected; pass fail; passes fails; passed failed; passing failing
    add remove; adding removing; adds removes; added removed; push pull; pushing pulling
    increase decrease; increases decreases; increased decreased; rises falls; rising falling
    raise lower; raised lowered; start stop; starts stops; starting stopping; started stopped
    begins ends; buy sell; buying selling; lend borrow; give take; giving taking; love hate
    loves hates; like dislike; likes dislikes; likes hates; like hate; enjoys hates; remember forget
    win lose; wins loses; won lost; arrive leave; arrives leaves; arriving leaving; enter leave
    entering leaving; climbing descending; ascending descending; putting taking; following avoiding
    tightening loosening; filling emptying; fill empty; loading unloading; attach detach
    connecting disconnecting; connected disconnected; locked unlocked; lock unlock; valid invalid
    active inactive; stable unstable; available unavailable; complete incomplete; correct incorrect
    correct wrong; right wrong; agree disagree; agrees disagrees; able unable; known unknown
    vegetarian carnivorous; sober drunk; guilty innocent; male female; even odd; healthy sick
    healthy ill; broken working; fixed broken; blocked unblocked; synchronous asynchronous
    blocking non-blocking; stateful stateless; optional required; deny allow; denies allows
    whitelisted blacklisted; encrypted unencrypted; signed unsigned; paid unpaid
    freezing boiling; frozen thawed; hide show; hiding showing; concealing revealing
    with without
    some none; everybody nobody; everything nothing; all none; both neither; most few
"""
OPPOSITES: frozenset[frozenset[str]] = frozenset(
    frozenset(map(plain_form, pair.split()))
    for line in _OPPOSITES.split("\n")
    for pair in line.split(";")
    if pair.strip()
)

# Little words are opposites only where they are all that is said: "the heating is on".
PARTICLES = frozenset(map(frozenset, (("on", "off"), ("up", "down"), ("in", "out"))))

# What is said of the second holds of the first too: who slices, cuts.
_SAYS_LESS = {
    "person": """man woman boy girl child kid lady guy gentleman adult teenager player worker chef
        cook dancer singer runner rider driver cyclist biker surfer student teacher doctor nurse
        soldier musician guitarist hiker swimmer skater climber engineer""",
    "someone": "person man woman boy girl child kid lady guy gentleman adult teenager player chef",
    "child": "boy girl kid toddler",
    "man": "guy gentleman",
    "woman": "lady",
    "animal": "dog cat horse monkey bird cow lion tiger elephant panda rabbit kitten puppy fish",
    "dog": "puppy",
    "cat": "kitten",
    "food": "meal meat bread rice vegetable fruit pasta noodles",
    "vegetable": "carrot potato onion tomato eggplant cucumber pepper broccoli",
    "cut": "slice chop dice",
    "cutting": "slicing chopping dicing",
    "move": "run walk jump",
    "music": "guitar piano flute violin",
    "instrument": "guitar piano flute violin drum harp trumpet",
    "vehicle": "car truck bus motorcycle bicycle van",
    "bicycle": "bike",
    "motorcycle": "motorbike",
    "car": "jeep taxi",
    "editor": "vim emacs",
    "database": "postgres postgresql mysql sqlite",
}
SAYS_LESS: dict[str, frozenset[str]] = {}
for _word, _more in _SAYS_LESS.items():
    _known = SAYS_LESS.get(plain_form(_word), frozenset())
    SAYS_LESS[plain_form(_word)] = _known | frozenset(map(plain_form, _more.split()))


def are_opposite(word: str, other: str) -> bool:
    """Whether two words, in their plain forms, exclude each other."""
    return frozenset((word, other)) in OPPOSITES


def are_opposite_particles(word: str, other: str) -> bool:
    """Whether two words that end their sentences exclude each other: "on" and "off"."""
    return frozenset((word, other)) in PARTICLES


def says(word: str, less: str) -> bool:
    """Whether one word says what another, perhaps wider one says; both in their plain forms."""
    return word == less or word in SAYS_LESS.get(less, ())
