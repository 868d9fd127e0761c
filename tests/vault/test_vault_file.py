"""vault.db: keys of persons that outlive processes, and do not outlive being destroyed."""

import os
import stat
import subprocess
import sys
import threading

import pytest

from engram.errors import VaultUnreadable
from engram.memory.people import Person, normalised_name, person_named
from engram.storage.record_cipher import header_of
from engram.storage.sqlite.vault_file import VaultFile

ADA, BOB, HERE = Person("/", "ada"), Person("/", "bob"), Person("/", "")
TEXT = "Ada's passport is C4Y7H2KL9"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "vault.db"


def test_names_are_the_same_however_they_are_written():
    assert person_named("/", "  Ada   LOVELACE ") == person_named("/", "ada lovelace")
    assert normalised_name("Straße") == normalised_name("STRASSE")
    assert person_named("/", None) == HERE
    assert person_named("/a", "ada") != person_named("/b", "ada")
    assert "ada" not in repr(ADA)


def test_a_record_is_read_in_another_process_and_lies_there_sealed(path):
    blob = VaultFile(path).seal(TEXT, [ADA])
    program = (
        "import sys; from pathlib import Path\n"
        "from engram.storage.sqlite.vault_file import VaultFile\n"
        "vault = VaultFile(Path(sys.argv[1])); vault.refresh()\n"
        "print(vault.unseal(bytes.fromhex(sys.argv[2])))\n"
    )
    out = subprocess.run(
        [sys.executable, "-c", program, str(path), blob.hex()],
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert out.stdout.strip() == TEXT
    assert b"passport" not in blob


def test_nothing_is_made_before_something_is_sealed(path):
    vault = VaultFile(path)
    vault.refresh()

    assert vault.people() == []
    assert vault.unseal(b"\x1aES1" + bytes(90)) is None
    assert vault.destroy([ADA]) == vault.renew_people() == 0
    assert vault.noted("graves") == {}
    assert not path.exists()


def test_the_file_is_for_its_owner_alone(path):
    VaultFile(path).seal(TEXT, [ADA])

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["vault.db"]


@pytest.mark.parametrize("gone", [[ADA], [BOB], [ADA, BOB]])
def test_a_record_of_two_is_lost_with_either(path, gone):
    vault = VaultFile(path)
    shared, other = vault.seal(TEXT, [ADA, BOB]), vault.seal("of the scope", [HERE])

    assert vault.destroy(gone) == len(gone)
    assert vault.unseal(shared) is None
    assert not vault.can_unseal(shared)
    assert vault.unseal(other) == "of the scope"
    assert vault.destroy(gone) == 0


def test_a_destroyed_key_leaves_no_byte_in_the_file(path):
    vault = VaultFile(path)
    blob = vault.seal(TEXT, [ADA])
    key = vault._keys.by_id[header_of(blob).ids[0]]
    tag_key = vault._keys.tags[ADA]
    assert key in path.read_bytes()

    vault.destroy([ADA])
    vault.close()

    held = b"".join(entry.read_bytes() for entry in path.parent.iterdir())
    assert key not in held
    assert tag_key not in held


def test_another_process_notices_at_once_that_a_key_is_gone(path):
    vault, other = VaultFile(path), VaultFile(path)
    blob = vault.seal(TEXT, [ADA])
    other.refresh()
    assert other.unseal(blob) == TEXT

    vault.destroy([ADA])
    other.refresh()

    assert other.unseal(blob) is None
    assert other.unseal(other.seal("again", [ADA])) == "again"  # under a new key
    assert other.unseal(blob) is None


def test_two_who_seal_for_the_same_person_at_once_use_one_key(path):
    vaults = [VaultFile(path) for _ in range(4)]
    blobs = []

    def work(vault):
        blobs.append(vault.seal(TEXT, [ADA]))

    threads = [threading.Thread(target=work, args=(vault,)) for vault in vaults]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    late = VaultFile(path)
    late.refresh()
    assert len({header_of(blob).ids for blob in blobs}) == 1
    assert [late.unseal(blob) for blob in blobs] == [TEXT] * 4


def test_a_tag_is_equal_for_equal_content_of_one_person_alone(path):
    vault, other = VaultFile(path), VaultFile(path)
    mine = vault.tag(b"statement", ADA)
    other.refresh()

    assert other.tag(b"statement", ADA) == mine
    assert vault.tag(b"statement", BOB) != mine
    assert vault.tag(b"another", ADA) != mine
    vault.destroy([ADA])
    assert vault.tag(b"statement", ADA) != mine


def test_renewed_keys_read_what_old_ones_sealed_and_old_ones_can_go(path):
    vault = VaultFile(path)
    blob, tag = vault.seal(TEXT, [ADA, BOB]), vault.tag(b"x", ADA)

    assert vault.renew_people() == 2
    again = vault.rewrap(blob)
    assert vault.unseal(blob) == vault.unseal(again) == TEXT
    assert set(header_of(blob).ids).isdisjoint(header_of(again).ids)
    assert vault.rewrap(again) is None

    assert vault.drop_old_keys() == 2
    assert vault.unseal(blob) is None
    assert vault.unseal(again) == TEXT
    assert vault.tag(b"x", ADA) == tag
    assert set(vault.people_of(again)) == {ADA, BOB}


def test_an_encrypted_vault_shows_neither_keys_nor_names(path):
    key = os.urandom(32)
    blob = VaultFile(path, key=lambda: key).seal(TEXT, [Person("/", "augusta lovelace")])

    assert b"augusta" not in path.read_bytes()
    right = VaultFile(path, key=lambda: key)
    right.refresh()
    assert right.unseal(blob) == TEXT
    for wrong in (os.urandom(32), None):
        other = VaultFile(path, key=lambda wrong=wrong: wrong)
        other.refresh()
        assert other.unseal(blob) is None
        with pytest.raises(VaultUnreadable):
            other.seal(TEXT, [ADA])
    right.refresh()
    assert right.unseal(blob) == TEXT  # and nothing was damaged


def test_a_vault_that_is_read_only_seals_for_nobody_new(path):
    blob = VaultFile(path).seal(TEXT, [ADA])
    reader = VaultFile(path, read_only=True)
    reader.refresh()

    assert reader.unseal(blob) == TEXT
    with pytest.raises(VaultUnreadable):
        reader.seal(TEXT, [BOB])


def test_rubbish_in_its_place_is_left_alone(path):
    path.write_bytes(b"not a database at all" * 100)
    vault = VaultFile(path)
    vault.refresh()

    assert vault.people() == []
    with pytest.raises(VaultUnreadable):
        vault.seal(TEXT, [ADA])
    assert path.read_bytes().startswith(b"not a database")


def test_a_forked_child_works_on_its_own(path):
    vault = VaultFile(path)
    blob = vault.seal(TEXT, [ADA])
    child = os.fork()
    if child == 0:  # pragma: no cover
        vault.refresh()
        is_good = vault.unseal(blob) == TEXT and vault.destroy([ADA]) == 1
        os._exit(0 if is_good else 1)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    vault.refresh()
    assert vault.unseal(blob) is None


def test_notes_are_kept_beside_the_keys(path):
    vault = VaultFile(path)
    vault.note("head", "newest", b"1")
    vault.note("head", "newest", b"2")
    vault.note("grave", "mem-1", b"")

    assert VaultFile(path).noted("head") == {"newest": b"2"}
    vault.forget_note("head", "newest")
    assert VaultFile(path).noted("head") == {}
    assert vault.noted("grave") == {"mem-1": b""}


@pytest.mark.parametrize("point", ["vault_before_destroying", "vault_after_destroying"])
def test_killed_while_destroying_a_key_is_there_or_gone(path, point):
    blob = VaultFile(path).seal(TEXT, [ADA])
    program = (
        "import os, sys; from pathlib import Path\n"
        "from engram.failpoints import arm\n"
        "arm(sys.argv[2], lambda: os.kill(os.getpid(), 9))\n"
        "from engram.memory.people import Person\n"
        "from engram.storage.sqlite.vault_file import VaultFile\n"
        "VaultFile(Path(sys.argv[1])).destroy([Person('/', 'ada')])\n"
    )
    killed = subprocess.run([sys.executable, "-c", program, str(path), point], check=False)
    assert killed.returncode == -9

    vault = VaultFile(path)
    vault.refresh()
    assert vault.unseal(blob) == (TEXT if point == "vault_before_destroying" else None)
    assert vault.unseal(vault.seal("later", [ADA])) == "later"
