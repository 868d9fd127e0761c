"""Cards: what is known of somebody or something, in sentences taken from memories.

An entity that two memories name has a profile, one that five name a card. Both are made of the
statements of one scope alone and take the place of the ones before.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from engram.language.names.keys import key_of, tells_of_speaker
from engram.language.names.kinds import EntityType
from engram.memory.dreams.artefact import Artefact, ArtefactKind, Plain, inherited
from engram.memory.dreams.headings import heading_of, heading_place
from engram.memory.dreams.lines import (
    Line,
    current,
    lines_in,
    lines_of,
    nearest_first,
    ranked,
    standing,
    standing_lines,
    under_headings,
)
from engram.memory.entities.profile import Entity, NameCount, entities_in
from engram.memory.record import Memory
from engram.memory.scopes import Scope

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FEWEST_FOR_PROFILE = 2
FEWEST_FOR_CARD = 5  # the first seed's figure
_LOOKED_AT = 40  # memories of one entity, what counts most first: more than any card has room for
_MOST_FACTS = 5
_MOST_BESIDE = 10
_MOST_RELATIONS = 10
_MOST_MEMBERS = 200
# "I met Ada" is about who met her.
_OTHERS_OWN = re.compile(r"\W*(?:i|i['’]\w+|we|we['’]\w+)\b", re.IGNORECASE)
# Who talks is not what is talked about.
_ROLES = frozenset("user assistant system agent tool human bot ai".split())


@dataclass(frozen=True, slots=True)
class Mentioned:
    """A name that stands in a memory."""

    number: int
    name: str  # its key
    surface: str
    type: EntityType


@dataclass(frozen=True, slots=True)
class Related:
    """How an entity is related to another, and the memory that says so."""

    relation: str
    name: str
    number: int
    is_inward: bool = False  # it is the other one that is related so to the entity


@dataclass(frozen=True, slots=True)
class Named:
    """An entity of one scope, the statements that name it, and who is named beside it."""

    entity: Entity
    members: tuple[Memory, ...]  # by number
    beside: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of somebody or something, as a caller sees it.

    The entity and who is beside it are as memories in sight tell now. The text is empty while too
    few of them say something; the facts are its best sentences.
    """

    entity: Entity
    text: str
    lines: tuple[Line, ...]
    facts: tuple[Line, ...]
    relations: tuple[Related, ...]
    made_at: datetime | None  # None: no dream has made one yet


def names_counted(
    mentions: Iterable[Mentioned], statements: Mapping[int, Memory]
) -> list[NameCount]:
    """How often each name stands in the statements, as it is written there, and when."""
    counted: dict[tuple[str, str, EntityType], list[datetime]] = {}
    for each in mentions:
        memory = statements.get(each.number)
        if memory is not None and each.name not in _ROLES:
            counted.setdefault((each.name, each.surface, each.type), []).append(memory.at)
    return [
        NameCount(name, surface, sort, len(times), min(times), max(times))
        for (name, surface, sort), times in sorted(counted.items())
    ]


def entities_named(
    mentions: Sequence[Mentioned],
    statements: Mapping[int, Memory],
    decided: Mapping[str, str],
    *,
    fewest: int = FEWEST_FOR_PROFILE,
) -> list[Named]:
    """The entities that enough statements name, those with most statements first."""
    entities = entities_in(names_counted(mentions, statements), decided)
    entity_of = {key: each for each in entities for key in each.keys}
    members: dict[str, set[int]] = {}
    named_in: dict[int, set[str]] = {}
    for each in mentions:
        if each.number in statements and each.name in entity_of:
            key = entity_of[each.name].key
            members.setdefault(key, set()).add(each.number)
            named_in.setdefault(each.number, set()).add(key)
    enough = [each for each in entities if len(members.get(each.key, ())) >= fewest]
    enough.sort(key=lambda each: (-len(members[each.key]), each.key))
    names = {each.key: each.name for each in entities}
    return [
        Named(
            each,
            tuple(statements[number] for number in sorted(members[each.key])),
            _beside(each, members[each.key], named_in, names),
        )
        for each in enough
    ]


