"""What tokens cost at the prices that the user has given."""

from engram.providers.model_options import ModelOptions

_PRICED_TOKENS = 1_000_000


def estimated_cost(tokens_in: int, tokens_out: int, options: ModelOptions) -> float | None:
    """The cost in the user's currency; None when no price is set, for free is something else."""
    if not options.price_in and not options.price_out:
        return None
    return (tokens_in * options.price_in + tokens_out * options.price_out) / _PRICED_TOKENS
