"""Where a memory belongs and who can see it.

global ⊃ project ⊃ squad ⊃ agent ⊃ channel+user. Channel and user make one level together:
a memory of one channel's user is never visible to another user of that channel.

A skill has a channel of its own, without a user, and that namespace stands alone: whoever reads or
writes in it sees it and nothing around it. The caller in whose scope it lies directly may look in
by naming it, and so may those who look down; nobody else.
"""

import dataclasses
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from engram.errors import AccessDenied, InvalidInput
from engram.text.strings import checked_name

LEVELS = ("project", "squad", "agent", "channel", "user")
GLOBAL_PATH = "/"
_AFTER_ALL = "\U0010ffff"  # sorts after whatever continues a path
_SKILL = "skill:"  # how the channel of a skill's namespace begins


@dataclass(frozen=True, slots=True)
class Scope:
    """A place in the tree of scopes; `Scope()` is the global one."""

    project: str | None = None
    squad: str | None = None
    agent: str | None = None
    channel: str | None = None
    user: str | None = None
    path: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        parts = []
        for level in LEVELS:
            value = getattr(self, level)
            if value is not None:
                checked_name(value, name=f"scope.{level}")
                if value != value.strip():
                    raise InvalidInput(hint=f"`scope.{level}` begins or ends with a space.")
                parts.append(f"{level}={_escaped(value)}/")
        object.__setattr__(self, "path", GLOBAL_PATH + "".join(parts))

    @classmethod
    def parse(cls, text: str) -> "Scope":
        """Read `project=acme,agent=coder` or a path such as `/project=acme/agent=coder/`."""
        pairs = [part for part in text.replace("/", ",").split(",") if part.strip()]
        values: dict[str, str] = {}
        for pair in pairs:
            level, equals, value = (piece.strip() for piece in pair.partition("="))
            if level not in LEVELS or not equals or level in values:
                raise InvalidInput(hint=f"A scope is written as level=name; levels: {LEVELS}.")
            values[level] = value.replace("%2F", "/").replace("%2C", ",").replace("%25", "%")
        return cls(**values)

    @property
    def is_namespace(self) -> bool:
        """Whether this is what a skill keeps for itself."""
        return self.user is None and self.channel is not None and self.channel.startswith(_SKILL)

    @property
    def host(self) -> "Scope":
        """Where the channel lies in which this is; the scope itself outside of channels."""
        return self if self.channel is None else Scope(self.project, self.squad, self.agent)

    def chain(self) -> tuple["Scope", ...]:
        """This scope and those around it, widest first."""
        return _chain(self)

    def contains(self, other: "Scope") -> bool:
        """Whether the other is this scope or lies inside it."""
        return self in other.chain()

    def sees(self, other: "Scope") -> bool:
        """Whether whoever is at home here sees what is there, without looking down or in."""
        return other.path in _paths(self)


@lru_cache(maxsize=4096)
def _chain(scope: Scope) -> tuple[Scope, ...]:
    steps = (
        Scope(),
        Scope(scope.project),
        Scope(scope.project, scope.squad),
        Scope(scope.project, scope.squad, scope.agent),
        scope,
    )
    return tuple(dict.fromkeys(steps))


def check_may_have_skills(scope: Scope) -> None:
    """Refuse a scope in which no skill can have a namespace."""
    if scope.channel is not None or scope.user is not None:
        raise InvalidInput(hint="A skill belongs to an agent, a squad, a project or to all.")


def checked_scope(scope: object) -> Scope | None:
    """A scope that came with a call, or none; anything else is refused."""
    if scope is not None and not isinstance(scope, Scope):
        raise InvalidInput(hint='`scope` must be a Scope, as in Scope(project="acme").')
    return scope


def _escaped(value: str) -> str:
    return value.replace("%", "%25").replace("/", "%2F").replace(",", "%2C")


class PrincipalKind(StrEnum):
    """Who is calling."""

    PERSON = "person"
    AGENT = "agent"
    CHANNEL_USER = "channel_user"
    ORCHESTRATOR = "orchestrator"
    SKILL = "skill"
    ANONYMOUS = "anonymous"


@dataclass(frozen=True, slots=True)
class Reach:
    """The scopes one read may see: at most five on the chain, and a range below for some."""

    chain: tuple[str, ...]
    below_start: str = ""
    below_end: str = ""  # exclusive; an empty range sees nothing below
    is_veiled: bool = False  # protected texts are not read for this caller


