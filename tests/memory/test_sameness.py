"""Which statements are one in other words, and that distinct facts never are."""

import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.memory.sameness import is_same_statement

MONDAY = datetime(2026, 3, 16, 9, tzinfo=UTC)

SAME = [
    ("Ann lives in Porto.", "ann lives in porto"),
    ("I don't like tea", "I do not like tea."),
    ("I can't swim", "I cannot swim"),
    ("The server has 5 GB", "The server has 5GB"),
    ("She has twenty-five cats", "She has 25 cats"),
    ("They sold two hundred jars", "They sold 200 jars"),
    ("The file has 1,000 lines", "The file has 1000 lines"),
    ("The load is 40 percent", "The load is 40%"),
    ("Ann bought a car", "Ann purchased a car"),
    ("My favourite colour is grey", "My favorite color is gray"),
    ("The exam is on 3 May 2025", "The exam is on May 3rd, 2025"),
    ("On 3 May 2025 Ann left", "Ann left on 2025-05-03"),
    ("Actually, the shop is now closed", "The shop is closed"),
    ("The shop closes at 5 pm", "The shop closes at 5pm"),
    ("“Quoted” words stay words", '"Quoted" words stay words'),
    ("Le café est fermé", "le café est fermé."),
]

DIFFERENT = [
    ("The port is 8080", "The port is 8081", "numbers"),
    ("X is 192.168.7.1", "X is 192.168.9.1", "numbers"),
    ("Ann has two cats", "Ann has three cats", "numbers"),
    ("The bag weighs 5 kg", "The bag weighs 5 g", "words"),
    ("All tests pass", "Some tests pass", "numbers"),
    ("Ann has few friends", "Ann has a few friends", "numbers"),
    ("Only Ann came", "Ann came", "numbers"),
    ("The release is v2.3.1", "The release is v2.3.10", "numbers"),
    ("Ann likes tea", "Ann doesn't like tea", "negation"),
    ("Ann likes tea", "Ann never likes tea", "negation"),
    ("Ann smokes", "Ann no longer smokes", "negation"),
    ("Tea with sugar", "Tea without sugar", "negation"),
    ("Ann is happy", "Ann is unhappy", "words"),
    ("The key is valid", "The key is invalid", "words"),
    ("Ann is able to swim", "Ann is unable to swim", "negation"),
    ("I met Ann in Porto", "I met Bob in Porto", "names"),
    ("I met Ann in Porto", "I met Ann in Lyon", "names"),
    ("I like tea", "You like tea", "words"),
    ("His car is red", "Her car is red", "words"),
    ("The team is from the US", "The team is from us", "words"),
    ("Ann left yesterday", "Ann leaves tomorrow", "time"),
    ("Ann left on Friday", "Ann left on Monday", "time"),
    ("The exam is on 3 May 2025", "The exam is on 4 May 2025", "time"),
    ("The log ends at 12:30:15", "The log ends at 12:30:45", "numbers"),
    ("Ann lives in Porto", "Ann lived in Porto", "words"),
    ("Ann is ill", "Ann was ill", "time"),
    ("Ann always walks", "Ann sometimes walks", "words"),
    ("We meet weekly", "We meet daily", "words"),
    ("Ann prefers tea over coffee", "Ann prefers coffee over tea", "direction"),
    ("Trains run from Porto to Lyon", "Trains run from Lyon to Porto", "direction"),
    ("Ann manages Bob", "Bob manages Ann", "direction"),
    ("Ann flew to Porto", "Ann flew from Porto", "direction"),
    ("The cup is on the box", "The cup is in the box", "words"),
    ("Ann does not like tea and likes milk", "Ann likes tea and does not like milk", "direction"),
    ("Ann can swim", "Ann must swim", "words"),
    ("Ann will swim", "Ann might swim", "modality"),
    ("Ann swims", "Ann wants to swim", "modality"),
    ("Ann lives in Porto", "Ann lives in Porto?", "modality"),
    ("The barn is red", "The barn is blue", "words"),
    ("Ann studies the universe", "Ann studies the university", "words"),
    ("Ann wrote a policy", "Ann wrote a police", "words"),
    ("Ann has a cat", "Ann has cats", "words"),
    ("Ann's brother is tall", "Ann is tall", "names"),
    ("We use C++", "We use C#", "names"),
    ("Das Haus ist schon da", "Das Haus ist schön da", "words"),
    ("港は8080です", "港は8081です", "numbers"),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_other_words_for_the_same_are_the_same(a, b):
    assert is_same_statement(a, b).is_same
    assert is_same_statement(b, a).is_same


@pytest.mark.parametrize(("a", "b", "kind"), DIFFERENT)
def test_what_differs_in_anything_that_counts_is_another_statement(a, b, kind):
    found = is_same_statement(a, b)

    assert not found.is_same
    assert kind in found.differs_in
    assert is_same_statement(b, a).differs_in == found.differs_in


def test_yesterday_is_another_day_on_another_day():
    text = "I met Bob yesterday"

    assert is_same_statement(text, text).is_same
    assert is_same_statement(text, text, said=(MONDAY, MONDAY)).is_same
    later = is_same_statement(text, text, said=(MONDAY, MONDAY + timedelta(days=2)))
    assert later.differs_in == ("time",)


def test_a_day_told_from_today_is_the_date_it_falls_on():
    said = (MONDAY, MONDAY + timedelta(days=5))

    assert is_same_statement("I met Bob yesterday", "I met Bob on 15 March 2026", said=said).is_same
    assert not is_same_statement("I met Bob yesterday", "I met Bob on 15 March 2026").is_same


def test_texts_too_long_to_read_are_the_same_to_the_letter_only():
    text = "the river " * 1_000

    assert is_same_statement(text, text.upper()).is_same
    assert is_same_statement(text, text + "x").differs_in == ("words",)


NAMES = """Ann Bob Cleo Dan Eve Finn Gail Hugo Iris Jon Kira Liam Mona Nils Olga Paul Quin Rosa
    Sven Tara""".split()
TEMPLATES = (
    "{name} keeps {number} bees behind the mill",
    "The locker of {name} is number {number}",
    "{name} was born on {number} May 1990",
    "In {year} {name} won {number} medals",
    "{name} paid ${number} for the kettle on {day} May",
    "Server {name}-{number} listens on 10.0.{day}.{number}",
    "{name} runs {number} km every Friday at {hour}:15",
    "Please call {name} on extension {number}",
    "{name} owes Zoe {number}.{day} euros",
    "Version {day}.{number}.0 was tested by {name} at 0{hour}:{day}:30",
)


def _facts() -> list[str]:
    """A thousand facts of ten templates: no two have all their names and numbers in common."""
    return [
        template.format(
            name=NAMES[n % 20],
            number=10 + n // 20,
            year=1990 + n % 20,
            day=10 + n // 20,
            hour=n % 9,
        )
        for template in TEMPLATES
        for n in range(100)
    ]


def test_a_thousand_templated_facts_are_a_thousand_facts():
    facts = _facts()
    assert len(set(facts)) == 1_000

    # The next has another name, the twentieth another number, the one after that both.
    for place, fact in enumerate(facts):
        within = facts[: place // 100 * 100 + 100]
        for other in (*within[place + 1 : place + 2], *within[place + 20 : place + 22]):
            assert not is_same_statement(fact, other).is_same, (fact, other)


VALUES = st.one_of(
    st.integers(0, 10**6).map(str),
    st.sampled_from(NAMES),
    st.sampled_from("red blue green amber violet".split()),
    st.times().map(lambda moment: moment.isoformat("seconds")),
    st.dates().map(str),
    st.ip_addresses(v=4).map(str),
    st.tuples(st.integers(0, 99), st.integers(0, 99)).map(lambda pair: f"v{pair[0]}.{pair[1]}"),
)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([
        "The beacon of the harbour is set to {}",
        "Rosa told the warden about {} last summer",
        "On the second shelf there is {} beside the lamp",
    ]),
    VALUES,
    VALUES,
)  # fmt: skip
def test_one_template_with_two_values_is_never_one_statement(template, one, other):
    first, second = template.format(one), template.format(other)

    assert is_same_statement(first, second).is_same == (one == other)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_can_be_compared_both_ways(a, b):
    assert is_same_statement(a, a).is_same
    assert is_same_statement(a, b).is_same == is_same_statement(b, a).is_same


@pytest.mark.parametrize(
    "piece", ["1 ", "may ", "by Friday ", "' ", "not ", "a b ", "é", "monday "]
)
def test_long_input_is_compared_at_once(piece):
    text = piece * (262_144 // len(piece))

    for length in (8_100, len(text)):
        started = time.thread_time()
        is_same_statement(text[:length], text[:length] + " x", said=(MONDAY, MONDAY))
        assert time.thread_time() - started < 0.25
