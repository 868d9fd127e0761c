"""Where the conversations of this process are heading: the last turns of each session.

Nobody can read here what was said: of a turn its vector is kept and its telling words as the tokens
that recall's index counts by. Each caller has their own, in each scope and session; what is kept is
bounded, and the session that nobody used for longest gives way.
"""

import math
from collections import OrderedDict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from engram.memory.momentum import (
    NOWHERE,
    HeardTurn,
    Momentum,
    TopicShift,
    Turn,
    Vector,
    momentum_of,
    telling_tokens,
    topic_shift,
)
from engram.storage.per_process import PerProcess

TrajectoryKey = tuple[str, str, str]  # the caller as the audit names them, the scope, the session
SPAN = 6  # turns further back no longer say where a conversation goes
_MOST_SESSIONS = 512  # of 6 vectors of 384 numbers: 5 MB
_MOST_TOKENS = 24  # of one turn: a long one names its topic early
_MOST_NUMBERS = 8_192  # of a vector in a document, as large as any embedder's


@dataclass(frozen=True, slots=True)
class Noted:
    """One turn as it is kept."""

    tokens: tuple[int, ...]
    vector: Vector  # empty where nobody embedded it
    digest: bytes  # tells the same words said again from others
    at: float = 0.0  # seconds, to tell what came after what
    made_by: str = ""  # the embedder


_Sessions = OrderedDict[TrajectoryKey, deque[Noted]]


class Trajectories:
    """The last turns of each session; safe to use from any number of threads."""

    def __init__(self, most: int = _MOST_SESSIONS) -> None:
        self._most = most
        self._sessions: PerProcess[_Sessions] = PerProcess(OrderedDict)

    def note(
        self,
        key: TrajectoryKey,
        text: str,
        vector: Vector | None,
        *,
        made_by: str = "",
        at: float = 0.0,
    ) -> None:
        """A turn was said; the same words as just before are the same turn."""
        made = noted(text, vector, made_by=made_by, at=at)
        with self._sessions.held() as sessions:
            turns = sessions.setdefault(key, deque(maxlen=SPAN))
            if turns and turns[-1].digest == made.digest:
                turns.pop()
            turns.append(made)
            sessions.move_to_end(key)
            while len(sessions) > self._most:
                sessions.popitem(last=False)

    def recent(self, key: TrajectoryKey) -> tuple[Noted, ...]:
        """The last turns of a session, oldest first."""
        with self._sessions.held() as sessions:
            return tuple(sessions.get(key, ()))

    def momentum(self, key: TrajectoryKey, made_by: str = "") -> Momentum | None:
        """Where a session is heading; None when nothing is known of it."""
        return momentum_of([each.vector for each in self.recent(key) if each.made_by == made_by])

    def shift(self, key: TrajectoryKey, text: str, vector: Vector | None) -> TopicShift:
        """What a turn that is about to be said does to the topic."""
        return shift_of(text, vector, self.recent(key))

    def take_back(self, key: TrajectoryKey, texts: Sequence[str]) -> None:
        """Let a session not go on from these texts: the latest turn of each is let go of.

        In one go: what another thread says in the session meanwhile is neither lost nor in the way.
        """
        digests = [_digest(text) for text in texts]
        with self._sessions.held() as sessions:
            turns = sessions.get(key, deque[Noted]())
            for digest in digests:
                at = max((at for at, each in enumerate(turns) if each.digest == digest), default=-1)
                if at >= 0:
                    del turns[at]
            if not turns:
                sessions.pop(key, None)

    def forget(self, key: TrajectoryKey) -> None:
        """Let go of a session."""
        with self._sessions.held() as sessions:
            sessions.pop(key, None)

    def clear(self) -> None:
        """Let go of everything: another database lies there now."""
        with self._sessions.held() as sessions:
            sessions.clear()

    def as_document(self, key: TrajectoryKey) -> dict[str, object] | None:
        """A session's trajectory as plain values, to be kept by whoever puts sessions away."""
        turns = self.recent(key)
        return {"turns": [_as_values(each) for each in turns]} if turns else None

    def restore(self, key: TrajectoryKey, document: object) -> bool:
        """Take up a trajectory again; what cannot be read is left, and says so."""
        turns = _turns_of(document)
        if not turns:
            return False
        with self._sessions.held() as sessions:
            sessions[key] = deque(turns, maxlen=SPAN)
            sessions.move_to_end(key)
            while len(sessions) > self._most:
                sessions.popitem(last=False)
        return True


def noted(text: str, vector: Vector | None, *, made_by: str = "", at: float = 0.0) -> Noted:
    """A turn as it is kept: without its words."""
    kept = NOWHERE if vector is None else np.asarray(vector, dtype=np.float32)
    return Noted(telling_tokens(text)[:_MOST_TOKENS], kept, _digest(text), at, made_by)


def _digest(text: str) -> bytes:
    spaced = " ".join(text.split()).encode("utf-8", "surrogatepass")
    return blake2b(spaced, digest_size=12).digest()


def together(kept: Iterable[Noted], heard: Iterable[Noted]) -> tuple[Noted, ...]:
    """The turns that two sources tell of, in the order of their times, each once, the last few.

    What was asked is only known to this process, what was said stands in the store, and what was
    said through a turn is known to both: then the one with a vector is taken.
    """
    found: dict[bytes, Noted] = {}
    for each in (*kept, *heard):
        other = found.get(each.digest)
        if other is None or (len(each.vector) and not len(other.vector)):
            found[each.digest] = each
    return tuple(sorted(found.values(), key=lambda each: each.at))[-SPAN:]


def shift_of(text: str, vector: Vector | None, before: Sequence[Noted]) -> TopicShift:
    """What a turn does to the topic of those before it."""
    turn = Turn(text, NOWHERE if vector is None else vector)
    return topic_shift(turn, [HeardTurn(each.tokens, each.vector) for each in before])


def _as_values(turn: Noted) -> dict[str, object]:
    return {
        "tokens": list(turn.tokens),
        "vector": [round(float(each), 5) for each in turn.vector],
        "digest": turn.digest.hex(),
        "at": turn.at,
        "made_by": turn.made_by,
    }


def _turns_of(document: object) -> list[Noted]:
    """The turns of a document, or none when any of them cannot be read."""
    listed = document.get("turns") if isinstance(document, Mapping) else None
    if not isinstance(listed, list) or len(listed) > SPAN:
        return []
    try:
        return [_turn_of(each) for each in listed]
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        return []


def _turn_of(values: Mapping[str, object]) -> Noted:
    tokens, vector = values["tokens"], values["vector"]
    if not isinstance(tokens, list) or not isinstance(vector, list):
        raise TypeError
    if len(tokens) > _MOST_TOKENS or len(vector) > _MOST_NUMBERS:
        raise ValueError(len(vector))
    at = float(str(values["at"]))
    row = np.array([float(each) for each in vector], dtype=np.float32)
    if not (math.isfinite(at) and np.isfinite(row).all()):
        raise ValueError(at)
    return Noted(
        tuple(int(each) for each in tokens), row, bytes.fromhex(str(values["digest"])), at,
        str(values["made_by"]),
    )  # fmt: skip
