"""Takes every row of some memories away, and rewrites what could tell of them elsewhere."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from engram.errors import StoreCorrupt
from engram.memory.erasure import ErasedKind, Erasure, ErasureState, Remains
from engram.memory.ids import ChangeId
from engram.memory.name_search import HoldsName, readable
from engram.memory.times import to_micros
from engram.storage.audit_chain import the_row
from engram.storage.database import Row, Transaction, Value, stored_time
from engram.storage.doomed import Doomed, IsNamed
from engram.storage.knowledge import rewrite_beliefs
from engram.storage.named_rows import blank_names
from engram.storage.rows import memory_from_row, numbers_from_text

# In this order: what is looked up through a row goes before that row.
_BY_NUMBER = {
    "text_index": "erase_index_lines",
    "skill_runs": "erase_runs",
    "usage": "erase_usage",
    "digest_salts": "erase_salts",
    "confirmations": "erase_confirmations",
    "feedback": "erase_feedback",
    "tier_moves": "erase_tier_moves",
    "sealed_identities": "erase_sealed_identities",
    "links": "erase_links",
    "sources": "erase_sources",
    "unread_turns": "erase_unread_turns",
    "pending_verdicts": "erase_pending_verdicts",
    "mentions": "erase_mentions",
    "traits": "erase_traits",
    "pending_traits": "erase_pending_traits",
    "vectors": "erase_vectors",
    "pending_vectors": "erase_pending_vectors",
    "box_members": "erase_box_members",
    "idempotency": "erase_requests",
    "rehearsals": "erase_rehearsals",
    "episodes": "erase_episodes",
    "episode_events": "erase_events",
    "edges": "erase_edges",
    "edge_sayings": "erase_sayings",
    "skills": "erase_skills",
}
_BLANKED = ("erase_successors", "erase_evidence_of_merged", "blank_reasons", "blank_decisions")
_GAP = "gap"
Tells = Callable[[str], bool]  # whether a text tells something that must be gone


@dataclass(frozen=True, slots=True)
class Erased:
    """How many rows of each table went."""

    counts: Mapping[str, int]


def erase_rows(
    transaction: Transaction,
    numbers: Collection[int],
    scopes: Collection[str],
    *,
    ids: Collection[str],
    is_named: IsNamed = lambda _name, _scope: False,
    tells: Tells = lambda _text: False,
    holds_name: HoldsName = lambda _text, _scope: False,
) -> dict[str, int]:
    """Take all rows of some memories away; how many of each table.

    Of rows that stay the name of the person is taken out: `holds_name` finds it.
    What sums memories up goes when one of them is erased, when it is about the person, or when its
    words tell something that must be gone: it can be made again of what stays.
    """
    counts: Counter[str] = Counter()
    listed: dict[str, Value] = {"numbers": f"[{','.join(map(str, sorted(numbers)))}]"}
    boxes = [row[0] for row in transaction.rows("boxes_of_listed", listed)]
    nodes = {(row[0], row[1]) for row in transaction.rows("nodes_of_listed", listed)}
    for query in _BLANKED:
        transaction.run(query, listed)
    for table, query in _BY_NUMBER.items():
        counts[table] += _run(transaction, query, listed)
    counts["states"] += _run(transaction, "erase_states", listed)
    counts["aliases"] += _erase_aliases(transaction, is_named)
    counts["nodes"] += _erase_nodes(transaction, nodes, is_named)
    counts["names"] += blank_names(transaction, holds_name)
    # From here on only what stays is there, so that `tells` can ask for it.
    says = _Says(is_named, tells, holds_name)
    counts["artefacts"] += _erase_artefacts(transaction, set(numbers), says)
    counts["working_snapshots"] += _erase_snapshots(transaction, ids, says)
    in_boxes: dict[str, Value] = {"boxes": json.dumps(boxes)}
    transaction.run("blank_boxes", in_boxes)
    counts["boxes"] += _run(transaction, "erase_boxes", in_boxes)
    transaction.run("blank_findings", {"scopes": json.dumps(sorted(scopes))})
    counts["memories"] = len(set(numbers)) if counts["states"] else 0
    return {table: count for table, count in counts.items() if count}


@dataclass(frozen=True, slots=True)
class _Says:
    """Whether something that was made of memories must go for what it says."""

    is_named: IsNamed
    tells: Tells
    holds_name: HoldsName

    def __call__(self, text: str, scope: str) -> bool:
        return self.tells(text) or self.holds_name(readable(text), scope)


def _run(transaction: Transaction, query: str, parameters: Mapping[str, Value]) -> int:
    transaction.run(query, parameters)
    return transaction.changed()


def _erase_artefacts(transaction: Transaction, numbers: set[int], says: _Says) -> int:
    count = 0
    for artefact, scope, key, sources, kind, name, text, body in transaction.rows(
        "all_artefacts", {}
    ):
        said = " ".join((str(name), str(text), str(body)))
        is_of_them = not numbers.isdisjoint(numbers_from_text(sources))
        if not (is_of_them or says.is_named(str(name), str(scope)) or says(said, str(scope))):
            continue
        count += _run(transaction, "erase_artefact", {"artefact": artefact})
        if kind == _GAP:
            transaction.run("erase_questions", {"scope": scope, "gap": key})
    return count


def _erase_snapshots(transaction: Transaction, ids: Collection[str], says: _Says) -> int:
    """Minds that hold an erased memory or its words; one that cannot be read goes too."""
    count = 0
    for holder, scope, session, body in transaction.rows("all_snapshots", {}):
        text = str(body)
        if text and not says(text, str(scope)) and not any(each in text for each in ids):
            continue
        key: dict[str, Value] = {"holder": holder, "scope": scope, "session": session}
        count += _run(transaction, "erase_snapshot", key)
    return count


def _erase_aliases(transaction: Transaction, is_named: IsNamed) -> int:
    count = 0
    for change_id, kept_as, scope, name, entity in transaction.rows("all_aliases", {}):
        if is_named(str(name), str(scope)) or is_named(str(entity), str(scope)):
            row: dict[str, Value] = {"change_id": change_id, "name": kept_as}
            count += _run(transaction, "erase_alias", row)
    return count


def _erase_nodes(
    transaction: Transaction, ends: set[tuple[Value, Value]], is_named: IsNamed
) -> int:
    """Those at an end of an erased belief, and the person's own, once nothing is said of them."""
    named = {
        (id_, scope)
        for id_, scope, name in transaction.rows("all_nodes", {})
        if is_named(str(name), str(scope))
    }
    count = 0
    for id_, scope in sorted(ends | named, key=str):
        node: dict[str, Value] = {"id": id_, "scope": scope}
        gone = _run(transaction, "erase_node", node)
        count += gone
        # A name that stays may be sealed under keys that end now: it is sealed as what says it.
        for row in () if gone else transaction.rows("belief_at_node", node):
            rewrite_beliefs(transaction, memory_from_row(row))
    return count


