"""What an export holds, who may make one, and what it leaves behind."""

import io
import os
import stat
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram import Engram, Scope
from engram.errors import AccessDenied, ExportRefused, InvalidInput
from engram.memory.scopes import Principal
from engram.sharing import age
from engram.sharing.exporting import export as exporting
from engram.sharing.exporting.records import padded_size, padding
from engram.sharing.exporting.target import Target

from .reading import QUICK, read_lines

CANARY = "canary-7f31c"


def exported(store: Engram, path: Path, **options: object) -> list[dict[str, object]]:
    store.export(path, format="jsonl", plaintext=True, **options)
    return list(read_lines(path))


def memories(records: list[dict[str, object]]) -> list[dict[str, object]]:
    return [each for each in records if each.get("kind") == "memory"]


def test_an_export_holds_every_state_with_where_it_is_from(store, tmp_path, clock):
    memory = store.remember("Ada lives in Lyon.", subject="Ada", source="user:chat").memory
    clock.advance(days=1)
    store.revise(memory.id, "Ada lives in Porto.", reason="she moved")

    records = exported(store, tmp_path / "out.jsonl")

    first, second = memories(records)
    assert [first["text"], second["text"]] == ["Ada lives in Lyon.", "Ada lives in Porto."]
    assert [first["current"], second["current"]] == [False, True]
    assert first["source"] == "user:chat"
    assert first["subject"] == "Ada"
    assert second["version"] == 2
    assert second["change"]["reason"] == "she moved"
    assert second["change"]["action"] == "revise"


def test_an_export_begins_with_its_version_and_ends_with_its_counts(store, tmp_path):
    store.remember("One.")

    first, *_, last = exported(store, tmp_path / "out.jsonl")

    assert first["engram_export"] == 1
    assert last == {"kind": "end", "counts": {"memory": 1}}


def test_an_export_holds_what_lies_beside_memories(store, tmp_path):
    one = store.remember("Ada lives in Lyon.").memory
    other = store.remember("Lyon is in France.").memory
    store.relate(one.id, other.id, "related")
    store.feedback(one.id, helpful=True)
    store.remember("Ada lives in Lyon.")
    episode = store.episodes.begin("a deploy")
    store.episodes.add(episode.id, [{"type": "user_message", "content": "go"}])
    store.knowledge.learn("Ada", property="role", value="captain")

    kinds = {each.get("kind") for each in exported(store, tmp_path / "out.jsonl")}

    assert {"memory", "link", "feedback", "confirmation", "episode", "event", "belief"} <= kinds


def test_no_vector_leaves_the_store(store, tmp_path):
    store.remember("Ada lives in Lyon.", wait=True)

    for record in exported(store, tmp_path / "out.jsonl"):
        assert not any(
            isinstance(value, list) and len(value) > 8 and isinstance(value[0], float)
            for value in record.values()
        )
        assert not {"vector", "embedding", "identity"} & set(record)


def test_an_encrypted_export_shows_nothing(store, tmp_path):
    store.remember(f"The word is {CANARY}.", secrecy="confidential", subject="Ada")

    report = store.export(tmp_path / "out.age", passphrase="a long one")

    assert report.is_encrypted
    assert report.unsealed == 1
    file = (tmp_path / "out.age").read_bytes()
    assert CANARY.encode() not in file
    plain = b"".join(age.opened(io.BytesIO(file), "a long one"))
    assert CANARY.encode() in plain


def test_the_file_is_for_its_owner_alone(store, tmp_path):
    before = os.umask(0)
    try:
        store.export(tmp_path / "out.age", passphrase="p")
    finally:
        os.umask(before)

    assert stat.S_IMODE((tmp_path / "out.age").stat().st_mode) == 0o600


def test_no_file_is_replaced(store, tmp_path):
    taken = tmp_path / "out.age"
    taken.write_text("mine")

    with pytest.raises(ExportRefused, match="already"):
        store.export(taken, passphrase="p")
    assert taken.read_text() == "mine"


