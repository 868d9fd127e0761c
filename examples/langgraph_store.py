"""A LangGraph graph whose store is Engram: what one thread learns, another one knows.

STORE=/tmp/example OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_API_KEY=none MODEL=llama3.1 \
    python examples/langgraph_store.py "I prefer pnpm." "Which package manager do I prefer?"
"""

import os
import sys
from typing import TypedDict
from uuid import uuid4

from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore
from openai import OpenAI

from engram import Engram
from engram.integrations.langgraph_store import EngramStore, told

NAMESPACE = ("memories", "ada")


class State(TypedDict):
    """What goes through the graph."""

    said: str
    answer: str


def main(*said: str) -> None:
    """Run the graph once for each; it shares nothing but its store."""
    with Engram.open(os.environ.get("STORE")) as engram, OpenAI() as client:

        def respond(state: State, *, store: BaseStore) -> dict[str, str]:
            found = store.search(NAMESPACE, query=state["said"], limit=5)
            reply = client.chat.completions.create(
                model=os.environ.get("MODEL", "gpt-4o-mini"),
                messages=[
                    # As data, between marks that its words cannot close.
                    {"role": "system", "content": f"Be brief.\n\n{told(found)}"},
                    {"role": "user", "content": state["said"]},
                ],
            )
            store.put(NAMESPACE, str(uuid4()), {"text": state["said"]})
            return {"answer": reply.choices[0].message.content or ""}

        graph = StateGraph(State)
        graph.add_node("respond", respond)
        graph.add_edge(START, "respond")
        graph.add_edge("respond", END)
        compiled = graph.compile(store=EngramStore(engram))
        for text in said:
            print(compiled.invoke({"said": text, "answer": ""})["answer"])


if __name__ == "__main__":
    main(*(sys.argv[1:] or sys.exit(__doc__)))
