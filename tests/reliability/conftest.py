"""What reliability tests start from: a replayable seed, a disk to be told to fail."""

from collections.abc import Iterator

import pytest
from harness_disk import Disk
from harness_seed import fresh_seed

from engram import failpoints


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
