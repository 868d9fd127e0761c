"""A conversation as exchanges: what a person said, and all that followed until they spoke again.

An exchange is the smallest thing that is kept or shortened as a whole. A call of a tool and what
the tool gave back are always in one, so that no format of any provider is ever torn apart.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engram.context.message import ChatMessage


@dataclass(frozen=True, slots=True)
class Exchange:
    """Consecutive messages that belong together."""

    messages: tuple[ChatMessage, ...]

    @property
    def asked(self) -> tuple[ChatMessage, ...]:
        """What the person said."""
        return tuple(each for each in self.messages if each.is_from_person)

    @property
    def answered(self) -> tuple[ChatMessage, ...]:
        """What came of it."""
        return tuple(each for each in self.messages if not each.is_from_person)


def exchanges_of(messages: Iterable[ChatMessage]) -> tuple[Exchange, ...]:
    """Cut a conversation where a person speaks again, but never between a call and its result."""
    groups: list[list[ChatMessage]] = []
    for message in messages:
        is_next = message.is_from_person and bool(groups) and not groups[-1][-1].is_from_person
        if not groups or is_next:
            groups.append([])
        groups[-1].append(message)
    return tuple(Exchange(tuple(group)) for group in _joined(groups))


def _joined(groups: Sequence[list[ChatMessage]]) -> list[list[ChatMessage]]:
    """Groups of which one answers a call of an earlier one, made one again."""
    begins: list[int] = []  # the group that each exchange begins with
    called_in: dict[str, int] = {}
    for place, group in enumerate(groups):
        begins.append(place)
        first = min((called_in.get(id_, place) for id_ in _answered(group)), default=place)
        while begins[-1] > first:
            begins.pop()
        for message in group:
            called_in.update((call.id, place) for call in message.calls if call.id)
    return [
        [message for group in groups[begin:end] for message in group]
        for begin, end in pairwise([*begins, len(groups)])
    ]


def _answered(group: Sequence[ChatMessage]) -> list[str]:
    """The calls answered in a group that were not made before in it."""
    made: set[str] = set()
    found = []
    for message in group:
        found += [each.call_id for each in message.results if each.call_id not in made]
        made.update(call.id for call in message.calls)
    return [call_id for call_id in found if call_id]
