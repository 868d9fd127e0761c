"""The forms in which a model answers while reasoning: parsed strictly, or not at all."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class _Form(BaseModel):
    """Fields of the right type, all of them, and no others."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Told(_Form):
    """One sentence, and the numbers of the sources it rests on."""

    text: str
    sources: list[int]


class Judgement(_Form):
    """Whether the sources answer a question, and what to ask when they do not."""

    state: Literal["sufficient", "gap", "decompose"]
    sentences: list[Told]
    questions: list[str]


class Synthesis(_Form):
    """An answer from everything that was found, and what is missing."""

    sentences: list[Told]
    missing: list[str]
