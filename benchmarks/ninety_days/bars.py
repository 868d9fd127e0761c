"""What must hold after ninety days, and whether it does."""

from dataclasses import dataclass

from benchmarks.ninety_days.figures import dream_exponent, growth
from benchmarks.ninety_days.merging import Merges
from benchmarks.ninety_days.run import Lived

GROWTH = 0.15  # of what is stored in the last 30 days may stay for recall to look at
RETENTION = 0.98  # of the planted facts are among the first five hits
# n log n has the local exponent 1 + 1/ln n, 1.1 for ten thousand; the rest is a busy machine's due.
EXPONENT = 1.25


@dataclass(frozen=True, slots=True)
class Bar:
    """One thing that must hold."""

    name: str
    value: str
    wanted: str
    holds: bool


def bars(lived: Lived, merges: Merges | None) -> list[Bar]:
    """Everything that must hold, measured."""
    found = [_growth(lived), _retention(lived), *_stale(lived), _exponent(lived)]
    return found if merges is None else [*found, *_merges(merges)]


def _growth(lived: Lived) -> Bar:
    share = growth(lived.days)
    name = "growth of active memories, of all that is stored, last 30 days"
    return Bar(name, f"{share:.3f}", f"≤ {GROWTH}", share <= GROWTH)


def _retention(lived: Lived) -> Bar:
    share = lived.days[-1].retention or 0.0
    asked = lived.days[-1].asked
    return Bar(
        f"recall@5 of the {asked} planted facts", f"{share:.3f}", f"≥ {RETENTION}",
        share >= RETENTION,
    )  # fmt: skip


def _stale(lived: Lived) -> list[Bar]:
    stale = lived.stale
    if stale is None or not stale.asked:
        return []
    first, as_current = len(stale.stale_first), len(stale.stale_as_current)
    found = stale.current_found / stale.asked
    return [
        Bar(f"current values found, of {stale.asked}", f"{found:.3f}", f"≥ {RETENTION}",
            found >= RETENTION),
        Bar("stale values before the current one", str(first), "0", first == 0),
        Bar("stale statements given as current", str(as_current), "0", as_current == 0),
    ]  # fmt: skip


def _exponent(lived: Lived) -> Bar:
    power = dream_exponent(lived.days)
    return Bar("dream seconds grow by the power", f"{power:.2f}", f"≤ {EXPONENT}",
               power <= EXPONENT)  # fmt: skip


def _merges(merges: Merges) -> list[Bar]:
    return [
        Bar(f"wrong merges among {merges.pairs} near misses", str(merges.wrong), "0",
            merges.wrong == 0),
        Bar("true rewordings merged beside them", str(merges.merged), "> 0", merges.merged > 0),
    ]  # fmt: skip
