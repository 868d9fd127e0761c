"""The numbers of the context window, each with its range and meaning."""

from dataclasses import dataclass

from engram.errors import ConfigInvalid
from engram.memory.options import option

MOST_OF_ALL = 0.95  # that shares may come to: one that was meant to be a tenth shows


@dataclass(frozen=True, slots=True)
class ContextOptions:
    """How the room of a prompt is shared out, and how a conversation is shortened."""

    identity_share: float = option(
        0.08, low=0.0, high=0.95, meaning="Share of a prompt for how the person works."
    )
    working_share: float = option(
        0.15, low=0.0, high=0.95, meaning="Share of a prompt for working memory."
    )
    history_share: float = option(
        0.40, low=0.0, high=0.95, meaning="Share of a prompt for what was said before."
    )
    recalled_share: float = option(
        0.20, low=0.0, high=0.95, meaning="Share of a prompt for recalled memories."
    )
    schemas_share: float = option(
        0.04, low=0.0, high=0.95, meaning="Share of a prompt for patterns seen in memories."
    )
    skills_share: float = option(
        0.06, low=0.0, high=0.95, meaning="Share of a prompt for skills that fit."
    )
    notes_share: float = option(
        0.02, low=0.0, high=0.95, meaning="Share of a prompt for what is not known, and questions."
    )
    reply_tokens: int = option(
        4_096,
        low=16,
        high=1_000_000,
        meaning="Tokens of a model's window that are left for its answer, half of it at most.",
    )
    mode: str = option(
        "automatic",
        choices=("automatic", "minimal", "standard", "deep"),
        meaning="How much is recalled for a message; automatic looks at the message.",
    )
    most_memories: int = option(
        250, low=1, high=1_000, meaning="Memories in one prompt at most, however large the window."
    )
    least_share_of_best: float = option(
        0.02,
        low=0.0,
        high=1.0,
        meaning="Score below which a memory stays out, as a share of the best one's; less in "
        "proportion where more than 36 are looked for.",
    )
    verbatim_exchanges: int = option(
        3, low=1, high=1_000, meaning="Exchanges at the end of a conversation kept word for word."
    )
    compressed_exchanges: int = option(
        10, low=0, high=1_000, meaning="Exchanges before those that are told in a line each."
    )
    verbatim_tokens: int = option(
        1_000,
        low=0,
        high=1_000_000,
        meaning="Tokens up to which a whole conversation is kept word for word; 0: never.",
    )
    history_step: int = option(
        3,
        low=1,
        high=100,
        meaning="Exchanges by which those borders move at once, so that prompts begin alike.",
    )
    loop_share: float = option(
        0.85,
        low=0.1,
        high=1.0,
        meaning="Share of a model's window that messages may fill in the middle of a turn.",
    )
    tool_cache_minutes: float = option(
        5.0, low=0.0, high=1_440.0, meaning="How long a tool's answer is kept within a session."
    )
    tool_cache_entries: int = option(
        128, low=1, high=10_000, meaning="Answers of tools kept for one session at most."
    )
    momentum_share: float = option(
        0.4,
        low=0.0,
        high=0.4,
        meaning="How far a question that says little may lean on the turns before; 0: not at all.",
    )
    anticipate: bool = option(
        True,
        meaning="Fetch in the background, after a turn, what its session may ask for next.",
    )


def check_shares(options: ContextOptions) -> None:
    """Refuse shares that together leave nothing for whoever needs more than its own."""
    names = (
        "identity_share", "working_share", "history_share", "recalled_share", "schemas_share",
        "skills_share", "notes_share",
    )  # fmt: skip
    total = sum(getattr(options, name) for name in names)
    if total > MOST_OF_ALL + 1e-9:
        raise ConfigInvalid(
            hint=f"The shares of `context` come to {total:.2f}; {MOST_OF_ALL} is the most."
        )
