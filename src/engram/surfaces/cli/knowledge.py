"""The command for what is known: learn how things hang together, ask for it, follow it on."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import knowledge_pictures, pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command, session_of
from engram.surfaces.cli.heard import said_in
from engram.surfaces.cli.json_given import read_json_list
from engram.surfaces.cli.knowledge_options import (
    HEARING,
    WANTS,
    Asked,
    Asking,
    KnowledgeAction,
    Learning,
    read_step,
    read_value,
)
from engram.surfaces.cli.piping import bar
from engram.surfaces.cli.recalling import made_ready
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from engram.engine import Engram
    from engram.memory.knowledge.views import Reached

_PIPE = "-"
_OF_FACTS = (
    "property", "value", "subject_type", "object_type", "epistemic", "confidence", "weight",
    "valid_from", "valid_until", "at", "source", "custom", "functional", "distinct",
    "idempotency_key", "secrecy",
)  # fmt: skip


@command("knowledge", panel=Panel.USE, example="engram knowledge learn Ada works_for Acme")
def knowledge(
    call: Call,
    asking: Asking,
    learning: Learning,
    action: Annotated[KnowledgeAction, typer.Argument(help="What to do.")] = KnowledgeAction.LIST,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="WHAT", help="Names, a relation, steps or an id; see the examples."),
    ] = None,
) -> None:
    """Learn how things hang together, and ask what is believed, since when and why."""
    asked = Asked(action, _named(action, words or []), asking, learning)
    HEARING.check(action, asked.words, said_in(asking, learning))
    _DOES[action](call, asked)


def _named(action: KnowledgeAction, words: list[str]) -> tuple[str, ...]:
    """What was typed; in the shell the number of a last result stands for its label."""
    session = session_of.get()
    if session is None or not words or WANTS.get(action, ())[:1] != ("ID",):
        return tuple(words)
    return (session.named(words[0]), *words[1:])


# Asking


def _list(call: Call, asked: Asked) -> None:
    from engram.surfaces.knowledge_documents import nodes_document

    with call.engram() as engram:
        found = engram.knowledge.nodes(
            asked.asking.node_type,
            texts=not asked.asking.learned_only,
            **asked.said("limit"),  # type: ignore[arg-type]  # named as the library names them
            scope=call.part,
        )
        elsewhere = "" if found else call.elsewhere(engram)
    picture = knowledge_pictures.nodes
    call.show(nodes_document(found), lambda: pictures.with_hint(picture(found), elsewhere))


def _show(call: Call, asked: Asked) -> None:
    from engram.surfaces.knowledge_documents import node_view_document

    with call.engram() as engram:
        view = engram.knowledge.node(
            asked.first,
            **asked.looked_at("inferred"),  # type: ignore[arg-type]  # named as the library has it
            scope=call.part,
        )
    call.show(node_view_document(view), lambda: knowledge_pictures.node(view))


def _belief(call: Call, asked: Asked) -> None:
    from engram.surfaces.knowledge_documents import state_document

    with call.engram() as engram:
        found = engram.knowledge.belief(
            asked.first,
            asked.word(1),
            **asked.said("property", "as_of", "known_at"),  # type: ignore[arg-type]  # named as the library has it
            scope=call.part,
        )
    call.show(state_document(found), lambda: knowledge_pictures.state(found))


def _history(call: Call, asked: Asked) -> None:
    from engram.surfaces.knowledge_documents import revisions_document

    relation, name = asked.word(1), asked.learning.property
    with call.engram() as engram:
        about = engram.knowledge
        found = about.history(asked.first, relation, property=name, scope=call.part)
        now = about.belief(asked.first, relation, property=name, scope=call.part)
    title = f"{asked.first}: {name or relation}"
    picture = knowledge_pictures.history
    call.show(revisions_document(found), lambda: picture(title, found, now))


def _support(call: Call, asked: Asked) -> None:
    from engram.surfaces.knowledge_documents import support_document

    with call.engram() as engram:
        scope = call.part_of(engram, asked.first)
        found = engram.knowledge.support(asked.first, scope=scope)
    call.show(support_document(found), lambda: knowledge_pictures.support(found))


# Following


def _neighbours(call: Call, asked: Asked) -> None:
    given = asked.looked_at("relation", "direction", "hops", "inferred")
    _show_reached(
        call,
        lambda engram: engram.knowledge.neighbours(asked.first, **given, scope=call.part),  # type: ignore[arg-type]  # named as the library has it
        "Nothing is near it.",
    )


def _traverse(call: Call, asked: Asked) -> None:
    steps = [read_step(each) for each in asked.words[1:]]
    given = asked.looked_at()
    limit = given.pop("limit", 100)

    def find(engram: "Engram") -> "Sequence[Reached]":
        path = engram.knowledge.path(asked.first, **given, scope=call.part)  # type: ignore[arg-type]  # named as the library has it
        for step in steps:
            path = path.follow(step.relation, step.direction)
            path = path.where(**step.conditions)  # type: ignore[arg-type]  # checked further in
        return path.find(limit)  # type: ignore[arg-type]  # named as the library has it

    _show_reached(call, find, "The path leads nowhere.")


def _activate(call: Call, asked: Asked) -> None:
    given = asked.looked_at("hops")
    _show_reached(
        call,
        lambda engram: engram.knowledge.activate(asked.words, **given, scope=call.part),  # type: ignore[arg-type]  # named as the library has it
        "Nothing comes to mind.",
        is_activation=True,
    )


def _show_reached(
    call: Call,
    find: "Callable[[Engram], Sequence[Reached]]",
    empty: str,
    *,
    is_activation: bool = False,
) -> None:
    from engram.surfaces.knowledge_documents import reached_document

    with call.engram() as engram:
        found = find(engram)
    picture = knowledge_pictures.reached
    call.show(reached_document(found), lambda: picture(found, empty, is_activation=is_activation))


def _infer(call: Call, asked: Asked) -> None:
    from engram.surfaces.knowledge_documents import conclusions_document

    with call.engram() as engram:
        found = engram.knowledge.infer(
            asked.first,
            asked.word(1) or "",
            **asked.looked_at(),  # type: ignore[arg-type]  # named as the library has it
            scope=call.part,
        )
    call.show(conclusions_document(found), lambda: knowledge_pictures.conclusions(found))


def _query(call: Call, asked: Asked) -> None:
    from engram.surfaces.knowledge_documents import answers_document

    with call.engram() as engram:
        made_ready(engram)
        found = engram.knowledge.query(
            " ".join(asked.words),
            **asked.looked_at("hops"),  # type: ignore[arg-type]  # named as the library has it
            scope=call.part,
        )
    call.show(answers_document(found), lambda: knowledge_pictures.answers(found))


# Learning


def _learn(call: Call, asked: Asked) -> None:
    from engram.surfaces.knowledge_documents import learned_document

    if asked.learning.file is not None or asked.words in ((), (_PIPE,)):
        _learn_many(call, asked)
        return
    fact = {**asked.said(*_OF_FACTS), "subject": asked.first}
    for place, name in ((1, "relation"), (2, "object")):
        if asked.word(place) is not None:
            fact[name] = asked.word(place)
    for name in ("value", "epistemic"):
        if name in fact:
            fact[name] = read_value(str(fact[name]))
    with call.engram(is_new=True) as engram:
        found = engram.knowledge.learn(**fact, scope=call.part)  # type: ignore[arg-type]  # named as the library has it
    call.show(learned_document(found), lambda: knowledge_pictures.learned(found, call.again))
    if found.kind == "refused":
        raise typer.Exit(1)


def _learn_many(call: Call, asked: Asked) -> None:
    from engram.surfaces.knowledge_documents import learned_many_document

    if asked.said(*_OF_FACTS):
        raise typer.BadParameter("Facts in JSON say all of it themselves.", param_hint="FACTS")
    facts = read_json_list(asked.word(0), asked.learning.file, name="FACTS")
    items = [_placed(each, call) for each in facts]
    with call.engram(is_new=True) as engram, bar("Learning") as advance:
        found = engram.knowledge.learn_many(items, progress=advance)  # type: ignore[arg-type]  # the library says which is no fact
    picture = knowledge_pictures.learned_many
    call.show(learned_many_document(found), lambda: picture(found, call.again))
    if any(each.kind == "refused" for each in found):
        raise typer.Exit(1)


def _placed(fact: object, call: Call) -> object:
    """A fact that names its scope belongs there; any other where the command says."""
    from engram.memory.scopes import Scope

    if not isinstance(fact, dict):
        return fact
    named = fact.get("scope")
    scope = Scope.parse(named) if isinstance(named, str) else named
    return {**fact, "scope": scope or call.part}


def _propose(call: Call, asked: Asked) -> None:
    from engram.surfaces.knowledge_documents import learned_document

    with call.engram(is_new=True) as engram:
        found = engram.knowledge.propose(
            *asked.words,
            model=asked.learning.by,
            **asked.said("confidence", "custom"),  # type: ignore[arg-type]  # named as the library has it
            scope=call.part,
        )
    call.show(learned_document(found), lambda: knowledge_pictures.learned(found, call.again))
    if found.kind == "refused":
        raise typer.Exit(1)


def _alias(call: Call, asked: Asked) -> None:
    name, of = asked.words
    with call.engram() as engram:
        reason = asked.learning.reason or ""
        change = engram.knowledge.alias(name, of, reason=reason, scope=call.part)
    done = styled(f"{name} means {of}.", "green")
    hint = pictures.undo_hint(change, call.again)
    call.show({"change_id": change}, lambda: pictures.stack(done, hint))


def _retract(call: Call, asked: Asked) -> None:
    reason = asked.word(1) or asked.learning.reason
    if not reason:
        raise typer.BadParameter("Say why it was wrong; it is kept.", param_hint="REASON")
    with call.engram() as engram:
        scope = call.part_of(engram, asked.first)
        memory = engram.knowledge.retract(asked.first, reason, scope=scope)
    call.show_change("Withdrew", memory)


_DOES: dict[KnowledgeAction, Callable[[Call, Asked], None]] = {
    KnowledgeAction.LIST: _list,
    KnowledgeAction.SHOW: _show,
    KnowledgeAction.BELIEF: _belief,
    KnowledgeAction.HISTORY: _history,
    KnowledgeAction.SUPPORT: _support,
    KnowledgeAction.NEIGHBOURS: _neighbours,
    KnowledgeAction.TRAVERSE: _traverse,
    KnowledgeAction.ACTIVATE: _activate,
    KnowledgeAction.INFER: _infer,
    KnowledgeAction.QUERY: _query,
    KnowledgeAction.LEARN: _learn,
    KnowledgeAction.PROPOSE: _propose,
    KnowledgeAction.ALIAS: _alias,
    KnowledgeAction.RETRACT: _retract,
}
