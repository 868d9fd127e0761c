"""How a tunable number is declared: default, range and a sentence of meaning in one place."""

import dataclasses
from dataclasses import dataclass
from typing import Any

from engram.errors import ConfigInvalid


@dataclass(frozen=True, slots=True)
class OptionRule:
    """What values an option may take and what it is for."""

    meaning: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    at_open: bool = False  # takes effect when the store is opened next


def option(
    default: object,
    *,
    meaning: str,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
    at_open: bool = False,
) -> Any:  # dataclasses.field() is typed the same way, so that fields keep theirs
    """A dataclass field that carries its own documentation and limits."""
    rule = OptionRule(meaning, low, high, choices, at_open)
    return dataclasses.field(default=default, metadata={"rule": rule})


def checked_option(value: object, default: object, rule: OptionRule, *, name: str) -> object:
    """The value in the option's own type, or an error that names the option."""
    if isinstance(default, bool):
        return _checked_flag(value, name)
    if isinstance(default, int | float):
        return _checked_number(value, default, rule, name)
    if not isinstance(value, str) or (rule.choices and value not in rule.choices):
        allowed = f"one of: {', '.join(rule.choices)}" if rule.choices else "text"
        raise ConfigInvalid(hint=f"`{name}` must be {allowed}.")
    return value


def _checked_flag(value: object, name: str) -> bool:
    words = {"true": True, "false": False}
    if isinstance(value, str) and value.lower() in words:
        return words[value.lower()]
    if not isinstance(value, bool):
        raise ConfigInvalid(hint=f"`{name}` must be true or false.")
    return value


def _checked_number(value: object, default: float, rule: OptionRule, name: str) -> float | int:
    kind = type(default)
    try:
        number = kind(value)  # type: ignore[arg-type]  # a wrong type is what the except is for
        is_exact = not isinstance(value, bool) and (kind is float or float(str(value)) == number)
    except (TypeError, ValueError, OverflowError):
        is_exact = False
    low, high = rule.low, rule.high
    if not is_exact or not (low is None or number >= low) or not (high is None or number <= high):
        word = "a whole number" if kind is int else "a number"
        raise ConfigInvalid(hint=f"`{name}` must be {word} from {low} to {high}.")
    return number
