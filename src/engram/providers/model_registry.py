"""What each language model can take: its window, its longest answer, its gifts and its tokenizer.

Known models stand in `language_models.json`. A name is brought into one shape first, so that
`us.anthropic.claude-3-5-sonnet-20241022-v2:0` and `anthropic/claude-3.5-sonnet` are one model; then
the longest known name that it begins with decides, in whole parts: `gpt-4` says nothing of `gpt-4o`
or of `gpt-4.9`. A model that is not known gets little room and says so: too small a window costs
detail, too large a one costs the whole request.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TypeVar

from engram.errors import InvalidInput
from engram.memory.tokens.families import OTHER
from engram.providers.model_overrides import LONGEST_NAME, ModelOverride

_Found = TypeVar("_Found")
SAFE_WINDOW, SAFE_OUTPUT = 32_000, 4_096

_HOSTS = "anthropic|openai|meta|mistral|mistralai|cohere|amazon|deepseek|google|qwen|ai21|xai|azure"
_HOST = re.compile(rf"(?:[a-z-]{{2,8}}\.)?(?:{_HOSTS})\.(?=[a-z])")
_DATE = re.compile(
    r"-(?:20\d\d-?(?:0\d|1[0-2])-?[0-3]\d|(?:0\d|1[0-2])-20\d\d)(?![0-9])"  # 2024-05-13, 08-2024
)
_WORD_AND_NUMBER = re.compile(r"(?<![a-z0-9])([a-z]{3,})(?=\d)")  # llama3 is llama-3
_POINT = re.compile(r"(?<=\d)[p.](?=\d)")  # 3.1 and, at some hosts, 3p1
_EDITION = re.compile(r"-v\d+:\d+(?:k|:\d+k)?$")  # -v2:0, as Amazon ends its names
_LLAMA = re.compile(r"(?:meta-)?llama-?v?(?=\d)")  # meta-llama-3, llama-v3p1, llama3
_SEPARATORS = re.compile(r"[\s_:@.\-]+")
_ANOTHER_VERSION = re.compile(r"[1-9]\d?")


@dataclass(frozen=True, slots=True)
class LanguageModelLimits:
    """What one language model can take."""

    name: str  # as it was asked for
    provider: str
    window: int  # tokens read and written together
    output: int  # tokens it may write
    has_tools: bool
    has_vision: bool
    has_thinking: bool
    tokenizer: str  # the family its tokens are counted by
    is_known: bool = True
    known_as: str = ""  # the name in the registry or the settings; empty for one that is not known

    @property
    def notice(self) -> str:
        """What has to be said about these figures; empty when they can be relied on."""
        if self.is_known:
            return ""
        return (
            f"This model is not known: a window of {self.window:,} tokens and answers of "
            f"{self.output:,} are taken for safe. Say what it has under [models] in the settings."
        )


def limits_of(
    name: str, overrides: Mapping[str, ModelOverride] | None = None
) -> LanguageModelLimits:
    """What a model can take: as the user says, else as it is known, else what is safe."""
    asked = _checked_name(name)
    normalised = normalised_name(asked)
    found = _longest(normalised, _known())
    limits = replace(found, name=asked) if found else _unknown(asked)
    own = {normalised_name(key): (key, given) for key, given in (overrides or {}).items()}
    said = _longest(normalised, own)
    return limits if said is None else _overridden(limits, *said)


def known_models() -> list[LanguageModelLimits]:
    """Every model of the registry, in its order."""
    return list(_known().values())


def registry_date() -> str:
    """The day that the registry's figures are of."""
    return str(_document()["of"])


def normalised_name(name: str) -> str:
    """One spelling for all the ways hosts have of naming the same model."""
    text = name.strip().lower().removeprefix("ft:").rstrip("/").rpartition("/")[2]
    text = text[found.end() :] if (found := _HOST.match(text)) else text
    text = _EDITION.sub("", text)
    text = f"llama-{text[found.end() :]}" if (found := _LLAMA.match(text)) else text
    text = _SEPARATORS.sub("-", _POINT.sub("-", _WORD_AND_NUMBER.sub(r"\1-", text)))
    return text.removesuffix("-latest").strip("-")


def _checked_name(name: str) -> str:
    if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME:
        raise InvalidInput(hint=f"A model's name has 1 to {LONGEST_NAME} characters.")
    return name.strip()


@cache
def _document() -> dict[str, object]:
    text = files("engram.providers").joinpath("language_models.json").read_text("utf-8")
    found: dict[str, object] = json.loads(text)
    return found


@cache
def _known() -> dict[str, LanguageModelLimits]:
    rows = _document()["models"]
    assert isinstance(rows, list)  # noqa: S101  # the file ships with the package and a test reads it
    return {normalised_name(row["name"]): _limits(row) for row in rows}


def _limits(row: Mapping[str, object]) -> LanguageModelLimits:
    return LanguageModelLimits(
        name=str(row["name"]),
        provider=str(row["provider"]),
        window=int(str(row["window"])),
        output=int(str(row["output"])),
        has_tools=row["tools"] is True,
        has_vision=row["vision"] is True,
        has_thinking=row["thinking"] is True,
        tokenizer=str(row["tokenizer"]),
        known_as=str(row["name"]),
    )


def _longest(name: str, known: Mapping[str, _Found]) -> _Found | None:
    """What is known under the name, or under the longest beginning of it in whole parts."""
    if name in known:
        return known[name]
    parts = _DATE.sub("", name).split("-")
    for length in range(len(parts), 0, -1):
        found = known.get("-".join(parts[:length]))
        if found is not None:
            following = parts[length] if length < len(parts) else ""
            # gpt-4-9 may be anything; gpt-4-0613 and llama-3-8b are what they begin with.
            return None if _ANOTHER_VERSION.fullmatch(following) else found
    return None


def _unknown(name: str) -> LanguageModelLimits:
    return LanguageModelLimits(
        name=name,
        provider="unknown",
        window=SAFE_WINDOW,
        output=SAFE_OUTPUT,
        has_tools=True,
        has_vision=False,
        has_thinking=False,
        tokenizer=OTHER,
        is_known=False,
    )


def _overridden(limits: LanguageModelLimits, key: str, said: ModelOverride) -> LanguageModelLimits:
    """What the user says goes first; an answer is never longer than the window."""
    window = said.window or limits.window
    # A window that was never told of is no better known for the rest that was.
    is_known = limits.is_known or said.window is not None
    return replace(
        limits,
        window=window,
        output=min(said.output or limits.output, window),
        has_tools=limits.has_tools if said.tools is None else said.tools,
        has_vision=limits.has_vision if said.vision is None else said.vision,
        has_thinking=limits.has_thinking if said.thinking is None else said.thinking,
        tokenizer=said.tokenizer or limits.tokenizer,
        is_known=is_known,
        known_as=key,
    )
