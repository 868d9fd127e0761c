"""What nobody foresaw, at the boundary of a surface: noted once, and told without its words."""

import logging
import sys
from pathlib import Path

from engram.errors import EngramError
from engram.security.process import place_of

_log = logging.getLogger("engram.surfaces")


def unexpected(error: Exception) -> EngramError:
    """Note what kind of error it was and where, and give what the caller is told instead.

    The text of an unexpected error could hold anything, even a memory: it goes nowhere.
    """
    kind = type(error).__name__
    _log.error("unexpected %s", place_of(error).replace("\n", "; "))
    return EngramError(hint=f"It was unexpected ({kind}). Run `engram doctor`, then try again.")


class _WithoutWords(logging.Handler):
    """Says that a library logged something, how grave and where, and never what."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line to stderr."""
        if record.name == _log.name:
            said = record.getMessage()  # made of kinds and places above
        else:
            said = f"{record.name} at {Path(record.pathname).name}:{record.lineno}"
        if sys.stderr is not None:
            sys.stderr.write(f"{record.levelname.lower()}: {said}\n")


def quieten_loggers() -> None:
    """In a process of our own: whatever any library logs, no word of it is written anywhere."""
    root = logging.getLogger()
    if not any(isinstance(each, _WithoutWords) for each in root.handlers):
        root.addHandler(_WithoutWords(logging.WARNING))
