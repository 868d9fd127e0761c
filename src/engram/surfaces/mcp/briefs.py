"""What the short tool sets give back: the few fields of a document that a model has use for."""

from collections.abc import Callable, Iterable, Mapping
from typing import cast

from engram.surfaces.documents import Document

Brief = Callable[[Document], Document]
_OF_MEMORY = ("id", "label", "content", "category", "status", "at", "speaker", "score")


def outcome(document: Document) -> Document:
    """What became of a statement."""
    return {**_some(document, ("kind", "reason", "change_id")), "memory": _memory(document)}


def changed(document: Document) -> Document:
    """A memory as a change left it."""
    return {**_some(document, ("change_id",)), "memory": _memory(document)}


def hits(document: Document) -> Document:
    """What was found, and how sure that is."""
    told = _some(document, ("assessment", "confidence", "degraded"))
    return {**told, "hits": _memories(document["hits"])}


def memories(document: Document) -> Document:
    """A page of a listing."""
    return {"memories": _memories(document["memories"]), "next": document["next"]}


def judged(document: Document) -> Document:
    """What became of a word on a memory."""
    told = _some(document, ("helpful", "is_repeat", "change_id"))
    return {**told, "memory": _memory(document)}


def whole(document: Document) -> Document:
    """All of it, where there is little."""
    return document


def _memory(document: Document) -> Document:
    return _some(cast("Document", document["memory"]), _OF_MEMORY)


def _memories(found: object) -> list[Document]:
    return [_some(each, _OF_MEMORY) for each in cast("Iterable[Document]", found)]


def _some(document: Mapping[str, object], names: Iterable[str]) -> Document:
    return {name: document[name] for name in names if document.get(name) is not None}
