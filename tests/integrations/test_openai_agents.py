"""A session of the OpenAI Agents SDK, kept in Engram: its protocol, and nothing destroyed."""

import asyncio
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram import AsyncEngram, Engram, Scope
from engram.errors import ContentTooLarge, InvalidInput
from engram.integrations.openai_agents import EngramSession, said_in


@pytest.fixture
def engram() -> Iterator[Engram]:
    with Engram.open(":memory:") as opened:
        yield opened


def says(role: str, text: str) -> dict[str, object]:
    return {"role": role, "content": text}


CONVERSATION: list[dict[str, object]] = [
    says("user", "I prefer pnpm over npm."),
    {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"at": "home"}'},
    {"type": "function_call_output", "call_id": "c1", "output": "sunny"},
    {
        "id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": "Noted.", "annotations": []}],
    },
    says("user", "yes"),
    says("user", "yes"),
]  # fmt: skip


def test_items_come_back_in_order_and_word_for_word(engram):
    session = EngramSession("s", engram)

    asyncio.run(session.add_items(CONVERSATION[:2]))
    asyncio.run(session.add_items(CONVERSATION[2:]))

    assert asyncio.run(session.get_items()) == CONVERSATION
    assert asyncio.run(session.get_items(limit=2)) == CONVERSATION[-2:]
    assert asyncio.run(session.get_items(limit=0)) == []


def test_a_session_goes_on_where_it_was_left(tmp_path):
    with Engram.open(tmp_path / "store") as engram:
        asyncio.run(EngramSession("s", engram).add_items(CONVERSATION))
    with Engram.open(tmp_path / "store") as engram:
        found = asyncio.run(EngramSession("s", engram).get_items())

    assert found == CONVERSATION


def test_sessions_and_scopes_are_told_apart(engram):
    asyncio.run(EngramSession("s", engram).add_items(CONVERSATION))
    elsewhere = Scope(project="elsewhere")
    asyncio.run(EngramSession("s", engram, scope=elsewhere).add_items(CONVERSATION[:1]))

    assert asyncio.run(EngramSession("t", engram).get_items()) == []
    assert len(asyncio.run(EngramSession("s", engram).get_items())) == len(CONVERSATION)


def test_other_episodes_of_the_session_are_none_of_its_items(engram):
    begun = engram.episodes.begin("a walk", session="s")
    engram.episodes.add(begun.id, {"type": "user_message", "content": "hello"})

    assert asyncio.run(EngramSession("s", engram).get_items()) == []


def test_the_last_item_is_taken_back_and_that_can_be_undone(engram):
    session = EngramSession("s", engram)
    asyncio.run(session.add_items(CONVERSATION))

    popped = [asyncio.run(session.pop_item()) for _ in range(2)]
    left = asyncio.run(session.get_items())
    engram.undo(session.last_change)

    assert popped == [CONVERSATION[5], CONVERSATION[4]]
    assert left == CONVERSATION[:4]
    assert asyncio.run(session.get_items()) == CONVERSATION[:5]


def test_a_cleared_session_is_empty_and_that_can_be_undone(engram):
    session = EngramSession("s", engram)
    asyncio.run(session.add_items(CONVERSATION))

    asyncio.run(session.clear_session())
    empty = asyncio.run(session.get_items())
    change = session.last_change
    asyncio.run(session.add_items([says("user", "again")]))
    began = asyncio.run(session.get_items())
    engram.undo(session.last_change)
    engram.undo(change)

    assert empty == []
    assert began == [says("user", "again")]
    assert asyncio.run(session.get_items()) == CONVERSATION


def test_of_an_empty_session_nothing_is_taken_back(engram):
    session = EngramSession("s", engram)

    assert asyncio.run(session.pop_item()) is None
    asyncio.run(session.clear_session())
    asyncio.run(session.add_items([]))

    assert session.last_change is None
    assert engram.episodes.ongoing() == []


def test_what_is_said_is_learnt_and_known_elsewhere(engram):
    asyncio.run(EngramSession("s", engram).add_items(CONVERSATION))

    found = engram.recall("Which package manager do I prefer?")

    assert "pnpm" in found.hits[0].memory.content


def test_a_conversation_that_goes_on_does_not_come_up_by_its_name(engram):
    asyncio.run(EngramSession("first", engram).add_items(CONVERSATION))

    for question in (
        "Which package manager do I prefer?",
        "How does the conversation first go on?",
    ):
        asked = [{"role": "user", "content": question}]
        window = engram.context(asked, model="gpt-4o", session="second")

        assert "openai-agents session" not in window.text


