"""The key slot: what opens it, what does not, and what it gives away."""

import itertools
import json
import os
import traceback

import pytest

from engram.errors import EncryptionFailed, EngramError, InvalidInput, LastWayIn, StoreLocked
from engram.security.keys import (
    Credentials,
    Kind,
    StoreUse,
    Use,
    database_key,
    fresh_slot,
    looks_like_recovery_key,
    made_slot,
    make_recovery_key,
    master_key,
    opened_by,
    parse_recovery_key,
    read_slot,
    rewrapped,
    store_keys,
    with_fresh_master,
    with_next_versions,
    with_wrapping,
    without_wrapping,
    write_slot,
)

KEY = Credentials(key=bytes(range(32)))
OTHER = Credentials(key=bytes(range(1, 33)))
KEYRING = Credentials(key=bytes(range(32)), source=Kind.KEYRING)

# Slots as the first format wrote them, and the key of the database that they stood for.
FIRST_KEY = "9bd208aa631d841a650a94974026fe38ba282bf943b14bbd1fd0bd6d5c117120"
FIRST = {
    "key": {
        "version": 1,
        "kind": "key",
        "salt": "4c9122b5e20a4947c9b4993f6a236fae",
        "wrapped": "ac0487015bda05be939e1f28bed97e667a85d4bee21b08b5d117349b53bcd24c"
        "9b436d2973781c3225902daec164f39944ecd84bef2d6219b9ab40e4",
    },
    "passphrase": {
        "version": 1,
        "kind": "passphrase",
        "salt": "cffa6b79d36574f035b0f24ddad901e2",
        "wrapped": "fff089f55e0677312a6fd0dbd8c327011cd7958304bb3dfc35c2d15c15f7fdf0"
        "b17588c5d4fd3df0f517a4efdbaba987389917bb9eced191172f16b9",
    },
}


@pytest.mark.parametrize(
    ("kind", "shown"), [("key", KEY), ("passphrase", Credentials(passphrase="open sesame"))]
)
def test_a_slot_of_the_first_format_gives_the_same_key_and_is_upgraded_when_written(
    tmp_path, kind, shown
):
    path = tmp_path / "keys.json"
    path.write_text(json.dumps(FIRST[kind]))

    slot = read_slot(path)
    assert database_key(slot, shown).hex() == FIRST_KEY

    write_slot(path, slot)
    assert json.loads(path.read_text())["version"] == 2
    assert database_key(read_slot(path), shown).hex() == FIRST_KEY


def test_every_use_and_version_has_a_key_of_its_own():
    slot, _ = fresh_slot(KEY)
    master = master_key(slot, KEY)

    made = {master.sub_key(use, version) for use in Use for version in (1, 2, 3)}

    assert len(made) == len(Use) * 3
    assert master.secret not in made
    assert store_keys(slot, KEY).database == master.sub_key(Use.DATABASE)
    assert store_keys(slot, KEY).vault == master.sub_key(Use.VAULT)


def test_a_key_opens_only_what_was_wrapped_for_where_it_is_kept():
    slot, _ = fresh_slot(KEY)

    with pytest.raises(StoreLocked):
        master_key(slot, KEYRING)  # the very same bytes

    both = with_wrapping(slot, KEY, KEYRING, entry="mine")
    assert master_key(both, KEYRING).secret == master_key(both, KEY).secret
    assert both["wrappings"][1]["entry"] == "mine"


@pytest.mark.parametrize("shown", [OTHER, Credentials(), Credentials(passphrase="")])
def test_what_is_wrong_or_missing_is_refused_with_what_would_open_it(shown):
    slot, _ = fresh_slot(KEY)

    with pytest.raises(StoreLocked) as caught:
        master_key(slot, shown)

    assert "ENGRAM_KEY" in caught.value.hint


def test_changing_replaces_what_was_shown_and_leaves_the_other_ways_in():
    slot = with_wrapping(fresh_slot(KEY)[0], KEY, KEYRING)
    changed = rewrapped(slot, KEY, OTHER)

    assert sorted(opened_by(changed)) == ["key", "keyring"]
    assert master_key(changed, OTHER).secret == master_key(changed, KEYRING).secret
    with pytest.raises(StoreLocked):
        master_key(changed, KEY)


