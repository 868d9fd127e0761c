"""Models and counts of tokens in words."""

from engram.surfaces.documents import Document
from engram.surfaces.operations.lines import on_one_line


def model(document: Document) -> str:
    """What a model can take, in a line, and what has to be said about it."""
    gifts = [name for name in ("tools", "vision", "thinking") if document[f"has_{name}"]]
    told = (
        f"{on_one_line(document['name'])}: a window of {document['window']} tokens, answers of "
        f"{document['output']} at most; {', '.join(gifts) or 'text alone'}; counted as "
        f"{document['tokenizer']}."
    )
    return f"{told}\n{document['notice']}" if document["notice"] else told


def count_tokens(document: Document) -> str:
    """What a text takes, and what that is worth."""
    worth = "exactly" if document["is_exact"] else "by estimate"
    return f"{document['tokens']} tokens, {worth} ({document['counter']})."
