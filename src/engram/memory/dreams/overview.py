"""What is known at one level of detail, for as many tokens as there are.

A node says only what its memories still say: a sentence whose memory was reworded, retired or is
out of sight since the tree was made is left out, until the next dream tells it anew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from engram.errors import InvalidInput
from engram.memory.dreams.artefact import Artefact
from engram.memory.dreams.summaries import one_after_another
from engram.memory.dreams.tree import (
    CLUSTER,
    DOMAIN,
    GLOBAL,
    finest_fitting,
    quotes_in,
    within_tokens,
)
from engram.memory.tokens.estimate import tokens_in

LEVELS = (CLUSTER, DOMAIN, GLOBAL)


@dataclass(frozen=True, slots=True)
class OverviewNode:
    """One paragraph: on how many memories it stands, and the numbers of those it is taken from."""

    text: str
    tokens: int
    members: int
    scope: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """What is known at one level: 1 clusters, 2 domains, 3 everything; 0 when there is no tree."""

    level: int
    nodes: tuple[OverviewNode, ...]
    tokens: int
    made_at: datetime | None  # when the oldest of it was told

    @property
    def text(self) -> str:
        """All of it, a paragraph each."""
        return "\n".join(each.text for each in self.nodes)


def checked_level(level: object) -> int | None:
    """A level of the tree, or None for the one that fits."""
    if level is None or (isinstance(level, int) and level in LEVELS):
        return level
    raise InvalidInput(hint="`level` is 1 (clusters), 2 (domains) or 3 (all in one paragraph).")


def checked_tokens(tokens: object) -> int | None:
    """How many tokens there are, or None for as many as it takes."""
    is_count = isinstance(tokens, int) and not isinstance(tokens, bool)
    if tokens is None or (is_count and isinstance(tokens, int) and tokens > 0):
        return tokens
    raise InvalidInput(hint="`tokens` is a whole number above 0.")


def overview_of(
    nodes: Sequence[Artefact],
    standing: Mapping[int, int],
    *,
    tokens: int | None = None,
    level: int | None = None,
) -> Overview:
    """The most detailed level that fits, or the one asked for as far as it fits."""
    told = [(node, _told(node, standing)) for node in nodes]
    told = [(node, sentences) for node, sentences in told if sentences]
    sums: dict[int, int] = {}
    for node, sentences in told:
        sums[_level(node)] = sums.get(_level(node), 0) + tokens_in(" ".join(sentences)) + 1
    if not sums:
        return Overview(0, (), 0, None)
    chosen = level or finest_fitting(sums, tokens)
    ordered = sorted(
        (each for each in told if _level(each[0]) == chosen),
        key=lambda each: (-each[0].scope.path.count("/"), -_members(each[0]), each[0].key),
    )
    found = _fitting(ordered, tokens)
    return Overview(
        chosen,
        tuple(found),
        sum(each.tokens for each in found),
        min((node.made_at for node, _ in ordered), default=None),
    )


def _fitting(
    told: Sequence[tuple[Artefact, tuple[str, ...]]], tokens: int | None
) -> list[OverviewNode]:
    """The paragraphs as far as they fit, cut between sentences."""
    found: list[OverviewNode] = []
    left = tokens
    for node, sentences in told:
        kept = sentences if left is None else within_tokens(sentences, left)
        if not kept:
            break
        text = one_after_another(kept)
        takes = tokens_in(text)
        found.append(OverviewNode(text, takes, _members(node), node.scope.path, node.sources))
        left = None if left is None else left - takes - 1
    return found


def _told(node: Artefact, standing: Mapping[int, int]) -> tuple[str, ...]:
    """What a node still says; a model's words only while every memory they rest on stands."""
    if node.body.get("by") == "rules":
        quotes = quotes_in(node)
        return tuple(each.text for each in quotes if standing.get(each.number) == each.version)
    quoted = node.body.get("quoted")
    if not isinstance(quoted, list) or not node.text:
        return ()
    is_whole = all(standing.get(number) == version for number, version, _ in quoted)
    return (node.text,) if is_whole else ()


def _level(node: Artefact) -> int:
    level = node.body.get("level")
    return level if isinstance(level, int) else GLOBAL


def _members(node: Artefact) -> int:
    members = node.body.get("members")
    return members if isinstance(members, int) else 0
