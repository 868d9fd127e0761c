"""Delivers the news that are due: in order per webhook, again until they arrive, none lost."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from engram.failpoints import failpoint
from engram.memory.record import Memory
from engram.security.network_options import NetworkOptions
from engram.sharing.webhooks.message import delivery_id, headers_of, news_body
from engram.sharing.webhooks.send import Sent, send, wait_seconds
from engram.sharing.webhooks.target import read_target
from engram.storage.alone import working_alone
from engram.storage.place import SENDING_LOCK
from engram.storage.reader import StoreReader
from engram.storage.store import Store
from engram.storage.webhooks import (
    ChangeNews,
    Direction,
    NewsPage,
    Webhook,
    WebhookTable,
    audit_length,
    news_after,
)

Stopped = Callable[[], bool]
_LOOK_SECONDS = 1.0  # between looks at what has happened
_IDLE_SECONDS = 5.0  # while there is no webhook, or another process delivers
_READ_SECONDS = 30.0
_PAGE = 100
_AT_ONCE = 8  # webhooks served side by side, so that one that hangs is in no other's way
_UNTOLD_LINES = 1_000  # of the audit that a webhook may lag behind without news being written down


@dataclass(frozen=True, slots=True)
class Courier:
    """What delivering works with."""

    store: Store
    folder: Path | None  # None: a store in memory
    clock: Callable[[], datetime]
    options: Callable[[], NetworkOptions]
    chance: Callable[[], float] = random.random

    def webhooks(self) -> tuple[list[Webhook], int]:
        """Those that send and are in use, and how long the audit is."""
        with self.store.database.reading(_READ_SECONDS) as transaction:
            every = WebhookTable(transaction).all()
            length = audit_length(transaction)
        active = [each for each in every if each.is_active and each.direction is Direction.OUT]
        return active, length


def deliver_due(courier: Courier, is_stopped: Stopped) -> float:
    """Send what is due, if no other process does; in how many seconds to come again.

    Never in the way of a write: nothing is locked while a receiver is waited for.
    """
    webhooks, length = courier.webhooks()
    if not _due(webhooks, length, courier.clock()):
        return _rest(webhooks, courier.clock())
    with working_alone(courier.folder, SENDING_LOCK) as is_alone:
        if not is_alone:
            return _IDLE_SECONDS
        webhooks, length = courier.webhooks()  # as the last one to deliver left them
        due = _due(webhooks, length, courier.clock())
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="engram-webhook") as threads:
            list(threads.map(lambda webhook: _serve(webhook, courier, is_stopped), due))
    return _rest(courier.webhooks()[0], courier.clock())


def _due(webhooks: list[Webhook], length: int, now: datetime) -> list[Webhook]:
    return [
        each for each in webhooks
        if each.cursor < length and not each.is_given_up
        and (each.due_at is None or each.due_at <= now)
    ]  # fmt: skip


def _rest(webhooks: list[Webhook], now: datetime) -> float:
    """Until the next look; sooner than that no failed attempt is repeated."""
    waits = [(each.due_at - now).total_seconds() for each in webhooks if each.due_at is not None]
    usual = _LOOK_SECONDS if webhooks else _IDLE_SECONDS
    return max(0.0, min([usual, *waits]))


def _serve(webhook: Webhook, courier: Courier, is_stopped: Stopped) -> None:
    """Send one webhook's news until there are none, one does not arrive, or it is time to stop."""
    after = noted = webhook.cursor
    is_passed_over = False
    while not is_stopped():
        page = _page(webhook, courier, after)
        for news in page.news:
            if not webhook.is_wanting(news.action):
                is_passed_over = True
                continue
            if is_stopped() or not _is_delivered(webhook, news, courier):
                return
            noted = news.sequence
        after = page.until
        if page.is_last:
            break
    if after - noted >= _UNTOLD_LINES or (is_passed_over and after > noted):
        _advance(webhook, after, courier)


def _page(webhook: Webhook, courier: Courier, after: int) -> NewsPage:
    with courier.store.database.reading(_READ_SECONDS) as transaction:
        return news_after(transaction, webhook.reach, after, limit=_PAGE)


def _is_delivered(webhook: Webhook, news: ChangeNews, courier: Courier) -> bool:
    """Send one piece of news; only when it has arrived is it written down as told."""
    body = news_body(webhook, news, _memories(webhook, news, courier))
    sent = send_message(
        webhook, body, courier, event=news.action, delivery=delivery_id(webhook, news)
    )
    failpoint("webhook_sent")
    if sent.has_arrived:
        return _advance(webhook, news.sequence, courier)
    _postpone(webhook, sent, courier)
    return False


def send_message(
    webhook: Webhook, body: bytes, courier: Courier, *, event: str, delivery: str
) -> Sent:
    """Sign a message and send it once."""
    # Whether it may be plain HTTP was decided when the webhook was made.
    target = read_target(webhook.url, allow_plain_http=True)
    seconds = int(courier.clock().timestamp())
    headers = headers_of(webhook, body, event=event, delivery=delivery, seconds=seconds)
    return send(target, body, headers, timeout_seconds=courier.options().webhook_timeout_seconds)


def _memories(webhook: Webhook, news: ChangeNews, courier: Courier) -> list[Memory]:
    """The memories a piece of news is about, as far as the webhook may see them."""
    if not webhook.tells_content:
        return []
    database = courier.store.database
    with database.reading(_READ_SECONDS) as transaction:
        see = StoreReader(transaction, database, webhook.reach)
        found = [see.memory(memory_id) for memory_id in news.memory_ids]
    return [memory for memory in found if memory is not None]


def _advance(webhook: Webhook, cursor: int, courier: Courier) -> bool:
    with courier.store.derive() as transaction:
        return WebhookTable(transaction).advance(webhook.id, cursor)


def _postpone(webhook: Webhook, sent: Sent, courier: Courier) -> None:
    now = courier.clock()
    patience = timedelta(hours=courier.options().webhook_give_up_hours)
    with courier.store.derive() as transaction:
        table = WebhookTable(transaction)
        found = table.find(webhook.id)  # what this attempt is counted to, not what it was read as
        if found is None:
            return
        is_hopeless = found.failing_since is not None and now - found.failing_since >= patience
        wait = wait_seconds(found.attempts, courier.chance(), asked=sent.retry_after_seconds)
        problem = f"Given up. {sent.problem}" if is_hopeless else sent.problem
        due_at = None if is_hopeless else now + timedelta(seconds=wait)
        table.postpone(webhook.id, now=now, due_at=due_at, problem=problem)
