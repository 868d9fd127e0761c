"""Operations on news of changes: what happened since, what waits, and whom webhooks tell of it."""

from typing import Annotated

from pydantic import Field

from engram.engine import Engram
from engram.engine.sending import ALL_EVENTS, LEAST_SECRET_LENGTH, MOST_SECRET_LENGTH
from engram.memory.roles import Need
from engram.surfaces.documents import Document, record, records, webhook_document
from engram.surfaces.operations import telling
from engram.surfaces.operations.access import Every
from engram.surfaces.operations.fields import ActionName, Limit, Name, formed
from engram.surfaces.operations.operation import (
    CONTROLLING,
    ENDING,
    INSPECTING,
    READING,
    Arguments,
    Effect,
    Kind,
    ScopedArguments,
    operation,
)

# Whoever may choose an address can have the server call any machine it reaches, and read off the
# answers what is there: an address is chosen on the machine alone.
_CHOOSING_AN_ADDRESS = Kind(Need.CONTROL, Effect.ADDS, is_local=True)
HookName = Annotated[
    str, *formed("hook-[0-9a-f]{16}", "is the id of a webhook", "The id of a webhook.", most=21)
]
TargetUrl = Annotated[
    str,
    *formed(
        r"https?://[!-\x22$->@-~]+",
        "begins with https:// and has no query, name or password",
        "Where news go; without it, signed messages are taken in.",
        most=2_000,
    ),
]
SigningSecret = Annotated[
    str,
    *formed(
        "[ -~]*",
        "has printable ASCII characters only",
        "What messages are signed with; without it, one is made.",
        least=LEAST_SECRET_LENGTH,
        most=MOST_SECRET_LENGTH,
    ),
]


class ChangesSince(ScopedArguments):
    """What `changes_since` takes."""

    sequence: Annotated[
        int, Field(ge=0, le=2**62, description="The last one that was seen; 0 for all.")
    ] = 0
    limit: Limit = 100


@operation(
    "changes_since", ChangesSince, kind=READING, route="GET /changes", gives="News",
    tells=telling.news, cursor="sequence",
)  # fmt: skip
def changes_since(engram: Engram, given: ChangesSince) -> Document:
    """What was changed after a line of the audit, oldest first: ids and places, no words."""
    found = engram.changes_since(given.sequence, limit=given.limit, scope=given.part)
    following = found[-1].sequence if len(found) == given.limit else None
    return {"changes": records(found), "next": following}


@operation("backlog", ScopedArguments, kind=READING, route="GET /backlog", gives="Backlog")
def backlog(engram: Engram, given: ScopedArguments) -> Document:
    """How much waits to be embedded and to be read."""
    return record(engram.backlog(scope=given.part))


class AddWebhook(ScopedArguments):
    """What `add_webhook` takes; `scope` is what it is told of."""

    name: Name
    url: TargetUrl | None = None
    events: Annotated[
        list[ActionName] | None,
        Field(min_length=1, max_length=50, description="What it is told of; all by default."),
    ] = None
    below: bool = False
    with_content: bool = False
    allow_plain_http: bool = False
    secret: SigningSecret | None = None


@operation(
    "add_webhook", AddWebhook, kind=_CHOOSING_AN_ADDRESS, route="POST /webhooks",
    gives="IssuedWebhook", tells=telling.issued_webhook,
)  # fmt: skip
def add_webhook(engram: Engram, given: AddWebhook) -> Document:
    """Send news of changes to a URL from now on; without one, take signed messages in."""
    issued = engram.add_webhook(
        given.name,
        given.url,
        events=given.events or [ALL_EVENTS],
        scope=given.part,
        below=given.below,
        with_content=given.with_content,
        allow_plain_http=given.allow_plain_http,
        secret=given.secret,
    )
    return {"secret": issued.secret, "webhook": webhook_document(issued.webhook)}


@operation(
    "webhooks", Every, kind=INSPECTING, route="GET /webhooks", gives="Webhooks",
    tells=telling.webhooks,
)  # fmt: skip
def webhooks(engram: Engram, given: Every) -> Document:
    """The webhooks in use, oldest first, and how each is doing."""
    return {"webhooks": [webhook_document(hook) for hook in engram.webhooks(every=given.every)]}


class OneWebhook(Arguments):
    """What an operation on one webhook takes."""

    webhook_id: HookName


@operation(
    "end_webhook", OneWebhook, kind=ENDING, route="DELETE /webhooks/{webhook_id}", gives="Webhook",
    tells=telling.webhook,
)  # fmt: skip
def end_webhook(engram: Engram, given: OneWebhook) -> Document:
    """Use a webhook no more: nothing is sent to it, nothing taken from it."""
    return webhook_document(engram.end_webhook(given.webhook_id))


@operation(
    "test_webhook", OneWebhook, kind=CONTROLLING, route="POST /webhooks/{webhook_id}/test",
    gives="WebhookTrial", tells=telling.webhook_trial,
)  # fmt: skip
def test_webhook(engram: Engram, given: OneWebhook) -> Document:
    """Send a message that says nothing, to see whether it arrives."""
    return record(engram.test_webhook(given.webhook_id))
