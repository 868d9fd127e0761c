"""The short way to `engram mcp`: past the command line, which takes longer to load than to read.

It knows the options and nothing else. Whatever it does not understand is left to the command line,
which says what is wrong with it, or shows the help.
"""

import sys
from collections.abc import Sequence

from engram.errors import EngramError
from engram.security.process import claim
from engram.surfaces.mcp.serve import CALLERS, POLICIES, TOOLS, Wish, serve

_CHOICES = {"tools": TOOLS, "policy": POLICIES, "caller": CALLERS}
_FIELDS = {
    "--store": "store",
    "--scope": "scope",
    "--tools": "tools",
    "--policy": "policy",
    "--as": "caller",
}


def understood(words: Sequence[str]) -> Wish | None:
    """What the words after `engram mcp` ask for; None when they are not plain."""
    given: dict[str, str] = {}
    left = list(words)
    while left:
        option, equals, value = left.pop(0).partition("=")
        if option not in _FIELDS or _FIELDS[option] in given or (not equals and not left):
            return None
        given[_FIELDS[option]] = value if equals else left.pop(0)
    is_known = all(value in _CHOICES.get(name, (value,)) for name, value in given.items())
    return Wish(**given) if is_known else None


def serve_at_once(words: Sequence[str]) -> bool:
    """Serve if the words are plain; False: nothing was done."""
    wish = understood(words)
    if wish is None:
        return False
    try:
        serve(wish)
    except EngramError as error:
        print(error, file=sys.stderr)  # noqa: T201  # what a harness shows of a server that ended
        sys.exit(1)
    return True


def main() -> None:
    """`python -m` for `engram mcp`."""
    claim()
    if not serve_at_once(sys.argv[2:]):
        from engram.surfaces.cli import main as command_line

        command_line()
