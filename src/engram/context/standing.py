"""What stands at the beginning of a session's prompts, so that the next one begins alike.

Memories that were put in once stay where they are while they hold and there is room; what comes up
later goes before the last message. When that has grown too much, or the topic is another, all of
it is laid out anew.
"""

from collections import OrderedDict
from dataclasses import dataclass

from engram.context.pack import Packed
from engram.storage.per_process import PerProcess

_MOST_SESSIONS = 512
Key = tuple[str, str, str]  # who asks, where, in which session


@dataclass(frozen=True, slots=True)
class Standing:
    """The pieces at the beginning, by section, in their order."""

    packed: tuple[tuple[str, Packed], ...] = ()

    def of(self, section: str) -> tuple[Packed, ...]:
        """Those of one section."""
        return tuple(packed for name, packed in self.packed if name == section)

    @property
    def lines(self) -> tuple[str, ...]:
        """Their lines."""
        return tuple(packed.line for _, packed in self.packed)


class Windows:
    """What stands in the prompts of the sessions used last; in memory alone, and bounded."""

    def __init__(self) -> None:
        self._standing: PerProcess[OrderedDict[Key, Standing]] = PerProcess(OrderedDict)

    def __len__(self) -> int:
        with self._standing.held() as standing:
            return len(standing)

    def find(self, key: Key) -> Standing:
        """What stands in a session's prompts; nothing, if it is new."""
        with self._standing.held() as standing:
            return standing.get(key, Standing())

    def keep(self, key: Key, standing: Standing) -> None:
        """Note what stands now; the session that was used longest ago makes way."""
        with self._standing.held() as kept:
            kept[key] = standing
            kept.move_to_end(key)
            while len(kept) > _MOST_SESSIONS:
                kept.popitem(last=False)

    def forget(self, key: Key | None = None) -> None:
        """Let go of one session's, or of all."""
        with self._standing.held() as kept:
            if key is None:
                kept.clear()
            else:
                kept.pop(key, None)
