"""Long-term memory for LangGraph: a `BaseStore` whose items are memories of Engram.

An item is one memory: a sentence that tells its namespace, its key and its value, so that it can be
read wherever it is recalled. Putting revises it, deleting retires it; nothing is destroyed,
`history` and `undo` work as for any memory. Needs the extra `langgraph`.
"""

import asyncio
import hashlib
import json
import re
import threading
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TypeGuard

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    validate_op_namespace,
)

from engram import AsyncEngram, Engram, Scope
from engram.errors import ContentTooLarge, InvalidInput, StatementTaken
from engram.integrations.opened import opened
from engram.memory.fencing import RULES, block, harmless
from engram.memory.record import Memory, Metadata, MetadataValue
from engram.memory.vocabulary import Status

Namespace = tuple[str, ...]

_KEY, _DEPTH, _SEARCHED, _SINCE = (
    "langgraph_key", "langgraph_depth", "langgraph_searched", "langgraph_since",
)  # fmt: skip
_LABEL = "langgraph_{}"  # the labels of a namespace, one by one: prefixes are asked for by them
_SOURCE = "tool:langgraph"
_GONE = frozenset({Status.ARCHIVED, Status.REJECTED, Status.QUARANTINED, Status.INVALIDATED})
_REVISABLE = frozenset({Status.ACTIVE, Status.CHALLENGED, Status.STALE, Status.PENDING})
_MOST = 100_000  # items that are looked through
_MOST_RANKED = 1_000  # finds that are filtered by their values
_NAME_LENGTH = 200
_TEXT = "text"  # the field that most items have, and have alone
_NUMBERED = re.compile(r"[0-9a-fA-F-]{16,}")  # a key that a program made up tells nothing


def told(items: Iterable[Item]) -> str:
    """What a search found as a model may read it: data, between marks that no word of it can close,
    and the rules for that; empty when nothing was found."""
    lines = (f"- {harmless(_sentence(each.namespace, each.key, each.value))}" for each in items)
    fenced = block(lines, about="from memory")
    return f"{RULES}\n\n{fenced}" if fenced else ""


