"""An agent of the OpenAI Agents SDK whose session is Engram.

STORE=/tmp/example OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_API_KEY=none MODEL=llama3.1 \
    python examples/openai_agents_session.py "I prefer pnpm." "Which package manager do I prefer?"
"""

import asyncio
import os
import sys

from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from openai import AsyncOpenAI

from engram import Engram
from engram.integrations.openai_agents import EngramSession


async def talk(engram: Engram, *said: str) -> None:
    """Say all but the last in one session, and the last in another."""
    async with AsyncOpenAI() as client:
        name = os.environ.get("MODEL", "gpt-4o-mini")
        model = OpenAIChatCompletionsModel(model=name, openai_client=client)
        for number, text in enumerate(said):
            session = EngramSession("second" if number == len(said) - 1 else "first", engram)
            # What other sessions told comes in as data, between marks that it cannot close.
            asked = [{"role": "user", "content": text}]
            window = await asyncio.to_thread(engram.context, asked, model=name, system="Be brief.")
            instructions = f"{window.system}\n\n{window.memory_block}"
            agent = Agent(name="assistant", instructions=instructions, model=model)
            print((await Runner.run(agent, text, session=session)).final_output)
            engram.settle(timeout=10)


def main(*said: str) -> None:
    """Open the store, and send no traces anywhere."""
    set_tracing_disabled(True)
    with Engram.open(os.environ.get("STORE")) as engram:
        asyncio.run(talk(engram, *said))


if __name__ == "__main__":
    main(*(sys.argv[1:] or sys.exit(__doc__)))
