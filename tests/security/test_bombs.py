"""No text, however it is made, takes longer than its length calls for."""

import re
import time
from collections.abc import Iterator

import pytest

from engram.security.screening import (
    breakout,
    hidden,
    injection,
    injection_rules,
    personal,
    phones,
    secret_assignments,
    secret_shapes,
    statements,
)
from engram.security.screening.injection_words import CONCEPTS
from engram.security.screening.screen import screen

SIZE = 256 * 1024
MOST_SECONDS = 0.25
TRIES = 6  # the machine may be busy with something else: the best of these counts

# What makes a rule begin to read, without what would let it end.
TEASERS = (
    "a@", "a@a.", "://a:b", "-----BEGIN ", "bearer ", "1", "1 2 3 ", "1-", "1.", "12-34-", "+1 ",
    "(11", "1.2.3.", "f::f:", "DE89 3704 ", "AB12", "1234567a", "ssn: 219-09-", "my name A B ",
    "I live in A ", "driver license number is A1", "born on 1.1.", "date of birth: 1 ",
    "1 A A A A Street Apt ", "calle de la A B C ", "aaaastraße 1 ", "p.o. box ", "password",
    "password=", "senha= ", "passwd is a1", "token: aaaaaaaaaaaaaaaa", "secret = '", "sk-",
    "eyJaaaaaaaa.eyJ", "hooks.slack.com/services/", "aaaaaaaaaaaaaaaaaaa ", "a\u200b",
    "\U000e0041", "a b ", "!", "\n", "\n# system ", "\nsystem", "\nhuman: ", "</ memory ",
    "<|im_", "[system ", "<!-- a ", "display:none ", "=== end ", "```system", "![a](http://a",
    "https://a", "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFh ", "the quick brown fox ", "İ", "漢字",
)  # fmt: skip


def bomb(teaser: str) -> str:
    return (teaser * (SIZE // len(teaser) + 1))[:SIZE]


def fastest(call, text: str) -> float:
    """The best of a few tries, in seconds of this thread's own time."""
    best = float("inf")
    for _ in range(TRIES):
        started = time.thread_time()
        call(text)
        best = min(best, time.thread_time() - started)
        if best < MOST_SECONDS:
            break
    return best


@pytest.mark.failure("F63")
@pytest.mark.parametrize("teaser", TEASERS, ids=repr)
def test_a_bomb_is_screened_in_a_quarter_of_a_second(teaser: str):
    assert fastest(screen, bomb(teaser)) < MOST_SECONDS


def letters_of(pattern: re.Pattern[str]) -> list[str]:
    """One letter for each step of a rule: the first it would accept."""
    return [step[0] for step in re.findall(r"\[([^^\]]+)\]", pattern.pattern.replace("\\", ""))]


@pytest.mark.failure("F63")
def test_no_injection_rule_is_slow_on_its_own_beginnings():
    words = SIZE // 3  # no text of this size has more words of any use to a rule

    for rule in injection_rules.RULES:
        steps = letters_of(rule.pattern)
        for length in range(1, len(steps) + 1):
            letters = ("".join(steps[:length]) * words)[:words]
            assert fastest(rule.pattern.findall, letters) < MOST_SECONDS, rule


@pytest.mark.failure("F63")
def test_words_that_begin_every_rule_are_read_in_time():
    first_words = " ".join(sorted(words)[0] for words in CONCEPTS.values())

    assert fastest(screen, bomb(first_words + " ")) < MOST_SECONDS


def patterns_in(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, injection_rules.Rule):
        yield value.pattern
    elif isinstance(value, tuple):
        for each in value:
            yield from patterns_in(each)


@pytest.mark.failure("F63")
@pytest.mark.parametrize(
    "module",
    [breakout, hidden, injection, injection_rules, personal, phones, secret_assignments,
     secret_shapes, statements],
    ids=lambda module: module.__name__.rpartition(".")[2],
)  # fmt: skip
def test_no_pattern_repeats_a_repetition_without_bounds(module):
    found = [each for value in vars(module).values() for each in patterns_in(value)]

    assert found
    for pattern in found:
        if re.fullmatch(r"(?:\\.|\[[^\]]+\])(?:\+|\{\d*,\})", pattern.pattern):
            continue  # one class of letters, read once
        unbounded = re.findall(
            r"(?<!\\)[)\]][*+]|(?<!\\)[)\]]\{\d*,\}|\\[wsdWSD][*+](?![^\[]*\])", pattern.pattern
        )
        assert not unbounded, pattern.pattern


def test_a_chat_turn_and_a_long_turn_are_screened_at_once():
    turn = (
        "I moved the deploy to Monday because the cache was cold; remind me to warm it up first. "
    )
    long_turn = turn * 118  # about 2,000 words

    assert len(long_turn.split()) > 1_900
    # Several times what it takes on an idle machine (0.1 and 3 ms), to fail on a wrong order only.
    assert min(fastest(screen, turn) for _ in range(20)) < 0.001
    assert min(fastest(screen, long_turn) for _ in range(5)) < 0.02
