"""A prompt never takes a token more than it may, and under pressure memory gives last."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context.making import TIERS, Bytes, Greedy, Moody, Quarters, memory_of, said, talk, tool_talk
from engram.context.assemble import assemble
from engram.context.budget import TRIM, Budget, budget_of, rooms
from engram.context.message import ChatMessage, Other, Words, read_messages
from engram.context.options import ContextOptions
from engram.context.piece import Piece, piece_of
from engram.context.standing import Standing
from engram.context.window import Context, Offered
from engram.errors import BudgetTooSmall, ConfigInvalid
from engram.memory.tokens.counter import TokenCounter
from engram.providers.tokenizers import counter_for
from engram.settings import build_settings

OPTIONS = ContextOptions()


def _budget(tokens: int) -> Budget:
    return budget_of(OPTIONS, window=2 * tokens, output=tokens, asked=tokens)


def _as_openai_counts(context: Context, counter: TokenCounter) -> int:
    """Counted by hand, from what would be sent: four a message, three a prompt."""
    total = 3
    for message in context.messages("openai"):
        total += 4 + counter.count(str(message.get("name", "")))
        content = message["content"]
        if isinstance(content, str):
            total += counter.count(content)
        for part in content if isinstance(content, list) else ():
            is_text = part["type"] == "text"
            total += counter.count(part["text"]) if is_text else 1_600
        for call in message.get("tool_calls", ()):
            function = call["function"]
            total += counter.count(function["name"]) + counter.count(function["arguments"])
    return total


def _as_anthropic_counts(context: Context, counter: TokenCounter) -> int:
    total = 3 + (4 + counter.count(context.system) if context.system else 0)
    for message in context.messages("anthropic"):
        total += 4
        content = message["content"]
        if isinstance(content, str):
            total += counter.count(content) if content != "(nothing)" else 0
            continue
        for part in content:
            if part["type"] == "text":
                total += counter.count(part["text"])
            elif part["type"] == "tool_result":
                total += counter.count(part["content"])
            elif part["type"] == "tool_use":
                total += counter.count(part["name"]) + counter.count(json.dumps(part["input"]))
            else:
                total += 1_600
    return total


words = st.text(max_size=120)
parts = st.one_of(
    words.map(Words),
    st.just(Other("image", {"type": "image", "source": {"type": "url", "url": "x"}})),
)
messages = st.one_of(
    st.builds(said, st.sampled_from(["user", "assistant", "user", "assistant"]), words),
    st.builds(ChatMessage, st.just("user"), st.lists(parts, max_size=3).map(tuple)),
    st.builds(said, st.just("system"), st.text(max_size=30)),
)
conversations = st.builds(
    lambda before, tools, last: [*before, *(tool_talk("c1") if tools else ()), said("user", last)],
    st.lists(messages, max_size=30), st.booleans(), st.text(min_size=1, max_size=60),
)  # fmt: skip
pieces = st.lists(
    st.builds(
        lambda number, text, score: piece_of(memory_of(text or "x", number), score),
        st.integers(1, 99), st.text(max_size=400), st.floats(0, 1),
    ),
    max_size=12, unique_by=lambda each: each.key,
).map(tuple)  # fmt: skip
lines = st.lists(st.text(max_size=80), max_size=4).map(tuple)
offers = st.builds(
    Offered,
    messages=conversations.map(tuple), system=st.text(max_size=60), identity=lines, working=pieces,
    recalled=pieces, schemas=pieces, skills=pieces, overview=lines, notes=lines, questions=lines,
    standing=st.sampled_from([None, Standing()]),
)  # fmt: skip
counters = st.sampled_from([Quarters(), Greedy(), Moody(), Bytes(), counter_for("o200k")])


@settings(max_examples=60, deadline=None)
@given(offers, st.integers(1, 2_000), counters)
def test_a_prompt_never_takes_more_than_it_may(offered, tokens, counter):
    try:
        context = assemble(offered, _budget(tokens), counter, TIERS)
    except BudgetTooSmall:
        bare = Offered(messages=offered.messages, system=offered.system)
        with pytest.raises(BudgetTooSmall):  # with nothing else in it, too
            assemble(bare, _budget(tokens), counter, TIERS)
        return

    assert context.tokens <= tokens
    assert counter.count(context.text) <= tokens
    assert _as_openai_counts(context, counter) <= tokens
    assert _as_anthropic_counts(context, counter) <= tokens
    again = assemble(
        Offered(messages=offered.messages, standing=context.standing),
        _budget(tokens),
        counter,
        TIERS,
    )
    assert again.tokens <= tokens
    assert context.document()["tokens"] == context.tokens


# Who gives first


FULL = Offered(
    messages=(*talk(20), said("user", "And now?")),
    system="Be kind.",
    identity=tuple(f"Ada likes tea number {each}." for each in range(16)),
    working=tuple(
        Piece(key=f"w{each}", version=1, text=f"In mind {each}, somehow.", score=1.0)
        for each in range(16)
    ),
    recalled=tuple(piece_of(memory_of(f"Known fact {each}.", each), 0.5) for each in range(1, 60)),
    schemas=tuple(piece_of(memory_of(f"A habit {each}.", each), 0.5) for each in range(100, 116)),
    skills=tuple(piece_of(memory_of(f"A way {each}.", each), 0.5) for each in range(200, 216)),
    notes=tuple(f"Not known {each}." for each in range(16)),
)
NAMES = ("identity", "working", "history", "recalled", "schemas", "skills", "notes")


def _sizes(offered: Offered, tokens: int, options: ContextOptions = OPTIONS) -> dict[str, int]:
    budget = budget_of(options, window=2 * tokens, output=tokens, asked=tokens)
    context = assemble(offered, budget, Quarters(), TIERS)
    return {each.name: each.tokens for each in context.sections}


def test_no_section_takes_from_another():
    alone = _sizes(FULL, 1_000)
    more = replace(FULL, recalled=tuple(
        piece_of(memory_of(f"Known fact {each} and more of it.", each), 0.9)
        for each in range(1, 70)
    ))  # fmt: skip

    crowded = _sizes(more, 1_000)

    assert set(NAMES) <= set(alone)
    for name in set(NAMES) - {"recalled"}:
        assert abs(crowded[name] - alone[name]) <= 12  # a line more or less


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 5_000), st.lists(st.integers(0, 3_000), min_size=7, max_size=7))
def test_no_token_is_left_over_that_anybody_needs(available, wanted):
    needs = dict(zip(NAMES, wanted, strict=True))

    granted = rooms(available, _budget(1_000).shares, needs)

    assert sum(min(granted[name], needs[name]) for name in NAMES) == min(available, sum(wanted))


def test_what_one_leaves_goes_to_memories_first():
    without = replace(FULL, working=(), identity=(), notes=())

    sizes, before = _sizes(without, 1_000), _sizes(FULL, 1_000)

    assert sizes["recalled"] > before["recalled"] + 100
    assert sizes["schemas"] <= before["schemas"] + 12


@pytest.mark.parametrize("name", NAMES)
def test_a_share_is_what_a_section_gets_when_all_want_more(name):
    less = ContextOptions(**{f"{name}_share": 0.0})

    assert _sizes(FULL, 1_000, less).get(name, 0) < _sizes(FULL, 1_000)[name]


def test_shares_that_leave_no_room_are_refused():
    with pytest.raises(ConfigInvalid, match="context"):
        build_settings({"context": {"history_share": 0.9}})


def test_under_pressure_memory_gives_last():
    """A counter that makes the whole dearer than its parts: something has to go."""
    sizes = [_crowded(tokens) for tokens in (3_000, 1_500, 900, 600, 450, 300, 200, 120)]

    first, last = TRIM[:4], TRIM[5:]
    gone = {
        name: next((at for at, each in enumerate(sizes) if not each.get(name)), 99) for name in TRIM
    }
    assert [gone[name] for name in first] == sorted(gone[name] for name in first)
    assert max(gone[name] for name in first) < min(gone[name] for name in last)
    assert all(each["recalled"] for each in sizes)  # where little fits, it is memories
    assert sizes[-1].keys() >= {"system", "message"}


def _crowded(tokens: int) -> dict[str, int]:
    budget = budget_of(OPTIONS, window=2 * tokens, output=tokens, asked=tokens)
    context = assemble(FULL, budget, Greedy(), TIERS)
    return {each.name: each.tokens for each in context.sections}


# In which shape


def test_calls_and_their_results_stay_together():
    for exchanges in range(1, 12):
        messages = [*talk(2), *tool_talk("call-1"), *talk(exchanges), said("user", "Well?")]
        for tokens in (200, 600, 2_000):
            context = assemble(
                Offered(messages=tuple(messages)), _budget(tokens), Quarters(), TIERS
            )

            called = {
                call["id"]
                for message in context.messages("openai")
                for call in message.get("tool_calls") or ()
            }
            answered = {
                message["tool_call_id"]
                for message in context.messages("openai")
                if message["role"] == "tool"
            }
            assert called == answered


def test_while_a_tool_is_at_work_the_open_exchange_stays_whole():
    messages = (*talk(6), *tool_talk("call-1")[:3])

    context = assemble(Offered(messages=messages), _budget(600), Quarters(), TIERS)

    *_, asked, call, result = context.messages("openai")
    assert asked["content"].endswith("Run the tests.")
    assert call["tool_calls"][0]["id"] == result["tool_call_id"] == "call-1"
    anthropic = context.messages("anthropic")
    assert anthropic[-1]["content"][0]["type"] == "tool_result"
    assert anthropic[-2]["content"][0]["type"] == "tool_use"


@settings(max_examples=40, deadline=None)
@given(offers)
def test_sides_take_turns_for_anthropic_and_a_person_begins(offered):
    context = assemble(offered, _budget(50_000), Quarters(), TIERS)

    roles = [each["role"] for each in context.messages("anthropic")]
    assert roles[0] == "user"
    assert all(first != second for first, second in pairwise(roles))


def test_an_image_is_kept_where_it_was_said_and_named_where_it_is_told():
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    shown = ChatMessage("user", (Words("Look at the 3 cranes."), Other("image_url", image)))
    near = Offered(messages=(shown, said("assistant", "I see 3."), said("user", "And?")))
    far = replace(
        near, messages=(shown, said("assistant", "I see 3."), *talk(12), near.messages[-1])
    )

    kept = assemble(near, _budget(9_000), Quarters(), TIERS)
    told = assemble(far, _budget(9_000), Quarters(), TIERS)

    assert kept.messages("openai")[0]["content"][1] == image
    assert kept.messages("anthropic")[0]["content"][1]["source"] == {
        "type": "base64", "media_type": "image/png", "data": "AAAA",
    }  # fmt: skip
    assert "AAAA" not in str(told)
    assert "3 cranes" in told.section("history").text


def test_names_and_times_are_kept_where_the_shape_has_a_place_for_them():
    given = [{"role": "user", "content": "Hi.", "name": "ada", "timestamp": "2026-05-04T12:00:00Z"}]

    context = assemble(Offered(messages=read_messages(given)), _budget(500), Quarters(), TIERS)

    assert context.messages("openai")[-1]["name"] == "ada"
    assert set(context.messages("anthropic")[-1]) == {"role", "content"}
    assert context.document()["messages"][-1]["at"] == "2026-05-04T12:00:00Z"


def test_a_prompt_that_comes_back_is_not_put_in_twice():
    context = assemble(FULL, _budget(4_000), Quarters(), TIERS)
    back = read_messages(context.messages("openai"))

    again = assemble(replace(FULL, messages=back, system=""), _budget(4_000), Quarters(), TIERS)

    assert again.system == context.system
    assert str(again).count('about="recalled"') == 1


def test_the_document_keeps_who_said_what():
    talked = [
        {"role": "user", "content": "Where do I live?"},
        {"role": "assistant", "content": "In Porto."},
        {"role": "user", "content": "Since when?"},
    ]
    context = assemble(Offered(messages=read_messages(talked)), _budget(500), Quarters(), TIERS)

    told = context.document()["messages"]

    assert [each["role"] for each in told] == ["user", "assistant", "user"]
    assert "In Porto." in str(told[1]["content"])
