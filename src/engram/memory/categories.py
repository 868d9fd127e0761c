"""The one registry of categories: what each means for risk, layer, type, decay and archival."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engram.errors import InvalidInput
from engram.memory.times import parse_horizon
from engram.memory.vocabulary import Kind, Layer, MemoryType

AUTO_APPEND = 1  # stored at once, whoever says it
REGISTRY_CHECK = 2  # stored, unless it conflicts with what is known: then held for review
CURATED = 3  # said by an agent it is held until a person approves it

TURN = "turn"  # the category of what was said, word for word

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, slots=True)
class Category:
    """One row of the registry."""

    name: str
    risk_tier: int
    layer: Layer = Layer.SEMANTIC
    memory_type: MemoryType = MemoryType.FACT
    kind: Kind = Kind.NOTE
    horizon: str | None = "365d"  # unverified for longer, it turns stale; None: never
    is_protected: bool = False  # never archived by age
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in (self.name, *self.aliases):
            if not _NAME.fullmatch(name):
                raise InvalidInput(hint="A category's name is lowercase letters, digits and _.")
        if self.risk_tier not in (AUTO_APPEND, REGISTRY_CHECK, CURATED):
            raise InvalidInput(hint="A category's risk_tier is 1, 2 or 3.")
        if self.horizon is not None:
            parse_horizon(self.horizon)


_EPISODIC = Layer.EPISODIC
_PROCEDURAL = Layer.PROCEDURAL
_PROCEDURE = MemoryType.PROCEDURE
_NARRATIVE = MemoryType.NARRATIVE

# The horizons of stated preferences and identity are a year, of work in flight half a year, of
# passing context a month. What is a record of an event or a decision does not turn stale.
BUILT_IN: tuple[Category, ...] = (
    Category("fact", 1, aliases=("facts",)),
    Category("preference", 1, is_protected=True, aliases=("preferences", "likes")),
    Category("correction", 1, horizon=None, is_protected=True, aliases=("corrections",)),
    Category("entity", 1, aliases=("entities", "person")),
    Category("decision", 1, horizon=None, is_protected=True, aliases=("decisions",)),
    Category("relationship", 2, aliases=("relationships",)),
    Category("principle", 2, _PROCEDURAL, _PROCEDURE, horizon=None, is_protected=True,
             aliases=("principles",)),
    Category("commitment", 1, _EPISODIC, horizon="90d", is_protected=True,
             aliases=("commitments", "promise")),
    Category("moment", 1, _EPISODIC, _NARRATIVE, Kind.EPISODE, horizon=None,
             aliases=("moments", "event")),
    Category("skill", 1, _PROCEDURAL, _PROCEDURE, horizon=None, aliases=("skills",)),
    Category("tooling", 1, horizon="180d", aliases=("tool", "tools")),
    Category("project", 1, horizon="180d", aliases=("projects",)),
    Category("infra", 1, horizon="180d", aliases=("infrastructure",)),
    Category("identity", 3, is_protected=True),
    Category("fiscal", 3, aliases=("finance", "billing")),
    Category("people", 3, aliases=("contacts",)),
    Category("constraint", 3, is_protected=True, aliases=("constraints",)),
    Category("location", 3, aliases=("place",)),
    Category("health", 3, aliases=("medical",)),
    Category("instruction", 3, _PROCEDURAL, _PROCEDURE, horizon=None, is_protected=True,
             aliases=("instructions", "rule")),
    Category("context", 1, _EPISODIC, _NARRATIVE, horizon="30d"),
    Category("technical", 1, horizon="180d", aliases=("tech",)),
    Category("procedure", 2, _PROCEDURAL, _PROCEDURE, horizon=None,
             aliases=("procedures", "howto")),
    Category(TURN, 1, _EPISODIC, _NARRATIVE, Kind.EPISODE, horizon=None,
             aliases=("turns", "message")),
    Category("general", 1, _EPISODIC, horizon=None, aliases=("other", "misc")),
)  # fmt: skip


class CategoryRegistry:
    """Finds a category by its name or an alias."""

    def __init__(self, custom: Iterable[Category] = ()) -> None:
        self._by_name: dict[str, Category] = {}
        for category in (*BUILT_IN, *custom):
            for name in (category.name, *category.aliases):
                if name in self._by_name:
                    raise InvalidInput(hint=f"The category name `{name}` is taken.")
                self._by_name[name] = category

    def find(self, name: str) -> Category:
        """The category of that name or alias, or a refusal that lists them."""
        category = self._by_name.get(name.strip().lower()) if isinstance(name, str) else None
        if category is None:
            raise InvalidInput(hint=f"Category is one of: {', '.join(self.names())}.")
        return category

    def names(self) -> list[str]:
        """Every category's own name, in the order of the registry."""
        return list(dict.fromkeys(category.name for category in self._by_name.values()))

    def rows(self) -> list[Category]:
        """Every category once."""
        return [self._by_name[name] for name in self.names()]


def custom_category(name: str, fields: object) -> Category:
    """Read one custom category from a settings table."""
    if not isinstance(fields, Mapping):
        raise InvalidInput(hint=f"categories.{name} is a table.")
    known = {"risk_tier", "layer", "type", "horizon", "protected", "aliases"}
    unknown = set(fields) - known
    if unknown:
        raise InvalidInput(hint=f"categories.{name} has unknown keys: {sorted(unknown)}.")
    horizon = fields.get("horizon", "365d")
    aliases = fields.get("aliases", ())
    if not isinstance(fields.get("protected", False), bool):
        raise InvalidInput(hint=f"categories.{name}.protected is true or false.")
    if not isinstance(aliases, list | tuple):
        raise InvalidInput(hint=f"categories.{name}.aliases is a list of names.")
    try:
        return Category(
            name,
            int(str(fields.get("risk_tier", AUTO_APPEND))),
            Layer(str(fields.get("layer", Layer.SEMANTIC))),
            MemoryType(str(fields.get("type", MemoryType.FACT))),
            horizon=None if horizon == "never" else str(horizon),
            is_protected=fields.get("protected", False) is True,
            aliases=tuple(str(alias) for alias in aliases),
        )
    except ValueError as error:
        hint = error.hint if isinstance(error, InvalidInput) else "a value is not allowed."
        raise InvalidInput(hint=f"categories.{name}: {hint}") from None
