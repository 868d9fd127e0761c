"""The command for skills: how tasks are done, which fits now, how it went, what failed before."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from engram.errors import InvalidInput
from engram.surfaces.cli import terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.heard import Hearing, said_in
from engram.surfaces.cli.json_given import read_json, read_json_list
from engram.surfaces.cli.options import as_moment

if TYPE_CHECKING:
    from engram.engine import Engram
    from engram.memory.scopes import Scope

_RUN = "With feedback and flow"
_SHOWN = 20


class SkillsAction(StrEnum):
    """What can be done with skills."""

    LIST = "list"
    SHOW = "show"
    RUNS = "runs"
    MATCH = "match"
    WARNINGS = "warnings"
    ADD = "add"
    LEARN = "learn"
    REVISE = "revise"
    RETIRE = "retire"
    FEEDBACK = "feedback"
    FLOW = "flow"


@dataclass(frozen=True, slots=True)
class Said:
    """All that can be said to the actions; each hears some of it."""

    file: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Read the JSON of this file; - is a pipe."),
    ] = None
    limit: Annotated[int | None, typer.Option("--limit", "-n", help="At most so many.")] = None
    stage: Annotated[
        str | None, typer.Option(help="With list: held, probation, active or retired.")
    ] = None
    known_at: Annotated[
        str | None,
        typer.Option(
            callback=as_moment, metavar="TIME", help="With show: as it was known at this time."
        ),
    ] = None
    name: Annotated[str | None, typer.Option(help="With learn: what it is called.")] = None
    reason: Annotated[
        str, typer.Option(help="With revise and retire: why; it is kept in the history.")
    ] = ""
    tool: Annotated[
        str | None, typer.Option(help="With warnings and feedback: what is called, or failed.")
    ] = None
    error: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="With warnings, feedback and flow: the error that came."),
    ] = None
    outcome: Annotated[
        str | None,
        typer.Option(
            metavar="WORD|JSON",
            help="How it went: success, failure, partial, abandoned, or JSON that tells more.",
            rich_help_panel=_RUN,
        ),
    ] = None
    learned: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="What is to be learnt of it.", rich_help_panel=_RUN),
    ] = None
    duration: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="How long it took.", rich_help_panel=_RUN),
    ] = None
    at: Annotated[
        str | None,
        typer.Option(callback=as_moment, metavar="TIME", help="When it was.", rich_help_panel=_RUN),
    ] = None
    step: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Which step failed, as `show` counts them.", rich_help_panel=_RUN
        ),
    ] = None
    episode: Annotated[
        str | None,
        typer.Option(
            metavar="ID", help="The episode that tells it; it counts once.", rich_help_panel=_RUN
        ),
    ] = None
    context: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT|JSON", help="The situation in which it was.", rich_help_panel=_RUN
        ),
    ] = None
    failing_node: Annotated[
        str | None,
        typer.Option(metavar="NODE", help="Where the flow failed.", rich_help_panel=_RUN),
    ] = None


# What each action has to be told, in its order; see `Hearing`.
_WANTS: dict[str, tuple[str, ...]] = {
    SkillsAction.SHOW: ("NAME",),
    SkillsAction.RUNS: ("NAME",),
    SkillsAction.MATCH: ("[SITUATION]",),
    SkillsAction.WARNINGS: ("[SITUATION]",),
    SkillsAction.ADD: ("[JSON]",),
    SkillsAction.LEARN: ("EPISODE...",),
    SkillsAction.REVISE: ("NAME", "[JSON]"),
    SkillsAction.RETIRE: ("NAME",),
    SkillsAction.FEEDBACK: ("NAME",),
    SkillsAction.FLOW: ("NAME", "[NODE...]"),
}
_RUNNING = frozenset({"feedback", "flow"})
_FEEDBACK = frozenset({"feedback"})
# By option the actions that hear it.
_HEARD: dict[str, frozenset[str]] = {
    "stage": frozenset({"list"}),
    "limit": frozenset({"list", "runs", "match", "warnings"}),
    "known_at": frozenset({"show"}),
    "file": frozenset({"match", "warnings", "add", "revise", "flow"}),
    "name": frozenset({"learn"}),
    "reason": frozenset({"revise", "retire"}),
    "tool": frozenset({"warnings", "feedback"}),
    "error": _RUNNING | {"warnings"},
    "outcome": _RUNNING,
    "learned": _RUNNING,
    "duration": _RUNNING,
    "failing_node": frozenset({"flow"}),
    "at": _FEEDBACK,
    "step": _FEEDBACK,
    "episode": _FEEDBACK,
    "context": _FEEDBACK,
}
_HEARING = Hearing("skills", _WANTS, _HEARD)


@command("skills", panel=Panel.USE, example='engram skills match "the site has to go live"')
def skills(
    call: Call,
    action: Annotated[SkillsAction, typer.Argument(help="What to do.")] = SkillsAction.LIST,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WORDS",
            help="A skill's name or label; with match, the situation; with add, its JSON; with "
            "learn, episodes; with flow, the name and the nodes.",
        ),
    ] = None,
    said: Said = Said(),  # frozen: its fields become options
) -> None:
    """Show how tasks are done and which way fits now; say how it went and keep what was learnt."""
    given = words or []
    _HEARING.check(action, given, said_in(said))
    _ACTIONS[action](call, given, said)


def _list(call: Call, _: Sequence[str], said: Said) -> None:
    from engram.surfaces.cli import pictures, skill_pictures
    from engram.surfaces.skills_documents import skills_document

    with call.engram() as engram:
        found = engram.skills.list(said.stage, limit=said.limit or _SHOWN, scope=call.part)
        elsewhere = "" if found else call.elsewhere(engram)
    picture = skill_pictures.skills
    call.show(skills_document(found), lambda: pictures.with_hint(picture(found), elsewhere))


def _show(call: Call, words: Sequence[str], said: Said) -> None:
    from engram.surfaces.cli import skill_pictures
    from engram.surfaces.skills_documents import skill_document

    with call.engram() as engram:
        place = _place(call, engram, words[0])
        known = engram.skills.get(words[0], known_at=said.known_at, scope=place)
        labels = _labels(call, engram, known.skill.source_episodes[: skill_pictures.SHOWN_EPISODES])
    call.show(skill_document(known), lambda: skill_pictures.skill(known, labels))


def _runs(call: Call, words: Sequence[str], said: Said) -> None:
    from engram.surfaces.cli import skill_pictures
    from engram.surfaces.skills_documents import runs_document

    with call.engram() as engram:
        place = _place(call, engram, words[0])
        found = engram.skills.runs(words[0], limit=said.limit or _SHOWN, scope=place)
        labels = _labels(call, engram, (each.episode for each in found if each.episode))
    call.show(runs_document(found), lambda: skill_pictures.runs(found, labels))


def _match(call: Call, words: Sequence[str], said: Said) -> None:
    from engram.surfaces.cli import skill_pictures
    from engram.surfaces.skills_documents import matches_document

    situation = _situation(words, said.file)
    if situation is None:
        raise typer.BadParameter("`engram skills match` needs it.", param_hint="SITUATION")
    with call.engram() as engram:
        _warm(engram)
        found = engram.skills.match(situation, said.limit or 3, scope=call.part)
    call.show(matches_document(found), lambda: skill_pictures.matches(found))


def _warnings(call: Call, words: Sequence[str], said: Said) -> None:
    from engram.surfaces.cli import skill_pictures
    from engram.surfaces.skills_documents import warnings_document

    situation = _situation(words, said.file)
    with call.engram() as engram:
        if situation is not None:
            _warm(engram)
        found = engram.skills.warnings(
            tool=said.tool,
            error=said.error,
            situation=situation,
            limit=said.limit or 5,
            scope=call.part,
        )
        labels = _labels(call, engram, (id_ for each in found for id_ in each.episodes))
    call.show(warnings_document(found), lambda: skill_pictures.warnings(found, labels))


def _add(call: Call, words: Sequence[str], said: Said) -> None:
    from engram.surfaces.cli import skill_pictures
    from engram.surfaces.skills_documents import skill_kept_document

    skill = _object(read_json(_first(words), said.file, name="JSON"), "skill")
    with call.engram(is_new=True) as engram:
        kept = engram.skills.add(skill, scope=call.part)
    call.show(skill_kept_document(kept), lambda: skill_pictures.kept(kept, call.again))
    if kept.skill is None:
        raise typer.Exit(1)


def _learn(call: Call, words: Sequence[str], said: Said) -> None:
    from engram.surfaces.cli import skill_pictures
    from engram.surfaces.skills_documents import skill_kept_document

    with call.engram() as engram:
        scope = call.part or call.part_of(engram, words[0])
        kept = engram.skills.learn_from(words, name=said.name, scope=scope)
        sources = kept.skill.skill.source_episodes if kept.skill else ()
        labels = _labels(call, engram, sources[: skill_pictures.SHOWN_EPISODES])
    call.show(skill_kept_document(kept), lambda: skill_pictures.kept(kept, call.again, labels))
    if kept.skill is None:
        raise typer.Exit(1)


def _revise(call: Call, words: Sequence[str], said: Said) -> None:
    from engram.memory.skills.skill import Skill
    from engram.surfaces.cli import skill_pictures
    from engram.surfaces.skills_documents import HISTORY, skill_changed_document

    changes = _object(read_json(_first(words[1:]), said.file, name="JSON"), "JSON")
    parts = [each.name for each in fields(Skill) if each.name not in ("name", *HISTORY)]
    if not changes or set(changes) - set(parts):
        raise InvalidInput(hint=f"`JSON` holds some of: {', '.join(parts)}.")
    with call.engram() as engram:
        place = _place(call, engram, words[0])
        known = engram.skills.revise(words[0], reason=said.reason, scope=place, **changes)
    picture = skill_pictures.changed
    call.show(skill_changed_document(known), lambda: picture("Revised", known, call.again))


def _retire(call: Call, words: Sequence[str], said: Said) -> None:
    from engram.surfaces.cli import skill_pictures
    from engram.surfaces.skills_documents import skill_changed_document

    with call.engram() as engram:
        known = engram.skills.retire(words[0], said.reason, scope=_place(call, engram, words[0]))
    picture = skill_pictures.changed
    call.show(skill_changed_document(known), lambda: picture("Retired", known, call.again))


def _feedback(call: Call, words: Sequence[str], said: Said) -> None:
    from engram.surfaces.cli import skill_pictures
    from engram.surfaces.skills_documents import skill_feedback_document

    context = None if said.context is None else _words_or_json(said.context, "--context")
    with call.engram() as engram:
        noted = engram.skills.feedback(
            words[0],
            _outcome(said),
            episode=said.episode,
            duration=said.duration,
            context=context,
            step=said.step,
            tool=said.tool,
            at=said.at,
            scope=_place(call, engram, words[0]),
        )
    call.show(skill_feedback_document(noted), lambda: skill_pictures.noted(noted, call.again))


def _flow(call: Call, words: Sequence[str], said: Said) -> None:
    from engram.surfaces.cli import pictures, skill_pictures
    from engram.surfaces.skills_documents import flow_document

    name, *nodes = words
    if nodes and said.file:
        raise typer.BadParameter("Nodes or a file of them, not both.", param_hint="--file")
    told = nodes or read_json_list(None, said.file, name="NODES")
    outcome = _outcome(said)
    if outcome is None:
        raise typer.BadParameter("How did the flow go?", param_hint="--outcome")
    with call.engram(is_new=True) as engram:
        recorded = engram.skills.record_flow(
            name,
            cast("list[str]", told),  # each is read by the library
            outcome,
            failing_node=said.failing_node,
            duration=said.duration,
            scope=call.part,
        )
        labels = _labels(call, engram, [recorded.episode_id])
    episode = labels.get(recorded.episode_id, recorded.episode_id)
    line = terminal.styled(f"Recorded as the episode {episode}.", "green")
    picture = skill_pictures.noted
    call.show(
        flow_document(recorded), lambda: pictures.stack(line, picture(recorded.noted, call.again))
    )


_ACTIONS: dict[SkillsAction, Callable[[Call, Sequence[str], Said], None]] = {
    SkillsAction.LIST: _list,
    SkillsAction.SHOW: _show,
    SkillsAction.RUNS: _runs,
    SkillsAction.MATCH: _match,
    SkillsAction.WARNINGS: _warnings,
    SkillsAction.ADD: _add,
    SkillsAction.LEARN: _learn,
    SkillsAction.REVISE: _revise,
    SkillsAction.RETIRE: _retire,
    SkillsAction.FEEDBACK: _feedback,
    SkillsAction.FLOW: _flow,
}


def _place(call: Call, engram: "Engram", name: str) -> "Scope | None":
    """The scope of a skill that its label or id names; a name is looked for where the caller is."""
    return call.part_of(engram, name) if name.isprintable() else call.part


def _labels(call: Call, engram: "Engram", episodes: Iterable[str]) -> dict[str, str]:
    """What people call some episodes, by their ids; a document has the ids alone."""
    wanted = () if call.json else dict.fromkeys(episodes)
    found = (engram.get(each, scope=call.part_of(engram, each)) for each in wanted)
    return {memory.id: memory.label for memory in found if memory is not None}


def _warm(engram: "Engram") -> None:
    """Load the model before the clock starts; where there is none, words are compared."""
    with terminal.at_work("loading…"):
        engram.upkeep.warm()


def _outcome(said: Said) -> dict[str, object] | None:
    """How it went: a word, JSON, or an error alone, which is a failure."""
    told = _words_or_json(said.outcome, "--outcome") if said.outcome is not None else None
    found: dict[str, object] = {"type": told} if isinstance(told, str) else dict(told or {})
    more = {"error": said.error, "learned": said.learned}
    given = {name: value for name, value in more.items() if value is not None}
    if not found and not given:
        return None
    return {"type": "failure", **found, **given}


def _situation(words: Sequence[str], file: Path | None) -> str | dict[str, object] | None:
    """Where the caller stands: words, JSON in an argument, a file or a pipe."""
    if file is not None:
        return _object(read_json(_first(words), file, name="SITUATION"), "SITUATION")
    return _words_or_json(words[0], "SITUATION") if words else None


def _words_or_json(text: str, name: str) -> str | dict[str, object]:
    """Words as they are; what begins like an object is one, and so is what comes by a pipe."""
    if text == "-" or text.lstrip().startswith("{"):
        return _object(read_json(text, None, name=name), name)
    return text


def _object(value: object, name: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise InvalidInput(hint=f"`{name}` is an object.")
    return cast("dict[str, object]", value)


def _first(words: Sequence[str]) -> str | None:
    return words[0] if words else None
