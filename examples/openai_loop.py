"""A chat that remembers, with any server that speaks OpenAI's protocol.

STORE=/tmp/example OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_API_KEY=none MODEL=llama3.1 \
    python examples/openai_loop.py "I prefer pnpm." "Which package manager do I prefer?"
"""

import os
import sys
from datetime import UTC, datetime

from openai import OpenAI

from engram import Engram
from engram.integrations.openai_chat import converse
from engram.integrations.tools import Tool

CLOCK = Tool("clock", "The date and time now.", lambda _: f"{datetime.now(UTC):%Y-%m-%d %H:%M}")


def main(*said: str) -> None:
    """Say each in a session of its own: what is known in the last was told in the first."""
    model = os.environ.get("MODEL", "gpt-4o-mini")
    with Engram.open(os.environ.get("STORE")) as engram, OpenAI() as client:
        for number, text in enumerate(said):
            session = f"example-{number}"
            print(converse(client, engram, text, session=session, model=model, tools=[CLOCK]))
            engram.settle(timeout=10)


if __name__ == "__main__":
    main(*(sys.argv[1:] or sys.exit(__doc__)))
