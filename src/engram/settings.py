"""What can be configured: every number in one place, from file, environment and arguments.

Later ones win: defaults < the store's config.toml < ENGRAM_SECTION__NAME in the environment <
arguments. Each package owns its numbers; this module gathers them and is the only reader of the
environment.
"""

import dataclasses
import fcntl
import os
import re
import secrets
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from engram.capture.options import CaptureOptions
from engram.context.options import ContextOptions, check_shares
from engram.errors import ConfigInvalid, InvalidInput, StoreReadOnly
from engram.failpoints import arm_marker
from engram.lifecycle.dreams.options import DreamOptions
from engram.lifecycle.options import LifecycleOptions
from engram.memory.box_options import BoxOptions
from engram.memory.categories import CategoryRegistry, custom_category
from engram.memory.deadlines import ExpiryOptions
from engram.memory.entities.templates import RESERVED_KEYS, Template, compile_templates
from engram.memory.options import OptionRule, checked_option
from engram.memory.working.options import WorkingOptions
from engram.providers.model_options import ModelOptions
from engram.providers.model_overrides import ModelOverride, checked_overrides
from engram.providers.options import EmbedderOptions
from engram.recall.options import RecallOptions
from engram.security.keys import (
    Credentials,
    key_from_keyring,
    looks_like_recovery_key,
    parse_key,
    parse_recovery_key,
    read_key_file,
)
from engram.security.network_options import DaemonOptions, NetworkOptions
from engram.security.options import SecurityOptions
from engram.sharing.options import SharingOptions
from engram.storage.options import StorageOptions

SECTIONS: dict[str, type] = {
    "storage": StorageOptions,
    "capture": CaptureOptions,
    "recall": RecallOptions,
    "lifecycle": LifecycleOptions,
    "security": SecurityOptions,
    "embedder": EmbedderOptions,
    "model": ModelOptions,
    "boxes": BoxOptions,
    "network": NetworkOptions,
    "daemon": DaemonOptions,
    "dreams": DreamOptions,
    "expiry": ExpiryOptions,
    "context": ContextOptions,
    "working": WorkingOptions,
    "sharing": SharingOptions,
}
_TABLES = ("categories", "models", "templates")  # tables by name, whose names are the user's own
_PREFIX = "ENGRAM_"
_LOOK_AGAIN_SECONDS = 0.5
_Values = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one Engram."""

    storage: StorageOptions = field(default_factory=StorageOptions)
    capture: CaptureOptions = field(default_factory=CaptureOptions)
    recall: RecallOptions = field(default_factory=RecallOptions)
    lifecycle: LifecycleOptions = field(default_factory=LifecycleOptions)
    security: SecurityOptions = field(default_factory=SecurityOptions)
    embedder: EmbedderOptions = field(default_factory=EmbedderOptions)
    model: ModelOptions = field(default_factory=ModelOptions)
    boxes: BoxOptions = field(default_factory=BoxOptions)
    network: NetworkOptions = field(default_factory=NetworkOptions)
    daemon: DaemonOptions = field(default_factory=DaemonOptions)
    dreams: DreamOptions = field(default_factory=DreamOptions)
    expiry: ExpiryOptions = field(default_factory=ExpiryOptions)
    context: ContextOptions = field(default_factory=ContextOptions)
    working: WorkingOptions = field(default_factory=WorkingOptions)
    sharing: SharingOptions = field(default_factory=SharingOptions)
    models: Mapping[str, ModelOverride] = field(default_factory=dict, hash=False)
    registry: CategoryRegistry = field(default_factory=CategoryRegistry, compare=False)
    templates: tuple[Template, ...] = ()


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting as people see it."""

    key: str
    value: object
    default: object
    origin: str
    rule: OptionRule


@cache
def setting_rules() -> Mapping[str, tuple[object, OptionRule]]:
    """Every setting's default and rule, by its full name."""
    return {
        f"{section}.{each.name}": (each.default, each.metadata["rule"])
        for section, options in SECTIONS.items()
        for each in dataclasses.fields(options)
    }


