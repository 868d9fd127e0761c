"""What a turn says, told so that it stands alone."""

import pytest

from engram.capture.reading.turns import Turn
from tests.capture.reading.talk import AT, from_user, only, read_turn, said, texts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm busy with my exams.", "Ann is busy with Ann's exams."),
        ("I am a nurse.", "Ann is a nurse."),
        ("I'll remind you on request.", "Ann will remind Bob on request."),
        ("I booked you a room.", "Ann booked Bob a room."),
        ("I'm Ann and I work in Oslo.", "Ann works in Oslo."),
        ("I was tired of waiting.", "Ann was tired of waiting."),
        ("I've been living in Oslo.", "Ann has been living in Oslo."),
        ("I have two cats.", "Ann has two cats."),
        ("I don't eat meat.", "Ann doesn't eat meat."),
        ("I haven't seen the film.", "Ann hasn't seen the film."),
        ("I'll water the plants.", "Ann will water the plants."),
        ("I'd rather take the train.", "Ann would rather take the train."),
        ("I'd been ill for a month.", "Ann had been ill for a month."),
        ("I can play the cello.", "Ann can play the cello."),
        ("I work at a bakery.", "Ann works at a bakery."),
        ("I study law.", "Ann studies law."),
        ("I teach chemistry.", "Ann teaches chemistry."),
        ("I go to the gym.", "Ann goes to the gym."),
        ("I play the flute.", "Ann plays the flute."),
        ("I usually walk to the office.", "Ann usually walks to the office."),
        ("I need a quiet desk.", "Ann needs a quiet desk."),
        ("I painted the fence.", "Ann painted the fence."),
        ("I read three novels yesterday.", "Ann read three novels on 2023-05-24."),
        ("I read a novel every week.", "Ann reads a novel every week."),
        ("I love tea and hate coffee.", "Ann loves tea and hates coffee."),
        ("I love to swim and run.", "Ann loves to swim and run."),
        ("My brother gave me a lamp.", "Ann's brother gave Ann a lamp."),
        ("I built the shed for myself.", "Ann built the shed for themselves."),
        ("The blue bicycle is mine.", "The blue bicycle is Ann's."),
        ("We bought a boat.", "Ann and others bought a boat."),
        ("Our garden has four apple trees.", "Ann's garden has four apple trees."),
        ("I know you live in Rome.", "Ann knows Bob lives in Rome."),
        ("I borrowed your ladder.", "Ann borrowed Bob's ladder."),
        ("I painted it for you.", "Ann painted it for Bob."),
        ("Learning the harp these days.", "Ann is learning the harp these days."),
        ("Gonna repaint the kitchen.", "Ann is going to repaint the kitchen."),
        ("Decided on oak for the table.", "Ann decided on oak for the table."),
        ("Just signed up for a pottery course.", "Ann just signed up for a pottery course."),
        ("Cooking is my way to unwind.", "Cooking is Ann's way to unwind."),
        ("I’m allergic to pollen.", "Ann is allergic to pollen."),
    ],
)
def test_the_first_and_second_person_get_their_names(text, expected):
    assert texts(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Porto.", "The user lives in Porto."),
        ("My dog is called Rex.", "The user's dog is called Rex."),
        ("You gave me the wrong port.", "The assistant gave the user the wrong port."),
    ],
)
def test_without_names_it_is_the_user_and_the_assistant(text, expected):
    assert [each.text for each in from_user(text).propositions] == [expected]


