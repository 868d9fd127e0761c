"""What Engram put before a model is never learnt when it comes back, however it was wrapped."""

import html
import itertools
import json
import time
import urllib.parse

import pytest
from context.making import memory_of
from hypothesis import given, settings
from hypothesis import strategies as st

from engram import Engram
from engram.language.segments import segment
from engram.memory.attribution import told_line
from engram.memory.fencing import RULES, block
from engram.memory.vocabulary import LearnedBy
from engram.surfaces.harness.blocks import block_of
from engram.surfaces.harness.fence import fenced
from engram.text.injected import injected_spans, masked, without_injected

MEMORIES = [
    memory_of("I keep three goats behind the mill.", 12, speaker="Marta", source="user",
              learned_by=LearnedBy.OBSERVE),
    memory_of("The ferry </engram-memories> to Aland & back leaves at 6, from C:\\new\\pier.", 13),
    memory_of('He said "the goats are grey", and > 3 of them are.', 14),
]  # fmt: skip
BLOCK = block([RULES, *(told_line(each, each.content) for each in MEMORIES)], about="recalled")
HOOK = fenced(MEMORIES, about="this prompt", most=4_000, scope="project=mill")
OWN = "My brother bakes rye bread on Sundays."
SECRETS = ("goats", "ferry", "grey", "mem-00", "long-term memory", "engram")


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())


WRAPPINGS = {
    "as it is": lambda text: text,
    "escaped": html.escape,
    "escaped without quotes": lambda text: html.escape(text, quote=False),
    "escaped twice": lambda text: html.escape(html.escape(text)),
    "escaped three times": lambda text: html.escape(html.escape(html.escape(text))),
    "numbered": lambda text: text.replace("<", "&#60;").replace(">", "&#62;"),
    "in hexadecimal": lambda text: text.replace("<", "&#x3C;").replace(">", "&#x3E;"),
    "as json": json.dumps,
    "as json without brackets": lambda text: json.dumps(text).replace("<", "\\u003c").replace(
        ">", "\\u003E"
    ),
    "as json in json": lambda text: json.dumps(json.dumps({"context": text})),
    "as json with slashes": lambda text: json.dumps(text).replace("/", "\\/"),
    "escaped in json": lambda text: json.dumps(html.escape(text)),
    "quoted": _quoted,
    "quoted twice": lambda text: _quoted(_quoted(text)),
    "escaped and quoted": lambda text: _quoted(html.escape(text)),
    "in a fence": lambda text: f"```xml\n{text}\n```",
    "in another fence": lambda text: f"~~~\n{text}\n~~~",
    "wrapped": lambda text: f"<hook_context>\n{text}\n</hook_context>",
    "wrapped twice": lambda text: (
        f'<system-reminder>\n<hook_context event="prompt">{text}</hook_context>\n</system-reminder>'
    ),
    "wrapped and escaped": lambda text: html.escape(f"<hook_context>{text}</hook_context>"),
    "announced": lambda text: f"UserPromptSubmit hook additional context: {text}",
    "indented": lambda text: "\n".join(f"    {line}" for line in text.splitlines()),
    "with other line ends": lambda text: text.replace("\n", "\r\n"),
    "split over lines": lambda text: text.replace("<engram-memories ", "<engram-\nmemories\n  "),
    "on one line": lambda text: text.replace("\n", " "),
    "shouted": lambda text: text.replace("engram-memories", "ENGRAM-MEMORIES"),
    "in a url": urllib.parse.quote,
    "in a form": urllib.parse.quote_plus,
}  # fmt: skip


@pytest.mark.parametrize("given_block", [BLOCK, HOOK], ids=["window", "hook"])
@pytest.mark.parametrize("name", WRAPPINGS)
def test_own_words_stay_and_the_block_goes(name, given_block):
    wrapped = WRAPPINGS[name](given_block)

    for text in (f"{wrapped}\n\n{OWN}", f"{OWN}\n\n{wrapped}", f"{OWN}\n{wrapped}\nThat is all."):
        kept = without_injected(text)
        assert OWN in kept
        assert [each for each in SECRETS if each in kept.lower()] == []


@pytest.mark.parametrize("name", [each for each in WRAPPINGS if "json" not in each])
def test_of_a_block_alone_nothing_is_left(name):
    left = without_injected(WRAPPINGS[name](BLOCK))

    assert left == ""


@pytest.mark.parametrize("name", ["as it is", "escaped", "quoted", "in hexadecimal", "announced"])
def test_a_block_that_was_cut_off_goes_and_the_words_behind_it_stay(name):
    torn = WRAPPINGS[name](BLOCK[: BLOCK.index("leaves at 6")])

    assert without_injected(f"{torn}\n\n{OWN}") == OWN
    assert without_injected(f"{OWN}\n{torn}") == OWN


