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
    text = str(document["text"])
    left = len(text) - MOST_CHARACTERS
    if left > 0:
        text = f"{text[:MOST_CHARACTERS]}… ({left:,} more characters; `text` holds all)"
    return f"{head}\n\n{text}"
