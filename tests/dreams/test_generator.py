"""The days that are made up: always the same ones, with everything in them that is asked later."""

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import replace

import pytest

from benchmarks.ninety_days.bars import Bar
from benchmarks.ninety_days.figures import DayFigures, dream_exponent, dream_fit, growth, slope
from benchmarks.ninety_days.generator import Generator
from benchmarks.ninety_days.merging import same_by_rule
from benchmarks.ninety_days.near_misses import NearMiss, near_misses
from benchmarks.ninety_days.page import MARK, write_page
from benchmarks.ninety_days.planted import planted_facts
from benchmarks.ninety_days.plot import pictures
from benchmarks.ninety_days.spoken import PLACES, Planted, holds


@pytest.fixture(scope="module")
def ninety() -> Generator:
    return Generator(90, 200, facts=500)


@pytest.fixture(scope="module")
def texts(ninety) -> list[str]:
    """Everything said in ninety days."""
    return [said.text for day in ninety for said in day.turns]


@pytest.fixture(scope="module")
def by_word(texts) -> dict[str, set[str]]:
    """What was said, by each of its words."""
    found: dict[str, set[str]] = {}
    for text in set(texts):
        for word in re.findall(r"\w+", text.casefold()):
            found.setdefault(word, set()).add(text)
    return found


def _about(key: str, by_word: dict[str, set[str]]) -> set[str]:
    """What was said with every word of a key in it."""
    return set.intersection(*(by_word[word] for word in re.findall(r"\w+", key.casefold())))


def test_the_same_seed_makes_the_same_days():
    one, other = (Generator(6, 40, facts=20, seed=5) for _ in range(2))

    assert list(one) == list(other)


def test_another_seed_makes_other_days():
    one, other = (Generator(6, 40, facts=20, seed=seed) for seed in (5, 6))

    assert list(one) != list(other)


def test_a_day_is_as_long_as_it_is_wanted(ninety):
    lengths = [len(day.turns) for day in ninety]

    assert min(lengths) >= 200
    assert max(lengths) <= 210


def test_time_passes_from_turn_to_turn(ninety):
    moments = [said.at for day in ninety for said in day.turns]

    assert moments == sorted(moments)


def test_few_things_are_said_twice(texts):
    assert len(set(texts)) > 0.6 * len(texts)


def test_every_planted_fact_is_said_once_before_the_last_day(ninety):
    days = list(ninety)
    said = [fact.number for day in days for fact in day.planted]

    assert sorted(said) == list(range(500))
    assert days[-1].planted == ()


def test_an_answer_stands_in_one_thing_said_and_in_no_other(ninety, by_word):
    answers = {
        fact.question: {text for text in _about(fact.key, by_word) if fact.is_answered_by(text)}
        for fact in ninety.facts
    }

    assert [question for question, found in answers.items() if len(found) != 1] == []


def test_no_question_tells_its_answer(ninety):
    assert [fact for fact in ninety.facts if holds(fact.question, fact.answer)] == []


def test_questions_are_asked_about_one_fact_each(ninety):
    asked = Counter(fact.question for fact in ninety.facts)

    assert max(asked.values()) == 1


def test_facts_come_in_every_project_and_by_both_ways_in(ninety):
    told = Counter(
        said.told
        for day in ninety
        for said in day.turns
        if any(fact.is_answered_by(said.text) for fact in day.planted)
    )

    assert {fact.project for fact in ninety.facts} == set(PLACES)
    assert told[True] > 50
    assert told[False] > 300


def test_what_changes_is_said_on_its_days_in_its_order(ninety, by_word):
    day_of = {said.text: day.number for day in ninety for said in day.turns}

    for thing in ninety.changing:
        heard = {
            (day_of[text], value)
            for text in _about(thing.key, by_word)
            for value in thing.values
            if thing.names(text, value)
        }
        assert sorted(heard) == list(zip(thing.days, thing.values, strict=True))


def test_the_value_in_force_is_the_one_said_last(ninety):
    thing = ninety.changing[0]

    assert thing.value_on(thing.days[0] - 1) is None
    assert thing.value_on(thing.days[1]) == thing.values[1]
    assert thing.stale_on(89) == thing.values[:-1]


