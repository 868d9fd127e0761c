"""How much fits: the part of the facade that knows models and counts tokens."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engram.engine.core import Core
from engram.errors import InvalidInput
from engram.memory.tokens.counter import TokenCount, TokenCounter
from engram.memory.tokens.estimate import DEFAULT_FAMILY, Estimator
from engram.providers.model_registry import (
    LanguageModelLimits,
    known_models,
    limits_of,
    normalised_name,
)

if TYPE_CHECKING:
    from engram.providers.model_overrides import ModelOverride

__all__ = ["LanguageModelLimits", "Sizes", "Sizing", "TokenCount"]


class Sizes:
    """What models can take and what texts take, by what the settings say; no store is needed."""

    def __init__(self, own: "Mapping[str, ModelOverride]") -> None:
        self._own = own

    def model(self, name: str) -> LanguageModelLimits:
        """What a language model can take."""
        return limits_of(name, self._own)

    def models(self) -> list[LanguageModelLimits]:
        """The models that are known, those of the settings first."""
        own = [self.model(name) for name in self._own]
        named = {each.name for each in own}
        known = (self.model(each.name) for each in known_models())
        return [*own, *(each for each in known if each.name not in named)]

    def matching(self, part: str) -> list[LanguageModelLimits]:
        """The models that are known whose names have all the words of a part of one."""
        words = [word for word in normalised_name(part).split("-") if word]
        return [each for each in self.models() if words and _has_words(each.name, words)]

    def count_tokens(self, text: str, *, model: str | None = None) -> TokenCount:
        """What a text takes in a model's window, or without a model by the estimate."""
        if not isinstance(text, str):
            raise InvalidInput(hint="`text` must be a text.")
        counter = self._counter(model)
        return TokenCount(counter.count(text), counter.name, counter.is_exact)

    def _counter(self, model: str | None) -> TokenCounter:
        from engram.providers.tokenizers import counter_for

        return (
            Estimator(DEFAULT_FAMILY) if model is None else counter_for(self.model(model).tokenizer)
        )


class Sizing(Core):
    """Windows and tokens; no memory is looked at."""

    def model(self, name: str) -> LanguageModelLimits:
        """What a language model can take: its window, its longest answer, its tokenizer.

        The settings go first (`[models."name"]`), then the registry. A model that neither knows
        gets a small window and says so in `notice`.
        """
        return self._sizes.model(name)

    def models(self) -> list[LanguageModelLimits]:
        """The models that are known, those of the settings first."""
        return self._sizes.models()

    def count_tokens(self, text: str, *, model: str | None = None) -> TokenCount:
        """What a text takes in a model's window; without a model, by the estimate of all budgets.

        Exact where the model's tokenizer is public and the extra `tokens` is installed; the
        result says which.
        """
        return self._sizes.count_tokens(text, model=model)

    @property
    def _sizes(self) -> Sizes:
        return Sizes(self.settings.models)


def _has_words(name: str, words: list[str]) -> bool:
    parts = normalised_name(name).split("-")
    return all(any(part.startswith(word) for part in parts) for word in words)