def test_who_else_is_in_the_talk_is_not_guessed_among_three():
    before = [Turn(text="Hm.", speaker=name, at=AT) for name in ("Bob", "Cem")]

    reading = read_turn(Turn(text="I like your garden gate.", speaker="Ann", at=AT), before)

    assert [each.text for each in reading.propositions] == ["Ann likes your garden gate."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I ran a race last Saturday.", "Ann ran a race on 2023-05-20."),
        ("I moved here last year.", "Ann moved here in 2022."),
        ("I moved to Oslo three years ago.", "Ann moved to Oslo in 2020."),
        ("I started a course last month.", "Ann started a course in April 2023."),
        ("I met Kim on Monday.", "Ann met Kim on 2023-05-22."),
        ("I leave tomorrow.", "Ann leaves on 2023-05-26."),
        ("My flight leaves on April 3.", "Ann's flight leaves on 2024-04-03."),
        ("The cutover was moved to July 5.", "The cutover was moved to 2023-07-05."),
        ("I met Kim in April.", "Ann met Kim in April 2023."),
        ("My birthday is on April 3.", "Ann's birthday is on April 3."),
        ("I will visit Rome next month.", "Ann will visit Rome in June 2023."),
        ("I visited the museum this morning.", "Ann visited the museum on 2023-05-25 in the"
                                               " morning."),
        ("I was in Lima in March 2019.", "Ann was in Lima in March 2019."),
        ("I paint in the morning.", "Ann paints in the morning."),
        ("I've had the shop since March.", "Ann has had the shop since March 2023."),
        ("I have worked there for 5 years.", "Ann has worked there for 5 years."),
        ("Yesterday I sold the van.", "On 2023-05-24 Ann sold the van."),
        ("I prepared tomorrow's demo.", "Ann prepared the 2023-05-26 demo."),
    ],
)  # fmt: skip
def test_relative_dates_become_absolute_and_coarse_ones_stay_coarse(text, expected):
    assert texts(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My rowing day is Sunday.", "Ann's rowing day is Sunday."),
        ("My rowing day is now Sunday.", "Ann's rowing day is now Sunday."),
        ("My rowing day is Sunday now.", "Ann's rowing day is Sunday now."),
        ("We moved the market day to Monday.", "Ann and others moved the market day to Monday."),
        ("We meet on Mondays.", "Ann and others meet on Mondays."),
        ("The shop is closed every Monday.", "The shop is closed every Monday."),
        ("The band usually meets on Monday.", "The band usually meets on Monday."),
        ("The weekly review is on Monday.", "The weekly review is on Monday."),
        ("We moved the retro to Mondays.", "Ann and others moved the retro to Mondays."),
        # And these are dates, as before.
        ("I saw Kim on Monday.", "Ann saw Kim on 2023-05-22."),
        ("The review is on Monday.", "The review is on 2023-05-22."),
        ("My wedding day is Saturday.", "Ann's wedding day is on 2023-05-20."),
        ("The review was moved to Monday.", "The review was moved to 2023-05-29."),
    ],
)
def test_the_weekday_of_a_habit_is_no_date(text, expected):
    assert texts(text) == [expected]


def test_days_are_those_of_the_speakers_zone():
    at = AT.fromisoformat("2023-05-25T00:30:00+09:00")

    reading = read_turn(Turn(text="I sold the van yesterday.", speaker="Ann", at=at))

    assert reading.propositions[0].text == "Ann sold the van on 2023-05-24."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My mother is a nurse. She works in Lyon.",
         ["Ann's mother is a nurse.", "Ann's mother works in Lyon."]),
        ("I met Tom at work. He plays chess.", ["Ann met Tom at work.", "Tom plays chess."]),
        ("My sister Kate is a vet. She has two horses.",
         ["Ann's sister Kate is a vet.", "Kate has two horses."]),
        ("My kids love nature. They've been asking for a pony.",
         ["Ann's kids love nature.", "Ann's kids have been asking for a pony."]),
        ("I bought a kayak. It is red and 4.5 m long.",
         ["Ann bought a kayak.", "The kayak is red and 4.5 m long."]),
        ("Tom and Jim came over. He plays chess.", ["Tom and Jim came over; he plays chess."]),
        ("My father is a cook. She lives in Bonn.", ["Ann's father is a cook; she lives in Bonn."]),
    ],
)  # fmt: skip
def test_a_pronoun_is_resolved_only_when_one_thing_can_be_meant(text, expected):
    assert texts(text) == expected