def test_people_ask_only_what_was_said_before(ninety):
    for day in (ninety.day(number) for number in (0, 1, 2, 45, 89)):
        known = {fact.question for fact in ninety.planted_until(day.number - 1)}
        known |= {thing.question for thing in ninety.changing if thing.value_on(day.number - 1)}
        assert {question for _, question in day.asked} <= known


def test_more_facts_than_there_are_cannot_be_planted():
    with pytest.raises(ValueError, match="facts are known"):
        planted_facts(100_000)


def test_an_answer_counts_only_about_the_right_thing():
    fact = Planted(0, "", ("Ulla's birthday is on 3 May.",), "When?", "Ulla", "3 May")

    assert fact.is_answered_by("ulla was born on 3 may")
    assert fact.is_answered_by("Ulla's birthday is on 2026-05-03.")
    assert not fact.is_answered_by("Edvin's birthday is on 3 May.")
    assert not fact.is_answered_by("Ulla's birthday is on 13 May.")
    assert not fact.is_answered_by("Ulla's birthday is on 2026-05-13.")


# Pairs that differ in one thing


def test_a_thousand_near_misses_are_all_different():
    pairs = near_misses()

    assert len({frozenset((pair.one, pair.other)) for pair in pairs}) >= 990
    assert all(pair.one != pair.other for pair in pairs)
    assert min(Counter(pair.kind for pair in pairs).values()) >= 60


def test_no_near_miss_says_the_same_by_the_rule():
    assert same_by_rule(near_misses()) == ()


def test_the_rule_would_see_a_pair_that_does_say_the_same():
    pair = NearMiss("none", "Ulla lives in Ghent.", "Oh, Ulla lives in Ghent.")

    assert same_by_rule([pair]) == (pair,)


# What is made of the figures


def _day(number: int, **other: float) -> DayFigures:
    stored = 100 * (number + 1)
    plain = DayFigures(
        day=number, stored=stored, active=stored, turns=0, archived=0, merged=0, superseded=0,
        stale=0, decisions=0, dream_seconds=stored / 1_000, day_seconds=1.0, kilobytes=1, asked=4,
        found=3,
    )  # fmt: skip
    return replace(plain, **other)


def test_a_slope_is_what_is_added_each_day():
    assert slope([5.0, 8.0, 11.0, 14.0], 3) == pytest.approx(3.0)
    assert slope([5.0], 3) == 0.0


def test_growth_is_bounded_when_as_much_goes_as_comes():
    kept = [_day(number) for number in range(40)]
    bounded = [replace(each, active=min(each.active, 900)) for each in kept]

    assert growth(kept) == pytest.approx(1.0)
    assert growth(bounded) == pytest.approx(0.0)


@pytest.mark.parametrize("power", [1.0, 2.0])
def test_the_exponent_of_a_dream_is_found(power):
    days = [_day(number, dream_seconds=(number + 1.0) ** power) for number in range(40)]

    assert dream_exponent(days) == pytest.approx(power, abs=0.01)


def test_without_dreams_there_is_nothing_to_fit():
    days = [_day(number, dream_seconds=0.0) for number in range(10)]

    assert dream_exponent(days) == 0.0
    assert dream_fit(days) == (0.0, 0.0)


def test_every_picture_can_be_read_and_shows_each_day():
    days = [_day(number) for number in range(12)]

    for picture in pictures(days).values():
        root = ElementTree.fromstring(picture)
        curves = [each for each in root.iter() if each.tag.endswith("polyline")]
        assert len(curves[0].attrib["points"].split()) == 12


def test_the_page_keeps_its_words_and_gets_the_figures(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"# Words\n\n{MARK}\n\nold figures\n", encoding="utf-8")
    days = [_day(number) for number in range(12)]

    for _ in range(2):
        write_page(page, days, [Bar("growth", "0.1", "≤ 0.15", True)])

    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Words")
    assert "old figures" not in text
    assert text.count("| growth | 0.1 | ≤ 0.15 | yes |") == 1
    assert all((tmp_path / "pictures" / name).exists() for name in pictures(days))
