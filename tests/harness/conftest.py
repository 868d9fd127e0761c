"""A home of its own for every test, and installing into it."""

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engram.surfaces.harness.install import Outcome, install, uninstall
from engram.surfaces.harness.known import find_harness
from engram.surfaces.harness.places import Places
from engram.surfaces.harness.plan import Wish, plan

NOW = datetime(2026, 11, 15, tzinfo=UTC)
PROGRAM = (sys.executable, "-m", "engram")


def places_in(folder: Path) -> Places:
    """Places as they are on Linux, all inside one folder."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    return Places(home, home / ".config", home / ".config", home / ".config" / "engram")


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return places_in(tmp_path)


def put_in(places: Places, name: str, **wishes: object) -> list[Outcome]:
    """Install a harness with its defaults, and what is said besides."""
    dry_run = bool(wishes.pop("dry_run", False))
    wish = Wish(**{"program": PROGRAM, "python": sys.executable, **wishes})
    harness = find_harness(name)
    made = plan(harness, wish, places, is_there=Path.exists)
    return install(name, made, wish, places, now=NOW, dry_run=dry_run)


@pytest.fixture
def put(places: Places) -> Callable[..., list[Outcome]]:
    return lambda name, **wishes: put_in(places, name, **wishes)


@pytest.fixture
def take(places: Places) -> Callable[..., list[Outcome] | None]:
    return lambda name, project=None, **options: uninstall(name, project, places, **options)


def everything_in(folder: Path) -> dict[str, bytes | None]:
    """Every file and folder with its content."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }
