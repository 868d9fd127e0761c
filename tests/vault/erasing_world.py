"""A store in which somebody is talked of by every way in, and others beside."""

from engram import Engram, Scope
from engram.memory.episodes.events import ToolCall, ToolResult
from engram.memory.episodes.outcomes import Success

SETTINGS = {
    "embedder": {"kind": "hashing"},
    "daemon": {"start": "never"},
    "storage": {"backup_every_hours": 0},
}
PERSON = "Quirina Zolnerowich"
# Words that stand in nothing else: none of them may be found afterwards.
CANARIES = (
    "Quirina", "Zolnerowich", "flamboyancy", "kaleidoscopes", "Wroclawski", "gramophone",
    "xylophonist", "tramontanas", "bougainvilleas", "oystercatchers",
    "cumulonimbus", "sphagnummoss", "quincunxes", "labradorites",
)  # fmt: skip
KEPT = "Bo Larsen keeps the harbour lights in order."
PROJECT = Scope(project="acme")


def fill(engram: Engram, clock) -> None:
    """Talk of a person by every way in; a dream at the end sums it up."""
    engram.remember(KEPT, subject="Bo Larsen")
    engram.remember("Bo Larsen lives in Porto.", subject="Bo Larsen")
    first = engram.remember(
        f"{PERSON} collects kaleidoscopes.", subject=PERSON, metadata={"hint": "flamboyancy"},
        idempotency_key="one",
    ).memory  # fmt: skip
    engram.revise(first.id, f"{PERSON} collects old kaleidoscopes.", reason="Wroclawski said so")
    engram.remember(f"{PERSON} really collects old kaleidoscopes!", session="s2")
    other = engram.remember(f"{PERSON} owns a gramophone.").memory
    engram.feedback(other.id, helpful=True, query="Who has a gramophone?")
    engram.relate(first.id, other.id, "related", reason="the gramophone")
    engram.observe(
        f"My neighbour {PERSON} became a xylophonist in March.", session="talk", role="user"
    )
    engram.flush()
    engram.episodes.record(
        {"goal": f"help {PERSON} with her tramontanas"},
        [ToolCall("look"), ToolResult("look", "the bougainvilleas were in the way", True)],
        Success("oystercatchers came"),
        participants=[PERSON],
    )
    engram.knowledge.learn(PERSON, "works_for", "Cumulonimbus")
    engram.knowledge.learn(PERSON, property="hobby", value="sphagnummoss")
    engram.working.attend(f"{PERSON} and the quincunxes", session="mind")
    engram.working.suspend(session="mind")
    engram.remember("Dr. Labradorites plays chess with Bo Larsen.")
    engram.merge_entities("Labradorites", PERSON, reason="a nickname")
    clock.advance(days=2)
    engram.settle()
