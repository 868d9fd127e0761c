"""Language models behind a server: a real one, here, that answers well, badly, late or never."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from engram.errors import ConfigInvalid, ModelUnavailable
from engram.providers.choose_model import choose_model
from engram.providers.language_model import (
    Completion,
    LanguageModel,
    Prompt,
    estimated_tokens,
    prompt_tokens,
)
from engram.providers.model_options import ModelOptions
from engram.providers.price import estimated_cost
from providers.scripted_model import (
    ANTHROPIC_PATH,
    OPENAI_PATH,
    Reply,
    ScriptedModel,
    answers,
    replies,
    says,
    scripted_model,
    tells,
)

KEY = "sk-not-to-be-seen"
SECRET = "a secret thought"
SCHEMA = {"type": "object", "properties": {"facts": {"type": "array"}}, "required": ["facts"]}
PROMPT = Prompt(system="Read this.", user=SECRET, schema=SCHEMA, max_tokens=500, purpose="extract")
KINDS = ["openai", "anthropic"]


class Time:
    """A clock that sleeping moves on."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def running() -> Iterator[ScriptedModel]:
    with scripted_model() as server:
        yield server


@pytest.fixture
def server(running: ScriptedModel) -> ScriptedModel:
    running.will(says("well"))
    return running


@pytest.fixture
def at() -> Time:
    return Time()


@pytest.fixture
def connect(server: ScriptedModel, at: Time) -> Callable[..., LanguageModel]:
    """A model that waits in a time of its own; `real=True` waits in ours."""

    def connected(
        kind: str, *, api_key: str | None = None, real: bool = False, **values: object
    ) -> LanguageModel:
        from engram.providers.chat_anthropic import AnthropicChat
        from engram.providers.chat_openai import OpenAiChat

        options = ModelOptions(**{"kind": kind, "url": server.url, "model": "a-model", **values})
        chat = AnthropicChat if kind == "anthropic" else OpenAiChat
        if real:
            return chat(options, api_key=api_key)
        return chat(options, api_key=api_key, sleep=at.sleep, clock=at.clock)

    return connected


both = pytest.mark.parametrize("kind", KINDS)


# What is asked and what comes back


@both
def test_a_prompt_is_answered_with_its_text_and_its_tokens(server, connect, kind):
    server.will(says("an answer", tokens=(321, 12)))

    assert connect(kind).complete(PROMPT) == Completion("an answer", 321, 12)


def test_an_openai_server_is_asked_for_an_answer_of_the_schema(server, connect):
    connect("openai", api_key=KEY).complete(PROMPT)

    [asked] = server.asked
    assert asked.path == OPENAI_PATH
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.document["model"] == "a-model"
    assert asked.document["max_tokens"] == 500
    assert asked.document["temperature"] == 0
    assert asked.document["response_format"]["json_schema"]["schema"] == SCHEMA
    assert asked.document["messages"] == [
        {"role": "system", "content": "Read this."},
        {"role": "user", "content": SECRET},
    ]


def test_an_anthropic_server_is_asked_to_use_a_tool_of_the_schema(server, connect):
    server.will(tells({"text": "x"}))

    completion = connect("anthropic", api_key=KEY).complete(PROMPT)

    [asked] = server.asked
    assert asked.path == ANTHROPIC_PATH
    assert asked.headers["x-api-key"] == KEY
    assert asked.headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in asked.headers
    assert asked.document["tools"][0]["input_schema"] == SCHEMA
    assert asked.document["tool_choice"] == {"type": "tool", "name": "extract"}
    assert json.loads(completion.text) == {"facts": [{"text": "x"}]}


@both
def test_without_a_key_none_is_sent(server, connect, kind):
    connect(kind).complete(PROMPT)

    assert not {"authorization", "x-api-key"} & set(server.asked[0].headers)


