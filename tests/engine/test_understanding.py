"""What `remember` reads off a statement: names, times, tags, feeling, surprise; and filters."""

import pytest

from engram import Engram
from engram.errors import ConfigInvalid, InvalidInput
from engram.memory.vocabulary import Status

AT = "2026-03-04T09:30:00+00:00"


def test_a_statement_carries_what_it_names(engram):
    memory = engram.remember(
        "Noor Haddad moved our PostgreSQL cluster to Lisbon on 2026-02-11.", at=AT
    ).memory

    assert "Noor Haddad" in memory.metadata["people"]
    assert memory.metadata["technologies"] == ["PostgreSQL"]
    assert memory.metadata["dates"] == ["2026-02-11"]
    assert "postgresql" in memory.metadata["tags"]


def test_what_the_caller_says_stands(engram):
    memory = engram.remember(
        "We run PostgreSQL.", metadata={"tags": ["core"], "team": "data"}, importance=0.2
    ).memory

    assert (memory.metadata["tags"], memory.metadata["team"]) == (["core"], "data")
    assert memory.base_importance == 0.2


def test_a_statement_tells_how_it_feels(engram):
    glad = engram.remember("I love the new kitchen, it is wonderful!").memory
    plain = engram.remember("The kitchen has two windows.").memory

    assert glad.valence > 0
    assert glad.arousal > plain.arousal == 0


def test_the_first_of_its_sort_is_more_surprising_than_one_like_it(engram):
    first = engram.remember("The blue kettle in the staff kitchen leaks at its handle.").memory
    again = engram.remember("The blue kettle in the staff kitchen leaks at its spout.").memory

    assert first.surprise > again.surprise
    assert first.base_importance > again.base_importance


def test_a_filter_matches_a_member_of_a_list(engram):
    both = engram.remember("Tile samples.", metadata={"tags": ["roof", "wall"]}).memory
    one = engram.remember("Paint samples.", metadata={"tags": ["wall"]}).memory
    engram.remember("Screws.", metadata={"tags": "wallpaper"})

    def found(**wanted):
        return {each.id for each in engram.list(metadata=wanted)}

    assert found(tags="wall") == {both.id, one.id}
    assert found(tags=["wall", "roof"]) == {both.id}
    assert found(tags="roo") == found(tags=[]) == found(tags=None, other="x") == set()
    hits = engram.recall("samples", filters={"metadata": {"tags": "roof"}})
    assert {hit.memory.id for hit in hits} == {both.id}
    assert engram.why("samples", both.id).recalled


def test_a_null_is_no_member_of_a_list(engram):
    engram.remember("Tile samples.", metadata={"shelf": ["a"]})

    assert engram.list(metadata={"shelf": None}) == []


def test_a_new_wording_is_read_anew_and_keeps_what_was_given(engram):
    memory = engram.remember("Ines Prado looks after Redis.", metadata={"team": "data"}).memory

    revised = engram.revise(memory.id, "Tomas Weil looks after PostgreSQL.")

    assert revised.metadata["people"] == ["Tomas Weil"]
    assert revised.metadata["technologies"] == ["PostgreSQL"]
    assert revised.metadata["team"] == "data"


def test_a_secret_that_is_masked_stays_out_of_the_metadata(open_store):
    engram = open_store(settings={"capture": {"secrets": "mask"}})
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"

    memory = engram.remember(f"Fetch https://example.org/x?token={secret} with curl.").memory

    assert secret not in memory.content + repr(dict(memory.metadata))


def test_metadata_that_fill_all_room_are_kept_as_given(engram):
    given = {"note": "n" * 8_170}

    assert engram.remember("Ines Prado looks after Redis.", metadata=given).memory.metadata == given


def test_a_template_of_the_settings_is_read_off_every_statement(open_store):
    engram = open_store(settings={"templates": {"ticket": "[A-Z]+-[0-9]+"}})

    engram.remember("The fix for OPS-731 is out.")
    engram.observe("I closed OPS-900 on Monday, the printer works again.", speaker="Bo")
    engram.flush()

    assert [each.content for each in engram.list(metadata={"ticket": "OPS-731"})] == [
        "The fix for OPS-731 is out."
    ]
    assert engram.list(metadata={"ticket": "OPS-900"})


@pytest.mark.parametrize(
    "templates",
    [{"people": "a"}, {"tags": "a"}, {"Ticket": "a"}, {"ticket": 5}, {"ticket": "(?=a)"}],
)
def test_a_template_that_cannot_be_is_refused_when_the_store_is_opened(templates):
    with pytest.raises(ConfigInvalid):
        Engram.open(":memory:", settings={"templates": templates})


def test_a_memory_has_a_horizon_of_its_own(engram, clock):
    brief = engram.remember("The lift is out of order.", horizon="2d").memory
    lasting = engram.remember("The lift was built in 1987.", horizon="never").memory
    clock.advance(days=3)

    assert engram.get(brief.id).status is Status.STALE
    clock.advance(days=4_000)
    assert engram.get(lasting.id).status is Status.ACTIVE
    with pytest.raises(InvalidInput):
        engram.remember("The lift is slow.", horizon="soon")


def test_saying_it_again_restarts_the_horizon_and_undo_takes_that_back(engram, clock):
    memory = engram.remember("The linter is ruff.", category="tooling").memory  # 180 days
    clock.advance(days=170)
    again = engram.remember("The linter is ruff.", category="tooling")
    clock.advance(days=170)

    assert again.kind == "confirmed"
    assert engram.get(memory.id).status is Status.ACTIVE
    assert engram.recall("linter")[0].memory.id == memory.id
    engram.undo(again.change_id)
    assert engram.get(memory.id).status is Status.STALE


def test_what_is_said_again_in_a_conversation_restarts_the_horizon(engram, clock):
    engram.observe("I keep the spare key under the fern.", speaker="Ada", session="one")
    engram.flush()
    (memory,) = [each for each in engram.list() if each.category != "turn"]
    clock.advance(days=300)
    engram.observe("I keep the spare key under the fern.", speaker="Ada", session="two")
    engram.flush()
    clock.advance(days=300)

    assert engram.get(memory.id).status is Status.ACTIVE
