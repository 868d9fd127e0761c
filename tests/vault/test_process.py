"""What a process of ours leaves for others: no core, nothing to look into, no open file."""

import os
import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from engram import Engram
from engram.security.options import SecurityOptions
from engram.security.process import harden, place_of, tighten, weak_parent

CANARY = "zebrafinch-7731"

# A command that is stopped inside: it says how the process stands, and may end badly.
_INSIDE = """
import os, resource, sys
from engram.engine import Engram
from pathlib import Path
def look(self, **given):
    status = Path("/proc/self/status").read_text()
    import ctypes
    dumpable = ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)
    mask = os.umask(0o777); os.umask(mask)
    print(resource.getrlimit(resource.RLIMIT_CORE)[0], dumpable, oct(mask), flush=True)
    how = os.environ.get("END", "")
    if how:
        os.kill(os.getpid(), int(how))
    os._exit(0)
Engram.stats = look
from engram.surfaces.cli import main
main()
"""


def inside(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, with cores allowed, as it comes."""

    def allow_cores() -> None:
        _, most = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (most, most))

    store = tmp_path / "store"
    if not store.exists():
        with Engram.open(store) as engram:
            engram.remember(f"A fact of {CANARY}.")
    return subprocess.run(
        [sys.executable, "-c", _INSIDE, "stats", "--store", str(store)],
        cwd=tmp_path, env={**os.environ, **environment}, text=True, capture_output=True,
        preexec_fn=allow_cores,
    )  # fmt: skip


def test_a_command_leaves_no_core_and_cannot_be_looked_into(tmp_path):
    told = inside(tmp_path).stdout.split()

    assert told == ["0", "0", "0o77"]


def test_that_can_be_switched_off_by_whoever_has_to_debug_it(tmp_path):
    told = inside(tmp_path, ENGRAM_SECURITY__HARDEN_PROCESS="false").stdout.split()

    assert told[1] == "1"


@pytest.mark.parametrize("number", [signal.SIGABRT, signal.SIGSEGV])
def test_a_crash_leaves_nothing_behind(tmp_path, number):
    crashed = inside(tmp_path, END=str(int(number)), PYTHONFAULTHANDLER="1")

    left = [
        path
        for path in tmp_path.rglob("*")
        if path.is_file() and path.parent == tmp_path and CANARY.encode() in path.read_bytes()
    ]
    assert crashed.returncode == -number
    assert left == []
    assert not list(tmp_path.glob("core*"))
    assert CANARY not in crashed.stdout + crashed.stderr


def test_a_library_leaves_the_process_of_its_host_alone(tmp_path):
    code = (
        "import os, resource, ctypes, sys\n"
        "from engram import Engram\n"
        "os.umask(0o022)\n"
        "hooks = sys.excepthook\n"
        "Engram.open(sys.argv[1], settings={'security': {'harden_library': sys.argv[2] == '1'}})\n"
        "mask = os.umask(0)\n"
        "print(oct(mask), ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), hooks is sys.excepthook)\n"
    )

    def told(wanted: str) -> list[str]:
        command = [sys.executable, "-c", code, str(tmp_path / wanted), wanted]
        return subprocess.run(command, text=True, capture_output=True).stdout.split()

    assert told("0") == ["0o22", "1", "True"]
    assert told("1") == ["0o77", "0", "True"]


def test_this_very_process_is_not_ours_to_harden():
    before = resource.getrlimit(resource.RLIMIT_CORE)

    assert not harden(SecurityOptions())
    assert resource.getrlimit(resource.RLIMIT_CORE) == before


def test_whatever_the_mask_no_file_of_a_store_can_be_read_by_others(tmp_path):
    before = os.umask(0)
    try:
        with Engram.open(tmp_path / "store", passphrase="one") as engram:
            engram.remember("Ada lives in Porto.")
            engram.backup()
            engram.settle()
            engram.security_events()
            loose = [
                path
                for path in [tmp_path / "store", *(tmp_path / "store").rglob("*")]
                if path.name != ".gitignore" and stat.S_IMODE(path.stat().st_mode) & 0o077
            ]
    finally:
        os.umask(before)

    assert loose == []


def test_what_stands_open_is_closed_and_links_are_left_alone(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("not ours")
    elsewhere.chmod(0o644)
    folder = tmp_path / "store"
    (folder / "backups").mkdir(parents=True, mode=0o700)
    folder.chmod(0o700)
    (folder / "backups" / "one.db").write_text("")
    (folder / "backups" / "one.db").chmod(0o666)
    (folder / "link").symlink_to(elsewhere)

    assert tighten(folder) == 1
    assert tighten(folder) == 0
    assert stat.S_IMODE((folder / "backups" / "one.db").stat().st_mode) == 0o600
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o644


def test_a_folder_above_that_others_may_write_to_is_told_by_health(tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)

    with Engram.open(shared / "store") as engram:
        told = {each.name: (each.state, each.detail) for each in engram.health().checks}

    assert told["folder"][0] == "warning"
    assert "shared" in told["folder"][1]
    shared.chmod(0o1777)
    assert weak_parent(shared / "store") is None


def test_a_place_is_told_without_words_also_of_causes():
    def fail(secret: str) -> None:
        try:
            int(secret)
        except ValueError as error:
            raise RuntimeError(f"after {secret}") from error

    try:
        fail(CANARY)
    except RuntimeError as error:
        told = place_of(error)

    assert CANARY not in told
    assert told.splitlines()[0].startswith("RuntimeError at test_process.py:")
    assert told.splitlines()[1].startswith("ValueError at test_process.py:")
