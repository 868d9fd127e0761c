"""What a text says about itself that can be filtered on: people, tools, paths, dates, topics.

Only what is found is given. Nothing here is claimed by anybody: it is read off the words, and read
off again whenever the rules change.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache

from engram.language.affect import affect
from engram.language.names.mentions import EntityType, Mention, find_mentions
from engram.language.names.words import display_names
from engram.language.stems import stem
from engram.language.when.spans import TimeSpan, find_times
from engram.memory.entities.templates import INFERRED_KEYS, Template, values_of
from engram.memory.record import METADATA_BYTES, MetadataValue
from engram.text.calendar import Grain

__all__ = ["INFERRED_KEYS", "infer", "without_inferred"]
_LONGEST = 16_384  # what a longer text is about shows in its beginning
_MOST_VALUES = 16  # of one key: metadata is for filtering, not a second copy of the text
_LONGEST_VALUE = 200
_MOST_BYTES = METADATA_BYTES // 2  # the other half is for what callers give
_URL = re.compile(r"\bhttps?://[^\s<>\"'`{}|\\^]{1,500}")
_URL_END = ".,;:!?)]*_"
_WORD = re.compile(r"[a-z]{3,40}")
# Finding times is thorough; most sentences name none, and this tells so at a glance.
_MAY_NAME_TIME = re.compile(
    r"\d|day|night|week|month|year|morning|noon|evening|hour|minute|clock|ago\b|tomorrow|decade"
    r"|centur|quarter|spring|summer|autumn|fall\b|winter|christmas|easter|eve\b|halloween|past"
    r"|jan|feb|mar|apr|may\b|jun|jul|aug|sep|oct|nov|dec|last|next|thanksgiving|recent|later"
)
_MOST_TOPICS = 3
_FEWEST_WORDS = 2  # of a topic; in a short text one is enough
_SHORT_TEXT = 12

_TAXONOMY = {
    "software": """api app backend branch browser bug build code coding commit compile compiler
        container crash database debug deploy deployment endpoint frontend function git
        library merge module package pipeline programming refactor release repo repository
        runtime schema script server software test tests unit version""",
    "work": """boss career client colleague company contract coworker customer deadline department
        employee hiring interview invoice job manager meeting office presentation project
        promotion proposal report resign resume salary schedule sprint stakeholder startup
        team workload""",
    "money": """account afford bank bill bonus budget buy cash cost credit crypto debt dollar euro
        expense fee finance income insurance invest investment invoice loan mortgage pay
        payment pension price refund rent salary saving stock tax taxes wallet""",
    "health": """allergic allergy anxiety appointment clinic dentist depression diagnosis diet
        doctor exercise fever gym health healthy hospital illness injury knee medication medicine
        meditation migraine nurse pain pill prescription sick sleep stress surgery symptom
        therapist therapy vaccine vitamin weight workout""",
    "family": """aunt baby birthday boyfriend brother child children cousin dad daughter engaged
        family father fiance friend girlfriend grandfather grandma grandmother grandpa
        husband kid marriage married mom mother mum nephew niece parent partner pregnant
        relative sibling sister son twin uncle wedding wife""",
    "travel": """abroad airbnb airport backpack beach border camping cruise destination drive
        embassy flew flight hike hostel hotel itinerary journey luggage museum passport plane resort
        roadtrip sightseeing suitcase ticket tour tourist train travel trip vacation visa""",
    "food": """bake baking bread breakfast brunch cake cheese chef chocolate coffee cook cooking
        cuisine delicious dessert dinner dish eat fruit grocery ingredient kitchen lunch
        meal meat pasta pizza recipe restaurant salad sauce snack soup spicy sushi tea vegan
        vegetable vegetarian wine""",
    "home": """apartment bathroom bedroom carpet cleaning couch decorate furniture garage garden
        heating house kitchen landlord laundry lease moving neighbor neighbour neighborhood
        paint plumber renovate renovation roof room roommate sofa tenant yard""",
    "learning": """assignment book class college course degree essay exam grade homework language
        lecture lesson library math paper phd physics professor read reading research
        scholarship school science seminar semester student study teacher thesis tutor
        university""",
    "arts": """actor album anime art artist band book canvas ceramic cinema comedy comic concert
        dance drama drawing episode exhibition festival film gallery game gaming guitar
        melody movie museum music musician novel paint painting photo photography piano play
        poem poetry pottery series show sing singer song stage story theater theatre violin""",
    "sport": """athlete baseball basketball bike boxing championship climb climbing coach cricket
        cycling football game goal golf hockey jog league marathon match medal player race
        rugby run runner running score season ski skiing soccer stadium surf surfing swim
        swimming team tennis tournament training volleyball yoga""",
    "nature": """animal beach bird cat climate dog fish flower forest garden hike hiking horse lake
        mountain nature ocean park pet plant puppy rain river sea snow storm sunset tree
        weather wildlife""",
}  # fmt: skip
_FENCE = re.compile(r"(?:^|\n)[ \t]*```[ \t]*([a-zA-Z+#]{1,20})")
_LANGUAGES = {
    "py": "python", "python": "python", "ipynb": "python", "pyi": "python", "js": "javascript",
    "javascript": "javascript", "jsx": "javascript", "mjs": "javascript", "ts": "typescript",
    "typescript": "typescript", "tsx": "typescript", "rs": "rust", "rust": "rust", "go": "go",
    "golang": "go", "java": "java", "kt": "kotlin", "kotlin": "kotlin", "rb": "ruby",
    "ruby": "ruby", "php": "php", "c": "c", "h": "c", "cpp": "c++", "c++": "c++", "hpp": "c++",
    "cs": "c#", "csharp": "c#", "c#": "c#", "swift": "swift", "lua": "lua", "sql": "sql",
    "sh": "shell", "bash": "shell", "shell": "shell", "zsh": "shell", "ps1": "powershell",
    "html": "html", "css": "css", "scss": "css", "scala": "scala", "haskell": "haskell",
    "elixir": "elixir", "dart": "dart", "r": "r", "julia": "julia", "vue": "javascript",
}  # fmt: skip
_SHAPES = tuple(
    (language, re.compile(shape, re.MULTILINE))
    for language, shape in (
        (
            "python",
            r"^\s{0,40}(?:def \w{1,80}\(|from [\w.]{1,80} import \w|elif )",
        ),
        ("rust", r"\bfn \w{1,80}(?:<|\()|\blet mut \w|\bimpl(?:<\w{1,40}>)? \w"),
        ("go", r"^func (?:\(\w{1,40} \*?\w{1,40}\) )?\w{1,80}\(|^package \w{1,40}$|\w :="),
        ("typescript", r"\binterface \w{1,80} \{|\b(?:const|let) \w{1,80}: \w"),
        ("javascript", r"\b(?:const|let|var) \w{1,80} = |\bfunction \w{0,80}\(|=> \{"),
        ("java", r"\bpublic (?:static |final )?(?:class|void|int|String) \w"),
        ("sql", r"\b(?:SELECT .{1,200} FROM|INSERT INTO|CREATE TABLE|UPDATE \w{1,80} SET)\b"),
        ("shell", r"^(?:#!/bin/(?:ba)?sh|\$ \w)"),
    )
)


def infer(
    text: str,
    *,
    now: datetime,
    templates: Sequence[Template] = (),
    mentions: Sequence[Mention] | None = None,
) -> dict[str, MetadataValue]:
    """What can be read off a text, by name; what is not there has no entry.

    `now` is when it was said; `mentions` are those of the text if they are known already.
    """
    read = text[:_LONGEST]
    named = find_mentions(read) if mentions is None else mentions
    technologies, topics = _technologies(named), _topics(read)
    found: dict[str, MetadataValue] = {
        "people": _people(named),
        "technologies": technologies,
        "paths": _distinct(each.surface for each in named if each.type is EntityType.FILE),
        "dates": _dates(read, now),
        "urls": _distinct(url.rstrip(_URL_END) for url in _URL.findall(read)),
        "sentiment": round(affect(read).valence, 2),
        "topics": topics,
        "tags": _tags(technologies, topics, read),
        "language": _language(read, named),
    }
    found |= {template.name: values_of(template, text) for template in templates}
    return _within_bounds({name: value for name, value in found.items() if value})


def without_inferred(
    metadata: Mapping[str, MetadataValue],
    text: str,
    *,
    now: datetime,
    templates: Sequence[Template] = (),
) -> dict[str, MetadataValue]:
    """The metadata that were not read off the text: what somebody gave."""
    found = infer(text, now=now, templates=templates)
    return {name: value for name, value in metadata.items() if found.get(name) != value}


def _tags(technologies: Sequence[str], topics: Sequence[str], text: str) -> list[str]:
    """What a text can be filed under: what it names and what it is about, where that is plain."""
    is_plain = len(topics) == 1 or len(_WORD.findall(text.lower())) > _SHORT_TEXT
    named = [each.lower() for each in technologies]
    return _distinct([*named, *(topics if is_plain else ())])


def _within_bounds(found: dict[str, MetadataValue]) -> dict[str, MetadataValue]:
    """The longest list gives up its last value until there is room for metadata of others."""
    sizes = {
        name: [len(each.encode("utf-8", "replace")) + 4 for each in value]
        for name, value in found.items()
        if isinstance(value, list)
    }
    while sum(map(sum, sizes.values())) > _MOST_BYTES:
        sizes[max(sizes, key=lambda name: sum(sizes[name]))].pop()
    return {
        name: value[: len(sizes[name])] if isinstance(value, list) else value
        for name, value in found.items()
        if not isinstance(value, list) or sizes[name]
    }


def _distinct(values: Iterable[str]) -> list[str]:
    cut = (value[:_LONGEST_VALUE] for value in values if value)
    return list(dict.fromkeys(cut))[:_MOST_VALUES]


def _people(mentions: Sequence[Mention]) -> list[str]:
    """Everybody once, by the fullest name."""
    names: dict[str, str] = {}
    for mention in mentions:
        if mention.type is EntityType.PERSON:
            surface = mention.surface.removeprefix("@")
            names[mention.key] = max(names.get(mention.key, ""), surface, key=len)
    return _distinct(names.values())


def _technologies(mentions: Sequence[Mention]) -> list[str]:
    names = display_names()
    wanted = (EntityType.TECHNOLOGY, EntityType.SERVICE)
    return _distinct(names.get(each.key, each.surface) for each in mentions if each.type in wanted)


def _dates(text: str, now: datetime) -> list[str]:
    if not _MAY_NAME_TIME.search(text.lower()):
        return []
    return _distinct(_date(span, now) for span in find_times(text, now) if not span.is_open)


def _date(span: TimeSpan, now: datetime) -> str:
    """A day, a month, a year, or first and last day of anything else, as ISO 8601 has it."""
    start = span.start.astimezone(now.tzinfo)
    last = (span.end - timedelta(microseconds=1)).astimezone(now.tzinfo)
    if span.grain is Grain.MONTH:
        return f"{start:%Y-%m}"
    if span.grain is Grain.YEAR:
        return f"{start:%Y}"
    if start.date() == last.date():
        return start.date().isoformat()
    return f"{start.date().isoformat()}/{last.date().isoformat()}"


@cache
def _topics_by_stem() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for topic, words in _TAXONOMY.items():
        for each in {stem(word) for word in words.split()}:
            found[each] = (*found.get(each, ()), topic)
    return found


def _topics(text: str) -> list[str]:
    """The topics that enough different words speak for, the strongest first."""
    words = _WORD.findall(text.lower())
    topics = _topics_by_stem()
    hits = Counter(
        topic for each in {stem(word) for word in words} for topic in topics.get(each, ())
    )
    is_short = len(words) <= _SHORT_TEXT and max(hits.values(), default=0) < _FEWEST_WORDS
    fewest = 1 if is_short else _FEWEST_WORDS
    ranked = sorted(hits.items(), key=lambda hit: (-hit[1], hit[0]))
    return [topic for topic, count in ranked if count >= fewest][:_MOST_TOPICS]


def _language(text: str, mentions: Sequence[Mention]) -> str:
    """The programming language of a text: as a block of code says, its files, or its shape."""
    fence = _FENCE.search(text) if "```" in text else None
    if fence and fence[1].lower() in _LANGUAGES:
        return _LANGUAGES[fence[1].lower()]
    endings = (each.key.rpartition(".")[2] for each in mentions if each.type is EntityType.FILE)
    told = next((_LANGUAGES[ending] for ending in endings if ending in _LANGUAGES), "")
    return told or next((name for name, shape in _SHAPES if shape.search(text)), "")
