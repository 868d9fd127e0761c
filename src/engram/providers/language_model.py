"""What a language model promises: one prompt in, one text out, and what that cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

_CHARACTERS_PER_TOKEN = 3  # English has four or more; JSON and code have fewer
_TOKENS_AROUND = 16  # roles, separators and the like


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One question to a model."""

    system: str
    user: str
    schema: Mapping[str, object]  # the JSON schema that the answer has to follow
    max_tokens: int  # of the answer
    purpose: str  # why it is asked, for the ledger


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered; a server that does not count has its tokens estimated."""

    text: str
    tokens_in: int
    tokens_out: int


class LanguageModel(Protocol):
    """Answers prompts. What goes wrong is `ModelUnavailable`, and then nothing was answered.

    The text is what the model said and nothing more: it may be prose, lies or an attack, and
    whoever asked has to check it.
    """

    @property
    def name(self) -> str:
        """The model's name, as the ledger has it."""

    def complete(self, prompt: Prompt) -> Completion:
        """Ask once; returns or raises within the time that the settings allow."""

    def close(self) -> None:
        """Let go of it; `complete` is unavailable from then on."""


def estimated_tokens(text: str) -> int:
    """About how many tokens a text takes, rather too many than too few.

    Limits are checked before a call with this, so an estimate that is too low would let one
    through that exceeds them. A character outside ASCII is taken for a token of its own.
    """
    plain = sum(1 for character in text if character.isascii()) if not text.isascii() else len(text)
    return -(-plain // _CHARACTERS_PER_TOKEN) + len(text) - plain


def prompt_tokens(prompt: Prompt) -> int:
    """About how many tokens a prompt takes with its schema, before it is sent."""
    schema = estimated_tokens(str(dict(prompt.schema)))
    return estimated_tokens(prompt.system) + estimated_tokens(prompt.user) + schema + _TOKENS_AROUND
