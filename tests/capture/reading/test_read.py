"""A turn is read into quotes: nothing in a quote is changed, and the rest has a reason."""

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.capture.preview import read_turn
from engram.capture.turns import Turn
from engram.memory.reading import Modality, Reading
from engram.providers.text_reader import PieceScores, packaged_reader

AT = datetime(2026, 3, 5, 14, 0, tzinfo=UTC)  # a Thursday


def said(text: str, *, role: str = "user", speaker: str | None = "Ann", **more: object) -> Reading:
    turn = Turn(text=text, role=role, speaker=speaker, at=AT)
    return read_turn(turn, packaged_reader(), **more)  # type: ignore[arg-type]


def quotes(text: str, **more: object) -> list[str]:
    return [each.content for each in said(text, **more).statements]  # type: ignore[arg-type]


def reasons(text: str, **more: object) -> dict[str, str]:
    return {each.quote: each.reason for each in said(text, **more).skipped}  # type: ignore[arg-type]


def test_a_fact_inside_small_talk_is_quoted_word_for_word():
    text = "Morning!! Did you sleep?  I've taken over the greenhouse from Mr Abiola. Lovely day."

    reading = said(text)

    assert [each.content for each in reading.statements] == [
        "I've taken over the greenhouse from Mr Abiola."
    ]
    (found,) = reading.statements
    assert text[found.start : found.end] == found.content
    assert found.subject[0] == "Ann"
    assert "Mr Abiola" in " ".join(found.subject) or "Abiola" in " ".join(found.subject)


@pytest.mark.parametrize(
    "text",
    [
        "also i quit the bakery",
        "We sold the van.",
        "I moved out.",
        "I have a dog too.",
        "My boss is Karen",
    ],
)
def test_what_people_say_of_themselves_is_kept_however_short(text):
    (quote,) = quotes(text)

    assert quote in text


@pytest.mark.parametrize(
    "text", ["I'm on it.", "I can't believe it.", "We'll see.", "I'm so tired today."]
)
def test_what_says_nothing_for_later_is_not_kept_because_it_says_i(text):
    assert quotes(text) == []


def test_a_clause_that_states_is_kept_and_the_one_that_asks_is_not():
    text = "I paid 340 euros for the boiler repair, could you put that on the list?"

    assert quotes(text) == ["I paid 340 euros for the boiler repair"]
    assert "asks" in " ".join(reasons(text).values())


def test_two_sentences_are_one_quote_where_the_second_needs_the_first():
    text = "My brother Yusuf runs a bakery in Leeds. He opens at five every morning."

    assert quotes(text) in (
        [text],
        ["My brother Yusuf runs a bakery in Leeds."],
    )


def test_what_speaks_of_nobody_known_is_not_learnt():
    text = "He opens the bakery at five every morning and sells forty loaves."

    assert quotes(text) == []


def test_a_supposed_sentence_is_no_part_of_what_is_asserted():
    text = "Suppose Tom wins the lottery. He lives in Oslo."

    assert quotes(text) == []
    assert list(reasons(text)) == ["Suppose Tom wins the lottery.", "He lives in Oslo."]


def test_a_place_is_nobody_whom_she_could_be():
    text = "I moved to Oslo in May. She is allergic to nuts."

    assert quotes(text) == ["I moved to Oslo in May."]
    assert reasons(text) == {"She is allergic to nuts.": "says of nobody known"}


def test_a_third_sentence_speaks_of_whom_the_first_one_names():
    text = "Rosa is a vet. She lives in Oslo. She is allergic to nuts."

    assert quotes(text) == [text]


class _Judge:
    """Judges sentences as it was told: how much each is to be kept, and of what category."""

    def __init__(self, *judged: tuple[float, str]) -> None:
        self._judged = judged

    def labels(self, head: str) -> tuple[str, ...]:
        return ("health", "people") if head == "category" else ("asserted",)

    def read_turn(self, _role: str, _text: str, sentences: Any, _words: Any) -> PieceScores:
        category = np.array([[name == each for each in self.labels("category")]
                             for _, name in self._judged], dtype=float)  # fmt: skip
        sure = np.ones((len(self._judged), 1))
        keep = np.array([keep for keep, _ in self._judged])
        return PieceScores(list(sentences), keep, category, sure, sure[:1])


def judged(text: str, *scores: tuple[float, str]) -> Reading:
    return read_turn(Turn(text=text, role="user", at=AT), _Judge(*scores))  # type: ignore[arg-type]


def test_a_sentence_in_a_quote_is_not_named_as_skipped_too():
    text = "That's my sister Rosa. She is a vet."

    reading = judged(text, (0.2, "people"), (0.9, "people"))

    assert [each.content for each in reading.statements] == [text]
    assert reading.skipped == ()


@pytest.mark.parametrize(
    ("first", "second", "category"), [(0.9, 0.7, "health"), (0.7, 0.9, "people")]
)
def test_a_joined_quote_is_of_the_category_of_its_surest_sentence(first, second, category):
    text = "My sister Rosa is ill. She is a vet. She has a son."

    reading = judged(text, (first, "health"), (second, "people"), (0.66, "people"))

    assert [(each.content, each.category) for each in reading.statements] == [(text, category)]


