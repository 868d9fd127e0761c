"""A tool that a model may call in a chat loop, whichever client the loop is for."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engram.engine.turns import Turn
from engram.engine.turns import tool_key as _key
from engram.errors import Cancelled, InvalidInput, ModelUnavailable
from engram.memory.fencing import spelled_out

Arguments = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Tool:
    """What a model may call: its name, what it is for, what it takes, and what it does."""

    name: str
    description: str
    call: Callable[[Arguments], object]  # a text; anything else is told as JSON
    parameters: Mapping[str, object] = field(
        default_factory=lambda: {"type": "object", "properties": {}}
    )
    is_repeatable: bool = False  # asked the same again within minutes, it would say the same


def called(turn: Turn, tools: Sequence[Tool], name: str, arguments: object) -> str:
    """What a tool says to a call, noted in the turn; a wrong call is told to the model.

    So is a tool that fails, by the kind of its error alone: what an error says may be private. And
    what a tool says passes for no memory.
    """
    found = next((each for each in tools if each.name == name), None)
    if found is None:
        return f"There is no tool `{name}`."
    try:
        given = read_arguments(arguments)
    except InvalidInput as error:
        return error.hint
    text = _said(turn, found, given)
    turn.tool_result(name, given, text)
    return spelled_out(text)


def _said(turn: Turn, tool: Tool, given: Arguments) -> str:
    def make() -> str:
        return _as_text(tool.call(given))

    try:
        return turn.tools.get(_key(tool.name, given), make) if tool.is_repeatable else make()
    except Cancelled:
        raise
    except Exception as error:  # noqa: BLE001  # somebody's tool: the model can do without it
        return f"The tool `{tool.name}` failed: {type(error).__name__}."


def _as_text(said: object) -> str:
    return said if isinstance(said, str) else json.dumps(said, ensure_ascii=False, default=str)


def read_arguments(given: object) -> Arguments:
    """The arguments of a call, as text or as they are."""
    try:
        read = json.loads(given or "{}") if isinstance(given, str) else given
    except ValueError:
        read = None
    if not isinstance(read, Mapping):
        raise InvalidInput(hint="The arguments are no JSON object.")
    return read


def plain(reply: object) -> Mapping[str, object]:
    """A client's answer as plain values, whether the client gives objects or has none."""
    dump = getattr(reply, "model_dump", None)
    document = dump(exclude_none=True) if callable(dump) else reply
    if not isinstance(document, Mapping):
        raise ModelUnavailable(hint="The client's answer has no form that is known.")
    return document


def listed(value: object) -> list[Mapping[str, object]]:
    """Those of some values that have names in them."""
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []
