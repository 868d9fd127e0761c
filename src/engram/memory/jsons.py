"""Values as JSON has them: what callers may hand in freely, within bounds that are checked."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from engram.errors import ContentTooLarge, InvalidInput
from engram.text.strings import checked_text

if TYPE_CHECKING:
    Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
else:

    class Json:
        """Stands for such values in type hints that are read while the program runs."""


JsonObject = Mapping[str, Json]

DEEPEST = 32
LONGEST_TEXT_BYTES = 65_536
MOST_VALUES = 10_000


def checked_json(value: object, *, name: str) -> Json:
    """A value that JSON can hold, copied, so that nobody changes it afterwards."""
    return _Copying(name).copied(value, 0)


def checked_object(value: object, *, name: str) -> JsonObject:
    """The same for what must be an object with named values."""
    if not isinstance(value, Mapping):
        raise InvalidInput(hint=f"`{name}` is an object.")
    return cast("JsonObject", checked_json(value, name=name))  # a mapping is copied to one


class _Copying:
    """One walk through a value; counts what it has seen."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._seen = 0

    def copied(self, value: object, depth: int) -> Json:
        self._seen += 1
        if depth > DEEPEST or self._seen > MOST_VALUES:
            raise ContentTooLarge(
                hint=f"`{self._name}` holds at most {MOST_VALUES} values, {DEEPEST} levels deep."
            )
        if isinstance(value, Mapping):
            return {self._key(key): self.copied(item, depth + 1) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.copied(item, depth + 1) for item in value]
        return self._plain(value)

    def _plain(self, value: object) -> Json:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int) and abs(value) < 2**63:
            return value
        if isinstance(value, float) and value == value and abs(value) != float("inf"):
            return value
        if isinstance(value, str):
            return self._text(value)
        raise InvalidInput(hint=f"`{self._name}` holds something that is no JSON.")

    def _key(self, key: object) -> str:
        if not isinstance(key, str):
            raise InvalidInput(hint=f"`{self._name}` has a key that is no text.")
        return self._text(key)

    def _text(self, text: str) -> str:
        # An empty text is a value like any other here.
        return checked_text(text, name=self._name, max_bytes=LONGEST_TEXT_BYTES) if text else text
