"""The forms in which a model answers a dream's questions: parsed strictly, or not at all."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Reply(BaseModel):
    """Fields of the right type, all of them, and no others."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    @property
    def told(self) -> str:
        """What it says in words of its own, which have to be carried by the sources."""
        return ""


class Written(Reply):
    """A summary or a card."""

    text: str

    @property
    def told(self) -> str:
        """The text."""
        return self.text


class Bridge(Reply):
    """Whether two things have to do with each other, and what."""

    is_related: bool
    text: str

    @property
    def told(self) -> str:
        """The sentence, when there is something to say."""
        return self.text if self.is_related else ""


class Verdict(Reply):
    """What became of a belief, and by which of the sources, counted from 1."""

    verdict: Literal["holds", "doubtful", "wrong"]
    evidence: list[int]