def test_what_was_popped_is_still_known_until_it_is_forgotten(engram):
    session = EngramSession("s", engram)
    asyncio.run(session.add_items(CONVERSATION[:1]))

    asyncio.run(session.pop_item())

    assert asyncio.run(session.get_items()) == []
    found = engram.recall("Which package manager do I prefer?").hits[0].memory
    engram.forget(found.id)
    assert not [each for each in engram.recall("package manager") if each.memory.id == found.id]


def test_a_session_takes_a_store_that_is_awaited(tmp_path):
    async def talk() -> list[dict[str, object]]:
        async with AsyncEngram.open(tmp_path / "store") as engram:
            session = EngramSession("s", engram)
            await session.add_items(CONVERSATION[:1])
            return await session.get_items()

    assert asyncio.run(talk()) == CONVERSATION[:1]


def test_a_session_that_does_not_learn_keeps_the_conversation_alone(engram):
    session = EngramSession("s", engram, learns=False)

    asyncio.run(session.add_items(CONVERSATION))

    assert engram.list(category="turn") == []
    assert asyncio.run(session.get_items()) == CONVERSATION


def test_secrets_are_masked_and_the_rest_is_whole(engram):
    output = '{"o": "password=hunter2hunter2", "n": 1}'
    item = {"type": "function_call_output", "call_id": "c", "output": output}
    session = EngramSession("s", engram)

    asyncio.run(session.add_items([item, says("user", "next")]))
    found = asyncio.run(session.get_items())

    assert "hunter2" not in str(found)
    assert found[0]["call_id"] == "c"
    assert found[1] == says("user", "next")


def test_long_items_are_kept_whole(engram):
    session = EngramSession("s", engram)
    items = [
        {"type": "function_call_output", "call_id": "c", "output": "é long line\n" * 20_000},
        says("user", " " * 30_000 + "\x00" + "\ud800"),
        says("user", "short"),
        {"role": "user", "content": [{"type": "input_text", "text": "a" * 13_000}] * 3},
    ]

    asyncio.run(session.add_items(items))

    assert asyncio.run(session.get_items()) == items


def test_what_is_too_long_to_observe_is_kept_whole_and_observed_by_its_ends(engram):
    session = EngramSession("s", engram)
    long = (
        "I prefer pnpm. " + "x" * (engram.settings.capture.max_input_bytes + 10) + " That is all."
    )

    asyncio.run(session.add_items([says("user", long)]))

    assert asyncio.run(session.get_items()) == [says("user", long)]
    turns = [each.content for each in engram.list(category="turn")]
    assert any("I prefer pnpm." in each for each in turns)
    assert any("That is all." in each for each in turns)


def test_an_episode_that_is_full_goes_on_in_another():
    with Engram.open(":memory:", settings={"capture": {"max_events": 4}}) as engram:
        session = EngramSession("s", engram)
        for number in range(10):
            asyncio.run(session.add_items([says("user", f"number {number}")]))
        popped = asyncio.run(session.pop_item())
        with pytest.raises(ContentTooLarge):
            asyncio.run(session.add_items([says("user", str(number)) for number in range(5)]))

        assert popped == says("user", "number 9")
        assert len(asyncio.run(session.get_items())) == 9


def test_what_is_no_item_is_refused(engram):
    session = EngramSession("s", engram)

    for wrong in ("hello", {"content": object()}, {"n": float("nan")}):
        with pytest.raises(InvalidInput):
            asyncio.run(session.add_items([says("user", "fine"), wrong]))
    with pytest.raises(InvalidInput):
        asyncio.run(session.get_items(limit=-1))

    assert asyncio.run(session.get_items()) == []


def test_a_task_that_is_cancelled_leaves_all_of_its_items_or_none(engram):
    session = EngramSession("s", engram)

    async def interrupted() -> None:
        adding = asyncio.ensure_future(session.add_items(CONVERSATION))
        await asyncio.sleep(0)
        adding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await adding

    asyncio.run(interrupted())

    assert asyncio.run(session.get_items()) in ([], CONVERSATION)


_PLAIN = st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=20)
_KEYS = st.sampled_from(["role", "content", "type", "$pieces", "$escaped", "n"])
_VALUES = st.recursive(
    _PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3)
)


@pytest.fixture(scope="module")
def one_session() -> Iterator[EngramSession]:
    with Engram.open(":memory:") as engram:
        yield EngramSession("s", engram, learns=False)


@given(item=st.dictionaries(_KEYS, _VALUES, max_size=4))
@settings(max_examples=15, deadline=None)
def test_whatever_is_json_comes_back_as_it_was(one_session, item):
    asyncio.run(one_session.add_items([item]))

    assert asyncio.run(one_session.pop_item()) == item


def test_words_are_found_in_every_shape_of_an_item():
    assert said_in(CONVERSATION[0]) == "I prefer pnpm over npm."
    assert said_in(CONVERSATION[3]) == "Noted."
    assert said_in(CONVERSATION[1]) == ""
