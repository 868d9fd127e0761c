"""Reading a folder of conversations: what is right is read, what is wrong is refused by name."""

import copy
import json

import pytest

from engram.errors import InvalidInput
from engram.evaluation.conversations import LostEvidence, load_sets, read_conversation
from evaluation.material import TURNS, conversation, write


def _broken(path: list[object], value: object) -> dict[str, object]:
    content = copy.deepcopy(conversation())
    place = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return content


@pytest.mark.parametrize("inner", ["", "retrieval/"])
def test_sets_are_found_directly_or_in_the_inner_folder(tmp_path, inner):
    write(tmp_path, f"{inner}harbour/a", conversation())
    write(tmp_path, f"{inner}mill/b", conversation())
    (tmp_path / inner / "empty").mkdir()

    sets = load_sets(tmp_path)

    assert [each.name for each in sets] == ["harbour", "mill"]
    assert sets[0].turns == len(TURNS)


def test_sets_and_files_can_be_chosen(tmp_path):
    for name in ("harbour/a", "harbour/b", "mill/c"):
        write(tmp_path, name, conversation(id=name))

    chosen = load_sets(tmp_path, ["harbour"], limit_files=1)

    assert [[each.name for each in group.conversations] for group in chosen] == [["harbour/a"]]


def test_what_cannot_be_chosen_is_said(tmp_path):
    write(tmp_path, "harbour/a", conversation())

    with pytest.raises(InvalidInput, match="there are: harbour"):
        load_sets(tmp_path, ["lighthouse"])
    with pytest.raises(InvalidInput, match="At least one file"):
        load_sets(tmp_path, limit_files=0)
    with pytest.raises(InvalidInput, match="is not a folder"):
        load_sets(tmp_path / "nothing")
    with pytest.raises(InvalidInput, match="holds no sets"):
        load_sets(tmp_path / "harbour")


def test_a_question_about_what_was_never_said_is_not_scored(tmp_path):
    content = conversation()
    content["questions"][4]["answerable"] = True

    questions = read_conversation(write(tmp_path, "harbour/a", content)).questions

    scored = {each.id for each in questions if each.is_scored}
    assert scored == {"q1", "q2", "q3", "q4"}
    assert [each.id for each in questions if not each.is_answerable] == ["q5"]


def test_evidence_that_is_no_turn_is_named_by_file_and_question_and_left_out(tmp_path):
    content = _broken(["questions", 0, "evidence"], ["t2", "t99"])
    content["questions"][3]["evidence"] = ["t98", "t97"]

    read = read_conversation(write(tmp_path, "harbour/a", content))

    assert read.lost_evidence == (
        LostEvidence("harbour/a.json", "q1", 1, is_scored=True),
        LostEvidence("harbour/a.json", "q4", 2, is_scored=False),
    )
    assert read.questions[0].evidence == {"t2"}
    assert not read.questions[3].is_scored


def test_a_file_whose_evidence_never_names_a_turn_is_refused_before_anything_runs(tmp_path):
    content = json.loads(json.dumps(conversation()))
    for question in content["questions"]:
        question["evidence"] = [f"elsewhere-{each}" for each in question["evidence"]]
    write(tmp_path, "harbour/wrong", content)

    with pytest.raises(InvalidInput) as caught:
        load_sets(tmp_path)

    assert "harbour/wrong.json" in caught.value.hint
    assert "q1" in caught.value.hint
    assert "elsewhere" not in caught.value.hint


SECRET = "whispered words"


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        (["turns", 2, "text"], None, "turns[2]: `text`"),
        (["turns", 2, "text"], [SECRET], "turns[2]: `text`"),
        (["turns", 0, "at"], SECRET, "turns[0]: `at`"),
        (["turns", 0, "at"], "2025-03-01T10:00:00", "turns[0]: `at`"),
        (["turns", 1, "id"], 7, "turns[1]: `id`"),
        (["turns", 1, "id"], "t1", "the same `id`"),
        (["turns", 1], SECRET, "turns[1]: it is not an object"),
        (["turns"], {}, "`turns` is not a list"),
        (["turns"], [], "`turns` is empty"),
        (["questions"], None, "`questions` is not a list"),
        (["questions", 3, "question"], None, "questions[3]: `question`"),
        (["questions", 3, "evidence"], SECRET, "questions[3]: `evidence`"),
        (["questions", 3, "stale"], [1], "questions[3]: `stale`"),
        (["questions", 3, "answerable"], SECRET, "questions[3]: `answerable`"),
    ],
)
def test_a_malformed_file_names_itself_and_the_place(tmp_path, path, value, named):
    write(tmp_path, "harbour/right", conversation())
    write(tmp_path, "harbour/wrong", _broken(path, value))

    with pytest.raises(InvalidInput) as caught:
        load_sets(tmp_path)

    assert "harbour/wrong.json" in caught.value.hint
    assert named in caught.value.hint
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[1]", b'"text"', b"\xff\xfe\x00", b"[" * 100_000, b"NaN"]
)
def test_a_file_that_is_no_conversation_is_refused(tmp_path, content):
    write(tmp_path, "harbour/a", conversation()).write_bytes(content)

    with pytest.raises(InvalidInput, match=r"harbour/a\.json"):
        load_sets(tmp_path)


def test_what_may_be_missing_may_be_missing(tmp_path):
    content = json.loads(json.dumps(conversation()))
    for turn in content["turns"]:
        del turn["session"], turn["speaker"], turn["role"]
    for question in content["questions"]:
        del question["stale"], question["answerable"], question["category"]
    del content["id"]

    read = read_conversation(write(tmp_path, "harbour/a", content))

    assert read.name == "a"
    assert read.turns[0].speaker is None
    assert {each.category for each in read.questions} == {"other"}
