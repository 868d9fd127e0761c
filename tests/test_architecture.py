"""The shape of the house: who may import whom, and what no module may do.

The table below is the one in ARCHITECTURE.md; change both together. Each rule is a function from
modules to problems, so that a fabricated module can show that the rule bites.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "engram"

GROUND = frozenset({"errors", "version"})
_BELOW_SECURITY = GROUND | {"failpoints", "text", "language", "memory", "storage", "providers"}
_BELOW_PIPELINES = _BELOW_SECURITY | {"security"}
_PIPELINES = frozenset({"capture", "recall", "lifecycle"})
_BELOW_ENGINE = _BELOW_PIPELINES | _PIPELINES | {"context", "sharing"}

# Each part of the package, and the other parts it may import. What is missing here is refused, so
# that a folder cannot appear without a place in the order.
MAY_IMPORT: dict[str, frozenset[str]] = {
    "errors": frozenset(),
    "version": frozenset(),
    "failpoints": frozenset(),
    "text": frozenset({"errors"}),
    "language": frozenset({"errors", "text"}),
    "memory": frozenset({"errors", "text", "language"}),
    "storage": GROUND | {"text", "language", "memory", "failpoints"},
    "providers": GROUND | {"text", "language", "memory"},
    "security": _BELOW_SECURITY,
    "capture": _BELOW_PIPELINES,
    "recall": _BELOW_PIPELINES,
    "lifecycle": _BELOW_PIPELINES,
    "context": _BELOW_PIPELINES | {"recall"},
    "sharing": _BELOW_PIPELINES | {"capture", "recall"},
    "settings": _BELOW_ENGINE,
    "parts": _BELOW_ENGINE | {"settings"},
    "upkeep": _BELOW_ENGINE | {"settings", "parts"},
    "engine": _BELOW_ENGINE | {"settings", "parts", "upkeep"},
    "awaited": frozenset(),
    "asynchronous_systems": frozenset({"awaited", "engine", "errors", "memory", "upkeep"}),
    "asynchronous": GROUND | {"awaited", "asynchronous_systems", "engine", "memory"},
    "wiring": _BELOW_ENGINE | {"settings", "parts", "upkeep", "engine"},
    # Measures through the public calls; the embedder is that of its baselines, the reader is timed,
    # and rules that labelled sentences exist for are scored by themselves.
    "evaluation": GROUND
    | {"engram", "engine", "wiring", "settings", "language", "memory", "recall.result"}
    | {"providers.choose", "providers.options", "providers.text_reader"}
    | {"security.screening.screen", "text.calendar"},
    # Pieces for other people's frameworks: what anybody outside could write.
    "integrations": GROUND | {"engram", "asynchronous", "asynchronous_systems", "engine", "memory"},
    # The package itself hands out the public names, each imported when it is first used.
    "engram": GROUND | {"asynchronous", "engine", "memory", "context.window", "recall.result"},
    "__main__": frozenset({"surfaces"}),
    # The public API: the facade, the values it takes and gives, its errors and its settings; and
    # the wiring, which also opens a store that is damaged and restores one that is gone.
    "surfaces": GROUND
    | {"engram", "asynchronous", "engine", "upkeep", "settings", "text", "language", "memory"}
    | {"recall.result"}
    | {"storage.place", "storage.upkeep", "security.keys", "wiring", "evaluation"}
    | {"security.access_keys", "security.rates", "security.network_options", "security.logs"}
    | {"security.process"}
    | {"capture.transcripts.project"},
}
# `Engram.open` is how people begin, so the facade has to reach the wiring that builds it. The
# import stands inside that one method: nothing else in the facade can name a concrete part.
UPWARD_IMPORTS_ALLOWED = {("engine", "Engram.open", "engram.wiring")}

ADAPTER = "engram.storage.sqlite"
# A baseline is a bare text index in memory or a bare durable commit, beside the store and not
# through it: what it is compared with must not be its own foundation.
BARE_SQLITE_ALLOWED = frozenset({"engram.evaluation.baselines", "engram.evaluation.truth_cost"})
CLOCKS_AND_IO = frozenset({
    "asyncio", "io", "logging", "multiprocessing", "os", "pathlib", "random", "secrets", "shutil",
    "socket", "subprocess", "tempfile", "threading", "time", "urllib",
})  # fmt: skip
IMPURE_CALLS = frozenset({
    "now", "utcnow", "today", "time", "monotonic", "perf_counter", "sleep", "open", "print",
    "input", "read_text", "write_text", "read_bytes", "write_bytes", "stat", "exists", "mkdir",
    "unlink", "urandom", "uuid1", "uuid4", "getenv",
})  # fmt: skip
BANNED_IMPORTS = frozenset({"sqlite3", "pickle", "shelve", "marshal"})
# What makes objects or programs of bytes that somebody else may have written.
CODE_READERS = frozenset({
    "pickle", "cPickle", "_pickle", "cloudpickle", "dill", "joblib", "shelve", "marshal", "torch",
    "yaml", "code", "codeop", "runpy",
})  # fmt: skip
CODE_MAKERS = frozenset({"eval", "exec", "compile", "__import__", "execfile"})
UNSAFE_READING = (
    ".extractall", "np.load", "numpy.load", "yaml.load", "torch.load", "read_pickle",
)  # fmt: skip
TERMINAL_PACKAGES = frozenset({"typer", "rich", "click"})
BANNED_WORDS = frozenset({
    "utils", "helpers", "common", "misc", "manager", "handler", "processor", "base", "factory",
    "v2", "new", "smart", "data", "info",
})  # fmt: skip
# The house style gives this name as its own example: there "new" says what is wrong.
NAMES_ALLOWED = frozenset({"SchemaTooNew"})
MOST_MODULE_LINES = 500
MOST_FUNCTION_LINES = 50
# Whatever goes wrong is caught where a loop would otherwise end: at the entry of a surface, one for
# each, in the thread that reads turns, and in a chat loop around somebody's tool.
MAY_CATCH_ALL = frozenset({
    "engram.engine.observing",
    "engram.integrations.tools",
    "engram.lifecycle.dreams.cycle",
    "engram.surfaces.cli.entry",
    "engram.surfaces.harness.hooking",
    "engram.surfaces.http.gate",
    "engram.surfaces.mcp.work",
})  # fmt: skip


@dataclass(frozen=True)
class Module:
    """One module of the package: its dotted name, its text, its tree."""

    name: str
    source: str
    is_package: bool = False

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @property
    def part(self) -> str:
        """The folder or module directly under the package that this belongs to."""
        pieces = self.name.split(".")
        return pieces[1] if len(pieces) > 1 else pieces[0]


@dataclass(frozen=True)
class Import:
    """One import: what is named, and the function it stands in."""

    target: str
    place: str
    line: int


@cache
def modules() -> list[Module]:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        pieces = ["engram", *path.relative_to(SOURCE).with_suffix("").parts]
        is_package = pieces[-1] == "__init__"
        name = ".".join(pieces[:-1] if is_package else pieces)
        found.append(Module(name, path.read_text(encoding="utf-8"), is_package))
    return found


@cache
def imports(module: Module) -> list[Import]:
    """Every import anywhere in a module, also those inside functions and for type checkers."""
    found: list[Import] = []

    def walk(node: ast.AST, place: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner = place
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{place}.{child.name}" if place else child.name
            elif isinstance(child, ast.Import):
                found.extend(Import(alias.name, place, child.lineno) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                origin = _origin(module, child)
                # `from engram import memory` names a module, not a value of the package.
                found.extend(
                    Import(_named_module(origin, alias.name), place, child.lineno)
                    for alias in child.names
                )
            walk(child, inner)

    walk(module.tree, "")
    return found


def _origin(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = module.name.split(".")
    if not module.is_package:
        package = package[:-1]
    package = package[: len(package) - (node.level - 1)]
    return ".".join([*package, *([node.module] if node.module else [])])


def _named_module(origin: str, name: str) -> str:
    path = SOURCE.joinpath(*origin.split(".")[1:], name)
    is_module = path.is_dir() or path.with_suffix(".py").is_file()
    return f"{origin}.{name}" if origin.split(".")[0] == "engram" and is_module else origin


def _where(module: Module, line: int) -> str:
    return f"{module.name}:{line}"


# The rules


def wrong_directions(all_modules: Iterable[Module]) -> list[str]:
    """Imports against the order of the parts."""
    problems = []
    for module in all_modules:
        if module.part not in MAY_IMPORT:
            problems.append(f"{module.name}: the part `{module.part}` has no place in the order")
            continue
        for each in imports(module):
            if not _is_allowed(module, each):
                problems.append(f"{_where(module, each.line)} imports {each.target}")
    return problems


def _is_allowed(module: Module, each: Import) -> bool:
    if each.target.split(".")[0] != "engram":
        return True
    if (module.part, each.place, each.target) in UPWARD_IMPORTS_ALLOWED:
        return True
    target = each.target.removeprefix("engram.")
    part = target.split(".")[0]
    allowed = MAY_IMPORT[module.part] | {module.part}
    return part in allowed or target in allowed


def impurities(all_modules: Iterable[Module]) -> list[str]:
    """Third-party packages, clocks and I/O in the rules."""
    problems = []
    for module in all_modules:
        if module.part != "memory":
            continue
        for each in imports(module):
            top = each.target.split(".")[0]
            is_known = top in sys.stdlib_module_names or top in {"engram", "numpy"}
            if not is_known or top in CLOCKS_AND_IO:
                problems.append(f"{_where(module, each.line)} imports {each.target}")
        problems += [
            f"{_where(module, line)} calls {name}"
            for name, line in _calls(module)
            if name in IMPURE_CALLS
        ]
    return problems


def _calls(module: Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id, node.lineno
            elif isinstance(node.func, ast.Attribute):
                yield node.func.attr, node.lineno


def named_adapters(all_modules: Iterable[Module]) -> list[str]:
    """Concrete adapters named by anyone but the wiring and themselves."""
    problems = []
    for module in all_modules:
        is_adapter = module.name == ADAPTER or module.name.startswith(f"{ADAPTER}.")
        for each in imports(module):
            names_adapter = each.target == ADAPTER or each.target.startswith(f"{ADAPTER}.")
            if names_adapter and not is_adapter and module.name != "engram.wiring":
                problems.append(f"{_where(module, each.line)} imports {each.target}")
            is_bare = module.name in BARE_SQLITE_ALLOWED
            if each.target.split(".")[0] == "apsw" and not (is_adapter or is_bare):
                problems.append(f"{_where(module, each.line)} imports {each.target}")
    return problems


def environment_readers(all_modules: Iterable[Module]) -> list[str]:
    """Anyone but the settings who looks at the environment."""
    problems = []
    for module in all_modules:
        if module.name == "engram.settings":
            continue
        for node in ast.walk(module.tree):
            attribute = isinstance(node, ast.Attribute) and node.attr in _ENVIRONMENT
            imported = isinstance(node, ast.ImportFrom) and node.module == "os"
            names = {alias.name for alias in node.names} if imported else set()
            declared = isinstance(node, ast.keyword) and node.arg == "envvar"
            if attribute or names & _ENVIRONMENT or declared:
                problems.append(f"{_where(module, node.lineno)} reads the environment")
    return problems


_ENVIRONMENT = frozenset({"environ", "environb", "getenv"})


def banned_imports(all_modules: Iterable[Module]) -> list[str]:
    """Packages that must not be there at all, or only in the command line."""
    problems = []
    for module in all_modules:
        is_terminal = module.name.startswith("engram.surfaces.cli")
        for each in imports(module):
            top = each.target.split(".")[0]
            if top in BANNED_IMPORTS or (top in TERMINAL_PACKAGES and not is_terminal):
                problems.append(f"{_where(module, each.line)} imports {each.target}")
            hides = each.target.startswith("importlib") and module.name != "engram"
            if hides and not each.target.startswith("importlib.resources"):
                problems.append(f"{_where(module, each.line)} imports by name, unseen by this test")
    return problems


def code_from_data(all_modules: Iterable[Module]) -> list[str]:
    """Whatever could make a program of what was read: it would run what others wrote."""
    problems = []
    for module in all_modules:
        for each in imports(module):
            if each.target.split(".")[0] in CODE_READERS:
                problems.append(f"{_where(module, each.line)} imports {each.target}")
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.Call):
                continue
            name = ast.unparse(node.func)
            allows = any(each.arg == "allow_pickle" for each in node.keywords)
            if name in CODE_MAKERS or name.endswith(UNSAFE_READING) or allows:
                problems.append(f"{_where(module, node.lineno)} calls {name}")
    return problems


def long_modules(all_modules: Iterable[Module]) -> list[str]:
    """Modules too long to be read in one go."""
    sizes = ((module.name, len(module.source.splitlines())) for module in all_modules)
    return [f"{name} has {lines} lines" for name, lines in sizes if lines > MOST_MODULE_LINES]


def long_functions(all_modules: Iterable[Module]) -> list[str]:
    """Functions too long, counted from the first line after the signature."""
    problems = []
    for module in all_modules:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.body[0].lineno + 1
                if lines > MOST_FUNCTION_LINES:
                    problems.append(f"{_where(module, node.lineno)} {node.name}: {lines} lines")
    return problems


def empty_names(all_modules: Iterable[Module]) -> list[str]:
    """Modules, classes and public functions with a word in them that says nothing."""
    problems = []
    for module in all_modules:
        names = [(module.name.rpartition(".")[2], 1)]
        names += [
            (node.name, node.lineno)
            for node in ast.walk(module.tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and not (isinstance(node, ast.FunctionDef) and node.name.startswith("_"))
        ]
        for name, line in names:
            if words_of(name) & BANNED_WORDS and name not in NAMES_ALLOWED:
                problems.append(f"{_where(module, line)} {name}")
    return problems


def words_of(name: str) -> set[str]:
    """The words a name is made of: `NewUserData` and `new_user_data` hold the same three."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return {word for word in spaced.lower().split("_") if word}


