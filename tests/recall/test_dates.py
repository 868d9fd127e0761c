"""Times: the day itself before the day after, dates in what was said, and the latest of several."""

from datetime import UTC, datetime

import pytest

from engram.language.when.spans import find_times
from engram.recall.dates import rows_naming
from recall.stores import WORDS_ONLY, selection_of, store_of, texts

NOW = datetime(2026, 11, 15, 18, tzinfo=UTC)
MEALS = [
    {"text": f"Supper was {dish}", "at": f"{day}T12:30:00+00:00"}
    for day, dish in (
        ("2026-11-15", "dumplings with Ida"), ("2026-11-14", "a stew alone"),
        ("2026-11-10", "pancakes with the crew"), ("2026-11-03", "broth at home"),
        ("2026-10-12", "noodles with Per"), ("2025-11-14", "falafel on the pier"),
    )
]  # fmt: skip


@pytest.fixture(scope="module")
def meals():
    with store_of(MEALS, settings=WORDS_ONLY) as engram:
        yield engram


@pytest.mark.parametrize(
    ("question", "dish"),
    [
        ("what was supper yesterday?", "stew"), ("what was supper today?", "dumplings"),
        ("what did I have for supper a year ago?", "falafel"),
        ("supper on 10 November", "pancakes"), ("most recent supper", "dumplings"),
        ("what was my last supper?", "dumplings"), ("supper last month", "noodles"),
    ],
)  # fmt: skip
def test_a_time_asks_for_what_was_said_then(meals, question, dish):
    assert dish in texts(meals, question, now=NOW)[0]


def test_what_was_told_the_day_after_says_so(meals):
    hits = {hit.memory.content: str(hit.why) for hit in meals.recall("supper yesterday", now=NOW)}

    assert "time #2: said the day after yesterday" in hits["Supper was dumplings with Ida"]
    assert "time #1: yesterday" in hits["Supper was a stew alone"]


PLANS = [
    "The launch is planned for 3 February 2027", "The dentist expects me on 2 December 2026",
    "Rent is due on the 5th of March", "The fair opened on 2025-06-07",
    "We may march in protest", "Dr. Ferreira, on February 9th",
]  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ("in February", [1, 6]), ("in February 2027", [1, 6]), ("in February 2024", []),
        ("on 3 February 2027", [1]), ("2027-02-03", [1]), ("on 3 February 2025", []),
        ("2 December", [2]), ("in December", [2]), ("on 5 March", [3]), ("in March", [3]),
        ("7 June 2025", [4]), ("in June 2025", [4]), ("in May", []), ("in 2027", []),
    ],
)  # fmt: skip
def test_dates_in_what_was_said_are_read(asked, numbers):
    with store_of(PLANS, settings=WORDS_ONLY) as engram:
        selection = selection_of(engram)
    (span,) = find_times(asked, NOW)

    rows = rows_naming(span, selection)

    assert selection.wordings.numbers[rows].tolist() == numbers


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("what is planned for December?", 1),
        ("2027-02-03", 0),
        ("what happens in February?", 0),
    ],
)
def test_a_question_about_a_date_finds_what_names_it(question, first):
    with store_of(PLANS, settings=WORDS_ONLY) as engram:
        found = texts(engram, question, now=NOW)

    assert PLANS[first] in found[:2]
    assert found[0] in (PLANS[first], PLANS[5])
