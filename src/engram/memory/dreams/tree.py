"""The abstraction tree: memories in clusters, clusters in domains, and one word on all of it.

Its shape keeps: a night's news join the clusters they are nearest to, and only what changed is told
anew. Every text is made of whole sentences of the memories below, and says which.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engram.memory.dreams.artefact import Artefact, Plain
from engram.memory.dreams.sized_groups import (
    Group,
    Matrix,
    Sizes,
    centres_of,
    grouped,
    halves,
    regrouped,
)
from engram.memory.dreams.summaries import Weighed, best_sentences, one_after_another
from engram.memory.tokens.estimate import tokens_in
from engram.text.strings import clipped

CLUSTER, DOMAIN, GLOBAL = 1, 2, 3
CLUSTERS = Sizes(least=5, usual=10, most=20)
DOMAINS = Sizes(least=3, usual=6, most=10)
ROOT = "root"
GLOBAL_TOKENS = 200
SHARE = 5  # a level takes about a fifth of the tokens of the one below
_FINE = 10  # memories of a cluster at most where little is known, so that what there is shows
_SENTENCE_TOKENS = 12  # a short sentence: more than fit need not be looked for
_FALLBACK = 160  # characters of a memory that holds no sentence
_RESHAPED = 3  # when more than a third came or went, everything is put in order anew
IsWeak = Callable[[Collection[int]], bool]


@dataclass(frozen=True, slots=True)
class Shape:
    """Which memories are in which cluster, and which clusters in which domain; by key."""

    clusters: Mapping[str, tuple[int, ...]]
    domains: Mapping[str, tuple[str, ...]]

    def members(self, domain: str) -> tuple[int, ...]:
        """All memories of a domain."""
        return tuple(sorted(n for key in self.domains[domain] for n in self.clusters[key]))


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence that stands in a node, and the wording of a memory it was taken from."""

    text: str
    number: int
    version: int


@dataclass(frozen=True, slots=True)
class Told:
    """What a node says: the sentences, and how many tokens they and what is below take."""

    quotes: tuple[Quote, ...]
    below: int

    @property
    def text(self) -> str:
        """The sentences in one paragraph."""
        return one_after_another([each.text for each in self.quotes])


def known_shape(nodes: Iterable[Artefact]) -> Shape | None:
    """The shape of a tree that stands; None where there is none."""
    clusters: dict[str, tuple[int, ...]] = {}
    domains: dict[str, tuple[str, ...]] = {}
    for node in nodes:
        children = node.body.get("children")
        if not isinstance(children, list):
            continue
        if node.body.get("level") == CLUSTER:
            clusters[node.key] = tuple(each for each in children if isinstance(each, int))
        elif node.body.get("level") == DOMAIN:
            domains[node.key] = tuple(each for each in children if isinstance(each, str))
    return Shape(clusters, domains) if clusters else None


def shaped(
    numbers: Sequence[int],
    matrix: Matrix,
    known: Shape | None,
    *,
    seeds: Sequence[Matrix] = (),
    is_weak: IsWeak | None = None,
    breathe: Callable[[], None] = lambda: None,
) -> Shape:
    """The shape of the tree of these memories; row by row they are the matrix.

    Seeds are where clusters of a tree that begins are looked for first. Where little is known
    the clusters are made smaller; nobody says where that is, and all are alike.
    """
    if not numbers:
        return Shape({}, {})
    if known is not None and _has_turned_over(numbers, known):
        known = None
    clusters = _clusters(numbers, matrix, known, seeds, breathe)
    places = {number: row for row, number in enumerate(numbers)}
    domains = _domains(clusters, places, matrix, known, breathe)
    shape = Shape(clusters, domains)
    return shape if is_weak is None else _finer(shape, places, matrix, is_weak)


def told(texts: Sequence[Weighed], versions: Mapping[int, int], *, most_tokens: int) -> Told:
    """Whole sentences of the texts, as many of the best as fit, and one in any case."""
    below = sum(tokens_in(each.text) for each in texts)
    kept: list[tuple[int, Quote]] = []
    left = most_tokens
    for each in best_sentences(texts, most=_sentences_in(most_tokens)):
        takes = tokens_in(each.text) + 1
        if takes <= left or not kept:
            quote = Quote(each.text, each.number, versions[each.number])
            kept.append((each.place, quote))
            left -= takes
    if not kept and texts:
        first = max(texts, key=lambda each: (each.weight, -each.number))
        text = clipped(first.text, _FALLBACK)
        kept.append((0, Quote(text, first.number, versions[first.number])))
    return Told(tuple(quote for _, quote in sorted(kept, key=lambda each: each[0])), below)


