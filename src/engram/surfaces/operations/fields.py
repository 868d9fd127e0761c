"""The kinds of values that operations take, each with the one rule that checks and describes it.

A rule is at most as wide as the engine's own, so that whatever a schema allows is accepted: the
expression a caller reads in the schema is the one its value is matched with.
"""

import re
from typing import Annotated, cast

from pydantic import AfterValidator, Field, JsonValue, PlainValidator, WithJsonSchema
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from engram.errors import EngramError
from engram.memory.changes import Action
from engram.memory.record import METADATA_BYTES, MetadataValue
from engram.memory.scopes import LEVELS
from engram.memory.times import parse_time
from engram.memory.trust import CLASS_OF_PREFIX
from engram.memory.vocabulary import Kind, Layer, MemoryType, RecallMode, Secrecy, Status
from engram.text.strings import NAME_LENGTH, SUMMARY_BYTES

MOST_ITEMS = 1_000
MOST_LISTED = 1_000
TEXT_LENGTH = 262_144  # the most bytes that a call may hand in, unless settings say otherwise
_MOST = 2**63 - 1024  # the greatest number that is the same as a whole and as a broken one
_MOST_VALUES = 50
_MOST_WORDS = 100

_CONTROL = r"\x00-\x1f\x7f-\x9f"
_NAME = rf"[^{_CONTROL}]*[^\s{_CONTROL}][^{_CONTROL}]*"
_TEXT = r"[^\x00]*[^\s\x00-\x1f][^\x00]*"
_ID = "[A-Za-z0-9_-]+"
_WORD = "[a-z][a-z0-9_]*"
_SOURCES = "|".join(CLASS_OF_PREFIX)
_OF_SCOPE = rf"[^\s{_CONTROL},/](?:[^{_CONTROL},/]{{0,198}}[^\s{_CONTROL},/])?"
_SCOPE = "/?" + "".join(rf"(?:{level}={_OF_SCOPE}[,/]?)?" for level in LEVELS)
_CLOCK = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_TIME = (
    rf"[1-8][0-9]{{3}}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T{_CLOCK}:[0-5][0-9]"
    rf"(?:\.[0-9]{{1,9}})?(?:Z|[+-]{_CLOCK})"
)


def formed(
    pattern: str, rule: str, description: str = "", *, most: int, least: int = 0, **more: str
) -> tuple[FieldInfo, AfterValidator]:
    """The form of a whole text, once for its check and once for the schema that tells of it.

    A text of another form is refused in the words of the rule.
    """
    compiled = re.compile(pattern)

    def check(value: str) -> str:
        if compiled.fullmatch(value) is None:
            raise PydanticCustomError("form", "{rule}", {"rule": rule})
        return value

    told = {"description": description} if description else {}
    extra: dict[str, JsonValue] = {"pattern": f"^(?:{pattern})$", **told, **more}
    lengths = Field(min_length=least or None, max_length=most, json_schema_extra=extra)
    return cast("FieldInfo", lengths), AfterValidator(check)


def _checked_time(value: str) -> str:
    try:
        parse_time(value, name="time")
    except EngramError:
        raise PydanticCustomError("form", "{rule}", {"rule": _TIME_RULE}) from None
    return value


_NAME_RULE = "has no control characters and is not blank"
_TEXT_RULE = "is not blank and has no NUL character"
_TIME_RULE = "is a time with its zone, as in 2026-03-01T09:00:00+00:00 or 2026-03-01T09:00:00Z"
_SCOPE_RULE = "is a scope such as project=acme,agent=coder; levels, in this order: " + ", ".join(
    LEVELS
)

