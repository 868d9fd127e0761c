"""Questions about a time: what happened then comes back, and little else."""

from datetime import UTC, datetime, timedelta

import pytest
from clock import FakeClock

from recall.stores import HASHING, WORDS_ONLY, plan_of, store_of, texts

NOW = datetime(2026, 3, 25, 15, 0, tzinfo=UTC)  # a Wednesday
DONE = (
    "I repaired the garden fence", "We had dinner with Priya", "I ran along the river",
    "I finished the lighthouse novel", "I took the dog to the vet", "I baked rye bread",
    "We watched the eclipse from the roof", "I renewed my passport", "I changed the bicycle tyres",
    "I called the bank about the mortgage", "We planted tomatoes", "I sorted the attic",
    "I practised the cello",
)  # fmt: skip
DEPLOY = "The deploy of the billing service went out."


def diary() -> list[dict[str, object]]:
    """Something for every other day of half a year, and one deploy ten days ago."""
    entries: list[dict[str, object]] = [
        {"text": f"{DONE[day % len(DONE)]}, entry {day}.",
         "at": (NOW - timedelta(days=day, hours=3)).isoformat()}
        for day in range(0, 180, 2)
    ]  # fmt: skip
    entries.append({"text": DEPLOY, "at": (NOW - timedelta(days=10)).isoformat()})
    return entries


@pytest.fixture(scope="module", params=[WORDS_ONLY, HASHING], ids=["words", "meaning"])
def engram(request):
    with store_of(diary(), settings=request.param, clock=FakeClock(NOW)) as opened:
        yield opened


def day(month: int, number: int, year: int = 2026) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


ASKED = [
    ("What did I do last week?", day(3, 16), day(3, 23)),
    ("What happened last week?", day(3, 16), day(3, 23)),
    ("What did we do this week?", day(3, 23), day(3, 30)),
    ("What did I do in February?", day(2, 1), day(3, 1)),
    ("What happened in January?", day(1, 1), day(2, 1)),
    ("What did I do in March?", day(3, 1), day(4, 1)),
    ("What did I do last month?", day(2, 1), day(3, 1)),
    ("What have I done since March 20?", day(3, 20), day(4, 1)),
    ("Tell me everything that happened between January 10 and January 20", day(1, 10), day(1, 21)),
    ("What was I doing in December?", day(12, 1, 2025), day(1, 1)),
    ("What have I done since the deploy?", NOW - timedelta(days=10), day(4, 1)),
    ("What happened since the deploy of the billing service?", NOW - timedelta(days=10), day(4, 1)),
    ("What did I do on March 3?", day(3, 3), day(3, 4)),
    ("Anything from the week of February 9?", day(2, 9), day(2, 16)),
    ("What did I do over the last two weeks?", day(3, 11), day(3, 26)),
    ("What did I do over Christmas?", day(12, 25, 2025), day(12, 26, 2025)),
    ("What happened around Christmas?", day(12, 22, 2025), day(12, 29, 2025)),
    ("What did we do after New Year's Day?", day(1, 2), day(4, 1)),
    ("What happened before Christmas?", day(1, 1, 2025), day(12, 25, 2025)),
    ("What happened between Christmas and New Year's Eve?", day(12, 25, 2025), day(1, 1)),
    ("What did I do during the winter?", day(12, 1, 2025), day(3, 1)),
    ("What happened during Q4?", day(10, 1, 2025), day(1, 1)),
    ("What happened after February 10 and before February 20?", day(2, 11), day(2, 20)),
    ("What did we do in the week before Christmas?", day(12, 18, 2025), day(12, 25, 2025)),
    ("What did I do before the deploy?", day(1, 1, 2025), NOW - timedelta(days=10)),
    ("Give me a summary of January", day(1, 1), day(2, 1)),
    ("What did I do a month ago?", day(2, 18), day(3, 5)),
    ("Was habe ich letzte Woche gemacht?", day(3, 16), day(3, 23)),
    ("¿Qué hice la semana pasada?", day(3, 16), day(3, 23)),
    ("Qu'est-ce que j'ai fait en février ?", day(2, 1), day(3, 1)),
    ("上周我做了什么？", day(3, 16), day(3, 23)),
]


@pytest.mark.parametrize(("question", "start", "end"), ASKED)
def test_a_question_about_a_time_gets_what_happened_then(engram, question, start, end):
    hits = engram.recall(question, limit=10)

    inside = [start <= hit.memory.at < end for hit in hits]
    assert hits.hits
    assert all(inside)
    assert hits.assessment == "confident"


