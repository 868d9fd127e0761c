"""What an attacker found in erasing: each finding is a test, so that it does not come back."""

import time
from pathlib import Path

import apsw
import pytest

from engram import Engram, Scope
from engram.memory.erasure import Remains
from engram.memory.name_search import NameSearch

NAME = "Zebulon Quimby"
TEXT = "Zebulon plays the glockenspiel."


@pytest.fixture
def engram(store_path: Path, clock):
    with Engram.open(store_path, clock=clock) as opened:
        opened.remember("The office opens at nine.")
        yield opened


def texts(engram: Engram) -> list[str]:
    return sorted(memory.content for memory in engram.list())


# A2: resuming


def test_resuming_proves_nothing_while_what_was_found_is_still_there(engram, store_path: Path):
    engram.remember(TEXT, subject="Zebulon")
    stray = store_path / "sub" / "notes.txt"
    stray.parent.mkdir()
    stray.write_text(TEXT, encoding="utf-8")
    first = engram.erase(subject="Zebulon")
    assert Remains("notes.txt", "text") in first.remains

    (again,) = engram.finish_erasures()

    assert again.remains == first.remains
    assert again.certificate["verdict"] == "pending"

    stray.unlink()
    (last,) = engram.finish_erasures()
    assert last.is_proven, last.remains
    assert engram._store.database.vault.noted("searched") == {}


def test_a_file_that_was_changed_or_moved_since_is_named_as_not_searched(engram, store_path: Path):
    engram.remember(TEXT, subject="Zebulon")
    stray = store_path / "notes.txt"
    stray.write_text(TEXT, encoding="utf-8")
    engram.erase(subject="Zebulon")

    stray.write_text(TEXT + " And more.", encoding="utf-8")
    (changed,) = engram.finish_erasures()
    stray.rename(store_path / "other.txt")
    (moved,) = engram.finish_erasures()

    assert changed.remains == (Remains("notes.txt", "not searched"),)
    assert moved.remains == (Remains("other.txt", "not searched"),)


def test_what_was_searched_and_is_clean_is_in_nobodys_way(engram, store_path: Path):
    engram.remember(TEXT, subject="Zebulon")
    (store_path / "readme.txt").write_text("Nothing about anybody.", encoding="utf-8")
    aside = store_path / "damaged-1.db"
    aside.write_bytes(b"set aside")
    assert not engram.erase(subject="Zebulon").is_proven
    aside.unlink()

    (again,) = engram.finish_erasures()

    assert again.is_proven, again.remains


def test_what_the_vault_notes_of_a_search_tells_no_word(engram, store_path: Path):
    engram.remember(TEXT, subject="Zebulon")
    (store_path / "notes.txt").write_text(TEXT, encoding="utf-8")

    engram.erase(subject="Zebulon")

    (noted,) = engram._store.database.vault.noted("searched").values()
    assert b"notes.txt" in noted
    assert b"locken" not in noted
    assert b"ebulon" not in noted


def test_who_finishes_what_was_killed_before_its_search_names_the_files_that_were_not(
    engram, store_path: Path
):
    engram.remember(TEXT, subject="Zebulon")
    (store_path / "notes.txt").write_text(TEXT, encoding="utf-8")
    begun = engram.erase(subject="Zebulon")
    engram._store.database.vault.forget_note("searched", begun.id)  # as if it had never come to it

    (done,) = engram.finish_erasures()

    assert done.remains == (Remains("notes.txt", "not searched"),)


# A3: files that are large, or cannot be read


def test_a_file_is_searched_piece_by_piece_to_its_end(engram, store_path: Path):
    engram.remember(TEXT, subject="Zebulon")
    with (store_path / "notes.bin").open("wb") as file:
        file.seek(8 * 1024 * 1024 - 5)  # across the border of two pieces
        file.write(TEXT.encode())

    done = engram.erase(subject="Zebulon")

    assert Remains("notes.bin", "text") in done.remains


def test_a_file_that_cannot_be_read_keeps_it_pending(engram, store_path: Path):
    engram.remember(TEXT, subject="Zebulon")
    loop = store_path / "loop.txt"
    loop.symlink_to(loop)  # whoever is root can read everything but this

    done = engram.erase(subject="Zebulon")
    assert done.remains == (Remains("loop.txt", "could not be read"),)
    (again,) = engram.finish_erasures()
    assert not again.is_proven

    loop.unlink()
    (last,) = engram.finish_erasures()
    assert last.is_proven, last.remains


