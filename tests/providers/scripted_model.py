"""A real model server on this machine that says what a test tells it to, in both protocols."""

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

OPENAI_PATH = "/v1/chat/completions"
ANTHROPIC_PATH = "/v1/messages"


@dataclass
class Asked:
    """What the server was sent."""

    path: str
    headers: dict[str, str]
    document: dict[str, object]

    @property
    def shape(self) -> str:
        """Which form of answer the request insists on."""
        wanted = self.document.get("response_format")
        return wanted["type"] if isinstance(wanted, dict) else "plain"


@dataclass
class Reply:
    """What the server does: an answer, and how it comes."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    pieces: Iterable[bytes] = ()  # sent after the body, one by one
    length: int | None = None  # what is promised, if not the length of the body
    raw: Iterable[bytes] = ()  # sent instead of a proper answer
    hangs_up: bool = False


Script = Callable[[Asked], Reply]


@dataclass
class ScriptedModel:
    """The server's state: what it says next (the last step stays) and what it was asked."""

    url: str = ""
    script: list[Script] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    def will(self, *steps: Script) -> None:
        self.script = list(steps)
        self.asked.clear()

    def next_reply(self, asked: Asked) -> Reply:
        step = self.script[min(len(self.asked), len(self.script)) - 1]
        return step(asked)

    def never_answers(self, _: Asked) -> Reply:
        self.closing.wait(20)
        return Reply(hangs_up=True)

    def drips(self, _: Asked) -> Reply:
        return Reply(pieces=self._drops(), length=100_000)

    def drips_and_closes(self, _: Asked) -> Reply:
        return Reply(pieces=self._drops(), length=100_000, headers={"Connection": "close"})

    def drips_headers(self, _: Asked) -> Reply:
        return Reply(raw=self._drops())

    def _drops(self) -> Iterator[bytes]:
        for _ in range(500):
            yield b" "
            time.sleep(0.02)


def says(text: str, *, tokens: tuple[int, int] | None = (100, 20)) -> Script:
    """A proper answer with this text, in the protocol that it was asked in."""

    def reply(asked: Asked) -> Reply:
        document = _message(text) if asked.path == ANTHROPIC_PATH else _chat(text)
        if tokens:
            names = _USAGE[asked.path]
            document["usage"] = dict(zip(names, tokens, strict=True))
        return Reply(body=json.dumps(document).encode())

    return reply


def tells(*facts: object, tokens: tuple[int, int] | None = (100, 20)) -> Script:
    """A proper answer with these facts; to Anthropic's protocol through the tool."""
    answer = {"facts": list(facts)}

    def reply(asked: Asked) -> Reply:
        if asked.path != ANTHROPIC_PATH:
            return says(json.dumps(answer), tokens=tokens)(asked)
        block = {"type": "tool_use", "id": "t1", "name": "extract", "input": answer}
        document: dict[str, object] = {"content": [block], "stop_reason": "tool_use"}
        if tokens:
            document["usage"] = dict(zip(_USAGE[asked.path], tokens, strict=True))
        return Reply(body=json.dumps(document).encode())

    return reply


def calls(tool: str, arguments: dict[str, object], *, call_id: str = "call-1") -> Script:
    """That the model wants a tool called, in the protocol that it was asked in."""

    def reply(asked: Asked) -> Reply:
        if asked.path == ANTHROPIC_PATH:
            block = {"type": "tool_use", "id": call_id, "name": tool, "input": arguments}
            document: dict[str, object] = {"content": [block], "stop_reason": "tool_use"}
        else:
            function = {"name": tool, "arguments": json.dumps(arguments)}
            call = {"id": call_id, "type": "function", "function": function}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
            choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
            document = {"choices": [choice]}
        document["usage"] = dict(zip(_USAGE[asked.path], (100, 20), strict=True))
        return Reply(body=json.dumps(document).encode())

    return reply


def answers(status: int, body: bytes = b"{}", **headers: str) -> Script:
    """A status and a body, in no protocol."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _: Reply(status, body, named)


def replies(**fields: object) -> Script:
    return lambda _: Reply(**fields)


_USAGE = {
    OPENAI_PATH: ("prompt_tokens", "completion_tokens"),
    ANTHROPIC_PATH: ("input_tokens", "output_tokens"),
}


def _chat(text: str) -> dict[str, object]:
    message = {"role": "assistant", "content": text}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}


def _message(text: str) -> dict[str, object]:
    return {"content": [{"type": "text", "text": text}], "stop_reason": "end_turn"}


@contextmanager
def scripted_model() -> Iterator[ScriptedModel]:
    """The server, listening until the block ends."""
    state = ScriptedModel()

    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            document = json.loads(self.rfile.read(length))
            asked = Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, document)
            state.asked.append(asked)
            reply = state.next_reply(asked)
            with suppress(OSError):  # the client may well hang up
                self._send(reply)
            self.close_connection = True

        def _send(self, reply: Reply) -> None:
            if reply.hangs_up:
                return
            for piece in reply.raw:
                self.wfile.write(piece)
            if reply.raw:
                return
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            length = len(reply.body) if reply.length is None else reply.length
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(reply.body)
            for piece in reply.pieces:
                self.wfile.write(piece)

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 64

    with Quiet(("127.0.0.1", 0), Answering) as listening:
        state.url = f"http://127.0.0.1:{listening.server_address[1]}/v1"
        thread = threading.Thread(target=listening.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield state
        state.closing.set()
        listening.shutdown()
        thread.join()
