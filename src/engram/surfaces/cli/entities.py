"""The command that tells who and what memories are about, and which names mean the same."""

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import MemoryNotFound
from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.options import ReasonOption
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from engram.memory.dreams.cards import Card
    from engram.memory.entities.profile import Entity, EntityProfile
    from engram.memory.knowledge.belief import Belief


@command("entity", panel=Panel.LOOK, example="engram entity Ada")
def entity(
    call: Call,
    name: Annotated[
        str | None, typer.Argument(help="A name; without one, everybody and everything named.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most so many.")] = 20,
    into: Annotated[
        str | None, typer.Option("--merge-into", metavar="NAME", help="It means the same as this.")
    ] = None,
    is_split: Annotated[
        bool, typer.Option("--split", help="It is somebody or something of its own.")
    ] = False,
    is_proposed: Annotated[
        bool, typer.Option("--proposed", help="List names that may mean the same.")
    ] = False,
    reason: ReasonOption = "",
) -> None:
    """Show what is known of somebody or something; say which names mean the same."""
    if is_proposed:
        _show_proposed(call)
        return
    if name is None and (into or is_split):
        raise typer.BadParameter("Which name is meant?", param_hint="NAME")
    if into and is_split:
        raise typer.BadParameter("Merge or split, one at a time.", param_hint="--split")
    if name is None:
        _show_all(call, limit)
    elif into or is_split:
        _decide(call, name, into, reason)
    else:
        _show_one(call, name, limit)


def _show_all(call: Call, limit: int) -> None:
    from engram.surfaces.documents import entity_document

    with call.engram() as engram:
        found = engram.entities(limit=limit, scope=call.part)
    document: dict[str, object] = {"entities": [entity_document(each) for each in found]}
    call.show(document, lambda: _listed(found))


def _show_proposed(call: Call) -> None:
    with call.engram() as engram:
        found = engram.name_proposals(scope=call.part)
    document: dict[str, object] = {"proposals": [dataclasses.asdict(each) for each in found]}
    lines = [f"{each.name} = {each.into}? ({each.reason}; {each.change_id})" for each in found]
    lines = lines or ["No names are waiting for a decision."]
    call.show(document, lambda: pictures.stack(*(styled(line, "dim") for line in lines)))


def _decide(call: Call, name: str, into: str | None, reason: str) -> None:
    with call.engram() as engram:
        if into is None:
            change = engram.split_entity(name, reason=reason, scope=call.part)
        else:
            change = engram.merge_entities(name, into, reason=reason, scope=call.part)
    done = f"{name} stands alone." if into is None else f"{name} means {into}."
    call.show(
        {"change_id": change},
        lambda: pictures.stack(styled(done, "green"), pictures.undo_hint(change, call.again)),
    )


def _show_one(call: Call, name: str, limit: int) -> None:
    from engram.surfaces.knowledge_documents import beliefs_of, known_entity_document
    from engram.surfaces.profiles_documents import card_document

    with call.engram() as engram:
        profile = engram.entity(name, limit=limit, scope=call.part)
        if profile is None:
            hint = "No memory you can see names this; `engram entity` lists names."
            raise MemoryNotFound(hint=hint)
        beliefs = beliefs_of(engram, profile, limit=limit, scope=call.part)
        card = engram.card(name, scope=call.part)
    document = known_entity_document(profile, beliefs)
    if card is not None:
        document["card"] = card_document(card)
    call.show(document, lambda: _profile(profile, beliefs, card))


def _listed(found: "Sequence[Entity]") -> "RenderableType":
    if not found:
        return styled("No names are known yet.", "dim")
    made = pictures.table("name", "type", "memories", "last", whole=("type", "memories", "last"))
    for each in found:
        made.add_row(
            styled(each.name, "bold"),
            styled(each.type, "dim"),
            styled(f"{each.mentions:,}", "cyan"),
            styled(pictures.moment(each.last_seen), "dim"),
        )
    return made


def _profile(
    profile: "EntityProfile", beliefs: "Sequence[Belief]", card: "Card | None"
) -> "RenderableType":
    from engram.surfaces.cli.knowledge_pictures import below_profile
    from engram.surfaces.cli.profiling import card_picture

    found = profile.entity
    seen = f"{pictures.moment(found.first_seen)} to {pictures.moment(found.last_seen)} (UTC)"
    lines = [styled(f"{found.name} ({found.type})", "bold"), styled(f"  named {seen}", "dim")]
    if found.aliases:
        lines.append(styled(f"  also: {', '.join(found.aliases)}", "dim"))
    if profile.beside:
        beside = ", ".join(f"{name} ({count})" for name, count in profile.beside)
        lines.append(styled(f"  beside: {beside}", "dim"))
    known = below_profile(beliefs, found.name)
    told = card_picture(card)
    return pictures.stack(*lines, *told, pictures.memories(profile.timeline), *known)
