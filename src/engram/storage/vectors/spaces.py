"""Spaces: one way of embedding each, of which one answers while another may be filling."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import cast

from engram.errors import StoreCorrupt, VectorRefused
from engram.memory.times import to_micros
from engram.storage.audit_chain import the_row
from engram.storage.database import Row, Transaction

METRIC = "cosine"
_MOST_DIMENSIONS = 65_536  # far more than any model has; beyond it the note is damaged
FAILED_AFTER = 3  # attempts at one text, with an embedder that answers others, before it is failed
_SHED_AT_ONCE = 2_000  # vectors; a writer in another process waits for one such delete at most


class SpaceState(StrEnum):
    """Whether a space answers, is being filled to answer, or is on its way out."""

    ACTIVE = "active"
    FILLING = "filling"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class WantedSpace:
    """The space that the settings ask for."""

    identity: str
    dimension: int | None
    precision: str
    recipe: str  # how its embedder is chosen, without secrets, so that questions can be put to it


@dataclass(frozen=True, slots=True)
class Space:
    """One space as the database has it, with what tells whether a copy of it is up to date."""

    space: int
    identity: str
    dimension: int | None
    metric: str
    precision: str
    state: SpaceState
    recipe: str
    generation: int
    vectors: int
    highest: int
    recoded: int  # how often a vector was kept in other bits than before

    @property
    def sound_dimension(self) -> int:
        """How many numbers its vectors have; refused where that note is missing or damaged."""
        if self.dimension is None or not 0 < self.dimension <= _MOST_DIMENSIONS:
            raise VectorRefused(hint="A space has no sound dimension: run `engram doctor`.")
        return self.dimension


@dataclass(frozen=True, slots=True)
class SpaceFill:
    """How far a space is filled: its vectors, what waits, and what of that was tried in vain."""

    space: Space
    waiting: int
    failed: int


def read_spaces(transaction: Transaction) -> list[Space]:
    """Every space, the one that answers first."""
    return [_space(row) for row in transaction.rows("spaces", {})]


def _space(row: Row) -> Space:
    space, identity, dimension, metric, precision, state, recipe, *counts = row
    try:
        return Space(
            cast(int, space),
            cast(str, identity),
            cast("int | None", dimension),
            cast(str, metric),
            cast(str, precision),
            SpaceState(cast(str, state)),
            cast(str, recipe),
            *cast("list[int]", counts),
        )
    except ValueError:
        raise StoreCorrupt from None


def answering(spaces: list[Space]) -> Space | None:
    """The space that questions are put to."""
    return next((each for each in spaces if each.state is SpaceState.ACTIVE), None)


def with_identity(spaces: list[Space], identity: str) -> Space | None:
    """The space of that identity, whatever its state."""
    return next((each for each in spaces if each.identity == identity), None)


def is_arranged(spaces: list[Space], identity: str) -> bool:
    """Whether the wanted space answers or fills, and nothing else is filling."""
    own = with_identity(spaces, identity)
    others = [each for each in spaces if each is not own and each.state is SpaceState.FILLING]
    return own is not None and own.state is not SpaceState.RETIRED and not others


def ensure_space(transaction: Transaction, wanted: WantedSpace, now: datetime) -> Space:
    """Let the wanted space answer at once if none does, else be filled beside the one that does.

    A space that was filling for other settings retires. One that comes back keeps what it has.
    """
    spaces = read_spaces(transaction)
    own = with_identity(spaces, wanted.identity)
    for each in spaces:
        if each is not own and each.state is SpaceState.FILLING:
            _retire(transaction, each)
    state = SpaceState.ACTIVE if answering(spaces) is None else SpaceState.FILLING
    if own is None:
        number = _insert(transaction, wanted, state, now)
        transaction.run("queue_present_wordings", {"space": number})
    elif own.state is SpaceState.RETIRED:
        transaction.run("set_space_state", {"state": state.value, "space": own.space})
        transaction.run("queue_present_wordings", {"space": own.space})
    found = with_identity(read_spaces(transaction), wanted.identity)
    if found is None:
        raise StoreCorrupt
    return found


def _insert(transaction: Transaction, wanted: WantedSpace, state: SpaceState, now: datetime) -> int:
    return transaction.insert(
        "insert_space",
        {
            "identity": wanted.identity,
            "dimension": wanted.dimension,
            "metric": METRIC,
            "precision": wanted.precision,
            "state": state.value,
            "recipe": wanted.recipe,
            "created_at": to_micros(now),
        },
    )


def _retire(transaction: Transaction, space: Space) -> None:
    transaction.run("drop_pending", {"space": space.space})
    retired = SpaceState.RETIRED.value
    transaction.run("set_space_state", {"state": retired, "space": space.space})


def fill_of(transaction: Transaction, space: Space) -> SpaceFill:
    """How far a space is filled."""
    row = the_row(transaction.rows("pending_count", {"many": FAILED_AFTER, "space": space.space}))
    return SpaceFill(space, cast(int, row[0]), cast(int, row[1]))


def has_pending(transaction: Transaction, space: Space) -> bool:
    """Whether anything waits in a space that is not given up."""
    named = {"space": space.space, "many": FAILED_AFTER}
    return bool(the_row(transaction.rows("has_pending", named))[0])


def take_over(transaction: Transaction, identity: str) -> bool:
    """Let a filling space answer once nothing waits but what failed; the old one retires.

    All in the caller's transaction: a memory written at the same time waits in the queue before
    it, and keeps the space filling, or after it, and is queued for a space that answers.
    """
    spaces = read_spaces(transaction)
    own, old = with_identity(spaces, identity), answering(spaces)
    if own is None or own.state is not SpaceState.FILLING:
        return False
    if has_pending(transaction, own):
        return False
    if old is not None:
        _retire(transaction, old)
    active = SpaceState.ACTIVE.value
    transaction.run("set_space_state", {"state": active, "space": own.space})
    return True


def shed(transaction: Transaction) -> int:
    """Delete some vectors of spaces that retired; returns how many went."""
    for space in read_spaces(transaction):
        if space.state is SpaceState.RETIRED and space.vectors > 0:
            transaction.run("shed_vectors", {"space": space.space, "limit": _SHED_AT_ONCE})
            removed = transaction.changed()
            if not removed:  # some were noted that are not there: the note is put right
                transaction.run("recount_vectors", {})
            return removed
    return 0


def has_sheddable(spaces: list[Space]) -> bool:
    """Whether a space that retired still has vectors."""
    return any(each.state is SpaceState.RETIRED and each.vectors > 0 for each in spaces)
