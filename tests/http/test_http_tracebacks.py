"""An error that nobody foresaw, with words of a memory in it, is told and logged without them."""

import logging

import pytest

from engram import Engram

CANARY = "zebrafinch-7731"


class Foreign(Exception):
    """Somebody else's error."""


@pytest.fixture
def broken(monkeypatch):
    def stats(self, **named):
        held = f"{CANARY} in a local"
        try:
            int(f"{CANARY} in a cause")
        except ValueError as error:
            raise Foreign(f"{CANARY} in a text", held) from error

    monkeypatch.setattr(Engram, "stats", stats)


def test_http_tells_the_kind_of_an_error_and_none_of_its_words(broken, writer, caplog):
    caplog.set_level(logging.DEBUG)

    reply = writer.ask("GET", "/api/v1/stats")

    assert reply.status == 500
    assert CANARY.encode() not in reply.body
    assert CANARY not in repr(reply.headers)
    assert "Foreign at test_http_tracebacks.py:" in caplog.text
    assert CANARY not in caplog.text
