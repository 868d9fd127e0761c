"""A conversation that grows in the middle of an agent's loop is made to fit, and nothing breaks."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.context.cost import message_tokens
from engram.context.truncation import Fitted, Message, fit, shortened_text
from engram.errors import InvalidInput
from engram.memory.fencing import block


class Words:
    """Counts words: simple enough to check by hand."""

    name = "words"
    is_exact = True

    def count(self, text: str) -> int:
        return len(text.split())


class Characters:
    """Counts characters: the most that anything could take."""

    name = "characters"
    is_exact = True

    def count(self, text: str) -> int:
        return len(text)


WORDS = Words()


def said(role: str, words: int, mark: str = "w") -> dict[str, object]:
    return {"role": role, "content": " ".join([mark] * words)}


def openai_call(call: str, words: int) -> list[Message]:
    function = {"name": "look", "arguments": json.dumps({"at": call})}
    asked = {"id": call, "type": "function", "function": function}
    return [
        {"role": "assistant", "content": None, "tool_calls": [asked]},
        {"role": "tool", "tool_call_id": call, "content": " ".join(["found"] * words)},
    ]


def anthropic_call(call: str, words: int) -> list[Message]:
    use = {"type": "tool_use", "id": call, "name": "look", "input": {"at": call}}
    text = [{"type": "text", "text": " ".join(["found"] * words)}]
    result = {"type": "tool_result", "tool_use_id": call, "content": text}
    return [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]


def item_call(call: str, words: int) -> list[Message]:
    return [
        {"type": "function_call", "call_id": call, "name": "look", "arguments": "{}"},
        {
            "type": "function_call_output",
            "call_id": call,
            "output": " ".join(["found"] * words),
        },
    ]


SHAPES = {"openai": openai_call, "anthropic": anthropic_call, "items": item_call}


def contents(fitted: Fitted) -> list[object]:
    return [each.get("content") for each in fitted.messages]


def test_what_fits_is_given_back_as_it_is():
    messages = [said("system", 5), said("user", 5), *openai_call("a", 5)]

    fitted = fit(messages, 1_000, WORDS)

    assert list(fitted.messages) == messages
    assert (fitted.shortened, fitted.dropped, fitted.fits) == (0, 0, True)


def test_the_oldest_exchange_goes_first():
    messages = [
        said("system", 5), said("user", 20, "old"), said("assistant", 20, "old"),
        said("user", 20, "later"), said("assistant", 20, "later"), said("user", 5, "now"),
    ]  # fmt: skip

    fitted = fit(messages, 80, WORDS)

    assert [each["role"] for each in fitted.messages] == ["system", "user", "assistant", "user"]
    assert "old" not in str(contents(fitted))
    assert fitted.dropped == 2


def test_what_memory_put_in_goes_last():
    memories = block(["- mem-0001: Ada drinks tea."], about="recalled")
    first = {"role": "user", "content": f"{memories}\n\nHello"}
    talk = [said("assistant", 20), said("user", 20), said("assistant", 20), said("user", 5, "now")]

    fitted = fit([first, *talk], 40, WORDS)
    bare = fit([first, *talk], 20, WORDS)

    assert fitted.messages == (first, talk[-1])
    assert bare.messages == (talk[-1],)


def test_no_answer_stands_first_whose_question_is_gone():
    messages = [said("user", 40), said("assistant", 2), said("user", 2), said("assistant", 2)]

    fitted = fit([*messages, said("user", 5)], 35, WORDS)

    assert [each["role"] for each in fitted.messages] == ["user", "assistant", "user"]


def test_an_answer_keeps_its_question_where_there_is_room_for_both():
    answers = [said("assistant", 60_000, mark=f"a{each}") for each in range(5)]
    asked, now = said("user", 5, mark="q"), said("user", 2, mark="n")

    fitted = fit([asked, *answers, now], 108_800, WORDS)

    assert list(fitted.messages) == [asked, answers[-1], now]
    assert fitted.dropped == 4
    assert fitted.fits


@pytest.mark.parametrize("shape", SHAPES)
def test_long_answers_of_tools_are_shortened_before_anything_is_dropped(shape):
    call = SHAPES[shape]
    messages = [said("user", 5, "before"), said("assistant", 5), said("user", 5), *call("a", 2_000)]

    fitted = fit([*messages, *call("b", 10)], 600, WORDS)

    assert fitted.dropped == 0
    assert fitted.shortened == 1
    assert fitted.fits
    assert "characters left out" in str(fitted.messages)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_call_and_its_answer_go_together(shape):
    call = SHAPES[shape]
    messages = [said("user", 5), *call("a", 30), *call("b", 30), *call("c", 30)]

    fitted = fit(messages, 60, WORDS)

    assert "'a'" not in str(fitted.messages)
    assert "'c'" in str(fitted.messages)
    assert len(fitted.messages) % 2 == 1


@pytest.mark.parametrize("shape", SHAPES)
def test_what_a_tool_has_just_answered_is_kept_however_long(shape):
    messages = [said("system", 5), said("user", 5), *SHAPES[shape]("a", 50_000)]

    fitted = fit(messages, 500, WORDS)

    assert len(fitted.messages) == 4
    assert fitted.fits


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("limit", [500, 6_000])
def test_a_long_answer_fills_the_room_there_is(shape, limit):
    messages = [said("system", 5), said("user", 5), *SHAPES[shape]("a", 50_000)]

    fitted = fit(messages, limit, WORDS)

    assert 0.95 * limit <= fitted.tokens <= limit


def test_an_old_answer_loses_no_more_than_is_too_much():
    messages = [said("user", 5), *openai_call("a", 500), *openai_call("b", 400)]

    fitted = fit(messages, 900, WORDS)

    assert fitted.shortened == 1
    assert 0.95 * 900 <= fitted.tokens <= 900
    assert fitted.messages[-1] == messages[-1]


def test_of_several_answers_at_once_the_short_ones_stay_whole():
    calls = [
        {"id": name, "type": "function", "function": {"name": "look", "arguments": "{}"}}
        for name in ("a", "b")
    ]
    short = {"role": "tool", "tool_call_id": "a", "content": "found " * 20}
    long = {"role": "tool", "tool_call_id": "b", "content": "found " * 5_000}

    fitted = fit(
        [said("user", 5), {"role": "assistant", "tool_calls": calls}, short, long], 500, WORDS
    )

    assert fitted.messages[2] == short
    assert 0.95 * 500 <= fitted.tokens <= 500


def test_what_is_left_out_makes_room_for_the_last_answer():
    old = [said("user", 300), said("assistant", 300)]

    fitted = fit([*old, said("user", 5), *openai_call("a", 5_000)], 700, WORDS)

    assert fitted.dropped == 2
    assert 0.95 * 700 <= fitted.tokens <= 700


def test_a_shortened_text_fills_its_limit_though_its_ends_differ():
    text = "a" * 30_000 + " b" * 30_000

    short = shortened_text(text, 2_000, WORDS)

    assert 0.97 * 2_000 <= WORDS.count(short) <= 2_000


def test_answers_to_several_calls_of_one_message_stay_with_it():
    calls = [
        {"id": name, "type": "function", "function": {"name": "look", "arguments": "{}"}}
        for name in ("a", "b")
    ]
    old = [
        {"role": "assistant", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "a", "content": "found " * 20},
        {"role": "tool", "tool_call_id": "b", "content": "found " * 20},
    ]

    fitted = fit([said("user", 5), *old, *openai_call("c", 5)], 40, WORDS)

    assert "'a'" not in str(fitted.messages)
    assert "'b'" not in str(fitted.messages)


def test_one_message_that_answers_two_calls_ties_them_together():
    uses = [anthropic_call(name, 1)[0] for name in ("a", "b")]
    blocks = [
        {"type": "tool_result", "tool_use_id": name, "content": "found " * 20}
        for name in ("a", "b")
    ]
    old = [*uses, {"role": "user", "content": blocks}]

    fitted = fit([said("user", 5), *old, *anthropic_call("c", 5)], 40, WORDS)

    assert len(fitted.messages) == 3


def test_a_picture_is_not_counted_by_its_bytes():
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 90_000}}

    tokens = message_tokens({"role": "user", "content": [picture]}, Characters().count)

    assert tokens < 2_000


def test_what_may_never_go_is_too_long_by_itself_and_that_is_said():
    fitted = fit([said("system", 100), said("user", 100)], 50, WORDS)

    assert len(fitted.messages) == 2
    assert not fitted.fits


def nested(depth: int) -> object:
    value: object = "word"
    for _ in range(depth):
        value = [value]
    return value


def within_itself() -> object:
    value: list[object] = []
    value += [value, value]
    return value


@pytest.mark.parametrize(
    "wrong",
    [
        None, 5, "hello", ["hello"], [None],
        [{"role": "user", "content": [{"type": "x", "held": nested(3_000)}]}],
        [{"role": "user", "content": [{"type": "x", "held": within_itself()}]}],
    ],
    ids=["nothing", "number", "text", "texts", "none", "deep", "endless"],
)  # fmt: skip
def test_what_is_no_message_is_refused(wrong):
    with pytest.raises(InvalidInput):
        fit(wrong, 50, WORDS)


def test_a_message_of_a_kind_nobody_knows_is_taken_as_it_is():
    messages = [{"role": [], "content": [{"type": [], "text": "w"}, {"type": {}}]}, {5: 6}]

    assert list(fit(messages, 50, WORDS).messages) == messages


def many_calls(shape: str, number: int, words: int) -> list[Message]:
    """One message with many calls, and what answers them."""
    calls = [SHAPES[shape](f"call-{each}", words) for each in range(number)]
    if shape == "items":
        return [asked for asked, _ in calls] + [answer for _, answer in calls]
    if shape == "openai":
        asked = [call for first, _ in calls for call in first["tool_calls"]]
        return [{"role": "assistant", "tool_calls": asked}, *(answer for _, answer in calls)]
    uses = [use for first, _ in calls for use in first["content"]]
    results = [result for _, last in calls for result in last["content"]]
    return [{"role": "assistant", "content": uses}, {"role": "user", "content": results}]


@pytest.mark.parametrize(
    ("shape", "limit", "note"),
    [
        ("openai", 3_500, "characters left out"),
        ("openai", 1_640, "[left out]"), ("openai", 1_580, "…"),
        ("anthropic", 3_500, "characters left out"),
        ("anthropic", 1_500, "[left out]"), ("anthropic", 1_440, "…"),
    ],
)  # fmt: skip
def test_many_answers_at_once_share_what_room_there_is(shape, limit, note):
    messages = [said("user", 5), *many_calls(shape, 60, 400)]

    fitted = fit(messages, limit, WORDS)

    assert fitted.fits
    assert len(fitted.messages) == len(messages)
    assert str(fitted.messages).count(note) == 60
    assert _call_ids(fitted.messages, "call") == _call_ids(fitted.messages, "answer")


def asking(shape: str, arguments: dict[str, object]) -> list[Message]:
    """A call with such arguments, and a short answer."""
    first, last = SHAPES[shape]("call-a", 2)
    told = json.dumps(arguments)
    if shape == "items":
        return [{**first, "arguments": told}, last]
    if shape == "openai":
        function = {"name": "write", "arguments": told}
        return [{**first, "tool_calls": [{"id": "call-a", "function": function}]}, last]
    return [{**first, "content": [{**first["content"][0], "input": arguments}]}, last]


def arguments_in(message: Message) -> dict[str, object]:
    if "arguments" in message:
        return json.loads(message["arguments"])
    if "tool_calls" in message:
        return json.loads(message["tool_calls"][0]["function"]["arguments"])
    return message["content"][0]["input"]


@pytest.mark.parametrize("shape", SHAPES)
def test_long_arguments_of_the_newest_call_lose_their_middle_and_stay_json(shape):
    old = [said("user", 5, "before"), said("assistant", 5), said("user", 5)]
    given = asking(shape, {"path": "notes.txt", "text": "word " * 20_000, "lines": [1, 2]})

    fitted = fit([*old, *given], 200, WORDS)

    assert fitted.fits
    assert fitted.dropped == 0
    assert fitted.tokens > 150
    kept = arguments_in(fitted.messages[3])
    assert (kept["path"], kept["lines"]) == ("notes.txt", [1, 2])
    assert "characters left out" in kept["text"]
    assert fitted.messages[4] == given[1]


@pytest.mark.parametrize("shape", SHAPES)
def test_arguments_that_cannot_be_shortened_are_told_by_a_note(shape):
    given = asking(shape, {"rows": list(range(5_000))})

    fitted = fit([said("user", 5), *given], 100, WORDS)

    assert fitted.fits
    assert "characters" in arguments_in(fitted.messages[1])["left_out"]


@pytest.mark.parametrize(
    "content",
    [
        {"rows": ["found " * 5_000]},
        [{"type": "json", "json": {"rows": ["found " * 5_000]}}],
        [{"type": "search_result", "content": [{"type": "text", "text": "found " * 5_000}]}],
    ],
    ids=["dictionary", "json", "search result"],
)
def test_an_answer_that_is_no_plain_text_is_shortened_as_one(content):
    call = openai_call("a", 1)

    fitted = fit([said("user", 5), call[0], {**call[1], "content": content}], 200, WORDS)

    assert fitted.fits
    assert "characters left out" in str(fitted.messages[2]["content"])


def test_words_beside_a_picture_are_counted():
    picture = {"type": "image", "source": {"data": "A" * 90_000}, "caption": "word " * 3_000}

    assert message_tokens({"role": "user", "content": [picture]}, WORDS.count) > 4_500


@pytest.mark.parametrize("shape", SHAPES)
def test_the_names_of_calls_are_counted(shape):
    short, long = SHAPES[shape]("a", 5), SHAPES[shape]("a " * 50, 5)

    for one, other in zip(short, long, strict=True):
        assert message_tokens(other, WORDS.count) >= message_tokens(one, WORDS.count) + 49


def test_why_it_is_too_long_is_told_truly():
    alone = fit([said("system", 100), said("user", 100)], 50, WORDS)
    last = fit([said("user", 5), said("assistant", 100)], 50, WORDS)

    assert "question" in alone.why
    assert "came last" in last.why
    assert fit([said("user", 5)], 50, WORDS).why == ""


@given(text=st.text(max_size=400), most=st.integers(1, 60))
@settings(max_examples=60, deadline=None)
def test_a_shortened_text_is_within_its_limit_and_stays_as_it_is(text, most):
    short = shortened_text(text, most, Characters())

    assert len(short) <= most or short == text
    assert shortened_text(short, most, Characters()) == short


@st.composite
def conversations(draw: st.DrawFn) -> list[Message]:
    call = SHAPES[draw(st.sampled_from(sorted(SHAPES)))]
    messages: list[Message] = [said("system", draw(st.integers(1, 30)))]
    for index in range(draw(st.integers(0, 12))):
        size = draw(st.integers(1, 400))
        if draw(st.booleans()):
            messages += call(f"call-{index}", size)
        else:
            messages.append(said(draw(st.sampled_from(["user", "assistant"])), size))
    return messages


@given(messages=conversations(), limit=st.integers(20, 900))
@settings(max_examples=60, deadline=None)
def test_whatever_the_conversation_it_fits_unbroken_or_says_so(messages, limit):
    fitted = fit(messages, limit, WORDS)

    assert fitted.tokens == sum(message_tokens(each, WORDS.count) for each in fitted.messages)
    assert fit(fitted.messages, limit, WORDS).messages == fitted.messages
    assert fitted.messages[0] == messages[0]
    asked = [each for each in messages if _is_asked(each)]
    assert not asked or asked[-1] in fitted.messages
    assert _call_ids(fitted.messages, "call") == _call_ids(fitted.messages, "answer")
    if not fitted.fits:
        # Only what may never go is left: the prompt, the question, and what came last.
        assert len(fitted.messages) <= 4


def _is_asked(message: Message) -> bool:
    return message.get("role") == "user" and isinstance(message["content"], str)


def _call_ids(messages: "tuple[Message, ...]", half: str) -> set[str]:
    names = {
        "call": ("'id': 'call-", "'type': 'function_call', 'call_id': 'call-"),
        "answer": (
            "'tool_call_id': 'call-", "'tool_use_id': 'call-",
            "'type': 'function_call_output', 'call_id': 'call-",
        ),
    }[half]  # fmt: skip
    told = str(messages)
    return {
        piece.partition("'")[0]
        for name in names
        for piece in told.split(name)[1:]
    }  # fmt: skip