def test_who_shows_the_recovery_key_replaces_what_was_lost_and_keeps_the_recovery_key():
    _, recovery = make_recovery_key()
    slot = with_wrapping(fresh_slot(KEY)[0], KEY, recovery)

    changed = rewrapped(slot, recovery, OTHER)

    assert opened_by(changed) == ["key", "recovery"]
    assert master_key(changed, recovery).secret == master_key(changed, OTHER).secret
    with pytest.raises(StoreLocked):
        master_key(changed, KEY)


def test_there_is_one_recovery_key_at_a_time():
    (_, first), (_, second) = make_recovery_key(), make_recovery_key()
    slot = with_wrapping(with_wrapping(fresh_slot(KEY)[0], KEY, first), KEY, second)

    assert opened_by(slot) == ["key", "recovery"]
    assert master_key(slot, second).secret == master_key(slot, KEY).secret
    with pytest.raises(StoreLocked):
        master_key(slot, first)


def test_the_last_way_in_is_not_removed_and_paper_does_not_count():
    _, recovery = make_recovery_key()
    slot = with_wrapping(fresh_slot(KEY)[0], KEY, recovery)

    with pytest.raises(LastWayIn):
        without_wrapping(slot, KEY, "key")

    assert opened_by(without_wrapping(slot, KEY, "recovery")) == ["key"]
    with pytest.raises(InvalidInput):
        without_wrapping(slot, KEY, "keyring")
    two = with_wrapping(slot, KEY, OTHER)
    with pytest.raises(InvalidInput):
        without_wrapping(two, KEY, "key")  # which of them?
    assert len(without_wrapping(two, KEY, two["wrappings"][0]["id"])["wrappings"]) == 2


def test_nothing_is_changed_by_who_cannot_open_the_slot():
    _, recovery = make_recovery_key()
    slot = with_wrapping(fresh_slot(KEY)[0], KEY, recovery)

    for act in (
        lambda: rewrapped(slot, OTHER, OTHER),
        lambda: with_wrapping(slot, OTHER, OTHER),
        lambda: without_wrapping(slot, OTHER, "recovery"),
        lambda: with_next_versions(slot, OTHER, [StoreUse.DATABASE]),
        lambda: with_fresh_master(slot, OTHER),
    ):
        with pytest.raises(StoreLocked):
            act()


def test_the_ways_in_are_limited():
    slot, _ = fresh_slot(KEY)
    for number in range(7):
        slot = with_wrapping(slot, KEY, Credentials(key=bytes([number] * 32)))

    with pytest.raises(InvalidInput):
        with_wrapping(slot, KEY, OTHER)


def test_the_next_version_changes_one_key_and_a_fresh_master_changes_all():
    slot, keys = made_slot(KEY)

    next_slot, next_keys = with_next_versions(slot, KEY, [StoreUse.DATABASE])
    assert next_keys.vault == keys.vault
    assert next_keys.database != keys.database
    assert next_keys.database == store_keys(next_slot, KEY).database

    other_slot, other_keys = with_fresh_master(next_slot, KEY)
    assert len({other_keys.database, other_keys.vault, keys.database, keys.vault}) == 4
    assert store_keys(other_slot, KEY).database == other_keys.database


def test_a_fresh_master_keeps_only_what_was_shown_and_never_paper_alone():
    _, recovery = make_recovery_key()
    slot = with_wrapping(fresh_slot(KEY)[0], KEY, recovery)

    assert opened_by(with_fresh_master(slot, KEY)[0]) == ["key"]
    with pytest.raises(LastWayIn):
        with_fresh_master(slot, recovery)


def test_a_recovery_key_is_read_as_people_write_it():
    text, credentials = make_recovery_key()

    assert len(text.split("-")) == 14
    for written in (text, text.lower(), text.replace("-", " "), text.replace("0", "O")):
        assert parse_recovery_key(written).key == credentials.key
    assert looks_like_recovery_key(f"  {text}\n")