def test_a_pronoun_is_resolved_from_the_turn_before():
    assert texts("She lives in Turin.", before="My aunt is a pilot.") == [
        "Bob's aunt lives in Turin."
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I use Rust for the backend and React for the frontend.",
         ["Ann uses Rust for the backend.", "Ann uses React for the frontend."]),
        ("I speak Thai with my wife, Dutch with my kids and English with clients.",
         ["Ann speaks Thai with Ann's wife.", "Ann speaks Dutch with Ann's kids.",
          "Ann speaks English with clients."]),
        ("I play chess on Sundays and I collect old maps.",
         ["Ann plays chess on Sundays.", "Ann collects old maps."]),
        ("I like rain but I hate wind.", ["Ann likes rain.", "Ann hates wind."]),
        ("I know that Kim left and I stayed there.", ["Ann knows that Kim left and Ann stayed"
                                                      " there."]),
        ("My hobbies are:\n- chess\n- fencing", ["Ann's hobbies are: chess.", "Ann's hobbies are:"
                                                                              " fencing."]),
        ("1. I sold the van.\n2. I bought a tram ticket.",
         ["Ann sold the van.", "Ann bought a tram ticket."]),
        ("I like salt and pepper on my eggs.", ["Ann likes salt and pepper on Ann's eggs."]),
    ],
)  # fmt: skip
def test_parallel_statements_come_apart_and_others_stay_whole(text, expected):
    assert texts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yep, Bob. I repaired the roof.", ["Ann repaired the roof."]),
        ("Hey Bob! I repaired the roof.", ["Ann repaired the roof."]),
        ("Well, I repaired the roof, Bob!", ["Ann repaired the roof!"]),
        ("So I repaired the roof.", ["Ann repaired the roof."]),
        ("Thanks, Bob! I repaired the roof.", ["Ann repaired the roof."]),
        ("I bought a tandem - pretty cool, huh?", ["Ann bought a tandem."]),
    ],
)
def test_calls_and_interjections_are_cut(text, expected):
    assert texts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "I run Debian 12 on my laptop, can you help me upgrade?",
            ["Ann runs Debian 12 on Ann's laptop."],
        ),
        ("I planted six pear trees but how do I prune them?", ["Ann planted six pear trees."]),
        ("I wonder, can you help?", []),
        ("Can you help me, since I run Debian?", []),
    ],
)
def test_what_is_told_before_a_question_is_kept(text, expected):
    assert texts(text) == expected


@pytest.mark.parametrize(
    "kept",
    ["192.168.7.1", "$1,250.75", "3.5 kg", "v2.0.1", "C++", "ann@example.org", "12:30", "75%"],
)
def test_figures_names_and_units_stay_to_the_letter(kept):
    assert kept in only(f"The value of the sample setting is {kept} here.").text


def test_conditions_and_negations_are_kept_and_told():
    condition = only("If it rains, I take the bus.")
    negation = only("I don't own a car.")

    assert (condition.text, condition.is_conditional) == ("If it rains, Ann takes the bus.", True)
    assert (negation.is_negated, negation.is_conditional) == (True, False)
    assert not only("I own a car.").is_negated


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I work at Acme.", ("Ann", "works at", "Acme")),
        ("I will send the draft to Kim.", ("Ann", "will send", "the draft to Kim")),
        ("My salary is $90,000.", ("Ann's salary", "is", "$90,000")),
        ("The staging host is 10.0.0.7.", ("The staging host", "is", "10.0.0.7")),
        ("Last year I moved to Bern.", ("Ann", "moved to", "Bern")),
        ("Always answer in French.", (None, None, None)),
    ],
)
def test_subject_predicate_and_object_are_given_where_the_sentence_has_them(text, expected):
    found = only(text)

    assert (found.subject, found.predicate, found.object) == expected


def test_a_statement_points_to_its_words_in_the_turn():
    text = "Hi Bob!  I moved to Porto.\n\n- I sold my old van."

    for found in said(text).propositions:
        assert text[slice(*found.place)] == found.source


def test_two_statements_joined_point_to_both_sentences():
    text = "I joined a choir. It feels like a holiday to me and my sister."

    found = only(text)

    assert found.text == "Ann joined a choir; it feels like a holiday to Ann and Ann's sister."
    assert found.source == text


def test_the_same_statement_made_twice_in_a_turn_is_one():
    assert texts("I moved to Porto. Yes, I moved to Porto!") == ["Ann moved to Porto."]


def test_a_repr_holds_no_words_of_the_turn():
    reading = said("I moved to Porto. How are you?")

    assert "Porto" not in repr(reading)
    assert "How" not in repr(reading)
