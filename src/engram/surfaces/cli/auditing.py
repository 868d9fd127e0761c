"""The command that tells what happened: the audit, its head, and security events."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import InvalidInput
from engram.surfaces.cli import pictures
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.reading import LimitOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from engram.memory.security_events import SecurityEvent


@dataclass(frozen=True)
class Proofs:
    """What else than its lines is asked of the audit."""

    verify: Annotated[
        bool,
        typer.Option("--verify", help="Check that no entry was altered, dropped or taken back."),
    ] = False
    against: Annotated[
        str | None,
        typer.Option(metavar="HEAD", help="With --verify: also hold it against a noted head."),
    ] = None
    head: Annotated[
        bool, typer.Option("--head", help="Print what the audit ends with, to be noted down.")
    ] = False
    security: Annotated[
        bool, typer.Option("--security", help="Show security events instead of the audit.")
    ] = False
    kind: Annotated[
        str | None, typer.Option(help="With --security: only this kind, as wrong_key.")
    ] = None

    def check(self) -> None:
        """Refuse what makes no sense together."""
        if self.verify + self.head + self.security > 1:
            raise InvalidInput(hint="Give one of --verify, --head and --security.")
        if (self.against is not None and not self.verify) or (self.kind and not self.security):
            raise InvalidInput(hint="--against belongs to --verify, and --kind to --security.")


@command("audit", panel=Panel.LOOK, example="engram audit --verify")
def audit(
    call: Call,
    proofs: Proofs,
    memory_id: Annotated[str | None, typer.Option("--memory", metavar="ID")] = None,
    action: Annotated[str | None, typer.Option(help="Only this action, as revise.")] = None,
    since: Annotated[str | None, typer.Option(metavar="TIME", help="Only from then on.")] = None,
    limit: LimitOption = 100,
) -> None:
    """Show what happened, newest first: ids and hashes, never text."""
    from engram.surfaces.documents import records

    proofs.check()
    if proofs.verify:
        _verify(call, proofs.against)
    elif proofs.head:
        _head(call)
    elif proofs.security:
        _security(call, proofs.kind, since, limit)
    else:
        with call.engram() as engram:
            entries = engram.audit(
                limit=limit, memory_id=memory_id, action=action, since=since, scope=call.part
            )
        call.show({"entries": records(entries)}, lambda: pictures.audit(entries))


def _verify(call: Call, against: str | None) -> None:
    from engram.surfaces.documents import record

    with call.engram() as engram:
        verdict = engram.verify_audit(against)
    call.show(record(verdict), lambda: pictures.verdict(verdict))
    if not verdict.is_intact:
        raise typer.Exit(1)


def _head(call: Call) -> None:
    from engram.surfaces.cli import terminal
    from engram.surfaces.documents import record

    with call.engram() as engram:
        found = engram.audit_head()
    call.show({**record(found), "text": found.text}, lambda: terminal.styled(found.text))


def _security(call: Call, kind: str | None, since: str | None, limit: int) -> None:
    from engram.surfaces.documents import records

    with call.engram() as engram:
        events = engram.security_events(limit=limit, kind=kind, since=since)
    call.show({"events": records(events)}, lambda: _events(events))


def _events(events: "Sequence[SecurityEvent]") -> "RenderableType":
    """Security events as a table."""
    from engram.surfaces.cli.terminal import styled

    made = pictures.table("last (UTC)", "kind", "count", "by and scope", "code")
    for each in events:
        made.add_row(
            styled(pictures.moment(each.last_at), "dim"),
            styled(each.kind.value, "bold"),
            styled(each.count),
            pictures.stack(styled(each.actor or "nobody known"), styled(each.scope, "dim")),
            styled(each.code, "dim"),
        )
    return made
