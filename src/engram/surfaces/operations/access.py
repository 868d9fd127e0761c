"""Operations on the keys by which callers from outside are let in."""

from typing import Annotated

from pydantic import Field

from engram.engine import Engram
from engram.memory.access import (
    KEY_ID_LENGTH,
    KEY_LETTERS,
    LONGEST_GRACE,
    MOST_PER_MINUTE,
    KeyKind,
)
from engram.memory.roles import Role
from engram.surfaces.documents import Document, issued_key_document, key_document
from engram.surfaces.operations import telling
from engram.surfaces.operations.fields import Name, Reason, Time, formed
from engram.surfaces.operations.operation import (
    CONTROLLING,
    ENDING,
    INSPECTING,
    Arguments,
    ScopedArguments,
    operation,
)

KeyName = Annotated[
    str,
    *formed(
        f"[{KEY_LETTERS}]{{{KEY_ID_LENGTH}}}",
        "is the id of a key, of ten characters",
        "The id of a key; never the key itself.",
        most=KEY_ID_LENGTH,
    ),
]


class IssueKey(ScopedArguments):
    """What `issue_key` takes; `scope` is where the key's holder is at home."""

    name: Name
    kind: Annotated[KeyKind, Field(strict=False)] = KeyKind.AGENT
    role: Annotated[Role, Field(strict=False)] = Role.READER
    expires_at: Time | None = None
    per_minute: Annotated[int, Field(ge=1, le=MOST_PER_MINUTE)] | None = None


@operation(
    "issue_key", IssueKey, kind=CONTROLLING, route="POST /keys", gives="IssuedKey",
    tells=telling.issued_key,
)  # fmt: skip
def issue_key(engram: Engram, given: IssueKey) -> Document:
    """Make a key for somebody; its text is told here and never again."""
    issued = engram.issue_key(
        given.name,
        kind=given.kind,
        role=given.role,
        scope=given.part,
        expires_at=given.expires_at,
        per_minute=given.per_minute,
    )
    return issued_key_document(issued)


class Every(Arguments):
    """What a list takes that leaves out what has ended."""

    every: Annotated[bool, Field(description="Also those that have ended.")] = False


@operation("keys", Every, kind=INSPECTING, route="GET /keys", gives="Keys", tells=telling.keys)
def keys(engram: Engram, given: Every) -> Document:
    """The keys that open something now, the newest first."""
    return {"keys": [key_document(key) for key in engram.keys(every=given.every)]}


class OneKey(Arguments):
    """What an operation on one key takes."""

    key_id: KeyName


class RotateKey(OneKey):
    """What `rotate_key` takes."""

    grace_seconds: Annotated[
        float,
        Field(
            ge=0,
            le=LONGEST_GRACE.total_seconds(),
            allow_inf_nan=False,
            description="How long the old one is still good.",
        ),
    ] = 0.0


@operation(
    "rotate_key", RotateKey, kind=CONTROLLING, route="POST /keys/{key_id}/rotate",
    gives="IssuedKey", tells=telling.issued_key,
)  # fmt: skip
def rotate_key(engram: Engram, given: RotateKey) -> Document:
    """Replace a key by one that grants the same; its text is told here and never again."""
    return issued_key_document(engram.rotate_key(given.key_id, grace_seconds=given.grace_seconds))


class RevokeKey(OneKey):
    """What `revoke_key` takes."""

    reason: Reason = ""


@operation(
    "revoke_key", RevokeKey, kind=ENDING, route="DELETE /keys/{key_id}", gives="Key",
    tells=telling.key,
)  # fmt: skip
def revoke_key(engram: Engram, given: RevokeKey) -> Document:
    """Refuse a key from now on."""
    return key_document(engram.revoke_key(given.key_id, given.reason))
