"""Known-item test: are the memories of a store found again by a few of their own words?

Questions are made from the memories themselves, so nobody has to write any. It measures only
whether a memory can be found by words it contains; it says nothing about meaning. Nothing is
written, and what it reports are labels, never words.
"""

import hashlib
import heapq
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from engram.engine import Engram
from engram.errors import InvalidInput
from engram.evaluation.metrics import mean
from engram.language.lexicon import COMMON_WORDS, query_terms
from engram.memory.figures import percentile
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.staleness import holds_at
from engram.memory.status import RECALLABLE
from engram.version import __version__

_PAGE = 2_000
_LOOKED_AT = 10  # hits per question
_FEWEST_WORDS, _MOST_WORDS = 3, 6
_MOST_ITEMS = 100_000
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")

FORMS = ("keywords", "one word short", "natural")


@dataclass(frozen=True, slots=True)
class KnownItem:
    """One memory and the questions that should find it, one per form."""

    memory_id: str
    label: str
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FormReport:
    """One form of question over all memories asked for."""

    form: str
    questions: int
    hit_at_1: float
    hit_at_5: float
    hit_at_10: float
    reciprocal_rank: float
    latency_p50: float
    latency_p95: float
    not_found: tuple[str, ...]  # labels


@dataclass(frozen=True, slots=True)
class KnownItemReport:
    """How well a store finds its own memories again."""

    version: str
    at: datetime
    memories: int  # that recall could give back
    asked_for: int
    too_short: int  # drawn, but without three words to ask by
    forms: tuple[FormReport, ...]


def find_known_items(
    engram: Engram,
    count: int = 200,
    *,
    scope: Scope | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> KnownItemReport:
    """Ask for up to `count` memories that the caller sees, each in three forms."""
    if not 1 <= count <= _MOST_ITEMS:
        raise InvalidInput(hint=f"The number of memories to ask for is 1 to {_MOST_ITEMS}.")
    now = datetime.now(UTC)
    drawn, frequency, memories = _sample(engram, scope, now, count)
    items = [item for item in (known_item(each, frequency) for each in drawn) if item]
    if items:
        # Asked once before the clocks run: the first question of a process loads model and tables.
        engram.recall(items[0].questions[0], limit=1, scope=scope)
    places: list[list[tuple[int | None, float]]] = [[] for _ in FORMS]
    for done, item in enumerate(items, start=1):
        for form, question in enumerate(item.questions):
            places[form].append(_place(engram, question, item.memory_id, scope))
        if progress is not None:
            progress("ask", done, len(items))
    labels = [item.label for item in items]
    forms = (_form_report(*each, labels) for each in zip(FORMS, places, strict=True))
    return KnownItemReport(
        __version__, now, memories, len(items), len(drawn) - len(items), tuple(forms)
    )


def _sample(
    engram: Engram, scope: Scope | None, now: datetime, count: int
) -> tuple[list[Memory], Counter[str], int]:
    """Memories drawn by the hash of their id, how many hold each word, and how many there are."""
    frequency: Counter[str] = Counter()
    drawn: list[tuple[int, int, Memory]] = []  # the largest leaves first, so hashes are negative
    total = 0
    for memory in _recallable(engram, scope, now):
        total += 1
        frequency.update({word for words in sentences_of(memory.content) for word in words})
        entry = (-_hashed(memory.id), memory.number, memory)
        if len(drawn) < count:
            heapq.heappush(drawn, entry)
        elif entry > drawn[0]:
            heapq.heapreplace(drawn, entry)
    return [memory for _, _, memory in sorted(drawn, reverse=True)], frequency, total


def _recallable(engram: Engram, scope: Scope | None, now: datetime) -> Iterator[Memory]:
    before: str | None = None
    while page := engram.list(limit=_PAGE, status="any", before=before, scope=scope):
        for memory in page:
            is_open = memory.is_indexable and holds_at(memory, now)
            if memory.status in RECALLABLE and is_open:
                yield memory
        before = page[-1].label


def known_item(memory: Memory, frequency: Counter[str]) -> KnownItem | None:
    """The questions about one memory: the rarest words of one of its sentences."""
    sentences = sentences_of(memory.content)
    long_enough = [words for words in sentences if len(words) >= _FEWEST_WORDS]
    if not long_enough:
        return None
    chance = _hashed(memory.id)
    words = long_enough[chance % len(long_enough)]
    count = _FEWEST_WORDS + chance % (_MOST_WORDS - _FEWEST_WORDS + 1)
    rarest = sorted(words, key=lambda word: (frequency[word], word))[:count]
    shuffled = sorted(rarest, key=lambda word: _hashed(f"{memory.id} {word}"))
    keywords = " ".join(shuffled)
    shorter = " ".join(shuffled[:-1])
    return KnownItem(
        memory.id, memory.label, (keywords, shorter, f"What about {_joined(shuffled)}?")
    )


def sentences_of(text: str) -> list[list[str]]:
    """The content words of every sentence, as the index knows them, each once in its sentence."""
    return [_content_words(sentence) for sentence in _SENTENCE_END.split(text)]


def _content_words(sentence: str) -> list[str]:
    words = dict.fromkeys(term.text.lower() for term in query_terms(sentence))
    return [word for word in words if word not in COMMON_WORDS]


def _joined(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _hashed(text: str) -> int:
    """A number that looks like chance and is the same every time."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def _place(
    engram: Engram, question: str, memory_id: str, scope: Scope | None
) -> tuple[int | None, float]:
    started = time.perf_counter()
    result = engram.recall(question, limit=_LOOKED_AT, scope=scope)
    milliseconds = (time.perf_counter() - started) * 1000
    ids = [hit.memory.id for hit in result]
    return (next((n for n, each in enumerate(ids) if each == memory_id), None), milliseconds)


def _form_report(
    form: str, places: list[tuple[int | None, float]], labels: list[str]
) -> FormReport:
    found = [place for place, _ in places]
    latencies = [milliseconds for _, milliseconds in places]
    return FormReport(
        form=form,
        questions=len(places),
        hit_at_1=_share_within(found, 1),
        hit_at_5=_share_within(found, 5),
        hit_at_10=_share_within(found, 10),
        reciprocal_rank=mean([0.0 if place is None else 1 / (place + 1) for place in found]),
        latency_p50=percentile(latencies, 0.5),
        latency_p95=percentile(latencies, 0.95),
        not_found=tuple(label for label, place in zip(labels, found, strict=True) if place is None),
    )


def _share_within(places: list[int | None], k: int) -> float:
    return mean([float(place is not None and place < k) for place in places])
