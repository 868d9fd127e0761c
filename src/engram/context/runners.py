"""Who runs an agent's turn, and what that means for what is said in it: one table for all."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from engram.context.options import ContextOptions
from engram.errors import InvalidInput
from engram.text.strings import checked_name


@dataclass(frozen=True, slots=True)
class Runner:
    """What sets the turns of one runner apart from those of others.

    `asked_as` is the role in which what is asked is kept. Only a person's words are a person's
    statement: a timetable or another agent may say "I prefer tea" as often as it likes.
    """

    name: str
    asked_as: str  # a role of `observe`
    asked_source: str | None  # None: the role's own
    result_kind: str | None  # what an answer is kept as; None: a turn of the conversation
    prefix: str = ""  # of its sessions
    mode: str | None = None  # how much is recalled; None: as the settings say
    moved: float = 0.0  # of the conversation's share of a prompt, to recalled memories
    reads_history: bool = True  # whether what was said before in the session comes along

    @property
    def speaks_for_a_person(self) -> bool:
        """Whether what is asked is a person's own statement."""
        return self.asked_as == "user" and self.asked_source is None


# Work that was ordered carries less of a conversation and has more use for what is known.
_HALF = 0.5
_ALL = 1.0

RUNNERS: Mapping[str, Runner] = MappingProxyType({
    each.name: each
    for each in (
        Runner("chat", "user", None, None),
        Runner("task", "system", "import:task", "task", "task:", "standard", _HALF),
        # Each time begins anew: what the last run came to is found as a memory.
        Runner("cron", "system", "import:cron", "task", "cron:", "standard", _ALL, False),
        Runner("flow", "system", "import:flow", "flow", "flow:", "standard", _HALF),
        Runner(
            "orchestrator", "assistant", "agent:orchestrator", "orchestrator", "orchestrator:",
            "deep", _HALF,
        ),
        Runner("swarm", "assistant", "agent:swarm", "swarm", "swarm:", "standard", _HALF),
    )
})  # fmt: skip


def find_runner(name: object) -> Runner:
    """The runner of that name, or a refusal that lists them."""
    found = RUNNERS.get(name) if isinstance(name, str) else None
    if found is None:
        raise InvalidInput(hint=f"`runner` is one of: {', '.join(RUNNERS)}.")
    return found


def session_name(runner: Runner, session: object) -> str:
    """How a session of this runner is called: `task:42`, said either as `42` or in full."""
    given = checked_name(session, name="session")
    named = given if given.startswith(runner.prefix) else runner.prefix + given
    return checked_name(named, name="session")


def shared_out(runner: Runner, options: ContextOptions) -> ContextOptions:
    """The options with the shares as this runner needs them; together they stay what they were."""
    moved = runner.moved * options.history_share
    return replace(
        options,
        history_share=options.history_share - moved,
        recalled_share=options.recalled_share + moved,
    )
