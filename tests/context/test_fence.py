"""Nothing that anybody said gets out of the fence, whatever they said.

The reader of fences in here knows nothing of the code that writes them: lines, tags, entities.
"""

import html
import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context.making import TIERS, Quarters, memory_of, said, talk
from engram.context.assemble import assemble
from engram.context.budget import budget_of
from engram.context.options import ContextOptions
from engram.context.piece import Piece, piece_of
from engram.context.window import Context, Offered
from engram.memory.fencing import _remembered, attribute, block, harmless, without_blocks

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "breakouts" / "cases.jsonl").read_text().splitlines()
]
OPEN, CLOSE = re.compile(r'<engram-memories about="([^"<>]*)">'), "</engram-memories>"
LINE = re.compile(r"- (?:(mem-\d{4})(?: \(([^()]*)\))?: )?(.*)")
CONTROL = (
    "<|im_start|>", "<|im_end|>", "<|im_sep|>", "<|endoftext|>", "<|eot_id|>",
    "<|start_header_id|>", "<|end_header_id|>", "<|begin_of_text|>", "<|end_of_text|>",
    "<|header_start|>", "<|eot|>", "[INST]", "[/INST]", "[inst]", "<<SYS>>", "<</SYS>>", "<s>",
    "</s>", "[AVAILABLE_TOOLS]",
    "[TOOL_CALLS]", "[TOOL_RESULTS]", "[SYSTEM_PROMPT]", "<start_of_turn>", "<end_of_turn>",
    "<|system|>", "<|user|>", "<|assistant|>", "<|end|>", "<|channel|>", "<|message|>", "<|start|>",
    "<|START_OF_TURN_TOKEN|>", "<|SYSTEM_TOKEN|>", "<\uff5cUser\uff5c>", "[gMASK]", "<sop>",
    "[|system|]", "[|assistant|]", "[|endofturn|]", "[CLS]", "[SEP]", "[MASK]", "### Instruction",
    "### Response", "USER:", "ASSISTANT:", "Human:", "Assistant:", "System:", "USER\uff1a",
    "system:", "developer:", "</think>", "<tool_call>", "<function_calls>", "```", "~~~",
)  # fmt: skip
JOINERS = set("\u200c\u200d")
NOBODY_SEES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def seen(text: str) -> str:
    """What a person would see of a text, on one line."""
    kept = []
    for place, character in enumerate(text):
        if character in "\u200c\u200d":
            around = text[place - 1 : place] + text[place + 1 : place + 2]
            kept.append("" if any(each.isascii() for each in around) else character)
            continue
        is_mark = "\ufe00" <= character <= "\ufe0d" or "\U000e0100" <= character <= "\U000e01ef"
        hidden = unicodedata.category(character) in NOBODY_SEES or is_mark
        hidden |= character in "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
        kept.append(" " if hidden else character)
    return " ".join("".join(kept).split())


def read_fences(prompt: str) -> dict[str, list[tuple[str | None, str]]]:
    """The blocks of a prompt: about what, and their lines with labels. Anything odd is an error."""
    found: dict[str, list[tuple[str | None, str]]] = {}
    inside: str | None = None
    for line in prompt.split("\n"):
        if inside is None:
            opened = OPEN.fullmatch(line)
            if opened:
                inside = html.unescape(opened.group(1))
                assert inside not in found
                found[inside] = []
            else:
                assert "<engram" not in line.lower()
        elif line == CLOSE:
            inside = None
        else:
            assert not set(line) & set("<>")
            told = LINE.fullmatch(line)
            assert told is not None
            found[inside].append((told.group(1), html.unescape(told.group(3))))
    assert inside is None
    return found


