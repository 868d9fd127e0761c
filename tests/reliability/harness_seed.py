"""Randomness that can be replayed: the seed is printed, and ENGRAM_SEED sets it."""

import os
import random


def fresh_seed() -> int:
    """The seed asked for, or a new one; printed, so that pytest shows it on failure."""
    wanted = os.environ.get("ENGRAM_SEED")
    seed = int(wanted) if wanted else random.SystemRandom().getrandbits(32)
    print(f"replay with ENGRAM_SEED={seed}")  # noqa: T201
    return seed


def number_from_environment(name: str, default: int) -> int:
    """How much a soak run does. Ask at import: tests start with a clean environment."""
    return int(os.environ.get(name, default))
