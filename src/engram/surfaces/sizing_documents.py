"""What models can take, and what texts take, as documents."""

from engram.engine.sizing import LanguageModelLimits, TokenCount
from engram.surfaces.documents import Document


def model_document(found: LanguageModelLimits) -> Document:
    """One model with what has to be said about its figures."""
    return {
        "name": found.name,
        "known_as": found.known_as,
        "provider": found.provider,
        "window": found.window,
        "output": found.output,
        "has_tools": found.has_tools,
        "has_vision": found.has_vision,
        "has_thinking": found.has_thinking,
        "tokenizer": found.tokenizer,
        "is_known": found.is_known,
        "notice": found.notice,
    }


def models_document(found: list[LanguageModelLimits]) -> Document:
    """All of them, in their order."""
    return {"models": [model_document(each) for each in found]}


def token_count_document(found: TokenCount) -> Document:
    """What a text takes, by whom that was counted, and whether it is exact."""
    return {"tokens": found.tokens, "counter": found.counter, "is_exact": found.is_exact}
