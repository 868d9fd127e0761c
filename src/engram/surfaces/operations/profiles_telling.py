"""Profiles, cards, topics and traces in words: whatever a memory says, it stays on its line."""

from engram.surfaces.documents import Document
from engram.surfaces.operations.lines import bounded, counted, on_one_line
from engram.surfaces.operations.telling import document_in, documents_in, values_in

_NOT_YET = "Nothing is known of this yet; a dream finds it out."
_NAMED = 5


def behaviour(document: Document) -> str:
    """How the person behaves, by heading."""
    lines = _under_headings(document["lines"])
    reflected = [f"- {on_one_line(row)}" for row in str(document["reflection"]).splitlines() if row]
    told = [*lines, *(["In their own words:", *reflected] if reflected else [])]
    return bounded(told) if told else _NOT_YET


def card(document: Document) -> str:
    """What is known of somebody or something."""
    entity = document_in(document["entity"])
    head = f"{on_one_line(entity['name'], 200)} ({entity['type']})"
    lines = _under_headings(document["lines"] or document["facts"])
    related = [
        f"- {_relation(each)} [{each['memory']}]" for each in documents_in(document["relations"])
    ]
    return bounded([head, *(lines or [_NOT_YET]), *(["Relations", *related] if related else [])])


def _relation(related: Document) -> str:
    name, relation = on_one_line(related["name"], 200), on_one_line(related["relation"], 100)
    return f"{name} {relation} this" if related["is_inward"] else f"{relation} {name}"


def _under_headings(lines: object) -> list[str]:
    told: list[str] = []
    heading = ""
    for each in documents_in(lines):
        if each["heading"] != heading:
            heading = str(each["heading"])
            told.append(on_one_line(heading, 100))
        told.append(f"- {on_one_line(each['text'])} [{each['memory']}]")
    return told


def topics(document: Document) -> str:
    """What memories are about, a line each."""
    return bounded(map(_topic, documents_in(document["topics"]))) or _NOT_YET


def _topic(topic: Document) -> str:
    told = counted(int(str(topic["count"])), "memory", "memories")
    labels = ", ".join(map(str, values_in(topic["memories"])))
    name, last = on_one_line(topic["name"], 200), str(topic["last_seen"])[:10]
    return f"{name}: {told}, last {last} [{labels}]"


def traces(document: Document) -> str:
    """What was come back to, a line each."""
    told = bounded(map(_trace, documents_in(document["traces"])))
    return told or "Nothing was come back to yet."


def _trace(trace: Document) -> str:
    topics = ", ".join(on_one_line(each, 100) for each in values_in(trace["topics"])[:_NAMED])
    span = f"{str(trace['since'])[:10]} to {str(trace['until'])[:10]}"
    labels = ", ".join(map(str, values_in(trace["memories"])[:_NAMED]))
    return f"{topics}: {span}, {counted(int(str(trace['boxes'])), 'time')} [{labels}]"