def test_a_copy_of_the_database_under_another_name_is_searched(engram, store_path: Path):
    engram.remember(TEXT, subject="Zebulon")
    engram.backup()
    (made,) = (store_path / "backups").glob("*.db")
    (store_path / "engram.db.bak").write_bytes(made.read_bytes())

    done = engram.erase(subject="Zebulon")

    assert {each.place for each in done.remains} == {"engram.db.bak"}


# A5: noted once


def test_that_something_is_pending_is_noted_once(engram, store_path: Path):
    engram.remember(TEXT, subject="Zebulon")
    (store_path / "damaged-1.db").write_bytes(b"set aside")

    engram.erase(subject="Zebulon")

    noted = [each for each in engram.security_events() if each.kind.value == "erase_pending"]
    assert [each.count for each in noted] == [1]


# A1: the whole name, wherever it stands


def held_by(engram: Engram, *words: str) -> set[str]:
    """Which of some words any table has, in any case."""
    with engram._store.database.reading(5) as view:
        run = view._connection.execute
        tables = [name for (name,) in run(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        )]  # fmt: skip
        said = "\n".join(repr(run(f"SELECT * FROM {name}").fetchall()) for name in tables).lower()
    return {word for word in words if word in said}


def test_a_name_counts_in_whichever_case_and_wherever_it_stands(engram):
    for text in (
        "talked to zebulon quimby about the roof.", "ZEBULON QUIMBY SHOUTS.",
        "We met at Zebulon Quimby's house.", "Write to zebulon.quimby@example.org.",
    ):  # fmt: skip
        engram.remember(text)
    engram.remember("tell me what zebulon quimby said", secrecy="confidential")
    engram.remember("One was signed in May.", metadata={"author": NAME})
    engram.remember("Two were signed in June.", metadata={"by": [NAME]}, secrecy="confidential")
    engram.remember("The roof leaks.", summary=f"told by {NAME}")
    engram.remember("The door creaks.", session=f"{NAME} chat")
    engram.remember("The floor shakes.", reference="/home/zebulon/quimby.txt")
    engram.remember("The wall stands.", source="web:zebulon-quimby.example")

    done = engram.erase(subject=NAME)

    assert done.is_proven, done.remains
    assert done.memories == 11
    assert texts(engram) == ["The office opens at nine."]
    assert held_by(engram, "zebulon", "quimby") == set()


def test_a_name_is_taken_out_of_what_is_kept_beside_memories_that_stay(engram, store_path):
    kept = engram.remember("The roof leaks.", idempotency_key="zebulon-quimby-1").memory
    engram.revise(kept.id, "The roof leaks a lot.", reason=f"{NAME} told us so")
    engram.feedback(kept.id, True, query="what did zebulon quimby say about the roof?")
    engram.remember("The roof leaks a lot!", reference=f"{NAME} letter")
    engram.backup()

    done = engram.erase(subject=NAME)

    assert done.is_proven, done.remains
    assert texts(engram) == ["The office opens at nine.", "The roof leaks a lot."]
    assert held_by(engram, "zebulon", "quimby") == set()
    assert all(b"ulon" not in path.read_bytes() for path in store_path.rglob("*.db"))


def test_a_part_of_a_name_is_nobodys_name(engram):
    kept = [
        "Ask user 10 about it.", "It takes user 1.5 seconds.", "Ada Okafor sings.",
        "saw ada okafor there.", "He will come, come what may.", "Adaptation is hard.",
    ]  # fmt: skip
    for text in kept:
        engram.remember(text)
    engram.remember("Byrd, John sings.", subject="Byrd, John")
    kept.append("Byrd, John sings.")
    engram.remember("ask user 1 about it.")
    engram.remember("saw ada there.")
    engram.remember("Will Byrd sings.", subject="Will")

    for name in ("User 1", "Ada", "Will"):
        assert engram.erase(subject=name).memories == 1

    assert texts(engram) == sorted([*kept, "The office opens at nine."])


