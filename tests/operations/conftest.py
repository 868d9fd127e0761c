"""A store in which every operation has something to work on, made anew for each test."""

from collections.abc import Callable
from pathlib import Path

import pytest
from clock import FakeClock

from engram import Engram
from operations.world import World


@pytest.fixture
def world(open_store: Callable[..., Engram], tmp_path: Path, clock: FakeClock) -> World:
    return World(open_store(), tmp_path, clock)
