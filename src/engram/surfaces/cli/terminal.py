"""The terminal: what may be printed on it, and how people are asked."""

import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

# What a terminal would obey instead of show: control characters, marks that turn the direction
# of reading around, separators that end a line; and halves of characters, which cannot be printed.
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_PIPE_SIZE = (100, 25)  # a pipe has no width of its own


def safe(text: str) -> str:
    """The text with everything a terminal would obey made visible instead."""
    return _OBEYED.sub(lambda found: ascii(found[0])[1:-1], text)


def styled(text: object, style: str = "") -> "Text":
    """Text that is printed as it is: no markup is read in it, no escape is obeyed."""
    from rich.text import Text

    return Text(safe(str(text)), style=style)


def console(*, stderr: bool = False) -> "Console":
    """The terminal, or whatever the output goes to."""
    from rich.console import Console

    made = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not made.is_terminal:
        made.width = shutil.get_terminal_size(_PIPE_SIZE).columns  # COLUMNS, where it is set
    return made


@contextmanager
def at_work(what: str) -> "Iterator[None]":
    """Say on stderr what is being waited for, as long as it lasts and if somebody is looking."""
    if not sys.stderr.isatty():
        yield
        return
    with console(stderr=True).status(styled(what, "dim")):
        yield


def is_interactive() -> bool:
    """Whether a person sits at the other end of the input."""
    return sys.stdin is not None and sys.stdin.isatty()


def ask(question: str) -> str:
    """One line typed by a person; asked on stderr, because stdout belongs to the answer."""
    sys.stderr.write(safe(question))
    sys.stderr.flush()
    try:
        return input().strip()
    except EOFError:
        return ""


def is_confirmed(question: str) -> bool:
    """Whether a person says yes."""
    return ask(f"{question} [y/N] ").lower() in ("y", "yes")


def ask_secret(question: str) -> str:
    """A secret, typed unseen; without a terminal, the next line of the input."""
    if not is_interactive():
        return sys.stdin.readline().rstrip("\r\n")
    from getpass import getpass

    return getpass(question, stream=sys.stderr)