@both
@pytest.mark.parametrize("tokens", [None, (0, 0), (-5, -5), ("7", None), (True, 10**30)])
def test_tokens_that_the_server_does_not_count_are_estimated(server, connect, kind, tokens):
    server.will(says("twelve chars", tokens=tokens))

    completion = connect(kind).complete(PROMPT)

    assert completion.tokens_in == prompt_tokens(PROMPT)
    assert completion.tokens_out == 4


def test_a_server_that_cannot_enforce_a_schema_is_asked_for_json_then_for_text(server, connect):
    model = connect("openai")
    server.will(
        lambda asked: says("well")(asked) if asked.shape == "plain" else Reply(400, b"unknown")
    )

    assert model.complete(PROMPT).text == "well"
    assert [each.shape for each in server.asked] == ["json_schema", "json_object", "plain"]

    model.complete(PROMPT)
    assert [each.shape for each in server.asked[3:]] == ["plain"]


def test_a_server_that_knows_json_alone_stays_with_that(server, connect):
    model = connect("openai")
    server.will(lambda asked: Reply(422) if asked.shape == "json_schema" else says("well")(asked))

    model.complete(PROMPT)
    model.complete(PROMPT)

    assert [each.shape for each in server.asked] == ["json_schema", "json_object", "json_object"]


def test_a_field_that_the_refusal_names_is_said_in_another_way(server, connect):
    def demanding(asked):
        if "max_tokens" in asked.document:
            return Reply(400, b"'max_tokens' is not supported, use 'max_completion_tokens'")
        if "temperature" in asked.document:
            return Reply(400, b"'temperature' does not support 0")
        return says("well")(asked)

    server.will(demanding)

    connect("openai").complete(PROMPT)

    last = server.asked[-1]
    assert last.document["max_completion_tokens"] == 500
    assert last.shape == "json_schema"
    assert len(server.asked) == 3


def test_a_server_that_refuses_every_form_is_unavailable_and_the_fullest_is_tried_again(
    server, connect
):
    model = connect("openai")
    server.will(answers(400, b"the conversation is too long"))

    with pytest.raises(ModelUnavailable, match="max_conversation_bytes"):
        model.complete(PROMPT)

    server.will(says("well"))
    model.complete(PROMPT)
    assert [each.shape for each in server.asked] == ["json_schema"]


# Answers that are none


@both
@pytest.mark.parametrize(
    "body",
    [
        b"", b"not json", b"\xff\xfe\xfa", b"[]", b"3", b"null", b"{}", b'{"choices": []}',
        b'{"choices": [3]}', b'{"choices": [{"message": null}]}', b'{"choices": {"a": 1}}',
        b'{"choices": [{"message": {"content": null}}]}',
        b'{"choices": [{"message": {"content": ["a"]}}]}',
        b'{"choices": [{"message": {"content": "  "}}]}',
        b'{"content": []}', b'{"content": "text"}', b'{"content": [1, null]}',
        b'{"content": [{"type": "text", "text": 3}]}',
        b'{"content": [{"type": "tool_use", "input": "text"}]}',
        b"[" * 100_000, b'{"choices": [{"message": {"content": "cut o',
        b'{"usage": ' + b"9" * 10_000 + b"}",
    ],
)  # fmt: skip
def test_an_answer_of_another_shape_is_refused(server, connect, kind, body):
    server.will(answers(200, body))

    with pytest.raises(ModelUnavailable, match=r"shape|no text") as raised:
        connect(kind).complete(PROMPT)

    assert not raised.value.is_unspent
    assert len(server.asked) == 1


@both
def test_an_answer_that_was_cut_off_is_refused(server, connect, kind):
    choice = {"message": {"content": '{"facts": ['}, "finish_reason": "length"}
    cut = {"choices": [choice], "content": [], "stop_reason": "max_tokens"}
    server.will(answers(200, json.dumps(cut).encode()))

    with pytest.raises(ModelUnavailable, match="max_answer_tokens"):
        connect(kind).complete(PROMPT)


