"""Words that were taken back: what tells them still, in mind or just said, is let go of too."""

from collections.abc import Iterable
from functools import cached_property

from engram.language.sentences import split_sentences
from engram.memory.tiers import tiers
from engram.memory.working.room import Foci
from engram.memory.working.slots import Focus, SlotTier
from engram.text.strings import normalised

_TELLING_WORDS = 3  # fewer of them in common say nothing of where they come from
_CATEGORY = "context"


class Withdrawn:
    """What memories said that nobody stands by: forgotten, undone, rejected, replaced."""

    def __init__(self, contents: Iterable[str]) -> None:
        self._contents = [each for each in contents if each.strip()]
        self._wordings = {normalised(each) for each in self._contents}

    def left_of(self, foci: Foci) -> Foci:
        """Things in mind without what tells them; of a memory the store says whether it stands."""
        if not self._wordings:
            return foci
        return tuple(each for each in foci if each.memory_id is not None or not self._is_told(each))

    def told_by(self, text: str) -> bool:
        """Whether a text is one of them, a part of one, or holds one."""
        said = normalised(text)
        return said in self._wordings or any(
            _is_within(each, said) or _is_within(said, each) for each in self._wordings
        )

    def _is_told(self, focus: Focus) -> bool:
        if focus.tier is SlotTier.TAG:
            return normalised(focus.text) in self._tags
        # What was summed up of several things has some sentences of each.
        sentences = [each.text for each in split_sentences(focus.text)]
        return any(self.told_by(each) for each in [focus.text, *sentences])

    @cached_property
    def _tags(self) -> set[str]:
        return {normalised(tiers(each, _CATEGORY).tag.text) for each in self._contents}


def _is_within(part: str, whole: str) -> bool:
    if len(part) > len(whole) or part.count(" ") + 1 < _TELLING_WORDS:
        return False
    return f" {part.rstrip('…')}" in f" {whole}"  # a statement may be cut in the middle of a word