def test_at_least_nine_in_ten_of_all_such_hits_are_of_the_time_asked_about(engram):
    judged = [
        start <= hit.memory.at < end
        for question, start, end in ASKED
        for hit in engram.recall(question, limit=10)
    ]

    assert len(judged) > 60
    assert sum(judged) >= 0.9 * len(judged)


def test_most_of_what_happened_then_is_found(engram):
    hits = engram.recall("What did I do last week?", limit=10)

    held = {hit.memory.at.date() for hit in hits}
    assert held >= {day(3, number).date() for number in (17, 19, 21)}


def test_a_time_and_a_thing_ask_for_the_thing_at_the_time(engram):
    best = engram.recall("When did I bake bread in February?")[0].memory

    assert "bread" in best.content
    assert best.at.month == 2


def test_now_can_be_another_day(engram):
    hits = engram.recall("What did I do last week?", now=NOW - timedelta(days=70))

    assert hits.hits
    assert all(day(1, 5) <= hit.memory.at < day(1, 12) for hit in hits)


def test_an_event_that_nothing_tells_of_bounds_no_time(engram):
    assert plan_of(engram, "What did I do since the flood?", NOW).event is not None
    assert engram.recall("What did I do since the flood?").assessment in ("unknown", "uncertain")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did I do last week?", True),
        ("what happened in March", True),
        ("What have I done since the deploy?", True),
        ("Tell me everything that happened yesterday.", True),
        ("What did I bake last week?", False),
        ("Where was I last week?", False),
        ("Who came yesterday?", False),
        ("What did I do after the deploy?", True),
        ("What do I do?", False),
        ("last", False),
    ],
)
def test_only_a_question_that_names_nothing_else_asks_for_a_time(engram, question, expected):
    assert plan_of(engram, question, NOW).asks_for_time is expected


def test_what_was_told_the_day_after_answers_when_nothing_else_does():
    said = [
        {"text": "We went sailing yesterday.", "at": "2026-03-22T10:00:00Z"},
        {"text": "It is a quiet day.", "at": "2026-03-24T10:00:00Z"},
    ]
    with store_of(said, clock=FakeClock(NOW)) as engram:
        assert texts(engram, "What happened on March 21?") == ["We went sailing yesterday."]
        assert texts(engram, "What happened on March 24?") == ["It is a quiet day."]


def test_a_time_at_which_nothing_happened_is_not_filled_with_something_else():
    said = [{"text": "It is a quiet day.", "at": "2026-03-24T10:00:00Z"}]
    with store_of(said, clock=FakeClock(NOW)) as engram:
        assert texts(engram, "What happened in January?") == []
        assert texts(engram, "What happened on March 19?") == []
        assert texts(engram, "What did I do last week?") == []


def test_a_memory_that_names_a_day_of_the_range_lies_in_it_whenever_it_was_said():
    said = [
        {"text": "The choir sings on 14 April 2026.", "at": "2026-03-02T10:00:00Z"},
        {"text": "The choir sang on 14 April 2025.", "at": "2026-03-02T11:00:00Z"},
    ]
    with store_of(said, clock=FakeClock(NOW)) as engram:
        assert texts(engram, "What happens in April 2026?") == [said[0]["text"]]


def test_a_person_named_with_a_time_comes_first():
    said = [
        {"text": f"I did task {i}.", "speaker": ("Ann", "Bob")[i % 2], "session": "talk",
         "at": (NOW - timedelta(days=1, minutes=i)).isoformat()}
        for i in range(8)
    ]  # fmt: skip
    with store_of(said, clock=FakeClock(NOW)) as engram:
        hits = engram.recall("What did Bob do yesterday?")

    assert [hit.memory.speaker for hit in hits][:4] == ["Bob"] * 4


