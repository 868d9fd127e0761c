"""Profiles, cards, topics and traces as documents: every line with the memory it is taken from."""

from typing import TYPE_CHECKING

from engram.memory.ids import label_of
from engram.surfaces.documents import Document, entity_document, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engram.memory.dreams.behaviour import Behaviour
    from engram.memory.dreams.cards import Card, Related
    from engram.memory.dreams.lines import Line
    from engram.memory.dreams.topics import Topic
    from engram.memory.dreams.traces import Trace


def behaviour_document(found: "Behaviour") -> Document:
    """How the person behaves."""
    return {
        "lines": _lines(found.lines),
        "text": found.text,
        "reflection": found.reflection,
        "made_at": plain(found.made_at),
    }


def card_document(found: "Card") -> Document:
    """What is known of somebody or something in a few lines."""
    return {
        "entity": entity_document(found.entity),
        "text": found.text,
        "lines": _lines(found.lines),
        "facts": _lines(found.facts),
        "relations": [_related(each) for each in found.relations],
        "made_at": plain(found.made_at),
    }


def topic_document(found: "Topic") -> Document:
    """One thing that is talked about."""
    return {
        "name": found.name,
        "count": found.count,
        "share": found.share,
        "last_seen": plain(found.last_seen),
        "memories": [label_of(number) for number in found.numbers],
    }


def trace_document(found: "Trace") -> Document:
    """A thing that was come back to."""
    return {
        "id": found.id,
        "topics": list(found.topics),
        "since": plain(found.since),
        "until": plain(found.until),
        "boxes": found.boxes,
        "sessions": found.sessions,
        "memories": [label_of(number) for number in found.numbers],
        "lines": _lines(found.lines),
    }


def _lines(lines: "Iterable[Line]") -> list[Document]:
    return [
        {"text": each.text, "heading": each.heading, "memory": label_of(each.number)}
        for each in lines
    ]


def _related(related: "Related") -> Document:
    return {
        "relation": related.relation,
        "name": related.name,
        "is_inward": related.is_inward,
        "memory": label_of(related.number),
    }
