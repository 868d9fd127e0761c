"""What an agent from outside is shown of protected memories: never the text itself.

What such a caller reads comes veiled from the store already. This is for what a change gives back:
the memory that it touched, with a text that somebody else may have said.
"""

from typing import cast

from engram.engine import Engram
from engram.memory.secrecy import is_protected, shown
from engram.memory.vocabulary import Secrecy
from engram.surfaces.documents import Document


def as_shown_to(engram: Engram, document: Document) -> Document:
    """A document as its caller may see it."""
    if not engram.principal.is_veiled:
        return document
    return cast("Document", _veiled(document))


def _veiled(value: object) -> object:
    if isinstance(value, list):
        return [_veiled(each) for each in value]
    if not isinstance(value, dict):
        return value
    found = {key: _veiled(each) for key, each in value.items()}
    secrecy = found.get("secrecy")
    if "content" not in found or not isinstance(secrecy, str) or not is_protected(Secrecy(secrecy)):
        return found
    is_summed_up = secrecy == Secrecy.SENSITIVE
    summary = cast("str | None", found.get("summary")) if is_summed_up else None
    content = shown("", summary, Secrecy(secrecy))
    return {**found, "content": content, "summary": summary, "metadata": {}}
