"""What a question may look at: the rows one caller sees, and what is peculiar to them.

All statistics that ranking uses are taken over these rows alone, so what others hold in the same
store moves no score.
"""

from collections import Counter, OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from engram.memory.scopes import Reach
from engram.memory.traits import Mark, token_of
from engram.recall.wordings import NOBODY, Wordings
from engram.text.strings import folded

_ROLES = frozenset("user assistant system tool human ai bot agent model".split())
_LEAST_CALLS = 3  # a name by which somebody was addressed this often,
_SURE_SHARE = 0.9  # nearly always the same person, is theirs
_LEAST_NICKNAME = 3
_AGENTS_SPEAK_FROM = 0.05  # from this share on, agents take part in what is remembered
_MOST_SPEAKERS = 5_000
_KEPT = 16


@dataclass(frozen=True, slots=True)
class People:
    """Who speaks in the rows, by every name they go by."""

    by_name: Mapping[str, frozenset[int]]
    by_call: Mapping[int, int]  # a token that somebody is called by, and whom it means

    def named(self, word: str) -> frozenset[int]:
        """The speakers a word names: by their name, what they are called, or its beginning."""
        plain = folded(word)
        if plain in self.by_name:
            return self.by_name[plain]
        called = self.by_call.get(token_of(plain))
        return frozenset() if called is None else frozenset({called})


@dataclass(frozen=True, slots=True)
class Selection:
    """The rows a question may look at."""

    wordings: Wordings
    mask: NDArray[np.bool_]
    rows: NDArray[np.int64]  # the same, ascending
    mean_words: float
    has_agents: bool
    rules: NDArray[np.int64]  # rows that are standing wishes
    people: People

    def __len__(self) -> int:
        return len(self.rows)

    def row_of_vectors(
        self, numbers: NDArray[np.int64], versions: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """The selected row of each wording; NOBODY where there is none."""
        seen = self.wordings
        if not len(self.rows):
            return np.full(len(numbers), NOBODY, dtype=np.int64)
        row_of_number = np.full(len(seen.row_of_number), NOBODY, dtype=np.int64)
        row_of_number[seen.numbers[self.rows]] = self.rows
        inside = (numbers >= 0) & (numbers < len(row_of_number))
        found = np.where(inside, row_of_number[np.where(inside, numbers, 0)], NOBODY)
        same = seen.versions[np.maximum(found, 0)] == versions
        return np.where((found != NOBODY) & same, found, NOBODY)


class Selections:
    """The last few selections, so that the next question of the same caller need not make one."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Reach, Selection] = OrderedDict()
        self._lock = Lock()

    def of(self, wordings: Wordings, reach: Reach) -> Selection:
        """Everything a caller may recall now."""
        with self._lock:
            kept = self._kept.get(reach)
            if kept is not None and kept.wordings is wordings:
                self._kept.move_to_end(reach)
                return kept
        made = select(wordings, wordings.is_open & visible(wordings, reach))
        with self._lock:
            self._kept[reach] = made
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return made


def visible(wordings: Wordings, reach: Reach) -> NDArray[np.bool_]:
    """Which rows lie within a caller's reach."""
    seen = np.array(
        [
            path in reach.chain or reach.below_start <= path < reach.below_end
            for path in wordings.scopes
        ],
        dtype=np.bool_,
    )
    if not len(seen):
        return np.zeros(len(wordings), dtype=np.bool_)
    return seen[wordings.scope_codes]


def select(wordings: Wordings, mask: NDArray[np.bool_]) -> Selection:
    """The rows of a mask, with what ranking needs to know of them as a whole."""
    rows = np.flatnonzero(mask)
    words = wordings.words[rows]
    agents = np.count_nonzero(wordings.is_impersonal[rows])
    return Selection(
        wordings=wordings,
        mask=mask,
        rows=rows,
        mean_words=float(words.mean()) if len(rows) else 1.0,
        has_agents=int(agents) > _AGENTS_SPEAK_FROM * len(rows),
        rules=rows[(wordings.flags[rows] & Mark.RULE != 0) & ~wordings.is_impersonal[rows]],
        people=_people(wordings, mask, rows),
    )


def _people(wordings: Wordings, mask: NDArray[np.bool_], rows: NDArray[np.int64]) -> People:
    codes = wordings.speaker_codes[rows]
    spoke = np.bincount(codes[codes != NOBODY], minlength=len(wordings.speakers))
    present = np.flatnonzero(spoke).tolist()
    by_name: dict[str, frozenset[int]] = {}
    if len(present) > _MOST_SPEAKERS:
        return People({}, {})
    for code in present:
        name = first_name(wordings.speakers[code])
        if name is not None:
            by_name[name] = by_name.get(name, frozenset()) | {code}
    return People(by_name, _calls(wordings, mask, by_name))


def first_name(speaker: str) -> str | None:
    """The name a speaker is asked about by; a role is no name."""
    words = folded(speaker).split()
    return words[0] if words and folded(speaker) not in _ROLES and len(words[0]) > 1 else None


def _calls(
    wordings: Wordings, mask: NDArray[np.bool_], by_name: Mapping[str, frozenset[int]]
) -> dict[int, int]:
    """Whom the names used in address mean: in a talk of two, always the other one."""
    meant = _meant(wordings, mask)
    named = {token_of(name) for name in by_name}
    people = frozenset().union(*by_name.values())  # one who goes by a role has no other names
    found = {}
    for token, counts in meant.items():
        speaker, count = counts.most_common(1)[0]
        total = counts.total()
        is_sure = total >= _LEAST_CALLS and count >= _SURE_SHARE * total
        if speaker in people and token not in named and is_sure:
            found[token] = speaker
    return found | _nicknames(meant, by_name)


def _meant(wordings: Wordings, mask: NDArray[np.bool_]) -> dict[int, Counter[int]]:
    """How often each name was used to address each speaker."""
    rows, tokens = wordings.calls
    known = rows < len(mask)
    known[known] = mask[rows[known]] & (wordings.sessions[rows[known]] != NOBODY)
    rows, tokens = rows[known], tokens[known]
    sessions = wordings.sessions[rows]
    # In a talk of two, whoever is no speaker of it may mean either.
    is_of_two = (wordings.talks.speakers[sessions] == 2) & (wordings.speaker_codes[rows] != NOBODY)
    rows, tokens, sessions = rows[is_of_two], tokens[is_of_two], sessions[is_of_two]
    first, second = wordings.talks.first[sessions], wordings.talks.second[sessions]
    others = np.where(wordings.speaker_codes[rows] == first, second, first)
    pairs, counts = np.unique(np.stack([tokens, others]), axis=1, return_counts=True)
    meant: dict[int, Counter[int]] = {}
    for token, other, count in zip(*pairs.tolist(), counts.tolist(), strict=True):
        meant.setdefault(token, Counter())[other] = count
    return meant


def _nicknames(
    meant: Mapping[int, Counter[int]], by_name: Mapping[str, frozenset[int]]
) -> dict[int, int]:
    """The beginning of a name, when somebody was really addressed by it."""
    found: dict[int, int] = {}
    for name, speakers in by_name.items():
        for length in range(_LEAST_NICKNAME, len(name)):
            token = token_of(name[:length])
            if token in meant and len(speakers) == 1 and name[:length] not in by_name:
                found[token] = next(iter(speakers))
    return found
