"""Tables and lines for people. Rich is imported only once something is drawn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.table import Table
    from rich.text import Text

    from engram.engine.tracing import ReadingPlan, Source
    from engram.memory.changes import AuditEntry, AuditVerdict, HistoryEntry, StatusMove
    from engram.memory.outcomes import Outcome
    from engram.memory.reading import Reading, Reread
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
_MOST_REREAD = 20
_CHANGE_ID_LENGTH = 30  # narrower, an id would be broken
_STATE_STYLES = {"ok": "green", "warning": "yellow", "failing": "red"}


def table(*columns: str, title: str = "", whole: Sequence[str] = ()) -> "Table":
    """An empty table in the one style that all have; the columns named `whole` are never broken."""
    from rich import box
    from rich.table import Table

    made = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    for column in columns:
        made.add_column(column, overflow="fold", no_wrap=column in whole)
    return made


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun: 1 file, 2 files."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def stack(*pictures: "RenderableType") -> "Group":
    """Several things, one below the other."""
    from rich.console import Group

    return Group(*pictures)


def moment(time: datetime | None) -> str:
    """A time to the minute, in UTC."""
    return f"{time:%Y-%m-%d %H:%M}" if time else "-"


def age(span: timedelta) -> str:
    """How long ago, in the largest unit that says something."""
    minutes = max(0, int(span.total_seconds() // 60))
    for size, one in ((24 * 60, "day"), (60, "hour")):
        if minutes >= size:
            return counted(minutes // size, one)
    return counted(minutes, "minute")


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


def tier_set(memory: "Memory", again: str = "", *, is_repeat: bool) -> "RenderableType":
    """How a memory is protected from now on, or was already."""
    if is_repeat:
        return styled(f"{memory.label} is already {memory.secrecy}; nothing was changed.", "cyan")
    line = styled(f"{memory.label} is {memory.secrecy} now", "bold green").append(
        styled(f": {shortened(memory.content)}", "")
    )
    return stack(line, undo_hint(memory.change_id, again))


def protected(memory: "Memory") -> "list[Text]":
    """How a memory is protected, in a line of its own; nothing where it is not."""
    tier = _tier(memory)
    return [styled(f"  protected: {tier}", "magenta")] if tier else []


def _tier(memory: "Memory") -> str:
    """How a memory is protected; nothing where its text stands in the open."""
    from engram.memory.secrecy import is_protected

    return memory.secrecy.value if is_protected(memory.secrecy) else ""


def outcome(found: "Outcome", again: str = "") -> "RenderableType":
    """What became of a statement."""
    memory = found.memory
    line = styled(f"{found.kind.capitalize()} ", f"bold {_OUTCOME_STYLES[found.kind]}")
    line.append(styled(f"{memory.label} ({found.reason}): ")).append(
        styled(shortened(memory.content))
    )
    about = f"  {memory.category}, {memory.layer}, {memory.scope.path}"
    lines = [line, styled(about, "dim"), *protected(memory), *_verdict(found)]
    lines.append(undo_hint(found.change_id, again))
    if found.kind == "held":
        lines.append(styled("  waiting for a person: engram review", "yellow"))
    return stack(*lines)


def _verdict(found: "Outcome") -> "list[Text]":
    """What a statement replaced and what it may replace; nothing while that is not known."""
    lines = []
    if found.replaced:
        lines.append(styled(f"  Replaced {', '.join(found.replaced)}", "cyan"))
    if found.may_replace:
        unsure = ", ".join(found.may_replace)
        lines.append(styled(f"  May replace {unsure}; if so: engram forget LABEL", "yellow"))
    return lines


def outcomes(counts: Mapping[str, int]) -> "Text":
    """How many statements were stored, confirmed, held and refused."""
    return styled(", ".join(f"{count} {kind}" for kind, count in counts.items()) or "nothing")


def memories(
    found: "Sequence[Memory]", *, empty: str = "No memories.", title: str = ""
) -> "RenderableType":
    """A listing of memories."""
    if not found:
        return styled(empty, "dim")
    made = table("label", "status", "memory", title=title, whole=("label", "status"))
    for memory in found:
        known = f"{memory.category}, {memory.layer}, {memory.scope.path}, {moment(memory.at)}"
        known += f", {tier}" if (tier := _tier(memory)) else ""
        made.add_row(
            styled(memory.label, "bold"),
            status(memory.status),
            stack(styled(_told(memory)), styled(known, "dim")),
        )
    return made


def _told(memory: "Memory") -> str:
    """What a memory says, by whom and when it was said."""
    from engram.memory.attribution import spoken_on

    return spoken_on(memory, shortened(memory.content))


def details(document: "Document") -> "RenderableType":
    """One value, field by field; fields without a value are left out."""
    made = table("field", "value")
    for name, value in document.items():
        if value not in (None, {}, [], ""):
            made.add_row(styled(name, "dim"), styled(value))
    return made


def with_hint(picture: "RenderableType", hint: str) -> "RenderableType":
    """A picture with what to do next below it, if there is anything."""
    return stack(picture, styled(hint, "dim")) if hint else picture


def hits(result: "RecallResult") -> "RenderableType":
    """The answer to a question."""
    notes = [styled(f"  degraded: {each}", "yellow") for each in result.degraded]
    if not result.hits:
        return stack(styled("Nothing found.", "yellow"), *notes)
    made = table("likely", "label", "memory and why", whole=("likely", "label"))
    for hit in result:
        made.add_row(
            styled(f"{hit.probability:.0%}", "cyan"),
            styled(hit.memory.label, "bold"),
            stack(
                styled(_told(hit.memory)),
                styled(f"{hit.memory.category}, {moment(hit.memory.at)}; {hit.why}", "dim"),
            ),
        )
    quality = result.quality
    summary = (
        f"{result.assessment} ({result.confidence:.0%} that there is an answer); "
        f"{quality.returned} of {counted(quality.candidates, 'candidate')}, "
        f"{counted(quality.tokens, 'token')}, {quality.milliseconds:.1f} ms"
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
    told = f"level {result.level}, {total:.2f} ms in {counted(len(result.trace), 'stage')}"
    return stack(hits(result), made, styled(told))


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
    made = table("version", "when (UTC)", "what", "memory and change")
    for entry in entries:
        change = entry.change
        by = f"{change.reason} (by {change.actor})" if change.reason else f"by {change.actor}"
        made.add_row(
            styled(entry.memory.version),
            styled(moment(change.at), "dim"),
            stack(styled(change.action), status(entry.memory.status)),
            stack(styled(entry.memory.content), styled(by, "dim"), styled(change.id, "dim")),
        )
    return made


def status_moves(moves: "Iterable[StatusMove]") -> "RenderableType":
    """The statuses a memory went through."""
    made = table("when (UTC)", "from", "to", "by", "reason and change")
    made.columns[-1].min_width = _CHANGE_ID_LENGTH
    for move in moves:
        made.add_row(
            styled(moment(move.at), "dim"),
            status(move.old or "-"),
            status(move.new or "-"),
            styled(move.actor, "dim"),
            stack(styled(move.reason), styled(move.change_id, "dim")),
        )
    return made


def stats(found: "Stats", scopes: "dict[str, int]") -> "RenderableType":
    """How much there is."""
    title = counted(found.memories, "memory", "memories")
    made = table("by", "name", "memories", title=title)
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
    repairs = {each.repair for each in report.findings if each.repair and not each.is_fine}
    advice = "Mend it with: engram doctor --repair" if repairs else "Something is wrong."
    if "vault" in repairs:  # mending gives up what the lost vault protects
        advice = "Put vault.db back. Only if it is lost for good: engram doctor --repair"
    return stack(made, *done, styled(advice, "bold red"))


def audit(entries: "Sequence[AuditEntry]") -> "RenderableType":
    """What happened, newest first."""
    columns = ("#", "when (UTC)", "action", "count", "by and scope", "memory and change")
    made = table(*columns, whole=columns[-1:])
    for entry in entries:
        named = [styled(each, "dim") for each in (entry.memory_id, entry.change_id) if each]
        made.add_row(
            styled(entry.sequence, "dim"),
            styled(moment(entry.at), "dim"),
            styled(entry.action, "bold"),
            styled(entry.count),
            stack(styled(entry.actor), styled(entry.scope, "dim")),
            stack(*named),
        )
    return made


def verdict(found: "AuditVerdict") -> "RenderableType":
    """Whether the audit is whole."""
    if found.is_intact:
        entries = counted(found.entries, "entry", "entries")
        line = styled(f"The audit is whole: {entries}.", "bold green")
        gone = f"  the first {found.pruned} were let go by policy"
        rest = [styled(gone, "dim")] if found.pruned else []
        if found.kept:
            rest.append(styled(f"  it holds the {found.kept} that were kept outside it", "dim"))
        if found.restored_at:
            rest.append(styled(f"  a backup took its place on {moment(found.restored_at)}", "dim"))
        return stack(line, *rest, styled(f"  head: {found.entries}:{found.head}", "dim"))
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


def proposal(
    memory: "Memory", place: str, *, reason: str = "", sources: "Sequence[Source]" = ()
) -> "RenderableType":
    """A memory that waits for a person's decision: why it does, and where it was said."""
    from rich.panel import Panel

    about = f"{memory.category} from {memory.source} in {memory.scope.path}, {moment(memory.at)}"
    body = stack(styled(memory.content, "bold"), styled(about, "dim"), *held(reason, sources))
    title = styled(f"{memory.label} ({place})", "yellow")
    return Panel(body, title=title, title_align="left", border_style="yellow")


