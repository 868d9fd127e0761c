"""The shortest way in: a decorator that gives any function that answers messages a memory."""

import inspect
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, cast, overload

from engram import AsyncEngram, Engram, Scope
from engram.asynchronous_systems import AsyncTurn
from engram.engine.turns import Turn
from engram.errors import InvalidInput
from engram.integrations.opened import opened

_P = ParamSpec("_P")
_Messages = list[dict[str, object]]
_Answering = Callable[Concatenate[_Messages, _P], str]
_Asked = Callable[Concatenate[str, _P], str]
_AwaitedAnswering = Callable[Concatenate[_Messages, _P], Awaitable[str]]
_AwaitedAsked = Callable[Concatenate[str, _P], Awaitable[str]]


class _Decorator(Protocol):
    """Takes a function of messages, and gives one of what was said."""

    @overload
    def __call__(self, answer: _AwaitedAnswering[_P], /) -> _AwaitedAsked[_P]: ...

    @overload
    def __call__(self, answer: _Answering[_P], /) -> _Asked[_P]: ...


def remembering(
    engram: Engram | AsyncEngram,
    *,
    model: str,
    session: str | Callable[[], str] = "default",
    shape: str = "openai",
    runner: str = "chat",
    system: str | None = None,
    scope: Scope | None = None,
) -> _Decorator:
    """Make a function that answers messages into one that answers what was said, and remembers.

    The function gets the messages that belong into the model's window, in the shape of OpenAI or
    Anthropic, and returns the answer's text; it may be asynchronous. `session` may be a function,
    where one program talks with many. An `AsyncEngram` goes with functions that are awaited.
    """
    store = opened(engram)

    def begun() -> Turn:
        name = session if isinstance(session, str) else session()
        return store.turn(name, model=model, runner=runner, system=system, scope=scope)

    def decorate(answer: _Answering[_P] | _AwaitedAnswering[_P]) -> object:
        if inspect.iscoroutinefunction(answer):
            return _awaited(answer, begun, shape)
        if isinstance(engram, AsyncEngram):
            raise InvalidInput(
                hint="With an AsyncEngram the function is `async def`; open an Engram for others."
            )
        return _called(cast("_Answering[_P]", answer), begun, shape)

    return cast("_Decorator", decorate)


def _called(answer: _Answering[_P], begun: Callable[[], Turn], shape: str) -> _Asked[_P]:
    @wraps(answer)
    def asked(said: str, /, *args: _P.args, **kwargs: _P.kwargs) -> str:
        with begun() as turn:
            text = answer(turn.build(said).messages(shape), *args, **kwargs)
            turn.answered(text)
            return text

    return asked


def _awaited(
    answer: _AwaitedAnswering[_P], begun: Callable[[], Turn], shape: str
) -> _AwaitedAsked[_P]:
    @wraps(answer)
    async def asked(said: str, /, *args: _P.args, **kwargs: _P.kwargs) -> str:
        async with AsyncTurn(begun) as turn:
            window = await turn.build(said)
            text = await answer(window.messages(shape), *args, **kwargs)
            turn.answered(text)
            return text

    return asked
