"""What a source file declares, in few words: the value that every language is read into."""

import re
from dataclasses import dataclass

from engram.capture.transcripts.turns import clean_text

LONGEST_SIGNATURE = 200
LONGEST_REMARK = 160

_SPACES = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s|\n\s*\n")
_DOCTEST = ">>>"


@dataclass(frozen=True, slots=True)
class Declaration:
    """One thing a file declares: its signature, how deep it lies, what its author says of it."""

    name: str  # qualified by what it lies in: `Store.write`
    signature: str
    depth: int = 0
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Sketch:
    """What a file is for and what it declares, in its own order."""

    purpose: str = ""
    declarations: tuple[Declaration, ...] = ()
    inner_names: tuple[str, ...] = ()  # private to the file: named, not described

    @property
    def is_empty(self) -> bool:
        """Whether the file says nothing that its path does not."""
        return not (self.purpose or self.declarations or self.inner_names)


def one_line(text: str, longest: int) -> str:
    """A text on one line, cut where it is too long."""
    line = _SPACES.sub(" ", clean_text(text[: 8 * longest])).strip()
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def first_sentence(text: str, longest: int = LONGEST_REMARK) -> str:
    """What a comment says first, which is what its author held to matter most."""
    opening = text.strip()[: 8 * longest].partition(_DOCTEST)[0]
    return one_line(_SENTENCE_END.split(opening, maxsplit=1)[0], longest)