def erase_confirmations(
    transaction: Transaction,
    seen: Mapping[str, Value],
    kind: ErasedKind,
    value: str,
    confirmed: Collection[int],
) -> int:
    """Take away what a source or a session confirmed of memories that stay."""
    if not confirmed:
        return 0
    query = f"erase_confirmations_of_{kind.value}"
    count = _run(transaction, query, {**seen, "value": value})
    listed: dict[str, Value] = {"numbers": f"[{','.join(map(str, confirmed))}]"}
    transaction.run("recount_confirmations", listed)
    return count


@dataclass(frozen=True, slots=True)
class Begun:
    """An erasure whose rows are gone."""

    id: str
    at: datetime
    kind: ErasedKind
    actor: str
    scope: str
    change_id: ChangeId


def note_begun(
    transaction: Transaction, begun: Begun, doomed: Doomed, counts: Mapping[str, int]
) -> None:
    """Write down that an erasure has begun, and which numbers and ids it took."""
    transaction.run(
        "insert_erasure",
        {
            "id": begun.id, "at": to_micros(begun.at), "kind": begun.kind.value,
            "actor": begun.actor, "scope": begun.scope, "change_id": begun.change_id,
            "counts": json.dumps(dict(counts), sort_keys=True),
        },
    )  # fmt: skip
    for each in doomed.places:
        transaction.run("keep_erased", (each.number, each.id, begun.id))


def note_end(
    transaction: Transaction,
    erasure: str,
    remains: Collection[Remains],
    now: datetime,
    certificate: Mapping[str, object] | None,
) -> None:
    """Write down what an erasure came to: proven when nothing remains."""
    state = ErasureState.PENDING if remains else ErasureState.PROVEN
    transaction.run(
        "end_erasure",
        {
            "id": erasure, "state": state.value, "finished_at": to_micros(now),
            "remains": json.dumps([[each.place, each.what] for each in remains]),
            "certificate": json.dumps(certificate, sort_keys=True) if certificate else None,
        },
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class KeptErasure:
    """An erasure as its row has it."""

    erasure: Erasure
    actor: str
    scope: str


def erasures(transaction: Transaction) -> list[KeptErasure]:
    """All erasures of the store, oldest first."""
    return [_kept(row) for row in transaction.rows("erasures", {})]


def _kept(row: Row) -> KeptErasure:
    id_, at, kind, actor, scope, change_id, state, counts, remains, _finished, signed = row
    try:
        erasure = Erasure(
            id=str(id_), at=stored_time(at), kind=ErasedKind(str(kind)),
            state=ErasureState(str(state)), counts=json.loads(str(counts)),
            remains=tuple(Remains(*each) for each in json.loads(str(remains))),
            change_id=ChangeId(str(change_id)),
            certificate=json.loads(str(signed)) if signed is not None else None,
        )  # fmt: skip
    except (ValueError, TypeError):
        raise StoreCorrupt from None
    return KeptErasure(erasure, str(actor), str(scope))


def erased_by(transaction: Transaction, erasure: str) -> tuple[list[int], list[str]]:
    """The numbers and the ids that an erasure took."""
    rows = transaction.rows("erased_by", {"erasure": erasure})
    return [cast(int, row[0]) for row in rows], [str(row[1]) for row in rows]


def was_erased(transaction: Transaction, numbers: Collection[int]) -> bool:
    """Whether one of some memories was erased."""
    listed: dict[str, Value] = {"numbers": f"[{','.join(map(str, numbers))}]"}
    return bool(transaction.rows("was_erased", listed))


def erasure_count(transaction: Transaction) -> int:
    """How many erasures there were: when it grows, what is held in memory is forgotten."""
    return cast(int, the_row(transaction.rows("erasure_count", {}))[0])
