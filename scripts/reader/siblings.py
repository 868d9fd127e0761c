"""Swaps one word of a text for another that means something else of the same kind.

"What is my sister called?" and "What is my mother called?" are answered by different statements,
though all their other words are the same. `siblings.txt` holds groups of such words; names of
people are a group too.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

NAMED = 0.3  # of the names in texts; without a limit most swaps would be of names
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
# Words with so many meanings that the swapped question would be none.
UNFIT = frozenset("right left leave keep repair head like will can may press lead run".split())
FILE = Path(__file__).with_name("siblings.txt")


@dataclass(frozen=True)
class Swap:
    """A word of a text and the one that takes its place."""

    old: str
    new: str

    def stands_in(self, text: str) -> bool:
        """Whether the text holds the old word."""
        return _whole(self.old).search(text) is not None

    def applied(self, text: str) -> str:
        """The text with the new word, and with "a" or "an" as it needs."""
        swapped = _whole(self.old).sub(lambda found: _like(found[0], self.new), text)
        wanted = "an" if self.new[0].lower() in "aeiou" else "a"
        return re.sub(
            rf"\b(an?) (?={re.escape(self.new)}\b)",
            lambda found: _like(found[1], wanted) + " ", swapped, flags=re.IGNORECASE,
        )  # fmt: skip


class Siblings:
    """Every word with those that could stand in its place."""

    def __init__(self, names: Sequence[str]) -> None:
        self._others: dict[str, set[str]] = defaultdict(set)
        for line in FILE.read_text("utf-8").splitlines():
            members = {each.strip() for each in line.split(",")} - UNFIT - {""}
            for each in members:
                self._others[each] |= members - {each}
        self._names, self._is_name = sorted(set(names)), frozenset(names)

    def swaps(self, text: str, taken: str, dice: random.Random) -> Iterator[Swap]:
        """One swap for each word of the text; the new word stands nowhere in what is `taken`."""
        seen = taken.lower()
        for word in self._members(text):
            others = sorted(each for each in self._others[word] if each.lower() not in seen)
            if others:
                yield Swap(word, dice.choice(others))
        for name in dict.fromkeys(_WORD.findall(text)):
            if name in self._is_name and dice.random() < NAMED:
                others = [each for each in dice.sample(self._names, 5) if each.lower() not in seen]
                if others:
                    yield Swap(name, others[0])

    def _members(self, text: str) -> list[str]:
        """The longest known words and phrases of the text, each once."""
        words = _WORD.findall(text)
        found, at = [], 0
        while at < len(words):
            for count in (3, 2, 1):
                phrase = " ".join(words[at : at + count])
                known = next((each for each in (phrase, phrase[:1].lower() + phrase[1:])
                              if each in self._others), None)  # fmt: skip
                if known:
                    found.append(known)
                    at += count - 1
                    break
            at += 1
        return list(dict.fromkeys(found))


@lru_cache(maxsize=10_000)
def _whole(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)


def _like(old: str, new: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new