def test_a_link_to_nowhere_is_a_file_too(store, tmp_path):
    (tmp_path / "out.age").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(ExportRefused, match="already"):
        store.export(tmp_path / "out.age", passphrase="p")
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path):
    target = Target(tmp_path / "out")
    target.file.write(b"ours")
    target.settle()
    (tmp_path / "out").write_text("theirs")

    with pytest.raises(FileExistsError):
        target.appear()
    target.close()
    assert [each.name for each in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out").read_text() == "theirs"


def test_where_files_need_a_name_the_export_appears_all_the_same(store, tmp_path, monkeypatch):
    plain_open = os.open

    def without_nameless(path, flags, *more, **named):
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            raise OSError(95, "not supported")
        return plain_open(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", without_nameless)
    store.remember("One.")
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / ".tmp-engram-export-left").write_text("of one that was killed")
    running = Target(folder / "another")
    store.export(folder / "out.age", passphrase="p")

    names = {each.name for each in folder.iterdir()}
    running.close()
    assert "out.age" in names
    assert len(names) == 2, "and what somebody else is writing"
    assert [each.name for each in folder.iterdir()] == ["out.age"]


@pytest.mark.parametrize("form", ["jsonl", "markdown"])
def test_a_readable_export_has_to_be_asked_for(store, tmp_path, form):
    with pytest.raises(ExportRefused, match="plaintext"):
        store.export(tmp_path / "out", format=form)
    assert not (tmp_path / "out").exists()


def test_an_encrypted_export_needs_a_passphrase(store, tmp_path):
    with pytest.raises(ExportRefused, match="passphrase"):
        store.export(tmp_path / "out")


def test_an_unknown_format_is_refused(store, tmp_path):
    with pytest.raises(InvalidInput):
        store.export(tmp_path / "out", format="zip", passphrase="p")


def test_a_folder_that_is_not_there_is_told(store, tmp_path):
    with pytest.raises(ExportRefused, match="No such file"):
        store.export(tmp_path / "nowhere" / "out.age", passphrase="p")


def test_an_agent_exports_nothing(quick_store, tmp_path):
    agent = quick_store(scope=Scope(project="acme", agent="coder"))

    with pytest.raises(AccessDenied):
        agent.export(tmp_path / "out.age", passphrase="p")


def test_an_export_is_written_down_before_its_file_is_there(store, tmp_path):
    store.remember("One.")
    store.remember("Two.", secrecy="sensitive")

    store.export(tmp_path / "out.age", passphrase="p")

    assert [each.count for each in store.audit(action="export")] == [2]
    assert [each.count for each in store.audit(action="unseal")] == [1]
    assert store.verify_audit().is_intact


def test_the_owner_carries_everything_out_and_others_what_they_see(quick_store, tmp_path):
    owner = quick_store()
    for scope in (None, Scope(project="acme"), Scope(project="acme", agent="a"),
                  Scope(project="other")):  # fmt: skip
        owner.remember(f"in {scope.path if scope else '/'}", scope=scope)
    person = quick_store(scope=Scope(project="acme"))

    everything = {each["text"] for each in memories(exported(owner, tmp_path / "1"))}
    one = memories(exported(owner, tmp_path / "2", scope=Scope(project="acme")))
    seen = {each["text"] for each in memories(exported(person, tmp_path / "3"))}

    assert len(everything) == 4
    assert {each["text"] for each in one} == {"in /project=acme/", "in /project=acme/agent=a/"}
    assert seen == {"in /", "in /project=acme/"}


def test_the_audit_tells_each_scope_of_its_own(quick_store, tmp_path):
    owner = quick_store()
    owner.remember("One.", scope=Scope(project="acme"))
    owner.remember("Two.", scope=Scope(project="acme"))
    owner.remember("Three.")

    owner.export(tmp_path / "out", passphrase="p")

    other = quick_store(scope=Scope(project="other"))
    assert [each.count for each in owner.audit(action="export")] == [1]
    assert [each.count for each in other.audit(action="export")] == [1]
    acme = owner.audit(action="export", scope=Scope(project="acme"))
    assert sorted(each.count for each in acme) == [1, 2]


def test_nobody_carries_out_a_scope_that_is_not_seen(quick_store, tmp_path):
    person = quick_store(scope=Scope(project="acme"))

    with pytest.raises(AccessDenied):
        person.export(tmp_path / "out", passphrase="p", scope=Scope(project="other"))


def test_one_person_gets_what_concerns_them_and_nothing_else(store, tmp_path):
    store.remember("She likes tea.", subject="Ada Lovelace")
    store.remember("The harbour opens at six.", speaker="ada  lovelace")
    store.remember("A private matter.", subject="Ada Lovelace", secrecy="confidential")
    store.remember("Bob likes coffee.", subject="Bob")
    store.remember("User 10 likes rum.", subject="Ada Lovelace 2")
    store.knowledge.learn("Ada Lovelace", property="role", value="captain")
    store.knowledge.learn("Bob", property="role", value="cook")
    episode = store.episodes.begin("a trip", participants=[{"identifier": "Ada Lovelace"}])
    store.episodes.begin("another trip", participants=[{"identifier": "Bob"}])

    records = exported(store, tmp_path / "out", subject="Ada Lovelace")

    texts = {str(each["text"]) for each in memories(records)}
    assert {"She likes tea.", "The harbour opens at six.", "A private matter."} <= texts
    assert not any("Bob" in text or "rum" in text for text in texts)
    assert [each["number"] for each in records if each.get("kind") == "episode"] == [
        episode.memory.number
    ]
    assert {each["source"] for each in records if each.get("kind") == "belief"} == {"Ada Lovelace"}


def test_what_a_person_gets_is_what_an_erasure_of_them_takes(store, tmp_path):
    store.observe("I am Ada and I like tea.", speaker="Ada", session="s")
    store.flush()
    store.remember("Bob met Ada in Lyon.", subject="Bob")
    store.remember("The words of Ada.", secrecy="confidential")
    store.remember("Bob likes coffee.", subject="Bob")
    before = {each["number"] for each in memories(exported(store, tmp_path / "1"))}

    of_ada = {each["number"] for each in memories(exported(store, tmp_path / "2", subject="ADA"))}
    store.erase(subject="Ada")

    after = {each["number"] for each in memories(exported(store, tmp_path / "3"))}
    assert len(of_ada) >= 4
    assert after == before - of_ada
    assert memories(exported(store, tmp_path / "4", subject="Ada")) == []


def test_markdown_tells_what_stands(store, tmp_path):
    memory = store.remember("# Not a heading\nof ours").memory
    gone = store.remember("Forgotten.").memory
    store.forget(gone.id)

    report = store.export(tmp_path / "out.md", format="markdown", plaintext=True)

    text = (tmp_path / "out.md").read_text()
    assert report.counts == {"memory": 1}
    assert "> # Not a heading\n> of ours" in text
    assert memory.label in text
    assert "Forgotten" not in text


def test_what_comes_in_while_it_is_written_is_not_in_it(store, tmp_path):
    for number in range(3):
        store.remember(f"Number {number}.")
    first = store.list()[-1]

    def meanwhile(done, total):
        if not store.recall("late", limit=1).hits:
            store.remember("Late.")
            store.revise(first.id, "Late wording.")

    records = exported(store, tmp_path / "out", progress=meanwhile)

    texts = [each["text"] for each in memories(records)]
    assert len(texts) == 3
    assert all(each["current"] for each in memories(records))


def test_progress_is_told_to_the_end(store, tmp_path):
    store.remember_many([f"Number {number}." for number in range(450)])
    told: list[tuple[int, int]] = []

    store.export(tmp_path / "out", passphrase="p", progress=lambda *each: told.append(each))

    assert told == [(200, 450), (400, 450), (450, 450)]


@given(st.integers(0, 10**9))
def test_a_size_is_told_only_roughly(size):
    padded = padded_size(size)

    assert size <= padded <= size * 1.13 + 1
    assert padded_size(padded) == padded


def test_padding_is_empty_lines(store):
    for size in (0, 1, 2, 100, 1_001, 123_457):
        filler = b"".join(padding(size))
        assert size + len(filler) == padded_size(size)
        assert filler.strip() == b""
        assert not filler or filler.endswith(b"\n")


def test_exports_of_nearly_one_size_have_one_size(quick_store: Callable[..., Engram], tmp_path):
    sizes = set()
    for number in range(3):
        store = quick_store(f"store {number}", settings=QUICK)
        store.remember_many([f"A statement of some length, number {n}." for n in range(100)])
        store.remember("x" * (number + 1))
        sizes.add(store.export(tmp_path / f"{number}.age", passphrase="p").bytes)

    assert len(sizes) == 1


def test_a_store_that_cannot_be_written_cannot_tell_of_an_export(quick_store, tmp_path):
    quick_store().close()
    reader = quick_store(read_only=True)

    with pytest.raises(ExportRefused):
        reader.export(tmp_path / "out.age", passphrase="p")


def test_a_key_holder_is_whom_it_says(store, tmp_path):
    seen = store.seen_by(Principal.orchestrator(Scope(project="acme")))

    with pytest.raises(AccessDenied):
        seen.export(tmp_path / "out.age", passphrase="p")


def test_a_large_store_takes_no_more_memory_than_a_page(store, tmp_path, monkeypatch):
    monkeypatch.setattr(exporting, "_PAGE", 20)
    store.remember_many([f"{number} " + "word " * 1_500 for number in range(400)])
    store.settle()  # nobody else is at work
    store.export(tmp_path / "warm", passphrase="p")  # what is loaded once is no matter here
    tracemalloc.start()

    report = store.export(tmp_path / "out", passphrase="p")

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert report.bytes > 3_000_000
    assert peak < 1_500_000


def test_nothing_lies_in_the_places_for_temporary_files(quick_store, tmp_path, monkeypatch):
    for name in ("TMPDIR", "TEMP", "TMP", "SQLITE_TMPDIR"):
        monkeypatch.setenv(name, str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    first, second = quick_store("first"), quick_store("second")
    first.remember(f"The word is {CANARY}.", secrecy="confidential", subject="Ada")

    first.export(tmp_path / "out.age", passphrase="p")
    second.import_(tmp_path / "out.age", passphrase="p")
    for opened in (first, second):
        opened.close()

    assert list((tmp_path / "temporary").iterdir()) == []
    files = [each for each in tmp_path.rglob("*") if each.is_file()]
    assert len(files) > 4
    assert [each for each in files if CANARY.encode() in each.read_bytes()] == []