def test_a_slip_of_the_pen_in_a_recovery_key_is_noticed():
    text, _ = make_recovery_key()
    slips = [text[:-1], text + "A", text[:-1] + ("A" if text[-1] != "A" else "B"), "", "hello"]
    swapped = next(
        text[:at] + text[at + 1] + text[at] + text[at + 2 :]
        for at in range(len(text) - 1)
        if "-" not in text[at : at + 2] and text[at] != text[at + 1]
    )

    for slip in [*slips, swapped]:
        assert not looks_like_recovery_key(slip)
        with pytest.raises(InvalidInput) as caught:
            parse_recovery_key(slip)
        assert text not in str(caught.value)


def _broken(change):
    slot, _ = fresh_slot(KEY)
    document = json.loads(json.dumps(slot))
    change(document)
    return document


@pytest.mark.parametrize(
    "change",
    [
        lambda slot: slot.update(version=3),
        lambda slot: slot.update(version="2"),
        lambda slot: slot.update(more=1),
        lambda slot: slot.pop("keys"),
        lambda slot: slot["keys"].update(database=0),
        lambda slot: slot["keys"].update(database=True),
        lambda slot: slot["keys"].update(other=1),
        lambda slot: slot.update(wrappings=[]),
        lambda slot: slot.update(wrappings={}),
        lambda slot: slot.update(wrappings=slot["wrappings"] * 9),
        lambda slot: slot["wrappings"][0].update(kind="magic"),
        lambda slot: slot["wrappings"][0].update(kind=["key"]),
        lambda slot: slot["wrappings"][0].update(salt="zz"),
        lambda slot: slot["wrappings"][0].update(wrapped=None),
        lambda slot: slot["wrappings"][0].update(wrapped=slot["wrappings"][0]["wrapped"][2:]),
        lambda slot: slot["wrappings"][0].update(entry=5),
        lambda slot: slot["wrappings"][0].pop("id"),
        lambda slot: slot["wrappings"].append("key"),
    ],
)
def test_a_damaged_slot_is_a_typed_error(tmp_path, change):
    path = tmp_path / "keys.json"
    path.write_text(json.dumps(_broken(change)))

    with pytest.raises(EncryptionFailed):
        read_slot(path)


@pytest.mark.parametrize("content", ["", "[" * 100_000, "null", "\x00", '{"version": 2}', "é" * 10])
def test_what_is_no_slot_is_a_typed_error(tmp_path, content):
    (tmp_path / "keys.json").write_text(content, encoding="utf-8")

    with pytest.raises(EncryptionFailed):
        read_slot(tmp_path / "keys.json")


def test_a_pipe_or_an_endless_file_in_a_slots_place_keeps_nobody_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b" " * 100_000)

    for name in ("pipe", "large"):
        with pytest.raises(EncryptionFailed):
            read_slot(tmp_path / name)


def test_an_altered_wrapping_opens_nothing():
    slot, _ = fresh_slot(KEY)
    for at in range(0, 120, 7):
        altered = json.loads(json.dumps(slot))
        wrapped = altered["wrappings"][0]["wrapped"]
        altered["wrappings"][0]["wrapped"] = (
            wrapped[:at] + ("0" if wrapped[at] != "0" else "1") + wrapped[at + 1 :]
        )
        with pytest.raises(StoreLocked):
            master_key(altered, KEY)


@pytest.mark.failure("F36")
def test_no_secret_is_in_a_slot_a_printed_value_or_an_error():
    text, recovery = make_recovery_key()
    slot = with_wrapping(fresh_slot(KEY)[0], KEY, recovery)
    master = master_key(slot, KEY)
    keys = store_keys(slot, KEY)
    told = [json.dumps(slot), repr(KEY), repr(recovery), repr(master), repr(keys), str(KEY)]
    for shown, act in itertools.product(
        (OTHER, Credentials(passphrase="wrong horse")), (master_key, store_keys)
    ):
        try:
            act(slot, shown)
        except EngramError as error:
            told.append("".join(traceback.format_exception(error)))

    secrets = [KEY.key, OTHER.key, recovery.key, master.secret, keys.database, keys.vault]
    hidden = [form for each in secrets for form in (each.hex(), repr(each))]
    for each in [*hidden, text, text.replace("-", ""), "wrong horse"]:
        assert not any(each in line for line in told)