def build_settings(*layers: Mapping[str, object]) -> Settings:
    """Settings from layers of nested values, the last winning; anything unknown is an error."""
    merged: _Values = {}
    for layer in layers:
        for section, values in layer.items():
            if section not in SECTIONS and section not in _TABLES:
                raise ConfigInvalid(hint=f"There is no section `{section}`.")
            if not isinstance(values, Mapping):
                raise ConfigInvalid(
                    hint=f"`{section}` is a section; its settings are {section}.name."
                )
            merged.setdefault(section, {}).update(values)
    registry = _registry(merged.pop("categories", {}))
    models = _models(merged.pop("models", {}))
    sections = {name: _options(name, merged.get(name, {})) for name in SECTIONS}
    templates = _templates(merged.pop("templates", {}))
    settings = Settings(**sections, models=models, registry=registry, templates=templates)
    _check_together(settings)
    return settings


def _options(section: str, values: Mapping[str, object]) -> Any:  # one of SECTIONS
    rules = setting_rules()
    checked = {}
    for name, value in values.items():
        key = f"{section}.{name}"
        if key not in rules:
            raise ConfigInvalid(hint=f"There is no setting `{key}`; `engram config` lists them.")
        default, rule = rules[key]
        checked[name] = checked_option(value, default, rule, name=key)
    return SECTIONS[section](**checked)


def _registry(tables: Mapping[str, object]) -> CategoryRegistry:
    try:
        custom = []
        for name, fields in tables.items():
            custom.append(custom_category(name, fields))
        return CategoryRegistry(custom)
    except InvalidInput as error:
        raise ConfigInvalid(hint=error.hint) from None


def _models(tables: Mapping[str, object]) -> dict[str, ModelOverride]:
    try:
        return checked_overrides(tables)
    except InvalidInput as error:
        raise ConfigInvalid(hint=error.hint) from None


def _templates(patterns: Mapping[str, object]) -> tuple[Template, ...]:
    if not all(isinstance(each, str) for each in patterns.values()):
        raise ConfigInvalid(hint="A template is a name and a pattern, as ticket = '[A-Z]+-[0-9]+'.")
    texts = {name: str(each) for name, each in patterns.items()}
    return compile_templates(texts, reserved=RESERVED_KEYS)


def _check_together(settings: Settings) -> None:
    """Settings that are fine alone may not fit together."""
    if settings.capture.max_input_bytes < settings.capture.max_content_bytes:
        raise ConfigInvalid(hint="`capture.max_input_bytes` is below `capture.max_content_bytes`.")
    try:
        settings.registry.find(settings.capture.default_category)
    except InvalidInput:
        raise ConfigInvalid(hint="`capture.default_category` is no known category.") from None
    check_shares(settings.context)


class LiveSettings:
    """The settings of a running process: a change of the file reaches it within a second."""

    def __init__(self, file: Path | None, overrides: Mapping[str, object] | None = None) -> None:
        self._file = file
        self._environment = environment_values()
        if overrides is not None and not isinstance(overrides, Mapping):
            raise ConfigInvalid(hint="`settings` is a dictionary of sections.")
        self._overrides = overrides or {}
        self._stamp = self._file_stamp()
        self._looked_at = time.monotonic()
        self.problem = ""  # why a changed file is not in force; health shows it
        self._current = build_settings(self._file_values(), self._environment, self._overrides)

    @property
    def current(self) -> Settings:
        """The settings in force now."""
        if self._file is not None and time.monotonic() - self._looked_at > _LOOK_AGAIN_SECONDS:
            self._looked_at = time.monotonic()
            stamp = self._file_stamp()
            if stamp != self._stamp:
                self._stamp = stamp
                self._reload()
        return self._current

    def _reload(self) -> None:
        try:
            values = self._file_values()
            self._current = build_settings(values, self._environment, self._overrides)
            self.problem = ""
        except ConfigInvalid as error:
            self.problem = error.hint

    def rows(self) -> list[SettingRow]:
        """Every setting with its value, where that comes from, and what it means."""
        current = self.current
        layers = (
            ("argument", self._overrides),
            ("environment", self._environment),
            ("file", self._file_values()),
        )
        rows = []
        for key, (default, rule) in setting_rules().items():
            section, name = key.split(".")
            origins = (origin for origin, layer in layers if name in _section(layer, section))
            value = getattr(getattr(current, section), name)
            rows.append(SettingRow(key, value, default, next(origins, "default"), rule))
        return rows

    def _file_stamp(self) -> tuple[int, int, int] | None:
        try:
            found = self._file.stat() if self._file else None
        except OSError:
            return None
        return (found.st_mtime_ns, found.st_size, found.st_ino) if found else None

    def _file_values(self) -> Mapping[str, object]:
        return read_file(self._file) if self._file else {}


