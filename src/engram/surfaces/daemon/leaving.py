"""When the process in the background goes, and whether what waits is its to do: rules alone."""

from dataclasses import dataclass
from enum import StrEnum

_OTHERS_FIRST_SECONDS = 0.75  # whoever wrote begins after a fifth of a second, if it still runs


class Reason(StrEnum):
    """Why it leaves."""

    TOLD = "told"  # by a signal
    WANTED = "wanted"  # somebody needs the store alone, or stops it
    MOVED = "moved"  # the folder or the database in it is gone, or another one
    IDLE = "idle"


@dataclass(frozen=True, slots=True)
class Situation:
    """What it sees when it looks around."""

    is_told: bool
    is_wanted: bool
    is_there: bool
    quiet_seconds: float  # since anything was to be done or was done
    patience_seconds: float


def reason_to_leave(seen: Situation) -> Reason | None:
    """Why to leave now; None: stay."""
    if seen.is_told:
        return Reason.TOLD
    if seen.is_wanted:
        return Reason.WANTED
    if not seen.is_there:
        return Reason.MOVED
    return Reason.IDLE if seen.quiet_seconds >= seen.patience_seconds else None


@dataclass(frozen=True, slots=True)
class Backlog:
    """How many texts waited when last there were fewer than before, and when that was."""

    texts: int = 0
    since: float = 0.0

    def after(self, texts: int, now: float) -> "Backlog":
        """The backlog as it is now."""
        if texts < self.texts or not self.texts:
            return Backlog(texts, now)
        return Backlog(texts, self.since)

    def is_ours(self, now: float) -> bool:
        """Whether to begin: what grows less is being embedded by whoever wrote it."""
        return self.texts > 0 and now - self.since >= _OTHERS_FIRST_SECONDS
