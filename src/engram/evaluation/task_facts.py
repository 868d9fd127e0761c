"""How much of what people wrote down about conversations is kept when they are heard.

`gold_facts` says what counts. Scored is what `observe` leaves in a store, by the public calls; the
rules alone, which read the same turns outside a store; and beside them the naive reader, to whom
every sentence is a fact.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from engram.engine import Engram
from engram.errors import InvalidInput
from engram.evaluation.conversations import Conversation, Turn
from engram.evaluation.gold_facts import FactCase, GoldFact, GoldMemory, Kept, Said
from engram.evaluation.put_in import OBSERVE, Step, put_in, role_of
from engram.memory.record import Memory
from engram.memory.vocabulary import Status

TYPED_FILE = "memory-extraction.jsonl"
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_PAGE = 2_000
_TURN = "turn"
_CONTEXT = 4  # turns before one that reading sees, as many as by `observe`
_WRITTEN_AT = datetime(2026, 3, 4, 12, tzinfo=UTC)  # typed memories have no time of their own
_WITHOUT_EMBEDDER = {"embedder": {"kind": "none"}}


@dataclass(frozen=True, slots=True)
class TypedText:
    """A text, its language, and the typed memories that it should give."""

    turn: Turn
    language: str
    memories: tuple[GoldMemory, ...]


def fact_case(conversation: Conversation) -> FactCase:
    """A conversation as facts are scored on it."""
    return FactCase(
        turns={turn.id: Said(turn.text, turn.session) for turn in conversation.turns},
        facts=conversation.facts,
        names=sorted({turn.speaker for turn in conversation.turns if turn.speaker}),
        questions=[
            GoldFact(f"{asked.text} {asked.answer}", asked.evidence)
            for asked in conversation.questions
            if asked.is_scored
        ],
    )


def read_typed_texts(path: Path) -> list[TypedText]:
    """The texts of a file, one JSON object per line: `text`, `language`, `expected.memories`."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
        rows = [json.loads(line) for line in lines if line.strip()]
        return [_typed(row, number) for number, row in enumerate(rows)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(hint=f"{path.name} is no file of typed memories.") from error


def _typed(row: Mapping[str, Mapping[str, list[dict[str, str]]]], number: int) -> TypedText:
    name = f"text-{number}"
    memories = row["expected"]["memories"]
    return TypedText(
        Turn(name, name, _WRITTEN_AT, None, "user", str(row["text"])),
        str(row["language"]),
        tuple(GoldMemory(each["type"], each["content"]) for each in memories),
    )


def kept_by_observe(
    turns: Sequence[Turn], settings: Mapping[str, object], step: Step
) -> list[Kept]:
    """The statements that a store holds after hearing these turns, each with the turn it is of.

    Said in two turns, a statement counts for both. What waits for a person's approval does not
    count. No vectors are made: what is kept does not depend on them.
    """
    with Engram.open(":memory:", settings={**settings, **_WITHOUT_EMBEDDER}) as engram:
        put_in(engram, turns, OBSERVE, step)
        return [
            Kept(source.turn.reference, memory.content, memory.category)
            for memory in _statements(engram)
            for source in engram.sources(memory.id)
            if source.turn.reference is not None
        ]


def _statements(engram: Engram) -> Iterator[Memory]:
    before: str | None = None
    while page := engram.list(limit=_PAGE, status="any", before=before):
        for memory in page:
            if memory.category != _TURN and memory.status is not Status.PENDING:
                yield memory
        before = page[-1].label


def kept_by_reading(turns: Sequence[Turn]) -> list[Kept]:
    """What reading finds worth keeping, without storing it: said twice, it is kept twice."""
    with Engram.open(":memory:", settings=_WITHOUT_EMBEDDER) as engram:
        return [
            Kept(turn.id, each.content, each.category)
            for turn in turns
            for each in engram.read(
                turn.text, speaker=turn.speaker, role=role_of(turn), at=turn.at
            ).statements
        ]


def every_sentence(turns: Sequence[Turn]) -> list[Kept]:
    """The naive reader: every sentence is a fact."""
    return [
        Kept(turn.id, sentence)
        for turn in turns
        for sentence in _SENTENCE_END.split(turn.text)
        if sentence.strip()
    ]
