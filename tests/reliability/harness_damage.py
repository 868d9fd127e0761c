"""Runs in processes of its own: damages files, sets limits, and tells what Engram makes of it.

A test never opens a database file itself: closing it would drop SQLite's locks in that process.
"""

import os
import random
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from engram.engine import Engram
from engram.errors import EngramError, StoreError

_QUIET = {"storage": {"backup_every_hours": 0, "check_megabytes": 64}}
_TEXTS = [f"Sentence {number} speaks of harbour {number * 7}." for number in range(200)]


def fill(store: str) -> int:
    """A store with some hundred memories, folded into one file."""
    with Engram.open(store, settings=_QUIET) as engram:
        engram.remember_many(_TEXTS)
        for memory in engram.list(limit=20):
            engram.revise(memory.id, memory.content + " It was revised.")
    return len(_TEXTS)


def damage_and_use(store: str, seeds: list[int], kind: str) -> list[list[str]]:
    """Damage a fresh copy for every seed and use it; return what went wrong, seed by seed."""
    return [_damaged_use(Path(store), seed, kind) for seed in seeds]


def _damaged_use(original: Path, seed: int, kind: str) -> list[str]:
    copy = original.with_name(f"{original.name}-damaged-{os.getpid()}")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(original, copy)
    chance = random.Random(seed)
    database = copy / "engram.db"
    content = bytearray(database.read_bytes())
    _DAMAGE[kind](content, chance)
    database.write_bytes(content)
    entries = {path.name for path in copy.iterdir()}
    codes, problems = _use_everything(copy)
    gone = entries - {path.name for path in copy.iterdir()}
    problems += [f"{name} was taken away" for name in gone - {"engram.db-wal", "engram.db-shm"}]
    problems += [f"{path.name} appeared" for path in copy.glob("*damaged*")]
    if not problems and kind == "one bit" and not codes:
        problems.append("not noticed")
    shutil.rmtree(copy)
    return problems


def _flip_bytes(content: bytearray, chance: random.Random) -> None:
    for _ in range(chance.choice((1, 4, 32))):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def _wipe_blocks(content: bytearray, chance: random.Random) -> None:
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(content) // 512) * 512
        content[start : start + 512] = chance.choice((bytes(512), chance.randbytes(512)))


def _cut_short(content: bytearray, chance: random.Random) -> None:
    del content[chance.randrange(1, len(content)) :]


def _one_bit(content: bytearray, chance: random.Random) -> None:
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


_DAMAGE = {
    "bytes": _flip_bytes,
    "blocks": _wipe_blocks,
    "short": _cut_short,
    "one bit": _one_bit,
}


def _use_everything(store: Path) -> tuple[list[str], list[str]]:
    """Open, read everything, write; only errors of ours may come out of it."""
    codes: list[str] = []
    problems: list[str] = []
    try:
        engram = Engram.open(store, settings=_QUIET)
    except EngramError as error:
        return [error.code], problems
    except Exception as error:  # noqa: BLE001  # this is what the test is looking for
        return codes, [f"open: {type(error).__name__}: {error}"]
    attempts = {
        "list": lambda: engram.list(status="any", limit=1_000),
        "recall": lambda: engram.recall("harbour revised"),
        "history": lambda: [engram.history(f"mem-{number:04}") for number in (1, 150, 200)],
        "stats": engram.stats,
        "verify_audit": engram.verify_audit,
        "remember": lambda: engram.remember("Written to a damaged store."),
        "doctor": lambda: codes.append("doctor") if not engram.doctor().is_fine else None,
        "health": engram.health,
        "backup": engram.backup,
        "close": engram.close,
    }
    for name, attempt in attempts.items():
        try:
            attempt()
        except EngramError as error:
            codes.append(error.code)
        except Exception as error:  # noqa: BLE001
            problems.append(f"{name}: {type(error).__name__}: {error}")
    return codes, problems


