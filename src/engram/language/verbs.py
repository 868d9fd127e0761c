"""Verbs that say one thing has one value at a time, and words that mean whoever speaks.

The verbs are in a data file per language.
"""

import json
import re
from functools import cache
from importlib.resources import files

FIRST_PERSON = re.compile(r"\b(?:i|i['’]\w+|me|my|mine|we|we['’]\w+|our|us)\b", re.IGNORECASE)


@cache
def single_valued() -> tuple[str, ...]:
    """The endings of what stands before such a value, each with a space before it."""
    read = files("engram.language").joinpath("en", "single_valued.json").read_text("utf-8")
    return tuple(f" {phrase}" for phrase in json.loads(read))
