"""Operations on settings; what decides whom the server talks to is not set from outside."""

from typing import Annotated

from pydantic import AfterValidator, Field, JsonValue
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from engram.engine import Engram
from engram.errors import AccessDenied
from engram.settings import Settings, setting_rules
from engram.surfaces.documents import Document, rule_document
from engram.surfaces.operations import telling
from engram.surfaces.operations.fields import formed
from engram.surfaces.operations.operation import (
    CONTROLLING,
    INSPECTING,
    Arguments,
    operation,
)

# A caller that could choose addresses, models or folders would send what is kept anywhere, or have
# anything loaded. These are set on the machine alone, and are not shown: an address may hold a key.
_PROTECTED = frozenset({
    "embedder.kind", "embedder.url", "embedder.model", "embedder.allow_plain_http",
    "model.kind", "model.url", "model.model", "model.allow_plain_http",
    "recall.reranker_folder",
})  # fmt: skip
_ENDINGS = ("url", "path", "folder", "file")


def is_protected(key: str) -> bool:
    """Whether a setting can be set on the machine alone."""
    return key in _PROTECTED or key.endswith(_ENDINGS)


def _one_of(keys: list[str], rule: str) -> tuple[AfterValidator, FieldInfo]:
    """The check of a setting's name, and what the schema tells of it."""

    def check(value: str) -> str:
        if value not in keys:
            raise PydanticCustomError("form", "{rule}", {"rule": rule})
        return value

    told: dict[str, JsonValue] = {"enum": [*keys]}
    return AfterValidator(check), Field(json_schema_extra=told)


_EVERY = sorted(setting_rules())
_check, _told = _one_of(_EVERY, "is the name of a setting, as recall.limit")
SettingKey = Annotated[str, _check, _told]
_check_settable, _told_settable = _one_of(
    [key for key in _EVERY if not is_protected(key)],
    "is a setting, as recall.limit; addresses, models and folders are set on the machine itself",
)
SettableKey = Annotated[str, _check_settable, _told_settable]
_Words = Annotated[str, *formed("[ -~]*", "is plain text in one line", most=200)]


def _document(key: str, settings: Settings) -> Document:
    section, name = key.split(".")
    value = None if is_protected(key) else getattr(getattr(settings, section), name)
    told = rule_document(key, *setting_rules()[key])
    return {**told, "value": value, "is_protected": is_protected(key)}


def _check_owner(engram: Engram) -> None:
    if not engram.principal.is_owner:
        raise AccessDenied(hint="Only the owner of the store sees and changes its settings.")


@operation(
    "settings", Arguments, kind=INSPECTING, route="GET /settings", gives="Settings",
    tells=telling.settings,
)  # fmt: skip
def list_settings(engram: Engram, given: Arguments) -> Document:  # noqa: ARG001  # takes nothing
    """Every setting, its value and what it means."""
    _check_owner(engram)
    return {"settings": [_document(key, engram.settings) for key in setting_rules()]}


class OneSetting(Arguments):
    """What operations on one setting take."""

    key: SettingKey


@operation("setting", OneSetting, kind=INSPECTING, route="GET /settings/{key}", gives="Setting")
def setting(engram: Engram, given: OneSetting) -> Document:
    """One setting, its value and what it means."""
    _check_owner(engram)
    return _document(given.key, engram.settings)


class Configure(Arguments):
    """What `configure` takes."""

    key: SettableKey
    value: Annotated[
        bool | int | Annotated[float, Field(allow_inf_nan=False)] | _Words | None,
        Field(description="Its value; null for the default."),
    ]


@operation("configure", Configure, kind=CONTROLLING, route="PUT /settings/{key}", gives="Setting")
def configure(engram: Engram, given: Configure) -> Document:
    """Set one setting of the store, or take it out with null."""
    _check_owner(engram)
    text = None if given.value is None else str(given.value)  # a flag may be written as True
    return _document(given.key, engram.upkeep.configure(given.key, text))
