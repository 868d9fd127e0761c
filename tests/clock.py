"""A clock that stands still until a test moves it."""

from datetime import UTC, datetime, timedelta

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


class FakeClock:
    """Call it for the time; `advance` and `set` move it, also backwards."""

    def __init__(self, start: datetime = START) -> None:
        self.time = start

    def __call__(self) -> datetime:
        return self.time

    def advance(self, **amount: float) -> datetime:
        self.time += timedelta(**amount)
        return self.time

    def set(self, moment: datetime) -> datetime:
        self.time = moment
        return self.time
