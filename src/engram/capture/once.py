"""What is done once however often it is asked for: requests that carry a key of their own."""

import hashlib
import json
from dataclasses import dataclass
from typing import cast

from engram.capture.draft import Draft
from engram.errors import IdempotencyConflict
from engram.memory.ids import ChangeId
from engram.memory.people import person_named
from engram.memory.scopes import Scope
from engram.memory.secrecy import is_protected
from engram.memory.tagged import as_json
from engram.memory.vocabulary import Secrecy
from engram.storage.database import Value
from engram.storage.unit import UnitOfWork
from engram.text.strings import checked_name


@dataclass(frozen=True, slots=True)
class Request:
    """A request that may come again: its key, and a hash of all that was handed in."""

    key: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Done:
    """What an earlier request under the same key came to."""

    number: int
    change_id: ChangeId | None  # None: nothing was changed
    kind: str = "stored"
    reason: str = ""


def read_request(key: str | None, *given: object) -> Request | None:
    """The request of a key; None when the caller gave none."""
    if key is None:
        return None
    document = json.dumps([as_json(each) for each in given], sort_keys=True, ensure_ascii=True)
    body = hashlib.sha256(document.encode()).digest()
    return Request(checked_name(key, name="idempotency_key"), body)


def drafted_request(draft: Draft) -> Request | None:
    """The request that a draft is; None when it carries no key."""
    return None if draft.idempotency_key is None else Request(draft.idempotency_key, draft.body)


def done_before(unit: UnitOfWork, scope: Scope, request: Request | None) -> Done | None:
    """What the same request of this caller came to; another one under its key is a conflict."""
    earlier = unit.idempotent_request(scope, request.key) if request else None
    if request is None or earlier is None:
        return None
    body, kind, reason, number, change_id = earlier
    if body != request.body and body != _kept_body(unit, scope, request):
        raise IdempotencyConflict
    change = None if change_id is None else ChangeId(cast(str, change_id))
    return Done(cast(int, number), change, cast(str, kind), cast(str, reason))


def note_done(
    unit: UnitOfWork,
    scope: Scope,
    request: Request | None,
    done: Done,
    secrecy: Secrecy = Secrecy.CLEARTEXT,
) -> None:
    """Remember what a request came to; of what is protected by a keyed hash alone."""
    if request is not None:
        body = _kept_body(unit, scope, request) if is_protected(secrecy) else request.body
        outcome: dict[str, Value] = {
            "body": body, "outcome": done.kind, "reason": done.reason,
            "number": done.number, "change_id": done.change_id,
        }  # fmt: skip
        unit.note_request(scope, request.key, outcome)


def _kept_body(unit: UnitOfWork, scope: Scope, request: Request) -> bytes:
    """What stands for a request that said something protected: a plain hash could be guessed."""
    return unit.tagged(request.body, person_named(scope.path, None))
