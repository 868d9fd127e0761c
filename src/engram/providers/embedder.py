"""What an embedder promises, and what becomes of any text before one sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]


_LOOKED_AT = 8  # times the characters kept: enough for any white space that people write


class Embedder(Protocol):
    """Turns texts into vectors of length one, so that near vectors mean near meanings.

    Any string has a vector: empty, a megabyte long, with NULs or lone surrogates. A text's vector
    does not depend on the texts it is embedded with. What goes wrong is `EmbedderUnavailable`.
    """

    @property
    def identity(self) -> str:
        """Names the vector space: known before anything is loaded, and changed when vectors do."""

    @property
    def dimension(self) -> int | None:
        """The length of its vectors; None while a server has not been asked yet."""

    @property
    def is_loaded(self) -> bool:
        """Whether `embed` would begin at once."""

    @property
    def is_prompt(self) -> bool:
        """Whether `embed` computes here and now: it waits for nobody and cannot hang."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text, finite and of length one; loads what is needed first."""

    def warm(self) -> None:
        """Begin to load in the background and return at once; again is no harm."""

    def close(self) -> None:
        """Let go of what is loaded; `embed` is unavailable from then on."""


def well_formed(text: str) -> str:
    """The text with surrogate pairs joined and lone ones replaced, so that it can be encoded."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def shortened(text: str, max_characters: int) -> str:
    """The text's beginning, its runs of white space made one so that they use up none of it."""
    if len(text) <= max_characters:
        return text
    # A megabyte is not taken apart for its first page.
    return " ".join(text[: _LOOKED_AT * max_characters].split())[:max_characters]
