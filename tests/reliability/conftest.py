"""What every reliability test starts from: a replayable seed, and no settings of the machine's."""

import os
from collections.abc import Iterator

import pytest
from harness_disk import Disk
from harness_seed import fresh_seed

from engram import failpoints


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("ENGRAM_") and name != "ENGRAM_SEED" and "SOAK" not in name:
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def no_failpoints_left() -> Iterator[None]:
    yield
    failpoints.disarm()


@pytest.fixture
def seed() -> int:
    return fresh_seed()


@pytest.fixture
def disk() -> Iterator[Disk]:
    made = Disk()
    yield made
    made.unregister()
