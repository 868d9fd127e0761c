"""Brings a database to this version's schema: numbered files, in order, each exactly once."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from engram.errors import SchemaTooNew
from engram.failpoints import failpoint

_FILE = re.compile(r"([0-9]{4})_([a-z0-9_]+)\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered step of the schema."""

    version: int
    name: str
    sql: str


def load_migrations(engine: str, folder: Traversable | None = None) -> list[Migration]:
    """The steps of one engine, in order, without a gap."""
    place = folder or files("engram.storage") / "migrations" / engine
    found = []
    for entry in place.iterdir():
        match = _FILE.fullmatch(entry.name)
        if match:
            sql = entry.read_text(encoding="utf-8")
            found.append(Migration(int(match[1]), match[2], sql))
    found.sort(key=lambda migration: migration.version)
    if [migration.version for migration in found] != list(range(1, len(found) + 1)):
        raise ValueError("migration numbers must run from 0001 without a gap")
    return found


def pending(migrations: list[Migration], version: int) -> list[Migration]:
    """The steps a database still needs; refuse one that is ahead of this version."""
    newest = migrations[-1].version
    if version > newest:
        raise SchemaTooNew(hint=f"It has schema {version}; this version knows up to {newest}.")
    return migrations[version:]


def apply(
    steps: list[Migration],
    execute: Callable[[str], object],
    note: Callable[[Migration], None],
) -> None:
    """Run the steps inside the caller's transaction; a failure anywhere leaves nothing behind."""
    for step in steps:
        for statement in statements(step.sql):
            execute(statement)
            failpoint("migration_statement")
        note(step)


def statements(sql: str) -> list[str]:
    """Single statements of a migration file; they end with a semicolon at the end of a line."""
    lines = [line for line in sql.splitlines() if not line.lstrip().startswith("--")]
    pieces = re.split(r";[ \t]*$", "\n".join(lines), flags=re.MULTILINE)
    return [piece.strip() for piece in pieces if piece.strip()]
