"""Stores whose exports are sealed quickly, and files to bring in."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engram import Engram

from .reading import QUICK


@pytest.fixture
def quick_store(open_store: Callable[..., Engram], tmp_path: Path) -> Callable[..., Engram]:
    """Opens stores by name; the same name is the same store."""

    def open_it(name: str = "store", **options: object) -> Engram:
        settings = {**QUICK, **options.pop("settings", {})}
        return open_store(tmp_path / name, settings=settings, **options)

    return open_it


@pytest.fixture
def store(quick_store: Callable[..., Engram]) -> Engram:
    return quick_store()


@pytest.fixture
def bring(tmp_path: Path) -> Callable[..., Path]:
    """Writes a file to import: objects as JSON lines, or bytes as they are."""

    def write(items: object, name: str = "brought.jsonl") -> Path:
        path = tmp_path / name
        if isinstance(items, bytes):
            path.write_bytes(items)
        elif isinstance(items, str):
            path.write_text(items)
        else:
            path.write_text("".join(json.dumps(each) + "\n" for each in items))
        return path

    return write