def told_of_each(parts: Iterable[Sequence[Weighed]], versions: Mapping[int, int]) -> Told:
    """A fifth of what each part says, and one sentence of each in any case; none twice."""
    found: dict[str, Quote] = {}
    below = 0
    for part in parts:
        takes = sum(tokens_in(each.text) for each in part)
        below += takes
        for quote in told(part, versions, most_tokens=takes // SHARE).quotes:
            found.setdefault(quote.text, quote)
    return Told(tuple(found.values()), below)


def node_body(
    level: int, children: Sequence[int | str], node: Told, *, members: int, print_of: str
) -> dict[str, Plain]:
    """What is kept of a node beside its text."""
    return {
        "level": level,
        "children": list(children),
        "members": members,
        "tokens": tokens_in(node.text),
        "below": node.below,
        "quoted": [[each.number, each.version, len(each.text)] for each in node.quotes],
        "print": print_of,
        "by": "rules",
    }


def quotes_in(node: Artefact) -> tuple[Quote, ...]:
    """The sentences of a node that stands; none when a model has put it into its own words."""
    quoted = node.body.get("quoted")
    if node.body.get("by") != "rules" or not isinstance(quoted, list):
        return ()
    found: list[Quote] = []
    start = 0
    for number, version, length in quoted:
        found.append(Quote(node.text[start : start + length], number, version))
        start += length + 1
    return tuple(found)


def fingerprint(parts: Iterable[object]) -> str:
    """What a node is made of, in a few letters: the same as long as that is the same."""
    return hashlib.blake2b("\x1f".join(map(str, parts)).encode(), digest_size=6).hexdigest()


def finest_fitting(tokens: Mapping[int, int], budget: int | None) -> int:
    """The most detailed level whose texts fit; the most general when none does."""
    fitting = [level for level, takes in tokens.items() if budget is None or takes <= budget]
    return min(fitting, default=max(tokens, default=GLOBAL))


def within_tokens(sentences: Sequence[str], budget: int) -> tuple[str, ...]:
    """The first whole sentences that fit."""
    kept: list[str] = []
    for each in sentences:
        if tokens_in(" ".join((*kept, each))) > budget:
            break
        kept.append(each)
    return tuple(kept)


def _sentences_in(tokens: int) -> int:
    return max(1, -(-tokens // _SENTENCE_TOKENS))


def _has_turned_over(numbers: Sequence[int], known: Shape) -> bool:
    before = {number for members in known.clusters.values() for number in members}
    return _RESHAPED * len(before.symmetric_difference(numbers)) > len(before)


def _clusters(
    numbers: Sequence[int],
    matrix: Matrix,
    known: Shape | None,
    seeds: Sequence[Matrix],
    breathe: Callable[[], None],
) -> dict[str, tuple[int, ...]]:
    if known is None:
        groups, names = grouped(matrix, CLUSTERS, seeds=seeds, breathe=breathe), []
    else:
        places = {number: row for row, number in enumerate(numbers)}
        names = sorted(known.clusters)
        rows = [[places[n] for n in known.clusters[name] if n in places] for name in names]
        groups = regrouped(matrix, rows, CLUSTERS, breathe=breathe)
    members = [tuple(numbers[row] for row in group.rows) for group in groups]
    keys = _keys("c", groups, names, members)
    return dict(zip(keys, members, strict=True))


def _domains(
    clusters: Mapping[str, tuple[int, ...]],
    places: Mapping[int, int],
    matrix: Matrix,
    known: Shape | None,
    breathe: Callable[[], None],
) -> dict[str, tuple[str, ...]]:
    keys = sorted(clusters)
    centres = centres_of(matrix, [[places[n] for n in clusters[key]] for key in keys])
    at = {key: row for row, key in enumerate(keys)}
    names = sorted(known.domains) if known else []
    rows = [[at[key] for key in known.domains[name] if key in at] for name in names if known]
    groups = regrouped(centres, rows, DOMAINS, breathe=breathe)
    members = [tuple(keys[row] for row in group.rows) for group in groups]
    return dict(zip(_keys("d", groups, names, members), members, strict=True))


def _keys(
    letter: str,
    groups: Sequence[Group],
    names: Sequence[str],
    members: Sequence[Sequence[object]],
) -> list[str]:
    """A key for each group: the one it had, else one made of its first members."""
    known = [None if group.origin is None else names[group.origin] for group in groups]
    taken = set(names)
    keys: list[str] = []
    for name, inside in zip(known, members, strict=True):
        key = name or _fresh_key(letter, inside, taken)
        taken.add(key)
        keys.append(key)
    return keys


def _fresh_key(letter: str, members: Sequence[object], taken: Collection[str]) -> str:
    key = made = f"{letter}-{fingerprint(members)}"
    count = 1
    while key in taken:
        count += 1
        key = f"{made}-{count}"
    return key


def _finer(shape: Shape, places: Mapping[int, int], matrix: Matrix, is_weak: IsWeak) -> Shape:
    """The shape with smaller clusters in the domains of which little is known."""
    clusters, domains = dict(shape.clusters), dict(shape.domains)
    for domain in sorted(domains):
        inside = list(domains[domain])
        if max(len(clusters[key]) for key in inside) <= _FINE or not is_weak(shape.members(domain)):
            continue
        while len(inside) < DOMAINS.most:
            largest = max(inside, key=lambda key: (len(clusters[key]), key))
            if len(clusters[largest]) <= _FINE:
                break
            numbers = {places[number]: number for number in clusters[largest]}
            parts = halves(matrix, sorted(numbers), CLUSTERS.least)
            larger, smaller = (tuple(numbers[row] for row in part) for part in parts)
            added = _fresh_key("c", smaller, clusters)
            clusters[largest], clusters[added] = larger, smaller
            inside.append(added)
        domains[domain] = tuple(sorted(inside))
    return Shape(clusters, domains)
