"""Where sentences end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.language.sentences import LONGEST_SENTENCE, split_sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two.", ["One.", "Two."]),
        ("Dr. Weber called. She is late.", ["Dr. Weber called.", "She is late."]),
        ("We meet at 5 p.m. today.", ["We meet at 5 p.m. today."]),
        ("We meet at 5 p.m. The room is free.", ["We meet at 5 p.m.", "The room is free."]),
        ("It weighs 3.5 kg. Heavy!", ["It weighs 3.5 kg.", "Heavy!"]),
        ("See http://a.org/b.c?d=e. Reply.", ["See http://a.org/b.c?d=e.", "Reply."]),
        ("Well... maybe later.", ["Well... maybe later."]),
        ("I waited... Nobody came.", ["I waited...", "Nobody came."]),
        ("Really?! Yes!", ["Really?!", "Yes!"]),
        ("I won 🎉 Now I rest.", ["I won 🎉", "Now I rest."]),
        ("J. Novak wrote it.", ["J. Novak wrote it."]),
        ("Use e.g. a lamp. Done.", ["Use e.g. a lamp.", "Done."]),
        ("First line\nSecond line", ["First line", "Second line"]),
        ("He said \"no.\" Then he left.", ['He said "no."', "Then he left."]),
        ("version 2.0.1 is out. Get it.", ["version 2.0.1 is out.", "Get it."]),
        ("The host is 10.0.0.1. It is up.", ["The host is 10.0.0.1.", "It is up."]),
        ("", []),
        ("   ", []),
    ],
)  # fmt: skip
def test_a_text_is_cut_where_its_sentences_end(text, expected):
    assert [sentence.text for sentence in split_sentences(text)] == expected


@given(st.text(alphabet="aB.!? \n,😀1'\"", max_size=300))
def test_every_sentence_stands_at_its_place_and_nothing_is_lost(text):
    sentences = split_sentences(text)

    assert all(text[each.start : each.end] == each.text for each in sentences)
    assert "".join("".join(each.text.split()) for each in sentences) == "".join(text.split())


def test_a_sentence_without_end_is_cut_into_pieces():
    sentences = split_sentences("word " * 500)

    assert len(sentences) > 3
    assert max(len(each.text) for each in sentences) <= LONGEST_SENTENCE
