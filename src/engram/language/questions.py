"""The questions one asks about people and things, and short replies to questions, as data."""

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def read_questions() -> dict[str, Any]:
    """What stands in `en/questions.json`: `sorts` of subjects and kinds of `replies`."""
    path = files("engram.language").joinpath("en", "questions.json")
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found
