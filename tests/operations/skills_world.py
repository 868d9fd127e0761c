"""What operations on skills work on: a skill that was tried, and episodes that went alike."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from engram.surfaces.documents import Document

if TYPE_CHECKING:
    from operations.world import World

DEPLOY: Document = {
    "name": "deploy the site",
    "description": "Put a new version of the site online.",
    "trigger": {
        "features": [
            {
                "name": "names it",
                "extractor": {"type": "keyword_present", "keywords": ["deploy", "go live"]},
                "importance": 2,
            },
            {"name": "for real", "extractor": {
                "type": "context_property", "key": "stage", "expected": "production",
            }},
        ],
        "threshold": 0.5,
    },
    "preconditions": [
        {"check": {"type": "tool_available", "tool": "deploy"}, "error_if_failed": "No way there."}
    ],
    "procedure": {
        "steps": [
            {"description": "Run the tests", "action": {"type": "call_tool", "tool": "pytest"}},
            {
                "description": "Bring it there",
                "action": {
                    "type": "if",
                    "condition": {"type": "not", "condition": {
                        "type": "described", "text": "it is Friday",
                    }},
                    "then": {"type": "call_tool", "tool": "deploy", "arguments": {"to": "all"}},
                    "otherwise": {"type": "ask_user", "question": "On a Friday?"},
                },
                "expected": "The site answers.",
            },
        ],
        "estimated_duration": 90,
    },
    "expected": ["The site is online."],
    "known_failures": [
        {"error": "quota exceeded", "recovery": {"type": "alternative", "skill": "clean up"}}
    ],
}  # fmt: skip
BROKEN: Document = {
    "type": "failure", "error": "connection refused by 10.0.0.7", "learned": "wait for the network",
}  # fmt: skip


def untaken(world: "World") -> Document:
    """The skill under a name that no other has."""
    known = len(world.owner.skills.list())
    return {**DEPLOY, "name": f"{DEPLOY['name']} {known}"} if known else DEPLOY


def skilled(world: "World") -> str:
    """A skill that worked twice and failed once."""
    skill = untaken(world)
    name = str(skill["name"])
    world.owner.skills.add(skill)
    for outcome in ("success", "success", BROKEN):
        step = 2 if outcome is BROKEN else None
        world.owner.skills.feedback(name, outcome, duration=60, step=step, tool="deploy")
    return name


def went_alike(world: "World") -> list[str]:
    """Three episodes in which the same was done, with success."""
    called = [{"type": "tool_call", "tool": each} for each in ("pytest", "deploy")]
    return [
        world.owner.episodes.record(
            {"text": f"Release {number} has to go live.", "goal": "deploy the site"},
            called,
            "success",
        ).episode.id
        for number in range(3)
    ]


# The least that each operation on skills can be asked with.
MINIMAL_OF_SKILLS: "dict[str, Callable[[World], Document]]" = {
    "skills": lambda world: {"stage": "active"} if skilled(world) else {},
    "skill": lambda world: {"name": skilled(world)},
    "skill_runs": lambda world: {"name": skilled(world)},
    "add_skill": lambda world: {"skill": untaken(world)},
    "revise_skill": lambda world: {"name": skilled(world), "description": "How it gets online."},
    "retire_skill": lambda world: {"name": skilled(world), "reason": "a robot does it now"},
    "match_skills": lambda world: {
        "situation": {"text": f"Please {skilled(world)}", "tools": ["pytest"]},
    },
    "skill_feedback": lambda world: {"name": skilled(world), "outcome": BROKEN, "step": 1},
    "skill_warnings": lambda world: {"tool": "deploy"} if skilled(world) else {},
    "learn_skill": lambda world: {"episode_ids": went_alike(world)},
    "record_flow": lambda world: {"name": "nightly", "nodes": ["fetch", {"name": "send"}],
                                  "outcome": "success"},
}  # fmt: skip
