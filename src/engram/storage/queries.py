"""Loads the named SQL files; no SQL is made anywhere else."""

import re
from functools import cache
from importlib.resources import files

_SHARED_FILES = (
    "fragments", "memories", "evidence", "feedback", "links", "changes", "upkeep", "vectors",
    "recall", "capture", "verdicts", "spending", "entities", "network", "webhooks", "episodes",
    "knowledge", "skills", "graph", "dreams", "pruning", "working", "tiers", "carrying", "security",
    "erasing", "sealing",
)  # fmt: skip
VAULT = "vault"  # the queries of a file of its own, which shares nothing with the store's
_HEADING = re.compile(r"^-- (name|fragment): ([a-z_]+)$", re.MULTILINE)
_PLACE = re.compile(r"\{([a-z_]+)\}")
_COMMENT = re.compile(r"^--.*\n?", re.MULTILINE)


@cache
def load_queries(dialect: str) -> dict[str, str]:
    """Every named query of a dialect, its fragments filled in."""
    fragments: dict[str, str] = {}
    queries: dict[str, str] = {}
    for name in (dialect,) if dialect == VAULT else (*_SHARED_FILES, dialect):
        text = (files("engram.storage") / "sql" / f"{name}.sql").read_text(encoding="utf-8")
        for kind, title, body in _parts(text):
            target = fragments if kind == "fragment" else queries
            if title in target:
                raise ValueError(f"two SQL parts are named {title}")
            target[title] = body
    return {name: _filled(body, fragments) for name, body in queries.items()}


def _parts(text: str) -> list[tuple[str, str, str]]:
    pieces = _HEADING.split(text)[1:]
    triples = zip(pieces[0::3], pieces[1::3], pieces[2::3], strict=True)
    return [(kind, title, _COMMENT.sub("", body).strip()) for kind, title, body in triples]


def _filled(body: str, fragments: dict[str, str]) -> str:
    while _PLACE.search(body):
        body = _PLACE.sub(lambda place: fragments[place[1]], body)
    return body
