"""The doctor of installations: whether what was installed is still there, and works."""

import json
import shutil
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from engram.errors import EngramError
from engram.surfaces.harness import files, json_edits, toml_edits
from engram.surfaces.harness.hooking import CHECK
from engram.surfaces.harness.json_edits import JsonEdit
from engram.surfaces.harness.known import Harness
from engram.surfaces.harness.places import Places
from engram.surfaces.harness.record import Installation, TouchedFile
from engram.version import __version__

_PATIENCE_SECONDS = 15.0
_HOOK_SECONDS = 10.0  # longer than hooks have: what is looked for is a failure, not a busy machine
_INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "engram install --check", "version": __version__},
    },
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    is_fine: bool
    detail: str = ""


def is_found(harness: Harness, places: Places) -> bool:
    """Whether the harness seems to be on this machine."""
    has_sign = any(places.path(sign).exists() for sign in harness.signs)
    return has_sign or any(shutil.which(name) for name in harness.programs)


def look(installation: Installation) -> list[Finding]:
    """What can be seen without starting anything: the files, and the programs they name."""
    found = [_file(touched) for touched in installation.files]
    lines = [("server", installation.server), ("hooks", installation.hook)]
    return found + [_program(what, line[0]) for what, line in lines if line]


def examine(installation: Installation) -> list[Finding]:
    """All of that, and whether the programs start, answer, and are of this version."""
    found = look(installation)
    if not all(finding.is_fine for finding in found if finding.what in ("server", "hooks")):
        return found
    found.append(_version(installation))
    if installation.hook:
        found.append(_hooks(installation))
    return [*found, _server(installation.server)]


def _file(touched: TouchedFile) -> Finding:
    path = Path(touched.path)
    try:
        content = files.read(path).content
        if content is None:
            return Finding(str(path), False, "is gone")
        if not touched.steps:
            return Finding(str(path), True)
        text = files.as_text(content, path)
        missing = [step for step in touched.steps if not _holds(text, step.edit)]
    except EngramError as error:
        return Finding(str(path), False, error.hint)
    return Finding(str(path), not missing, "our entry is not in it any more" if missing else "")


def _holds(text: str, edit: JsonEdit | toml_edits.TomlEdit) -> bool:
    if isinstance(edit, JsonEdit):
        return json_edits.holds(text, edit)
    return toml_edits.holds(text, edit)


def _program(what: str, program: str) -> Finding:
    is_there = shutil.which(program) is not None
    return Finding(what, is_there, "" if is_there else f"{program} cannot be run")


def _version(installation: Installation) -> Finding:
    said = _said([*installation.program, "--version"])
    version = said.removeprefix("engram ").strip()
    if version == __version__:
        return Finding("version", True, version)
    told = f"it is {version or 'silent'}, and this is {__version__}; install again"
    return Finding("version", False, told)


def _hooks(installation: Installation) -> Finding:
    """Whether a hook does its work: to a harness it says nothing of what went wrong."""
    store = [] if installation.store is None else ["--store", installation.store]
    words = ["session-start", "--harness", "claude-code", *store, *_scope(installation.server)]
    try:
        done = subprocess.run(  # noqa: S603  # a line that we wrote ourselves
            [*installation.hook, *words, "--limit-seconds", f"{_HOOK_SECONDS:g}", CHECK],
            input=b"{}", capture_output=True, timeout=_PATIENCE_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return Finding("hooks", False, "a hook does not answer")
    if done.returncode == 0:
        is_fine = done.stdout.startswith(b"{")
        return Finding("hooks", is_fine, "" if is_fine else "a hook does not answer")
    # The last line: an interpreter that cannot even start says more than anybody reads.
    told = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
    return Finding("hooks", False, f"a hook fails: {told or 'it takes too long'}")


def _scope(server: Sequence[str]) -> list[str]:
    """The scope that the server was installed with; the hooks have the same."""
    for name, value in pairwise(server):
        if name == "--scope":
            return [name, value]
    return []


def _said(line: Sequence[str]) -> str:
    """What a program prints; nothing when it fails or takes too long."""
    try:
        done = subprocess.run(  # noqa: S603  # a line that we wrote ourselves
            line, input=b"", capture_output=True, timeout=_PATIENCE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode(errors="replace") if done.returncode == 0 else ""


def _server(line: Sequence[str]) -> Finding:
    """Whether the server answers `initialize`."""
    try:
        process = subprocess.Popen(  # noqa: S603  # a line that we wrote ourselves
            line,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,  # what a program that is gone did not read is not sent again
        )
    except OSError as error:
        return Finding("initialize", False, f"cannot be started: {error.strerror}")
    with process:
        alarm = threading.Timer(_PATIENCE_SECONDS, process.kill)
        alarm.start()
        try:
            name = _initialized(process)
        finally:
            alarm.cancel()
            process.kill()
    return Finding("initialize", bool(name), name or "the server does not answer")


def _initialized(process: "subprocess.Popen[bytes]") -> str:
    if process.stdin is None or process.stdout is None:
        return ""
    try:
        process.stdin.write(json.dumps(_INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        answered = json.loads(process.stdout.readline())
        server = answered["result"]["serverInfo"]
        return f"{server['name']} {server['version']}"
    except (OSError, ValueError, KeyError, TypeError):
        return ""