def held(reason: str, sources: "Iterable[Source]") -> "list[Text]":
    """Why something waits for a person, and what was said."""
    lines = [styled(f"held: {reason}", "yellow")] if reason else []
    for source in sources:
        turn = source.turn
        lines.append(styled(f"said in {turn.label} by {turn.speaker or turn.source}, ", "dim"))
        lines[-1].append(styled(f"{moment(turn.at)}: ", "dim")).append(
            styled(shortened(turn.content))
        )
    return lines


def candidates(
    found: "Iterable[tuple[Memory, str, Sequence[Source]]]", *, empty: str
) -> "RenderableType":
    """What waits for a person's decision, each with the reason and the words behind it."""
    made = table("label", "memory and why it waits", whole=("label",))
    for memory, reason, sources in found:
        known = f"{memory.category} from {memory.source} in {memory.scope.path}"
        made.add_row(
            styled(memory.label, "bold"),
            stack(styled(shortened(memory.content)), styled(known, "dim"), *held(reason, sources)),
        )
    return made if made.row_count else styled(empty, "dim")


def behind(sources: "Sequence[Source]", drawn: "Sequence[Memory]") -> "list[RenderableType]":
    """What a memory was drawn from, and what was drawn from it."""
    parts: list[RenderableType] = []
    if sources:
        parts.append(memories([source.turn for source in sources], title="drawn from"))
    if drawn:
        parts.append(memories(drawn, title="drawn from it"))
    return parts


