"""One exchange with a server that keeps the line open in every way there is."""

import time

import pytest

from engram.errors import EmbedderUnavailable
from engram.providers.endpoint import post, read_endpoint
from providers.scripted_model import ScriptedModel, replies, scripted_model


@pytest.fixture
def server():
    with scripted_model() as running:
        yield running


def _post(server: ScriptedModel) -> float:
    endpoint = read_endpoint(server.url, leaf="chat/completions", allow_plain_http=False)
    ends_at = time.monotonic() + 0.2
    return post(
        endpoint, b"{}", {}, most_bytes=1_000_000, seconds_left=lambda: ends_at - time.monotonic()
    )


@pytest.mark.parametrize("manner", ["drips", "drips_and_closes", "drips_headers", "never_answers"])
def test_no_exchange_outlives_its_deadline(server, manner):
    server.will(getattr(server, manner))

    started = time.monotonic()
    with pytest.raises(EmbedderUnavailable, match="too long"):
        _post(server)

    assert time.monotonic() - started < 1.0


@pytest.mark.parametrize("headers", [{}, {"Connection": "close"}])
def test_a_body_shorter_than_promised_is_no_answer(server, headers):
    server.will(replies(body=b"{}", length=50, headers=headers))

    with pytest.raises(EmbedderUnavailable, match="no proper answer"):
        _post(server)