def salvage(store: str, seed: int) -> dict[str, object]:
    """Damage some pages with memories, let the doctor mend it, and look at what is left."""
    database = Path(store) / "engram.db"
    content = bytearray(database.read_bytes())
    chance = random.Random(seed)
    pages = range(_pages_of_an_empty_store(), len(content) // 4096)
    for page in chance.sample(pages, 3):
        content[page * 4096 : page * 4096 + 4096] = chance.randbytes(4096)
    database.write_bytes(content)
    with Engram.open(store, settings=_QUIET) as engram:
        first = engram.doctor()
        mended = engram.doctor(repair=True)
        left = len(engram.list(status="any", limit=1_000))
        engram.remember("The doctor was here.")
    kept = list(Path(store).glob("damaged-*-engram.db"))
    return {
        "was_fine": first.is_fine,
        "is_fine": mended.is_fine,
        "unwell": [f"{each.name}: {each.detail}" for each in mended.findings if not each.is_fine],
        "left": left,
        "kept": [path.read_bytes() == bytes(content) for path in kept],
    }


def _pages_of_an_empty_store() -> int:
    """Below it lies the schema, without which nothing opens: there only a backup helps."""
    with tempfile.TemporaryDirectory() as folder:
        Engram.open(folder, settings=_QUIET).close()
        return (Path(folder) / "engram.db").stat().st_size // 4096


def write_against_a_size_limit(store: str) -> dict[str, object]:
    """Write while the log may not grow by a single byte; then see what is said and what is left."""
    engram = Engram.open(store, settings=_QUIET)
    stored = [engram.remember(f"Before the disk was full: {each}.").memory.id for each in range(40)]
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = (Path(store) / "engram.db-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    error = _error_of(lambda: engram.remember("There is no room for this."))
    health = {check.name: check.state for check in engram.health().checks}
    read = len(engram.list(limit=10_000))
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    after = _error_of(lambda: engram.remember("There is room again."))
    return {"error": error, "health": health, "stored": stored, "read": read, "after": after}


def _error_of(act: Callable[[], object]) -> str:
    try:
        act()
    except StoreError as error:
        return error.code
    return "fine"


def use_read_only_folder(store: str) -> dict[str, str]:
    """As nobody, in a folder that nobody may write to."""
    with tempfile.TemporaryDirectory() as scratch:
        fill(f"{scratch}/store")  # loads all code there is: nobody may not read Python's own folder
        _look(f"{scratch}/store")
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
    return {
        "open": _error_of(lambda: Engram.open(store, settings=_QUIET).close()),
        "look": _error_of(lambda: _look(store)),
    }


def _look(store: str) -> None:
    with Engram.open(store, read_only=True) as engram:
        assert engram.list()


def open_files_of_everything(store: str) -> list[str]:
    """Do all there is to do while Python reports each file that it opens itself."""
    opened: list[str] = []

    def watch(event: str, details: tuple[object, ...]) -> None:
        if event in ("open", "os.open", "shutil.copyfile") and details:
            opened.append(os.fspath(details[0]) if isinstance(details[0], str | Path) else "")

    sys.addaudithook(watch)
    with Engram.open(store, settings=_QUIET) as engram:
        memory = engram.remember("Everything is tried once.").memory
        engram.recall("everything")
        engram.revise(memory.id, "Everything is tried twice.")
        engram.undo(engram.forget(memory.id).change_id)
        engram.health()
        engram.backup()
        engram.doctor()
        engram.doctor(repair=True)
        engram.verify_audit()
    Engram.open(store, read_only=True).close()
    with Engram.open(store, settings=_QUIET) as engram:
        engram.restore()
    files = {f"{store}/engram.db{suffix}" for suffix in ("", "-wal", "-shm", "-journal")}
    return sorted(files.intersection(opened))


def libraries_of_a_process(store: str) -> dict[str, object]:
    """Which libraries a process that uses Engram has loaded that could be SQLite."""
    with Engram.open(store, settings=_QUIET) as engram:
        engram.remember("One library is enough.")
        engram.recall("library")
    maps = Path("/proc/self/maps").read_text().splitlines()
    mapped = {line.split()[-1] for line in maps if len(line.split()) > 5}
    carriers = [path for path in mapped if "sqlite" in path.lower() or "apsw" in path.lower()]
    return {
        "carriers": sorted(path for path in carriers if ".so" in path),
        "has_sqlite3": "sqlite3" in sys.modules or "_sqlite3" in sys.modules,
    }
