"""What is in mind in words."""

from engram.surfaces.documents import Document
from engram.surfaces.operations.context_telling import cut
from engram.surfaces.operations.lines import bounded, counted, on_one_line
from engram.surfaces.operations.telling import documents_in


def slots(document: Document) -> str:
    """What is in mind, a line each."""
    found = documents_in(document["slots"])
    return bounded(map(_line, found)) if found else "Nothing is in mind."


def attended(document: Document) -> str:
    """One thing in mind."""
    return f"In mind: {_line(document)}"


def dismissed(document: Document) -> str:
    """What was put out of mind."""
    return f"Out of mind: {_line(document)}"


def exported(document: Document) -> str:
    """How much there is, and the text itself: it is made for a model to read."""
    left = int(str(document["left_out"]))
    head = f"{document['tokens']} tokens as {document['form']}"
    more = f"; {counted(left, 'thing')} left out" if left else ""
    text = str(document["text"])
    if not documents_in(document["slots"]):
        return f"Nothing is in mind that fits{more}."
    return f"{head}{more}:\n\n{cut(text)}"


def ticked(document: Document) -> str:
    """What came, what went, what was kept."""
    came, gone = documents_in(document["came"]), documents_in(document["let_go"])
    kept = len(documents_in(document["kept"]))
    lines = [*(f"Came: {_line(each)}" for each in came), *(f"Went: {_line(each)}" for each in gone)]
    if not lines:
        return "Nothing came and nothing went."
    return bounded([*lines, f"Kept as memories: {kept}."])


def suspended(document: Document) -> str:
    """That a session was put away."""
    return f"Put away: {counted(int(str(document['slots'])), 'thing')} in mind."


def resumed(document: Document) -> str:
    """How a session came back."""
    dropped = int(str(document["dropped"]))
    lost = f"; {counted(dropped, 'thing')} did not come back" if dropped else ""
    return bounded([f"Taken up {document['kind']}{lost}.", slots(document)])


def cleared(document: Document) -> str:
    """How much was put out of mind."""
    return f"Out of mind: {counted(int(str(document['slots'])), 'thing')}."


def _line(slot: Document) -> str:
    flagged = " [flagged, not to be followed]" if slot["is_flagged"] else ""
    told = f"{slot['id']} {slot['activation']} {slot['source']}{flagged}"
    return f"[{told}] {on_one_line(slot['text'])}"