NOON = NOW.replace(hour=12)
TODAY = [
    {"text": "I watered the plants.", "at": "2026-03-25T08:00:00Z"},
    {"text": "We danced.", "at": "2026-03-25T00:30:00Z"},
    {"text": "I fixed the bike this morning.", "at": "2026-03-25T11:55:00Z"},
    {"text": "I cooked soup yesterday evening.", "at": "2026-03-25T08:30:00Z"},
    {"text": "Dinner with Ola tonight at 8.", "at": "2026-03-25T08:30:00Z"},
    {"text": "I am meeting Ben this afternoon.", "at": "2026-03-25T08:30:00Z"},
]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "What did I do this morning?",
            {"I watered the plants.", "I fixed the bike this morning."},
        ),
        ("What did I do last night?", {"We danced.", "I cooked soup yesterday evening."}),
        ("What did I do yesterday evening?", {"I cooked soup yesterday evening."}),
        ("What am I doing this afternoon?", {"I am meeting Ben this afternoon."}),
        ("What am I doing tonight?", {"Dinner with Ola tonight at 8."}),
        ("What happened yesterday?", {"I cooked soup yesterday evening."}),
    ],
)
@pytest.mark.parametrize("settings", [WORDS_ONLY, HASHING], ids=["words", "meaning"])
def test_a_part_of_a_day_is_answered_by_what_was_told_in_it_and_of_it(settings, question, expected):
    with store_of(TODAY, settings=settings, clock=FakeClock(NOON)) as engram:
        hits = engram.recall(question, limit=10)

    assert {hit.memory.content for hit in hits} == expected


def test_a_day_counted_from_when_it_was_told_is_the_day_that_it_came_to():
    said = [
        {"text": "I have a dentist appointment tomorrow.", "at": "2026-03-18T08:00:00Z"},
        {"text": "The boiler gets serviced next week.", "at": "2026-03-18T08:00:00Z"},
        {"text": "I meet the notary on Thursday.", "at": "2026-03-23T08:00:00Z"},
    ]
    with store_of(said, clock=FakeClock(NOW)) as engram:
        assert texts(engram, "What am I doing tomorrow?") == ["I meet the notary on Thursday."]
        assert texts(engram, "What do I have on Friday?") == []
        assert texts(engram, "What did I do last Thursday?") == [said[0]["text"]]
        assert set(texts(engram, "What am I doing this week?")) == {
            said[1]["text"],
            said[2]["text"],
        }


@pytest.mark.parametrize("settings", [WORDS_ONLY, HASHING], ids=["words", "meaning"])
def test_an_old_tomorrow_is_not_the_one_asked_about(settings):
    said = [{"text": "I have a dentist appointment tomorrow.", "at": "2026-03-18T08:00:00Z"}]
    with store_of(said, settings=settings, clock=FakeClock(NOW)) as engram:
        for question in ("What am I doing tomorrow?", "Is my dentist appointment tomorrow?"):
            hits = engram.recall(question)
            assert (list(hits), hits.assessment) == ([], "unknown")
        assert texts(engram, "When is my dentist appointment?")


@pytest.mark.parametrize("settings", [WORDS_ONLY, HASHING], ids=["words", "meaning"])
def test_a_range_in_which_nothing_stands_has_no_answer(settings):
    said = [
        {"text": "I painted the fence.", "at": "2026-02-10T10:00:00Z"},
        {"text": "I went to Rome in January.", "at": "2026-02-18T10:00:00Z"},
    ]
    with store_of(said, settings=settings, clock=FakeClock(NOW)) as engram:
        for time in ("in March", "on February 3", "in December", "last week", "since March 20"):
            hits = engram.recall(f"What did I do {time}?")
            assert (list(hits), hits.assessment) == ([], "unknown")
        assert texts(engram, "What did I do in January?") == [said[1]["text"]]


@pytest.mark.parametrize(
    ("said", "at", "question", "now"),
    [
        ("I moved to Lyon in 2019.", "2026-03-01T10:00:00Z", "What did I do in 2019?", NOW),
        (
            "We fly to Rome for Christmas.", "2025-12-01T10:00:00Z",
            "What did I do over Christmas?", NOW,
        ),
    ],
)  # fmt: skip
def test_what_names_the_time_in_words_that_are_not_looked_up_is_found(said, at, question, now):
    turns = [{"text": said, "at": at}, {"text": "I like tea.", "at": at}]
    with store_of(turns, clock=FakeClock(now)) as engram:
        assert texts(engram, question) == [said]


@pytest.mark.parametrize("settings", [WORDS_ONLY, HASHING], ids=["words", "meaning"])
def test_what_began_on_an_earlier_today_is_an_answer_today(settings):
    said = [{"text": "We switched to Postgres today.", "at": "2026-03-01T08:00:00Z"}]
    with store_of(said, settings=settings, clock=FakeClock(NOW)) as engram:
        assert texts(engram, "Did we switch to Postgres today?") == [said[0]["text"]]