Name = Annotated[str, *formed(_NAME, _NAME_RULE, least=1, most=NAME_LENGTH)]
Text = Annotated[str, *formed(_TEXT, _TEXT_RULE, least=1, most=TEXT_LENGTH)]
Summary = Annotated[
    str,
    *formed(
        _TEXT,
        _TEXT_RULE,
        "Its gist in a line; 512 bytes at most.",
        least=1,
        most=SUMMARY_BYTES,
    ),
]
Reason = Annotated[
    str,
    *formed(
        f"(?:{_TEXT})?",
        "is empty, or not blank and without a NUL character",
        "Why; it is kept in the history.",
        most=500,  # 2,000 bytes at most, whatever the letters
    ),
]
Query = Annotated[str, Field(min_length=1, max_length=20_000, description="A question or words.")]
Id = Annotated[
    str,
    *formed(
        _ID,
        "is an id, or a label such as mem-0001",
        "An id, or a label such as mem-0001.",
        least=1,
        most=64,
    ),
]
ChangeName = Annotated[
    str,
    *formed(
        f"{_ID}(?::[a-z]+)?",
        "is the id of a change or a dream",
        "The id of a change or a dream; drm-…:merge is one pass of a dream.",
        least=1,
        most=64,
    ),
]
Label = Annotated[
    str,
    *formed(
        "mem-[0-9]{1,18}",
        "is a label such as mem-0042",
        "Continue before this label: `next` of the page before.",
        most=22,
    ),
]
Time = Annotated[
    str,
    *formed(_TIME, _TIME_RULE, most=40, format="date-time"),
    AfterValidator(_checked_time),
]
ScopePart = Annotated[
    str,
    *formed(
        _SCOPE,
        _SCOPE_RULE,
        "A part of the caller's scope, as project=acme,agent=coder.",
        most=1_200,
    ),
]
CategoryName = Annotated[
    str,
    *formed(
        _WORD,
        "is the name of a category",
        "The name of a category, as preference or decision.",
        most=40,
    ),
]
RelationName = Annotated[
    str,
    *formed(
        _WORD,
        "is a name of lower-case letters, digits and underscores",
        "supports, contradicts, caused_by, part_of … or your own.",
        most=40,
    ),
]
SourceName = Annotated[
    str,
    *formed(
        rf"(?:{_SOURCES})(?::[^{_CONTROL}]*)?",
        f"begins with one of {_SOURCES}",
        "Where it comes from, as web:example.org.",
        most=NAME_LENGTH,
    ),
]
HorizonText = Annotated[
    str,
    *formed(
        "[1-9][0-9]{0,4}[hdwmy]|never",
        "is a number and one of h d w m y, as 180d, or never",
        "How long it may go unconfirmed, as 180d, or never.",
        least=2,
        most=6,
    ),
]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Limit = Annotated[int, Field(ge=1, le=MOST_LISTED)]
Budget = Annotated[int, Field(ge=1, le=10_000_000, description="The most tokens of all hits.")]

# A word of a closed set comes as text; only these are read from it.
LayerName = Annotated[Layer, Field(strict=False)]
TypeName = Annotated[MemoryType, Field(strict=False)]
KindName = Annotated[Kind, Field(strict=False)]
StatusName = Annotated[Status, Field(strict=False)]
ModeName = Annotated[RecallMode, Field(strict=False)]
SecrecyName = Annotated[
    Secrecy,
    Field(
        strict=False, description="How it is protected; only people and curators may ask for less."
    ),
]
ActionName = Annotated[Action, Field(strict=False)]


def _checked_metadata(value: object) -> object:
    """One value of metadata; a whole number is not rounded, a flag is no number."""
    is_number = isinstance(value, int | float) and abs(value) <= _MOST  # not so for NaN
    is_list = isinstance(value, list) and len(value) <= _MOST_WORDS
    is_texts = is_list and all(_is_metadata_text(each) for each in cast("list[object]", value))
    if value is None or is_number or is_texts or _is_metadata_text(value):
        return value
    raise PydanticCustomError("form", "{rule}", {"rule": _METADATA_RULE})


def _is_metadata_text(value: object) -> bool:
    is_text = isinstance(value, str) and len(value) <= METADATA_BYTES
    return is_text and _METADATA_TEXT.fullmatch(cast("str", value)) is not None


_METADATA_TEXT = re.compile(
    r"[^\x00\ud800-\udfff]*[^\s\x00-\x1f\ud800-\udfff][^\x00\ud800-\udfff]*"
)
_METADATA_RULE = "holds text, numbers, true, false, null and lists of text"
_TEXT_SCHEMA: dict[str, object] = {
    "type": "string",
    "minLength": 1,
    "maxLength": METADATA_BYTES,
    "pattern": f"^(?:{_TEXT})$",
}
# Written out: the library would describe a name's form as one of several kinds of names.
MetadataValues = Annotated[
    dict[Name, Annotated[MetadataValue, PlainValidator(_checked_metadata)]],
    Field(max_length=_MOST_VALUES),
    WithJsonSchema({
        "type": "object",
        "description": "Flat values to filter by; 8,192 bytes at most.",
        "maxProperties": _MOST_VALUES,
        "propertyNames": {"maxLength": NAME_LENGTH, "pattern": f"^(?:{_NAME})$"},
        "additionalProperties": {
            "anyOf": [
                _TEXT_SCHEMA,
                {"type": "boolean"},
                {"type": "number", "minimum": -_MOST, "maximum": _MOST},
                {"type": "array", "items": _TEXT_SCHEMA, "maxItems": _MOST_WORDS},
                {"type": "null"},
            ]
        },
    }),
]  # fmt: skip
