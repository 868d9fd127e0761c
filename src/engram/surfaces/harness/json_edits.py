"""Puts a member or an element into JSON text without touching anything else, and takes it out.

What is put in is given as insertions alone: taking them out again leaves the text as it was, byte
for byte. In a text that others have changed since, the value is found by where it belongs and cut
out together with its comma.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from engram.errors import HarnessUnreadable
from engram.surfaces.harness.jsonc import BYTE_ORDER_MARK, Child, Node, comments, parse
from engram.surfaces.harness.splices import Splice, newline_of, spliced

_SPACES = "  "
_INDENT = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class JsonEdit:
    """A value at a place: a member of that name, or an element of the list at the path."""

    path: tuple[str, ...]
    value: object
    is_element: bool = False
    stays: bool = False  # others may rely on it by now: it goes only with the whole file


@dataclass(frozen=True, slots=True)
class _Form:
    """How the text is laid out."""

    newline: str
    unit: str  # one step of indentation


def put(text: str, edit: JsonEdit) -> list[Splice]:
    """What to insert; nothing when it is there already."""
    root = parse(text)
    form = _Form(newline_of(text), _unit(text, root))
    if root is None:
        start = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
        value = _nested(edit.path, [edit.value] if edit.is_element else edit.value)
        return [Splice(start, _rendered(value, "", form) + form.newline)]
    node, depth = _deepest(root, edit)
    if depth == len(edit.path):
        if edit.is_element and node.opener != "[":
            raise _in_the_way(edit.path)
        if _is_there(node, edit):
            return []
    elif node.opener != "{":
        raise _in_the_way(edit.path[:depth])
    rest = edit.path[depth:]
    value = [edit.value] if edit.is_element and rest else edit.value
    key = rest[0] if rest else ""
    splices = _added(text, node, key, _nested(rest[1:], value), form)
    _check(spliced(text, splices), _with(root.value, edit))
    return splices


def take(text: str, edit: JsonEdit, made: Sequence[tuple[str, ...]]) -> str | None:
    """The text without the value, whoever changed what since; None when it is not there.

    Containers that were made for it go too, if nothing else lives in them by now.
    """
    root = parse(text)
    found = _found(root, edit)
    if root is None or found is None:
        return None
    text = _without(text, *found)
    for path in sorted(made, key=len, reverse=True):
        text = _without_empty(text, path)
    parse(text)
    return text


def missing_containers(text: str, edit: JsonEdit) -> list[tuple[str, ...]]:
    """The containers on the way to the value that are not there yet."""
    root = parse(text)
    present = 0 if root is None else _deepest(root, edit)[1]
    last = len(edit.path) if edit.is_element else len(edit.path) - 1
    return [edit.path[:depth] for depth in range(present + 1, last + 1)]


def holds(text: str, edit: JsonEdit) -> bool:
    """Whether the value is there, with whatever its owner has added to it."""
    return _found(parse(text), edit) is not None


def _deepest(root: Node, edit: JsonEdit) -> tuple[Node, int]:
    """The innermost container on the way that exists, and how many steps it is down."""
    node = root
    for depth, key in enumerate(edit.path):
        if node.opener != "{":
            raise _in_the_way(edit.path[:depth])
        child = node.child(key)
        if child is None:
            return node, depth
        node = child.value
    return node, len(edit.path)


def _is_there(node: Node, edit: JsonEdit) -> bool:
    if edit.is_element:
        return any(_covers(child.value.value, edit.value) for child in node.children)
    if _covers(node.value, edit.value):
        return True
    name = ".".join(edit.path)
    raise HarnessUnreadable(
        hint=f"There is another `{name}` already; remove it, or use --print and decide yourself."
    )


def _covers(found: object, wanted: object) -> bool:
    """Whether all that is wanted is there; programs add fields of their own to an entry."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        return all(key in found and _covers(found[key], value) for key, value in wanted.items())
    return type(found) is type(wanted) and found == wanted


def _nested(path: Sequence[str], value: object) -> object:
    for key in reversed(path):
        value = {key: value}
    return value


def _added(text: str, node: Node, key: str, value: object, form: _Form) -> list[Splice]:
    """The insertions that make a value the last child of a container."""
    name = f"{json.dumps(key, ensure_ascii=False)}: " if node.opener == "{" else ""
    if node.children and "\n" not in text[node.start : node.end]:
        return _added_in_line(node, name + json.dumps(value, ensure_ascii=False))
    outer = _indent_at(text, node.start)
    inner = _child_indent(text, node, outer + form.unit)
    line = form.newline + inner + name + _rendered(value, inner, form)
    if not node.children:
        return _added_first(text, node, line, form.newline + outer)
    last = node.children[-1]
    place = _end_of_line_comment(text, last.end if last.comma is None else last.comma + 1)
    if last.comma is not None:
        return [Splice(place, line + ",")]
    if place == last.end:
        return [Splice(place, "," + line)]
    return [Splice(last.end, ","), Splice(place, line)]


