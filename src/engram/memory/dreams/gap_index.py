"""The statements of a scope by their words, read once, so that many subjects can be looked for."""

import re
from collections.abc import Callable, Iterable, Sequence

from engram.memory.claims import Claim, claim_of
from engram.memory.dreams.gap_shapes import Field
from engram.memory.record import Memory

_WORD = re.compile(r"\w+(?:[.-]\w+)*")
_PAUSE = 64  # statements read in one go


class Statements:
    """What a scope says, found by words; claims are read when they are asked for."""

    def __init__(self, memories: Sequence[Memory], breathe: Callable[[], None]) -> None:
        self.memories = tuple(memories)
        self.answered = {
            (each.subject, each.metadata["field"]) for each in memories if "field" in each.metadata
        }
        self._by_word: dict[str, list[Memory]] = {}
        self._by_joint: dict[str, list[Memory]] = {}  # "Night-Jar" by "nightjar"
        self._claims: dict[int, Claim | None] = {}
        self._told: dict[str, bool] = {}
        for place, memory in enumerate(self.memories):
            if place % _PAUSE == 0:
                breathe()
            for word in set(_WORD.findall(memory.content.lower())):
                self._by_word.setdefault(word, []).append(memory)
                if "-" in word:
                    self._by_joint.setdefault(word.replace("-", ""), []).append(memory)

    def with_any(self, words: Iterable[str]) -> list[Memory]:
        """The statements in which one of these words stands, oldest first."""
        found = {each.number: each for word in words for each in self._by_word.get(word, ())}
        return [found[number] for number in sorted(found)]

    def naming(self, names: Iterable[str]) -> list[Memory]:
        """The statements in which one of these names stands, each a word or several in a row.

        A name of one word is also found where it is written with a hyphen.
        """
        found: dict[int, Memory] = {}
        for name in names:
            found |= {each.number: each for each in self._by_joint.get(name.lower(), ())}
            words = _WORD.findall(name.lower())
            if words:
                rarest = min(words, key=lambda word: len(self._by_word.get(word, ())))
                pattern = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
                near = self._by_word.get(rarest, ())
                found |= {each.number: each for each in near if pattern.search(each.content)}
        return [found[number] for number in sorted(found)]

    def claim_of(self, memory: Memory) -> Claim | None:
        """What a statement claims."""
        if memory.number not in self._claims:
            self._claims[memory.number] = claim_of(memory.content, speaker=memory.speaker)
        return self._claims[memory.number]

    def tells(self, template: str, field: Field) -> bool:
        """Whether any statement at all tells a field that is asked for once."""
        key = f"{template}.{field.name}"
        if key not in self._told:
            self._told[key] = any(field.known.search(each.content) for each in self.memories)
        return self._told[key]
