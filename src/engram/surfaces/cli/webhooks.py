"""The command for webhooks: where news of changes go, and by which messages of others come in."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from engram.surfaces.cli import pictures, terminal
from engram.surfaces.cli.call import Call
from engram.surfaces.cli.command import Panel, command
from engram.surfaces.cli.heard import check_heard, is_said

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.engine.sending import IssuedWebhook, Webhook, WebhookTrial

_ADDING = "With add"
_WANTED = {"webhooks add": "NAME", "webhooks end": "ID", "webhooks test": "ID"}


class WebhooksAction(StrEnum):
    """What can be done with webhooks."""

    LIST = "list"
    ADD = "add"
    END = "end"
    TEST = "test"


@dataclass(frozen=True, slots=True)
class Errand:
    """What a webhook that is added is for."""

    url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Where news are sent.", rich_help_panel=_ADDING),
    ] = None
    takes_in: Annotated[
        bool,
        typer.Option(
            "--in", help="Take signed messages in instead of sending.", rich_help_panel=_ADDING
        ),
    ] = False
    event: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ACTION",
            help="Tell of this action only, as remember or forget; may be given again.",
            rich_help_panel=_ADDING,
        ),
    ] = None
    home: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="SCOPE",
            help="What it may see or where it writes, as project=acme; without it, what is global.",
            rich_help_panel=_ADDING,
        ),
    ] = None
    below: Annotated[
        bool,
        typer.Option("--below", help="Also what lies inside that scope.", rich_help_panel=_ADDING),
    ] = False
    with_content: Annotated[
        bool,
        typer.Option(
            "--with-content",
            help="Send the words of memories too, not only their ids.",
            rich_help_panel=_ADDING,
        ),
    ] = False
    allow_plain_http: Annotated[
        bool,
        typer.Option(
            "--allow-plain-http",
            help="Send unencrypted to another machine.",
            rich_help_panel=_ADDING,
        ),
    ] = False


@command(
    "webhooks",
    panel=Panel.CONNECT,
    example="engram webhooks add n8n --url https://n8n.acme.com/hook/1",
)
def webhooks(
    call: Call,
    action: Annotated[WebhooksAction, typer.Argument(help="What to do.")] = WebhooksAction.LIST,
    webhook: Annotated[
        str | None,
        typer.Argument(metavar="NAME|ID", help="With add, its name; else which webhook."),
    ] = None,
    errand: Errand = Errand(),  # frozen: its fields become options
    every: Annotated[bool, typer.Option("--all", help="With list: ended ones too.")] = False,
) -> None:
    """Tell other programs of changes as they happen, or take their signed messages in."""
    given = {"webhooks add": is_said(errand), "webhooks list": every}
    check_heard(f"webhooks {action}", webhook, wanted=_WANTED, given=given)
    match action:
        case WebhooksAction.LIST:
            _list(call, is_every=every)
        case WebhooksAction.ADD:
            _add(call, webhook or "", errand)
        case WebhooksAction.END:
            _end(call, webhook or "")
        case WebhooksAction.TEST:
            _test(call, webhook or "")


def _list(call: Call, *, is_every: bool) -> None:
    from engram.surfaces.documents import webhook_document

    with call.engram() as engram:
        found = engram.webhooks(every=is_every)
    document = {"webhooks": [webhook_document(each) for each in found]}
    call.show(document, lambda: _listed(found))


def _add(call: Call, name: str, errand: Errand) -> None:
    from engram.memory.scopes import Scope
    from engram.surfaces.documents import webhook_document

    if (errand.url is None) != errand.takes_in:
        raise typer.BadParameter("Give either --url URL, or --in to take messages in.")
    with call.engram() as engram:
        issued = engram.add_webhook(
            name,
            errand.url,
            events=errand.event or ["*"],
            scope=Scope.parse(errand.home) if errand.home else None,
            below=errand.below,
            with_content=errand.with_content,
            allow_plain_http=errand.allow_plain_http,
        )
    document = {"secret": issued.secret, "webhook": webhook_document(issued.webhook)}
    call.show(document, lambda: _issued(issued))


def _end(call: Call, webhook_id: str) -> None:
    from engram.surfaces.documents import webhook_document

    with call.engram() as engram:
        ended = engram.end_webhook(webhook_id)
    line = f"Ended {ended.id} ({ended.name}): nothing is sent to it or taken from it any more."
    call.show(webhook_document(ended), lambda: terminal.styled(line, "green"))


def _test(call: Call, webhook_id: str) -> None:
    from engram.surfaces.documents import record

    with call.engram() as engram:
        trial = engram.test_webhook(webhook_id)
    call.show(record(trial), lambda: _tried(trial))
    if not trial.has_arrived:
        raise typer.Exit(1)


def _issued(issued: "IssuedWebhook") -> "RenderableType":
    webhook = issued.webhook
    way = f"sends to {webhook.url}" if webhook.url else f"takes in POST /api/v1/hooks/{webhook.id}"
    return pictures.stack(
        terminal.styled(f"{webhook.id}: {webhook.name} {way}, {_place(webhook)}."),
        terminal.styled(issued.secret, "bold green"),
        terminal.styled("Its secret: keep it now, it cannot be shown again.", "yellow"),
        *([terminal.styled("The words of memories leave this store by it.", "yellow")]
          if webhook.tells_content else []),
    )  # fmt: skip


def _listed(found: "list[Webhook]") -> "RenderableType":
    if not found:
        return terminal.styled("No webhooks. `engram webhooks add NAME --url URL` adds one.", "dim")
    columns = ("id", "name and address", "tells of", "scope", "state")
    made = pictures.table(*columns, whole=("id",))
    for each in found:
        address = each.url or f"in: /api/v1/hooks/{each.id}"
        content = ", with content" if each.tells_content else ""
        told = "" if each.direction == "in" else ", ".join(each.events) + content
        made.add_row(
            terminal.styled(each.id, "bold"),
            pictures.stack(terminal.styled(each.name), terminal.styled(address, "dim")),
            terminal.styled(told),
            terminal.styled(_place(each), "dim"),
            _state(each),
        )
    return made


def _place(webhook: "Webhook") -> str:
    return webhook.scope.path + (" and below" if webhook.is_looking_down else "")


def _state(webhook: "Webhook") -> "RenderableType":
    if not webhook.is_active:
        return terminal.styled("ended", "dim")
    if not webhook.problem:
        return terminal.styled("in use", "green")
    tries = pictures.counted(webhook.attempts, "failure")
    again = f", again at {pictures.moment(webhook.due_at)} UTC" if webhook.due_at else ""
    return terminal.styled(f"{webhook.problem} {tries}{again}", "red")


def _tried(trial: "WebhookTrial") -> "RenderableType":
    if trial.has_arrived:
        line = f"It arrived: status {trial.status} after {trial.milliseconds:.0f} ms."
        return terminal.styled(line, "green")
    return terminal.styled(f"It did not arrive. {trial.problem}", "red")
