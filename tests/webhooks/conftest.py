"""A receiver on this machine, and a store that tells it what happens."""

from collections.abc import Iterator

import pytest

from webhooks.receiver import Receiver, receiving


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as opened:
        yield opened
