"""What an import came to: counts, reasons and line numbers, never what was said."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

MOST_TOLD = 1_000  # places that are told one by one


@dataclass(frozen=True, slots=True)
class ToldPlace:
    """One line, or item of a list, that was not simply taken in."""

    place: int
    outcome: str  # bad, held or refused
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What became of the items of one file."""

    id: str | None  # None in a dry run
    name: str
    form: str  # export, lines or list
    is_encrypted: bool
    is_dry_run: bool = False
    is_known: bool = False  # the same file was imported before, and stands
    resumed_after: int = 0  # items that an earlier, interrupted run had done
    is_whole: bool = True  # False: it was not read to its end
    problem: str = ""  # why not
    items: int = 0  # in this run
    outcomes: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)  # by the reason
    lowered: Mapping[str, int] = field(default_factory=dict)  # claims not believed as they stood
    places: tuple[ToldPlace, ...] = ()
    more_places: int = 0

    @property
    def taken_in(self) -> int:
        """How many memories were stored or wait for a person."""
        return self.outcomes.get("stored", 0) + self.outcomes.get("held", 0)

    @property
    def bad(self) -> int:
        """How many items could not be read."""
        return self.outcomes.get("bad", 0)


@dataclass(slots=True)
class Tally:
    """What was met so far."""

    items: int = 0
    marks: int = 0  # of them, the beginning and the end of an export
    outcomes: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    lowered: Counter[str] = field(default_factory=Counter)
    places: list[ToldPlace] = field(default_factory=list)
    more_places: int = 0
    form: str = ""
    has_ended: bool = False  # an export tells its end
    problem: str = ""

    def tell(self, place: int, outcome: str, reason: str) -> None:
        """Count an outcome that somebody should look at, and say where."""
        self.outcomes[outcome] += 1
        if len(self.places) < MOST_TOLD:
            self.places.append(ToldPlace(place, outcome, reason))
        else:
            self.more_places += 1

    def leave_out(self, reason: str) -> None:
        """Count what is not taken in, though nothing is wrong with it."""
        self.outcomes["left_out"] += 1
        self.left_out[reason] += 1

    def add(self, other: "Tally") -> None:
        """Count what a batch came to, now that it is kept."""
        self.outcomes.update(other.outcomes)
        self.left_out.update(other.left_out)
        self.lowered.update(other.lowered)
        room = MOST_TOLD - len(self.places)
        self.places += other.places[:room]
        self.more_places += other.more_places + max(len(other.places) - room, 0)