def catch_alls(all_modules: Iterable[Module]) -> list[str]:
    """Places that catch any exception; bare ones count twice over the limit."""
    problems = []
    for module in all_modules:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ExceptHandler):
                names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
                caught = node.type is None or (
                    isinstance(node.type, ast.Name) and node.type.id == "Exception"
                )
                if caught or (isinstance(node.type, ast.Tuple) and "Exception" in names):
                    problems.append(_where(module, node.lineno))
    return problems


_SILENCED = re.compile(r"#\s*(?:noqa(?::\s*[A-Z0-9, ]+)?|type:\s*ignore(?:\[[a-z0-9, -]+\])?)")


def unexplained_silences(all_modules: Iterable[Module]) -> list[str]:
    """Silenced checks that do not say why: on their line, or above the lines silenced together."""
    problems = []
    for module in all_modules:
        lines = module.source.splitlines()
        for line, comment in _comments(module.source):
            if _SILENCED.search(comment) and not _says_why(comment):
                above = _first_line_above(lines, line - 1)
                if not _says_why(above):
                    problems.append(f"{_where(module, line)} {comment}")
    return problems


def _first_line_above(lines: list[str], index: int) -> str:
    """The nearest line above that is not itself silenced without a reason, nor a tool's switch."""
    while index > 0:
        index -= 1
        is_silenced = _SILENCED.search(lines[index]) and not _says_why(lines[index])
        if not is_silenced and "# isort:" not in lines[index]:
            return lines[index]
    return ""


