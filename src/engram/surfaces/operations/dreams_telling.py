"""Dreams in words: what was decided, pass by pass, and how to take it back."""

from engram.surfaces.documents import Document
from engram.surfaces.operations.lines import bounded, counted
from engram.surfaces.operations.telling import documents_in, values_in

_SHOWN = 5  # decisions of one pass; the report has them all


def dream(document: Document) -> str:
    """What a dream did, or would do."""
    done = [each for each in documents_in(document["passes"]) if _says_something(each)]
    number = int(str(document["decisions"]))
    if document["is_dry"]:
        head = f"{counted(number, 'decision')} would be made; nothing was changed."
    else:
        head = f"{counted(number, 'decision')} made by {document['id']}."
    lines = [line for each in done for line in _pass(each)]
    tail = [f"Take all of it back with undo {document['id']}."] if document["id"] and number else []
    return bounded([head, *lines, *tail])


def _says_something(report: Document) -> bool:
    return bool(report["decided"] or report["findings"] or report["skipped"])


def _pass(report: Document) -> list[str]:
    decided = documents_in(report["decided"])
    lines = [f"{report['step']} in {report['scope']}: {counted(len(decided), 'decision')}"]
    lines += [f"- {each['why']}" for each in decided[:_SHOWN]]
    lines += [f"- {each}" for each in values_in(report["findings"])[:_SHOWN]]
    if report["skipped"]:
        lines.append(f"- not done: {report['skipped']}")
    return lines


def dreams(document: Document) -> str:
    """The last dreams, a line each."""
    found = documents_in(document["dreams"])
    if not found:
        return "Nothing has been dreamt yet."
    return bounded([
        f"{each['id']} {str(each['at'])[:16]}: {counted(int(str(each['decisions'])), 'decision')}, "
        f"{each['undone']} undone{'' if each['finished_at'] else ', interrupted'}"
        for each in found
    ])  # fmt: skip
