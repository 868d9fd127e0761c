"""Webhooks and the news of changes they send, as the database keeps them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from typing import cast

from engram.memory.ids import ChangeId, MemoryId, label_of
from engram.memory.scopes import Principal, Reach, Scope
from engram.memory.times import FOREVER, to_micros
from engram.storage.audit_chain import the_row
from engram.storage.database import Row, Transaction, Value, stored_time
from engram.storage.part_readers import reach_parameters

AND_BELOW = "*"  # no scope's path ends so: every level is written as level=name/
_MARK_BYTES = 4
_STRETCH = 20_000  # lines of the audit looked through at once, however few are in sight


class Direction(StrEnum):
    """Which way a webhook's messages go."""

    IN = "in"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class ChangeNews:
    """That something was changed: which memories, where and how, and never their words."""

    sequence: int  # of the last line of the audit that tells of it
    at: datetime
    action: str
    change_id: ChangeId
    scope: str
    memory_ids: tuple[MemoryId, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NewsPage:
    """The news of one stretch of the audit, and how far that was looked through."""

    news: tuple[ChangeNews, ...]
    until: int
    is_last: bool
    marks: tuple[str, ...] = ()  # of each piece of news: by which its line is known again


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """Where news are sent to, or by which signed messages come in."""

    id: str
    name: str
    direction: Direction
    url: str
    events: tuple[str, ...]
    scope: Scope
    is_looking_down: bool  # also at what lies below its scope
    tells_content: bool
    secret: str
    made_at: datetime
    ended_at: datetime | None = None
    cursor: int = 0
    attempts: int = 0
    due_at: datetime | None = None  # None: at once, or never again if given up
    failing_since: datetime | None = None
    is_given_up: bool = False
    problem: str = ""

    @property
    def is_active(self) -> bool:
        """Whether it is in use."""
        return self.ended_at is None

    @property
    def reach(self) -> Reach:
        """What it may tell of."""
        if self.is_looking_down:
            return Principal.orchestrator(self.scope).reach()
        return Principal.of(None).writing_reach(self.scope)

    def is_wanting(self, action: str) -> bool:
        """Whether news of this action are asked for."""
        return "*" in self.events or action in self.events


def audit_length(transaction: Transaction) -> int:
    """How many lines the audit has."""
    return cast(int, the_row(transaction.rows("audit_length", {}))[0])


def news_after(transaction: Transaction, reach: Reach, after: int, *, limit: int) -> NewsPage:
    """The next news in sight after a line of the audit.

    Only so many lines are looked through at once: who sees little of a long audit asks again.
    """
    length = audit_length(transaction)
    until = min(after + _STRETCH, length)
    span: dict[str, Value] = {"after": after, "until": until, "limit": limit}
    rows = transaction.rows("change_lines", {**reach_parameters(reach), **span})
    if len(rows) == limit:
        until = cast(int, rows[-1][0])
    news = tuple(_news(rows))
    hashes = {row[0]: row[7] for row in rows}
    marks = tuple(_mark(hashes[each.sequence]) for each in news)
    return NewsPage(news, max(after, until), until >= length, marks)


def mark_at(transaction: Transaction, sequence: int) -> str:
    """By what a line of the audit is known again; empty when there is no such line.

    After a restore other lines come under the same numbers.
    """
    rows = transaction.rows("audit_hash", {"sequence": sequence})
    return _mark(rows[0][0]) if rows else ""


def _mark(entry_hash: Value) -> str:
    return cast(bytes, entry_hash)[:_MARK_BYTES].hex()


def has_news(transaction: Transaction, webhook: Webhook) -> bool:
    """Whether something is left to be told: a sending webhook in use, and changes it may see.

    The audit also grows by what is read, which is no news: its length alone does not tell.
    """
    if not webhook.is_active or webhook.direction is Direction.IN or webhook.is_given_up:
        return False
    page = news_after(transaction, webhook.reach, webhook.cursor, limit=1)
    return bool(page.news) or not page.is_last


def _news(rows: Iterable[Row]) -> Iterable[ChangeNews]:
    """Lines that follow each other and tell of one change in one place are one piece of news."""
    for (change_id, action, scope), group in groupby(
        rows, key=lambda row: (row[4], row[2], row[5])
    ):
        lines = list(group)
        touched = {cast(MemoryId, row[3]): cast("int | None", row[6]) for row in lines if row[3]}
        yield ChangeNews(
            sequence=cast(int, lines[-1][0]),
            at=stored_time(lines[-1][1]),
            action=cast(str, action),
            change_id=cast(ChangeId, change_id),
            scope=cast(str, scope),
            memory_ids=tuple(touched),
            labels=tuple(label_of(number) for number in touched.values() if number is not None),
        )


class WebhookTable:
    """The webhooks inside one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def add(self, webhook: Webhook) -> None:
        """Keep a webhook; one that sends tells of what happens from now on."""
        below = AND_BELOW if webhook.is_looking_down else ""
        self._run(
            "insert_webhook",
            {
                "id": webhook.id,
                "name": webhook.name,
                "direction": webhook.direction.value,
                "url": webhook.url,
                "events": json.dumps(webhook.events),
                "scope": webhook.scope.path + below,
                "tells_content": int(webhook.tells_content),
                "secret": webhook.secret,
                "made_at": to_micros(webhook.made_at),
            },
        )

    def all(self) -> list[Webhook]:
        """Every webhook, oldest first, those that were ended too."""
        return [_webhook(row) for row in self._transaction.rows("all_webhooks", {})]

    def find(self, webhook_id: str) -> Webhook | None:
        """One that is in use."""
        return next((each for each in self.all() if each.id == webhook_id and each.is_active), None)

    def end(self, webhook_id: str, now: datetime) -> bool:
        """Use it no more; whether it was in use."""
        return self._run("end_webhook", {"id": webhook_id, "now": to_micros(now)})

    def advance(self, webhook_id: str, cursor: int) -> bool:
        """News up to here have arrived; False when it was ended meanwhile."""
        return self._run("advance_webhook", {"id": webhook_id, "cursor": cursor})

    def resume(self, webhook_id: str) -> bool:
        """Nothing stands in the way any more: go on where it stopped."""
        return self._run("resume_webhook", {"id": webhook_id})

    def postpone(
        self, webhook_id: str, *, now: datetime, due_at: datetime | None, problem: str
    ) -> bool:
        """Try again at a time, or not unless somebody sees to it; False when it was ended."""
        return self._run(
            "postpone_webhook",
            {
                "id": webhook_id,
                "now": to_micros(now),
                "due_at": FOREVER if due_at is None else to_micros(due_at),
                "problem": problem,
            },
        )

    def note_delivery(self, webhook_id: str, delivery: str, now: datetime) -> bool:
        """Write down that a message came in; False when it came before."""
        return self._run(
            "note_delivery",
            {"webhook": webhook_id, "delivery": delivery, "received_at": to_micros(now)},
        )

    def prune_deliveries(self, before: datetime) -> None:
        """Forget messages that came in before a time."""
        self._run("prune_deliveries", {"before": to_micros(before)})

    def _run(self, query: str, parameters: Mapping[str, Value]) -> bool:
        self._transaction.run(query, parameters)
        return self._transaction.changed() > 0


def _webhook(row: Row) -> Webhook:
    scope = cast(str, row[5])
    due_at = cast(int, row[12])
    return Webhook(
        id=cast(str, row[0]),
        name=cast(str, row[1]),
        direction=Direction(cast(str, row[2])),
        url=cast(str, row[3]),
        events=tuple(json.loads(cast(str, row[4]))),
        scope=Scope.parse(scope.removesuffix(AND_BELOW)),
        is_looking_down=scope.endswith(AND_BELOW),
        tells_content=bool(row[6]),
        secret=cast(str, row[7]),
        made_at=stored_time(row[8]),
        ended_at=None if row[9] is None else stored_time(row[9]),
        cursor=cast(int, row[10]),
        attempts=cast(int, row[11]),
        due_at=None if due_at in (0, FOREVER) else stored_time(due_at),
        failing_since=None if row[13] is None else stored_time(row[13]),
        is_given_up=due_at == FOREVER,
        problem=cast(str, row[14]),
    )