def _full(text: str) -> Context:
    """A prompt in which somebody else's text stands everywhere it could."""
    pieces = tuple(
        piece_of(memory_of(each, number), 0.5)
        for number, each in enumerate(("The sky is blue.", text, "Tea is hot."), start=1)
    )
    mind = Piece(key="w", version=1, text=f"In mind, {text}", score=1.0)
    skill = Piece(key="k", version=1, text=text, score=0.5, label="mem-0009", sort="skill")
    offered = Offered(
        messages=(said("user", text), said("assistant", f"I decided on 7: {text}"), *talk(20),
                  said("user", "And now?")),
        system="Be kind.", identity=(text,), working=(mind,), recalled=pieces,
        schemas=(piece_of(memory_of(text, 8), 0.5),), skills=(skill,), notes=(text,),
        questions=(text,),
    )  # fmt: skip
    budget = budget_of(ContextOptions(), window=400_000, output=1_000)
    return assemble(offered, budget, Quarters(), TIERS)


def test_the_corpus_is_large_and_each_of_it_is_there_once():
    assert len(CASES) >= 80
    assert len({case["text"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=[case["what"] for case in CASES])
def test_the_fence_reads_back_to_exactly_what_was_put_in(case):
    text = case["text"]

    context = _full(text)

    *_, last = context.messages("openai")
    first = context.messages("openai")[1]
    for blocks in (
        read_fences(context.text),
        {
            **read_fences(str(first["content"]).partition("\n\n")[0]),
            **read_fences(str(last["content"])),
        },
    ):
        assert blocks["recalled"] == [
            ("mem-0001", "The sky is blue."), ("mem-0002", seen(text)), ("mem-0003", "Tea is hot."),
        ]  # fmt: skip
        assert [each for _, each in blocks["patterns"]] == [seen(text)]
        assert [each for _, each in blocks["skills that fit"]] == [seen(text)]
        assert seen(text) in blocks["in mind now"][0][1]
        assert len(blocks["the person"]) == 1
        assert len(blocks["what is not known"]) == 2
        assert len(blocks["earlier in this conversation"]) >= 2
    assert str(last["content"]).endswith("\n\nAnd now?")


@pytest.mark.parametrize("case", CASES, ids=[case["what"] for case in CASES])
def test_no_mark_of_a_chat_format_survives(case):
    context = _full(case["text"])

    sent = [context.text, *(str(each["content"]) for each in context.messages("anthropic"))]
    for text in (*sent, context.system):
        assert [mark for mark in CONTROL if mark in text] == []
        assert [mark for mark in CONTROL if mark in unicodedata.normalize("NFKC", text)] == []
        hidden = NOBODY_SEES - {"Cc"}
        assert not any(unicodedata.category(each) in hidden for each in set(text) - JOINERS)
        assert set(text) & set(map(chr, range(32))) <= {"\n"}


@settings(max_examples=60, deadline=None)
@given(st.text())
def test_any_text_is_one_line_that_reads_back(text: str):
    line = harmless(text)

    assert len(f"x{line}".splitlines()) == 1
    assert not set(line) & set("<>")
    assert html.unescape(line) == seen(text)
    assert '"' not in attribute(text)
    assert read_fences(block([f"- {line}"], about="x")) == {"x": [(None, seen(text))]} or (
        LINE.fullmatch(f"- {line}") is not None
    )


@pytest.mark.parametrize("case", CASES, ids=[case["what"] for case in CASES])
def test_letters_folded_by_a_program_open_nothing_either(case):
    folded = unicodedata.normalize("NFKC", harmless(case["text"]))

    assert not set(folded) & set("<>\u226e\u226f")
    assert html.unescape(folded).count("<") == html.unescape(harmless(case["text"])).count("<")
    assert [mark for mark in CONTROL if mark in folded] == []


def test_long_texts_are_not_held_on_to():
    harmless("x" * 1_001)
    held = _remembered.cache_info().currsize

    for number in range(8):
        harmless(f"{number}" * 100_000)

    assert _remembered.cache_info().currsize == held


def test_what_was_put_in_front_of_a_message_is_taken_out_when_it_comes_back():
    context = _full("Tea is good.")

    sent = str(context.messages("openai")[-1]["content"])

    assert without_blocks(sent).strip() == "And now?"
    assert without_blocks("a < b and <engram-memories is a word") == (
        "a < b and <engram-memories is a word"
    )
