"""Which protected memories an answer shows, wherever in it they stand."""

import dataclasses
from collections.abc import Iterator, Mapping

from engram.memory.record import Memory
from engram.memory.vocabulary import Secrecy

_PLAIN = (str, bytes, int, float, type(None))


def protected_in(answer: object) -> list[Memory]:
    """The protected memories of an answer, each once, in the order they are shown."""
    found: dict[int, Memory] = {}
    for memory in _memories(answer):
        if memory.secrecy is not Secrecy.CLEARTEXT:
            found.setdefault(memory.number, memory)
    return list(found.values())


def _memories(answer: object) -> Iterator[Memory]:
    if isinstance(answer, _PLAIN):
        return
    if isinstance(answer, Memory):
        yield answer
    elif isinstance(answer, Mapping):
        for each in answer.values():
            yield from _memories(each)
    elif isinstance(answer, list | tuple | set | frozenset):
        for each in answer:
            yield from _memories(each)
    elif dataclasses.is_dataclass(answer):
        for field in dataclasses.fields(answer):
            yield from _memories(getattr(answer, field.name, None))