class EngramStore(BaseStore):
    """A LangGraph store that remembers. Safe to use from any number of threads."""

    supports_ttl = False  # what is no longer needed fades from recall by itself

    def __init__(
        self,
        engram: Engram | AsyncEngram,
        *,
        scope: Scope | None = None,
        category: str | None = None,
    ) -> None:
        self._engram = opened(engram)
        self._scope = scope
        self._place = self._engram.principal.write_scope(scope)
        self._category = category
        self._writing = threading.Lock()  # a put looks first; two at once would make two items

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do all of it in order; a read sees what was put before it."""
        return [self._done(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same, while the event loop goes on."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _done(self, op: Op) -> Result:
        validate_op_namespace(op)
        match op:
            case GetOp(namespace, key):
                found = self._find(namespace, key)
                return _item(found) if found is not None else None
            case PutOp(namespace, key, None):
                self._delete(namespace, key)
                return None
            case PutOp(namespace, key, value, index):
                self._put(namespace, key, value or {}, is_searched=index is not False)
                return None
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._namespaces(op)
        raise InvalidInput(hint="An operation of another kind is not known to this store.")

    # One item

    def _find(self, namespace: Namespace, key: str) -> Memory | None:
        wanted = {**_labels(namespace), _DEPTH: len(namespace), _KEY: key}
        found = self._listed(wanted)
        return found[0] if found and found[0].status not in _GONE else None

    def _listed(self, wanted: Metadata) -> list[Memory]:
        """Items of any status, newest first; those of scopes around this one are none of it."""
        found = self._engram.list(limit=_MOST, status="any", scope=self._scope, metadata=wanted)
        return [each for each in found if self._is_ours(each)]

    def _is_ours(self, memory: Memory) -> bool:
        return memory.scope == self._place and _KEY in memory.metadata

    def _put(
        self, namespace: Namespace, key: str, value: Mapping[str, object], *, is_searched: bool
    ) -> None:
        text = self._written(namespace, key, value)
        with self._writing:
            known = self._find(namespace, key)
            if known is None:
                self._remember(namespace, key, text, is_searched=is_searched)
            elif not self._revised(known, text, is_searched=is_searched):
                self._forget(known, "Put anew.")
                since = _created(known)
                self._remember(namespace, key, text, is_searched=is_searched, since=since)

    def _revised(self, known: Memory, text: str, *, is_searched: bool) -> bool:
        """Whether the item could take its next value as it is."""
        if _is_searched(known) is not is_searched or known.status not in _REVISABLE:
            return False
        if text == known.content:
            return True
        try:
            revised = self._engram.revise(
                known.id, text, reason="Put by LangGraph.", scope=self._scope
            )
        except StatementTaken:
            return False
        self._check_kept(revised, text)
        return True

    def _check_kept(self, memory: Memory, text: str) -> None:
        """Take back a value that no longer has its form: what it held was masked."""
        if not _is_alike(memory, text):
            self._engram.undo(memory.change_id, reason="No longer whole.", scope=self._scope)
            raise InvalidInput(hint="The item was not kept: it holds a secret.")

    def _remember(
        self,
        namespace: Namespace,
        key: str,
        text: str,
        *,
        is_searched: bool,
        since: datetime | None = None,
    ) -> None:
        metadata: dict[str, MetadataValue] = {
            **_labels(namespace), _DEPTH: len(namespace), _KEY: key, _SEARCHED: is_searched,
        }  # fmt: skip
        if since is not None:
            metadata[_SINCE] = since.isoformat()
        outcome = self._engram.remember(
            text,
            category=self._category,
            # Whose it is and which: two items of the same value are two memories.
            speaker=_name("/".join(namespace)),
            subject=_name(key),
            source=_SOURCE,
            metadata=metadata,
            pinned=self._engram.principal.may_curate,  # what has a key is not to fade
            scope=self._scope,
        )
        if outcome.kind == "refused":
            raise InvalidInput(hint=f"The item was not kept: {outcome.reason}.")
        self._check_kept(outcome.memory, text)

    def _delete(self, namespace: Namespace, key: str) -> None:
        with self._writing:
            known = self._find(namespace, key)
            if known is not None:
                self._forget(known, "Deleted by LangGraph.")

    def _forget(self, memory: Memory, reason: str) -> None:
        if memory.status in _REVISABLE:
            self._engram.forget(memory.id, reason=reason, scope=self._scope)

    def _written(self, namespace: Namespace, key: str, value: Mapping[str, object]) -> str:
        try:
            text = _sentence(namespace, key, value)
        except (TypeError, ValueError):
            raise InvalidInput(hint="The value of an item is plain JSON.") from None
        most = self._engram.settings.capture.max_content_bytes
        if len(text.encode("utf-8", "replace")) > most:
            raise ContentTooLarge(
                hint=f"An item has at most {most} bytes as text (capture.max_content_bytes)."
            )
        return text

    # Many

    def _search(self, op: SearchOp) -> list[SearchItem]:
        end = op.offset + op.limit
        found = (
            self._ranked(op.query, op.namespace_prefix, _MOST_RANKED if op.filter else end)
            if op.query
            else [(each, None) for each in self._all(op.namespace_prefix)]
        )
        chosen = [
            (memory, score)
            for memory, score in found
            if not op.filter or _matches(_value(memory), op.filter)
        ]
        return [_search_item(memory, score) for memory, score in chosen[op.offset : end]]

    def _ranked(
        self, query: str, prefix: Namespace, limit: int
    ) -> list[tuple[Memory, float | None]]:
        """What answers a question; what nobody trustworthy said stays out, as does noise."""
        if limit < 1:
            return []
        wanted = {**_labels(prefix), _SEARCHED: True}
        hits = self._engram.recall(
            query, limit=limit, filters={"metadata": wanted}, scope=self._scope, automatic=True
        )
        return [(hit.memory, hit.score) for hit in hits if self._is_ours(hit.memory)]

    def _all(self, prefix: Namespace) -> list[Memory]:
        """The items under a prefix as they stand, the last changed first."""
        # Asked for by its first label, or by a mark that every item has.
        marks = [_labels(prefix)] if prefix else [{_SEARCHED: True}, {_SEARCHED: False}]
        newest: dict[tuple[Namespace, str], Memory] = {}
        for memory in (each for wanted in marks for each in self._listed(wanted)):
            place = (_namespace(memory.metadata), str(memory.metadata[_KEY]))
            held = newest.get(place)
            if held is None or held.number < memory.number:
                newest[place] = memory
        standing = [each for each in newest.values() if each.status not in _GONE]
        return sorted(standing, key=lambda each: (each.recorded_at, each.number), reverse=True)

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        found = {_namespace(each.metadata) for each in self._all(())}
        for condition in op.match_conditions or ():
            found = {each for each in found if _fits(each, condition)}
        if op.max_depth is not None:
            found = {each[: op.max_depth] for each in found}
        return sorted(found)[op.offset : op.offset + op.limit]


def _labels(namespace: Namespace) -> dict[str, MetadataValue]:
    return {_LABEL.format(place): label for place, label in enumerate(namespace)}


def _namespace(metadata: Metadata) -> Namespace:
    depth = metadata[_DEPTH]
    return tuple(str(metadata[_LABEL.format(place)]) for place in range(int(str(depth))))


def _name(text: str) -> str:
    """A name as memories may carry it; a longer one is told by its hash."""
    plain = "".join(each if each.isprintable() else " " for each in text).strip()
    if plain == text and len(text) <= _NAME_LENGTH:
        return text
    return f"{plain[:100]}#{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:32]}"


def _is_searched(memory: Memory) -> bool:
    return memory.metadata.get(_SEARCHED) is not False


def _created(memory: Memory) -> datetime:
    since = memory.metadata.get(_SINCE)
    return datetime.fromisoformat(since) if isinstance(since, str) else memory.learned_at


def _sentence(namespace: Namespace, key: str, value: Mapping[str, object]) -> str:
    """What an item says, with where it is from: words where its value is one text, else JSON."""
    written = json.dumps(value, ensure_ascii=False)
    value = json.loads(written)  # as it will be read
    told = [text for name in value for text in (value[name], f"{name}: {value[name]}")]
    plain = (each for each in told if isinstance(each, str) and _is_plain(each))
    body = next((each for each in plain if len(value) == 1 and _read(each) == value), written)
    return _head(namespace, key) + body


def _head(namespace: Namespace, key: str) -> str:
    names = ["/".join(namespace), *([] if _NUMBERED.fullmatch(key) else [key])]
    return f"{', '.join(map(_name, names))}: "


def _is_plain(text: str) -> bool:
    is_kept = text == text.strip() and not text.startswith("{")
    return is_kept and all(each.isprintable() or each == "\n" for each in text)


def _value(memory: Memory) -> dict[str, object]:
    return _read(memory.content.removeprefix(_own_head(memory)))


def _own_head(memory: Memory) -> str:
    return _head(_namespace(memory.metadata), str(memory.metadata[_KEY]))


def _is_alike(memory: Memory, text: str) -> bool:
    """Whether what is kept can be read as what was given, less what was masked in its words."""
    head = _own_head(memory)
    try:
        kept = _read(memory.content.removeprefix(head))
    except ValueError:
        return False
    return memory.content.startswith(head) and [*kept] == [*_read(text.removeprefix(head))]


def _read(body: str) -> dict[str, object]:
    if body.startswith("{"):
        return dict(json.loads(body))
    name, colon, words = body.partition(": ")
    return {name: words} if colon and name.isidentifier() else {_TEXT: body}


def _item(memory: Memory) -> Item:
    return Item(
        value=_value(memory),
        key=str(memory.metadata[_KEY]),
        namespace=_namespace(memory.metadata),
        created_at=_created(memory),
        updated_at=memory.recorded_at,
    )


def _search_item(memory: Memory, score: float | None) -> SearchItem:
    item = _item(memory)
    return SearchItem(
        namespace=item.namespace, key=item.key, value=item.value, created_at=item.created_at,
        updated_at=item.updated_at, score=score,
    )  # fmt: skip


def _fits(namespace: Namespace, condition: MatchCondition) -> bool:
    path = condition.path
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))


def _matches(value: object, wanted: Mapping[str, object]) -> bool:
    """Whether a value has all that a filter names, in it or deeper."""
    return isinstance(value, Mapping) and all(
        _agrees(value.get(name), asked) for name, asked in wanted.items()
    )


def _agrees(value: object, asked: object) -> bool:
    if isinstance(asked, Mapping):
        if any(str(name).startswith("$") for name in asked):
            return all(_holds(value, str(name), each) for name, each in asked.items())
        return _matches(value, asked)
    if isinstance(asked, list | tuple):
        return (
            isinstance(value, list | tuple)
            and len(value) == len(asked)
            and all(_agrees(each, other) for each, other in zip(value, asked, strict=True))
        )
    return value == asked


def _holds(value: object, operator: str, asked: object) -> bool:
    if operator == "$eq":
        return value == asked
    if operator == "$ne":
        return value != asked
    if operator not in ("$gt", "$gte", "$lt", "$lte"):
        raise InvalidInput(hint="A filter compares with $eq, $ne, $gt, $gte, $lt or $lte.")
    if not (_is_number(value) and _is_number(asked)):
        return False
    return {
        "$gt": value > asked, "$gte": value >= asked, "$lt": value < asked, "$lte": value <= asked,
    }[operator]  # fmt: skip


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
