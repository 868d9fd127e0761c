"""The index of topics: what is talked about in a scope, how often, and when last.

A topic counts by how often it comes up, less the more of everything is about it: what stands in
every other statement tells nothing, and what came up once is no topic.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from engram.language.stems import stem
from engram.memory.boxes import topics_of
from engram.memory.dreams.artefact import Artefact, ArtefactKind, Plain, inherited
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.times import parse_time
from engram.text.strings import folded

KEY = "topics"
MOST_TOPICS = 100
_FEWEST = 2
_SHOWN = 5  # memories that stand for a topic, the newest first
_TOO_COMMON = 0.5  # of all statements; of a handful everything may be about one thing
_HANDFUL = 20
_SPARE = 50  # topics beyond those wanted, for those that turn out to be written alike
_BREATH = 32  # texts between two breaths
# How something is told, whatever it is about.
_TELLS_NOTHING = frozenset(
    stem(word)
    for word in """prefer always never answer call called live lives decide decided plan planned
    favourite favorite start started begin user assistant mention mentioned enjoy enjoyed""".split()
)


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing that is talked about."""

    name: str
    count: int
    share: float
    last_seen: datetime
    numbers: tuple[int, ...]  # of some memories about it, the newest first


def topic_index(
    memories: Sequence[Memory],
    names: Mapping[int, Mapping[str, str]],
    *,
    most: int = MOST_TOPICS,
    breathe: Callable[[], None] = lambda: None,
) -> tuple[Topic, ...]:
    """What the statements are about, the most telling first.

    `names` has the names in each memory by its number: their keys, and how they are written there.
    """
    seen: dict[str, list[Memory]] = {}
    for place, memory in enumerate(memories):
        if place % _BREATH == 0:
            breathe()
        for about in topics_of(memory.content, names.get(memory.number, {})) - _TELLS_NOTHING:
            seen.setdefault(about, []).append(memory)
    total = len(memories)
    counts = {topic: len(each) for topic, each in seen.items()}
    telling = [topic for topic, count in counts.items() if _is_telling(count, total)]
    telling.sort(key=lambda topic: (-_weight(counts[topic], total), topic))
    named: dict[str, Topic] = {}
    for key in telling[: most + _SPARE]:
        breathe()
        topic = _topic(key, seen[key], total, names)
        named.setdefault(topic.name.casefold(), topic)  # a name may be found as a word too
    return tuple(named.values())[:most]


def _is_telling(count: int, total: int) -> bool:
    return count >= _FEWEST and (total < _HANDFUL or count <= _TOO_COMMON * total)


def _weight(count: int, total: int) -> float:
    return round(count * math.log(1.0 + total / count), 6)


def _topic(
    key: str, memories: Sequence[Memory], total: int, names: Mapping[int, Mapping[str, str]]
) -> Topic:
    newest = sorted(memories, key=lambda each: (each.at, each.number), reverse=True)
    return Topic(
        as_written(key, newest[: 4 * _SHOWN], names),
        len(newest),
        round(len(newest) / total, 4),
        newest[0].at,
        tuple(each.number for each in newest[:_SHOWN]),
    )


def as_written(key: str, memories: Iterable[Memory], names: Mapping[int, Mapping[str, str]]) -> str:
    """A topic as it is mostly written: a name as it stands, a stem as one of its words."""
    forms: Counter[str] = Counter()
    for each in memories:
        surface = names.get(each.number, {}).get(key)
        if surface is not None:
            forms[surface] += 1
            continue
        words = "".join(letter if letter.isalnum() else " " for letter in folded(each.content))
        forms.update(word for word in words.split() if stem(word) == key)
    return min(forms, key=lambda form: (-forms[form], form)) if forms else key


def topics_artefact(
    topics: Sequence[Topic], memories: Mapping[int, Memory], *, scope: Scope, now: datetime
) -> Artefact | None:
    """The index of a scope as it is kept; None: nothing came up twice."""
    if not topics:
        return None
    sources = [memories[number] for number in sorted({n for each in topics for n in each.numbers})]
    trust, secrecy = inherited(sources)
    return Artefact(
        kind=ArtefactKind.TOPICS,
        scope=scope,
        key=KEY,
        text=", ".join(each.name for each in topics),
        body={"of": len(memories), "topics": [_as_plain(each) for each in topics]},
        sources=tuple(each.number for each in sources),
        trust=trust,
        secrecy=secrecy,
        made_at=now,
    )


def _as_plain(topic: Topic) -> dict[str, Plain]:
    return {
        "name": topic.name,
        "count": topic.count,
        "share": topic.share,
        "last_seen": topic.last_seen.isoformat(),
        "numbers": list(topic.numbers),
    }


def topics_in(body: Mapping[str, Plain]) -> tuple[Topic, ...]:
    """The topics that an artefact keeps."""
    found = body.get("topics", ())
    rows = found if isinstance(found, Sequence) and not isinstance(found, str) else ()
    return tuple(_topic_in(row) for row in rows if isinstance(row, Mapping))


def _topic_in(row: Mapping[str, Plain]) -> Topic:
    numbers = row["numbers"]
    listed = numbers if isinstance(numbers, Sequence) and not isinstance(numbers, str) else ()
    return Topic(
        str(row["name"]),
        int(str(row["count"])),
        float(str(row["share"])),
        parse_time(str(row["last_seen"]), name="last_seen"),
        tuple(int(str(each)) for each in listed),
    )


def seen_topics(
    indexes: Iterable[Artefact], wordings: Mapping[int, int], *, most: int
) -> tuple[Topic, ...]:
    """The indexes of the scopes in sight as one; a topic of which nothing shown stands is left out.

    What is written alike is one topic.
    """
    found: dict[str, Topic] = {}
    total = 0
    for index in indexes:
        total += int(str(index.body["of"]))
        for each in topics_in(index.body):
            shown = tuple(number for number in each.numbers if number in wordings)
            if shown:
                known = found.get(each.name)
                topic = Topic(each.name, each.count, each.share, each.last_seen, shown)
                found[each.name] = topic if known is None else _both(known, topic)
    ordered = sorted(found.values(), key=lambda each: (-_weight(each.count, total), each.name))
    return tuple(
        Topic(each.name, each.count, round(each.count / total, 4), each.last_seen, each.numbers)
        for each in ordered[:most]
    )


def _both(one: Topic, other: Topic) -> Topic:
    newest, oldest = (one, other) if one.last_seen >= other.last_seen else (other, one)
    numbers = (*newest.numbers, *oldest.numbers)[:_SHOWN]
    return Topic(one.name, one.count + other.count, 0.0, newest.last_seen, numbers)
