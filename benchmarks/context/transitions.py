"""Labelled transitions made from a folder of conversations: what the next turn does to the topic.

- continuation: the next turn of the same session;
- switch: the first turn of a session of another conversation;
- drift: a turn of the same session at least twelve turns further on, so that what led over to it is
  missing: the same talk, and mostly no longer the same matter.

Nothing is labelled by hand, so some labels are wrong: a next turn may change the subject. One file
in two is for choosing thresholds, the others are held out.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engram.evaluation.conversations import Conversation, load_sets
from engram.memory.momentum import TopicShift

SETS = ("locomo", "realtalk", "beam-100K")
BEFORE = 6
_FURTHER_ON = 12
_SHORTEST = BEFORE + _FURTHER_ON + 1
_SEED = 8
# What a user notices is a topic that is lost and one that is dragged along, so these two are asked
# for alike. Drift lies between them, is rarer, and nothing but the order of what is in mind depends
# on it. The even mix is there to see what that choice hides.
STATED = {TopicShift.CONTINUATION: 0.45, TopicShift.DRIFT: 0.1, TopicShift.SWITCH: 0.45}
EVEN = dict.fromkeys(TopicShift, 1 / 3)


@dataclass(frozen=True, slots=True)
class Transition:
    """Some turns, the one that follows, and what that does to the topic."""

    before: tuple[str, ...]
    next: str
    label: TopicShift
    is_held_out: bool


@dataclass(frozen=True, slots=True)
class _Talk:
    """The sessions of one conversation that are long enough."""

    set_name: str
    sessions: tuple[tuple[str, ...], ...]


def transitions(
    folder: Path, count: int = 1_000, shares: Mapping[TopicShift, float] = STATED
) -> list[Transition]:
    """So many transitions to choose by and as many held out; the same ones in every run."""
    halves: tuple[list[_Talk], list[_Talk]] = ([], [])
    for each in load_sets(folder, SETS):
        for place, conversation in enumerate(each.conversations):
            if sessions := _sessions(conversation):
                halves[place % 2].append(_Talk(each.name, sessions))
    found: list[Transition] = []
    for is_held_out, talks in enumerate(halves):
        draw = random.Random(_SEED + is_held_out)
        for label, share in shares.items():
            wanted = range(round(count * share))
            found += [_drawn(label, talks, draw, bool(is_held_out)) for _ in wanted]
    return found


def _sessions(conversation: Conversation) -> tuple[tuple[str, ...], ...]:
    grouped: dict[str, list[str]] = {}
    for turn in conversation.turns:
        if turn.session is not None and turn.text.strip():
            grouped.setdefault(turn.session, []).append(turn.text)
    return tuple(tuple(each) for each in grouped.values() if len(each) >= _SHORTEST)


def _drawn(
    label: TopicShift, talks: Sequence[_Talk], draw: random.Random, is_held_out: bool
) -> Transition:
    set_name = draw.choice(SETS)  # each set counts alike, however large it is
    talk = draw.choice([each for each in talks if each.set_name == set_name])
    session = draw.choice(talk.sessions)
    if label is TopicShift.DRIFT:
        start = draw.randrange(len(session) - _SHORTEST + 1)
        place = draw.randrange(start + _SHORTEST - 1, len(session))
        before = session[start : start + BEFORE]
        return Transition(before, session[place], label, is_held_out)
    place = draw.randrange(BEFORE, len(session))
    before = session[place - BEFORE : place]
    if label is TopicShift.CONTINUATION:
        return Transition(before, session[place], label, is_held_out)
    others = list(_others(talk, talks))
    return Transition(before, draw.choice(draw.choice(others).sessions)[0], label, is_held_out)


def _others(talk: _Talk, talks: Sequence[_Talk]) -> Iterator[_Talk]:
    """Other conversations of the same set, or of any where it has no other."""
    alike = [each for each in talks if each is not talk and each.set_name == talk.set_name]
    yield from alike or [each for each in talks if each is not talk]
