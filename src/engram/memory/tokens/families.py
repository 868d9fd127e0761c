"""Families of models that cut texts alike: whose count stands for them, and by how much more.

Only cl100k and o200k are measured here. The tokenizers of the others are not public, or not in any
package this one may lean on: their counts are those of a measured family times a factor that errs
on the side of more tokens. The factors rest on what is published where something is, and else on
judgement; docs/tokens.md says which is which. What is published also says who takes every digit by
itself, which no factor would make up for.
"""

import re
from dataclasses import dataclass

from engram.errors import InvalidInput

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Family:
    """How the tokens of one family of models are come by."""

    name: str
    like: str  # the measured family whose count stands for it
    factor: float = 1.0  # how much more is taken to be on the safe side
    digits_apart: bool = False  # every digit is a token; the measured families take three together

    @property
    def is_measured(self) -> bool:
        """Whether the estimate was held against the tokenizer itself."""
        return self.name == self.like

    def more_digits(self, text: str) -> int:
        """How many more tokens the digits of a text take than in a measured family."""
        if not self.digits_apart:
            return 0
        return sum(len(run) - -(-len(run) // 3) for run in _NUMBER.findall(text))


MEASURED = ("cl100k", "o200k")
OTHER = "other"
FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        Family("cl100k", "cl100k"),
        Family("o200k", "o200k"),
        Family("claude", "cl100k", 1.2),  # up to Claude 4.6
        Family("claude5", "cl100k", 1.6),  # from 4.7 on: three tenths more than the one before
        Family("gemini", "o200k", 1.15, digits_apart=True),  # Gemma too: 256,000 tokens
        Family("llama", "cl100k", 1.1),  # from Llama 3 on: grown out of cl100k
        Family("qwen", "cl100k", 1.15, digits_apart=True),  # grown out of cl100k
        Family("deepseek", "cl100k", 1.15),
        Family("mistral", "cl100k", 1.15, digits_apart=True),  # Tekken: 131,000 tokens
        Family("grok", "cl100k", 1.2),
        Family("cohere", "cl100k", 1.2),
        Family("sentencepiece32k", "cl100k", 1.45, digits_apart=True),  # Llama 2, early Mistral
        Family(OTHER, "cl100k", 1.3),  # models that nobody has told us about
    )
}


def family_of(name: str) -> Family:
    """The family of this name; refused when there is none, since a guess would pass for a count."""
    family = FAMILIES.get(name)
    if family is None:
        raise InvalidInput(hint=f"A tokenizer is one of: {', '.join(FAMILIES)}.")
    return family
