"""The names that stand in memories, and what was decided about them."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from engram.memory.categories import TURN
from engram.memory.ids import ChangeId
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.storage.database import Row, Transaction, Value, stored_time
from engram.storage.rows import memory_from_row, scope_at

if TYPE_CHECKING:
    from engram.memory.dreams.cards import Mentioned
    from engram.memory.entities.profile import NameCount, ShortName

_MOST_SHORT_NAMES = 50_000
_MOST_NAMES = 5_000


@dataclass(frozen=True, slots=True)
class Alias:
    """A decision that a name means an entity."""

    scope: Scope
    name: str
    entity: str
    withdrawn_by: ChangeId | None = None


class EntityReader:
    """Names seen through one caller's reach."""

    def __init__(self, transaction: Transaction, reach: Mapping[str, Value]) -> None:
        self._transaction = transaction
        self._reach = reach

    def names(self, *, limit: int = _MOST_NAMES) -> "list[NameCount]":
        """The names in memories in sight, the most frequent first."""
        from engram.language.names.kinds import EntityType
        from engram.memory.entities.profile import NameCount

        return [
            NameCount(
                cast(str, name), cast(str, surface), EntityType(cast(str, sort)),
                cast(int, count), stored_time(first), stored_time(last),
            )
            for name, surface, sort, count, first, last
            in self._rows("mentioned_names", {"limit": limit})
        ]  # fmt: skip

    def short_names(self) -> "list[ShortName]":
        """First names alone, each with the full name nearest to it in the same talk.

        A name that something was decided about means that and nothing else.
        """
        from engram.memory.entities.profile import ShortName

        decided = self.aliases()
        return [
            ShortName(
                cast(int, number), cast(str, name), cast(str, full_name), cast(str, surface),
                stored_time(at),
            )
            for number, name, full_name, surface, at
            in self._rows("short_names", {"limit": _MOST_SHORT_NAMES})
            if name not in decided
        ]  # fmt: skip

    def naming(
        self, names: Collection[str], *, limit: int, short: "Iterable[ShortName]" = ()
    ) -> list[Memory]:
        """The memories in which one of these names stands, newest first.

        `short` are first names alone that mean somebody in their talk.
        """
        short = [each for each in short if (each.name in names) != (each.full_name in names)]
        otherwise = [f"{each.number} {each.name}" for each in short if each.name in names]
        here = [each.number for each in short if each.full_name in names]
        given: dict[str, Value] = {
            "names": _listed(names), "limit": limit,
            "meant_otherwise": _listed(otherwise), "meant_here": json.dumps(here),
        }  # fmt: skip
        return [memory_from_row(row) for row in self._rows("memories_naming", given)]

    def beside(self, names: Collection[str], *, limit: int) -> list[tuple[str, int]]:
        """The names that stand in the same memories, as written, with how often."""
        found = self._rows("names_beside", {"names": _listed(names), "limit": limit})
        return [(cast(str, row[1]), cast(int, row[3])) for row in found]

    def aliases(self) -> dict[str, str]:
        """Which entity each name was decided to mean; what is decided nearer goes before."""
        return {cast(str, row[0]): cast(str, row[1]) for row in self._rows("standing_aliases", {})}

    def aliases_around(self, scope: Scope) -> dict[str, str]:
        """Which entity each name was decided to mean in a scope or in one around it.

        Whoever sees the scope sees those too, so that a dream, which looks at one scope alone,
        does not decide against what holds in it from outside.
        """
        chain = _listed([each.path for each in scope.chain()])
        rows = self._rows("aliases_around", {"chain": chain, "scope": scope.path})
        return {cast(str, row[0]): cast(str, row[1]) for row in rows}

    def mentioned_in(self, scope: Scope, *, limit: int) -> "list[Mentioned]":
        """The names that stand in the statements of a scope, by number."""
        from engram.language.names.kinds import EntityType
        from engram.memory.dreams.cards import Mentioned

        return [
            Mentioned(
                cast(int, number), cast(str, name), cast(str, surface), EntityType(cast(str, sort))
            )
            for number, name, surface, sort
            in self._rows("names_in_statements", {"scope": scope.path, "limit": limit})
        ]  # fmt: skip

    def decided_in(self, scope: Scope, name: str) -> str | None:
        """Who made the decision about a name that stands in a scope."""
        found = self._rows("alias_decided_by", {"scope": scope.path, "name": name})
        return cast(str, found[0][0]) if found else None

    def decided_by(self, change_id: ChangeId) -> list[Alias]:
        """What a change decided; whether its memories are in sight is checked elsewhere."""
        rows = self._transaction.rows("aliases_of_change", {"change_id": change_id})
        return [
            Alias(
                scope_at(cast(str, scope)), cast(str, name), cast(str, entity),
                cast("ChangeId | None", withdrawn_by),
            )
            for scope, name, entity, withdrawn_by in rows
        ]  # fmt: skip

    def _rows(self, query: str, parameters: Mapping[str, Value]) -> list[Row]:
        return self._transaction.rows(query, {**self._reach, **parameters})


def keep_mentions(transaction: Transaction, memory: Memory) -> None:
    """Keep which names stand in a memory's present wording, and who speaks of themselves in it."""
    # Imported here: who only reads never loads the rules of names.
    from engram.language.names.keys import tells_of_speaker
    from engram.language.names.mentions import EntityType, find_mentions, key_of

    if memory.version > 1:
        transaction.run("drop_mentions", {"number": memory.number})
    people = [memory.speaker] if memory.speaker else []
    for each in find_mentions(memory.content, people=people):
        transaction.run("keep_mention", (memory.number, each.key, each.surface, each.type.value))
    if not memory.speaker or memory.category == TURN:
        return
    if tells_of_speaker(memory.content, memory.speaker, memory.subject):
        named = (memory.number, key_of(memory.speaker), memory.speaker, EntityType.PERSON.value)
        transaction.run("keep_mention", named)


def decide_alias(transaction: Transaction, change_id: ChangeId, alias: Alias, how: str) -> None:
    """Keep a decision about a name; an earlier one of the same scope gives way to it."""
    transaction.run(
        "end_alias", {"change_id": change_id, "scope": alias.scope.path, "name": alias.name}
    )
    transaction.run(
        "insert_alias",
        {
            "change_id": change_id,
            "scope": alias.scope.path,
            "name": alias.name,
            "entity": alias.entity,
            "how": how,
        },
    )


def withdraw_decision(transaction: Transaction, made_by: ChangeId, withdrawn_by: ChangeId) -> None:
    """Take back what a change decided; what gave way to it stands again."""
    transaction.run("withdraw_alias", {"withdrawn_by": withdrawn_by, "change_id": made_by})
    transaction.run("restore_ended_aliases", {"change_id": made_by})


def renew_decision(transaction: Transaction, made_by: ChangeId, aliases: Collection[Alias]) -> None:
    """Make again what was taken back."""
    for each in aliases:
        transaction.run(
            "end_alias", {"change_id": made_by, "scope": each.scope.path, "name": each.name}
        )
    transaction.run("withdraw_alias", {"withdrawn_by": None, "change_id": made_by})


def _listed(names: Collection[str]) -> str:
    return json.dumps(list(names))
