"""Conversations with questions about them, read from a folder and checked before anything runs."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from engram.errors import EngramError, InvalidInput
from engram.evaluation.gold_facts import GoldFact
from engram.memory.times import parse_time

_INNER_FOLDER = "retrieval"  # a folder with several kinds of material keeps the conversations here
_ALWAYS_UNANSWERABLE = "adversarial"  # LoCoMo's name for questions about what was never said
_MOST_BYTES = 256 * 1024 * 1024

_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing that was said."""

    id: str
    session: str | None
    at: datetime
    speaker: str | None
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a conversation, and the turns that hold its answer."""

    id: str
    text: str
    category: str
    evidence: frozenset[str]
    stale: frozenset[str]  # those of the evidence whose statement was replaced later
    is_answerable: bool
    answer: str = ""  # used only to tell which statements were worth keeping

    @property
    def is_scored(self) -> bool:
        """Whether finding can be measured: there is an answer, and it is known where."""
        return self.is_answerable and bool(self.evidence)


@dataclass(frozen=True, slots=True)
class LostEvidence:
    """A question that names as evidence what is no turn of its file."""

    file: str
    question: str  # its id
    missing: int  # how many; what stands there instead of ids may be words of a conversation
    is_scored: bool  # by the rest of its evidence


@dataclass(frozen=True, slots=True)
class Conversation:
    """One file: what was said, in order, and what is asked after the last turn."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Asked, ...]
    lost_evidence: tuple["LostEvidence", ...] = ()
    facts: tuple[GoldFact, ...] = ()  # what people wrote down about it, if they did

    @property
    def ends_at(self) -> datetime:
        """When the questions are asked."""
        return self.turns[-1].at


@dataclass(frozen=True, slots=True)
class ConversationSet:
    """The conversations of one benchmark; each gets a store of its own."""

    name: str
    conversations: tuple[Conversation, ...]

    @property
    def turns(self) -> int:
        """How much was said in all."""
        return sum(len(each.turns) for each in self.conversations)

    @property
    def questions(self) -> int:
        """How much is asked in all."""
        return sum(len(each.questions) for each in self.conversations)


def load_sets(
    folder: Path, names: Sequence[str] = (), *, limit_files: int | None = None
) -> tuple[ConversationSet, ...]:
    """Every set in a folder, or those named; whatever cannot be read is refused by name."""
    if limit_files is not None and limit_files < 1:
        raise InvalidInput(hint="At least one file of each set has to be read.")
    found = _set_folders(folder)
    unknown = [name for name in names if name not in found]
    if unknown:
        raise InvalidInput(
            hint=f"There is no set {', '.join(unknown)}; there are: {_listed(found)}."
        )
    wanted = list(dict.fromkeys(names)) or sorted(found)
    return tuple(
        ConversationSet(name, tuple(map(read_conversation, _files(found[name])[:limit_files])))
        for name in wanted
    )


def has_sets(folder: Path) -> bool:
    """Whether a folder holds any conversations."""
    return folder.is_dir() and bool(_found_sets(folder))


