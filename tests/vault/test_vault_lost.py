"""A vault that is lost, or another: told, never replaced in silence, given up only when said."""

from contextlib import suppress

import pytest
from command_line import invoke

from engram import Engram
from engram.errors import VaultUnreadable
from engram.memory.people import Person
from engram.memory.scopes import Principal
from engram.memory.vocabulary import Secrecy
from engram.storage.sqlite.vault_file import VaultFile
from engram.storage.vault_tie import VaultProblem
from engram.wiring import open_engram, restore_store
from vault.sealed import open_place, open_store, put

SECRET = "The bonus is paid in March."
LATER = "The bonus was paid in April."
OPEN = "The office is closed on Mondays."


@pytest.fixture
def path(tmp_path):
    """A store with one confidential memory and one that is not."""
    with Engram.open(tmp_path / "store") as engram:
        engram.remember(SECRET, secrecy="confidential")
        engram.remember(OPEN)
    return tmp_path / "store"


@pytest.fixture
def aside(path, tmp_path):
    """Its vault, moved away."""
    return (path / "vault.db").rename(tmp_path / "aside.db")


def contents(engram):
    return sorted(each.content for each in engram.list())


def put_another_there(path):
    VaultFile(path / "vault.db").seal("of somebody else", [Person("/", "")])


@pytest.mark.parametrize("problem", [VaultProblem.MISSING, VaultProblem.ANOTHER])
def test_nothing_is_sealed_without_the_vault_and_the_rest_goes_on(path, aside, problem):
    if problem is VaultProblem.ANOTHER:
        put_another_there(path)
    with Engram.open(path) as engram:
        assert contents(engram) == [OPEN]
        for secrecy in ("sensitive", "confidential"):
            with pytest.raises(VaultUnreadable, match="doctor --repair") as refused:
                engram.remember(LATER, secrecy=secrecy)
            assert problem.value in refused.value.hint
            assert LATER not in str(refused.value)
        with pytest.raises(VaultUnreadable):
            engram.set_tier("mem-0002", "confidential")
        engram.remember("The door is green.")
        assert len(contents(engram)) == 2
        assert engram.upkeep.vault_problem() == problem.value
    assert (path / "vault.db").exists() == (problem is VaultProblem.ANOTHER)

    aside.replace(path / "vault.db")
    with Engram.open(path) as engram:
        assert SECRET in contents(engram)
        engram.remember(LATER, secrecy="confidential")
        assert len(contents(engram)) == 4
        assert engram.upkeep.vault_problem() == ""


def test_an_open_store_notices_that_the_vault_was_moved_away_and_put_back(path, tmp_path):
    with Engram.open(path) as engram:
        assert SECRET in contents(engram)
        (path / "vault.db").rename(tmp_path / "aside.db")
        assert contents(engram) == [OPEN]
        with pytest.raises(VaultUnreadable):
            engram.remember(LATER, secrecy="confidential")

        (tmp_path / "aside.db").rename(path / "vault.db")
        assert SECRET in contents(engram)


def test_a_vault_that_cannot_be_read_is_left_alone_by_a_repair(path, aside):
    (path / "vault.db").write_bytes(b"no vault at all, but something" * 200)
    before = (path / "vault.db").read_bytes()
    with pytest.raises(VaultUnreadable):  # what was erased before is noted in it
        Engram.open(path)
    with open_engram(path, principal=Principal.of(None), is_unchecked=True) as engram:
        assert engram.upkeep.vault_problem() == VaultProblem.UNREADABLE.value
        report = engram.doctor(repair=True)

    assert not next(each for each in report.findings if each.name == "vault").is_fine
    assert (path / "vault.db").read_bytes() == before


@pytest.mark.parametrize("problem", [VaultProblem.MISSING, VaultProblem.ANOTHER])
def test_health_and_doctor_say_it(path, aside, problem):
    if problem is VaultProblem.ANOTHER:
        put_another_there(path)
    with Engram.open(path) as engram:
        check = next(each for each in engram.health().checks if each.name == "vault")
        finding = next(each for each in engram.doctor().findings if each.name == "vault")

    assert check.state == "failing"
    assert problem.value in check.detail
    assert not finding.is_fine
    assert f"1 of 1 protected states cannot be read, and none can be made: {problem.value}" in (
        finding.detail
    )


def test_a_vault_that_is_lost_for_good_is_given_up_by_a_repair(path, aside):
    with Engram.open(path) as engram:
        report = engram.doctor(repair=True)
        assert report.repairs == (
            "a vault took the lost one's place; kept, but unreadable without that one: 1",
        )
        assert report.is_fine
        engram.remember(LATER, secrecy="confidential")
        assert contents(engram) == sorted([OPEN, LATER])
        assert any(entry.action == "repair" for entry in engram.audit())

    with Engram.open(path) as engram:  # known to be lost, so nothing is wrong
        finding = next(each for each in engram.doctor().findings if each.name == "vault")
        assert finding.is_fine
        assert finding.detail.startswith("1 of 2 protected states cannot be read")
        assert engram.upkeep.vault_problem() == ""

    # The rows stayed: the old vault reads them, and is another one until a repair says otherwise.
    aside.replace(path / "vault.db")
    with Engram.open(path) as engram:
        assert contents(engram) == sorted([OPEN, SECRET])
        assert engram.upkeep.vault_problem() == VaultProblem.ANOTHER.value


def test_more_that_is_lost_later_is_told_although_a_vault_was_given_up(path, aside):
    with Engram.open(path) as engram:
        engram.doctor(repair=True)
        engram.remember(LATER, secrecy="confidential")
        engram._parts.place.vault.destroy([Person("/", "")])
        finding = next(each for each in engram.doctor().findings if each.name == "vault")

    assert not finding.is_fine
    assert finding.detail == "2 of 2 protected states cannot be read: their keys are gone"


