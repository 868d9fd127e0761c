"""After an erasure is proven no byte of any file tells of it: rows, index, log, backups, vault."""

from pathlib import Path

import apsw
import pytest

from engram import Engram
from engram.language.stems import stem

from .erasing_world import CANARIES, KEPT, PERSON, PROJECT, SETTINGS, fill

PLAIN = set(CANARIES) - {"quincunxes"}  # what was put away of a mind is always sealed


def every_file(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


def forms(word: str) -> set[bytes]:
    """A word as it could lie somewhere: as written, small, as a stem, in two bytes a letter."""
    spelled = {word, word.lower(), stem(word.lower())}
    return {each.encode(how) for each in spelled for how in ("utf-8", "utf-16-le")}


def found_in(root: Path) -> set[tuple[str, str]]:
    return {
        (name, word)
        for name, content in every_file(root).items()
        for word in CANARIES
        for form in forms(word)
        if form in content
    }


def told_by(engram: Engram) -> set[str]:
    """The canaries that any table still has, read as rows."""
    with engram._store.database.reading(5) as view:
        run = view._connection.execute
        tables = [name for (name,) in run(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        )]  # fmt: skip
        said = "\n".join(repr(run(f"SELECT * FROM {name}").fetchall()) for name in tables)
    return {word for word in CANARIES if word.lower() in said.lower()}


@pytest.fixture
def root(store_path: Path, clock) -> Path:
    with Engram.open(store_path, clock=clock, settings=SETTINGS) as engram:
        fill(engram, clock)
        engram.dream()
        assert told_by(engram) >= PLAIN  # or the search below would prove nothing
        engram.backup()
    return store_path


@pytest.mark.failure("F49", "F51")
def test_nothing_of_a_person_is_left_in_any_file(root: Path, clock):
    with Engram.open(root, clock=clock, settings=SETTINGS) as engram:
        done = engram.erase(subject=PERSON)

        assert done.is_proven, done.remains
        assert told_by(engram) == set()
        assert done.counts["working_snapshots"] == 1  # sealed, so only its absence shows it
        assert done.counts["backups"] == 1
        assert engram.verify_audit().is_intact
        assert KEPT in [memory.content for memory in engram.list()]
        assert engram.recall("Who keeps the harbour lights?").hits
        assert engram.doctor().is_fine
        assert found_in(root) == set()  # while it is open: not only closing cleans

    assert found_in(root) == set()


def test_the_words_are_gone_from_the_text_index_and_the_vectors_from_their_table(root, clock):
    with Engram.open(root, clock=clock, settings=SETTINGS) as engram:
        engram.erase(subject=PERSON)

    database = apsw.Connection(str(root / "engram.db"))
    database.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, text_index, row)")
    terms = {term for (term,) in database.execute("SELECT term FROM temp.terms")}
    orphans = database.execute(
        "SELECT count(*) FROM vectors WHERE number NOT IN (SELECT number FROM memories)"
    ).fetchone()
    database.close()
    assert not terms & {stem(word.lower()) for word in CANARIES}
    assert orphans == (0,)


def test_an_encrypted_store_is_searched_page_by_page(store_path: Path, clock):
    options = {"clock": clock, "settings": SETTINGS, "passphrase": "eight words of it"}
    with Engram.open(store_path, **options) as engram:
        fill(engram, clock)
        engram.backup()
        done = engram.erase(subject=PERSON)

        assert done.is_proven, done.remains
        assert done.counts["backups"] == 1
        assert told_by(engram) == set()
        engram.restore()
        assert told_by(engram) == set()


def test_what_lies_in_another_scope_stays(store_path: Path, clock):
    with Engram.open(store_path, clock=clock, settings=SETTINGS) as owner:
        fill(owner, clock)
        owner.remember(f"{PERSON} pays by card.", subject=PERSON, scope=PROJECT)
    with Engram.open(store_path, clock=clock, settings=SETTINGS, scope=PROJECT) as person:
        done = person.erase(subject=PERSON)

        assert done.memories == 1
        assert done.is_proven, done.remains
    with Engram.open(store_path, clock=clock, settings=SETTINGS) as owner:
        assert told_by(owner) >= PLAIN
