"""Exports and imports as documents: counts, reasons and line numbers, never what was said."""

from typing import TYPE_CHECKING

from engram.surfaces.documents import Document, plain, record, records

if TYPE_CHECKING:
    from engram.engine.carrying import ExportReport, ImportReport, StoredImport


def export_document(report: "ExportReport") -> Document:
    """What an export came to."""
    return {**record(report), "path": str(report.path), "is_encrypted": report.is_encrypted}


def import_document(report: "ImportReport") -> Document:
    """What an import came to."""
    return {
        **record(report),
        "taken_in": report.taken_in,
        "places": records(report.places),
    }


def stored_import_document(stored: "StoredImport") -> Document:
    """One file that was imported."""
    return {**record(stored), "scope": stored.scope.path, "began_at": plain(stored.began_at)}