def test_without_anything_sealed_a_vault_may_come_and_go(tmp_path):
    path = tmp_path / "store"
    with Engram.open(path) as engram:
        engram.remember(OPEN)
        engram.remember("Ada is ill.", secrecy="sensitive", subject="Ada")
        engram.erase(subject="Ada")
    (path / "vault.db").unlink()

    with Engram.open(path) as engram:
        assert engram.upkeep.vault_problem() == ""
        engram.remember(LATER, secrecy="confidential")
        assert LATER in contents(engram)
        assert engram.upkeep.vault_problem() == ""


def test_an_erasure_is_refused_where_no_key_could_be_ended(path, aside):
    with Engram.open(path) as engram:
        with pytest.raises(VaultUnreadable):
            engram.erase("mem-0002")
        assert contents(engram) == [OPEN]


def test_a_restored_backup_belongs_to_the_same_vault(path):
    with Engram.open(path) as engram:
        engram.backup()
        engram.remember(LATER, secrecy="confidential")
        engram.restore()
        assert contents(engram) == sorted([OPEN, SECRET])
        assert engram.upkeep.vault_problem() == ""
        engram.remember(LATER, secrecy="confidential")


def test_a_backup_from_before_anything_was_sealed_takes_up_the_vault_that_is_there(tmp_path):
    with Engram.open(tmp_path / "store") as engram:
        engram.remember(OPEN)
        engram.backup()
        engram.remember(SECRET, secrecy="confidential")
        engram.restore()
        engram.remember(LATER, secrecy="confidential")
        assert contents(engram) == sorted([OPEN, LATER])
        assert engram.upkeep.vault_problem() == ""


@pytest.mark.parametrize("with_keys", [True, False])
def test_elsewhere_a_backup_belongs_to_the_vault_it_was_made_with(path, tmp_path, with_keys):
    with Engram.open(path) as engram:
        engram.backup(tmp_path / "copy.db", with_keys=with_keys)
    restore_store(tmp_path / "new", tmp_path / "copy.db")

    with Engram.open(tmp_path / "new") as engram:
        assert (SECRET in contents(engram)) == with_keys
        assert engram.upkeep.vault_problem() == ("" if with_keys else VaultProblem.MISSING.value)
        if with_keys:
            engram.remember(LATER, secrecy="confidential")
            assert LATER in contents(engram)


def test_the_id_outlives_renewed_keys_encryption_and_a_copy(path, tmp_path):
    place = open_place(path)
    first = _identity(path)
    place.renew_people(drop_old=True)
    place.vault.copy_to(tmp_path / "copied.vault.db")
    place.close()
    with Engram.open(path) as engram:
        engram.upkeep.encrypt(passphrase="correct horse")
        engram.upkeep.renew_keys("vault")
        place = engram._parts.place
        place.vault.refresh()
        assert place.vault.identity() == first
        assert SECRET in contents(engram)
        engram.remember(LATER, secrecy="confidential")
    assert VaultFile(tmp_path / "copied.vault.db").identity() is None  # as long as nobody looked
    copied = VaultFile(tmp_path / "copied.vault.db")
    copied.refresh()
    assert copied.identity() == first


def test_keys_are_not_renewed_in_a_vault_of_somebody_else(path, aside):
    put_another_there(path)
    before = (path / "vault.db").read_bytes()
    place = open_place(path)
    try:
        with pytest.raises(VaultUnreadable):
            place.renew_people(drop_old=True)
    finally:
        place.close()
    assert (path / "vault.db").read_bytes() == before


def test_a_write_that_fails_ties_nothing(tmp_path):
    place = open_place(tmp_path / "store")
    store = open_store(place)
    try:
        with suppress(RuntimeError), place.database.writing() as transaction:
            transaction.seal("text", [Person("/", "")])
            raise RuntimeError
        with place.database.reading(5) as transaction:
            assert transaction.rows("meta_value", {"key": "vault_id"}) == []
        place.vault.close()
        (tmp_path / "store" / "vault.db").unlink()
        put(store, SECRET, secrecy=Secrecy.SENSITIVE)  # another vault is as good
        with place.database.reading(5) as transaction:
            ((tied,),) = transaction.rows("meta_value", {"key": "vault_id"})
        assert tied == _identity(tmp_path / "store")
    finally:
        place.close()


def _identity(path):
    vault = VaultFile(path / "vault.db", read_only=True)
    vault.refresh()
    try:
        return vault.identity()
    finally:
        vault.close()


def test_the_command_line_says_it_in_one_line_on_stderr(path, aside):
    listed = invoke(["list", "--store", str(path)])
    assert listed.exit_code == 0
    assert OPEN in listed.stdout
    assert VaultProblem.MISSING.value not in listed.stdout
    assert listed.stderr.startswith("Warning: vault.db is missing")
    assert len(listed.stderr.splitlines()) == 1

    refused = invoke(["remember", LATER, "--tier", "confidential", "--store", str(path), "--json"])
    assert refused.exit_code == 1
    assert '"E4015"' in refused.stdout

    assert invoke(["health", "--store", str(path)]).exit_code == 1
    assert "vault.db is missing" in invoke(["doctor", "--store", str(path), "--json"]).stdout
    assert invoke(["doctor", "--repair", "--yes", "--store", str(path)]).exit_code == 0
    assert invoke(["list", "--store", str(path)]).stderr == ""


@pytest.mark.usefixtures("aside")
def test_the_doctor_asks_for_the_vault_before_it_offers_to_mend(path):
    *_, last = invoke(["doctor", "--store", str(path)]).stdout.strip().splitlines()

    assert last == "Put vault.db back. Only if it is lost for good: engram doctor --repair"