def _set_folders(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        raise InvalidInput(hint=f"{folder} is not a folder.")
    found = _found_sets(folder)
    if not found:
        hint = f"{folder} holds no sets; each is a folder of JSON files, one per conversation."
        raise InvalidInput(hint=hint)
    return found


def _found_sets(folder: Path) -> dict[str, Path]:
    inner = folder / _INNER_FOLDER
    parent = inner if inner.is_dir() else folder
    return {each.name: each for each in sorted(parent.iterdir()) if each.is_dir() and _files(each)}


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.json") if path.is_file())


def _listed(names: Mapping[str, object]) -> str:
    return ", ".join(sorted(names))


def read_conversation(file: Path) -> Conversation:
    """Read one file; an error names it, and never repeats what stands in it."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise InvalidInput(hint=f"it has more than {_MOST_BYTES} bytes.")
        return _conversation(json.loads(file.read_text(encoding="utf-8")), file)
    except EngramError as error:
        error.hint = f"{file.parent.name}/{file.name}: {error.hint}"
        raise
    except OSError as error:
        raise InvalidInput(hint=f"{file.name} cannot be read.") from error
    except (ValueError, RecursionError):
        # Without the cause: its text would repeat a piece of the file.
        raise InvalidInput(hint=f"{file.parent.name}/{file.name} is not valid JSON.") from None


def _conversation(content: object, file: Path) -> Conversation:
    if not isinstance(content, Mapping):
        raise InvalidInput(hint="the file holds no object.")
    turns = tuple(_each(content, "turns", _turn))
    questions = tuple(_each(content, "questions", _asked))
    ids = {turn.id for turn in turns}
    if not turns:
        raise InvalidInput(hint="`turns` is empty.")
    if len(ids) < len(turns):
        raise InvalidInput(hint="two turns have the same `id`.")
    kept = tuple(_within(each, ids) for each in questions)
    lost = tuple(_lost(questions, ids, f"{file.parent.name}/{file.name}"))
    if lost and not any(each.evidence for each in kept):
        # Ids that never fit are another numbering, and would look like a search that finds nothing.
        first = lost[0].question
        raise InvalidInput(hint=f"no question's `evidence` names a turn of the file, as {first}.")
    facts = tuple(_each(content, "facts", _fact)) if "facts" in content else ()
    return Conversation(_text(content, "id", file.stem), turns, kept, lost, facts)


def _lost(questions: Sequence[Asked], ids: set[str], file: str) -> Iterator[LostEvidence]:
    for each in questions:
        missing = len(each.evidence - ids)
        if missing:
            yield LostEvidence(file, each.id, missing, _within(each, ids).is_scored)


def _within(asked: Asked, ids: set[str]) -> Asked:
    """The question with the evidence that can be found at all; the rest is counted, not scored."""
    return Asked(
        asked.id, asked.text, asked.category,
        asked.evidence & ids, asked.stale & ids, asked.is_answerable, asked.answer,
    )  # fmt: skip


def _each(
    content: Mapping[str, object], name: str, read: Callable[[Mapping[str, object]], _Part]
) -> list[_Part]:
    parts = content.get(name)
    if not isinstance(parts, list):
        raise InvalidInput(hint=f"`{name}` is not a list.")
    found = []
    for index, part in enumerate(parts):
        try:
            if not isinstance(part, Mapping):
                raise InvalidInput(hint="it is not an object.")
            found.append(read(part))
        except EngramError as error:
            error.hint = f"{name}[{index}]: {error.hint}"
            raise
    return found


def _turn(part: Mapping[str, object]) -> Turn:
    return Turn(
        id=_text(part, "id"),
        session=_text(part, "session", "") or None,
        at=parse_time(part.get("at"), name="at"),
        speaker=_text(part, "speaker", "") or None,
        role=_text(part, "role", "user"),
        text=_text(part, "text"),
    )


def _asked(part: Mapping[str, object]) -> Asked:
    category = _text(part, "category", "other")
    answerable = part.get("answerable", True)
    if not isinstance(answerable, bool):
        raise InvalidInput(hint="`answerable` is neither true nor false.")
    return Asked(
        id=_text(part, "id"),
        text=_text(part, "question"),
        category=category,
        evidence=_turn_ids(part, "evidence"),
        stale=_turn_ids(part, "stale"),
        is_answerable=answerable and category != _ALWAYS_UNANSWERABLE,
        answer=_answer(part),
    )


def _answer(part: Mapping[str, object]) -> str:
    """The answer as words; some sets have lists of marks there, which are none."""
    value = part.get("answer")
    return str(value) if isinstance(value, str | int | float) else ""


def _fact(part: Mapping[str, object]) -> GoldFact:
    return GoldFact(_text(part, "text"), _turn_ids(part, "evidence"))


def _text(part: Mapping[str, object], name: str, default: str | None = None) -> str:
    value = part.get(name)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise InvalidInput(hint=f"`{name}` is missing or not a string.")
    return value


def _turn_ids(part: Mapping[str, object], name: str) -> frozenset[str]:
    value = part.get(name) or []
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise InvalidInput(hint=f"`{name}` is not a list of turn ids.")
    return frozenset(value)
