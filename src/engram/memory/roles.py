"""What callers from outside may do: a key grants a role, an operation has a need."""

from enum import StrEnum

from engram.memory.scopes import Principal, PrincipalKind, Scope


class Need(StrEnum):
    """What an operation takes of whoever asks for it."""

    READ = "read"  # look at what the caller's scope can see
    WRITE = "write"  # add memories, and change those of one's own scope
    CURATE = "curate"  # decide what is kept, held, pinned, merged or taken back
    CONTROL = "control"  # the store as a whole: keys, settings, backups


class Role(StrEnum):
    """What a key grants. Nobody from outside has more than the first until it is granted."""

    READER = "reader"
    WRITER = "writer"
    CURATOR = "curator"
    ORCHESTRATOR = "orchestrator"  # a curator that also sees what lies below its scope
    ADMIN = "admin"  # all of it, in the whole store


_CURATOR = frozenset({Need.READ, Need.WRITE, Need.CURATE})
_GRANTS: dict[Role, frozenset[Need]] = {
    Role.READER: frozenset({Need.READ}),
    Role.WRITER: frozenset({Need.READ, Need.WRITE}),
    Role.CURATOR: _CURATOR,
    Role.ORCHESTRATOR: _CURATOR,
    Role.ADMIN: frozenset(Need),
}


def may(role: Role, need: Need) -> bool:
    """Whether a role is enough for an operation."""
    return need in _GRANTS[role]


def caller(role: Role, kind: PrincipalKind, scope: Scope) -> Principal:
    """Who a key stands for. Its kind is what was said when it was issued: a role makes no person.

    An admin holds the whole store, wherever its key was issued.
    """
    if role is Role.ADMIN:
        return Principal(kind, Scope(), is_owner=True)
    if role is Role.ORCHESTRATOR:
        return Principal.orchestrator(scope)
    return Principal(kind, scope)
