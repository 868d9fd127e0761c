"""A prompt in words: itself, since it is made to be read."""

from engram.surfaces.documents import Document
from engram.surfaces.operations.lines import MOST_CHARACTERS, counted


def context_told(document: Document) -> str:
    """What it takes, and the prompt as one text."""
    memories = document["memories"]
    number = len(memories) if isinstance(memories, list) else 0
    head = (
        f"{document['tokens']:,} of {document['budget']:,} tokens, "
        f"{counted(number, 'memory', 'memories')}"
    )
    notice = f"\n{document['notice']}" if document["notice"] else ""
    return f"{head}{notice}\n\n{cut(str(document['text']))}"


def cut(text: str) -> str:
    """A text for a model as far as an answer has room for it."""
    left = len(text) - MOST_CHARACTERS
    if left <= 0:
        return text
    return f"{text[:MOST_CHARACTERS]}… ({left:,} more characters; `text` holds all)"
