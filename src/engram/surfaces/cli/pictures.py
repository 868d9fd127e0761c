"""Tables and lines for people. Rich is imported only once something is drawn."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.table import Table
    from rich.text import Text

    from engram.memory.changes import AuditEntry, AuditVerdict, HistoryEntry, StatusMove
    from engram.memory.outcomes import Outcome
    from engram.memory.record import Memory
    from engram.recall.result import Explanation, RecallResult
    from engram.settings import SettingRow
    from engram.storage.upkeep import DoctorReport, Health, Stats
    from engram.surfaces.documents import Document

_STATUS_STYLES = {
    "active": "green", "pending": "yellow", "challenged": "yellow", "stale": "yellow",
    "rejected": "red", "invalidated": "red", "quarantined": "red",
}  # fmt: skip
_OUTCOME_STYLES = {"stored": "green", "confirmed": "cyan", "held": "yellow", "refused": "red"}
_STATE_STYLES = {"ok": "green", "warning": "yellow", "failing": "red"}


def table(*columns: str, title: str = "") -> "Table":
    """An empty table in the one style that all have."""
    from rich import box
    from rich.table import Table

    made = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    for column in columns:
        made.add_column(column, overflow="fold")
    return made


def stack(*pictures: "RenderableType") -> "Group":
    """Several things, one below the other."""
    from rich.console import Group

    return Group(*pictures)


def moment(time: datetime | None) -> str:
    """A time to the minute, in UTC."""
    return f"{time:%Y-%m-%d %H:%M}" if time else "-"


def status(name: str) -> "Text":
    """A status in its colour."""
    return styled(name, _STATUS_STYLES.get(name, "dim"))


def undo_hint(change_id: str | None, again: str = "") -> "Text":
    """How to take a change back, from the same place and as the same caller."""
    return styled(f"  undo with: engram undo {change_id}{again}" if change_id else "", "dim")


def shortened(text: str, most: int = 200) -> str:
    """As much of a long text as a table can bear; `show` has all of it."""
    return text if len(text) <= most else f"{text[:most].rstrip()}… ({len(text):,} characters)"


def change(done: str, memory: "Memory", again: str = "") -> "RenderableType":
    """A memory as a change left it."""
    line = styled(f"{done} {memory.label}", "bold green").append(
        styled(f": {shortened(memory.content)}", "")
    )
    where = styled(f"  {memory.status}, {memory.layer}, version {memory.version}", "dim")
    return stack(line, where, undo_hint(memory.change_id, again))


def outcome(found: "Outcome", again: str = "") -> "RenderableType":
    """What became of a statement."""
    memory = found.memory
    line = styled(f"{found.kind.capitalize()} ", f"bold {_OUTCOME_STYLES[found.kind]}")
    line.append(styled(f"{memory.label} ({found.reason}): ")).append(
        styled(shortened(memory.content))
    )
    about = f"  {memory.category}, {memory.layer}, {memory.scope.path}"
    lines = [line, styled(about, "dim"), undo_hint(found.change_id, again)]
    if found.kind == "held":
        lines.append(styled("  waiting for a person: engram review", "yellow"))
    return stack(*lines)


def outcomes(counts: Mapping[str, int]) -> "Text":
    """How many statements were stored, confirmed, held and refused."""
    return styled(", ".join(f"{count} {kind}" for kind, count in counts.items()) or "nothing")


def memories(found: "Sequence[Memory]", *, empty: str = "No memories.") -> "RenderableType":
    """A listing of memories."""
    if not found:
        return styled(empty, "dim")
    made = table("label", "memory", "category", "layer", "status", "scope", "at (UTC)")
    for memory in found:
        made.add_row(
            styled(memory.label, "bold"),
            styled(shortened(memory.content)),
            styled(memory.category),
            styled(memory.layer),
            status(memory.status),
            styled(memory.scope.path, "dim"),
            styled(moment(memory.at), "dim"),
        )
    return made


def details(document: "Document") -> "RenderableType":
    """One value, field by field; fields without a value are left out."""
    made = table("field", "value")
    for name, value in document.items():
        if value not in (None, {}, [], ""):
            made.add_row(styled(name, "dim"), styled(value))
    return made


def hits(result: "RecallResult") -> "RenderableType":
    """The answer to a question."""
    notes = [styled(f"  {each}", "dim") for each in result.degraded]
    if result.assessment == "confident":
        notes = []  # what was not searched matters when the answer is in doubt
    if not result.hits:
        return stack(styled("Nothing found.", "yellow"), *notes)
    made = table("score", "label", "memory", "category", "at (UTC)", "why")
    for hit in result:
        made.add_row(
            styled(f"{hit.score:.2f}", "cyan"),
            styled(hit.memory.label, "bold"),
            styled(shortened(hit.memory.content)),
            styled(hit.memory.category),
            styled(moment(hit.memory.at), "dim"),
            styled(hit.why, "dim"),
        )
    quality = result.quality
    summary = (
        f"{result.assessment} ({result.confidence:.2f}); {quality.returned} of "
        f"{quality.candidates} candidates, {quality.tokens} tokens, {quality.milliseconds:.1f} ms"
    )
    return stack(made, styled(summary), *notes)


def traced_hits(result: "RecallResult") -> "RenderableType":
    """The answer to a question, and below it what each stage of finding it took."""
    made = table("stage", "ms", "count", "detail", title="trace")
    for stage in result.trace:
        made.add_row(
            styled(stage.name),
            styled(f"{stage.milliseconds:.2f}", "cyan"),
            styled(stage.count or "-", "dim"),
            styled(stage.detail, "dim"),
        )
    total = sum(stage.milliseconds for stage in result.trace)
    told = f"level {result.level}, {total:.2f} ms in {len(result.trace)} stages"
    degraded = [styled(f"  degraded: {each}", "yellow") for each in result.degraded]
    return stack(hits(result), made, styled(told), *degraded)


def explanation(found: "Explanation") -> "RenderableType":
    """Why a memory was or was not recalled."""
    made = table("", "stage", "detail")
    for stage in found.stages:
        mark = styled("✓", "green") if stage.passed else styled("✗", "red")
        made.add_row(mark, styled(stage.name), styled(stage.detail))
    label = found.memory.label
    lost_at = found.lost_at
    verdict = (
        styled(f"{label} is recalled.", "green")
        if lost_at is None
        else styled(f"{label} is not recalled: lost at {lost_at.name}.", "yellow")
    )
    return stack(styled(found.memory.content), made, verdict)


def history(entries: "Iterable[HistoryEntry]") -> "RenderableType":
    """Every state of a memory."""
    made = table("version", "when (UTC)", "action", "memory", "status", "by", "reason", "change")
    for entry in entries:
        made.add_row(
            styled(entry.memory.version),
            styled(moment(entry.change.at), "dim"),
            styled(entry.change.action),
            styled(entry.memory.content),
            status(entry.memory.status),
            styled(entry.change.actor, "dim"),
            styled(entry.change.reason),
            styled(entry.change.id, "dim"),
        )
    return made


def status_moves(moves: "Iterable[StatusMove]") -> "RenderableType":
    """The statuses a memory went through."""
    made = table("when (UTC)", "from", "to", "by", "reason", "change")
    for move in moves:
        made.add_row(
            styled(moment(move.at), "dim"),
            status(move.old or "-"),
            status(move.new or "-"),
            styled(move.actor, "dim"),
            styled(move.reason),
            styled(move.change_id, "dim"),
        )
    return made


def stats(found: "Stats", scopes: "dict[str, int]") -> "RenderableType":
    """How much there is."""
    made = table("by", "name", "memories", title=f"{found.memories} memories")
    groups = (
        ("status", found.by_status),
        ("category", found.by_category),
        ("layer", found.by_layer),
        ("scope", scopes),
    )
    for group, counts in groups:
        for name, count in sorted(counts.items(), key=lambda each: -each[1]):
            made.add_row(styled(group, "dim"), styled(name), styled(count))
    span = f"from {moment(found.first_event)} to {moment(found.last_event)}"
    return stack(made, styled(f"{span}; last change {moment(found.last_change)} (UTC)", "dim"))


def health(found: "Health") -> "RenderableType":
    """Whether the store can be relied on."""
    made = table("check", "state", "detail")
    for check in found.checks:
        state = styled(check.state, _STATE_STYLES.get(check.state, ""))
        made.add_row(styled(check.name), state, styled(check.detail))
    return stack(made, styled(found.status, f"bold {_STATE_STYLES[found.status]}"))


def doctor(report: "DoctorReport") -> "RenderableType":
    """What a doctor found and mended."""
    made = table("", "looked at", "found")
    for finding in report.findings:
        mark = styled("✓", "green") if finding.is_fine else styled("✗", "red")
        made.add_row(mark, styled(finding.name), styled(finding.detail))
    done = [styled(f"mended: {each}", "cyan") for each in report.repairs]
    if report.is_fine:
        return stack(made, *done, styled("All is fine.", "bold green"))
    return stack(made, *done, styled("Mend it with: engram doctor --repair", "bold red"))


def audit(entries: "Sequence[AuditEntry]") -> "RenderableType":
    """What happened, newest first."""
    made = table("#", "when (UTC)", "by", "action", "count", "memory", "change", "scope")
    for entry in entries:
        made.add_row(
            styled(entry.sequence, "dim"),
            styled(moment(entry.at), "dim"),
            styled(entry.actor),
            styled(entry.action, "bold"),
            styled(entry.count),
            styled(entry.memory_id or ""),
            styled(entry.change_id or "", "dim"),
            styled(entry.scope, "dim"),
        )
    return made


def verdict(found: "AuditVerdict") -> "RenderableType":
    """Whether the audit is whole."""
    if found.is_intact:
        line = styled(f"The audit is whole: {found.entries} entries.", "bold green")
        return stack(line, styled(f"  head: {found.head}", "dim"))
    return styled(f"The audit is not whole: {found.problem}", "bold red")


def settings(rows: "Iterable[SettingRow]") -> "RenderableType":
    """Every setting."""
    made = table("setting", "value", "origin", "meaning")
    for row in rows:
        origin = styled(row.origin, "dim" if row.origin == "default" else "cyan")
        made.add_row(styled(row.key, "bold"), styled(row.value), origin, styled(row.rule.meaning))
    return made


def failure(document: "Document") -> "RenderableType":
    """What went wrong, what to do next, and the code to look it up by."""
    error = document["error"]
    parts: Mapping[str, object] = error if isinstance(error, Mapping) else {}
    line = styled(f"Error: {parts.get('message', '')}", "bold red")
    line.append(styled(f" [{parts.get('code', '')}]", "red"))
    hint = str(parts.get("hint", ""))
    return stack(line, *([styled(f"  {hint}", "yellow")] if hint else []))


def proposal(memory: "Memory", place: str) -> "RenderableType":
    """A memory that waits for a person's decision."""
    from rich.panel import Panel

    about = f"{memory.category} from {memory.source} in {memory.scope.path}, {moment(memory.at)}"
    body = stack(styled(memory.content, "bold"), styled(about, "dim"))
    title = styled(f"{memory.label} ({place})", "yellow")
    return Panel(body, title=title, title_align="left", border_style="yellow")


def encrypted(plain_backups: Sequence[str]) -> "RenderableType":
    """A store that was locked, and what still lies open beside it."""
    done = styled("The store is encrypted.", "bold green")
    if not plain_backups:
        return done
    warning = "These backups are still readable; --remove-plain-backups deletes them:"
    paths = [styled(f"  {path}") for path in plain_backups]
    return stack(done, styled(warning, "yellow"), *paths)


def tour_step(number: int, told: "Document") -> "RenderableType":
    """One step of the demo and what was seen in it."""
    colour = "green" if told["held"] else "red"
    mark = "✓" if told["held"] else "✗"
    seen = told["seen"]
    lines = [styled(f"     {line}") for line in seen] if isinstance(seen, list) else []
    return stack(styled(f"{mark} {number:2}. {told['title']}", f"bold {colour}"), *lines)


def tour_end(*, is_held: bool, kept: object) -> "RenderableType":
    """The end of the demo."""
    from rich.panel import Panel

    where = f"The store is kept: engram list --store {kept}" if kept else "The store is gone again."
    text = f"Every step held. {where}" if is_held else "A step did not hold; see above."
    return Panel(styled(text), border_style="green" if is_held else "red")