def _says_why(text: str) -> bool:
    """Whether a line is a comment, or is silenced with a reason behind."""
    rest = _SILENCED.sub("", text)
    is_explained = _SILENCED.search(text) is not None and re.search(r"#\s*\w+", rest) is not None
    return is_explained or re.match(r"\s*#\s*\w+", rest) is not None


def _comments(source: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def stray_prints(all_modules: Iterable[Module]) -> list[str]:
    """Output from anything that is not a surface."""
    return [
        _where(module, line)
        for module in all_modules
        if module.part != "surfaces"
        for name, line in _calls(module)
        if name == "print"
    ]


def without_docstring(all_modules: Iterable[Module]) -> list[str]:
    """Modules that do not say what they are for."""
    return [module.name for module in all_modules if not ast.get_docstring(module.tree)]


Rule = Callable[[Iterable[Module]], list[str]]


# The house as it stands


def test_imports_follow_the_order_of_the_parts():
    assert wrong_directions(modules()) == []


def test_rules_are_pure():
    assert impurities(modules()) == []


def test_only_the_wiring_names_a_concrete_adapter():
    assert named_adapters(modules()) == []


def test_only_the_settings_read_the_environment():
    assert environment_readers(modules()) == []


def test_nothing_imports_what_is_banned():
    assert banned_imports(modules()) == []


@pytest.mark.failure("F33")
def test_nothing_makes_a_program_of_what_it_reads():
    assert code_from_data(modules()) == []


def test_no_module_is_too_long():
    assert long_modules(modules()) == []


def test_no_function_is_too_long():
    assert long_functions(modules()) == []


def test_names_say_something():
    assert empty_names(modules()) == []


def test_any_exception_is_caught_at_the_entries_alone():
    places = [place.partition(":")[0] for place in catch_alls(modules())]

    assert sorted(places) == sorted(MAY_CATCH_ALL)  # and once in each


def test_every_silenced_check_says_why():
    assert unexplained_silences(modules()) == []


def test_only_surfaces_print():
    assert stray_prints(modules()) == []


def test_every_module_says_what_it_is_for():
    assert without_docstring(modules()) == []


def test_the_architecture_page_names_every_part_there_is():
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    parts = {module.part for module in modules()} - {"engram"}

    missing = [part for part in sorted(parts) if not re.search(rf"`{part}(/|\.py)`", page)]

    assert missing == []


# What the SQL cannot do


def named_queries() -> dict[str, str]:
    """Every named query as it is written, before its fragments are filled in."""
    found: dict[str, str] = {}
    for path in sorted((SOURCE / "storage" / "sql").glob("*.sql")):
        if path.stem == "vault":
            continue  # keys of persons in a file of their own: ending them is what it is for
        pieces = re.split(r"^-- name: ([a-z_]+)$", path.read_text(encoding="utf-8"), flags=re.M)
        found.update(zip(pieces[1::2], pieces[2::2], strict=True))
    return found


# Upkeep works on the store as a whole and gives out counts; text goes to the index alone.
WHOLE_STORE_QUERIES = frozenset({
    "count_rows", "count_access", "indexable_states", "unindexed_states",
    "orphaned_index_rows", "broken_links", "replace_lost_changes", "mend_ledger",
    # What is derived from wordings: text goes to the embedder and the traits alone; of the narrow
    # rows an index in memory is made, whose finds go through a scoped query before they are seen.
    "highest_version", "queue_present_wordings", "due_wordings", "wordings_after", "state_position",
    "states_closed_after", "queue_all_traits", "queue_missing_traits", "due_traits",
    "missing_traits", "are_traits_lacking", "missing_vectors", "orphans", "drop_orphaned_vectors",
    "drop_orphaned_pending", "drop_orphaned_traits", "nameless_memories",
    # Sealed text goes to the vault, which needs no reach; who may change a tier was asked before.
    "newest_sealed", "sealed_wording", "has_sealed", "sealed_records_after", "states_to_reseal",
    "newest_sealed_records", "tiers_moved_after", "lying_open", "drop_open_vectors",
    "drop_open_mentions", "people_of_listed", "states_of_listed",
    "node_details",
})  # fmt: skip
# What erases looks at and deletes whatever it has to, wherever it is: that is what it is for. Only
# these modules may run it.
ERASING_MODULES = frozenset({
    "engram.storage.erasing", "engram.storage.doomed", "engram.storage.still_there",
    "engram.storage.sqlite.scrubbing", "engram.storage.named_rows",
})  # fmt: skip
# Derived rows are made anew at any time, so they may go.
DERIVED_TABLES = frozenset({
    "vectors", "pending_vectors", "traits", "pending_traits", "mentions", "text_index",
})  # fmt: skip


# Nothing that anybody said or decided: figures of recalls, what is derived from wordings, that a
# turn waits to be read, what was in mind when a session was left.
DISPOSABLE = DERIVED_TABLES | frozenset({
    "recall_journal", "unread_turns", "pending_verdicts", "webhook_deliveries", "working_snapshots",
    "security_events",
    "sealed_identities",  # back with the states that it stood for
})  # fmt: skip
# Goes by age alone, in the pass that prunes. Of artefacts only versions that made way for others;
# of the audit only where the settings say so, and a sealed checkpoint stands for what went.
PRUNED = {
    "idempotency": "drop_old_requests",
    "artefacts": "drop_old_artefacts",
    "dream_steps": "drop_old_dream_steps",
    "questions_asked": "drop_old_questions",
    "audit": "drop_audit_lines",
}


def erasing_queries() -> set[str]:
    """The names of the queries that only an erasure runs."""
    text = (SOURCE / "storage" / "sql" / "erasing.sql").read_text(encoding="utf-8")
    names = re.findall(r"^-- name: ([a-z_]+)$", text, flags=re.M)
    return {name for name in names if re.match("erase_|blank_|doomed_", name)} | {
        "drawn_from_listed", "numbers_of_ids", "kept_words", "rows_left", "belief_at_node",
        "evidence_given", "names_given", "seals_kept", "seals_of_listed",
    }  # fmt: skip


def test_only_an_erasure_erases():
    users = {
        (module.name, name)
        for module in modules()
        for name in erasing_queries()
        if f'"{name}"' in module.source
    }

    assert {module for module, _name in users} <= ERASING_MODULES


def test_no_query_deletes_what_is_kept():
    allowed = {*PRUNED.values(), *erasing_queries()}
    kept = {name: each for name, each in named_queries().items() if name not in allowed}
    sql = "\n".join(kept.values())
    deleted = set(re.findall(r"\bDELETE\s+FROM\s+(\w+)", sql))

    assert deleted <= DISPOSABLE
    for table, name in PRUNED.items():
        assert re.findall(r"\bDELETE\s+FROM\s+(\w+)", named_queries()[name]) == [table]
    assert len(re.findall(r"^\s*DELETE\b", sql, re.M)) == len(re.findall(r"\bDELETE FROM", sql))


def test_the_only_update_of_a_state_closes_it():
    updates = [
        name
        for name, sql in named_queries().items()
        if "UPDATE memories" in sql and name not in erasing_queries()
    ]

    # A tier can change: the state then says what it said, and other people can read it.
    assert updates == ["close_state", "reseal_state"]


def test_every_query_that_reads_memories_is_limited_to_what_the_caller_sees():
    reading = {
        name for name, sql in named_queries().items() if re.search(r"(FROM|JOIN) memories", sql)
    }
    unlimited = {name for name in reading if "{visible}" not in named_queries()[name]}

    assert unlimited - erasing_queries() == WHOLE_STORE_QUERIES


def test_every_query_says_what_it_is_for():
    silent = [name for name, sql in named_queries().items() if not sql.lstrip().startswith("-- ")]

    assert silent == []


# The rules themselves: each must see a module that breaks it


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("engram.recall.bad", "from engram.capture.remember import remember"),
        ("engram.capture.bad", "import engram.lifecycle.undo"),
        ("engram.lifecycle.bad", "from engram.recall import recall"),
        ("engram.memory.bad", "from engram.storage.store import Store"),
        ("engram.storage.bad", "from engram.security.keys import Credentials"),
        ("engram.storage.sqlite.bad", "from ...security import keys"),
        ("engram.settings.bad", "from engram.engine import Engram"),
        ("engram.engine.facade", "from engram.wiring import open_engram"),
        ("engram.surfaces.cli.bad", "from engram.storage.sqlite.folder import StoreFolder"),
        ("engram.surfaces.cli.bad", "from engram.storage.reader import StoreReader"),
        ("engram.surfaces.cli.bad", "from engram.lifecycle.undo import undo"),
        ("engram.evaluation.bad", "from engram.storage.reader import StoreReader"),
        ("engram.evaluation.bad", "from engram.recall.recall import recall"),
        ("engram.errors", "from engram.memory.ids import label_of"),
        ("engram.somewhere.bad", "import json"),
    ],
)
def test_a_wrong_import_is_reported(name, line):
    assert wrong_directions([Module(name, line)]) != []


