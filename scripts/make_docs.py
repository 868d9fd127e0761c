"""Writes the pages of docs/ that are read off the code: settings, errors and categories.

Run it without arguments to write the pages; with --check it writes nothing and fails when a page
differs from what the code says.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from pathlib import Path

from engram import errors
from engram.memory.categories import CategoryRegistry
from engram.memory.layers import LAYERS
from engram.memory.options import OptionRule
from engram.memory.status import LEGAL_MOVES, RECALLABLE
from engram.settings import SECTIONS, setting_rules

DOCS = Path(__file__).parent.parent / "docs"
NOTICE = "<!-- Written by scripts/make_docs.py from the code; edit that, not this. -->"

SETTINGS_INTRO = """\
Every number Engram works with is a setting with a default, a range and a meaning. A value comes
from the first of these that names it:

1. the `settings` argument of `Engram.open`, as in `settings={"recall": {"limit": 5}}`;
2. the environment, as `ENGRAM_SECTION__NAME`, for example `ENGRAM_RECALL__LIMIT=5`;
3. the file `config.toml` in the store's folder;
4. the default.

An unknown section or name, a value of the wrong type and a value out of range are errors
([E5003](errors.md)) that name the setting; nothing is ignored. A running process looks at the
file again within a second. A change it cannot accept leaves the old settings in force and shows
in `engram health`. Settings marked *at opening* are read when the store is opened.

```toml
# config.toml
[recall]
limit = 5

[storage]
backups_kept = 7
```
"""

SETTINGS_END = """\
## Categories of your own

A table under `categories` in `config.toml` adds a category beside the
[built-in ones](categories.md). Every key may be left out.

```toml
[categories.recipe]
risk_tier = 1             # 1 stored at once, 2 held when it conflicts, 3 held when an agent says it
layer = "semantic"
type = "procedure"
horizon = "365d"          # or "never"
protected = false
aliases = ["recipes"]
```

## Templates of your own

A table under `templates` reads values off every statement by a pattern of yours, beside people,
technologies, paths, dates, addresses, topics and tags. They are kept as lists in the memory's
metadata, and a filter finds a member: `engram.list(metadata={"ticket": "OPS-731"})`.

```toml
[templates]
ticket = "[A-Z]+-[0-9]+"
customer = "customer ([A-Z][a-z]+)"   # the first group, where there is one
```

A pattern must not be able to stop the program: look-around, back-references, lazy repetition and
repetition of what is itself repeated are refused. A template cannot be called like what is inferred
anyway.

## Models of your own

A table under `models` says what a [language model](models.md) can take, where the registry does
not know it or your server gives less. Every key may be left out; that is then as it is known.

```toml
[models."my-model"]
window = 131072           # tokens read and written together: 512 and more
output = 8192             # tokens it may write
tools = true
vision = false
thinking = false
tokenizer = "o200k"       # the family its tokens are counted by
```

## Variables that are not settings

| variable | meaning |
| --- | --- |
| `ENGRAM_STORE` | The store's folder when none is named. |
| `ENGRAM_SCOPE` | The scope in which the command line works, as in `project=acme,agent=coder`. |
| `ENGRAM_PASSPHRASE` | The passphrase of an encrypted store. |
| `ENGRAM_KEY_FILE` | A file with the key of an encrypted store, 64 hexadecimal digits. |
| `ENGRAM_KEY` | The key itself; a file is harder to leak than an environment. |
| `ENGRAM_KEYRING` | What the keyring of the operating system calls the key of the store. |
| `ENGRAM_RECOVERY_KEY` | The recovery key, for the day the others are lost. |
| `ENGRAM_EMBEDDER_KEY` | The key of the server at `embedder.url`, sent as a bearer token. |

Of `ENGRAM_PASSPHRASE`, `ENGRAM_KEY_FILE`, `ENGRAM_KEY`, `ENGRAM_KEYRING` and
`ENGRAM_RECOVERY_KEY` the first that is set counts; a passphrase given as an argument comes
before them all. Keys are no settings, because settings are shown; more
in [keys](keys.md). More on servers and their key: [embedders](embedders.md).
"""

ERRORS_INTRO = """\
Every error Engram raises is a subclass of `engram.EngramError`. It has a `code` that stays the
same between versions, a `message` that says what went wrong and a `hint` that says what to do
next. None of them carries the text of a memory, a question, a key or a token. Where the hint
column is empty the hint depends on the case and names the argument that was wrong.
"""

CATEGORIES_INTRO = """\
A category decides how a memory is treated: how much care its arrival needs, where it starts, when
it turns stale and whether age may ever archive it. Any alias stands for its category.

Risk tiers: **1** is stored at once, whoever says it. **2** is stored too, unless an agent or a
tool says it and another statement of that category about the same subject is active: then it is
held for review. **3** is held for review unless a person says it. Nothing a person states is
held.

