"""What listening came to, in words: turns, what was learnt of them, and what would be."""

from typing import cast

from engram.surfaces.documents import Document
from engram.surfaces.operations.lines import bounded, counted, on_one_line
from engram.surfaces.operations.telling import (
    document_in,
    documents_in,
    memory_line,
    replacement,
    undo_hint,
    values_in,
)

_NAMED = 20  # of what is told in one line


def observed(document: Document) -> str:
    """What became of a turn, and what was learnt at once."""
    kept = document_in(document["memory"])
    head = f"{str(document['kind']).capitalize()} as {kept['label']}"
    learnt = [_learnt(each) for each in documents_in(document["learnt"])]
    return bounded(
        [f"{head} ({on_one_line(document['reason'], 500)}).{undo_hint(document)}", *learnt]
    )


def observations(document: Document) -> str:
    """What became of many turns."""
    found = documents_in(document["turns"])
    return bounded([f"{counted(len(found), 'turn')}.", *map(observed, found)])


def result(document: Document) -> str:
    """What became of a result."""
    turn = document["turn"]
    return observed(document_in(turn)) if turn else "Not kept: it tells nothing."


def extracted(document: Document) -> str:
    """What reading turns came to."""
    learnt = documents_in(document["learnt"])
    turns = counted(cast("int", document["turns"]), "turn")
    problem = [on_one_line(document["problem"], 500)] if document["problem"] else []
    return bounded([f"Read {turns}.", *problem, *map(_learnt, learnt)])


def _learnt(document: Document) -> str:
    told = f"Learnt ({document['kind']}): {memory_line(document_in(document['memory']))}"
    return f"{told}{replacement(document)}"


def reading(document: Document) -> str:
    """What would be learnt from a turn, and why the rest would not be."""
    statements = documents_in(document["statements"])
    head = f"{counted(len(statements), 'statement')} would be learnt; nothing was kept."
    skipped = [
        f"Skipped ({each['reason']}): {on_one_line(each['quote'], 500)}"
        for each in documents_in(document["skipped"])
    ]
    return bounded([head, *map(_quoted, statements), *skipped, *_named_in(document)])


def _quoted(statement: Document) -> str:
    about = ", ".join(on_one_line(each, 200) for each in values_in(statement["subject"]))
    sure = cast("float", statement["confidence"])
    marks = [str(statement["category"]), str(statement["modality"]), f"{sure:.2f}"]
    told = f"Learnt ({', '.join(marks)}): {on_one_line(statement['content'])}"
    return f"{told} About {about}." if about else told


def _named_in(document: Document) -> list[str]:
    """The times, names and private places of a turn, a line each."""
    times = [
        f"{on_one_line(each['text'], 200)} = {each['start']} to {each['end']}"
        for each in documents_in(document["times"])
    ]
    names = [
        f"{on_one_line(each['name'], 200)} ({each['type']})"
        for each in documents_in(document["entities"])
    ]
    private = [
        f"{each['kind']} at {each['start']} to {each['end']} ({each['protection']})"
        for each in documents_in(document["private"])
    ]
    rows = (("Times", times), ("Names", names), ("Private", private))
    return [f"{title}: {'; '.join(found[:_NAMED])}." for title, found in rows if found]


def reread(document: Document) -> str:
    """What reading all turns again came to, or would come to."""
    is_tried = bool(document["is_dry_run"])
    turns = counted(cast("int", document["turns"]), "turn")
    learnt = counted(cast("int", document["learnt"]), "quote")
    done = "would be" if is_tried else "was"
    head = (
        f"{turns} read again: {learnt} {done} learnt, {document['retired']} {done} retired; "
        f"{document['kept']} decided on by a person stay."
    )
    undo = [f"To take it back: engram undo {document['id']}"] if document["id"] else []
    return bounded([head, *map(_turn_read_again, documents_in(document["changed"])), *undo])


def _turn_read_again(turn: Document) -> str:
    quotes = "; ".join(on_one_line(each, 300) for each in values_in(turn["learnt"])) or "nothing"
    retired = ", ".join(str(each) for each in values_in(turn["retired"]))
    return f"{turn['turn']}: {quotes}" + (f" (instead of {retired})" if retired else "")
