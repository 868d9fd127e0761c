"""The shortest way to a memory: a decorator around whatever answers messages.

STORE=/tmp/example OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_API_KEY=none MODEL=llama3.1 \
    python examples/decorator.py "I prefer pnpm." "Which package manager do I prefer?"
"""

import os
import sys

from openai import OpenAI

from engram import Engram
from engram.integrations.remembering import remembering

MODEL = os.environ.get("MODEL", "gpt-4o-mini")


def main(*said: str) -> None:
    """Say one after the other; each time the function gets the messages that belong there."""
    with Engram.open(os.environ.get("STORE")) as engram, OpenAI() as client:

        @remembering(engram, model=MODEL, session="example")
        def answer(messages: list[dict[str, object]]) -> str:
            reply = client.chat.completions.create(model=MODEL, messages=messages)  # type: ignore[call-overload]  # plain dictionaries
            return str(reply.choices[0].message.content)

        for text in said:
            print(answer(text))


if __name__ == "__main__":
    main(*(sys.argv[1:] or sys.exit(__doc__)))