def reading_plan(plan: "ReadingPlan | None") -> str:
    """What having turns read would take."""
    if plan is None:
        return "read by rules, without a model"
    cost = "no prices are set" if plan.cost is None else f"cost {plan.cost:.4f}"
    calls = counted(plan.calls, "call")
    return f"at most {calls}, {plan.tokens_in:,} tokens in, {plan.tokens_out:,} out; {cost}"


def reading(found: "Reading") -> "list[RenderableType]":
    """What would be learnt from a turn, why the rest would not be, and what it names."""
    learnt = table("would be learnt", "category", "about", "sure", whole=("category", "sure"))
    for each in found.statements:
        kind = stack(styled(each.category), styled(each.modality, "dim"))
        about = styled(", ".join(each.subject) or "-")
        learnt.add_row(styled(shortened(each.content)), kind, about, f"{each.confidence:.2f}")
    skipped = table("skipped", "reason")
    for quote in found.skipped:
        skipped.add_row(styled(shortened(quote.quote)), styled(quote.reason, "dim"))
    nothing = styled("Nothing would be learnt.", "yellow")
    shown: list[RenderableType] = [learnt if found.statements else nothing]
    return shown + ([skipped] if found.skipped else []) + [*_named_in(found)]


def reread(found: "Reread", again: str = "") -> "RenderableType":
    """What reading all turns again changed, or would change."""
    done = "would be" if found.is_dry_run else "were"
    head = (
        f"{counted(found.turns, 'turn')} read again: {counted(found.learnt, 'quote')} {done} "
        f"learnt, {found.retired:,} {done} retired; {found.kept:,} decided on by a person stay."
    )
    made = table("turn", "learnt", "instead of", whole=("turn",))
    for each in found.changed[:_MOST_REREAD]:
        quotes = stack(*(styled(shortened(quote)) for quote in each.learnt))
        made.add_row(each.turn, quotes, ", ".join(each.retired) or "-")
    lines: list[RenderableType] = [styled(head), *([made] if found.changed else [])]
    if len(found.changed) > _MOST_REREAD:
        lines.append(styled(f"and {len(found.changed) - _MOST_REREAD:,} more turns: --json", "dim"))
    hint = styled("  Nothing was changed; do it with: engram doctor --reread --yes", "yellow")
    return stack(*lines, hint if found.is_dry_run else undo_hint(found.id, again))


def _named_in(found: "Reading") -> "Iterator[Text]":
    """The times, names and private places of a turn, a line each."""
    times = [f"{each.text}: {moment(each.start)} to {moment(each.end)}" for each in found.times]
    names = [f"{each.name} ({each.type})" for each in found.entities]
    private = [
        f"{each.kind} at {each.start}-{each.end} ({each.protection})" for each in found.private
    ]
    for title, told in (("times", times), ("names", names), ("private", private)):
        if told:
            yield styled(f"{title}: {'; '.join(told)}")


def encrypted(plain_backups: Sequence[str], removed: int = 0) -> "RenderableType":
    """A store that was locked, and what still lies open beside it."""
    gone = f" {counted(removed, 'readable backup')} removed." if removed else ""
    done = styled(f"The store is encrypted.{gone}", "bold green")
    if not plain_backups:
        return done
    warning = "Still readable; `engram keys encrypt --remove-plain-backups` deletes them:"
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
