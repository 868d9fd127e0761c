"""Finds rows in which the name of somebody stands, and takes it out of those that stay."""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import cast

from engram.memory.entities.templates import INFERRED_KEYS
from engram.memory.name_search import HoldsName, NameSearch, readable
from engram.memory.people import Person
from engram.storage.database import Row, Transaction, Value
from engram.storage.vault import blob_in

_NO_SCOPE: dict[str, Value] = {}


def numbers_that_name(
    transaction: Transaction, seen: Mapping[str, Value], search: NameSearch
) -> set[int]:
    """The visible memories that have a name in a text of theirs, sealed ones too."""
    found: set[int] = set()
    for number, content, metadata, *texts in transaction.rows("named_wordings", seen):
        told = [content, _beside(content, metadata), *texts]
        if number not in found and _is_in_one(told, search):
            found.add(cast(int, number))
    for number, *texts in transaction.rows("named_details", seen):
        if number not in found and _is_in_one(texts, search):
            found.add(cast(int, number))
    return found


def _beside(content: Value, metadata: Value) -> Value:
    """The metadata without what was read off the content, which is searched itself: of "ada okafor"
    it may hold "ada" alone."""
    if not isinstance(content, str) or not isinstance(metadata, str) or metadata == "{}":
        return metadata
    said, kept = content.casefold(), json.loads(metadata)
    for key in INFERRED_KEYS & kept.keys():
        if isinstance(kept[key], list):
            kept[key] = [each for each in kept[key] if str(each).casefold() not in said]
    return json.dumps(kept, ensure_ascii=False)


def _is_in_one(texts: list[Value], search: NameSearch) -> bool:
    return any(search.stands_in(readable(each)) for each in texts if isinstance(each, str) and each)


def blank_names(transaction: Transaction, holds: HoldsName) -> int:
    """Take a name out of what is kept beside memories that stay; how many rows had it."""
    count = 0
    for query, change in (
        ("reasons_given", "blank_reason"),
        ("decisions_explained", "blank_decision"),
        ("questions_judged", "blank_question"),
        ("requests_under_keys", "erase_request"),
    ):
        for scope, key, second, *texts in transaction.rows(query, _NO_SCOPE):
            if _any_holds(texts, str(scope), holds):
                transaction.run(change, {"scope": scope, "key": key, "second": second})
                count += 1
    return count + _drop_evidence(transaction, holds)


def _drop_evidence(transaction: Transaction, holds: HoldsName) -> int:
    """Confirmations that name somebody go; what they confirmed stays, and counts them no more."""
    numbers = set()
    count = 0
    for scope, number, change_id, *texts in transaction.rows("evidence_given", _NO_SCOPE):
        if _any_holds(texts, str(scope), holds):
            transaction.run("erase_evidence", {"number": number, "change_id": change_id})
            numbers.add(cast(int, number))
            count += 1
    if numbers:
        listed: dict[str, Value] = {"numbers": f"[{','.join(map(str, sorted(numbers)))}]"}
        transaction.run("recount_confirmations", listed)
    return count


def _any_holds(texts: list[Value], scope: str, holds: HoldsName) -> bool:
    return any(holds(readable(each), scope) for each in texts if isinstance(each, str) and each)


def is_name_left(transaction: Transaction, holds: HoldsName) -> bool:
    """Whether a name stands where an erasure cannot take it out: in that of a scope, a key, …"""
    return any(
        holds(str(text), str(scope)) for scope, text in transaction.rows("names_given", _NO_SCOPE)
    )


def people_behind_listed(transaction: Transaction, numbers: Collection[int]) -> set[Person]:
    """On whose keys some memories hang, as far as they are named."""
    listed: dict[str, Value] = {"numbers": f"[{','.join(map(str, sorted(numbers)))}]"}
    return _people(transaction, transaction.rows("seals_of_listed", listed))


def nobodys(transaction: Transaction, people: set[Person]) -> list[Person]:
    """Those of some persons on whose keys nothing hangs any more: only their names are left."""
    if not people:
        return []
    return sorted(people - _people(transaction, transaction.rows("seals_kept", _NO_SCOPE)))


def _people(transaction: Transaction, rows: Iterable[Row]) -> set[Person]:
    vault = transaction.vault()
    blobs = (blob_in(row[0]) for row in rows)
    return {each for blob in blobs if blob for each in vault.people_of(blob) if each.name}
