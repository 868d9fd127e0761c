"""Summaries by extraction: good sentences of the sources, and nothing else."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.memory.dreams.summaries import (
    Weighed,
    background_of,
    best_sentences,
    is_standing,
    label_for,
    summary,
)
from engram.memory.tokens.estimate import tokens_in

POTTERY = [
    Weighed("Mara rents a workshop in Ghent. She likes it there.", 1.0, 1),
    Weighed("Mara moved her pottery class to Thursday evenings.", 1.0, 2),
    Weighed("The pottery class of Mara meets at the Ghent workshop.", 0.8, 3),
    Weighed("Have you tried pottery? Thanks!", 1.0, 4),
    Weighed("Mara teaches pottery in Ghent twice a week.", 1.0, 5),
]


def texts(*sentences: str) -> list[Weighed]:
    return [Weighed(each) for each in sentences]


def picked(sources: list[Weighed], most: int = 10) -> list[str]:
    return [each.text for each in best_sentences(sources, most=most)]


class TestTheBestSentences:
    def test_the_most_shared_words_make_the_first_sentence(self) -> None:
        best = best_sentences(POTTERY, most=1)[0]

        assert best.text == "Mara teaches pottery in Ghent twice a week."
        assert best.number == 5

    def test_a_weightier_source_goes_before_an_equal_one(self) -> None:
        even = "The staging server restarts at {}."
        sources = [Weighed(even.format("midnight"), 0.2, 1), Weighed(even.format("noon"), 0.9, 2)]

        assert best_sentences(sources, most=1)[0].number == 2

    def test_every_sentence_stands_word_for_word_in_its_source(self) -> None:
        by_number = {each.number: each.text for each in POTTERY}

        for each in best_sentences(POTTERY, most=10):
            assert each.text in by_number[each.number]

    @pytest.mark.parametrize(
        "unfit",
        [
            "Does the harbour office open on Sunday?",
            "Thanks for the harbour office keys!",
            "Harbour office",
            "The harbour office list:",
            "The harbour office and the other…",
            "| harbour | office | keys |",
            "- - -",
        ],
    )
    def test_questions_courtesies_fragments_and_tables_are_left_out(self, unfit: str) -> None:
        assert picked(texts(unfit)) == []

    def test_a_sentence_that_leans_on_another_comes_last(self) -> None:
        sources = texts(
            "But the harbour office needs the harbour keys.", "The harbour office opens late."
        )

        assert picked(sources)[0] == "The harbour office opens late."
        assert not is_standing("But the harbour office needs the harbour keys.")

    def test_it_still_comes_when_nothing_else_is_there(self) -> None:
        assert picked(texts("She keeps the harbour office keys.")) == [
            "She keeps the harbour office keys."
        ]

    @pytest.mark.parametrize("opening", ["No", "Please", "Nice", "Hi-fi", "So-called"])
    def test_a_plain_word_at_the_beginning_is_no_courtesy(self, opening: str) -> None:
        assert is_standing(f"{opening} dealers deliver to the harbour office on Friday.")

    def test_the_same_statement_in_other_words_comes_once(self) -> None:
        sources = texts("Mara's favourite colour is green.", "mara's favorite color is green")

        assert len(picked(sources)) == 1

    @pytest.mark.parametrize(
        "other",
        [
            "Mara does not teach pottery in Ghent twice a week.",
            "Mara teaches pottery in Ghent three times a week.",
            "Noor teaches pottery in Ghent twice a week.",
        ],
    )
    def test_what_differs_in_a_negation_number_or_name_is_not_the_same(self, other: str) -> None:
        sources = texts("Mara teaches pottery in Ghent twice a week.", other)

        assert sorted(picked(sources)) == sorted(each.text for each in sources)

    def test_what_is_told_makes_room_for_something_else(self) -> None:
        sources = texts(
            "The greenhouse pump runs at dawn.",
            "The greenhouse pump runs at dusk too.",
            "The greenhouse pump runs at noon on Sundays.",
            "Tomatoes ripen in August.",
            "Tomatoes ripen late when the nights are cold.",
        )

        assert {each.split()[0] for each in picked(sources, most=2)} == {"The", "Tomatoes"}

    def test_scripts_without_spaces_have_sentences_too(self) -> None:
        assert picked(texts("東京は日本の首都です。人口は多いです。")) == [
            "東京は日本の首都です。",
            "人口は多いです。",
        ]

    def test_nothing_of_nothing(self) -> None:
        assert best_sentences([], most=5) == ()
        assert best_sentences(POTTERY, most=0) == ()

    def test_ten_thousand_texts_take_no_more_than_a_few_seconds(self) -> None:
        sources = [
            Weighed(f"Sensor {n % 97} of hall {n % 13} reports {n} units to room {n % 7}.", 1.0, n)
            for n in range(10_000)
        ]

        began = time.perf_counter()
        found = best_sentences(sources, most=20)

        assert len(found) == 20
        assert time.perf_counter() - began < 5.0  # 0.7 s on two cores


class TestSummaries:
    def test_it_keeps_the_order_of_the_sources_behind_its_lead(self) -> None:
        text = summary(POTTERY, most_tokens=40, lead="Mara:")

        assert text == (
            "Mara:\nMara rents a workshop in Ghent.\nMara moved her pottery class to Thursday"
            " evenings.\nMara teaches pottery in Ghent twice a week."
        )

    def test_sentences_without_a_stop_are_quoted_line_by_line(self) -> None:
        sources = texts("Mara prefers stoneware clay", "Mara glazes her clay in winter")

        assert summary(sources, most_tokens=100) == (
            "Mara prefers stoneware clay\nMara glazes her clay in winter"
        )

    def test_without_a_good_sentence_there_is_no_summary(self) -> None:
        assert summary(texts("Why?", "ok"), most_tokens=100, lead="Mara:") == ""

    @given(
        st.lists(st.text(max_size=80), max_size=8),
        st.integers(min_value=1, max_value=60),
    )
    @settings(max_examples=60, deadline=None)
    def test_it_is_never_longer_than_allowed_and_never_invents(
        self, contents: list[str], most: int
    ) -> None:
        sources = texts(*contents)

        text = summary(sources, most_tokens=most)

        assert tokens_in(text) <= most
        assert summary(sources, most_tokens=most) == text
        # A stop before a capital ends a sentence, with a blank behind it or not.
        said, given = (re.split(r"[\s.!?…。！？]+", each) for each in (text, " ".join(contents)))
        assert set(said) <= {*given, ""}


class TestLabels:
    def test_a_label_has_what_is_frequent_here_and_rare_elsewhere(self) -> None:
        ours = [each.text for each in POTTERY]
        others = ["Mara likes tea.", "Mara walks to work.", "Mara called her sister."] * 20

        label = label_for(ours, background_of([*ours, *others]))

        assert "pottery" in label
        assert "Ghent" in label
        assert "Mara" not in label

    def test_words_that_stand_side_by_side_stay_together(self) -> None:
        ours = ["The harbour office opens at nine.", "Keys of the harbour office hang upstairs."]

        assert label_for(ours, background_of(["Tea is hot."] * 9 + ours)) == "harbour office"

    def test_it_has_four_words_at_most(self) -> None:
        ours = ["Blue stoneware bowls dry slowly near kilns."] * 3

        label = label_for(ours, background_of(ours))

        assert 2 <= len(label.replace(",", "").split()) <= 4

    def test_texts_that_share_nothing_have_no_label(self) -> None:
        ours = ["Trains leave at dawn.", "Cats sleep indoors."]

        assert label_for(ours, background_of(ours)) == ""
