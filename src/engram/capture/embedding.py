"""Embeds what waits: cuts wordings into parts, embeds them outside any transaction, stores them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engram.errors import EmbedderUnavailable
from engram.memory.vocabulary import SourceClass
from engram.providers.embedder import Embedder
from engram.storage.store import Store
from engram.storage.vectors.queue import (
    EmbeddedWording,
    QueuedWording,
    drop_wordings,
    due_wordings,
    keep_vectors,
    note_unsent,
    postpone,
)
from engram.storage.vectors.spaces import Space, take_over

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CUTTING = 1  # part of a space's identity: another way of cutting makes other vectors
_PERSON_CHARACTERS = 1_100  # about what the built-in model reads of one text
_AGENT_CHARACTERS = 600  # agents are wordy, and say what matters first
_PASSAGE_WORDS = 32
_MOST_PASSAGES = 16
_WORDINGS_AT_ONCE = 64
_TEXTS_AT_ONCE = 128  # so that closing never waits for more than these
_READ_SECONDS = 30.0
_FIRST_RETRY = timedelta(minutes=1)
_LAST_RETRY = timedelta(days=1)
_PROBE = "Is anybody there?"
_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])\s+|\n+")
_AGENTS = frozenset({SourceClass.AGENT.value, SourceClass.TOOL.value})


@dataclass(frozen=True, slots=True)
class Step:
    """What one step came to; `problem` says why the embedder could do nothing."""

    taken: int = 0  # wordings it dealt with, whatever came of it
    embedded: int = 0
    problem: str = ""

    @property
    def did_something(self) -> bool:
        """Whether another step may do more."""
        return self.taken > 0 and not self.problem


@dataclass(frozen=True, slots=True)
class _Cut:
    wording: QueuedWording
    texts: list[str]


def parts_of_text(text: str, *, is_agent: bool) -> list[str]:
    """The parts of a wording that are embedded: its beginning, and its passages if there are more.

    Found by any part, a memory is found whole: the nearest part decides.
    """
    whole = text[: _AGENT_CHARACTERS if is_agent else _PERSON_CHARACTERS]
    if is_agent:
        return [whole]
    cut = passages(text, words=_PASSAGE_WORDS, most=_MOST_PASSAGES)
    return [whole, *cut] if len(cut) > 1 else [whole]


def passages(text: str, *, words: int, most: int | None = None) -> list[str]:
    """The text cut at sentence ends, packed into passages of at most so many words."""
    packed: list[str] = []
    held: list[str] = []
    for piece in _pieces(text, words):
        if held and len(held) + len(piece) > words:
            packed.append(" ".join(held))
            held = []
        held.extend(piece)
    if held:
        packed.append(" ".join(held))
    return packed if most is None else packed[:most]


def _pieces(text: str, words: int) -> Iterable[Sequence[str]]:
    """Sentences as lists of words; one that is too long comes in several."""
    for sentence in _SENTENCE_END.split(text):
        found = sentence.split()
        for start in range(0, len(found), words):
            yield found[start : start + words]


def retry_after(attempts: int) -> timedelta:
    """How long a text that could not be embedded is left alone: four times longer each time."""
    return min(_FIRST_RETRY * int(4 ** min(attempts, 10)), _LAST_RETRY)


def embed_step(
    store: Store, embedder: Embedder, space: Space, now: datetime, *, sends_protected: bool = True
) -> Step:
    """Embed the newest few wordings that are due in a space and store their vectors.

    Protected texts go to an embedder on another machine only where the settings say so.
    No transaction is open while the embedder works. Two processes may do the same work: whoever
    comes second finds that nothing waits any more, and stores nothing.
    """
    with store.database.reading(_READ_SECONDS) as transaction:
        due = due_wordings(transaction, space, now=now, limit=_WORDINGS_AT_ONCE)
    unsent = [each for each in due if each.is_protected and not sends_protected]
    gone = [each for each in due if not each.text and each not in unsent]
    cuts = _within_bounds(
        [_cut(each, each.text) for each in due if each.text and each not in unsent]
    )
    try:
        done, failed = _embedded(embedder, space, cuts)
    except EmbedderUnavailable as error:
        return Step(problem=error.hint or error.message)
    if not due:
        return Step()
    with store.derive() as transaction:
        drop_wordings(transaction, space, [*gone, *unsent])
        if unsent:
            note_unsent(transaction)
        for each in failed:
            postpone(transaction, space, each, until=now + retry_after(each.attempts))
        stored = keep_vectors(
            transaction, space, done, dimension=embedder.dimension or space.dimension or 0
        )
        take_over(transaction, space.identity)
    return Step(len(gone) + len(unsent) + len(cuts), stored)


def _cut(wording: QueuedWording, text: str) -> _Cut:
    return _Cut(wording, parts_of_text(text, is_agent=wording.source_class in _AGENTS))


def _within_bounds(cuts: list[_Cut]) -> list[_Cut]:
    """As many of the first as make up one step, and one at least."""
    total = 0
    for index, each in enumerate(cuts):
        total += len(each.texts)
        if index and total > _TEXTS_AT_ONCE:
            return cuts[:index]
    return cuts


def _embedded(
    embedder: Embedder, space: Space, cuts: Sequence[_Cut]
) -> tuple[list[EmbeddedWording], list[QueuedWording]]:
    """Each wording's vectors, and the wordings that an embedder which answers could not embed."""
    if not cuts:
        return [], []
    try:
        return _vectors(embedder, space, cuts), []
    except EmbedderUnavailable:
        _probe(embedder, space)  # raises again when it is the embedder and not a text
    done: list[EmbeddedWording] = []
    failed: list[QueuedWording] = []
    for each in cuts:
        try:
            done += _vectors(embedder, space, [each])
        except EmbedderUnavailable:
            failed.append(each.wording)
    if not done:
        _probe(embedder, space)  # it may have gone away in the middle: then no text is to blame
    return done, failed


def _probe(embedder: Embedder, space: Space) -> None:
    _check_dimension(embedder.embed([_PROBE]), space)


def _vectors(embedder: Embedder, space: Space, cuts: Sequence[_Cut]) -> list[EmbeddedWording]:
    from engram.storage.vectors.encoding import stored_vectors

    matrix = embedder.embed([text for each in cuts for text in each.texts])
    _check_dimension(matrix, space)
    rows = iter(stored_vectors(matrix, space.precision))
    return [
        EmbeddedWording(
            each.wording.number, each.wording.version, tuple(next(rows) for _ in each.texts)
        )
        for each in cuts
    ]


def _check_dimension(matrix: "NDArray[np.float32]", space: Space) -> None:
    if space.vectors and space.dimension is not None and matrix.shape[1] != space.dimension:
        raise EmbedderUnavailable(
            hint=f"It answers with {matrix.shape[1]} numbers where this store's vectors of it have "
            f"{space.dimension}: its model was changed under the same name."
        )
