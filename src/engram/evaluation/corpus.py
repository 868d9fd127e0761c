"""The hand-written corpus: its files, its labels, and its split by topic into three parts.

The folder is given; `data/README.md` of the project describes it. Only the part "test" is measured:
nothing was trained or tuned on it.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TypeVar

from engram.errors import InvalidInput
from engram.evaluation.conversations import Asked, Conversation, Turn
from engram.memory.times import parse_time

TRAIN, TUNE, TEST = PARTS = ("train", "tune", "test")
CATEGORIES = (
    "identity", "people", "preference", "health", "location", "fiscal", "moment", "commitment",
    "decision", "instruction", "procedure", "technical", "fact",
)  # fmt: skip
MODALITIES = (
    "asserted", "negated", "planned", "hypothetical", "reported", "asked", "requested", "ironic",
    "unknown", "chat",
)  # fmt: skip
ADDRESSEES = ("assistant", "person", "group")
RELATIONS = ("same", "replaces", "ends", "adds", "unrelated")
KINDS = ("turns", "pairs", "stores", "asked", "answers", "times", "names")
LANGUAGES = "languages"  # stores that nothing was trained on: all of them are test
# Written after the reader was trained: recall and the judge are fitted to them.
FIT = "fit"
CONFIDENCE, CONFIDENCE_ASKED = "confidence", "confidence-asked"
CONFIDENCE_DIARIES, CONFIDENCE_TURNS = "confidence-diaries", "confidence-turns"
CONFIDENCE_LANGUAGES = "confidence-languages"
# The reader is taught all of these.
TRAINED_ONLY = (
    "answers-trained", "stores-trained", "diaries", "turns-trained", "times-trained",
    "names-trained",
)  # fmt: skip
# Who wrote in two languages told the same people's stories in both: their topics stay together.
SAME_WRITER = {"de": "g", "es": "h", "fr": "i", "zh": "j"}
_UNSURE = "unsure"
_TOLD_AT = datetime(2026, 3, 5, 9, tzinfo=UTC)  # of what has no time of its own

_Row = TypeVar("_Row")
Content = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """A piece of a turn that is worth keeping, without the space around it."""

    start: int
    end: int
    category: str
    modality: str


@dataclass(frozen=True, slots=True)
class LabelledTurn:
    """A turn and the pieces of it that are worth keeping."""

    turn: Turn
    kept: tuple[GoldSpan, ...]
    before: str | None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements of different times, and what the later one does to the first."""

    name: str
    topic: str
    language: str
    first: str
    later: str
    speaker: str | None
    later_speaker: str | None
    before: str | None
    relation: str

    @property
    def is_change(self) -> bool:
        """Whether the first no longer holds."""
        return self.relation in ("replaces", "ends")


@dataclass(frozen=True, slots=True)
class AskedFact:
    """An everyday fact, and a question for it in other words."""

    name: str
    fact: str
    question: str


@dataclass(frozen=True, slots=True)
class TimedSentence:
    """A sentence, when it was said, and the half-open ranges of the times it names."""

    name: str
    text: str
    at: datetime
    times: tuple[tuple[str, datetime, datetime], ...]


@dataclass(frozen=True, slots=True)
class NamedTalk:
    """A short talk, and what is named in it: every way it is written, with the type."""

    turns: tuple[tuple[str, str], ...]  # speaker, text
    mentions: tuple[tuple[str, str], ...]  # as written, type


