"""The JSON in what a model said, whatever it wrapped it in."""

import json

_FENCE = "```"
_THOUGHT_ENDS = "</think>"  # local models that reason aloud put the answer behind it


class NotJson(ValueError):
    """An answer that is no JSON document."""


def json_in(text: str) -> object:
    """The document of an answer, without the thoughts before it and the Markdown fence around."""
    try:
        found: object = json.loads(_bare(text.strip()))
    except (ValueError, RecursionError):
        raise NotJson from None
    return found


def _bare(text: str) -> str:
    if text.startswith("{"):
        return text
    plain = text.rpartition(_THOUGHT_ENDS)[2].strip()
    begins = plain.find("\n", plain.find(_FENCE)) if _FENCE in plain else -1
    ends = plain.rfind(_FENCE)
    return plain[begins:ends] if 0 <= begins < ends else plain


def shown_as_text(document: str) -> str:
    """JSON in which no text can pass for anything but text.

    Models are trained to obey what stands in their own marks, such as <|im_start|>.
    """
    return document.replace("<", "\\u003c").replace(">", "\\u003e")
