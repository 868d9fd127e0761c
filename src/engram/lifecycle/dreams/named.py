"""Who and what the statements of one scope name, and where that lies among the meanings."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from engram.lifecycle.dreams.night import Night
from engram.memory.dreams.cards import (
    FEWEST_FOR_PROFILE,
    Mentioned,
    Named,
    centroids,
    entities_named,
)
from engram.memory.record import Memory
from engram.storage.reader import StoreReader

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NAMES_EACH = 20  # of one memory that are looked at, on average


def statements_by_number(see: StoreReader, night: Night) -> dict[int, Memory]:
    """The statements of the scope."""
    return {each.number: each for each in night.statements(see)}


def mentions_in_scope(see: StoreReader, night: Night) -> list[Mentioned]:
    """The names in the statements of the scope; a first name as the full one of its talk."""
    most = night.options.rows_per_pass * _NAMES_EACH
    full = {(each.number, each.name): each.full_name for each in see.entities.short_names()}
    return [
        replace(each, name=full.get((each.number, each.name), each.name))
        for each in see.entities.mentioned_in(night.scope, limit=most)
    ]


def entities_in_scope(
    see: StoreReader, night: Night, *, fewest: int = FEWEST_FOR_PROFILE
) -> tuple[Named, ...]:
    """Everybody and everything that enough statements of the scope name, the most named first."""
    statements = statements_by_number(see, night)
    mentions = mentions_in_scope(see, night)
    decided = see.entities.aliases_around(night.scope)
    return tuple(entities_named(mentions, statements, decided, fewest=fewest))


def entity_centroids(see: StoreReader, night: Night) -> "Mapping[str, NDArray[np.float32]]":
    """The middle of each entity's statements by its key; empty where nothing is embedded."""
    vectors = night.vectors(see)
    return centroids(entities_in_scope(see, night), vectors) if vectors else {}
