"""How one command was called: which store, as whom, and in which form it answers."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from engram.errors import AccessDenied, EngramError, NoStore, StorePathInvalid
from engram.surfaces.cli import terminal

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.engine import Engram
    from engram.memory.record import Memory
    from engram.memory.scopes import Scope
    from engram.surfaces.documents import Document

_PANEL = "Every command"
_KEY_SLOT = "keys.json"
_ASKED_FOR = {"passphrase": "passphrase", "recovery": "recovery key"}


@dataclass(frozen=True)
class Call:
    """The options that every command takes, and what follows from them."""

    store: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="The store's folder; without it ENGRAM_STORE, or your own.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    scope: Annotated[
        str | None,
        typer.Option(
            metavar="SCOPE",
            help="Who is calling, as project=acme,agent=coder (project=. is that of the folder "
            "you are in); without it ENGRAM_SCOPE, "
            "or the store's owner.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    within: Annotated[
        str | None,
        typer.Option(
            metavar="SCOPE",
            help="Which part of what the caller may see is meant, as agent=coder.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    json: Annotated[
        bool,
        typer.Option(
            "--json", help="Answer with one JSON document on stdout.", rich_help_panel=_PANEL
        ),
    ] = False

    @property
    def folder(self) -> Path:
        """The store's folder."""
        from engram.settings import default_store

        if not self.is_folder:
            raise StorePathInvalid(hint="This needs a store in a folder.")
        return Path(self.store).expanduser() if self.store else default_store()

    @property
    def is_folder(self) -> bool:
        """Whether the store named is a folder, and not one in memory or on a server."""
        return self.store != ":memory:" and "://" not in (self.store or "")

    @property
    def caller(self) -> "Scope | None":
        """The scope the caller belongs to; None is the owner."""
        from engram.settings import named_scope
        from engram.surfaces.harness.project import scope_here

        text = self.scope if self.scope is not None else named_scope()
        return scope_here(text, Path.cwd()) if text else None

    @property
    def part(self) -> "Scope | None":
        """The scope inside the caller's that is meant."""
        from engram.memory.scopes import Scope

        return Scope.parse(self.within) if self.within else None

    def part_of(self, engram: "Engram", name: str) -> "Scope | None":
        """The scope a named memory or change belongs to: the owner need not spell it out."""
        if self.part is not None or not engram.principal.is_owner:
            return self.part
        return engram.upkeep.scope_of(name)

    def elsewhere(self, engram: "Engram") -> str:
        """Where an owner finds what is not in the one place that was looked at; agents keep to
        the places of their projects."""
        if not engram.principal.is_owner or self.part is not None:
            return ""
        held = {path: count for path, count in engram.upkeep.scopes().items() if path != "/"}
        if not held:
            return ""
        most = max(held, key=held.__getitem__)
        scope = quote(most.strip("/").replace("/", ","))
        others = f", and {len(held) - 1} more places" if len(held) > 1 else ""
        return (
            f"There is something in other places: {held[most]} in {scope}{others}. "
            f"Look there with --within {scope}."
        )

    @contextmanager
    def engram(
        self, *, is_unchecked: bool = False, is_plain: bool = False, is_new: bool = False
    ) -> "Iterator[Engram]":
        """The store, opened as the caller; unchecked for a doctor, plain to be encrypted.

        Only what writes makes a new store: a slip in a path should not look like an empty memory.
        """
        from engram.memory.scopes import Principal
        from engram.security.keys import Credentials
        from engram.wiring import open_engram

        if not is_new and self.is_folder and not self._is_something_there():
            raise no_store(self.folder)
        with open_engram(
            self.store,  # as it was typed: there are also addresses that are no folders
            principal=Principal.of(self.caller),
            passphrase=self.passphrase,
            unlocking=Credentials() if is_plain else None,
            is_unchecked=is_unchecked,
        ) as engram:
            if not is_unchecked:  # a doctor says it among what it finds
                warn_of_vault(engram)
            try:
                yield engram
            except EngramError as error:
                engram.note_refusal(error)
                raise
            if not (is_unchecked or is_plain):
                self._see_to_background(engram)

    def _see_to_background(self, engram: "Engram") -> None:
        """What the command left to be done is done by a process of its own, if it may be."""
        from engram.settings import credentials

        if self.is_folder and engram.settings.daemon.start == "auto":
            from engram.surfaces.daemon.start import start_if_needed

            start_if_needed(engram, self.folder, credentials(self.passphrase))

    def _is_something_there(self) -> bool:
        """A store, its remains, or something else that opening will complain about."""
        folder = self.folder
        return folder.exists() and (not folder.is_dir() or any(folder.iterdir()))

    def check_owner(self) -> None:
        """Refuse what only the owner of the whole store may do."""
        if self.caller is not None:
            raise AccessDenied(hint="Only the owner, who calls without a scope, may do it.")

    @cached_property
    def passphrase(self) -> str | None:
        """Asked for when the store needs one and nothing else unlocks it; or its recovery key."""
        from engram.security.keys import opened_by, read_slot
        from engram.settings import credentials

        if not self.is_folder or not terminal.is_interactive() or credentials().are_given:
            return None
        slot = read_slot(self.folder / _KEY_SLOT)
        ways = opened_by(slot) if slot is not None else []
        asked = [name for kind, name in _ASKED_FOR.items() if kind in ways]
        is_needed = asked and "keyring" not in ways
        return terminal.ask_secret(f"{' or '.join(asked).capitalize()}: ") if is_needed else None

    def show(self, document: Mapping[str, object], picture: "Callable[[], RenderableType]") -> None:
        """Answer: the document with --json, the picture for people."""
        if self.json:
            # Escaped throughout: whatever reads it, no byte of it is obeyed or lost.
            typer.echo(json.dumps(document, indent=2, ensure_ascii=True))
        else:
            terminal.console().print(picture())

    def change(self, act: str, done: str, memory_id: str, *details: str, reason: str) -> None:
        """Do to one memory what the method of that name does, and show how it left it."""
        with self.engram() as engram:
            scope = self.part_of(engram, memory_id)
            memory = getattr(engram, act)(memory_id, *details, reason=reason, scope=scope)
        self.show_change(done, memory)

    def show_change(self, done: str, memory: "Memory") -> None:
        """Answer with a memory as a change left it, and say how to take that back."""
        from engram.surfaces.cli import pictures
        from engram.surfaces.documents import memory_document

        document = {"change_id": memory.change_id, "memory": memory_document(memory)}
        self.show(document, lambda: pictures.change(done, memory, self.again))

    @property
    def again(self) -> str:
        """The options by which another command meets the same store as the same caller."""
        named = (("--store", self.store), ("--scope", self.scope), ("--within", self.within))
        return "".join(f" {option} {quote(value)}" for option, value in named if value)

    def fail(self, error: EngramError) -> None:
        """Say what went wrong and what to do next."""
        from engram.surfaces.documents import error_document

        show_failure(error_document(error), as_json=self.json)


def warn_of_vault(engram: "Engram") -> None:
    """Say in one line that protected memories are there and cannot be read: none is listed."""
    problem = ""
    with suppress(EngramError):  # what is asked for meets it too, and is told
        problem = engram.upkeep.vault_problem()
    if problem:
        line = f"Warning: {problem}; protected memories cannot be read or made: engram doctor"
        terminal.console(stderr=True).print(terminal.styled(line, "yellow"), soft_wrap=True)


def no_store(folder: Path) -> NoStore:
    """The refusal where nothing is; it names the path, which may not be the one that was meant."""
    return NoStore(
        hint=f"Nothing is at {folder}. Check the path; `engram remember` makes a new store."
    )


def show_failure(document: "Document", *, as_json: bool) -> None:
    """Print an error document: as JSON on stdout, or in red on stderr."""
    if as_json:
        typer.echo(json.dumps(document, indent=2, ensure_ascii=True))
        return
    from engram.surfaces.cli import pictures

    terminal.console(stderr=True).print(pictures.failure(document))