def test_what_is_out_of_reach_is_not_touched_and_not_told(store_path: Path, clock):
    mine, other = Scope(project="mine"), Scope(project="other")
    with Engram.open(store_path, clock=clock) as owner:
        owner.remember("saw zebulon quimby there.", scope=mine)
    with Engram.open(store_path, clock=clock, scope=other) as neighbour:
        elsewhere = neighbour.remember("saw zebulon quimby here.").memory
        neighbour.revise(elsewhere.id, "saw zebulon quimby about.", reason=f"{NAME} said so")
    with Engram.open(store_path, clock=clock, scope=mine) as person:
        done = person.erase(subject=NAME)
        assert done.memories == 1
        assert done.is_proven, done.remains
    with Engram.open(store_path, clock=clock, scope=other) as neighbour:
        assert texts(neighbour) == ["saw zebulon quimby about."]
        assert held_by(neighbour, "quimby said so") == {"quimby said so"}


def test_a_name_that_cannot_be_taken_out_keeps_it_pending(engram):
    engram.remember("Pears are cheap.", scope=Scope(user="zebulon-quimby"))
    engram.remember("Likes tea.", subject=NAME)

    done = engram.erase(subject=NAME)
    (again,) = engram.finish_erasures()

    assert done.remains == again.remains == (Remains("engram.db", "name"),)


def test_ten_thousand_memories_are_looked_through_in_one_pass():
    search = NameSearch({"zebulon quimby", "zeb"})
    said = ["The committee met on Tuesday and talked about Zebulon and the harbour."] * 10_000

    began = time.perf_counter()
    assert not any(search.stands_in(text.replace("Zebulon", "Zachary")) for text in said)

    assert time.perf_counter() - began < 2


# A6: what is about two


def test_what_is_about_two_cannot_be_read_when_one_of_them_is_erased(engram, tmp_path: Path):
    engram.knowledge.learn("Ada", "knows", "Nodexylo", secrecy="confidential")
    raised = engram.knowledge.learn("Bo", "knows", "Marginalia").belief.memory
    engram.set_tier(raised.id, "confidential")
    engram.backup(tmp_path / "older.db")
    vault = engram._store.database.vault

    assert engram.erase(subject="Nodexylo").is_proven
    assert engram.erase(subject="Bo").is_proven

    assert vault.people() == []
    older = apsw.Connection(str(tmp_path / "older.db"))
    sealed = older.execute("SELECT sealed_content FROM memories WHERE sealed_content IS NOT NULL")
    assert {vault.unseal(blob) for (blob,) in sealed} == {None}
    older.close()


@pytest.mark.parametrize("order", [("Ada", "Bo"), ("Bo", "Ada")])
def test_who_is_known_by_another_too_keeps_a_name_until_nobody_knows_them(
    engram, store_path: Path, order
):
    of = {
        name: engram.knowledge.learn(name, "knows", "Nodexylo", secrecy="confidential").belief
        for name in order
    }

    engram.erase(subject="Ada")
    assert engram.get(of["Bo"].memory.id).content == "Bo knows Nodexylo."
    assert {each.label for each in engram.knowledge.nodes()} == {"Bo", "Nodexylo"}
    assert [each.name for each in engram._store.database.vault.people()] == ["bo", "nodexylo"]
    engram.erase(subject="Bo")

    assert b"odexylo" not in (store_path / "vault.db").read_bytes()


@pytest.mark.parametrize("is_raised", [False, True])
def test_to_whom_somebody_stands_in_a_protected_relation_is_not_in_the_open(engram, is_raised):
    secrecy = {} if is_raised else {"secrecy": "confidential"}
    learned = engram.knowledge.learn("Ada", "knows", "Nodexylo", **secrecy).belief.memory
    if is_raised:
        engram.set_tier(learned.id, "confidential")

    assert held_by(engram, "nodexylo") == set()
    assert engram.get(learned.id).subject == "Ada"
    assert engram.get(learned.id).content == "Ada knows Nodexylo."
    assert engram.knowledge.learn("Ada", "knows", "Nodexylo").kind == "confirmed"


# A4: short texts


def test_a_short_text_is_looked_for_as_well(engram, store_path: Path):
    gone = engram.remember("Zeb: 77.").memory
    stray = store_path / "notes.txt"
    stray.write_text("It says Zeb: 77. Nothing else.", encoding="utf-8")

    done = engram.erase(gone.id)

    assert done.remains == (Remains("notes.txt", "text"),)
