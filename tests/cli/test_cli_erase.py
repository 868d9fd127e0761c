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


@pytest.mark.parametrize("place", ["taken.json", "missing/erased.json"])
def test_where_no_certificate_can_be_written_nothing_is_erased(filled, run, tmp_path, place):
    (tmp_path / "taken.json").write_text("mine", encoding="utf-8")

    refused = run("erase", "mem-0001", "--yes", "--certificate", tmp_path / place, "--json")

    assert refused.error_code == "E4005"
    assert "nothing was erased" in refused.document["error"]["hint"]
    assert len(run("list", "--json").document["memories"]) == 3
    assert (tmp_path / "taken.json").read_text(encoding="utf-8") == "mine"


def test_a_certificate_that_fails_afterwards_does_not_hide_the_erasure(
    filled, run, tmp_path, monkeypatch
):
    monkeypatch.setattr("engram.surfaces.cli.certificates.check_free", lambda _path: None)
    path = tmp_path / "missing" / "erased.json"

    failed = run("erase", "mem-0001", "--yes", "--certificate", path, "--json")

    assert failed.code == 1
    [done] = run("erase", "--list", "--json").document["erasures"]
    assert f"it was erased: {done['state']}" in failed.document["error"]["hint"]
    assert done["id"] in failed.document["error"]["hint"]
    path.parent.mkdir()
    assert run("erase", done["id"], "--list", "--certificate", path).code == 0
    assert run("erase", "--verify", path, "--json").document["is_ours"] is True


def test_who_resumes_reads_what_is_in_the_way_and_gets_the_certificate(filled, run, tmp_path):
    aside = filled / "damaged-1.db"
    aside.write_bytes(b"set aside")
    path = tmp_path / "erased.json"
    run("erase", "--session", "s1", "--yes")

    waiting = run("erase", "--resume", "--certificate", path)
    assert waiting.code == 3
    assert f"{aside.name}: file set aside" in waiting.out
    assert not path.exists()
    aside.unlink()
    assert run("erase", "--resume", "--certificate", path).code == 0

    assert json.loads(path.read_text(encoding="utf-8"))["verdict"] == "proven"
    assert "No erasure is pending." in run("erase", "--resume").out


def test_of_several_erasures_one_is_named(filled, run, tmp_path):
    path = tmp_path / "erased.json"
    first = run("erase", "mem-0001", "--yes", "--json").document["id"]
    run("erase", "mem-0003", "--yes")

    assert run("erase", "--list", "--certificate", path, "--json").error_code == "E4005"
    assert run("erase", first, "--list", "--certificate", path).code == 0

    assert json.loads(path.read_text(encoding="utf-8"))["erasure"] == first


def test_of_whom_there_is_nothing_nothing_is_erased(filled, run):
    refused = run("erase", "--subject", "Nobody", "--yes", "--json")

    assert (refused.code, refused.error_code) == (1, "E2005")
    assert "Nothing is about 'Nobody'" in refused.document["error"]["hint"]
    assert run("erase", "--list", "--json").document["erasures"] == []
