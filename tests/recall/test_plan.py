"""What a question looks for: its terms, whom it names, and how that person would have said it."""

import pytest
from clock import START
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engram.memory.traits import token_of, traits_of
from engram.recall.plan import PlannedTerm, as_first_person, plan_question
from engram.recall.selection import People, first_name
from recall.stores import plan_of, selection_of, store_of, texts

NOBODY_KNOWN = People({}, {})


def turns(*pairs: tuple[str, str], session: str = "talk") -> list[dict[str, object]]:
    return [{"text": text, "speaker": who, "session": session} for who, text in pairs]


def asked_about(engram, question: str) -> set[str]:
    speakers = selection_of(engram).wordings.speakers
    return {speakers[code] for code in plan_of(engram, question).speakers}


# Terms


def terms(question: str, people: People = NOBODY_KNOWN) -> list[str]:
    return [term.text for term in plan_question(question, people, START).terms]


def test_function_words_are_not_looked_for_unless_nothing_else_is_there():
    assert terms("What is the name of the blue boat?") == ["name", "blue", "boat"]
    assert terms("The Who") == ["The", "Who"]


def test_the_same_word_is_looked_for_once():
    assert terms("boat boats BOAT") == ["boat"]


@pytest.mark.parametrize(
    ("question", "pair"),
    [("Which blue boat?", ("blue", "boat")), ("pottery classes", ("pottery", "class"))],
)
def test_words_side_by_side_are_a_pair(question, pair):
    plan = plan_question(question, NOBODY_KNOWN, START)

    assert plan.pairs == ((token_of(pair[0]), token_of(pair[1])),)


def test_what_is_quoted_is_a_phrase():
    plan = plan_question('Who said "never mind the rain"?', NOBODY_KNOWN, START)

    assert plan.phrases == (tuple(map(token_of, ("never", "mind", "the", "rain"))),)


def test_a_question_without_end_has_few_pairs_and_phrases():
    words = " ".join(f"word{i}" for i in range(500))
    quoted = " ".join(f'"said {i}"' for i in range(500))

    plan = plan_question(f"{words} {quoted}", NOBODY_KNOWN, START)

    assert len(plan.pairs) == 64
    assert len(plan_question(quoted, NOBODY_KNOWN, START).phrases) == 8


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("45-TR-09", True), ("http.rs", True), ("E4012", True), ("4012", True), ("a_b", True),
        ("Mila's", False), ("Mila’s", False), ("boat", False), ("don't", False),
    ],
)  # fmt: skip
def test_an_identifier_is_no_word_of_a_language(term, expected):
    assert PlannedTerm(term, (1,)).is_identifier is expected


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("E4012 means the disk is full", "what does error 4012 mean?"),
        ("Error E 4012 means the disk is full", "E4012"),
        ("def parse_header(line)", "where is parseHeader?"),
        ("parseHeader reads a line", "where is parse_header?"),
        ("the HTTPServer restarts", "http server"),
    ],
)
def test_what_is_written_otherwise_is_found_too(said, question):
    with store_of(["E4013 means the queue is full", "parse footer", said]) as engram:
        assert texts(engram, question)[0] == said


def test_a_question_of_function_words_alone_has_no_content():
    with store_of(["What is the boat?"]) as engram:
        assert not engram._question("what is the").has_content
        assert engram._question("what is the boat").has_content
        assert engram.recall("what is the").assessment == "unknown"


@settings(max_examples=200)
@given(st.text(max_size=30))
def test_any_text_finds_itself(text):
    assume(any(letter.isalnum() for letter in text))
    there = memoryview(traits_of(text).tokens).cast("I").tolist()

    plan = plan_question(text, NOBODY_KNOWN, START)

    assert any(set(term.tokens) <= set(there) for term in plan.terms)


# Whom it names


@pytest.fixture(scope="module")
def talk():
    with store_of(
        turns(("Caroline", "I adopted a cat."), ("Will", "I sold my boat."),
              ("user", "I like tea."), ("Mary Ann Lee", "I paint."))
    ) as engram:  # fmt: skip
        yield engram


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What did Caroline adopt?", {"Caroline"}),
        ("what did caroline adopt", {"Caroline"}),
        ("What is Caroline's cat called?", {"Caroline"}),
        ("What does Mary paint?", {"Mary Ann Lee"}),
        ("What did Caroline sell to Will?", {"Caroline", "Will"}),
        ("What will Caroline do?", {"Caroline"}),
        ("Will it rain?", set()),
        ("What did Will sell?", {"Will"}),
        ("What does the user like?", set()),
        ("What about Bob?", set()),
    ],
)
def test_a_question_names_the_speakers_it_is_about(talk, question, named):
    assert asked_about(talk, question) == named


