"""Sending: the part of the facade that tells others of changes, and takes what they report."""

import dataclasses
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from engram.engine.observing import Observing
from engram.errors import InvalidInput, SignatureInvalid, WebhookNotFound
from engram.memory.changes import Action, parse_action
from engram.memory.outcomes import Observed
from engram.memory.scopes import GLOBAL_PATH, Principal, PrincipalKind, Reach, Scope, checked_scope
from engram.storage.vectors.spaces import SpaceState
from engram.storage.webhooks import (
    ChangeNews,
    Direction,
    NewsPage,
    Webhook,
    WebhookTable,
    audit_length,
    mark_at,
    news_after,
)
from engram.text.strings import checked_name

if TYPE_CHECKING:
    from engram.sharing.webhooks.deliver import Courier

__all__ = ["ChangeNews", "Direction", "IssuedWebhook", "NewsPage", "Sending", "Webhook"]
ALL_EVENTS = "*"
LEAST_SECRET_LENGTH, MOST_SECRET_LENGTH = 16, 256
_MOST_NEWS = 1_000
_KEPT_DELIVERIES = timedelta(days=7)  # a sender that has not got through by then has given up


@dataclass(frozen=True, slots=True)
class IssuedWebhook:
    """A webhook and its secret, which is shown this once."""

    webhook: Webhook
    secret: str

    def __repr__(self) -> str:
        return f"IssuedWebhook(webhook={self.webhook.id!r})"  # a secret has no place in a trace


