"""Questions in languages that the models in the package do not know."""

import pytest

from engram import Engram

READING = {"recall": {"read_answers": True}, "embedder": {"kind": "builtin"}}


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("Die Schwester von Jonas heißt Mia.", "Wie heißt die Mutter von Jonas?"),
        ("La hermana de Jonás se llama Mía.", "¿Cómo se llama la madre de Jonás?"),
        ("La sœur de Jonas s'appelle Mia.", "Comment s'appelle la mère de Jonas ?"),
        ("约纳斯的姐姐叫米娅。", "约纳斯的妈妈叫什么？"),
    ],
)
def test_what_was_not_told_is_not_confident(told: str, asked: str) -> None:
    with Engram.open(":memory:", settings=READING) as engram:
        engram.remember(told, wait=True)
        assert engram.recall(asked).assessment != "confident"


def test_a_question_in_another_language_counts_for_less() -> None:
    with Engram.open(":memory:", settings=READING) as engram:
        engram.remember("Berlin", wait=True)
        english = engram.recall("Berlin, where is it?").confidence
        assert engram.recall("Berlin, wo ist das?").confidence < english