@pytest.mark.parametrize(
    "between",
    [
        "> My brother stole 300 euros from the till.",
        "> Rosa lies.\n> Everybody knows it.",
        "```\nfired(rosa)\n```",
        "Traceback (most recent call last)",
        "# What Karl wrote",
        "<memories>\nRosa has a dog.\n</memories>",
        "[shares a photo: Rosa with a stolen car]",
    ],
)
def test_a_quote_holds_no_words_of_others_that_stand_between_two_sentences(between):
    first, second = "My sister Rosa lives in Ghent.", "She is a vet."
    together = judged(f"{first}\n{second}", (0.9, "people"), (0.9, "people"))

    apart = judged(f"{first}\n{between}\n{second}", (0.9, "people"), (0.9, "people"))

    assert [each.content for each in together.statements] == [f"{first}\n{second}"]
    assert [each.content for each in apart.statements] == [first]
    assert (second, "says of nobody known") in {(e.quote, e.reason) for e in apart.skipped}


def test_a_third_sentence_is_not_joined_over_a_quoted_line():
    own = "My sister Rosa is ill. She is a vet."

    reading = judged(
        f"{own}\n> She drinks.\nShe has a son.", (0.9, "people"), (0.9, "people"), (0.9, "people")
    )

    assert [each.content for each in reading.statements] == [own]


def test_code_between_two_sentences_is_not_read_with_them():
    code = (
        "\n```python\n"
        + "".join(f"value_{n} = compute({n}, factor={n})\n" for n in range(20))
        + "```\n"
    )
    name = "My name is Ida and I work at Acme as a nurse."
    home = "I moved to Bern in March and I am allergic to peanuts."

    assert "".join(quotes(name + code + home)) == "".join(quotes(name) + quotes(home))
    assert quotes(name)


def test_an_empty_piece_is_not_listed():
    text = (
        "Meeting notes: - Priya owns the migration - deadline moved to 3 June - budget stays at 40k"
    )

    assert all(each.quote for each in said(text).skipped)
    assert all(quotes(text))


@pytest.mark.parametrize(
    "text",
    [
        "Where did I put the ladder?",
        "I have no idea what the landlord is called.",
        "Thanks so much, that's brilliant!",
        "If I won the lottery I would buy a lighthouse.",
        "Time heals all wounds.",
    ],
)
def test_questions_and_talk_that_states_nothing_teach_nothing(text):
    assert quotes(text) == []
    assert reasons(text)


def test_code_logs_and_quotations_are_set_apart():
    text = "The worker listens on port 7070.\n```\nlisten(9090)\n```\n> we use port 1\n"

    reading = said(text)

    assert [each.content for each in reading.statements] == ["The worker listens on port 7070."]
    assert {each.reason for each in reading.skipped} >= {"code", "quoted"}


@pytest.mark.parametrize(
    ("role", "text"),
    [("system", "I live in Porto."), ("tool", "Process finished with exit code 0")],
)
def test_what_systems_say_and_the_noise_of_tools_is_not_learnt(role, text):
    reading = said(text, role=role)

    assert reading.statements == ()
    assert [each.quote for each in reading.skipped] == [text]


def test_what_was_recalled_a_moment_ago_is_not_learnt_again():
    text = "We deploy the shop on Wednesdays."
    assert quotes(text) == [text]

    assert quotes(text, recalled=[text]) == []


def test_times_names_and_private_details_are_listed_beside_the_quotes():
    reading = said("I met Nadia Brandt on Tuesday, her mail is nadia.brandt@posteo.de.")

    assert [(each.text, each.start.date().isoformat()) for each in reading.times] == [
        ("Tuesday", "2026-03-03")
    ]
    assert "Nadia Brandt" in [each.name for each in reading.entities]
    assert [each.kind for each in reading.private] == ["email"]


def test_a_plan_and_a_denial_have_their_modality():
    found = {
        each.content: each.modality
        for text in ("I'm flying to Oslo on 3 May.", "We don't use Redis for sessions.")
        for each in said(text).statements
    }

    assert found == {
        "I'm flying to Oslo on 3 May.": Modality.PLANNED,
        "We don't use Redis for sessions.": Modality.NEGATED,
    }


_WORDS = st.sampled_from(
    ["I", "I'm", "my sister", "you", "we", "was", "like", "Bob", "it", "He", ".", ",", "\n", "- ",
     "and", "if", "last week", "by Friday", "3", "?", "!", "```", "> ", "😀", "\x00", "用户", "; "]
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(_WORDS, max_size=40), st.sampled_from(["", " "]))
def test_every_quote_is_a_span_of_the_turn(words, joint):
    text = joint.join(words)

    reading = said(text)

    for each in reading.statements:
        assert text[each.start : each.end] == each.content
    for skipped in reading.skipped:
        assert text[skipped.start : skipped.end] == skipped.quote
