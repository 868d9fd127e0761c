"""What can be typed after `engram knowledge`: actions, options, and which go together."""

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from engram.surfaces.cli.heard import Hearing, said_in
from engram.surfaces.cli.options import Text, as_moment

_ASKING = "When asking"
_LEARNING = "When learning"
_ANY = "any"  # relation, in a step of a path
_CONDITIONS = ("type", "label", "confidence", "epistemic")


class KnowledgeAction(StrEnum):
    """What can be done with what is known."""

    LIST = "list"
    SHOW = "show"
    BELIEF = "belief"
    HISTORY = "history"
    SUPPORT = "support"
    NEIGHBOURS = "neighbours"
    TRAVERSE = "traverse"
    ACTIVATE = "activate"
    INFER = "infer"
    QUERY = "query"
    LEARN = "learn"
    PROPOSE = "propose"
    ALIAS = "alias"
    RETRACT = "retract"


@dataclass(frozen=True, slots=True)
class Asking:
    """What is looked at, and how far."""

    limit: Annotated[
        int | None,
        typer.Option("--limit", "-n", help="At most so many.", rich_help_panel=_ASKING),
    ] = None
    node_type: Annotated[
        Text,
        typer.Option("--type", help="With list: what is of this type.", rich_help_panel=_ASKING),
    ] = None
    relation: Annotated[
        Text,
        typer.Option(help="With neighbours: along this relation.", rich_help_panel=_ASKING),
    ] = None
    direction: Annotated[
        Text, typer.Option(help="With neighbours: out, in or both.", rich_help_panel=_ASKING)
    ] = None
    hops: Annotated[
        int | None, typer.Option(help="How far, from 1 to 5.", rich_help_panel=_ASKING)
    ] = None
    inferred: Annotated[
        bool, typer.Option("--inferred", help="Also what only follows.", rich_help_panel=_ASKING)
    ] = False
    learned_only: Annotated[
        bool,
        typer.Option(
            "--learned-only",
            help="Has no effect any more: nothing is read off texts.",
            rich_help_panel=_ASKING,
        ),
    ] = False
    as_of: Annotated[
        Text,
        typer.Option(
            callback=as_moment,
            metavar="TIME",
            help="What held in the world at this time.",
            rich_help_panel=_ASKING,
        ),
    ] = None
    known_at: Annotated[
        Text,
        typer.Option(
            callback=as_moment,
            metavar="TIME",
            help="What was known at this time.",
            rich_help_panel=_ASKING,
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Learning:
    """What is said of a fact beside its words."""

    property: Annotated[
        Text,
        typer.Option(
            help="Which property; also with belief and history.", rich_help_panel=_LEARNING
        ),
    ] = None
    value: Annotated[
        Text,
        typer.Option(help="The property's value, in words or JSON.", rich_help_panel=_LEARNING),
    ] = None
    subject_type: Annotated[
        Text, typer.Option(help="person, tool, place …", rich_help_panel=_LEARNING)
    ] = None
    object_type: Annotated[
        Text, typer.Option(help="The same of the object.", rich_help_panel=_LEARNING)
    ] = None
    epistemic: Annotated[
        Text,
        typer.Option(
            "--grounds",
            metavar="GROUNDS",
            help='A word, as axiomatic, or JSON, as {"type": "hearsay", "chain": ["Bo"]}.',
            rich_help_panel=_LEARNING,
        ),
    ] = None
    confidence: Annotated[
        float | None, typer.Option(help="From 0 to 1.", rich_help_panel=_LEARNING)
    ] = None
    weight: Annotated[
        float | None, typer.Option(help="From 0 to 1.", rich_help_panel=_LEARNING)
    ] = None
    valid_from: Annotated[
        Text,
        typer.Option(
            callback=as_moment,
            metavar="TIME",
            help="It holds from then.",
            rich_help_panel=_LEARNING,
        ),
    ] = None
    valid_until: Annotated[
        Text,
        typer.Option(
            callback=as_moment,
            metavar="TIME",
            help="It holds until then.",
            rich_help_panel=_LEARNING,
        ),
    ] = None
    at: Annotated[
        Text,
        typer.Option(
            callback=as_moment, metavar="TIME", help="When it was said.", rich_help_panel=_LEARNING
        ),
    ] = None
    source: Annotated[
        Text,
        typer.Option(help="Where it comes from, as web:example.org.", rich_help_panel=_LEARNING),
    ] = None
    custom: Annotated[
        bool,
        typer.Option(
            "--custom", help="The relation or type is your own.", rich_help_panel=_LEARNING
        ),
    ] = False
    functional: Annotated[
        bool,
        typer.Option(
            "--functional", help="Your own has one value at a time.", rich_help_panel=_LEARNING
        ),
    ] = False
    distinct: Annotated[
        Text,
        typer.Option(help="Tells the subject from others of its name.", rich_help_panel=_LEARNING),
    ] = None
    idempotency_key: Annotated[
        Text,
        typer.Option(
            metavar="KEY",
            help="The same request twice is learnt once.",
            rich_help_panel=_LEARNING,
        ),
    ] = None
    secrecy: Annotated[
        Text,
        typer.Option(
            "--tier",
            metavar="TIER",
            help="cleartext, sensitive or confidential.",
            rich_help_panel=_LEARNING,
        ),
    ] = None
    by: Annotated[
        Text, typer.Option(help="With propose: which model.", rich_help_panel=_LEARNING)
    ] = None
    reason: Annotated[
        Text,
        typer.Option(help="With alias and retract: why.", rich_help_panel=_LEARNING),
    ] = None
    file: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="With learn: facts in JSON from there.", rich_help_panel=_LEARNING
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What was typed."""

    action: KnowledgeAction
    words: tuple[str, ...]
    asking: Asking
    learning: Learning

    def word(self, place: int) -> str | None:
        """The word in a place, if there is one."""
        return self.words[place] if place < len(self.words) else None

    @property
    def first(self) -> str:
        """What is spoken of."""
        return self.words[0] if self.words else ""

    def said(self, *names: str) -> dict[str, object]:
        """The options of these names that were given, to be handed on."""
        given = said_in(self.asking, self.learning)
        return {name: given[name] for name in names if name in given}

    def looked_at(self, *names: str) -> dict[str, object]:
        """The same for what looks into the graph, with what all of that hears."""
        shared = self.said("limit", "as_of", "known_at", *names)
        return {**shared, "texts": not self.asking.learned_only}


# What each action has to be told, in its order: in brackets what may be left out, with dots what
# may be said more than once.
WANTS: dict[str, tuple[str, ...]] = {
    KnowledgeAction.SHOW: ("NAME",),
    KnowledgeAction.BELIEF: ("SUBJECT", "[RELATION]"),
    KnowledgeAction.HISTORY: ("SUBJECT", "[RELATION]"),
    KnowledgeAction.SUPPORT: ("ID",),
    KnowledgeAction.NEIGHBOURS: ("NAME",),
    KnowledgeAction.TRAVERSE: ("NAME", "STEP..."),
    KnowledgeAction.ACTIVATE: ("NAME...",),
    KnowledgeAction.INFER: ("NAME", "RELATION"),
    KnowledgeAction.QUERY: ("QUESTION...",),
    KnowledgeAction.LEARN: ("[SUBJECT]", "[RELATION]", "[OBJECT]"),
    KnowledgeAction.PROPOSE: ("SUBJECT", "RELATION", "OBJECT"),
    KnowledgeAction.ALIAS: ("NAME", "OF"),
    KnowledgeAction.RETRACT: ("ID", "[REASON]"),
}
_GRAPH = frozenset({"show", "neighbours", "traverse", "activate", "infer", "query"})
_MOMENTS = _GRAPH | {"belief"}
_LEARN = frozenset({"learn"})
# By option the actions that hear it; what is not named here, `learn` hears alone.
_HEARD: dict[str, frozenset[str]] = {
    "limit": _GRAPH | {"list"},
    "learned_only": _GRAPH | {"list"},
    "node_type": frozenset({"list"}),
    "relation": frozenset({"neighbours"}),
    "direction": frozenset({"neighbours"}),
    "hops": frozenset({"neighbours", "activate", "query"}),
    "inferred": frozenset({"show", "neighbours"}),
    "as_of": _MOMENTS,
    "known_at": _MOMENTS,
    "property": frozenset({"learn", "belief", "history"}),
    "confidence": frozenset({"learn", "propose"}),
    "custom": frozenset({"learn", "propose"}),
    "by": frozenset({"propose"}),
    "reason": frozenset({"alias", "retract"}),
}
_OPTIONS = {
    "node_type": "type",
    "epistemic": "grounds",
    "secrecy": "tier",
}  # what some are called when typed
HEARING = Hearing("knowledge", WANTS, _HEARD, otherwise=_LEARN, typed=_OPTIONS)


def read_value(text: str) -> object:
    """A value in JSON, or the words themselves when they are none.

    A number that would not come back as it was typed, as the version 1.10, stays words.
    """
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    is_number = isinstance(found, int | float)
    return text if is_number and json.dumps(found) != text else found


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path as it was typed."""

    relation: str | None
    direction: str
    conditions: dict[str, object]


def read_step(text: str) -> Step:
    """A step, as `uses`, `used_by:in` or `any:both,type=person,confidence=0.5`."""
    head, *conditions = text.split(",")
    relation, colon, direction = head.partition(":")
    found = dict(_condition(each) for each in conditions)
    return Step(None if relation == _ANY else relation, direction if colon else "out", found)


def _condition(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals or name not in _CONDITIONS:
        told = f"A condition is one of {', '.join(f'{each}=…' for each in _CONDITIONS)}."
        raise typer.BadParameter(told, param_hint="STEP")
    if name != "confidence":
        return name, value
    try:
        return name, float(value)
    except ValueError:
        raise typer.BadParameter("Confidence is a number from 0 to 1.", param_hint="STEP") from None