def _beside(
    entity: Entity,
    members: Iterable[int],
    named_in: Mapping[int, set[str]],
    names: Mapping[str, str],
) -> tuple[tuple[str, int], ...]:
    counts = Counter(key for number in members for key in named_in[number] if key != entity.key)
    best = sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:_MOST_BESIDE]
    return tuple((names[key], count) for key, count in best)


def entity_lines(named: Named) -> list[Line]:
    """What is said of an entity: current, trusted and new first, each thing once."""
    entity = named.entity
    written = sorted({entity.name, *entity.aliases, *entity.keys}, key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, written))})(?!\w)", re.IGNORECASE)

    def is_own(memory: Memory, sentence: str) -> bool:
        return _is_own(entity, memory, sentence, pattern)

    best = current(ranked(named.members)[:_LOOKED_AT])
    return list(
        lines_of(best, lambda each: heading_of(each.category), is_wanted=is_own, is_attributed=True)
    )


def _is_own(entity: Entity, memory: Memory, sentence: str, pattern: re.Pattern[str]) -> bool:
    """Whether a sentence tells of an entity: it says "I" of itself, or is named, or is the subject.

    What somebody else says of themselves in front of a person is not that person's fact.
    """
    speaker = memory.speaker
    if speaker is not None and key_of(speaker) in entity.keys:
        return tells_of_speaker(sentence, speaker) or pattern.search(sentence) is not None
    if pattern.search(sentence) is not None:
        return entity.type is not EntityType.PERSON or _OTHERS_OWN.match(sentence) is None
    subjects = {key_of(each) for each in (memory.subject or "").split(", ") if each}
    return bool(subjects) and subjects <= entity.keys and not tells_of_speaker(sentence, "")


def card_lines(lines: Iterable[Line], *, most_words: int) -> tuple[Line, ...]:
    """As many of the best lines as the words allow, by heading; none is cut."""
    kept: list[Line] = []
    words = 0
    for each in lines:
        takes = len(each.text.split()) + (each.heading not in {line.heading for line in kept})
        if words + takes <= most_words:
            kept.append(each)
            words += takes
    return tuple(sorted(kept, key=lambda each: heading_place(each.heading)))


def profile_of(
    named: Named, lines: Sequence[Line], related: Sequence[Related], *, scope: Scope, now: datetime
) -> Artefact:
    """The profile of an entity: names, when it was told of, who is beside it, key facts."""
    entity = named.entity
    facts = tuple(_first_of_each(lines, _MOST_FACTS))
    told = tuple(islice(related, _MOST_RELATIONS))
    numbers = {each.number for each in facts} | {each.number for each in told}
    sources = [each for each in named.members if each.number in numbers] or named.members[-1:]
    trust, secrecy = inherited(sources)
    body: dict[str, Plain] = {
        "name": entity.name,
        "type": entity.type.value,
        "aliases": list(entity.aliases),
        "keys": sorted(entity.keys),
        "first_seen": entity.first_seen.isoformat(),
        "last_seen": entity.last_seen.isoformat(),
        "memories": len(named.members),
        "members": [each.number for each in named.members[-_MOST_MEMBERS:]],
        "beside": [[name, count] for name, count in named.beside],
        "relations": [
            {
                "relation": each.relation,
                "name": each.name,
                "number": each.number,
                "is_inward": each.is_inward,
            }
            for each in told
        ],
        "facts": [each.as_plain for each in facts],
    }
    return Artefact(
        kind=ArtefactKind.ENTITY_PROFILE, scope=scope, key=entity.key,
        text="\n".join([title_of(entity), *(f"- {each.shown}" for each in facts)]), body=body,
        sources=tuple(each.number for each in sources), trust=trust, secrecy=secrecy, made_at=now,
    )  # fmt: skip


