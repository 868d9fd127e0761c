"""The status machine: one table of legal moves, and who may make them."""

from engram.errors import AccessDenied, IllegalTransition, InvalidInput
from engram.memory.record import Memory
from engram.memory.scopes import Principal
from engram.memory.vocabulary import Status

_S = Status
_LIVE_MOVES = frozenset({_S.SUPERSEDED, _S.MERGED, _S.INVALIDATED, _S.ARCHIVED})

LEGAL_MOVES: dict[Status, frozenset[Status]] = {
    _S.PENDING: frozenset({_S.ACTIVE, _S.REJECTED, _S.ARCHIVED}),
    _S.ACTIVE: _LIVE_MOVES | {_S.CHALLENGED, _S.STALE, _S.QUARANTINED},
    _S.CHALLENGED: _LIVE_MOVES | {_S.ACTIVE, _S.STALE, _S.QUARANTINED},
    _S.STALE: _LIVE_MOVES | {_S.ACTIVE, _S.CHALLENGED, _S.QUARANTINED},
    _S.QUARANTINED: frozenset({_S.PENDING, _S.REJECTED}),
    _S.ARCHIVED: frozenset({_S.ACTIVE}),
    # What was replaced or refuted comes back only by undoing that decision.
    _S.SUPERSEDED: frozenset(),
    _S.MERGED: frozenset(),
    _S.INVALIDATED: frozenset(),
    _S.REJECTED: frozenset(),
}

RECALLABLE = frozenset({_S.ACTIVE, _S.CHALLENGED})
IN_FORCE = RECALLABLE | {_S.STALE}  # nobody has retired or refused it
REVISABLE = IN_FORCE | {_S.PENDING}
# A second memory with the same text is not written beside one of these.
OCCUPYING = frozenset({_S.PENDING, _S.ACTIVE, _S.CHALLENGED, _S.STALE, _S.QUARANTINED, _S.REJECTED})


def parse_status(value: Status | str) -> Status:
    """The status of that name, or a refusal that lists them."""
    try:
        return Status(value)
    except ValueError:
        raise InvalidInput(hint=f"Status is one of: {', '.join(Status)}.") from None


def check_move(current: Status, target: Status) -> None:
    """Refuse a move that the table does not list."""
    if target not in LEGAL_MOVES[current]:
        allowed = ", ".join(sorted(LEGAL_MOVES[current])) or "nowhere; undo the last change instead"
        raise IllegalTransition(hint=f"From {current} it can go to: {allowed}.")


def check_authority(principal: Principal, memory: Memory, target: Status) -> None:
    """Agents propose, people dispose: only a person decides, or takes away what one said."""
    if principal.is_person:
        return
    if target in (Status.ACTIVE, Status.REJECTED):
        raise AccessDenied(hint="Only a person can approve, reject, restore or verify a memory.")
    if target is not Status.CHALLENGED:
        check_rewording(principal, memory)


def check_rewording(principal: Principal, memory: Memory) -> None:
    """What a person said or approved is not reworded or retired by an agent."""
    if memory.is_vouched_for and not principal.is_person:
        raise AccessDenied(
            hint="A person stands behind this; an agent can dispute it (status `challenged`)."
        )