def test_the_name_of_a_speaker_is_no_word_to_look_for(talk):
    plan = plan_of(talk, "What did Caroline adopt?")

    assert [term.text for term in plan.terms] == ["adopt"]


def test_a_name_alone_is_looked_for(talk):
    assert [term.text for term in plan_of(talk, "Caroline?").terms] == ["Caroline"]


@pytest.mark.parametrize(
    ("speaker", "name"),
    [("Caroline", "caroline"), ("José Luis", "jose"), ("user", None), ("Assistant", None),
     ("x", None), ("  ", None)],
)  # fmt: skip
def test_a_role_or_a_letter_is_no_name(speaker, name):
    assert first_name(speaker) == name


def greeting(caller: str, name: str, count: int, other: str = "Katherine Jones"):
    """A talk in which somebody is greeted by a name so often."""
    for place in range(count):
        yield from turns(
            (caller, f"Hi {name}, how was day {place}?"), (other, f"It was fine, day {place}."),
            session=f"day {place}",
        )  # fmt: skip


def test_a_name_by_which_somebody_is_always_called_is_theirs():
    with store_of(greeting("Tom", "Sparky", 3)) as engram:
        assert asked_about(engram, "What did Sparky do?") == {"Katherine Jones"}


def test_a_name_that_was_used_once_or_twice_is_not_yet_theirs():
    with store_of(greeting("Tom", "Sparky", 2)) as engram:
        assert asked_about(engram, "What did Sparky do?") == set()


def test_a_name_that_means_now_one_and_now_another_is_nobodys():
    said = [*greeting("Tom", "Champ", 2), *greeting("Katherine Jones", "Champ", 2, "Tom")]
    with store_of(said) as engram:
        assert asked_about(engram, "What did Champ do?") == set()


def test_the_beginning_of_a_name_is_a_nickname_once_somebody_was_called_so():
    with store_of(greeting("Tom", "Kath", 1)) as engram:
        assert asked_about(engram, "What did Kath do?") == {"Katherine Jones"}
    with store_of(greeting("Tom", "there", 1)) as engram:
        assert asked_about(engram, "What did Kath do?") == set()


def test_in_a_talk_of_three_nobody_knows_who_is_called():
    said = [
        {**turn, "session": "all"}
        for turn in (*greeting("Tom", "Sparky", 4), *turns(("Ann", "Hello everybody.")))
    ]
    with store_of(said) as engram:
        assert asked_about(engram, "What did Sparky do?") == set()


def test_a_call_by_nobody_in_particular_means_nobody():
    said = list(turns(("Tom", "Good day."), ("Ann", "Good day to you.")))
    said += [{"text": f"Hi Sparky, number {i}", "session": "talk"} for i in range(5)]
    with store_of(said) as engram:
        assert asked_about(engram, "What did Sparky do?") == set()


# As the one asked about would say it


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is Ada's favourite dish?", "What is my favourite dish?"),
        ("Where did Ada move?", "Where did I move?"),
        ("Did Ada tell him about her cat?", "Did I tell me about my cat?"),
        ("What did Ada do by herself?", "What did I do by myself?"),
        ("Where is the adamant man?", "Where is the adamant man?"),
    ],
)
def test_a_question_is_turned_to_the_first_person(question, told):
    assert as_first_person(question, frozenset({"Ada"})) == told


def test_a_question_that_names_nobody_stays_as_it_is():
    assert as_first_person("What did she do?", frozenset()) == "What did she do?"


def test_the_meaning_of_a_question_is_that_of_its_first_person(talk):
    assert plan_of(talk, "Which pet did Caroline adopt?").meaning == "Which pet did I adopt?"


@settings(max_examples=150)
@given(st.text(max_size=200), st.sets(st.text(min_size=1, max_size=8), max_size=3))
def test_any_text_is_planned_without_an_error(text, names):
    people = People({name: frozenset({1}) for name in names}, {})

    plan = plan_question(text, people, START)

    assert plan == plan_question(text, people, START)
    assert isinstance(as_first_person(text, frozenset(names)), str)