def test_a_torn_block_in_json_ends_with_its_string():
    torn = BLOCK[: BLOCK.index("leaves at 6")]
    document = json.dumps({"context": torn, "prompt": OWN})

    kept = without_injected(document)

    assert OWN in kept
    assert "goats" not in kept
    assert "ferry" not in kept


@pytest.mark.parametrize("lead", ["", "> ", "  ", "* > "])
def test_single_lines_of_a_window_go(lead):
    lines = [lead + told_line(each, each.content) for each in MEMORIES]
    text = "\n".join([OWN, *lines, "What do you make of it?"])

    assert without_injected(text) == f"{OWN}\nWhat do you make of it?"
    assert "goats" not in without_injected(json.dumps({"seen": "\n".join(lines), "said": OWN}))
    assert OWN in without_injected(json.dumps({"seen": "\n".join(lines), "said": OWN}))


def test_the_block_of_a_projects_file_goes():
    text = f"{OWN}\n\n{block_of(MEMORIES)}\n"

    assert without_injected(text) == OWN


def test_what_is_in_mind_goes_too(engram):
    engram.working.attend("The goats moved to the hill.", session="s")
    text = str(engram.working.export("xml", session="s"))

    assert without_injected(f"{text}\n{OWN}") == OWN


@pytest.mark.parametrize(
    "text",
    [
        OWN,
        "What does the <engram-memories> tag do?",
        "I like engram because memories stay.",
        "- mem-0012 is wrong, I sold the goats.",
        "My label is mem-0012 (old) and I like it.",
        "See mem-0004: it says what I meant.",
        "a < b and b > c, so working_memory holds.",
        'The <engram-memories about="x"> tag opens a block, I think.',
    ],
)
def test_words_about_memories_are_somebodys_own(text):
    kept = without_injected(text)

    assert kept == text or "tag opens a block, I think." in kept


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab <>&;/\\\"'`>-\n|.engrammemories:mem-0012 (2026-01-01)", max_size=400))
def test_what_is_left_is_a_part_of_what_was_said(text):
    kept = without_injected(text)
    spans = injected_spans(text)

    assert all(begin < end for begin, end in spans)
    assert all(one[1] < other[0] for one, other in itertools.pairwise(spans))
    assert len(masked(text)) == len(text)
    assert set(kept) <= set(text) | {"\n"}


@pytest.mark.parametrize(
    "piece",
    [
        "<", "&amp;", "\\", "\\u003c", ">", "<engram", "<engram-memories about", "a", '"',
        "<engram-memories about=\"x\">\n", "- mem-0001 (2026-01-01, fact): a\n", "mem-0001 (",
        "</engram-memories>", "<a>", "> ", "%25", "&lt;engram-memories about=", "engram ",
        "What stands between engram-memories tags comes from ", "<!-- engram:begin -->", "```",
        "\n- ", '"- mem-0001 (', "<hook>\n",
    ],
)  # fmt: skip
def test_a_megabyte_takes_no_longer_than_its_length(piece):
    half = (piece * (1 + 500_000 // len(piece)) + "engram mem-0001")[:500_000]
    started = time.thread_time()
    without_injected(half)
    first = time.thread_time() - started
    started = time.thread_time()
    without_injected(half + half)
    second = time.thread_time() - started

    assert second < 4 * first + 2.0


# In the store


@pytest.mark.parametrize("name", ["as it is", "escaped", "as json", "quoted", "wrapped"])
def test_the_turn_keeps_its_own_words_and_nothing_of_the_block_is_learnt(engram: Engram, name):
    kept = engram.observe(f"{WRAPPINGS[name](HOOK)}\n\n{OWN}", session="s")
    engram.flush()

    assert OWN in kept.memory.content
    everything = " ".join(each.content for each in engram.list(status="any", limit=100))
    assert [each for each in ("goats", "ferry", "grey") if each in everything] == []


def test_of_a_turn_that_is_only_a_block_nothing_is_learnt(engram: Engram):
    kept = engram.observe(HOOK, session="s", role="assistant")
    engram.flush()

    assert kept.memory.content == "[recalled memories]"
    assert [each.label for each in engram.list(status="any")] == [kept.memory.label]


def test_what_is_read_from_a_text_passes_over_blocks():
    text = f"{OWN} {BLOCK} I sold the boat."
    found = segment(text)

    told = [text[start:end] for start, end in found.sentences]
    assert "recalled" in {each.reason for each in found.cuts}
    assert OWN in told[0]
    assert "I sold the boat." in told[-1]
    assert not any("goats" in each for each in told)
