"""One session over stdio: the seat of its caller, the conversation, and an orderly end."""

import asyncio
import threading
from pathlib import Path

from engram.engine import Engram
from engram.memory.policies import Preset, allows
from engram.memory.roles import Need
from engram.memory.scopes import Principal, PrincipalKind
from engram.settings import default_store, named_scope
from engram.surfaces.harness.project import scope_here
from engram.surfaces.mcp.adapter import make_server
from engram.surfaces.mcp.seats import LateStore, Seat
from engram.surfaces.mcp.serve import Wish
from engram.surfaces.mcp.stdio import Conversation
from engram.surfaces.mcp.toolsets import Allows, ToolSet, tools_for
from engram.surfaces.mcp.wire import Line, Wire
from engram.surfaces.operations import Operation
from engram.surfaces.unexpected import quieten_loggers
from engram.surfaces.work import Workshop

_THREADS = 8
_LEAVING_SECONDS = 6.0  # a model that is just loading holds the store for some seconds


def hold(wire: Wire, opening: Line, wish: Wish, *, greeted: int | str | None) -> None:
    """Talk with the client until it is gone, then let go of the store."""
    quieten_loggers()
    principal = principal_of(wish)
    store = LateStore(lambda: _opened(wish, principal))
    workshop = Workshop(_THREADS)
    seat = Seat(tools_for(ToolSet(wish.tools), _allowed(wish, principal)), store.engram)
    server = make_server(
        lambda request: seat,  # noqa: ARG005  # there is one caller
        workshop,
        on_ready=store.begin if _is_there(wish) else None,
    )
    try:
        asyncio.run(Conversation(wire, server, opening).run(greeted=greeted))
    finally:
        workshop.close(is_awaited=False)
        _close(store)


def principal_of(wish: Wish) -> Principal:
    """Who is behind the calls: an agent of the scope, unless a person says that it is theirs."""
    text = wish.scope if wish.scope is not None else named_scope()
    scope = scope_here(text, Path.cwd())
    if wish.caller == "person" or scope.channel is not None:
        return Principal.of(scope)  # of a channel there is its user, or nobody
    return Principal(PrincipalKind.AGENT, scope)


def _opened(wish: Wish, principal: Principal) -> Engram:
    """The store; made when it is missing, since an agent's first session is often the first."""
    from engram.surfaces.daemon.dream_starter import DreamStarter
    from engram.wiring import open_engram

    engram = open_engram(wish.store, principal=principal)
    DreamStarter(engram).start()
    return engram


def _is_there(wish: Wish) -> bool:
    """Whether there is a store already: listing tools makes none."""
    if wish.store == ":memory:" or "://" in (wish.store or ""):
        return False
    return (Path(wish.store).expanduser() if wish.store else default_store()).is_dir()


def _allowed(wish: Wish, principal: Principal) -> Allows:
    """What the policy leaves; only the owner is offered what concerns the store as a whole."""
    preset = Preset(wish.policy)

    def is_allowed(operation: Operation) -> bool:
        if operation.need is Need.CONTROL and not principal.is_owner:
            return False
        return allows(preset, operation.name, operation.need, operation.effect)

    return is_allowed


def _close(store: LateStore) -> None:
    closing = threading.Thread(target=store.close, daemon=True)
    closing.start()
    closing.join(_LEAVING_SECONDS)