def _section(layer: Mapping[str, object], section: str) -> Mapping[str, object]:
    found = layer.get(section, {})
    return found if isinstance(found, Mapping) else {}


def read_file(file: Path) -> Mapping[str, object]:
    """The values of a settings file; none when there is no file."""
    try:
        if file.exists() and not file.is_file():
            raise ConfigInvalid(hint=f"{file.name} is not a regular file.")
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}  # whether the store's place is right is for the store to say
    except (OSError, ValueError, RecursionError) as error:
        where = re.search(r"at line \d+, column \d+", str(error))
        place = f" ({where[0]})" if where else ""
        raise ConfigInvalid(hint=f"{file} cannot be read as TOML{place}.") from error


def environment_values() -> _Values:
    """Settings named ENGRAM_SECTION__NAME; a section or name that does not exist is an error."""
    found: _Values = {}
    for name, value in os.environ.items():
        if name.startswith(_PREFIX) and "__" in name:
            section, _, setting = name.removeprefix(_PREFIX).lower().partition("__")
            if f"{section}.{setting}" not in setting_rules():
                raise ConfigInvalid(hint=f"{name} names no setting; `engram config` lists them.")
            found.setdefault(section, {})[setting] = value
    return found


def write_setting(file: Path, key: str, value: str | None) -> Settings:
    """Set one setting in the file, or take it out; refused before writing if the result is bad."""
    if key not in setting_rules():
        raise ConfigInvalid(hint=f"There is no setting `{key}`; `engram config` lists them.")
    section, name = key.split(".")
    line = None if value is None else f"{name} = {_toml(value, key)}"
    with _one_editor_at_a_time(file.parent):
        read_file(file)  # a file that cannot be read is not written over
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        changed = _edited(text, section, name, line)
        try:
            settings = build_settings(tomllib.loads(changed))
        except tomllib.TOMLDecodeError as error:
            hint = f"`{key}` cannot be set here; edit {file.name} yourself."
            raise ConfigInvalid(hint=hint) from error
        if value is not None:
            _check_server(settings.embedder, key)
        _replace_durably(file, changed)
    return settings


_OF_THE_SERVER = frozenset({
    "embedder.url", "embedder.kind", "embedder.model", "embedder.allow_plain_http",
})  # fmt: skip


def _check_server(options: EmbedderOptions, key: str) -> None:
    """Refuse an address that could never be asked when it is set, and not later by its effects.

    Taking a setting out is never refused: it is the way back from a file that was edited badly.
    """
    is_wanted = key == "embedder.url" or options.kind == "url"
    if key in _OF_THE_SERVER and is_wanted:
        from engram.providers.choose import choose_embedder

        choose_embedder(dataclasses.replace(options, kind="url"))  # reads the address, asks nobody


@contextmanager
def _one_editor_at_a_time(folder: Path) -> Iterator[None]:
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise StoreReadOnly(hint="The store's folder cannot be opened.") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _replace_durably(file: Path, text: str) -> None:
    temporary = file.with_name(f".tmp-{secrets.token_hex(8)}.toml")
    try:
        handle = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as written:
            written.write(text)
            written.flush()
            os.fsync(handle)
        temporary.replace(file)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise StoreReadOnly(hint="The settings file cannot be written.") from error


