"""Boxes: what was said about one thing at one time, kept together; traces: a thing come back to.

A box is open while the talk stays on its topics. It is sealed when the topic changes, after a
silence, or when it is full; boxes whose topics recur belong to one trace.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from engram.language.lexicon import COMMON_WORDS
from engram.language.names.mentions import find_mentions
from engram.language.stems import stem
from engram.memory.box_options import BoxOptions
from engram.text.strings import folded

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_LONGEST = 8_192  # the topics of a longer text show in its beginning
_MOST_TOPICS = 64
_SHORTEST = 3
# Words of every conversation: they say nothing about what it is about.
_SAYS_NOTHING = frozenset(
    stem(word)
    for word in """also always amazing anything awesome back bit came come coming definitely
    everything feel feeling find found getting give glad going good great guess happy haven help
    hey hello hope keep kind know last like little long look looking lot love made make making many
    maybe mean much need never new next nice nothing now okay one people probably pretty put quite
    really right said say see seen something soon sorry still sure take talk tell thank thanks
    thing things think thought time today tomorrow told took try trying two use used using wait
    want wanted way week well went whole wish wonder wonderful work working wow yeah year yes
    yesterday yet day very""".split()
)


class SealReason(StrEnum):
    """Why a box was sealed."""

    TOPIC = "topic"
    SILENCE = "silence"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class OpenBox:
    """A box that can still be added to: how often each topic came up, and how much it holds."""

    topics: Mapping[str, int]
    last_at: datetime
    members: int


@dataclass(frozen=True, slots=True)
class BoxDecision:
    """The box that is open from now on, and, if another was sealed before, why."""

    box: OpenBox
    sealed_for: SealReason | None = None
    is_first: bool = False  # there was no open box

    @property
    def is_append(self) -> bool:
        """Whether the memory goes into the box that was open."""
        return self.sealed_for is None and not self.is_first


def topics_of(text: str, names: Collection[str] | None = None) -> frozenset[str]:
    """What a text is about: the keys of what it names, and the stems of words that tell.

    Who knows the keys of the names in it already can say so: finding them is what takes time.
    """
    read = text[:_LONGEST]
    found = (mention.key for mention in find_mentions(read)) if names is None else names
    keys = dict.fromkeys(found)
    named = {word for key in keys for word in key.split()}
    stems: dict[str, None] = {}
    for word in _WORD.findall(folded(read)):
        if _tells(word) and word not in named:
            stems[stem(word)] = None
    told = [each for each in stems if each not in _SAYS_NOTHING]
    return frozenset([*keys, *told][:_MOST_TOPICS])


def _tells(word: str) -> bool:
    return len(word) >= _SHORTEST and word not in COMMON_WORDS and "'" not in word


def overlap(one: Collection[str], other: Collection[str]) -> float:
    """How much of the smaller set of topics is in the other, from 0 to 1.

    Of the smaller, because a box gathers topics: by the share of both a full box would be left by
    everything said in it.
    """
    first, second = set(one), set(other)
    smaller = min(len(first), len(second))
    return len(first & second) / smaller if smaller else 0.0


def next_box(
    open_box: OpenBox | None,
    memory_topics: Collection[str],
    at: datetime,
    options: BoxOptions | None = None,
) -> BoxDecision:
    """Where a memory goes: into the open box, or into one that is opened for it."""
    first = OpenBox(Counter(set(memory_topics)), at, 1)
    if open_box is None:
        return BoxDecision(first, is_first=True)
    reason = _reason_to_seal(open_box, memory_topics, at, options or BoxOptions())
    if reason is not None:
        return BoxDecision(first, reason)
    topics = Counter(open_box.topics) + Counter(set(memory_topics))
    return BoxDecision(OpenBox(topics, max(at, open_box.last_at), open_box.members + 1))


def _reason_to_seal(
    box: OpenBox, topics: Collection[str], at: datetime, options: BoxOptions
) -> SealReason | None:
    if box.members >= options.most_memories:
        return SealReason.FULL
    if at - box.last_at > timedelta(minutes=options.silence_minutes):
        return SealReason.SILENCE
    # A memory without topics ("Yes, do that.") cannot change the topic.
    if topics and box.topics and overlap(topics, box.topics) < options.least_overlap:
        return SealReason.TOPIC
    return None


def box_topics(box: OpenBox, most: int = 12) -> frozenset[str]:
    """The topics a box is known by once it is sealed: those that came up most often."""
    ranked = sorted(box.topics.items(), key=lambda each: (-each[1], each[0]))
    return frozenset(topic for topic, _ in ranked[:most])


def matching_trace(
    topics: Collection[str],
    traces: Mapping[str, Collection[str]],
    *,
    least_overlap: float = 0.35,
) -> str | None:
    """The trace that a sealed box goes on with: the one with most topics in common, if enough.

    A single topic in common is chance; of equal traces the first by name is taken.
    """
    wanted = set(topics)
    fitting = [
        (overlap(wanted, known), len(wanted & set(known)), name)
        for name, known in sorted(traces.items())
        if len(wanted & set(known)) >= min(2, len(wanted))
    ]
    best = max(fitting, key=lambda each: each[:2], default=None)
    return best[2] if best is not None and wanted and best[0] >= least_overlap else None
