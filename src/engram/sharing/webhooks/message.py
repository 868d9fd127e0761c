"""What a webhook says about a change: who, where and when; words only when it was made for that."""

import json
from collections.abc import Mapping, Sequence

from engram.memory.record import Memory
from engram.memory.secrecy import shown
from engram.memory.status import RECALLABLE
from engram.sharing.webhooks.signature import sign
from engram.storage.webhooks import ChangeNews, Webhook
from engram.version import __version__

TEST_EVENT = "webhook.test"


def news_body(webhook: Webhook, news: ChangeNews, memories: Sequence[Memory]) -> bytes:
    """The body of one piece of news; `memories` is empty unless the webhook tells content."""
    document: dict[str, object] = {
        "id": delivery_id(webhook, news),
        "sequence": news.sequence,
        "action": news.action,
        "change_id": news.change_id,
        "memory_ids": news.memory_ids,
        "labels": news.labels,
        "scope": news.scope,
        "at": news.at.isoformat(),
    }
    if webhook.tells_content:
        document["memories"] = [_told(memory) for memory in memories if memory.status in RECALLABLE]
    return _encoded(document)


def _told(memory: Memory) -> dict[str, object]:
    # What is held, rejected or archived is not for others to act upon, nor is what is protected.
    return {
        "id": memory.id,
        "label": memory.label,
        "content": shown(memory.content, memory.summary, memory.secrecy),
        "category": memory.category,
        "scope": memory.scope.path,
        "trust": memory.trust,
    }


def trial_body(webhook: Webhook, at: str) -> bytes:
    """The body of a message that only asks whether somebody is there."""
    return _encoded({"id": f"{webhook.id}.test", "action": TEST_EVENT, "at": at})


def _encoded(document: Mapping[str, object]) -> bytes:
    return json.dumps(document, ensure_ascii=True, separators=(",", ":")).encode()


def delivery_id(webhook: Webhook, news: ChangeNews) -> str:
    """The same for every attempt, so that a receiver can tell what it has seen before.

    Lines of the audit are numbered anew after a restore; changes never are.
    """
    return f"{webhook.id}.{news.sequence}.{news.change_id}"


def headers_of(
    webhook: Webhook, body: bytes, *, event: str, delivery: str, seconds: int
) -> dict[str, str]:
    """The headers of a message: what it is, which one it is, and who vouches for it."""
    return {
        "Content-Type": "application/json",
        "User-Agent": f"engram/{__version__}",
        "Engram-Event": event,
        "Engram-Delivery": delivery,
        "Engram-Signature": sign(webhook.secret, seconds, body),
    }
