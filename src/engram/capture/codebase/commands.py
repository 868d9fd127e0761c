"""Where a project starts and which commands it offers, as its own manifests say."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from engram.capture.codebase.sketch import one_line

_LONGEST = 300
_Table = Mapping[str, object]
_TARGET = re.compile(r"([A-Za-z0-9][\w./ -]*?)\s*::?(?![=:])([^=]*)$")
_PHONY = re.compile(r"\.PHONY\s*:(.*)")
_INSTRUCTION = re.compile(r"\s*(FROM|EXPOSE|ENTRYPOINT|CMD)\s+(.+)", re.I)
_GO_LINE = re.compile(r"(module|go|tool)\s+([^\s(/]\S*)")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What one manifest tells: where to begin, and what can be run."""

    entry_points: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Malformed:
    """Why a manifest could not be read."""

    reason: str


def is_manifest(path: str) -> bool:
    """Whether a file is a manifest that we read."""
    return _reader(path) is not None


def read_manifest(path: str, text: str) -> Manifest | Malformed:
    """What a manifest tells; one that is broken says so."""
    reader = _reader(path)
    if reader is None:
        return Malformed("not a manifest")
    try:
        return reader(text)
    except (ValueError, RecursionError):
        return Malformed("malformed")


def _reader(path: str) -> Callable[[str], Manifest] | None:
    name = PurePosixPath(path).name
    is_image = name.startswith(("Dockerfile.", "Containerfile.")) or name.endswith(".Dockerfile")
    return _read_dockerfile if is_image else _READERS.get(name)


def _read_pyproject(text: str) -> Manifest:
    tables = tomllib.loads(text)
    project, tool = _table(tables, "project"), _table(tables, "tool")
    poetry = _table(tool, "poetry")
    starts = [*_titled("Python package", project or poetry)]
    for table in (project, poetry):
        starts += _pairs("command", _table(table, "scripts"))
    starts += _pairs("window", _table(project, "gui-scripts"))
    for group, entries in _table(project, "entry-points").items():
        starts += _pairs(f"plug-in of {group}", entries)
    commands = _pairs("poe", _table(_table(tool, "poe"), "tasks"))
    commands += _pairs("pdm run", _table(_table(tool, "pdm"), "scripts"))
    commands += _pairs("rye run", _table(_table(tool, "rye"), "scripts"))
    for environment, settings in _table(_table(tool, "hatch"), "envs").items():
        if isinstance(settings, dict):
            commands += _pairs(f"hatch run {environment}:", _table(settings, "scripts"))
    return Manifest(tuple(starts), tuple(commands))


def _read_package(text: str) -> Manifest:
    package = json.loads(text.removeprefix("\ufeff"))
    if not isinstance(package, dict):
        raise ValueError  # noqa: TRY004  # a broken manifest, whatever is broken in it
    starts = [*_titled("Node package", package)]
    for field in ("main", "module", "browser", "types"):
        starts += _pairs(field, package.get(field))
    starts += _pairs("command", package.get("bin"))
    manager = str(package.get("packageManager") or "npm").partition("@")[0]
    return Manifest(tuple(starts), tuple(_pairs(f"{manager} run", package.get("scripts"))))


def _read_cargo(text: str) -> Manifest:
    tables = tomllib.loads(text)
    starts = [*_titled("Rust crate", _table(tables, "package"))]
    members = _table(tables, "workspace").get("members")
    if isinstance(members, list):
        starts.append(one_line(f"workspace of {', '.join(map(str, members))}", _LONGEST))
    binaries = tables.get("bin")
    commands = []
    for binary in binaries if isinstance(binaries, list) else []:
        if isinstance(binary, dict) and isinstance(binary.get("name"), str):
            starts += _pairs(f"binary {binary['name']}", binary.get("path"))
            commands.append(f"cargo run --bin {binary['name']}")
    return Manifest(tuple(starts), tuple(commands))


def _read_go_module(text: str) -> Manifest:
    found: dict[str, list[str]] = {"module": [], "go": [], "tool": []}
    block = ""
    for raw in text.splitlines():
        line = raw.strip()
        if line.endswith("("):
            block = line[:-1].strip()
        elif line == ")":
            block = ""
        else:
            match = _GO_LINE.match(f"{block} {line}" if block else line)
            if match:
                found[match[1]].append(match[2])
    starts = [f"Go module {name}" for name in found["module"]]
    starts += [f"Go version {version}" for version in found["go"]]
    return Manifest(tuple(starts), tuple(f"go tool {path}" for path in found["tool"]))


def _read_makefile(text: str) -> Manifest:
    phony = {name for match in _PHONY.finditer(text) for name in match[1].split()}
    remark, commands = "", dict[str, str]()
    for line in text.splitlines():
        target = _TARGET.match(line)
        if line.startswith("#"):
            remark = line.strip("# \t")
            continue
        if target:
            help_text = target[2].partition("##")[2].strip() or remark
            for name in target[1].split():
                if name in phony or not phony or "##" in line:
                    commands[name] = commands.get(name) or help_text
        remark = ""
    return Manifest((), tuple(_told(f"make {name}", told) for name, told in commands.items()))


def _read_dockerfile(text: str) -> Manifest:
    lines = text.replace("\\\n", " ").splitlines()
    starts = []
    for line in lines:
        match = _INSTRUCTION.match(line)
        if match:
            starts.append(one_line(f"{match[1].upper()} {match[2]}", _LONGEST))
    return Manifest(tuple(starts))


_READERS: dict[str, Callable[[str], Manifest]] = {
    "pyproject.toml": _read_pyproject,
    "package.json": _read_package,
    "Cargo.toml": _read_cargo,
    "go.mod": _read_go_module,
    **dict.fromkeys(("Makefile", "makefile", "GNUmakefile"), _read_makefile),
    **dict.fromkeys(("Dockerfile", "Containerfile"), _read_dockerfile),
}


def _table(tables: _Table, name: str) -> _Table:
    value = tables.get(name)
    return value if isinstance(value, dict) else {}


def _titled(kind: str, table: _Table) -> Iterator[str]:
    name, description = table.get("name"), table.get("description")
    if isinstance(name, str) and name:
        yield _told(f"{kind} {name}", description if isinstance(description, str) else "")


def _pairs(kind: str, value: object) -> list[str]:
    """`kind name: what it runs` for each entry; a bare text is the only one and has no name."""
    if isinstance(value, str):
        return [_told(kind, value)]
    if not isinstance(value, dict):
        return []
    space = "" if kind.endswith(":") else " "
    return [_told(f"{kind}{space}{name}", _run_by(entry)) for name, entry in value.items()]


def _run_by(entry: object) -> str:
    if isinstance(entry, dict):
        return next((_run_by(entry[key]) for key in ("cmd", "shell", "call") if key in entry), "")
    if isinstance(entry, list):
        return " && ".join(_run_by(step) for step in entry)
    return str(entry)


def _told(name: str, told: str) -> str:
    return one_line(f"{name}: {told}" if told else name, _LONGEST)
