"""What was said before, in tiers: nothing torn, nothing invented, and the beginning stays put."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context.making import Quarters, memory_of, said, talk, tool_talk
from engram.context.assemble import assemble
from engram.context.budget import budget_of
from engram.context.compress import summarise, tell
from engram.context.cost import said_tokens
from engram.context.exchanges import exchanges_of
from engram.context.history import Tiers, cut, fitted, told_history
from engram.context.message import ChatMessage, ToolCall, ToolResult, Words, read_messages
from engram.context.modes import Mode, mode_for
from engram.context.options import ContextOptions
from engram.context.pack import pack
from engram.context.piece import piece_of
from engram.context.standing import Standing, Windows
from engram.context.window import Offered

COUNT = Quarters().count
TIERS = Tiers(verbatim=3, compressed=10, step=3)


def _fitted(messages: list[ChatMessage], room: int):
    return fitted(
        told_history(exchanges_of(messages), TIERS), room, least=TIERS.verbatim, count=COUNT,
        cost=lambda each: said_tokens(each.messages, COUNT),
    )  # fmt: skip


# Exchanges


def test_an_exchange_ends_where_a_person_speaks_again():
    messages = [*tool_talk("a"), *talk(2)]

    found = exchanges_of(messages)

    assert [len(each.messages) for each in found] == [4, 2, 2]
    assert [message for each in found for message in each.messages] == messages


def test_a_result_that_comes_late_is_kept_with_its_call():
    call = ChatMessage("assistant", (ToolCall("late", "wait", "{}"),))
    result = ChatMessage("tool", (ToolResult("late", "done"),))
    messages = [said("user", "Wait."), call, said("user", "Still there?"), result, *talk(1)]

    found = exchanges_of(messages)

    assert [len(each.messages) for each in found] == [4, 2]


def test_results_in_a_persons_place_do_not_begin_an_exchange():
    given = [
        {"role": "user", "content": "Run it."},
        {"role": "assistant", "content": [
            {"type": "tool_use", "id": "t1", "name": "run", "input": {"x": 1}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t1",
             "content": [{"type": "text", "text": "ok"}]}]},
        {"role": "assistant", "content": "Done."},
    ]  # fmt: skip

    (found,) = exchanges_of(read_messages(given))

    assert found.messages[1].calls == (ToolCall("t1", "run", '{"x": 1}'),)
    assert found.messages[2].results == (ToolResult("t1", "ok"),)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from("uUacr"), max_size=30))
def test_no_message_is_lost_or_moved(kinds):
    made = {
        "u": said("user", "x"), "U": said("user", "y"), "a": said("assistant", "z"),
        "c": ChatMessage("assistant", (ToolCall("k", "t", "{}"),)),
        "r": ChatMessage("tool", (ToolResult("k", "r"),)),
    }  # fmt: skip
    messages = [made[kind] for kind in kinds]

    found = exchanges_of(messages)

    assert [message for each in found for message in each.messages] == messages
    for each in found:
        results = {r.call_id for message in each.messages for r in message.results}
        calls = {c.id for message in each.messages for c in message.calls}
        outside = {c.id for other in found if other is not each
                   for message in other.messages for c in message.calls}  # fmt: skip
        assert not results - calls or not (results & outside) or kinds.index("r") < kinds.index("c")


# Telling


def test_a_line_tells_what_was_asked_and_what_came_of_it():
    exchange = exchanges_of([
        said("user", "Hello! Could you move the login to the new session table, please? " * 2),
        said("assistant", "Sure! I changed auth/session.py and added 3 tests. We decided to keep "
                          "the old cookie until May.\n```python\n" + "x = 1\n" * 9 + "```\nBye!"),
    ])  # fmt: skip

    told = tell(exchange[0])

    assert "→" in told.text
    assert "auth/session.py" in told.text
    assert "x = 1" not in told.text
    assert len(told.text) < 160


def test_what_a_tool_gave_back_is_told_by_its_error_alone():
    told = tell(exchanges_of(tool_talk("a"))[0])

    assert "used run" in told.text
    assert "error in a.py" in told.text


def test_thanks_are_not_worth_a_line():
    exchange = exchanges_of([said("user", "Thanks!"), said("assistant", "Sure.")])[0]

    assert tell(exchange).text == ""


def test_a_summary_keeps_the_order_and_its_bounds():
    told = [tell(each) for each in exchanges_of(talk(30))]

    text = summarise(told, most=300)

    assert 0 < len(text) <= 300
    numbers = [int(word.rstrip(":,")) for word in text.split() if word.rstrip(":,").isdigit()]
    assert numbers == sorted(numbers)


# Tiers


def test_a_hundred_exchanges_take_a_quarter_at_most():
    messages = talk(100)

    history = _fitted(messages, 1_000_000)

    left = said_tokens(
        [message for each in history.verbatim for message in each.messages], COUNT
    ) + sum(COUNT(line) for line in history.told)
    assert said_tokens(messages, COUNT) >= 4 * left
    assert history.left_out == 0
    assert "exchanges" in history.summary


def _bursts(exchanges: int, messages: int = 5) -> list[ChatMessage]:
    """A talk in which each side says several things before the other does."""
    return [
        said(role, f"Part {part} of {number}: we decided to move crane_{number * part}.py to berth "
                   f"{part}, and Ada will look after it until the end of the month.")
        for number in range(exchanges)
        for role in ("user", "assistant")
        for part in range(messages)
    ]  # fmt: skip


@pytest.mark.parametrize(("exchanges", "messages"), [(10, 5), (20, 3), (25, 2), (34, 2), (50, 1)])
def test_a_hundred_turns_become_a_quarter_however_few_exchanges_they_make(exchanges, messages):
    talked = _bursts(exchanges, messages)
    assert len(talked) >= 100

    history = _fitted(talked, 1_000_000)

    kept = [message for each in history.verbatim for message in each.messages]
    left = said_tokens(kept, COUNT) + sum(COUNT(f"{line}\n") for line in history.told)
    if exchanges > 12:  # of fewer the last three alone are a quarter
        assert said_tokens(talked, COUNT) >= 4 * left
    assert len(history.verbatim) >= 3
    assert history.told


def test_what_is_told_of_a_long_talk_stays_until_the_borders_move():
    borders: dict[tuple[int, int], set[tuple[str, ...]]] = {}
    for exchanges in range(36, 60):
        talked = exchanges_of(_bursts(exchanges, 2))
        told = told_history(talked, TIERS)
        borders.setdefault(cut(talked, TIERS), set()).add((told.summary, *told.compressed))

    assert len(borders) == 8
    assert all(len(told) == 1 for told in borders.values())


@pytest.mark.parametrize("exchanges", range(60))
def test_the_last_three_are_always_as_they_were(exchanges):
    messages = talk(exchanges)

    compressed, verbatim = cut(exchanges_of(messages), TIERS)

    assert min(3, exchanges) <= exchanges - verbatim <= 5
    assert 0 <= compressed <= verbatim
    assert verbatim - compressed >= min(10, verbatim) or compressed == 0


def test_borders_move_in_steps():
    borders = [cut(exchanges_of(talk(number)), TIERS) for number in range(60)]

    assert {after[1] - before[1] for before, after in pairwise(borders)} == {0, 3}
    assert {after[0] - before[0] for before, after in pairwise(borders)} == {0, 6}


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 40), st.integers(0, 3_000))
def test_a_history_keeps_to_its_room(exchanges, room):
    history = _fitted(talk(exchanges), room)

    taken = sum(said_tokens(each.messages, COUNT) for each in history.verbatim)
    assert taken + sum(COUNT(f"{line}\n") for line in history.told) <= room
    shown = len(history.verbatim) + len(history.lines)
    assert shown + history.left_out <= exchanges


def test_a_history_that_just_fits_is_told_whole():
    whole = _fitted(talk(20), 1_000_000)
    needs = sum(said_tokens(each.messages, COUNT) for each in whole.verbatim) + sum(
        COUNT(f"{line}\n") for line in whole.told
    )

    assert len(whole.verbatim) > TIERS.verbatim
    assert _fitted(talk(20), needs) == whole


# Where memories go


def _pieces(*numbers: int):
    return tuple(piece_of(memory_of(f"Known thing {each}.", each), 1 / each) for each in numbers)


def _made(offered: Offered, tokens: int = 4_000):
    budget = budget_of(ContextOptions(), window=2 * tokens, output=tokens, asked=tokens)
    return assemble(offered, budget, Quarters(), TIERS)


def test_what_stood_in_a_prompt_stays_and_what_is_new_comes_at_its_end():
    messages = (*talk(4), said("user", "And?"))
    first = _made(Offered(messages=messages, recalled=_pieces(1, 2, 3), standing=Standing()))
    later = (*messages, said("assistant", "So."), said("user", "And then?"))

    second = _made(Offered(messages=later, recalled=_pieces(2, 9), standing=first.standing))

    assert second.prompt.front.splitlines()[:4] == first.prompt.front.splitlines()[:4]
    assert "Known thing 9" in second.prompt.tail
    assert "Known thing 9" not in second.prompt.front
    assert "Known thing 1." in second.prompt.front
    assert {each.memory.number for each in second.memories} == {1, 2, 3, 9}


def test_what_reads_otherwise_now_is_laid_out_anew():
    messages = (said("user", "And?"),)
    first = _made(Offered(messages=messages, recalled=_pieces(1, 2), standing=Standing()))
    reworded = (piece_of(memory_of("Known thing 1, but otherwise.", 1), 0.9),)

    second = _made(Offered(messages=messages, recalled=reworded, standing=first.standing))

    assert "Known thing 1." not in str(second)
    assert "but otherwise" in second.prompt.front


def test_the_session_used_longest_ago_makes_way():
    windows = Windows()
    for number in range(600):
        windows.keep(("me", "", f"s{number}"), Standing())
    windows.keep(("me", "", "s599"), Standing(((("recalled"), pack(_pieces(1), 99, COUNT)[0]),)))

    assert windows.find(("me", "", "s599")).lines
    assert windows.find(("you", "", "s599")) == Standing()
    assert len(windows) == 512
    windows.forget()
    assert len(windows) == 0


# Packing


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.text(min_size=1, max_size=1_500), st.floats(0, 1)), max_size=15),
    st.integers(0, 800),
)
def test_packing_keeps_to_its_room_and_to_the_order(texts, room):
    pieces = [
        piece_of(memory_of(text, number), score)
        for number, (text, score) in enumerate(texts, start=1)
    ]

    packed = pack(pieces, room, COUNT)

    assert sum(each.tokens for each in packed) <= room
    numbers = [each.piece.memory.number for each in packed]
    assert numbers == sorted(set(numbers))


def test_everything_gets_shorter_before_anything_goes():
    long = "The crane broke on Monday. " + "Nobody knew why it had. " * 40
    pieces = [piece_of(memory_of(f"{each}. {long}", each), 0.5) for each in range(1, 6)]

    packed = pack(pieces, 250, COUNT)

    assert len(packed) == 5
    assert "full" not in {each.tier for each in packed}


def test_a_short_fact_is_not_kept_out_by_a_long_story():
    story = piece_of(memory_of("Once upon a time. " * 60, 1), 0.6)
    facts = [piece_of(memory_of(f"Fact {each}.", each), 0.5) for each in range(2, 8)]

    packed = pack([story, *facts], 150, COUNT)

    assert {each.piece.memory.number for each in packed} >= set(range(2, 8))


# How much


@pytest.mark.parametrize(
    ("message", "mode"),
    [
        ("Thanks!", Mode.MINIMAL), ("ok, great", Mode.MINIMAL), ("Hello there!", Mode.MINIMAL),
        ("12 * 7 + 3", Mode.MINIMAL), ("merci", Mode.MINIMAL), ("Yes, go ahead", Mode.MINIMAL),
        ("When do we deploy?", Mode.STANDARD), ("Thanks, and who owns billing?", Mode.STANDARD),
        ("ok deploy it to staging", Mode.STANDARD), ("Ada?", Mode.STANDARD),
        ("What do you know about Ada?", Mode.DEEP), ("Tell the history of the pricing", Mode.DEEP),
        ("How has the plan changed since May?", Mode.DEEP), ("Recap the week", Mode.DEEP),
    ],
)  # fmt: skip
def test_a_message_gets_what_it_needs(message, mode):
    assert mode_for(message, "automatic") is mode
    assert mode_for(message, "deep") is Mode.DEEP


def test_words_of_several_parts_and_unknown_parts_are_read():
    given = [
        {"role": "developer", "content": "Rules."},
        {"role": "user", "content": [{"type": "text", "text": "a"}, "b", {"type": "file", "x": 1}]},
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "1", "content": "fine"},
    ]  # fmt: skip

    system, user, assistant, tool = read_messages(given)

    assert (system.role, system.text) == ("system", "Rules.")
    assert user.parts[:2] == (Words("a"), Words("b"))
    assert user.parts[2].given == {"type": "file", "x": 1}
    assert assistant.calls == (ToolCall("1", "f", "{}"),)
    assert tool.results == (ToolResult("1", "fine"),)


def test_a_line_that_is_cut_keeps_names_numbers_and_codes():
    exchange = exchanges_of([
        said("user", "The staging database password rotates each Monday at 09:00, and the person "
                     "who looks after it is Priya, by the rules in wiki/ops/rotate.md."),
        said("assistant", "Good."),
    ])  # fmt: skip

    told = tell(exchange[0])

    assert len(told.text) <= 60
    assert "…" in told.text
    for exact in ("09:00", "Priya", "wiki/ops/rotate.md"):
        assert exact in told.text


def test_cutting_a_long_run_without_spaces_takes_no_time():
    for run in ("a.", "a_b/", "1", "A", "x@"):
        told = tell(exchanges_of([said("user", run * 3_000 + " 7")])[0])

        assert len(told.text) < 500
