"""What a Python file declares, read by Python's own parser and never run."""

import ast
import warnings
from collections.abc import Iterator

from engram.capture.codebase.sketch import (
    LONGEST_SIGNATURE,
    Declaration,
    Sketch,
    first_sentence,
    one_line,
)

_TOLD_MAGIC = frozenset({"__init__", "__call__", "__enter__", "__aenter__", "__iter__"})
_MOST_CONSTANTS = 40


def outline_python(source: bytes) -> Sketch | None:
    """The sketch of a file, or nothing when this Python cannot parse it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a file's own dubious escapes are not our caller's
            return _sketch(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _sketch(tree: ast.Module) -> Sketch:
    nodes = list(_statements(tree.body))
    named = [
        node
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    declarations: list[Declaration] = []
    for node in named:
        if not _is_private(node.name):
            declarations += _declared(node, "", 0)
    constants = list(_constants(nodes))[:_MOST_CONSTANTS]
    return Sketch(
        first_sentence(ast.get_docstring(tree) or ""),
        (*constants, *declarations),
        tuple(node.name for node in named if _is_private(node.name)),
    )


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, also those under `if` and `try`, where variants stand."""
    for node in body:
        if isinstance(node, ast.If):
            yield from _statements([*node.body, *node.orelse])
        elif isinstance(node, ast.Try):
            yield from _statements([*node.body, *node.orelse, *node.finalbody])
        else:
            yield node


def _constants(nodes: list[ast.stmt]) -> Iterator[Declaration]:
    """Names in capitals are meant for readers elsewhere; so are declared types."""
    for node in nodes:
        if isinstance(node, ast.AnnAssign):
            targets: list[ast.expr] = [node.target]
        elif isinstance(node, ast.Assign):
            targets = node.targets
        else:
            continue
        for target in targets:
            if isinstance(target, ast.Name) and target.id.isupper() and target.id[0] != "_":
                yield Declaration(target.id, target.id)


def _declared(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, around: str, depth: int
) -> Iterator[Declaration]:
    name = f"{around}{node.name}"
    remark = first_sentence(ast.get_docstring(node) or "")
    if not isinstance(node, ast.ClassDef):
        yield Declaration(name, _signature(node), depth, remark)
        return
    yield Declaration(name, _class_signature(node), depth, remark)
    for inner in node.body:
        if not isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if not _is_private(inner.name) or inner.name in _TOLD_MAGIC:
            yield from _declared(inner, f"{name}.", depth + 1)


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    prefix = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    marks = "".join(f"@{mark} " for mark in _marks(node))
    text = f"{marks}{prefix} {node.name}({_arguments(node.args)}){returns}"
    return one_line(text, LONGEST_SIGNATURE)


def _arguments(arguments: ast.arguments) -> str:
    """As written, but long defaults are left out: what matters is that there is one."""
    for defaults in (arguments.defaults, arguments.kw_defaults):
        for index, default in enumerate(defaults):
            if default is not None and not isinstance(default, ast.Constant | ast.Name):
                defaults[index] = ast.Constant(...)
    return ast.unparse(arguments)


def _marks(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Decorators that change how a thing is used, by name."""
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Name):
            yield decorator.id
        elif isinstance(decorator, ast.Attribute):
            yield ast.unparse(decorator)
        elif isinstance(decorator, ast.Call):
            yield one_line(ast.unparse(decorator), LONGEST_SIGNATURE // 2)


def _class_signature(node: ast.ClassDef) -> str:
    parents = ", ".join(ast.unparse(parent) for parent in node.bases)
    text = f"class {node.name}({parents})" if parents else f"class {node.name}"
    return one_line(text, LONGEST_SIGNATURE)


def _is_private(name: str) -> bool:
    return name.startswith("_")
