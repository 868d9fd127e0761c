"""Questions in languages that the models in the package do not know."""

import pytest

from engram import Engram
from engram.recall import answers
from engram.recall.weights import load_weights

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


@pytest.mark.parametrize(
    ("asked", "is_other"),
    [
        ("Where does Zoë live in Köln?", False),
        ("Wo wohnt Zoë?", True),
        ("¿Dónde vive Zoë?", True),
        ("Où habite Zoé ?", True),
        ("佐伊住在哪里？", True),
        ("Где живёт Зоя?", True),
    ],
)
def test_a_question_in_another_language_is_known_as_one(asked, is_other, monkeypatch):
    seen = []
    figures = answers.read_figures
    monkeypatch.setattr(
        answers, "read_figures", lambda *given: seen.append(figures(*given)) or seen[-1]
    )
    with Engram.open(":memory:", settings=READING) as engram:
        engram.remember("Zoë lives in Köln.", wait=True)
        engram.recall(asked)

    assert [each["another language"] for each in seen] == [float(is_other)]
    assert load_weights().answer_read({**seen[0], "another language": 1.0}) < (
        load_weights().answer_read({**seen[0], "another language": 0.0})
    )
