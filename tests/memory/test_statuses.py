"""The status machine: every pair of statuses is legal exactly when it is listed."""

import itertools

import pytest
from clock import START

from engram.errors import AccessDenied, IllegalTransition, InvalidInput
from engram.memory.scopes import Principal, Scope
from engram.memory.status import (
    LEGAL_MOVES,
    OCCUPYING,
    RECALLABLE,
    check_authority,
    check_move,
    parse_status,
)
from engram.memory.vocabulary import SourceClass, Status
from memory.samples import memory

S = Status
# Written out from design.md, not taken from the code.
LISTED = {
    *((S.PENDING, target) for target in (S.ACTIVE, S.REJECTED, S.ARCHIVED)),
    *itertools.product(
        (S.ACTIVE, S.CHALLENGED, S.STALE),
        (S.SUPERSEDED, S.MERGED, S.INVALIDATED, S.ARCHIVED, S.QUARANTINED),
    ),
    (S.ACTIVE, S.CHALLENGED), (S.CHALLENGED, S.ACTIVE), (S.ACTIVE, S.STALE), (S.STALE, S.ACTIVE),
    (S.CHALLENGED, S.STALE), (S.STALE, S.CHALLENGED), (S.QUARANTINED, S.PENDING),
    (S.QUARANTINED, S.REJECTED), (S.ARCHIVED, S.ACTIVE),
}  # fmt: skip
PEOPLE = [Principal.of(None), Principal.of(Scope("p")), Principal.of(Scope(channel="c", user="u"))]
MACHINES = [
    Principal.of(Scope(agent="a")), Principal.orchestrator(Scope("p")), Principal.anonymous(),
]  # fmt: skip


@pytest.mark.parametrize(("current", "target"), list(itertools.product(Status, Status)))
def test_a_move_is_legal_exactly_when_it_is_listed(current, target):
    if (current, target) in LISTED:
        check_move(current, target)
    else:
        with pytest.raises(IllegalTransition) as caught:
            check_move(current, target)
        assert str(current) in caught.value.hint


def test_the_table_names_every_status():
    assert set(LEGAL_MOVES) == set(Status)
    assert {(a, b) for a, targets in LEGAL_MOVES.items() for b in targets} == LISTED


def test_only_what_stands_is_recallable():
    assert {S.ACTIVE, S.CHALLENGED} == RECALLABLE
    assert RECALLABLE <= OCCUPYING
    assert S.REJECTED in OCCUPYING


def test_every_status_can_be_left_alive_or_is_an_end():
    ends = {status for status, targets in LEGAL_MOVES.items() if not targets}

    assert ends == {S.SUPERSEDED, S.MERGED, S.INVALIDATED, S.REJECTED}


@pytest.mark.parametrize("person", PEOPLE)
@pytest.mark.parametrize("source", list(SourceClass))
@pytest.mark.parametrize("target", list(Status))
def test_people_dispose(person, source, target):
    check_authority(person, _said_by(source), target)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("source", list(SourceClass))
def test_no_machine_approves(machine, source):
    with pytest.raises(AccessDenied):
        check_authority(machine, _said_by(source), S.ACTIVE)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("target", [S.SUPERSEDED, S.MERGED, S.INVALIDATED, S.ARCHIVED, S.REJECTED])
def test_no_machine_retires_what_a_person_said(machine, target):
    with pytest.raises(AccessDenied):
        check_authority(machine, _said_by(SourceClass.PERSON), target)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_machine_may_dispute_anything(machine):
    for source in SourceClass:
        check_authority(machine, _said_by(source), S.CHALLENGED)


@pytest.mark.parametrize("machine", MACHINES)
def test_no_machine_retires_what_a_person_approved(machine):
    approved = memory(source_class=SourceClass.AGENT, last_verified_at=START)

    with pytest.raises(AccessDenied):
        check_authority(machine, approved, S.ARCHIVED)


def _said_by(source: SourceClass):
    return memory(source_class=source)


def test_a_status_is_read_by_its_name():
    assert [parse_status(status.value) for status in Status] == list(Status)
    for bad in ("nonsense", "", "Active", None, 5):
        with pytest.raises(InvalidInput):
            parse_status(bad)
