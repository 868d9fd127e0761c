"""Families of models that cut texts alike: whose weights count for them, and by how much more.

Only cl100k and o200k are measured here. The tokenizers of the others are not public, or not in any
package this one may lean on: their counts are those of a measured family times a factor that errs
on the side of more tokens. The factors are judgement, not measurement; docs/tokens.md says so too.
"""

from dataclasses import dataclass

from engram.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Family:
    """How the tokens of one family of models are come by."""

    name: str
    like: str  # the measured family whose count stands for it
    factor: float = 1.0  # how much more is taken to be on the safe side

    @property
    def is_measured(self) -> bool:
        """Whether the estimate was held against the tokenizer itself."""
        return self.name == self.like


MEASURED = ("cl100k", "o200k")
OTHER = "other"
FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        Family("cl100k", "cl100k"),
        Family("o200k", "o200k"),
        Family("claude", "cl100k", 1.2),  # up to Claude 4.6
        Family("claude5", "cl100k", 1.45),  # from 4.7 on: finer than the one before
        Family("gemini", "o200k", 1.15),  # Gemma too: a vocabulary of 256,000
        Family("llama", "cl100k", 1.1),  # from Llama 3 on: grown out of cl100k
        Family("qwen", "cl100k", 1.15),  # grown out of cl100k; every digit by itself
        Family("deepseek", "cl100k", 1.15),
        Family("mistral", "cl100k", 1.15),  # Tekken, a vocabulary of 131,000
        Family("grok", "cl100k", 1.2),
        Family("cohere", "cl100k", 1.2),
        Family("sentencepiece32k", "cl100k", 1.45),  # Llama 2, early Mistral, Phi 3
        Family(OTHER, "cl100k", 1.3),  # models that nobody has told us about
    )
}


def family_of(name: str) -> Family:
    """The family of this name; refused when there is none, since a guess would pass for a count."""
    family = FAMILIES.get(name)
    if family is None:
        raise InvalidInput(hint=f"A tokenizer is one of: {', '.join(FAMILIES)}.")
    return family
