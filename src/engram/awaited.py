"""A method that is awaited: it runs in a thread, so that the event loop never waits."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Concatenate, Generic, ParamSpec, Protocol, TypeVar

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)
_P = ParamSpec("_P")
_R = TypeVar("_R")


class Waiting(Protocol[_T_co]):
    """What has awaited methods: it stands before something whose methods take their time."""

    @property
    def awaited(self) -> _T_co:
        """What the methods are called on."""
        ...


class Awaited(Generic[_T, _P, _R]):
    """A method of something else that is awaited; keeps its signature and its type."""

    def __init__(self, method: Callable[Concatenate[_T, _P], _R]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __get__(self, owner: Waiting[_T], kind: type) -> Callable[_P, Awaitable[_R]]:
        method = self._method

        def call(*args: _P.args, **kwargs: _P.kwargs) -> Awaitable[_R]:
            return asyncio.to_thread(method, owner.awaited, *args, **kwargs)

        return call