class Corpus:
    """The corpus of a folder, row by row."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self._folder

    def has(self, kind: str) -> bool:
        """Whether there are rows of a kind."""
        return any((self._folder / kind).glob("*.jsonl"))

    def rows(self, kind: str) -> Iterator[tuple[str, dict[str, object]]]:
        """Each row of one kind as it is written, with its part, its writer and its name."""
        parts = _part_of_topic(self._folder)
        for file in _files(self._folder, kind):
            for number, row in enumerate(_lines(file)):
                yield (
                    _part(kind) or parts[_writer(file), _topic(row)],
                    {**row, "writer": file.stem, "name": f"{file.stem}-{number}"},
                )

    def turns(self, part: str = TEST, kind: str = "turns") -> list[LabelledTurn]:
        """Turns with their pieces."""
        return self._read(kind, part, _labelled_turn)

    def pairs(self, part: str = TEST) -> list[Pair]:
        """Pairs of statements."""
        return self._read("pairs", part, _pair)

    def stores(self, part: str = TEST, kind: str = "stores") -> list[Conversation]:
        """Small stores with questions; an id of a turn begins with the name of its store."""
        return self._read(kind, part, _store)

    def changes(self, kind: str = "stores") -> frozenset[tuple[str, str]]:
        """Ids of turns of small stores, of which a later one makes an earlier one out of date.

        Every change of the stores of the test part and of `confidence/`, asked about or not; those
        of which their reader was unsure are left out.
        """
        file = self._folder / "changes" / f"{kind}.jsonl"
        if not file.exists():
            return frozenset()
        return frozenset(
            (f"{row['store']}:{change[0]}", f"{row['store']}:{change[1]}")
            for row in _lines(file)
            for change in _list(row, "changes")
            if _UNSURE not in change
        )

    def asked(self, part: str = TEST, kind: str = "asked") -> list[AskedFact]:
        """Facts that are asked for in other words."""
        return self._read(
            kind,
            part,
            lambda row: AskedFact(_text(row, "name"), _text(row, "fact"), _text(row, "question")),
        )

    def times(self, part: str = TEST) -> list[TimedSentence]:
        """Sentences with the times they name."""
        return self._read("times", part, _timed)

    def names(self, part: str = TEST) -> list[NamedTalk]:
        """Talks with what they name."""
        return self._read("names", part, _named)

    def _read(self, kind: str, part: str, read: Callable[[Content], _Row]) -> list[_Row]:
        found = []
        for its_part, row in self.rows(kind):
            if its_part != part:
                continue
            try:
                found.append(read(row))
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                hint = f"{kind}/{row['name']} does not fit the corpus (see data/README.md)."
                raise InvalidInput(hint=hint) from error
        return found


def is_corpus(folder: Path) -> bool:
    """Whether a folder holds a corpus of this kind."""
    return folder.is_dir() and any(_files(folder, kind) for kind in (*KINDS, LANGUAGES))


def sample(rows: Sequence[_Row], limit: int | None) -> list[_Row]:
    """So many of the rows, evenly spread, so that every writer has a share; all without a limit."""
    if limit is None or limit >= len(rows):
        return list(rows)
    return [rows[place * len(rows) // limit] for place in range(limit)]


def _part(kind: str) -> str:
    """The part that all rows of a kind belong to; empty where it goes by topic."""
    if kind == LANGUAGES:
        return TEST
    if kind in TRAINED_ONLY:
        return TRAIN
    return FIT if kind.startswith(CONFIDENCE) else ""


@cache
def _part_of_topic(folder: Path) -> dict[tuple[str, str], str]:
    """The part that each writer's topic belongs to.

    The topics of a writer, over all kinds of rows, go to the three parts in turn.
    """
    topics: dict[str, set[str]] = {}
    for kind in KINDS:
        for file in _files(folder, kind):
            topics.setdefault(_writer(file), set()).update(map(_topic, _lines(file)))
    return {
        (writer, topic): PARTS[place % 3]
        for writer, found in topics.items()
        for place, topic in enumerate(sorted(found))
    }


def _files(folder: Path, kind: str) -> list[Path]:
    return sorted((folder / kind).glob("*.jsonl"))


def _lines(file: Path) -> list[dict[str, object]]:
    try:
        lines = file.read_text("utf-8").split("\n")
        return [dict(json.loads(line)) for line in lines if line.strip()]
    except (OSError, ValueError, TypeError):
        # Without the cause: its text would repeat a piece of the file.
        hint = f"{file.parent.name}/{file.name} is not a file of JSON lines."
        raise InvalidInput(hint=hint) from None


def _writer(file: Path) -> str:
    return SAME_WRITER.get(file.stem, file.stem)


def _topic(row: Content) -> str:
    return str(row.get("topic", "")).strip().lower()


def _language(row: Content) -> str:
    writer = _text(row, "writer")
    return writer if writer in SAME_WRITER else "en"


def _labelled_turn(row: Content) -> LabelledTurn:
    place, kept, text = 0, [], ""
    for piece, label in _pieces(row):
        kind, *rest = label.split(":")
        if kind == "K":
            lead = len(piece) - len(piece.lstrip())
            kept.append(GoldSpan(place + lead, place + len(piece.rstrip()), rest[0], rest[1]))
        place += len(piece)
        text += piece
    name = f"turns/{_text(row, 'name')}"
    said = Turn(name, name, _TOLD_AT, _name(row, "speaker"), _text(row, "role"), text)
    return LabelledTurn(said, tuple(kept), _name(row, "before"))


def _pieces(row: Content) -> Iterator[tuple[str, str]]:
    for piece, label in _list(row, "p"):
        yield str(piece), str(label)


def _pair(row: Content) -> Pair:
    if row["relation"] not in RELATIONS:
        raise ValueError
    return Pair(
        f"pairs/{_text(row, 'name')}", _topic(row), _language(row),
        _text(row, "first"), _text(row, "later"),
        _name(row, "speaker"), _name(row, "later_speaker") or _name(row, "speaker"),
        _name(row, "before"), _text(row, "relation"),
    )  # fmt: skip


def _store(row: Content) -> Conversation:
    name = _text(row, "name")
    turns = []
    for place, each in enumerate(_list(row, "turns")):
        at = parse_time(each["at"], name="at")
        session = f"{name} {at:%Y-%m-%d}"
        said = Turn(
            f"{name}:{place}", session, at, _name(each, "speaker"), _text(each, "role"),
            _text(each, "text"),
        )  # fmt: skip
        turns.append(said)
    questions = [
        Asked(
            id=f"{name}?{number}",
            text=_text(each, "q"),
            category=_language(row),
            evidence=frozenset(f"{name}:{place}" for place in each["evidence"]),
            stale=frozenset(f"{name}:{place}" for place in each.get("stale") or ()),
            is_answerable=bool(each["answerable"]),
        )
        for number, each in enumerate(_list(row, "questions"))
    ]
    return Conversation(name, tuple(turns), tuple(questions))


def _timed(row: Content) -> TimedSentence:
    times = [
        (_text(each, "text"), _moment(_text(each, "start")), _moment(_text(each, "end")))
        for each in _list(row, "times")
    ]
    at = parse_time(row["at"], name="at")
    return TimedSentence(f"times/{_text(row, 'name')}", _text(row, "text"), at, tuple(times))


def _named(row: Content) -> NamedTalk:
    turns = [(_text(each, "speaker"), _text(each, "text")) for each in _list(row, "turns")]
    mentions = {
        (str(mention), _text(entity, "type"))
        for entity in _list(row, "entities")
        for mention in entity["mentions"]
    }
    return NamedTalk(tuple(turns), tuple(sorted(mentions)))


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _text(row: Content, name: str) -> str:
    value = row[name]
    if not isinstance(value, str):
        raise TypeError
    return value


def _name(row: Content, name: str) -> str | None:
    value = row.get(name)
    return str(value) if value else None


def _list(row: Content, name: str) -> list:  # type: ignore[type-arg]  # JSON; checked where read
    value = row[name]
    if not isinstance(value, list):
        raise TypeError
    return value
