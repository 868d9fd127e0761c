"""Reranking by a model of the user's: a small real one, made here and really run."""

import math
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from engram.errors import RerankerUnavailable
from engram.providers.cross_encoder import CrossEncoder

WORDS = ["[UNK]", "[CLS]", "[SEP]", "key", "shed", "soup", "salt", "where", "is", "the"]
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
# What a word in the second text adds to the score, so that the right order is known.
WORTH = np.array([0, 0, 0, 5, 3, -4, -2, 0, 0, 0], dtype=np.float32)


def write_tokenizer(folder: Path) -> None:
    tokenizer = Tokenizer(
        models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))


def write_model(folder: Path, *, columns: int = 1, inputs: tuple[str, ...] = INPUTS) -> None:
    """Adds up the worth of the words whose token type is one."""
    worth = np.zeros((len(WORDS), columns), dtype=np.float32)
    worth[:, -1] = WORTH
    nodes = [
        helper.make_node("Gather", ["worth", "input_ids"], ["each"], axis=0),
        helper.make_node("Mul", ["token_type_ids", "attention_mask"], ["counted"]),
        helper.make_node("Cast", ["counted"], ["share"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["share", "last"], ["column"]),
        helper.make_node("Mul", ["each", "column"], ["weighted"]),
        helper.make_node("ReduceSum", ["weighted", "length"], ["logits"], keepdims=0),
    ]
    graph = helper.make_graph(
        nodes,
        "worth of words",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "s"]) for name in inputs],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["b", columns])],
        [
            numpy_helper.from_array(worth, "worth"),
            numpy_helper.from_array(np.array([2]), "last"),
            numpy_helper.from_array(np.array([1]), "length"),
        ],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(made, folder / "model.onnx")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_tokenizer(tmp_path)
    write_model(tmp_path)
    return tmp_path


def test_texts_are_scored_by_the_model(folder):
    encoder = CrossEncoder(folder)

    scores = encoder.score("where is the key", ["the soup", "the key is the shed", "nothing"])

    assert scores.dtype == np.float32
    assert scores.tolist() == [-4.0, 8.0, 0.0]
    encoder.close()


def test_two_outputs_are_taken_for_no_and_yes(folder):
    write_model(folder, columns=2)

    assert CrossEncoder(folder).score("where", ["key", "salt"]).tolist() == [5.0, -2.0]


def test_a_text_has_the_same_score_alone_and_among_others(folder):
    encoder = CrossEncoder(folder)
    texts = ["key", "key shed " * 40, "", "soup"]

    together = encoder.score("where", texts)

    assert together.tolist() == [encoder.score("where", [each])[0] for each in texts]


@pytest.mark.parametrize("text", ["", "\x00", "\ud800", "key " * 300_000, "語" * 900], ids=len)
def test_any_text_has_a_finite_score(folder, text):
    encoder = CrossEncoder(folder)

    assert math.isfinite(encoder.score("where", [text])[0])
    assert math.isfinite(encoder.score(text, ["key"])[0])


def test_no_texts_have_no_scores(folder):
    assert CrossEncoder(folder).score("where", []).shape == (0,)


def test_nothing_is_loaded_before_the_first_question(folder):
    encoder = CrossEncoder(folder)
    assert not encoder.is_loaded

    encoder.warm()
    encoder.score("where", ["key"])

    assert encoder.is_loaded


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("content", [None, b"", b"{}", b"\x08\x08garbage"])
def test_a_missing_or_broken_file_is_unavailable_with_a_hint(folder, name, content):
    (folder / name).unlink() if content is None else (folder / name).write_bytes(content)

    with pytest.raises(RerankerUnavailable, match=r"model\.onnx and its tokenizer\.json") as raised:
        CrossEncoder(folder).score("a secret question", ["key"])

    assert "secret" not in str(raised.value)


def test_a_model_with_other_inputs_is_unavailable(folder):
    write_model(folder, inputs=(*INPUTS, "pixel_values"))

    with pytest.raises(RerankerUnavailable, match="inputs"):
        CrossEncoder(folder).score("where", ["key"])


def test_a_model_with_other_outputs_is_unavailable(folder):
    write_model(folder, columns=3)

    with pytest.raises(RerankerUnavailable, match="one score"):
        CrossEncoder(folder).score("where", ["key"])


def test_a_model_that_gives_no_number_is_unavailable(folder, monkeypatch):
    monkeypatch.setitem(globals(), "WORTH", WORTH * np.float32("nan"))
    write_model(folder)

    with pytest.raises(RerankerUnavailable, match="one score"):
        CrossEncoder(folder).score("where", ["key"])


def test_a_closed_reranker_is_unavailable(folder):
    encoder = CrossEncoder(folder)
    encoder.close()

    with pytest.raises(RerankerUnavailable):
        encoder.score("where", ["key"])