@dataclass(frozen=True, slots=True)
class Principal:
    """A caller and its grants, fixed by how the store was opened."""

    kind: PrincipalKind
    scope: Scope | None
    is_owner: bool = False  # holds the whole store, and so may name any scope inside a call
    credential: str = ""  # what was shown to be let in, as `key:` and its id; never a secret
    may_curate: bool = True  # decide on what others said; a key may grant less

    @classmethod
    def of(cls, scope: Scope | None) -> "Principal":
        """Who a caller is that opened the store with this scope; without one, its owner."""
        scope = checked_scope(scope)
        if scope is None or scope == Scope():
            return cls(PrincipalKind.PERSON, Scope(), is_owner=True)
        if scope.channel is not None:
            known = PrincipalKind.CHANNEL_USER if scope.user else PrincipalKind.ANONYMOUS
            return cls(known, scope)
        if scope.user is None and scope.agent is not None:
            return cls(PrincipalKind.AGENT, scope)
        return cls(PrincipalKind.PERSON, scope)

    @classmethod
    def orchestrator(cls, scope: Scope) -> "Principal":
        """An agent that directs others: it also sees what lies below its scope."""
        return cls(PrincipalKind.ORCHESTRATOR, scope)

    @classmethod
    def skill(cls, name: str, scope: Scope) -> "Principal":
        """A skill that works for whoever is at home in a scope: it has a namespace there, alone."""
        check_may_have_skills(scope)
        checked_name(name, name="skill")
        namespace = Scope(scope.project, scope.squad, scope.agent, channel=_SKILL + name)
        return cls(PrincipalKind.SKILL, namespace)

    @classmethod
    def anonymous(cls) -> "Principal":
        """A caller nobody vouches for: sees nothing and changes nothing."""
        return cls(PrincipalKind.ANONYMOUS, None)

    @property
    def is_person(self) -> bool:
        """Whether a human being stands behind the call."""
        return self.kind in (PrincipalKind.PERSON, PrincipalKind.CHANNEL_USER)

    @property
    def is_veiled(self) -> bool:
        """Whether protected texts are not for it: an agent from outside that may not curate."""
        return bool(self.credential) and not self.is_person and not self.may_curate

    @property
    def looks_down(self) -> bool:
        """Whether scopes inside the caller's own may be read at all."""
        return self.is_owner or self.kind is PrincipalKind.ORCHESTRATOR

    @property
    def actor(self) -> str:
        """How the audit names this caller."""
        if self.scope is None or self.kind is PrincipalKind.ANONYMOUS:
            return PrincipalKind.ANONYMOUS.value
        # A path ends with its slash, so nothing in a name can pass for what was shown.
        shown = f"#{self.credential}" if self.credential else ""
        return f"{self.kind.value}:{self.scope.path}{shown}"

    @property
    def holder(self) -> str:
        """Whose sessions are meant: no two callers share what one of them left in mind.

        A person at the root is not the owner, though the audit calls both the same.
        """
        return f"owner {self.actor}" if self.is_owner else self.actor

    def reach(self, scope: Scope | None = None) -> Reach:
        """What a read may see; a scope given with the call can only narrow it."""
        if self.scope is None or self.kind is PrincipalKind.ANONYMOUS:
            return Reach(chain=())
        scope = checked_scope(scope)
        if scope is None or scope == self.scope:
            return self._own_reach(self.scope)
        if self.can_see(scope):
            return Reach(chain=_paths(scope), is_veiled=self.is_veiled)
        raise AccessDenied(hint="A scope given with a call can only narrow the caller's own.")

    def _own_reach(self, scope: Scope) -> Reach:
        # Below a channel there is nothing: channel and user make one level together.
        if self.kind is not PrincipalKind.ORCHESTRATOR or scope.channel is not None:
            return Reach(chain=_paths(scope), is_veiled=self.is_veiled)
        return Reach(_paths(scope), scope.path, scope.path + _AFTER_ALL, self.is_veiled)

    def review_reach(self, scope: Scope | None = None) -> Reach:
        """Where a caller may look for what waits for a decision: the owner, everywhere."""
        if self.is_owner and scope is None:
            return Reach((GLOBAL_PATH,), GLOBAL_PATH, GLOBAL_PATH + _AFTER_ALL)
        return self.reach(scope)

    def export_reach(self, scope: Scope | None = None) -> Reach:
        """What may be carried out: all that is seen, or one scope with what lies below it."""
        if scope is None:
            return self.review_reach()
        reach = self.reach(scope)  # refuses a scope that is not seen
        if not self.looks_down or scope.channel is not None:
            return dataclasses.replace(reach, chain=(scope.path,))
        return dataclasses.replace(
            reach, chain=(scope.path,), below_start=scope.path, below_end=scope.path + _AFTER_ALL
        )

    def write_scope(self, scope: Scope | None = None) -> Scope:
        """Where a new memory goes: the caller's scope or one inside it."""
        if self.scope is None or self.kind is PrincipalKind.ANONYMOUS:
            raise AccessDenied(
                hint="An anonymous caller cannot write; open the store with a scope."
            )
        scope = checked_scope(scope)
        if scope is None:
            return self.scope
        if self.scope.contains(scope):
            return scope
        raise AccessDenied(hint="A scope given with a call can only narrow the caller's own.")

    def check_may_curate(self) -> None:
        """Refuse who may add and correct, and not decide what is kept above the rest."""
        if not self.may_curate:
            raise AccessDenied(hint="This takes a key with the role of a curator.")

    def check_known(self) -> None:
        """Refuse a caller nobody vouches for."""
        if self.scope is None or self.kind is PrincipalKind.ANONYMOUS:
            raise AccessDenied(hint="An anonymous caller may not do this.")

    def check_may_change(self, scope: Scope) -> None:
        """Refuse a change to a memory that is only visible from above."""
        if not self.may_change_in(scope):
            raise AccessDenied(hint="This memory belongs to a wider scope; it is read-only here.")

    def writing_reach(self, scope: Scope) -> Reach:
        """What a write into a scope of one's own must see to recognise what is there."""
        return Reach(chain=_paths(scope))

    def can_see(self, scope: Scope) -> bool:
        """Whether memories of that scope may be read at all, by naming the scope if need be."""
        if self.scope is None or self.kind is PrincipalKind.ANONYMOUS:
            return False
        if self.kind is PrincipalKind.SKILL:
            return scope == self.scope
        if scope.contains(self.scope) or (self.looks_down and self.scope.contains(scope)):
            return True
        return scope.is_namespace and scope.host == self.scope

    def may_change_in(self, scope: Scope) -> bool:
        """Whether memories of that scope may be changed: one's own, and those one looks down on."""
        if self.scope is None or self.kind is PrincipalKind.ANONYMOUS:
            return False
        return scope == self.scope or (self.looks_down and self.scope.contains(scope))


@lru_cache(maxsize=4096)
def _paths(scope: Scope) -> tuple[str, ...]:
    if scope.is_namespace:
        return (scope.path,)
    return tuple(step.path for step in scope.chain())
