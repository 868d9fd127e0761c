"""The reader in the package: the same scores alone and among others, a plain error without it."""

import pytest

from engram.errors import ReaderUnavailable
from engram.providers.text_reader import TextReader, packaged_reader

PAIRS = [
    ("Ann: I live in Turin.", "Ann: We moved to Bari in May."),
    ("Ann: I have a cat.", "Ann: I also got a dog, a big one that sleeps on the sofa all day."),
    ("The gate code is 4711.", "Lunch was great."),
]


def test_pairs_read_together_score_as_each_does_alone():
    reader = packaged_reader()

    together = reader.compare(PAIRS)

    for pair, scores in zip(PAIRS, together, strict=True):
        (alone,) = reader.compare([pair])
        assert scores == pytest.approx(alone, abs=1e-5)
        assert sum(scores.values()) == pytest.approx(1.0)


def test_a_changed_home_is_told_from_one_more_pet_and_from_small_talk():
    replaces, adds, unrelated = packaged_reader().compare(PAIRS)

    assert max(replaces, key=replaces.__getitem__) == "replaces"
    assert max(adds, key=adds.__getitem__) == "adds"
    assert max(unrelated, key=unrelated.__getitem__) == "unrelated"


def test_nothing_is_read_where_nothing_is_given():
    assert packaged_reader().compare([]) == []


def test_a_long_turn_is_read_in_windows():
    text = " ".join(f"The ferry number {n} leaves from pier {n}." for n in range(200))
    spans = [(place, place + 20) for place in range(0, len(text) - 20, 40)]

    scores = packaged_reader().read_clauses("user", text, spans)

    assert len(scores.keep) == len(spans)


def test_a_folder_without_the_files_is_a_plain_error(tmp_path):
    with pytest.raises(ReaderUnavailable) as caught:
        TextReader(folder=tmp_path).compare(PAIRS)

    assert "reinstall" in caught.value.hint
