"""The command that serves the store to others: the HTTP API, and MCP beside it."""

import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import ProcessError
from engram.surfaces.cli import terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from engram.engine import Engram
    from engram.surfaces.http.server import Serving
    from engram.surfaces.http.workers import Workers

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_EVERYWHERE = frozenset({"0.0.0.0", "::", ""})  # noqa: S104  # to be refused


@dataclass(frozen=True)
class Listening:
    """Where the server listens and what it answers to."""

    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen at.")] = (
        "127.0.0.1"
    )
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="The port; 0 takes any that is free.")
    ] = 8377
    public: Annotated[
        bool, typer.Option("--public", help="Listen beyond this machine. Needs a key; use TLS.")
    ] = False
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A further name it may be called by, as memory.example.org."
        ),
    ] = None
    mcp: Annotated[bool, typer.Option("--mcp/--no-mcp", help="Serve MCP at /mcp too.")] = True

    def check(self) -> None:
        """Refuse to listen beyond this machine by accident."""
        if self.host not in _LOOPBACK and not self.public:
            raise typer.BadParameter(
                "This address can be reached from other machines; say --public if that is meant.",
                param_hint="--host",
            )

    def bound(self) -> "socket.socket":
        """The socket that callers connect to."""
        import socket

        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        try:
            return socket.create_server((self.host, self.port), family=family, backlog=512)
        except OSError as error:
            hint = f"Cannot listen at {self.host}:{self.port}: {error.strerror}. Try --port 0."
            raise ProcessError(hint=hint) from error

    def serving(self, listener: "socket.socket", port: int, *, share: int) -> "Serving":
        """How a process serves on that socket."""
        from engram.surfaces.http.gate import Names
        from engram.surfaces.http.server import Serving

        names = [*(self.allow_host or ())]
        if self.host not in _LOOPBACK | _EVERYWHERE:
            names.append(f"[{self.host}]" if ":" in self.host else self.host)
        return Serving(listener, Names.of(port, names), share=share, has_mcp=self.mcp)


@command("serve", panel=Panel.CONNECT, example="engram serve --port 8377")
def serve(
    call: Call,
    listening: Listening,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that share it.")] = 1,
    worker: Annotated[
        str | None, typer.Option(hidden=True)
    ] = None,  # a child: channel:of how many:port
) -> None:
    """Serve the store to callers with a key, over HTTP and MCP, until interrupted."""
    call.check_owner()
    listening.check()
    if worker is not None:
        _serve_as_child(call, listening, worker)
        return
    # Until the server minds signals itself, one ends it in order too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with listening.bound() as listener:
        with call.engram(is_new=True) as owner:
            keys = _checked_keys(call, listening, owner)

            def announce() -> None:
                _announce(call, listening, listener, keys)

            if workers == 1:
                _serve(
                    owner, listening.serving(listener, listener.getsockname()[1], share=1), announce
                )
        if workers > 1:
            _workers(call, listening, listener, workers).run(announce)


def _serve(owner: "Engram", serving: "Serving", when_ready: "Callable[[], None]") -> None:
    from engram.surfaces.http.server import serve as serve_store

    serve_store(owner, serving, when_ready)


def _checked_keys(call: Call, listening: Listening, owner: "Engram") -> int:
    """How many keys there are; beyond this machine nothing is served while there is none."""
    keys = len(owner.keys())
    if listening.host not in _LOOPBACK and not keys:
        raise typer.BadParameter(
            f"There is no key yet; make one first: engram keys issue NAME{call.again}",
            param_hint="--public",
        )
    return keys


def _announce(call: Call, listening: Listening, listener: "socket.socket", keys: int) -> None:
    """Say where it is, and how to get a key when there is none: without one nothing is served."""
    from engram.surfaces.http.routing import API

    host = f"[{listening.host}]" if ":" in listening.host else listening.host
    address = f"http://{host}:{listener.getsockname()[1]}"
    lines = [f"Engram serves {address}{API} (active keys: {keys}). Ctrl+C stops it."]
    if not keys:
        lines.append(f"Nobody can call it yet. Make a key: engram keys issue NAME{call.again}")
    call.show({"url": address, "keys": keys}, lambda: terminal.styled("\n".join(lines)))
    sys.stdout.flush()


def _workers(
    call: Call, listening: Listening, listener: "socket.socket", workers: int
) -> "Workers":
    from engram.settings import credentials
    from engram.surfaces.http.workers import Workers

    # -P: nothing of the folder it is started in is imported.
    command = [sys.executable, "-P", "-m", "engram", "serve", "--host", listening.host]
    command += ["--store", call.store] if call.store else []
    command += ["--public"] if listening.public else []
    command += ["--mcp" if listening.mcp else "--no-mcp"]
    for name in listening.allow_host or ():
        command += ["--allow-host", name]
    return Workers(command, listener, workers, credentials(call.passphrase))


def _serve_as_child(call: Call, listening: Listening, worker: str) -> None:
    import socket

    from engram.memory.scopes import Principal
    from engram.surfaces.handing_over import handed_over
    from engram.wiring import open_engram

    handle, share, port = map(int, worker.split(":"))
    secret = handed_over()
    with (
        socket.socket(fileno=handle) as channel,
        open_engram(call.store, principal=Principal.of(None), unlocking=secret) as owner,
    ):
        _serve(owner, listening.serving(channel, port, share=share), lambda: None)