@both
def test_a_body_that_ends_too_early_is_refused(server, connect, kind):
    whole = says("a long answer " * 100)

    def truncated(asked):
        body = whole(asked).body
        return Reply(body=body[: len(body) // 2], length=len(body))

    server.will(truncated)

    with pytest.raises(ModelUnavailable):
        connect(kind).complete(PROMPT)


@both
def test_a_hundred_megabytes_are_not_read_to_their_end(server, connect, kind):
    sent = []

    def megabytes() -> Iterator[bytes]:
        for number in range(100):
            sent.append(number)
            yield b" " * 1_000_000

    server.will(replies(pieces=megabytes(), length=100_000_000))

    with pytest.raises(ModelUnavailable, match="larger than"):
        connect(kind).complete(PROMPT)

    assert len(sent) < 50


@both
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(server, connect, kind, status):
    server.will(answers(status, Location="http://127.0.0.1:9/v1"))

    with pytest.raises(ModelUnavailable, match="redirects"):
        connect(kind, api_key=KEY).complete(PROMPT)

    assert len(server.asked) == 1


# Servers that are slow, busy, broken or away


@both
def test_a_server_that_never_answers_is_not_waited_for(server, connect, kind):
    server.will(server.never_answers)

    started = time.monotonic()
    with pytest.raises(ModelUnavailable, match="too long") as raised:
        connect(kind, real=True, timeout_seconds=0.15).complete(PROMPT)

    assert time.monotonic() - started < 1.0
    assert len(server.asked) == 1
    assert not raised.value.is_unspent


@both
def test_a_server_that_drips_is_not_waited_for(server, connect, kind):
    server.will(server.drips)

    started = time.monotonic()
    with pytest.raises(ModelUnavailable, match="too long"):
        connect(kind, real=True, timeout_seconds=0.3).complete(PROMPT)

    assert time.monotonic() - started < 1.5


@both
@pytest.mark.parametrize("status", [429, 500, 502, 529])
def test_a_busy_server_is_asked_again_and_waits_grow(server, connect, at, kind, status):
    server.will(answers(status), answers(status), says("well"))

    assert connect(kind, retries=2).complete(PROMPT).text == "well"
    assert at.slept == [0.25, 0.5]


@both
def test_a_server_that_is_always_broken_is_asked_so_often_and_no_more(server, connect, kind):
    server.will(answers(500, SECRET.encode()))

    with pytest.raises(ModelUnavailable, match="status 500") as raised:
        connect(kind, retries=3).complete(PROMPT)

    assert len(server.asked) == 4
    assert SECRET not in str(raised.value)
    assert raised.value.is_unspent


@both
@pytest.mark.parametrize(("asked", "slept"), [("2", 2.0), ("900", 8.0), ("soon", 0.25)])
def test_the_server_may_ask_for_a_longer_wait_within_reason(
    server, connect, at, kind, asked, slept
):
    server.will(answers(429, Retry_After=asked), says("well"))

    connect(kind).complete(PROMPT)

    assert at.slept == [slept]


@both
def test_no_wait_goes_past_the_time_allowed(server, connect, at, kind):
    server.will(answers(429, Retry_After="3"))

    with pytest.raises(ModelUnavailable, match="busy"):
        connect(kind, timeout_seconds=2.0, retries=5).complete(PROMPT)

    assert at.slept == []
    assert len(server.asked) == 1


@both
def test_a_server_that_hangs_up_once_is_asked_again(server, connect, kind):
    server.will(replies(hangs_up=True), says("well"))

    assert connect(kind).complete(PROMPT).text == "well"


@both
def test_a_server_that_is_not_there_is_unavailable_and_cost_nothing(connect, at, kind):
    with pytest.raises(ModelUnavailable, match="is the server running") as raised:
        connect(kind, url="http://127.0.0.1:9/v1", retries=1).complete(PROMPT)

    assert raised.value.is_unspent
    assert at.slept == [0.25]


@both
@pytest.mark.parametrize(
    ("status", "hint"),
    [(401, "key"), (403, "key"), (404, "model.model"), (413, "long"), (418, "418")],
)
def test_a_refusal_is_not_repeated_and_says_what_to_do(server, connect, kind, status, hint):
    server.will(answers(status, f"no, because of {SECRET} and {KEY}".encode()))

    with pytest.raises(ModelUnavailable, match=hint) as raised:
        connect(kind, api_key=KEY).complete(PROMPT)

    assert len(server.asked) == 1
    assert SECRET not in str(raised.value)
    assert KEY not in f"{raised.value!r}{raised.value}"


@both
def test_after_three_failures_the_server_is_left_alone_for_a_while(server, connect, at, kind):
    model = connect(kind, retries=0, pause_seconds=60.0)
    server.will(answers(500))
    for _ in range(3):
        with pytest.raises(ModelUnavailable, match="status 500"):
            model.complete(PROMPT)

    with pytest.raises(ModelUnavailable, match="in a row") as raised:
        model.complete(PROMPT)
    assert len(server.asked) == 3
    assert raised.value.is_unspent

    at.now += 61.0
    server.will(says("well"))
    assert model.complete(PROMPT).text == "well"


@both
def test_a_closed_model_asks_nobody(server, connect, kind):
    model = connect(kind)
    model.close()

    with pytest.raises(ModelUnavailable, match="closed"):
        model.complete(PROMPT)

    assert server.asked == []


@both
def test_many_threads_may_ask_at_once(server, connect, kind):
    model = connect(kind, real=True)
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(model.complete(PROMPT).text)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == ["well"] * 8


# Settings


@both
@pytest.mark.parametrize("key", ["two\nlines", "schlüssel", "a\x00b"])
def test_a_key_that_cannot_be_sent_is_refused_without_being_shown(connect, kind, key):
    with pytest.raises(ConfigInvalid) as raised:
        connect(kind, api_key=key)

    assert key not in f"{raised.value}"


@both
@pytest.mark.parametrize(
    "url",
    [
        "localhost:11434", "ftp://localhost/v1", "http://", "http://name:word@localhost/v1",
        "http://localhost/v1?key=1", "http://[::1/v1", "http://example.com/v1",
    ],
)  # fmt: skip
def test_a_url_that_is_wrong_or_unsafe_is_refused_at_once(connect, kind, url):
    with pytest.raises(ConfigInvalid, match=r"model\.url") as raised:
        connect(kind, url=url)

    assert "embedder" not in str(raised.value).lower()


@both
def test_a_model_must_be_named(connect, kind):
    with pytest.raises(ConfigInvalid, match=r"model\.model"):
        connect(kind, model=" ")


def test_the_settings_choose_the_model(server):
    def chosen(kind: str) -> LanguageModel | None:
        return choose_model(ModelOptions(kind=kind, url=server.url, model="m"), api_key=KEY)

    assert chosen("none") is None
    for kind, path in (("openai", OPENAI_PATH), ("anthropic", ANTHROPIC_PATH)):
        model = chosen(kind)
        assert model is not None
        assert model.name == "m"
        assert model.complete(PROMPT).text == "well"
        assert server.asked[-1].path == path
        assert KEY not in repr(model)


def test_without_a_model_nothing_of_one_is_imported():
    code = (
        "import sys\n"
        "from engram.providers.choose_model import choose_model\n"
        "from engram.providers.model_options import ModelOptions\n"
        "assert choose_model(ModelOptions()) is None\n"
        "assert not {'http.client', 'ssl', 'engram.providers.model_server'} & set(sys.modules)\n"
    )

    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


# Estimates and prices


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abc", 1), ("abcd", 2), ("é", 1), ("日本語ab", 4)]
)
def test_tokens_are_estimated_rather_too_many_than_too_few(text, tokens):
    assert estimated_tokens(text) == tokens


def test_a_cost_needs_prices_of_the_users_own():
    assert estimated_cost(1_000_000, 1_000_000, ModelOptions()) is None
    priced = ModelOptions(price_in=3.0, price_out=15.0)
    assert estimated_cost(1_000_000, 100_000, priced) == pytest.approx(4.5)
    assert estimated_cost(0, 0, priced) == 0.0
