"""A prompt that was put together, as a document."""

from typing import TYPE_CHECKING

from engram.surfaces.documents import Document

if TYPE_CHECKING:
    from engram.engine.contexts import Context


def context_document(made: "Context", shape: str = "openai") -> Document:
    """The whole of it: what it takes, its sections, the memories in it, and it as messages."""
    return {**made.document(), "messages": list(made.messages(shape)), "text": made.text}
