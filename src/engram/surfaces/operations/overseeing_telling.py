"""The overview and the map in words."""

from engram.surfaces.documents import Document
from engram.surfaces.operations.lines import bounded, counted, on_one_line
from engram.surfaces.operations.telling import documents_in


def overview(document: Document) -> str:
    """What is known altogether, a line for each paragraph."""
    nodes = documents_in(document["nodes"])
    if not nodes:
        return "There is no overview yet: a dream makes one."
    return bounded(
        f"- {on_one_line(each['text'])} ({_memories(each['members'])})" for each in nodes
    )


def domains(document: Document) -> str:
    """What is known how well, a line for each domain."""
    found = documents_in(document["domains"])
    if not found:
        return "There is no map yet: a dream makes one."
    return bounded([
        f"- {on_one_line(each['label'])}: {each['assessment']} ({each['confidence']}), "
        f"{_memories(each['memory_count'])}, "
        f"{counted(int(str(each['gaps'])), 'open question')}"
        for each in found
    ])  # fmt: skip


def _memories(number: object) -> str:
    return counted(int(str(number)), "memory", "memories")
