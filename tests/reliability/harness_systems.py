"""What a process does that lives, learns and tries things out until it is killed."""

import json
import os

from engram.engine import Engram
from engram.memory.episodes.events import ToolCall, ToolResult, UserMessage
from engram.memory.episodes.outcomes import Failure
from engram.memory.skills import CallTool, Procedure, ProcedureStep, Skill, TriggerPattern

FACTS = 20  # of one call
EVENTS = 3  # of one call
_QUIET = {"storage": {"backup_every_hours": 0}}


def live_until_killed(store: str, acks: str, name: str) -> None:
    """Change all three systems for ever; each call is noted down only after it has returned."""
    handle = os.open(acks, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)

    def acknowledge(*told: object) -> None:
        os.write(handle, (json.dumps(told) + "\n").encode())  # survives a SIGKILL

    engram = Engram.open(store, settings=_QUIET)
    skill = engram.skills.add(_skill(name))
    assert skill.skill is not None
    acknowledge("skill", skill.skill.id, 0)
    number = 0
    while True:
        number += 1
        episode = engram.episodes.begin(f"day {number} of {name}", participants=[name])
        acknowledge("begun", episode.id, 0)
        added = engram.episodes.add(episode.id, _events(number))
        acknowledge("events", episode.id, added.total)
        learned = engram.knowledge.learn_many(
            {"subject": f"{name}-{number}", "property": f"property {each}", "value": each}
            for each in range(FACTS)
        )
        acknowledge("facts", f"{name}-{number}", len(learned))
        noted = engram.skills.feedback(name, Failure(f"error {number % 3}"))
        acknowledge("run", skill.skill.id, noted.skill.stats.runs)
        if number % 2:
            engram.episodes.end(episode.id, "success")
            acknowledge("ended", episode.id, 0)


def _events(number: int) -> list[UserMessage | ToolCall | ToolResult]:
    called = ToolCall("tool", {"number": number})
    return [UserMessage("go on"), called, ToolResult("tool", "failed", success=False)]


def _skill(name: str) -> Skill:
    step = ProcedureStep(description="The only step", action=CallTool("tool"))
    return Skill(
        name=name, description="How it is done.", trigger=TriggerPattern(description="go on"),
        procedure=Procedure(steps=(step,)),
    )  # fmt: skip
