"""Questions and answers in words."""

from engram.surfaces.documents import Document
from engram.surfaces.operations.lines import bounded, on_one_line
from engram.surfaces.operations.telling import documents_in, values_in

_DONE = {
    "stored": "Kept as {}.",
    "confirmed": "It was known as {}, and counts once more.",
    "verified": "Noted that it holds: {}.",
    "replaced": "Kept in place of what was: {}.",
    "settled": "Settled: {} stays.",
    "withdrawn": "Withdrawn: {}.",
    "held": "It waits for a person as {}; the question stays open.",
}


def gaps(document: Document) -> str:
    """The questions that wait, a line each."""
    return _listed(document, "Nothing is asked.")


def questions(document: Document) -> str:
    """The questions to put now."""
    return _listed(document, "Nothing is to be asked now.")


def _listed(document: Document, nothing: str) -> str:
    found = documents_in(document["gaps"])
    lines = [f"{each['id']} ({each['kind']}) {on_one_line(each['question'])}" for each in found]
    return bounded(lines) if lines else nothing


def answered(document: Document) -> str:
    """What became of an answer, and what takes it back."""
    memories = documents_in(document["memories"])
    label = str(memories[0]["label"]) if memories else "nothing"
    done = _DONE[str(document["kind"])].format(label)
    changes = [str(each) for each in values_in(document["changes"])]
    return bounded([done, *(f"Take it back with undo {change}." for change in changes)])
