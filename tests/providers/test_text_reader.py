"""The reader in the package: the same scores alone and among others, a plain error without it."""

import json
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.errors import ReaderUnavailable
from engram.language.segments import segment, word_starts
from engram.providers.text_reader import PACKAGED_FOLDER, TextReader, _windows, packaged_reader

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

    spans = pieces(text)

    assert spans[0][0] == 0
    assert spans[-1][1] == len(text)


def test_what_stands_between_sentences_is_not_fed_to_the_model_with_them():
    tokenizer = packaged_reader()._loaded.value().model.tokenizer
    one, other = "My name is Ida.", "I moved to Bern in March."
    model = SimpleNamespace(tokenizer=tokenizer)

    def windows(between: str) -> int:
        spans = [(0, len(one)), (len(one + between), len(one + between + other))]
        return len(_windows(model, one + between + other, spans))

    assert [windows(each) for each in (" ", "\n- ", "\n12. ", "\n- [x] ")] == [1, 1, 1, 1]
    assert windows("\n```\nvalue = 1\n```\n") == 2
    assert windows("\n> we moved to Basel\n") == 2
    assert windows("\n" + "value = compute(1)\n" * 200) == 2


@given(text=st.text(alphabet="ab I.,!?\n -'é世😀1", max_size=400))
@settings(max_examples=60, deadline=None)
def test_pieces_lie_in_order_begin_at_words_and_cover_every_sentence(text):
    sentences = segment(text).sentences
    begins = {start for start, _ in sentences} | set(word_starts(text, sentences))

    spans = pieces(text)

    assert all(end <= begin for (_, end), (begin, _) in pairwise(spans))
    assert all(start in begins for start, _ in spans)
    covered = {place for start, end in spans for place in range(start, end)}
    assert all(covered.issuperset(range(*each)) for each in sentences)


def test_a_message_without_full_stops_falls_into_the_things_it_says():
    text = "my sister is moving to Leeds in june our dog is called Biscuit and can you call the vet"

    said = [text[start:end].strip() for start, end in pieces(text)]

    assert len(said) > 1
    assert said[0].startswith("my sister")


def pieces(text: str) -> list[tuple[int, int]]:
    """Where the reader cuts a text."""
    sentences = segment(text).sentences
    if not sentences:
        return []
    words = word_starts(text, sentences)
    return packaged_reader().read_turn("user", text, sentences, words).spans


def test_a_folder_without_the_files_is_a_plain_error(tmp_path):
    with pytest.raises(ReaderUnavailable) as caught:
        TextReader(folder=tmp_path).compare(PAIRS)

    assert "reinstall" in caught.value.hint


@pytest.mark.parametrize(
    "missing", ["keep", "relation", "weights", "bias", "labels", "all", "head"]
)
def test_heads_that_are_not_whole_are_a_plain_error(tmp_path, missing):
    heads = json.loads((PACKAGED_FOLDER / "heads.json").read_text("utf-8"))
    if missing in heads:
        del heads[missing]
    elif missing in heads["keep"]:
        del heads["keep"][missing]
    elif missing == "head":
        heads["keep"] = None
    (tmp_path / "heads.json").write_text(json.dumps([] if missing == "all" else heads))
    (tmp_path / "model.onnx").symlink_to(PACKAGED_FOLDER / "model.onnx")

    with pytest.raises(ReaderUnavailable) as caught:
        TextReader(folder=tmp_path).compare(PAIRS)

    assert "reinstall" in caught.value.hint
