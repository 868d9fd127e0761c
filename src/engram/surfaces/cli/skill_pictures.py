"""Skills as people look at them: tables of steps, figures, failures and what was learnt."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from engram.memory.skills.conditions import Verdict
from engram.memory.skills.procedure import action_text
from engram.surfaces.cli import pictures
from engram.surfaces.cli.terminal import styled
from engram.surfaces.skills_words import modification_text, recourse_text, recovery_text, seconds

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from engram.memory.episodes.outcomes import EpisodeOutcome
    from engram.memory.skills.failures import FailureMode
    from engram.memory.skills.known import FeedbackNoted, KnownSkill, SkillKept, SkillMatch
    from engram.memory.skills.skill import SkillRun
    from engram.memory.skills.warnings import FailureWarning

_STAGE_STYLES = {"active": "green", "probation": "yellow", "held": "yellow", "retired": "dim"}
_OUTCOME_STYLES = {"success": "green", "failure": "red", "partial": "yellow"}
_VERDICTS = {Verdict.MET: ("✓", "green"), Verdict.FAILED: ("✗", "red")}
_UNKNOWN = ("?", "yellow")
SHOWN_EPISODES = 5  # of those that something was learnt from
# Labels of episodes by their ids; an episode out of sight keeps its id.
_Labels = Mapping[str, str]
_NO_LABELS: _Labels = MappingProxyType({})


def skills(found: "Sequence[KnownSkill]") -> "RenderableType":
    """A listing of skills."""
    if not found:
        return styled("No skills. `engram skills add` keeps one, `learn` draws one.", "dim")
    whole = ("label", "stage", "runs", "works", "last (UTC)")
    made = pictures.table("label", "skill", "stage", "runs", "works", "last (UTC)", whole=whole)
    for each in found:
        purpose = styled(pictures.shortened(each.skill.description), "dim")
        made.add_row(
            styled(each.label, "bold"),
            pictures.stack(styled(each.name), purpose),
            styled(each.stage, _STAGE_STYLES[each.stage]),
            styled(f"{each.stats.runs:,}", "cyan"),
            styled(_rate(each), "cyan"),
            styled(pictures.moment(each.stats.last_used), "dim"),
        )
    return made


def _rate(known: "KnownSkill") -> str:
    """How often it worked, as its own page tells; nothing where it was never seen at work."""
    stats = known.stats
    return f"{stats.success_rate:.0%}" if stats.runs or stats.episodes else "-"


def skill(known: "KnownSkill", labels: _Labels = _NO_LABELS) -> "RenderableType":
    """One skill: its steps with all that was learnt, how it did, how it fails."""
    parts: list[RenderableType] = [*_heading(known, labels), steps(known)]
    parts += [figures(known)] if known.stats.runs or known.stats.episodes else []
    parts += [_failures(known)] if known.failure_modes else []
    parts += [_refinements(known)] if known.refinements else []
    if known.proposes_retirement:
        hint = f'engram skills retire {known.label} --reason "…"'
        parts.append(styled(f"It nearly always fails. To take it out of use: {hint}", "yellow"))
    return pictures.stack(*parts)


def _heading(known: "KnownSkill", labels: _Labels) -> "Iterator[Text]":
    line = styled(f"{known.label} {known.name}", "bold")
    yield line.append(styled(f"  {known.stage}", _STAGE_STYLES[known.stage])).append(
        styled(f": {known.evidence}", "dim")
    )
    yield styled(f"  {known.skill.description}")
    trigger = known.current.trigger
    features = ", ".join(f"{each.name} ({each.importance:g})" for each in trigger.features)
    names = ", ".join(each.name for each in trigger.features)
    described = trigger.description if trigger.description != names else None
    told = [("when", part) for part in (described, features) if part]
    told += [("needs", each.told) for each in known.current.preconditions]
    told += [("in the end", each) for each in known.skill.expected]
    if known.skill.source_episodes:
        count = pictures.counted(len(known.skill.source_episodes), "episode")
        named = ", ".join(_named(known.skill.source_episodes[:SHOWN_EPISODES], labels))
        told.append(("learnt from", f"{count}: {named}"))
    yield from (styled(f"  {name}: {value}", "dim") for name, value in told)


def _named(episodes: Iterable[str], labels: _Labels) -> list[str]:
    return [labels.get(each, each) for each in episodes]


def steps(known: "KnownSkill") -> "RenderableType":
    """The steps to follow now; what was learnt stands out."""
    made = pictures.table("#", "step", "does", "if it fails", whole=("#",))
    for place, step in enumerate(known.procedure.steps, start=1):
        is_learnt = step not in known.skill.procedure.steps
        lines = [styled(step.description, "cyan" if is_learnt else "")]
        lines += [styled(f"expects: {step.expected}", "dim")] if step.expected else []
        lines += [styled("learnt", "cyan")] if is_learnt else []
        made.add_row(
            styled(place, "dim"),
            pictures.stack(*lines),
            styled(action_text(step.action)),
            styled(recourse_text(step.on_failure), "dim"),
        )
    return made


def figures(known: "KnownSkill") -> "RenderableType":
    """How a skill did, counted."""
    stats = known.stats
    made = pictures.table(
        "runs", "worked", "failed", "partly", "given up", "works", "takes", "last"
    )
    took = seconds(stats.average_duration) if stats.average_duration is not None else "-"
    last = f"{stats.last_outcome} {pictures.moment(stats.last_used)}" if stats.last_outcome else "-"
    counts = (stats.runs, stats.successes, stats.failures, stats.partial, stats.abandoned)
    made.add_row(
        *(styled(f"{count:,}") for count in counts),
        styled(f"{stats.success_rate:.0%}", "cyan"),
        styled(took),
        styled(last, "dim"),
    )
    return made


def _failures(known: "KnownSkill") -> "RenderableType":
    made = pictures.table("times", "how it fails", "what helps", whole=("times",))
    for mode in known.failure_modes:
        made.add_row(
            styled(mode.occurrences, "red" if mode.occurrences else "dim"),
            pictures.stack(styled(mode.error), *_circumstances(mode)),
            styled("; ".join(_helps(mode)) or "-", "green"),
        )
    return made


def _circumstances(mode: "FailureMode") -> "list[Text]":
    step = [f"step {mode.step} as written"] if mode.step else []
    tool = [str(mode.tool)] if mode.tool else []
    when = [f"each time {each.key} was {each.value}" for each in mode.conditions]
    last = [f"last {pictures.moment(mode.last_at)}"] if mode.last_at else []
    told = [*step, *tool, *when, *last]
    return [styled(", ".join(told), "dim")] if told else []


def _helps(mode: "FailureMode") -> list[str]:
    return [*mode.learnt, *([recovery_text(mode.recovery)] if mode.recovery else [])]


def _refinements(known: "KnownSkill") -> "RenderableType":
    made = pictures.table("learnt", "because")
    for each in known.refinements:
        told = modification_text(each.modification)
        made.add_row(styled(told, "cyan"), styled(each.reason, "dim"))
    return made


def matches(found: "Sequence[SkillMatch]") -> "RenderableType":
    """The skills that fit a situation, each with its reasons and what to do."""
    if not found:
        return styled("No skill fits this.", "dim")
    parts: list[RenderableType] = []
    for place, each in enumerate(found, start=1):
        parts += [*_matched(place, each), steps(each.skill)]
    return pictures.stack(*parts)


def _matched(place: int, found: "SkillMatch") -> "Iterator[Text]":
    known = found.skill
    score = (
        f"{found.score:.2f} = fits {found.match_score:.2f} × works {known.stats.success_rate:.2f}"
    )
    line = styled(f"{place}. {known.label} {known.name}", "bold")
    yield line.append(styled(f"  {score}", "cyan")).append(
        styled(f"  {known.stage}", _STAGE_STYLES[known.stage])
    )
    yield styled(f"   {known.skill.description}")
    yield styled(f"   why: {found.why}", "dim")
    for report in found.preconditions:
        mark, style = _VERDICTS.get(report.verdict, _UNKNOWN)
        yield styled(f"   {mark} {report.reason}", style)


def runs(found: "Sequence[SkillRun]", labels: _Labels = _NO_LABELS) -> "RenderableType":
    """How a skill went."""
    if not found:
        return styled("Nobody has said how it went.", "dim")
    columns = ("when (UTC)", "outcome", "took", "step", "tool and error", "episode")
    made = pictures.table(*columns, whole=columns[:3])
    for run in found:
        kind, error = _ending(run.outcome)
        told = [styled(each) for each in (run.tool, error) if each]
        made.add_row(
            styled(pictures.moment(run.at), "dim"),
            styled(kind, _OUTCOME_STYLES.get(kind, "dim")),
            styled("-" if run.duration is None else seconds(run.duration)),
            styled(run.step or "-", "dim"),
            pictures.stack(*told),
            styled(labels.get(run.episode, run.episode) if run.episode else "-", "dim"),
        )
    return made


def _ending(outcome: "EpisodeOutcome") -> tuple[str, str]:
    from engram.memory.episodes.outcomes import outcome_kind

    error = getattr(outcome, "error", "") or getattr(outcome, "reason", "")
    return outcome_kind(outcome), str(error)


def kept(found: "SkillKept", again: str, labels: _Labels = _NO_LABELS) -> "RenderableType":
    """What became of a skill that was handed in or learnt."""
    if found.skill is None:
        return styled(f"{found.kind.capitalize()}: {found.reason}.", "bold red")
    style = "yellow" if found.kind == "held" else "green"
    line = styled(f"{found.kind.capitalize()} ({found.reason})", f"bold {style}")
    waits = [styled("  waiting for a person: engram review", "yellow")]
    hint = pictures.undo_hint(found.change_id, again)
    held = waits if found.kind == "held" else []
    return pictures.stack(line, skill(found.skill, labels), hint, *held)


def changed(done: str, known: "KnownSkill", again: str) -> "RenderableType":
    """A skill as a change left it."""
    line = styled(f"{done} {known.label} {known.name}", "bold green")
    where = styled(f"  {known.stage}: {known.evidence}, version {known.memory.version}", "dim")
    return pictures.stack(line, where, pictures.undo_hint(known.memory.change_id, again))


def noted(found: "FeedbackNoted", again: str) -> "RenderableType":
    """What became of a word on how a skill went, and what it taught."""
    known = found.skill
    kind, error = _ending(found.run.outcome)
    word = "Noted before" if found.is_repeat else "Noted"
    line = styled(f"{word}: {known.label} {known.name}, {kind}", "bold green")
    lines = [line, styled(f"  {known.stage}: {known.evidence}", "dim")]
    if found.failure_mode is not None:
        count = pictures.counted(found.failure_mode.occurrences, "time")
        lines.append(styled(f"  it failed so {count}: {error}", "red"))
    for each in found.added_refinements:
        told = modification_text(each.modification)
        lines.append(styled(f"  learnt: {told} ({each.reason})", "cyan"))
    lines += [pictures.undo_hint(found.change_id, again)] if found.change_id else []
    return pictures.stack(*lines)


def warnings(found: "Iterable[FailureWarning]", labels: _Labels = _NO_LABELS) -> "RenderableType":
    """What failed before, and what helped."""
    lines: list[Text] = []
    for each in found:
        lines.append(styled(each.text, "yellow"))
        names = [*each.skills, *_named(each.episodes[:SHOWN_EPISODES], labels)]
        last = f"last {pictures.moment(each.last_at)}" if each.last_at else ""
        told = ", ".join(filter(None, [last, *names]))
        lines += [styled(f"  {told}", "dim")] if told else []
    return pictures.stack(*lines) if lines else styled("Nothing is known to have failed so.", "dim")
