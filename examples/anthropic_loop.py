"""A chat that remembers, with any server that speaks Anthropic's protocol.

STORE=/tmp/example ANTHROPIC_BASE_URL=https://api.anthropic.com ANTHROPIC_API_KEY=... \
    python examples/anthropic_loop.py "I prefer pnpm." "Which package manager do I prefer?"
"""

import os
import sys
from datetime import UTC, datetime

from anthropic import Anthropic

from engram import Engram
from engram.integrations.anthropic_chat import converse
from engram.integrations.tools import Tool

CLOCK = Tool("clock", "The date and time now.", lambda _: f"{datetime.now(UTC):%Y-%m-%d %H:%M}")


def main(*said: str) -> None:
    """Say each in a session of its own: what is known in the last was told in the first."""
    model = os.environ.get("MODEL", "claude-haiku-4-5")
    with Engram.open(os.environ.get("STORE")) as engram, Anthropic() as client:
        for number, text in enumerate(said):
            session = f"example-{number}"
            print(converse(client, engram, text, session=session, model=model, tools=[CLOCK]))
            engram.settle(timeout=10)


if __name__ == "__main__":
    main(*(sys.argv[1:] or sys.exit(__doc__)))
