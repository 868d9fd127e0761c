"""The sample: texts written for it, in files by kind, and who sees which half of them."""

from collections.abc import Iterator
from pathlib import Path

_FOLDER = Path(__file__).parent / "sample"
_BETWEEN = "\n%%\n"
# Of five texts of a kind, a story and a notice for the fit, and as many for the check. The fifth
# was written after the features had been settled, and is checked too.
_FITTED = (0, 3)


def kinds() -> dict[str, list[str]]:
    """The texts of each kind, in the order of their file."""
    found = sorted(_FOLDER.glob("*.txt"))
    return {each.stem: each.read_text("utf-8").strip("\n").split(_BETWEEN) for each in found}


def fitted() -> list[str]:
    """The texts that the weights are fitted to."""
    return [text for texts in kinds().values() for text in _some(texts, is_fitted=True)]


def checked() -> dict[str, list[str]]:
    """The texts that the weights have never seen, by kind."""
    return {kind: list(_some(texts, is_fitted=False)) for kind, texts in kinds().items()}


def _some(texts: list[str], *, is_fitted: bool) -> Iterator[str]:
    return (text for place, text in enumerate(texts) if (place in _FITTED) == is_fitted)