def _toml(value: str, key: str) -> str:
    default, rule = setting_rules()[key]
    checked = checked_option(value, default, rule, name=key)
    if isinstance(checked, bool):
        return str(checked).lower()
    if isinstance(checked, str):
        return '"' + checked.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(checked)


def _edited(text: str, section: str, name: str, line: str | None) -> str:
    """The file's text with one line put in, replaced or taken out; comments stay."""
    header = re.compile(rf"\s*\[\s*{section}\s*\]\s*(#.*)?")
    dotted = re.compile(rf"\s*{section}\s*\.\s*{name}\s*=")
    lines = [each for each in text.splitlines() if not dotted.match(each)]
    start = next((i for i, each in enumerate(lines, 1) if header.fullmatch(each)), None)
    if start is None:
        added = [] if line is None else [*([""] if lines else []), f"[{section}]", line]
        return "\n".join([*lines, *added]) + "\n"
    end = next(
        (i for i in range(start, len(lines)) if lines[i].lstrip().startswith("[")), len(lines)
    )
    own = re.compile(rf"\s*{name}\s*=")
    kept = [each for each in lines[start:end] if not own.match(each)]
    return "\n".join([*lines[:start], *([line] if line else []), *kept, *lines[end:]]) + "\n"


def default_store() -> Path:
    """Where a store lies when none is named: ENGRAM_STORE, or the user's data folder."""
    named = os.environ.get("ENGRAM_STORE")
    if named:
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("engram", appauthor=False) / "store"


def named_scope() -> str | None:
    """The scope named in the environment."""
    return os.environ.get("ENGRAM_SCOPE")


_WAYS_IN = (
    "ENGRAM_PASSPHRASE", "ENGRAM_KEY_FILE", "ENGRAM_KEY", "ENGRAM_KEYRING", "ENGRAM_RECOVERY_KEY",
)  # fmt: skip


def names_credentials() -> bool:
    """Whether the environment names something to unlock a store with; nothing is looked up."""
    return any(os.environ.get(name) for name in _WAYS_IN)


def keyring_entry() -> str:
    """What the keyring of the operating system calls the key of the store, if it holds it."""
    return os.environ.get("ENGRAM_KEYRING", "")


def credentials(passphrase: str | None = None) -> Credentials:
    """What there is to unlock a store with: the argument, else the first found in the environment.

    Only one counts; the others are not tried when it is wrong.
    """
    if passphrase is not None:
        # Whoever is asked for a passphrase may type what stands on the paper.
        is_paper = looks_like_recovery_key(passphrase)
        return parse_recovery_key(passphrase) if is_paper else Credentials(passphrase=passphrase)
    if text := os.environ.get("ENGRAM_PASSPHRASE"):
        return Credentials(passphrase=text)
    if path := os.environ.get("ENGRAM_KEY_FILE"):
        return Credentials(key=read_key_file(Path(path)))
    if text := os.environ.get("ENGRAM_KEY"):
        return Credentials(key=parse_key(text))
    if entry := keyring_entry():
        return key_from_keyring(entry)
    if text := os.environ.get("ENGRAM_RECOVERY_KEY"):
        return parse_recovery_key(text)
    return Credentials()


def embedder_key() -> str | None:
    """The key that a server which embeds asks for; no setting, because settings are shown."""
    return os.environ.get("ENGRAM_EMBEDDER_KEY") or None


def export_passphrase() -> str | None:
    """What exports are sealed and opened with, where it is not typed; no setting either."""
    return os.environ.get("ENGRAM_EXPORT_PASSPHRASE") or None


def model_key() -> str | None:
    """The key that a server of a language model asks for; no setting either."""
    return os.environ.get("ENGRAM_MODEL_KEY") or None


def arm_failpoints() -> None:
    """For crash tests: ENGRAM_FAILPOINT=name,marker-file[,passes to skip] halts there."""
    plan = os.environ.get("ENGRAM_FAILPOINT")
    if plan:
        name, marker, *skip = plan.split(",")
        arm_marker(name, marker, skip=int(skip[0]) if skip else 0)