The horizon is how long a memory may go without being verified, or said again by a person, before it
turns stale and leaves recall. A protected category is exempt from archival by age, a pass that this
version does not have yet.
"""

LAYERS_INTRO = """\
A layer says how lasting a memory is. The half-life is that of a source trusted fully; it is
divided by `1 + 4 * (1 - trust)` and grows with the memory's arousal. Nothing moves between
layers by itself in this version: `promote` and `demote` do it.
"""

STATUS_INTRO = """\
Only {recalled} memories are recalled. A memory past its horizon counts as stale without anything
being written; verifying it or saying it again makes it active. Where no move is listed, only
`undo` leads back. Agents may challenge anything, but only a person makes a memory active again or
retires what a person said.
"""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(each.replace("|", "\\|") for each in row) + " |" for row in lines
    )


def settings_page() -> str:
    """Every setting with its default, range and meaning."""
    parts = [NOTICE, "# Settings", SETTINGS_INTRO]
    for section, options in SECTIONS.items():
        rows = [
            (f"`{key}`", f"`{_value(default)}`", _allowed(default, rule), _meaning(rule))
            for key, (default, rule) in setting_rules().items()
            if key.startswith(f"{section}.")
        ]
        parts += [f"## {section}", (options.__doc__ or "").strip()]
        parts.append(table(("setting", "default", "allowed", "meaning"), rows))
    return _page(*parts, SETTINGS_END)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def _allowed(default: object, rule: OptionRule) -> str:
    if isinstance(default, bool):
        return "`true`, `false`"
    if rule.choices:
        return ", ".join(f"`{choice}`" for choice in rule.choices)
    if rule.low is None:
        return "text"
    return f"{rule.low} to {rule.high}"


def _meaning(rule: OptionRule) -> str:
    return f"{rule.meaning} *At opening.*" if rule.at_open else rule.meaning


def errors_page() -> str:
    """Every error with its code, message and hint, branch by branch."""
    parts = [NOTICE, "# Errors", ERRORS_INTRO]
    for branch in sorted(errors.EngramError.__subclasses__(), key=lambda each: each.code):
        message = (branch.__doc__ or "").strip()
        parts.append(f"## {branch.__name__} ({branch.code[:3]}xx)\n\n{message}")
        rows = [
            (each.code, f"`{each.__name__}`", _first_line(each), each.default_hint)
            for each in sorted(branch.__subclasses__(), key=lambda each: each.code)
        ]
        parts.append(table(("code", "error", "message", "hint"), rows))
    return _page(*parts)


def _first_line(error: type[errors.EngramError]) -> str:
    return (error.__doc__ or "").strip().splitlines()[0]


def categories_page() -> str:
    """Categories, layers and the moves between statuses."""
    recalled = " and ".join(sorted(RECALLABLE))
    return _page(
        NOTICE,
        "# Categories, layers and statuses",
        "## Categories",
        CATEGORIES_INTRO,
        _categories(),
        "## Layers",
        LAYERS_INTRO,
        _layers(),
        "## Statuses",
        STATUS_INTRO.format(recalled=recalled),
        _statuses(),
    )


def _categories() -> str:
    registry = CategoryRegistry()
    found = [registry.find(name) for name in registry.names()]
    rows = [
        (
            f"`{each.name}`",
            str(each.risk_tier),
            each.layer,
            each.memory_type,
            each.kind,
            each.horizon or "never",
            "yes" if each.is_protected else "",
            ", ".join(each.aliases),
        )
        for each in found
    ]
    head = ("category", "tier", "layer", "type", "kind", "stale after", "protected", "aliases")
    return table(head, rows)


def _layers() -> str:
    rows = [
        (
            f"`{layer}`",
            _span(policy.half_life) if policy.half_life else "does not fade",
            str(policy.weight),
            policy.promotes_to or "",
            policy.demotes_to or "",
        )
        for layer, policy in LAYERS.items()
    ]
    return table(("layer", "half-life", "weight in importance", "promoted to", "demoted to"), rows)


def _span(length: timedelta) -> str:
    days = length / timedelta(days=1)
    return f"{days:g} days" if days >= 1 else f"{length / timedelta(hours=1):g} hours"


def _statuses() -> str:
    rows = [
        (f"`{status}`", ", ".join(sorted(targets)) or "(by `undo` only)")
        for status, targets in LEGAL_MOVES.items()
    ]
    return table(("from", "to"), rows)


def _page(*parts: str) -> str:
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


PAGES: dict[str, Callable[[], str]] = {
    "settings.md": settings_page,
    "errors.md": errors_page,
    "categories.md": categories_page,
}


def differing_pages() -> list[str]:
    """The pages that do not say what the code says."""
    return [name for name, make in PAGES.items() if _committed(name) != make()]


def _committed(name: str) -> str:
    path = DOCS / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def main() -> int:
    """Write the pages, or only compare them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    if parser.parse_args().check:
        wrong = differing_pages()
        for name in wrong:
            print(f"docs/{name} is out of date; run python scripts/make_docs.py")
        return 1 if wrong else 0
    for name, make in PAGES.items():
        (DOCS / name).write_text(make(), encoding="utf-8")
        print(f"docs/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
