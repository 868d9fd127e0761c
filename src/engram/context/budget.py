"""How many tokens there are, and how they are shared out before anything is built.

Each section has a share of its own and none can take another's. What a section does not need flows
on: to recalled memories and the conversation first, then to the others.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from engram.context.options import ContextOptions
from engram.errors import InvalidInput

IDENTITY, INSTRUCTIONS, WORKING = "identity", "instructions", "working"
HISTORY = "history"
RECALLED, SCHEMAS, SKILLS, NOTES = "recalled", "schemas", "skills", "notes"
SHARED = (IDENTITY, WORKING, HISTORY, RECALLED, SCHEMAS, SKILLS, NOTES)
# Standing instructions have no share: what they need is taken off first, up to a part of it all.
SECTIONS = (IDENTITY, INSTRUCTIONS, WORKING, HISTORY, RECALLED, SCHEMAS, SKILLS, NOTES)
MOST_INSTRUCTIONS = 0.2  # of the budget
# Who gets first what is left over, and who gives first when there is too much.
FLOW = (RECALLED, HISTORY, WORKING, IDENTITY, SKILLS, SCHEMAS, NOTES)
TRIM = (NOTES, SKILLS, SCHEMAS, HISTORY, RECALLED, IDENTITY, WORKING)
MOST_TOKENS = 100_000_000
MEMORIES = 36  # that are looked for in any window: in a small one the tokens decide
_TOKENS_A_MEMORY = 8_000  # of room, for each one more


@dataclass(frozen=True, slots=True)
class Budget:
    """What a prompt may take, and how its sections share it."""

    tokens: int
    shares: Mapping[str, float]
    most_memories: int
    tools: int = 0  # of the tokens: for the tools that are offered beside the messages


def budget_of(
    options: ContextOptions, *, window: int, output: int, asked: int | None = None, tools: int = 0
) -> Budget:
    """The room of a model's window less what its answer needs, or less than that if asked for."""
    reserve = min(output, options.reply_tokens, window // 2)
    room = window - reserve
    tokens = room if asked is None else min(checked_budget(asked), room)
    shares = {
        IDENTITY: options.identity_share,
        WORKING: options.working_share,
        HISTORY: options.history_share,
        RECALLED: options.recalled_share,
        SCHEMAS: options.schemas_share,
        SKILLS: options.skills_share,
        NOTES: options.notes_share,
    }
    most = min(options.most_memories, MEMORIES + tokens // _TOKENS_A_MEMORY)
    return Budget(tokens, shares, most, tools)


def checked_budget(value: object) -> int:
    """A number of tokens, or a refusal."""
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_TOKENS:
        return value
    raise InvalidInput(hint=f"`budget` is a number of tokens from 1 to {MOST_TOKENS:,}.")


def rooms(available: int, shares: Mapping[str, float], needs: Mapping[str, int]) -> dict[str, int]:
    """What each section may take: its share, and of what others leave what it needs besides.

    Shares count beside each other: what they leave of the whole belongs to all in the same measure.
    """
    whole = sum(shares[name] for name in SHARED) or 1.0
    granted = {name: int(available * shares[name] / whole) for name in SHARED}
    spare = available - sum(min(granted[name], needs[name]) for name in SHARED)
    for name in FLOW:
        more = min(spare, max(0, needs[name] - granted[name]))
        granted[name] += more
        spare -= more
    return granted
