"""Lines: whole sentences quoted from memories, each with the wording it was taken from.

Cards, profiles and reflections are made of them, so that a line goes as soon as the memory behind
it does. What counts more is decided without the clock: the same memories give the same lines on
every night.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from engram.language.lexicon import COMMON_WORDS
from engram.language.names.keys import tells_of_speaker
from engram.language.sentences import split_sentences
from engram.language.stems import stem
from engram.memory.dreams.artefact import Artefact, Plain
from engram.memory.dreams.summaries import is_standing
from engram.memory.record import Memory
from engram.memory.sameness import is_same_statement
from engram.memory.trust import may_enter_unasked
from engram.memory.vocabulary import Status
from engram.text.strings import folded

_START = datetime(2000, 1, 1, tzinfo=UTC)
_HALF_LIFE = timedelta(days=365)  # what is a year older counts half as much; not tuned
_PINNED = 3.0  # as much as three years newer
_CONFIRMED = 0.5  # each doubling of those who say so counts as half a year
_ALIKE = 0.6  # shared stems from which on two sentences may say the same, or the opposite
_LONGEST = 400  # characters of a line; nobody reads a longer one, and none is cut
_MOST_CHARACTERS = 8_000  # of one memory that are looked at


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence, under a heading, and the wording of the memory it was taken from."""

    text: str
    number: int
    version: int
    heading: str = ""
    speaker: str = ""  # who says "I" in it, where the line alone does not tell

    @property
    def shown(self) -> str:
        """The line as a text has it: the quote, after the name of who speaks of themselves."""
        return f"{self.speaker}: {self.text}" if self.speaker else self.text

    @property
    def as_plain(self) -> dict[str, Plain]:
        """The line as an artefact keeps it."""
        return {
            "text": self.text, "number": self.number, "version": self.version,
            "heading": self.heading, "speaker": self.speaker,
        }  # fmt: skip


def lines_in(body: Mapping[str, Plain], name: str) -> tuple[Line, ...]:
    """The lines that an artefact keeps under a name."""
    found = body.get(name, ())
    rows = found if isinstance(found, Sequence) and not isinstance(found, str) else ()
    return tuple(
        Line(str(row["text"]), int(str(row["number"])), int(str(row["version"])),
             str(row["heading"]), str(row.get("speaker", "")))
        for row in rows if isinstance(row, Mapping)
    )  # fmt: skip


def standing(lines: Iterable[Line], wordings: Mapping[int, int]) -> tuple[Line, ...]:
    """The lines whose memories still speak, in the wording they were taken from."""
    return tuple(each for each in lines if wordings.get(each.number) == each.version)


def nearest_first(artefacts: Iterable[Artefact]) -> list[Artefact]:
    """Artefacts of several scopes: what was made nearest to the caller goes before."""
    return sorted(artefacts, key=lambda each: (-len(each.scope.path), each.scope.path, each.key))


def standing_lines(
    artefacts: Iterable[Artefact], name: str, wordings: Mapping[int, int]
) -> tuple[Line, ...]:
    """The lines of several artefacts whose memories still speak, none twice."""
    found: dict[str, Line] = {}
    for artefact in nearest_first(artefacts):
        for line in standing(lines_in(artefact.body, name), wordings):
            found.setdefault(line.text, line)
    return tuple(found.values())


def weight(memory: Memory) -> float:
    """How much a memory counts beside others: in years that it would have to be newer."""
    value = max(memory.trust, 0.01) * (0.25 + memory.base_importance)
    year = (memory.at - _START) / _HALF_LIFE
    confirmed = _CONFIRMED * math.log2(1 + memory.usage.confirmations)
    return year + math.log2(value) + confirmed + (_PINNED if memory.is_pinned else 0.0)


def ranked(memories: Iterable[Memory]) -> list[Memory]:
    """Those that may be told unasked and that nobody disputes, what counts most first."""
    told = (each for each in memories if may_enter_unasked(each) and _is_undisputed(each))
    return sorted(told, key=lambda each: (-weight(each), -each.number))


def _is_undisputed(memory: Memory) -> bool:
    return memory.status is not Status.CHALLENGED


def sentences_of(memory: Memory) -> Iterator[str]:
    """The sentences of a memory that can stand alone; of a short one all of it."""
    text = memory.content[:_MOST_CHARACTERS]
    found = [each.text for each in split_sentences(text)]
    if len(found) == 1 and len(found[0]) <= _LONGEST:
        yield found[0]
        return
    yield from (each for each in found if is_standing(each))


def lines_of(
    memories: Iterable[Memory],
    heading_of: Callable[[Memory], str],
    *,
    is_wanted: Callable[[Memory, str], bool] = lambda _memory, _sentence: True,
    is_attributed: bool = False,
) -> Iterator[Line]:
    """The lines of memories, memory after memory; attributed ones tell who "I" is."""
    for memory in memories:
        for sentence in sentences_of(memory):
            if is_wanted(memory, sentence):
                speaker = memory.speaker if is_attributed and memory.speaker else ""
                says_i = bool(speaker) and tells_of_speaker(sentence, speaker)
                yield Line(
                    sentence, memory.number, memory.version, heading_of(memory),
                    speaker if says_i else "",
                )  # fmt: skip


def current(memories: Sequence[Memory]) -> list[Memory]:
    """Without those that say to the word what another one says: the weightier stays."""
    stems = [stems_in(each.content) for each in memories]
    gone: set[int] = set()
    for place, one in enumerate(memories):
        for before in range(place):
            other = memories[before]
            if other.number in gone or not _are_alike(stems[before], stems[place]):
                continue
            said = (other.at, one.at)
            is_same = is_same_statement(other.content, one.content, said=said).is_same
            if is_same and one.speaker == other.speaker:
                gone.add(min((one, other), key=lambda each: (weight(each), -each.number)).number)
                break
    return [each for each in memories if each.number not in gone]


@lru_cache(maxsize=16_384)
def stems_in(text: str) -> frozenset[str]:
    """The stems of the words that tell something."""
    words = "".join(each if each.isalnum() else " " for each in folded(text[:_MOST_CHARACTERS]))
    return frozenset(stem(each) for each in words.split() if each not in COMMON_WORDS)


def _are_alike(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    return len(ours & theirs) >= _ALIKE * max(1, len(ours), len(theirs))


def under_headings(lines: Iterable[Line]) -> list[str]:
    """Lines as a text has them: each heading once, in the order in which they first come."""
    by_heading: dict[str, list[str]] = {}
    for each in lines:
        by_heading.setdefault(each.heading, []).append(f"- {each.shown}")
    return [row for heading, rows in by_heading.items() for row in (heading, *rows) if row]
