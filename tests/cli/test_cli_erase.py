"""`engram erase`: counted, confirmed, proven; its exit codes and its certificate."""

import json

import pytest

from engram import Engram


@pytest.fixture
def filled(store):
    with Engram.open(store) as engram:
        engram.remember("Ada sings.", subject="Ada")
        engram.remember("Ada paints.", subject="Ada", session="s1")
        engram.remember("Bo sails.", subject="Bo")
    return store


def test_a_person_is_counted_confirmed_and_erased(filled, run):
    would = run("erase", "--subject", "Ada", "--dry-run", "--json")
    unconfirmed = run("erase", "--subject", "Ada", "--json")
    done = run("erase", "--subject", "ada", "--yes", "--json")

    assert would.document["memories"] == 2
    assert would.document["state"] == "preview"
    assert unconfirmed.code == 2
    assert done.code == 0
    assert done.document["state"] == "proven"
    assert done.document["memories"] == 2
    assert [each["content"] for each in run("list", "--json").document["memories"]] == ["Bo sails."]


def test_the_certificate_is_written_and_can_be_checked(filled, run, tmp_path):
    path = tmp_path / "erased.json"

    run("erase", "mem-0001", "--yes", "--certificate", str(path))

    assert run("erase", "--verify", str(path), "--json").document["is_ours"] is True
    forged = json.loads(path.read_text())
    forged["verdict"] = "pending"
    path.write_text(json.dumps(forged))
    assert run("erase", "--verify", str(path), "--json").code == 1
    path.write_text("{}")
    assert run("erase", "--verify", str(path), "--json").error_code == "E2019"


def test_what_is_pending_exits_with_three_and_can_be_resumed(filled, run):
    aside = filled / "damaged-20260303T090000Z-engram.db"
    aside.write_bytes(b"set aside")

    done = run("erase", "--session", "s1", "--yes", "--json")

    assert done.code == 3
    assert done.document["remains"] == [{"place": aside.name, "what": "file set aside"}]
    assert run("erase", "--resume", "--json").code == 3
    aside.unlink()
    assert run("erase", "--resume", "--json").code == 0
    listed = run("erase", "--list", "--json").document["erasures"]
    assert [each["state"] for each in listed] == ["proven"]


def test_people_read_what_became_of_it(filled, run):
    shown = run("erase", "mem-0001", "--yes")

    assert "Erased 1 memory. Proven" in shown.out
    assert "sings" not in shown.out + shown.err


def test_an_undo_says_that_nothing_brings_it_back(filled, run):
    done = run("erase", "mem-0001", "--yes", "--json")

    assert run("undo", done.document["change_id"], "--json").error_code == "E2018"
    assert run("erase", "mem-0001", "--yes", "--json").error_code == "E2005"
    assert run("erase", "--yes", "--json").error_code == "E4005"