@dataclass(frozen=True, slots=True)
class WebhookTrial:
    """What came of a message that was sent to see whether it arrives."""

    has_arrived: bool
    status: int | None
    problem: str
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Backlog:
    """What waits to be done in the background."""

    unembedded: int  # wordings, of the whole store
    unread: int  # turns, of the scopes in sight


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a message that came in by a webhook."""

    kind: str  # kept, known, trivial or repeated
    reason: str
    observed: Observed | None = None


class Sending(Observing):
    """News of changes for others, and the signed messages they send."""

    def changes_since(
        self, sequence: int, *, limit: int = 100, scope: Scope | None = None
    ) -> list[ChangeNews]:
        """What was changed after a line of the audit, oldest first: ids and places, no words."""
        if not isinstance(limit, int) or not 1 <= limit <= _MOST_NEWS:
            raise InvalidInput(hint=f"`limit` is a whole number from 1 to {_MOST_NEWS}.")
        found: list[ChangeNews] = []
        while True:
            page = self.news_page(sequence, limit=limit - len(found), scope=scope)
            found += page.news
            if page.is_last or len(found) >= limit:
                break
            sequence = page.until
        if found:  # who looks often and finds nothing has read nothing
            self._note(Action.AUDIT, count=len(found), scope=scope)
        return found

    def news_page(self, sequence: int, *, limit: int, scope: Scope | None = None) -> NewsPage:
        """The same for whoever follows: also how far the audit was looked through."""
        if not isinstance(sequence, int) or isinstance(sequence, bool) or sequence < 0:
            raise InvalidInput(
                hint="`sequence` is a whole number: the last one that was seen, or 0."
            )
        with self._store.database.reading(self._patience) as transaction:
            return news_after(transaction, self.principal.reach(scope), sequence, limit=limit)

    def mark_at(self, sequence: int) -> str:
        """By what a line of the audit is known again, since a restore numbers them anew."""
        self._check_owner()
        with self._store.database.reading(self._patience) as transaction:
            return mark_at(transaction, sequence)

    def last_sequence(self) -> int:
        """The last line of the audit: one cheap look that shows whether anything happened."""
        self._check_owner()
        with self._store.database.reading(self._patience) as transaction:
            return audit_length(transaction)

    def backlog(self, *, scope: Scope | None = None) -> Backlog:
        """How much waits to be embedded and to be read."""
        self.principal.check_known()
        embedding = self._parts.embedding
        fills = embedding.fills() if embedding is not None else []
        in_use = [each for each in fills if each.space.state is not SpaceState.RETIRED]
        return Backlog(sum(each.waiting for each in in_use), self.unread(scope=scope))

    def add_webhook(  # what it tells whom is said outright, each part by name
        self,
        name: str,
        url: str | None,
        *,
        events: Iterable[str] = (ALL_EVENTS,),
        scope: Scope | None = None,
        below: bool = False,
        with_content: bool = False,
        allow_plain_http: bool = False,
        secret: str | None = None,
    ) -> IssuedWebhook:
        """Send news of changes to a URL from now on; without a URL, take signed messages in.

        It tells what the scope can see (with `below`, also what lies inside it): ids, and the words
        too only `with_content`. The secret is given here and never shown again.
        """
        self._check_owner()
        webhook = Webhook(
            id=f"hook-{secrets.token_hex(8)}",
            name=checked_name(name, name="name"),
            direction=Direction.IN if url is None else Direction.OUT,
            url=_checked_url(url, allow_plain_http=allow_plain_http),
            events=_checked_events(events),
            scope=checked_scope(scope) or Scope(),
            is_looking_down=below,
            tells_content=with_content,
            secret=_checked_secret(secret),
            made_at=self._clock(),
        )
        if webhook.direction is Direction.IN and (below or with_content):
            raise InvalidInput(hint="`below` and `with_content` are of webhooks that send.")
        with self._store.write(Reach(()), actor=self.principal.actor, now=self._clock()) as unit:
            WebhookTable(unit.transaction).add(webhook)
            # The digest vouches for where it goes and whether it carries words.
            told = (
                webhook.id,
                webhook.url,
                webhook.events,
                webhook.scope.path,
                below,
                with_content,
            )
            unit.audit(Action.ADD_WEBHOOK, GLOBAL_PATH, digest=unit.digest(repr(told)))
        return IssuedWebhook(webhook, webhook.secret)

    def webhooks(self, *, every: bool = False) -> list[Webhook]:
        """The webhooks in use, oldest first; `every` shows those that were ended too."""
        self._check_owner()
        with self._store.database.reading(self._patience) as transaction:
            found = WebhookTable(transaction).all()
        # Whoever looks after webhooks needs no secret of theirs.
        return [dataclasses.replace(each, secret="") for each in found if every or each.is_active]

    def end_webhook(self, webhook_id: str) -> Webhook:
        """Use a webhook no more: nothing is sent to it, nothing taken from it."""
        self._check_owner()
        now = self._clock()
        webhook = self._webhook(webhook_id)
        with self._store.write(Reach(()), actor=self.principal.actor, now=now) as unit:
            if WebhookTable(unit.transaction).end(webhook.id, now):
                digest = unit.digest(webhook.id)
                unit.audit(Action.END_WEBHOOK, GLOBAL_PATH, digest=digest)
        return dataclasses.replace(webhook, secret="", ended_at=now)

    def test_webhook(self, webhook_id: str) -> WebhookTrial:
        """Send a message that says nothing, to see whether it arrives; if so, news go on."""
        from engram.sharing.webhooks.deliver import send_message
        from engram.sharing.webhooks.message import TEST_EVENT, trial_body

        self._check_owner()
        webhook = self._webhook(webhook_id)
        if webhook.direction is Direction.IN:
            raise InvalidInput(hint="This webhook takes messages in; send it one yourself.")
        body = trial_body(webhook, self._clock().isoformat())
        began = time.perf_counter()
        delivery = f"{webhook.id}.test"
        sent = send_message(webhook, body, self._courier(), event=TEST_EVENT, delivery=delivery)
        milliseconds = (time.perf_counter() - began) * 1_000
        if sent.has_arrived:
            with self._store.derive() as transaction:
                WebhookTable(transaction).resume(webhook.id)
        return WebhookTrial(sent.has_arrived, sent.status, sent.problem, round(milliseconds, 1))

    def deliver_due(self, is_stopped: Callable[[], bool] = lambda: False) -> float:
        """Send the news that are due, if no other process does; in how many seconds to come again.

        For whoever runs in the background: at least once each, in order per webhook.
        """
        from engram.sharing.webhooks.deliver import deliver_due

        self._check_owner()
        return deliver_due(self._courier(), is_stopped)

    def take_message(
        self, webhook_id: str, body: bytes, *, signature: str, delivery: str = ""
    ) -> Taken:
        """Take in a signed message; durable when this returns, and taken once however often sent.

        Who sent it is told by the signature alone. Nobody vouches for what it says: it is believed
        as little as the web, and never comes into a prompt unasked until a person verifies it.
        """
        from engram.sharing.webhooks.incoming import read_message
        from engram.sharing.webhooks.signature import check

        self._check_owner()
        with self._store.database.reading(self._patience) as transaction:
            webhook = WebhookTable(transaction).find(webhook_id)
        secret = webhook.secret if webhook and webhook.direction is Direction.IN else None
        code = check(signature, secret, body, now_seconds=int(self._clock().timestamp()))
        if webhook is None:  # nobody's signature is right
            raise SignatureInvalid
        marks = [f"v1:{code}"]
        if delivery:
            marks.append(f"id:{checked_name(delivery, name='delivery')}")
        taken = self._take(webhook, read_message(body), marks)
        self._read_in_time()
        return taken

    def _take(self, webhook: Webhook, message: dict[str, str], marks: list[str]) -> Taken:
        from engram.capture.observe import keep_turn, read_turn_draft
        from engram.capture.results import is_trivial

        sender = Principal(PrincipalKind.AGENT, webhook.scope, credential=f"webhook:{webhook.id}")
        now = self._clock()
        rules = dataclasses.replace(self._draft_rules(now), principal=sender)
        turn = read_turn_draft(message["text"], _arguments(webhook, message), rules)
        reach = sender.writing_reach(webhook.scope)
        with self._store.write(reach, actor=sender.actor, now=now) as unit:
            table = WebhookTable(unit.transaction)
            # A message may come again with a fresh signature, or a captured one under another id.
            if not all(table.note_delivery(webhook.id, mark, now) for mark in marks):
                return Taken("repeated", "taken before")
            if marks[0].endswith("00"):  # now and then; which messages that are does not matter
                table.prune_deliveries(now - _KEPT_DELIVERIES)
            if is_trivial(turn.draft.text):
                return Taken("trivial", "tells nothing")
            observed = keep_turn(turn, unit, rules)
        return Taken(observed.kind, observed.reason, observed)

    def _webhook(self, webhook_id: str) -> Webhook:
        with self._store.database.reading(self._patience) as transaction:
            found = WebhookTable(transaction).find(webhook_id)
        if found is None:
            raise WebhookNotFound
        return found

    def _courier(self) -> "Courier":
        from engram.sharing.webhooks.deliver import Courier

        place = self._parts.place
        return Courier(
            self._store, place.root if place else None, self._clock, lambda: self.settings.network
        )


def _arguments(webhook: Webhook, message: dict[str, str]) -> dict[str, object]:
    """The arguments of the turn that a message is kept as."""
    from engram.capture.results import result_arguments

    apart = ("kind", "text", "name", "outcome")
    rest = {name: value for name, value in message.items() if name not in apart}
    noted = {"webhook": webhook.id, **({"name": message["name"]} if "name" in message else {})}
    given = result_arguments(
        message["kind"], message.get("name"), message.get("outcome"), {**rest, "metadata": noted}
    )
    # As a result of ours it would be believed like a tool.
    return {**given, "source": f"web:webhook:{webhook.id}"}


def _checked_url(url: str | None, *, allow_plain_http: bool) -> str:
    from engram.sharing.webhooks.target import read_target

    if url is None:
        return ""
    read_target(url, allow_plain_http=allow_plain_http)
    return url


def _checked_events(events: Iterable[str]) -> tuple[str, ...]:
    if isinstance(events, str) or not isinstance(events, Iterable):
        raise InvalidInput(hint='`events` is a list of actions, or ["*"] for all.')
    found = tuple(dict.fromkeys(events))
    if not found:
        raise InvalidInput(hint="`events` names no action.")
    return tuple(each if each == ALL_EVENTS else parse_action(each) for each in found)


def _checked_secret(secret: str | None) -> str:
    if secret is None:
        return f"whsec_{secrets.token_urlsafe(32)}"
    is_plain = isinstance(secret, str) and secret.isascii() and secret.isprintable()
    if not is_plain or not LEAST_SECRET_LENGTH <= len(secret) <= MOST_SECRET_LENGTH:
        hint = f"{LEAST_SECRET_LENGTH} to {MOST_SECRET_LENGTH} printable ASCII characters"
        raise InvalidInput(hint=f"`secret` has {hint}.")
    return secret
