"""What a question wants: one of six intents with a plan each, and small facts about its wording.

Rules over words alone. A question that shows no sign of anything else looks something up.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from engram.language.when.spans import names_time
from engram.recall.events import find_event

LEAST_TEXT_SHARE = 0.1
MOST_TEXT_SHARE = 0.7
_MOST_PHRASES = 8  # each is looked for in every candidate
_LONGEST_QUESTION = 2_000  # what a question wants is said in its first sentences


class Intent(StrEnum):
    """The six things a question can want."""

    LOOKUP = "lookup"
    EXPLORATORY = "exploratory"
    COMPARATIVE = "comparative"
    TEMPORAL = "temporal"
    PROCEDURAL = "procedural"
    CAUSAL = "causal"


@dataclass(frozen=True, slots=True)
class IntentGuess:
    """An intent, and how much of the evidence speaks for it, from 0 to 1."""

    intent: Intent
    confidence: float


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """How to search for one intent.

    `hops` is how far links are followed. The other two count where ranks are fused (rerank = rrf):
    `time_weight` how much nearness in time, and `text_share` the part of text search against
    meaning that a question of ordinary wording starts from.
    """

    hops: int
    time_weight: float
    text_share: float


PLANS: dict[Intent, SearchPlan] = {
    Intent.LOOKUP: SearchPlan(hops=2, time_weight=0.15, text_share=0.4),
    Intent.EXPLORATORY: SearchPlan(hops=2, time_weight=0.15, text_share=0.2),
    Intent.COMPARATIVE: SearchPlan(hops=2, time_weight=0.15, text_share=0.3),
    Intent.TEMPORAL: SearchPlan(hops=2, time_weight=0.4, text_share=0.3),
    Intent.PROCEDURAL: SearchPlan(hops=2, time_weight=0.15, text_share=0.3),
    # Causes lie behind other causes: one step further along the links.
    Intent.CAUSAL: SearchPlan(hops=3, time_weight=0.15, text_share=0.2),
}


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})", re.IGNORECASE)


_LOOKUP_PRIOR = 0.5  # without any other sign a question looks something up


@dataclass(frozen=True, slots=True)
class _Sign:
    intent: Intent
    weight: float
    pattern: re.Pattern[str]


def _sign(intent: Intent, weight: float, *phrases: str) -> _Sign:
    return _Sign(intent, weight, _words("|".join(phrases)))


_COMPARED = (
    r"(?:better|worse|more|less|fewer|cheaper|pricier|faster|slower|quicker|longer|shorter|taller"
    r"|bigger|smaller|larger|older|younger|newer|harder|easier|earlier|later|higher|lower|heavier"
    r"|lighter|warmer|colder|closer|further|farther|nearer|stronger|weaker|nicer|quieter|louder"
    r"|healthier|safer|busier|stricter|sooner|tastier|friendlier|happier)"
)
# "How did" asks for a method unless it asks for a feeling, a manner or a course of events.
_AUXILIARY = r"(?:do|does|did|can|could|should|would|must|is|are|was|were)"
_NO_METHOD = (
    r".{1,80}\b(?:feel|felt|like|react|respond|describe|meet|know|think|doing|going|go|change"
    r"|changed|things|evolved?|relate[ds]?|spend|celebrate|look|taste|sound|seem|end up|happen)\b"
)
_HAPPENED = r"(?:arise|happen|come about|come to|start|begin|go wrong|fail|break|end up)"
# The signs of each intent, and how surely they tell.
_SIGNS = (
    _sign(
        Intent.CAUSAL, 2.0,
        r"^\W*(?:and |but |so |ok )?why\b", r"how come\b", r"what(?:['’]s| is| was) behind\b",
        r"because of what\b", r"(?:what|who|which \w+) (?:\w+ )?(?:caused|triggered|explains?)\b",
        r"(?:the|what|which|any|\w+['’]s|my) reasons?\b", r"what for\b", r"what led\b",
    ),
    _sign(
        Intent.CAUSAL, 1.7,
        r"why\b(?! i like)", r"what (?:made|makes|brought|drove|prompted|motivated|inspired)\b",
        r"caus(?:e|es|ed|ing)\b", r"consequences?\b", r"result(?:ed|s)? (?:from|of|in)\b",
        r"explanations?\b", r"motives?\b", r"on what grounds\b", r"due to\b", r"rationale\b",
        r"(?:whose|at) fault\b", r"(?:is|was|were|are) to blame\b", r"thanks to what\b",
        rf"how (?:did|could) (?:the|my|our|this|that|all) .{{1,60}}\b{_HAPPENED}\b",
        r"(?:effects?|impact|outcome|aftermath) (?:of|on)\b", r"affect(?:ed|s)?\b",
        r"(?:what|who) (?:was it that |\w+ )?made (?:the|my|our|me|us)\b",
    ),
    _sign(
        Intent.PROCEDURAL, 1.7,
        r"how (?:do|can|could|should|would|must) (?:i|we|you|one)\b", r"how to\b",
        r"how did (?:i|we) (?:get|make|fix|solve|set|manage|install|build|configure)\b",
        r"how (?:is|are|does|do) (?:the|a|an|my|our) .{1,40}\w(?:ed|en|t|work)\b\W*$",
        r"(?:explain|forgot|remember|describe|show me|tell me|know) how\b", r"[,;] how\W*$",
        r"(?:walk|guide|talk|take) (?:me|us) through\b", r"what (?:do|should) (?:i|we) do\b",
    ),
    _sign(
        Intent.PROCEDURAL, 1.5,
        r"steps\b", r"procedures?\b", r"instructions?\b", r"checklist\b", r"recipe\b",
        r"guide (?:for|to)\b",
        r"(?:the|our|a|your|my) (?:process|workflow|routine|method) (?:for|of|to|when)\b",
        r"(?:have to|must i|must we|need to) do\b", r"best way to\b", r"right way to\b",
        r"tutorial\b", r"set(?:ting)? up\b",
        r"commands? (?:do|did|should|to|for|i|we)\b", r"settings?\b.{0,30}\b(?:use|used|for|to)\b",
        r"what (?:is|was|'s) the trick\b", r"(?:get|getting) .{1,30} to work\b",
        r"the (?:right |usual |correct )?way (?:i|we|to)\b", r"what did (?:i|we) have to\b",
    ),
    _sign(Intent.PROCEDURAL, 1.2, rf"^\W*(?:and |so )?how {_AUXILIARY} (?!{_NO_METHOD})"),
    _sign(
        Intent.COMPARATIVE, 2.0,
        r"compar\w+", r"contrast\b", r"versus\b", r"vs\b", r"differs?\b", r"pros and cons\b",
        r"differences?\b", r"different (?:from|to|than)\b", r"in common\b", r"similar\w*",
        r"advantages? (?:of|over)\b", r"as opposed to\b", r"trade-?offs?\b", r"alike\b",
        r"the same as\b", r"(?:between|of) the two\b", r"apart from\b",
        r"\w+ and \w+ (?:dis)?agree\b",
    ),
    _sign(
        Intent.COMPARATIVE, 1.7,
        rf"{_COMPARED}\b.{{0,40}}\bthan\b", r"rather\b", r"as \w+ (?:\w+ )?as\b",
        rf"(?:which|who|what|is|are|was|were|does|do)\b.{{0,60}}\b{_COMPARED}\b.{{0,80}}\bor\b",
        rf"(?:is|are|was|were) .{{1,40}}\bor\b.{{1,40}}\b{_COMPARED}\b", rf"how much {_COMPARED}\b",
        r"(?:prefer|choose|pick|take|go for|buy|get) .{1,40}\b(?:or|over)\b", r"better choice\b",
        r"which of (?:the|my|our|these|those) .{1,40}(?:er|est|most|least|best)\b",
        r"which (?:one )?(?:is|was|are|were|has|had|did)\b.{0,60}\bor\b",
        r"(?:which|who)\b.{1,60}, .{1,40}\bor \w+\W*$",
        r"(?:which|who)\b.{1,40}\b(?:most|least|best|worst|\w{3,}est)\b.{1,40}\bor\b",
    ),
    _sign(
        Intent.TEMPORAL, 1.7,
        r"when\b(?! (?:i|you|we|it|the|my|our)\b)", r"how long\b", r"over time\b", r"since when\b",
        r"(?:what|which) (?:date|day|month|year|week|time)\b", r"(?:date|time) of\b",
        r"how many (?:days|weeks|months|years|hours)\b", r"how recent\w*",
        r"the (?:order|sequence|timeline)\b",
        r"before or after\b", r"what came (?:first|next|before|after)\b", r"how soon\b",
        r"what happened\b",
    ),
    _sign(
        Intent.TEMPORAL, 0.8,
        r"recently\b", r"lately\b", r"so far\b", r"the (?:last|first|next|latest)\b",
        r"(?:calendar|schedule|agenda)\b", r"ever\b",
    ),
    _sign(
        Intent.EXPLORATORY, 1.7,
        r"overview\b", r"gist\b", r"summar\w+", r"recap\b", r"outline\b", r"describe\b(?! how)",
        r"brief me\b",
        r"(?:tell|remind) (?:me|us) (?:everything |all |more |a bit )?(?:about|of)\b",
        r"what (?:do|does|did|have|has|should) \w+ (?:know|think|said|shared?|mention(?:ed)?)\b",
        r"what (?:came|comes) up\b", r"(?:have|did) (?:i|we) learn(?:ed|t)? (?:about|from)\b",
        r"everything\b", r"all (?:the|my|our|of) (?:things|notes|memories)\b", r"fill me in\b",
        r"(?:catch|bring) me up\b",
        r"what(?:['’]s| is| has been) (?:going on|happening|up with)\b",
        r"the story (?:with|of|behind)\b", r"you (?:remember|know|have|recall) (?:about|on|of)\b",
        r"the (?:background|context|situation|status|state|latest) (?:on|of|with|about)\b",
    ),
    _sign(
        Intent.EXPLORATORY, 1.3,
        r"any (?:notes|thoughts|ideas|news)\b", r"news (?:on|about|from)\b", r"update (?:on|me)\b",
        r"anything\b", r"(?:what|which) (?:topics|ideas|thoughts|themes|kinds? of things)\b",
        r"notes (?:on|about)\b", r"(?:talk|think|learn|hear) (?:more )?about\b", r"in general\b",
        r"(?:my|your|our|his|her|their) (?:thoughts|views|hobbies|interests|opinions?)\b",
        r"what(?:['’]s| is) there (?:about|on)\b", r"what (?:kind|sort) of person\b",
        r"talk(?:s|ed)? about\b", r"how (?:is|are|was|were) (?:\w+ ){1,3}(?:doing|going)\b",
        r"^\W*list\b", r"what\b.{1,40}\b(?:about|around|regarding|concerning)\b", r"background\b",
        r"(?:are|were) things\b", r"keep in mind\b", r"stands? out\b",
    ),
    _sign(Intent.EXPLORATORY, 0.7, r"(?:what|who) are (?:the|my|our|your|all|some)\b"),
)  # fmt: skip
_NAMED_TIME_WEIGHT = 1.4
_EVENT_WEIGHT = 1.0
_ORDER_WEIGHT = 2.5  # more than "walk me through", which such questions often begin with


def intent_of(question: str) -> IntentGuess:
    """What a question most likely wants, by the signs in its wording."""
    text = question[:_LONGEST_QUESTION]
    weights = dict.fromkeys(Intent, 0.0)
    weights[Intent.LOOKUP] = _LOOKUP_PRIOR
    for sign in _SIGNS:
        if sign.pattern.search(text):
            weights[sign.intent] += sign.weight
    if names_time(text):
        weights[Intent.TEMPORAL] += _NAMED_TIME_WEIGHT
    elif find_event(text) is not None:
        weights[Intent.TEMPORAL] += _EVENT_WEIGHT
    if asks_for_order(text):
        weights[Intent.TEMPORAL] += _ORDER_WEIGHT
    best = max(weights, key=lambda intent: weights[intent])
    return IntentGuess(best, weights[best] / sum(weights.values()))


# How much text search should count

_IDENTIFIER = re.compile(
    r"`[^`\n]{1,80}`"
    r"|\b\w{1,40}[_/\\@#=]\w"
    r"|\b\w{1,40}\.\w{2,12}\b(?<![.]\s)"
    r"|\b[a-z]{1,20}[A-Z]\w"
    r"|\b\w{0,20}[A-Za-z]\w{0,20}\d\w{0,20}|\b\d+\w{0,20}[A-Za-z]"
    r"|--?[a-z][\w-]{1,20}"
)
_NUMBER = re.compile(r"(?<![\w.])\d[\d.,:]*")
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
_CONCEPT = re.compile(r"\W*(?:how|why|explain|describe|tell|what do|what are)\b", re.IGNORECASE)


def text_share(question: str, intent: Intent | None = None) -> float:
    """The part that text search should have against meaning, from 0.1 to 0.7.

    Exact strings (identifiers, numbers, quotations, acronyms) must be matched as they are written;
    a long question in ordinary words is better served by its meaning. An intent that is known
    already need not be guessed again.
    """
    text = question[:_LONGEST_QUESTION]
    length = len(text.split())
    share = PLANS[intent or intent_of(text).intent].text_share
    share += 0.2 if _IDENTIFIER.search(text) else 0.0
    share += 0.15 if quoted_phrases(text) else 0.0
    share += 0.05 * bool(_NUMBER.search(text)) + 0.05 * bool(_CAPITALS.search(text))
    share += 0.1 if length <= 3 else 0.0
    share -= 0.08 if _CONCEPT.match(text) else 0.0
    share -= 0.08 * (length > 12) + 0.08 * (length > 24)
    return round(min(max(share, LEAST_TEXT_SHARE), MOST_TEXT_SHARE), 4)


# Facts about a question's wording, each a feature of the ranking

_WHEN = _words(
    r"when\b|(?:what|which) (?:date|day|month|year|week|weekday|time)\b|the date (?:of|when)\b"
    r"|how long\b|how many (?:days|weeks|months|years|hours|minutes)\b|since when\b|until when\b"
)
_CONDITION = _words(r"when (?:i|you|we|it) (?:ask|asks|need|want|say)\b")


def asks_when(question: str) -> bool:
    """Whether a date, a time or a length of time is asked for."""
    text = _CONDITION.sub(" ", question[:_LONGEST_QUESTION])
    return _WHEN.search(text) is not None


_HOW_MANY = _words(
    r"how (?:many|much|often|old|far|tall|big|large|heavy|fast|high)\b"
    r"|what(?:['’]s| is| was| were| are)? (?:the |my |our )?(?:\w+ )?"
    r"(?:percentage|amount|number|count|total|average|price|cost|score|rate|size|age)\b"
)


def asks_how_many(question: str) -> bool:
    """Whether a number or an amount is asked for."""
    return _HOW_MANY.search(question[:_LONGEST_QUESTION]) is not None


_SUMMARY = _words(
    r"summar(?:y|ies|i[sz]e\w*)\b|overview\b|recap\w*|comprehensive\b|sum up\b|gist\b"
)


def asks_for_summary(question: str) -> bool:
    """Whether the whole of a matter is asked for and not one fact of it."""
    return _SUMMARY.search(question[:_LONGEST_QUESTION]) is not None


_ORDER = _words(
    r"order in which\b|in (?:what|which|the|chronological|correct|right|proper)? ?(?:\w+ )?order\b"
    r"(?! to\b)|sequence (?:of|in)\b|chronolog\w+|(?:a|the) timeline (?:of|for)\b"
    r"|(?:list|give) (?:\w+ )?the order\b"
    r"|what came (?:first|before|after)\b|(?:which|who|what)\b.{0,60}\b(?:came|happened) first\b"
)


def asks_for_order(question: str) -> bool:
    """Whether things are to be put in the order in which they came."""
    return _ORDER.search(question[:_LONGEST_QUESTION]) is not None


_REQUEST = _words(
    r"recommend\w*|suggest\w*|advi[cs]e\b|should (?:i|we)\b|help (?:me|us)\b|ideas? (?:for|on)\b"
    r"|tips\b|what (?:are|is|would be) (?:some|the best|a good|good)\b|best (?:way|option)\b"
    r"|what (?:should|could|can) (?:i|we)\b|which .{1,60}\b(?:should|would)\b|i['’]m looking for\b"
    r"|i['’]m (?:planning|thinking|considering|trying|going)\b|(?:can|could|would) you (?:please )?"
    r"(?:help|write|draft|plan|design|explain|show|walk|give|create|make)\b|options for\b"
    r"|how (?:do|can|should|would) (?:i|we)\b"
)


def is_request(question: str) -> bool:
    """Whether advice or work is asked for, to which preferences and standing wishes apply."""
    text = question[:_LONGEST_QUESTION]
    return _REQUEST.search(text) is not None and not asks_for_order(text)


_CURRENT = _words(
    r"current(?:ly)?\b|now(?:adays)?\b|at the moment\b|these days\b|latest\b|most recent\b|still\b"
    r"|up to date\b|as of (?:now|today)\b|at present\b"
)
_MEASURED = (
    r"how (?:many|much|often|old|long|high|low|tall|big|large|small|wide|deep|far|fast|heavy|hot"
    r"|cold|warm|expensive|late|early|short|thick|strong)"
)
_VALUE = re.compile(
    r"^\W*(?:so |and |ok |hey )?(?:"
    rf"(?:what|which|where|when|who(?:se)?|{_MEASURED})\b.{{0,60}}?"
    r"(?:['’]s|\b(?:is|are|do|does|have|has|can|am|lives?|works?|uses?|owns?|needs?))\b"
    r"|who (?:[a-z]+ly )?[a-z]+[^s\W]s\b"  # "Who leads the team?"
    r"|(?:is|are|am|do|does|have|has)\b)",
    re.IGNORECASE,
)
_PLAIN_VALUE = re.compile(
    r"^\W*(?:so |and |ok |hey )?(?:what (?:time|date|day|percentage|number|amount)"
    rf"|{_MEASURED}|when)\b",
    re.IGNORECASE,
)
_HISTORY = _words(
    r"did\b|was\b|were\b|had\b|used to\b|originally\b|initial(?:ly)?\b|previous(?:ly)?\b|formerly\b"
    r"|at first\b|history\b|over time\b|before\b|ago\b|last (?:time|week|month|year|night)\b"
    r"|changed\b|yesterday\b|why\b|ever been\b|went\b|said\b|told\b|happened\b|first time\b"
)


def asks_current_value(question: str) -> bool:
    """Whether the question is for what holds now, so that an older statement would mislead."""
    text = question[:_LONGEST_QUESTION]
    if _CURRENT.search(text):
        return _HISTORY.search(text) is None or "still" in text.lower()
    is_plain = _PLAIN_VALUE.match(text) is not None
    is_value = (is_plain or _VALUE.match(text) is not None) and _HISTORY.search(text) is None
    wants_more = asks_for_summary(text) or asks_for_order(text)
    # "What time should I leave?" asks for a value; "what should I wear?" for advice.
    wants_advice = is_request(text) and not is_plain
    return is_value and not wants_more and not wants_advice


_HELD_BEFORE = _words(
    r"used to\b|originally\b|initial(?:ly)?\b|previous(?:ly)?\b|formerly\b|at first\b"
    r"|history\b|over time\b|before\b|earlier\b|first time\b|old\b"
)


def asks_about_past(question: str) -> bool:
    """Whether the question is for what held before; "did it cost in the end" is not."""
    text = question[:_LONGEST_QUESTION]
    return _HELD_BEFORE.search(text) is not None and "still" not in text.lower()


_LATEST = re.compile(
    r"(?:^\W*|\b(?:my|our|the|his|her|their|\w+['’]s) )(?:most recent|latest|last|newest)\b"
    r"(?! (?:name|names|words?|resort|minute|chance|one standing)\b)",
    re.IGNORECASE,
)


def asks_latest(question: str) -> bool:
    """Whether the most recent of several like things is asked for."""
    return _LATEST.search(question[:_LONGEST_QUESTION]) is not None


_QUOTED = re.compile(
    r"\"([^\"\n]{0,200})\"|“([^”\n]{0,200})”|«\s?([^»\n]{0,200}?)\s?»|„([^“”\n]{0,200})[“”]"
    r"|`([^`\n]{0,200})`|(?<!\w)['‘]([^'‘’\n]{0,200})['’](?!\w)"
)


def quoted_phrases(question: str) -> tuple[str, ...]:
    """What stands in quotation marks, to be found as it is written; an apostrophe is none."""
    text = question[:_LONGEST_QUESTION]
    found = ("".join(groups).strip() for groups in _QUOTED.findall(text))
    return tuple(dict.fromkeys(phrase for phrase in found if len(phrase) > 1))[:_MOST_PHRASES]


_MENTIONED = (
    r"(?:brought up|mentioned|discussed|talked about|raised|introduced|asked about|covered"
    r"|touched on|went (?:over|through)|spoke about|told you about)"
)
_PARTS = (
    r"(?:aspects|topics|parts|points|things|issues|concerns|ideas|subjects|elements|features"
    r"|stages|steps|themes|details)"
)
# What an ordering question is wrapped in, from its outside to its inside. None of it says what the
# things are about; all of it would draw turns that talk about talking.
_FRAME = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:can|could|would|will) you\b(?: please)?|\bplease\b",
        r"\b(?:list|tell|give|show|walk|remind|provide|take|help)(?: me| us)"
        r"(?: through| with| of)?\b",
        r"^\W*(?:list|provide|describe|explain|outline|reconstruct|recall)\b",
        r"\bin (?:what|which) (?:order|sequence)\b|\bin (?:the )?(?:\w+ )?order\b(?! in which)",
        r"\b(?:the |a )?(?:\w+ical |correct |exact |right )?(?:order|sequence|timeline)"
        r"(?: in which| that| of how| of| for)?\b",
        rf"\b(?:did )?(?:i|we)(?:['’]ve| have)?(?: first| previously| also)? {_MENTIONED}\b",
        rf"\b(?:the )?(?:different|various|several|main|key) {_PARTS}"
        r"(?: of| about| related to| on| in| around)?\b",
        rf"\b{_PARTS} (?:of|related to|around)\b",
        r"\b(?:throughout|across|during|over|in|from)(?: all)?(?: of)?"
        r" (?:our|my|the|these|those|this)(?: entire| whole| previous| past| different| many)?"
        r" (?:conversations?|chats?|sessions?|discussions?|exchanges|messages|talks)\b"
        r"(?! (?!in\b|so\b|and\b|about\b|please\b)[a-z])",  # but not "in my chat app"
        r"\bhow did (?:my|our) (?:conversations?|discussions?|questions|talks|thoughts)"
        r" (?:about|on|around)\b|\b(?:progress|unfold|evolve)\b(?=\W*(?:in|over|across|\(|$))",
        r"\(?\bmention(?:ing)?(?: only)?(?: and only)? [\w-]+ (?:items?|things?|topics?)\b"
        r"(?: in order)?\s*\)?",
        r"\b(?:so far|over time|from start to finish|from first to last|as well as|including)\b",
        r"\bhow (?:i|we|my|our)(?:['’]ve| have| has)?\b|\b(?:that )?(?:we|i)(?:['’]ve| have)\b",
    )
)
_SPACES = re.compile(r"\s+")
_STRAY_MARKS = re.compile(r"\s*([,.?!])(?:\s*[,.?!])*")


def without_order_frame(question: str) -> str:
    """An ordering question without its wrapping: what is left is what the things are about.

    Any other question comes back as it is, and so does one of which too little would be left.
    """
    if not asks_for_order(question):
        return question
    bare = question
    for frame in _FRAME:
        bare = frame.sub(" ", bare)
    bare = _STRAY_MARKS.sub(r"\1", _SPACES.sub(" ", bare)).strip(" ,.?!")
    return bare if len(bare.split()) >= 2 else question
