"""The sample: texts written for it, in files by kind.

Those in `sample/` were there while the estimate was made, and what can be fitted is fitted to
them. Those in `untouched/` were written when it was settled, and nothing was changed after.
"""

from pathlib import Path

_HERE = Path(__file__).parent
_BETWEEN = "\n%%\n"


def fitted() -> list[str]:
    """The texts that the estimate was made with."""
    return [text for texts in _kinds("sample").values() for text in texts]


def checked() -> dict[str, list[str]]:
    """The texts that were written when the estimate was settled, by kind."""
    return _kinds("untouched")


def _kinds(folder: str) -> dict[str, list[str]]:
    found = sorted((_HERE / folder).glob("*.txt"))
    return {each.stem: each.read_text("utf-8").strip("\n").split(_BETWEEN) for each in found}
