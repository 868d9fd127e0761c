"""A conversation as exchanges: what a person said, and all that followed until they spoke again.

An exchange is the smallest thing that is kept or shortened as a whole. A call of a tool and what
the tool gave back are always in one, so that no format of any provider is ever torn apart.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
    joined: list[list[ChatMessage]] = []
    called_in: dict[str, int] = {}
    for group in groups:
        joined.append(group)
        first = min(
            (called_in.get(id_, len(joined) - 1) for id_ in _answered(group)),
            default=len(joined) - 1,
        )
        if first < len(joined) - 1:
            whole = [message for each in joined[first:] for message in each]
            joined[first:] = [whole]
        here = len(joined) - 1
        called_in = {id_: min(place, here) for id_, place in called_in.items()}
        for message in group:
            called_in.update((call.id, here) for call in message.calls if call.id)
    return joined


def _answered(group: Sequence[ChatMessage]) -> list[str]:
    """The calls answered in a group that were not made in it."""
    own = {call.id for message in group for call in message.calls}
    return [
        result.call_id
        for message in group
        for result in message.results
        if result.call_id and result.call_id not in own
    ]
