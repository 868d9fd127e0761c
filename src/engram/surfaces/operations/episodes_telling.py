"""What operations on episodes gave, in words: short lines for a model."""

from typing import cast

from engram.surfaces.documents import Document
from engram.surfaces.operations.lines import bounded, counted, on_one_line
from engram.surfaces.operations.telling import (
    document_in,
    documents_in,
    marks_of,
    undo_hint,
    values_in,
)

_NONE = "No episodes."
_KINDS = {
    "recorded": "Recorded", "ended": "Ended", "known": "Recorded before",
    "held": "Held for a person's decision (engram review)",
}  # fmt: skip
_NAMED = 20  # of what is told in one line


def begun(document: Document) -> str:
    """An episode that goes on from now."""
    return f"Begun: {_line(document_in(document['episode']))}.{undo_hint(document)}"


def added(document: Document) -> str:
    """Events that were added."""
    count, total = cast("int", document["count"]), cast("int", document["total"])
    told = f"Added {counted(count, 'event')} to {document['episode_id']}, which has {total:,} now."
    return f"{told}{undo_hint(document)}"


def kept(document: Document) -> str:
    """An episode that has ended, and what it hangs together with."""
    head = f"{_KINDS[str(document['kind'])]}: {_line(document_in(document['episode']))}"
    ties = [
        f"{name}: {', '.join(map(str, found[:_NAMED]))}"
        for name, key in (("Similar", "similar"), ("Followed from", "causes"))
        if (found := values_in(document[key]))
    ]
    return bounded([f"{head}.{undo_hint(document)}", *ties])


def episode(document: Document) -> str:
    """One episode: how it stood, who took part, how it ended, what it meant."""
    situation = document_in(document["situation"])
    people = documents_in(document["participants"])
    with_whom = ", ".join(_person(each) for each in people[:_NAMED])
    around = _pairs(document_in(situation["environment"]))
    figures = ", ".join(
        f"{name} {cast('float', document[name]):.2f}"
        for name in ("significance", "surprise", "valence", "strength")
    )
    details = {
        "with": with_whom,
        "tools": ", ".join(
            on_one_line(each, 200) for each in values_in(situation["tools"])[:_NAMED]
        ),
        "around": around,
        "ended": document["ended_at"] or "not yet",
        "meant": figures,
    }
    told = [f"{name}: {value}" for name, value in details.items() if value]
    return bounded([_line(document), *told])


def episodes(document: Document) -> str:
    """Episodes as lines."""
    found = documents_in(document["episodes"])
    return bounded(map(_line, found)) if found else _NONE


def similar(document: Document) -> str:
    """Similar episodes as numbered lines."""
    found = documents_in(document["hits"])
    lines = [
        f"{place}. {cast('float', hit['score']):.2f} {_line(hit)}"
        for place, hit in enumerate(found, start=1)
    ]
    return bounded(lines) if lines else "Nothing like this happened before."


def events(document: Document) -> str:
    """What happened, line by line; where the next page begins."""
    lines = [_event(each) for each in documents_in(document["events"])]
    following = document["next"]
    more = [f"More: after={following}"] if following else []
    return bounded([*lines, *more]) or "Nothing happened yet."


def consolidated(document: Document) -> str:
    """What fading episodes came to."""
    found = documents_in(document["found"])
    looked = counted(cast("int", document["looked_at"]), "fading episode")
    done = "would come to" if document["dry_run"] else "came to"
    head = f"{looked} {done} {counted(len(found), 'statement')}."
    return bounded([head, *map(_pattern, found)])


def _pattern(found: Document) -> str:
    memory = found["memory"]
    label = f"{document_in(memory)['label']} " if memory else ""
    skill = f" Skill: {on_one_line(found['skill'], 200)}." if found["skill"] else ""
    problem = f" Not so: {on_one_line(found['problem'], 500)}" if found["problem"] else ""
    of = counted(len(values_in(found["episodes"])), "episode")
    return f"{label}({of}) {on_one_line(found['statement'])}{skill}{problem}{undo_hint(found)}"


def _line(found: Document) -> str:
    """An episode: what it was about, and how it ended."""
    marks = [str(found["kind"]), str(found["started_at"])[:16].replace("T", " ")]
    marks.append(counted(cast("int", found["event_count"]), "event"))
    marks += marks_of(document_in(found["memory"]))[1:]  # its day stands there already
    end = _end(document_in(found["outcome"]))
    about = _about(document_in(found["situation"]))
    return f"{found['label']} ({', '.join(marks)}) {about}{f' -> {end}' if end else ''}"


def _about(situation: Document) -> str:
    parts = [situation["goal"], situation["text"], situation["task"]]
    return "; ".join(on_one_line(part, 500) for part in parts if part) or "(nothing said)"


def _end(outcome: Document) -> str:
    """What is known of the end beside its kind."""
    told = [
        f"{name}: {on_one_line(_words(outcome[name]), 500)}"
        for name in ("error", "reason", "learned", "completed", "remaining", "blockers", "result")
        if outcome.get(name)
    ]
    return "; ".join(told)


def _words(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_words(each) for each in value)
    return _pairs(value) if isinstance(value, dict) else str(value)


def _pairs(values: Document) -> str:
    told = [f"{on_one_line(name, 100)} {on_one_line(_words(each), 200)}"
            for name, each in list(values.items())[:_NAMED]]  # fmt: skip
    return ", ".join(told)


def _event(numbered: Document) -> str:
    event = document_in(numbered["event"])
    who = f" {on_one_line(event['actor'], 200)}" if event["actor"] else ""
    failed = " [failed]" if event["success"] is False else ""
    text = on_one_line(numbered["text"], 500)
    return f"{numbered['sequence']}. {str(event['at'])[:19]}{who}: {text}{failed}"


def _person(person: Document) -> str:
    return f"{on_one_line(person['identifier'], 200)} ({person['role']})"