def _first_of_each(lines: Iterable[Line], most: int) -> Iterable[Line]:
    """The best line of each memory."""
    seen: set[int] = set()
    for each in lines:
        if each.number not in seen and len(seen) < most:
            seen.add(each.number)
            yield each


def card_of(
    named: Named, lines: Sequence[Line], *, scope: Scope, now: datetime, most_words: int
) -> Artefact | None:
    """The card of an entity; None: too few memories say something that can be put on one."""
    title = title_of(named.entity)
    kept = card_lines(lines, most_words=most_words - len(title.split()))
    numbers = {each.number for each in kept}
    if len(named.members) < FEWEST_FOR_CARD or len(numbers) < FEWEST_FOR_PROFILE:
        return None
    sources = [each for each in named.members if each.number in numbers]
    trust, secrecy = inherited(sources)
    return Artefact(
        kind=ArtefactKind.PEER_CARD, scope=scope, key=named.entity.key,
        text=card_text(title, kept),
        body={
            "name": named.entity.name, "keys": sorted(named.entity.keys), "title": title,
            "lines": [each.as_plain for each in kept], "is_written": False,
        },
        sources=tuple(each.number for each in sources), trust=trust, secrecy=secrecy, made_at=now,
    )  # fmt: skip


def title_of(entity: Entity) -> str:
    """The name of an entity, what it is, and what else it is called."""
    also = f", also {', '.join(entity.aliases[:_MOST_FACTS])}" if entity.aliases else ""
    sort = "" if entity.type is EntityType.UNKNOWN else f" ({entity.type})"
    return f"{entity.name}{sort}{also}"


def card_text(title: str, lines: Iterable[Line]) -> str:
    """A card in words."""
    return "\n".join([title, *under_headings(lines)])


def seen_card(
    entity: Entity,
    cards: Sequence[Artefact],
    profiles: Sequence[Artefact],
    wordings: Mapping[int, int],
) -> Card:
    """What was made of an entity in the scopes in sight, as far as its sources still stand."""
    texts = (_seen_text(each, entity, wordings) for each in nearest_first(cards))
    return Card(
        entity,
        "\n\n".join(text for text in texts if text),
        standing_lines(cards, "lines", wordings),
        standing_lines(profiles, "facts", wordings),
        tuple(each for one in nearest_first(profiles) for each in relations_in(one, wordings)),
        max((each.made_at for each in (*cards, *profiles)), default=None),
    )


def _seen_text(card: Artefact, entity: Entity, wordings: Mapping[int, int]) -> str:
    """A card in words; one of whose sources is gone is told by the lines that are left."""
    every = lines_in(card.body, "lines")
    kept = standing(every, wordings)
    if len(kept) == len(every):
        return card.text
    return card_text(title_of(entity), kept) if kept else ""


def relations_in(profile: Artefact, wordings: Mapping[int, int]) -> tuple[Related, ...]:
    """How an entity is related by what still stands."""
    found = profile.body.get("relations", ())
    rows = found if isinstance(found, Sequence) and not isinstance(found, str) else ()
    related = (
        Related(
            str(row["relation"]), str(row["name"]), int(str(row["number"])),
            row["is_inward"] is True,
        )
        for row in rows if isinstance(row, Mapping)
    )  # fmt: skip
    return tuple(each for each in related if each.number in wordings)


def centroids(
    named: Iterable[Named], vectors: "Mapping[int, NDArray[np.float32]]", *, fewest: int = 2
) -> "dict[str, NDArray[np.float32]]":
    """Where each entity lies among the meanings: the middle of its statements, of length one."""
    import numpy as np

    found: dict[str, NDArray[np.float32]] = {}
    for each in named:
        rows = [vectors[memory.number] for memory in each.members if memory.number in vectors]
        if len(rows) < fewest:
            continue
        middle = np.asarray(np.mean(np.stack(rows), axis=0), dtype=np.float32)
        length = float(np.linalg.norm(middle))
        if length > 0.0:
            found[each.entity.key] = np.asarray(middle / length, dtype=np.float32)
    return found