def test_a_wrong_import_inside_a_function_is_reported_too():
    source = "def later():\n    from engram.capture.split import split\n    return split\n"

    assert wrong_directions([Module("engram.recall.bad", source)]) == [
        "engram.recall.bad:2 imports engram.capture.split"
    ]


def test_the_facade_reaches_the_wiring_in_its_open_method_only():
    allowed = "class Engram:\n    def open(cls):\n        from engram.wiring import open_engram\n"
    refused = allowed.replace("def open", "def recall")

    assert wrong_directions([Module("engram.engine.facade", allowed)]) == []
    assert wrong_directions([Module("engram.engine.facade", refused)]) != []


@pytest.mark.parametrize(
    ("rule", "name", "source"),
    [
        (impurities, "engram.memory.bad", "import time"),
        (impurities, "engram.memory.bad", "import requests"),
        (impurities, "engram.memory.bad", "from datetime import datetime\ndatetime.now()"),
        (impurities, "engram.memory.bad", "text = open('a')"),
        (named_adapters, "engram.upkeep", "from engram.storage.sqlite.embedded import X"),
        (named_adapters, "engram.storage.store", "from engram.storage.sqlite import folder"),
        (named_adapters, "engram.engine", "import apsw"),
        (named_adapters, "engram.evaluation.trial", "import apsw"),
        (environment_readers, "engram.wiring", "import os\nos.environ['A']"),
        (environment_readers, "engram.wiring", "from os import getenv"),
        (environment_readers, "engram.surfaces.cli.bad", "Option(envvar='ENGRAM_STORE')"),
        (banned_imports, "engram.storage.bad", "import sqlite3"),
        (banned_imports, "engram.surfaces.cli.bad", "import pickle"),
        (banned_imports, "engram.engine", "from rich.table import Table"),
        (banned_imports, "engram.engine", "from importlib import import_module"),
        (code_from_data, "engram.bad", "import joblib"),
        (code_from_data, "engram.bad", "from yaml import load"),
        (code_from_data, "engram.bad", "eval(text)"),
        (code_from_data, "engram.bad", "np.load(path)"),
        (code_from_data, "engram.bad", "read(path, allow_pickle=True)"),
        (code_from_data, "engram.bad", "tarfile.open(path).extractall(folder)"),
        (long_modules, "engram.bad", "\n" * 501),
        (long_functions, "engram.bad", "def f():\n" + "    x = 1\n" * 51),
        (empty_names, "engram.utils", ""),
        (empty_names, "engram.bad", "class SessionManager: ..."),
        (empty_names, "engram.bad", "def load_data(): ..."),
        (catch_alls, "engram.bad", "try:\n    x\nexcept Exception:\n    pass"),
        (catch_alls, "engram.bad", "try:\n    x\nexcept (OSError, Exception):\n    pass"),
        (catch_alls, "engram.bad", "try:\n    x\nexcept:\n    pass"),
        (unexplained_silences, "engram.bad", "x = 1  # noqa: S608"),
        (unexplained_silences, "engram.bad", "x = 1  # type: ignore[arg-type]"),
        (stray_prints, "engram.engine", "print('hello')"),
        (without_docstring, "engram.bad", "x = 1"),
    ],
)
def test_a_broken_rule_is_reported(rule: Rule, name: str, source: str):
    assert rule([Module(name, source)]) != []


@pytest.mark.parametrize(
    ("rule", "name", "source"),
    [
        (wrong_directions, "engram.recall.good", "from engram.storage.reader import StoreReader"),
        (impurities, "engram.memory.good", "import math\nimport numpy"),
        (long_functions, "engram.good", "def f():\n" + "    x = 1\n" * 50),
        (empty_names, "engram.good", "def _new_thing(): ...\nclass Database: ...\nmetadata = 1"),
        (catch_alls, "engram.good", "try:\n    x\nexcept OSError:\n    pass"),
        (unexplained_silences, "engram.good", "x = 1  # noqa: S608  # our own table names"),
        (unexplained_silences, "engram.good", "# mypy cannot see it\nx = 1  # type: ignore[misc]"),
        (unexplained_silences, "engram.good", "# both\nx = 1  # noqa: F401\ny = 2  # noqa: F401"),
        (stray_prints, "engram.surfaces.cli.good", "print('hello')"),
    ],
)
def test_what_keeps_a_rule_is_left_alone(rule: Rule, name: str, source: str):
    assert rule([Module(name, source)]) == []
