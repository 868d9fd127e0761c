"""A store for each conversation of a folder, made once and kept where that is wished for."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from engram import Engram
from engram.evaluation.conversations import Asked, Conversation, load_sets
from engram.evaluation.put_in import REMEMBER, put_in

Settings = Mapping[str, object]


@contextmanager
def stored(
    conversations: tuple[Conversation, ...],
    keep: Path | None,
    name: str,
    settings: Settings | None = None,
) -> Iterator[Engram]:
    """Conversations in one store, every turn remembered and embedded."""
    with tempfile.TemporaryDirectory(prefix="engram-context-") as folder:
        path = (keep or Path(folder)) / name
        is_made = path.exists()
        with Engram.open(path, settings=settings) as engram:
            if not is_made:
                for each in conversations:
                    put_in(engram, each.turns, REMEMBER, lambda *_: None)
            yield engram


def conversations_of(
    folder: Path, set_name: str, limit_files: int | None
) -> tuple[Conversation, ...]:
    """The conversations of one set."""
    return load_sets(folder, [set_name], limit_files=limit_files)[0].conversations


def runs(conversation: Conversation) -> list[list[Asked]]:
    """The questions as somebody would ask them who goes through the talks one after another.

    Those whose evidence lies in one session make one run, in the order of their evidence.
    """
    order = {turn.id: place for place, turn in enumerate(conversation.turns)}
    session = {turn.id: turn.session for turn in conversation.turns}
    grouped: dict[str | None, list[Asked]] = {}
    scored = [each for each in conversation.questions if each.is_scored]
    for asked in sorted(scored, key=lambda each: min(order[turn] for turn in each.evidence)):
        first = min(asked.evidence, key=lambda turn: order[turn])
        grouped.setdefault(session[first], []).append(asked)
    return list(grouped.values())
