"""What nobody foresaw, at the boundary of a surface: noted once, and told without its words."""

import logging
import traceback

from engram.errors import EngramError

_log = logging.getLogger("engram.surfaces")


def unexpected(error: Exception) -> EngramError:
    """Note what kind of error it was and where, and give what the caller is told instead.

    The text of an unexpected error could hold anything, even a memory: it goes nowhere.
    """
    kind = type(error).__name__
    _log.error("unexpected %s at %s", kind, _place(error))
    return EngramError(hint=f"It was unexpected ({kind}). Run `engram doctor`, then try again.")


def _place(error: Exception) -> str:
    """Where it went wrong, without a word of what was being worked on."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].name}:{frames[-1].lineno}" if frames else "nowhere"
