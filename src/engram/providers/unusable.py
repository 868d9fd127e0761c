"""Stands in for an embedder that cannot be made, so that a wrong setting costs meaning alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from engram.providers.embedder import Vectors


class UnusableEmbedder:
    """Embeds nothing and says why: what is remembered waits until the settings are put right."""

    # Without the settings themselves: an address that is refused may hold a password.
    identity = "unusable"
    dimension: int | None = None
    is_loaded = False
    is_prompt = False

    def __init__(self, problem: str) -> None:
        self._problem = problem

    def embed(self, texts: Sequence[str]) -> Vectors:  # noqa: ARG002  # none of them is read
        """Refuse, with what is wrong in the settings."""
        raise EmbedderUnavailable(hint=self._problem)

    def warm(self) -> None:
        """There is nothing to load."""

    def close(self) -> None:
        """There is nothing to let go of."""
