"""How much fits: the part of the facade that knows models and counts tokens."""

from engram.engine.core import Core
from engram.memory.tokens.counter import TokenCount, TokenCounter
from engram.memory.tokens.estimate import DEFAULT_FAMILY, Estimator
from engram.providers.model_registry import LanguageModelLimits, known_models, limits_of

__all__ = ["LanguageModelLimits", "Sizing", "TokenCount"]


class Sizing(Core):
    """Windows and tokens; no memory is looked at."""

    def model(self, name: str) -> LanguageModelLimits:
        """What a language model can take: its window, its longest answer, its tokenizer.

        The settings go first (`[models."name"]`), then the registry. A model that neither knows
        gets a small window and says so in `notice`.
        """
        return limits_of(name, self.settings.models)

    def models(self) -> list[LanguageModelLimits]:
        """The models that are known, those of the settings first."""
        own = [self.model(name) for name in self.settings.models]
        named = {each.name for each in own}
        known = (self.model(each.name) for each in known_models())
        return [*own, *(each for each in known if each.name not in named)]

    def count_tokens(self, text: str, *, model: str | None = None) -> TokenCount:
        """What a text takes in a model's window; without a model, by the estimate of all budgets.

        Exact where the model's tokenizer is public and the extra `tokens` is installed; the
        result says which.
        """
        counter = self._counter(model)
        return TokenCount(counter.count(text), counter.name, counter.is_exact)

    def _counter(self, model: str | None) -> TokenCounter:
        from engram.providers.tokenizers import counter_for

        return (
            Estimator(DEFAULT_FAMILY) if model is None else counter_for(self.model(model).tokenizer)
        )