def _added_in_line(node: Node, member: str) -> list[Splice]:
    last = node.children[-1]
    if last.comma is not None:
        return [Splice(last.comma + 1, f" {member},")]
    return [Splice(last.end, f", {member}")]


def _added_first(text: str, node: Node, line: str, closing: str) -> list[Splice]:
    inside = comments(text, node.start + 1, node.end - 1)
    place = inside[-1][1] if inside else node.start + 1
    is_open = "\n" in text[place : node.end]
    return [Splice(place, line if is_open else line + closing)]


def _end_of_line_comment(text: str, place: int) -> int:
    """Behind the comments that stand on the same line: they belong to what is before them."""
    end = text.find("\n", place)
    for start, stop in comments(text, place, len(text) if end < 0 else end):
        if text[place:start].strip(" \t"):
            break
        place = stop
    return place


def _rendered(value: object, indent: str, form: _Form) -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=form.unit).split("\n")
    return (form.newline + indent).join(lines)


def _unit(text: str, root: Node | None) -> str:
    if root is not None and root.children:
        indent = _own_indent(text, root.children[0])
        if indent:
            return indent
    return _SPACES


def _child_indent(text: str, node: Node, otherwise: str) -> str:
    for child in reversed(node.children):
        indent = _own_indent(text, child)
        if indent is not None:
            return indent
    return otherwise


def _own_indent(text: str, child: Child) -> str | None:
    """The indentation of a child that begins its line; None for one that does not."""
    before = text[text.rfind("\n", 0, child.start) + 1 : child.start]
    return None if before.strip(" \t" + BYTE_ORDER_MARK) else before.strip(BYTE_ORDER_MARK)


def _indent_at(text: str, place: int) -> str:
    line = text.rfind("\n", 0, place) + 1
    found = _INDENT.match(text.removeprefix(BYTE_ORDER_MARK) if line == 0 else text[line:])
    return found[0] if found else ""


def _found(root: Node | None, edit: JsonEdit) -> tuple[Node, Child] | None:
    """The value in question and the container it lies in."""
    node = root
    steps = edit.path if edit.is_element else edit.path[:-1]
    for key in steps:
        child = node.child(key) if node is not None and node.opener == "{" else None
        node = None if child is None else child.value
    if node is None:
        return None
    if edit.is_element:
        same = [child for child in node.children if _covers(child.value.value, edit.value)]
        return (node, same[-1]) if same and node.opener == "[" else None
    child = node.child(edit.path[-1]) if node.opener == "{" else None
    if child is None:
        return None
    if not _covers(child.value.value, edit.value):
        name = ".".join(edit.path)
        raise HarnessUnreadable(hint=f"`{name}` was changed by hand since; take it out by hand.")
    return node, child


def _without(text: str, node: Node, child: Child) -> str:
    """The text without one child, its comma and the line it stood on."""
    index = node.children.index(child)
    before = node.children[index - 1] if index else None
    start = _start_of_gap(text, before.comma + 1 if before and before.comma else node.start + 1,
                          child.start)  # fmt: skip
    if child.comma is not None:
        return text[:start] + text[child.comma + 1 :]
    text = text[:start] + text[child.end :]
    if before is not None and before.comma is not None:
        text = text[: before.comma] + text[before.comma + 1 :]
    return text


def _start_of_gap(text: str, after: int, place: int) -> int:
    """Behind the last comment before a child, or behind what comes before it."""
    inside = comments(text, after, place)
    return inside[-1][1] if inside else after


def _without_empty(text: str, path: tuple[str, ...]) -> str:
    root = parse(text)
    holder = root
    for key in path[:-1]:
        child = holder.child(key) if holder is not None and holder.opener == "{" else None
        holder = None if child is None else child.value
    child = holder.child(path[-1]) if holder is not None and holder.opener == "{" else None
    if holder is None or child is None or not child.value.opener:
        return text
    if child.value.children or comments(text, child.value.start, child.value.end):
        return text
    return _without(text, holder, child)


def _with(value: object, edit: JsonEdit) -> object:
    """The value as it is to be afterwards."""
    if not edit.path:
        return [*value, edit.value] if isinstance(value, list) else value
    result = dict(value) if isinstance(value, dict) else {}
    key, rest = edit.path[0], edit.path[1:]
    inner = JsonEdit(rest, edit.value, edit.is_element)
    if rest:
        result[key] = _with(result.get(key, {}), inner)
    elif edit.is_element:
        result[key] = [*result.get(key, []), edit.value]
    else:
        result[key] = edit.value
    return result


def _check(text: str, wanted: object) -> None:
    """What comes out must say what was there and the addition, nothing else."""
    made = parse(text)
    if made is None or made.value != wanted:
        raise HarnessUnreadable(hint="It is laid out in a way that cannot be added to safely.")


def _in_the_way(path: Sequence[str]) -> HarnessUnreadable:
    name = ".".join(path) or "the file"
    return HarnessUnreadable(hint=f"`{name}` is not what is expected there; see --print.")
