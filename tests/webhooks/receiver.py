"""A receiver of webhooks on this machine, which answers as a test tells it to."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Got:
    """One message as it came over the wire."""

    path: str
    headers: dict[str, str]
    body: bytes
    began: float
    ended: float

    @property
    def document(self) -> dict:
        return json.loads(self.body)


@dataclass
class Receiver:
    """What came in, in order; `plan` says how the next requests are answered, then 200."""

    port: int
    plan: list[object] = field(default_factory=list)
    got: list[Got] = field(default_factory=list)
    seconds: float = 0.0
    changed: threading.Condition = field(default_factory=threading.Condition)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/webhook/engram"

    @property
    def documents(self) -> list[dict]:
        return [each.document for each in self.got]

    def wait_for(self, count: int, seconds: float = 10.0) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.got) >= count, seconds), len(self.got)


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver: Receiver

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            began = time.monotonic()
            body = self.rfile.read(int(self.headers["Content-Length"]))
            time.sleep(receiver.seconds)
            answer = receiver.plan.pop(0) if receiver.plan else 200
            got = Got(self.path, dict(self.headers), body, began, time.monotonic())
            with receiver.changed:
                receiver.got.append(got)
                receiver.changed.notify_all()
            self._answer(answer)

        def _answer(self, answer: object) -> None:
            self.close_connection = True
            if answer == "hang":
                time.sleep(1.0)
            elif answer == "garbage":
                self.wfile.write(b"\x00\xff not http at all\r\n\r\n")
            elif answer == "huge":
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"x" * 3_000_000)
            elif answer == "redirect":
                self.send_response(302)
                self.send_header("Location", f"http://127.0.0.1:{receiver.port}/elsewhere")
                self.end_headers()
            elif answer == "drop":
                self.connection.shutdown(socket.SHUT_RDWR)
            else:
                self.send_response(int(answer))
                self.send_header("Content-Length", "0")
                self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            pass  # whoever sent it has hung up

    server = Quiet(("127.0.0.1", 0), Answering)
    receiver = Receiver(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
