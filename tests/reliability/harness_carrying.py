"""Processes that carry memories out of a store and into it, until they are done or killed."""

from pathlib import Path

from engram.engine import Engram

SETTINGS = {
    "storage": {"backup_every_hours": 0, "rows_per_commit": 5},
    "sharing": {"export_work": 10},
}


def fill(store: str, texts: list[str], key: str = "") -> None:
    """Make a store that holds some texts, protected ones among them."""
    _use(key)
    with Engram.open(store, settings=SETTINGS) as engram:
        for number, text in enumerate(texts):
            engram.remember(text, secrecy=("cleartext", "sensitive", "confidential")[number % 3])


def export_to(store: str, path: str, form: str, key: str = "") -> dict[str, int]:
    """Export a store into a file."""
    _use(key)
    with Engram.open(store, settings=SETTINGS) as engram:
        report = engram.export(path, format=form, passphrase="p", plaintext=form != "age")
        return dict(report.counts)


def import_from(store: str, path: str, key: str = "") -> dict[str, object]:
    """Import a file into a store."""
    _use(key)
    with Engram.open(store, settings=SETTINGS) as engram:
        report = engram.import_(path, passphrase="p")
        return {"id": report.id, "known": report.is_known, "resumed": report.resumed_after}


def undo_import(store: str, import_id: str) -> int:
    """Take an import back."""
    with Engram.open(store, settings=SETTINGS) as engram:
        return len(engram.undo(import_id))


def look(store: str, key: str = "") -> dict[str, object]:
    """What a store holds, and whether its audit is whole."""
    _use(key)
    with Engram.open(store, settings=SETTINGS) as engram:
        listed = engram.list(limit=1_000)
        return {
            "texts": sorted(each.content for each in listed),
            "confirmations": sum(each.usage.confirmations for each in listed),
            "imports": [(each.id, each.finished_at is not None) for each in engram.imports()],
            "exports": len(engram.audit(action="export", limit=1_000)),
            "is_intact": engram.verify_audit().is_intact,
            "leftovers": sorted(each.name for each in Path(store).rglob(".tmp-*")),
        }


def _use(key: str) -> None:
    import os

    if key:
        os.environ["ENGRAM_KEY"] = key
