"""How the store is doing: figures, health and what a doctor says."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from engram.errors import EngramError
from engram.memory.scopes import Reach
from engram.memory.times import to_micros
from engram.storage.database import Database
from engram.storage.options import StorageOptions
from engram.storage.place import Finding, Place
from engram.storage.store import Store
from engram.storage.vault_tie import given_up, vault_problem

_LOOK_SECONDS = 30.0
_PROBED_RECORDS = 20


@dataclass(frozen=True, slots=True)
class Stats:
    """How much a caller's part of the store holds."""

    memories: int
    by_status: dict[str, int]
    by_category: dict[str, int]
    by_layer: dict[str, int]
    first_event: datetime | None
    last_event: datetime | None
    last_change: datetime | None


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the health report."""

    name: str
    state: str  # ok, warning, failing
    detail: str


@dataclass(frozen=True, slots=True)
class Health:
    """Whether the store can be relied on right now."""

    checks: tuple[Check, ...]

    @property
    def status(self) -> str:
        """The worst of all checks."""
        states = {check.state for check in self.checks}
        return next((word for word in ("failing", "warning") if word in states), "ok")


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """What was looked at, and what was mended if asked."""

    findings: tuple[Finding, ...]
    repairs: tuple[str, ...] = ()

    @property
    def is_fine(self) -> bool:
        """Whether nothing is wrong."""
        return all(finding.is_fine for finding in self.findings)


def stats(store: Store, reach: Reach, now: datetime, *, timeout_seconds: float) -> Stats:
    """Count what the caller can see."""
    by_status: Counter[str] = Counter()
    by_category: Counter[str] = Counter()
    by_layer: Counter[str] = Counter()
    with store.read(reach, timeout_seconds=timeout_seconds) as see:
        for status, category, layer, count in see.counts(now):
            by_status[status] += count
            by_category[category] += count
            by_layer[layer] += count
        span = see.span()
    return Stats(by_status.total(), dict(by_status), dict(by_category), dict(by_layer), *span)


def health(
    store: Store,
    place: Place | None,
    options: StorageOptions,
    now: datetime,
    *,
    problems: dict[str, str],
) -> Health:
    """Probe the store for real: read a row, write a row, look at the disk and the backups."""
    checks = [
        _read_check(store),
        _write_check(store.database, place, now),
        _traits_check(store.database),
        *_vault_checks(store.database),
    ]
    if place is not None:
        checks.append(_disk_check(place, options))
        checks.append(_backup_check(place, options))
        if place.recovered:
            detail = "the last process did not leave in order; the store was checked"
            checks.append(Check("last run", "ok", detail))
    for name, problem in problems.items():
        if problem:
            checks.append(Check(name, "warning", problem))
    return Health(tuple(checks))


def _vault_checks(database: Database) -> list[Check]:
    """Whether the last protected memories can be read; silent where there are none."""
    try:
        with database.reading(_LOOK_SECONDS) as transaction:
            records = transaction.rows("newest_sealed_records", {"limit": _PROBED_RECORDS})
            vault = transaction.vault() if records else None
            problem = vault_problem(transaction, vault) if vault is not None else None
            has_given_up = given_up(transaction) > 0
            gone = sum(
                vault is None or not vault.can_unseal(cast(bytes, row[0])) for row in records
            )
    except EngramError as error:
        return [Check("vault", "failing", error.code)]
    if not records:
        return []
    if problem is not None:
        detail = f"{problem}: sealed memories cannot be read, nor made; see `engram doctor`"
        return [Check("vault", "failing", detail)]
    if gone:
        detail = "sealed memories cannot be read: their keys are gone; see `engram doctor`"
        is_all = gone == len(records) and not has_given_up
        return [Check("vault", "failing" if is_all else "warning", detail)]
    return [Check("vault", "ok", "the last sealed memories can be read")]


def _read_check(store: Store) -> Check:
    try:
        with store.read(Reach(()), timeout_seconds=5) as see:
            see.store_id()
    except EngramError as error:
        return Check("read", "failing", error.code)
    return Check("read", "ok", "a row was read")


def _write_check(database: Database, place: Place | None, now: datetime) -> Check:
    if place is not None and place.read_only:
        return Check("write", "ok", "opened read-only")
    try:
        with database.writing() as transaction:
            transaction.run("probe_write", {"at": to_micros(now)})
    except EngramError as error:
        return Check("write", "failing", error.code)
    return Check("write", "ok", "a row was written")


def _traits_check(database: Database) -> Check:
    """Whether the words of every readable memory are at hand: recall cannot find what has none."""
    try:
        with database.reading(_LOOK_SECONDS) as transaction:
            is_lacking = transaction.rows("are_traits_lacking", {})[0][0]
    except EngramError as error:
        return Check("traits", "failing", error.code)
    if is_lacking:
        return Check("traits", "warning", "some memories lack their words; run `engram doctor`")
    return Check("traits", "ok", "all memories have their words")


def _disk_check(place: Place, options: StorageOptions) -> Check:
    free = place.free_megabytes()
    state = "ok" if free >= options.minimum_free_megabytes else "warning"
    return Check("disk", state, f"{free} MB free")


def _backup_check(place: Place, options: StorageOptions) -> Check:
    if place.backup_problem:
        return Check("backup", "warning", place.backup_problem)
    age = place.last_backup_age()
    if age is None:
        return Check("backup", "ok", "none yet")
    allowed = timedelta(hours=2 * options.backup_every_hours or 24 * 365)
    return Check("backup", "ok" if age <= allowed else "warning", f"{_hours(age)} old")


def _hours(age: timedelta) -> str:
    hours = age / timedelta(hours=1)
    return f"{hours:.1f} hours" if hours < 48 else f"{hours / 24:.0f} days"


def doctor(place: Place, *, repair: bool) -> DoctorReport:
    """Look everything over; mend only when told to, and look again afterwards."""
    findings = place.inspect()
    wanted = [finding.repair for finding in findings if not finding.is_fine and finding.repair]
    if not repair or not wanted:
        return DoctorReport(tuple(findings))
    done = place.repair(list(dict.fromkeys(wanted)))
    return DoctorReport(tuple(place.inspect()), tuple(done))
