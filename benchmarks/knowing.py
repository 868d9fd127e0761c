"""The graph of what is known: how fast it is learnt, and how fast it is asked."""

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from benchmarks.figures import Figure, middle, named_size, timed
from engram import Engram

_NODES, _EDGES = 50_000, 200_000
_HUBS = 5  # nodes that a thousand others are tied to
_HUB_EDGES = 1_000
_PLACES = 1_000
_AT_ONCE = 10_000
_ASKED = 300
_TEXTS = 2_000  # memories that were only told, not learnt: the graph reads them too
_LOOSE = ("used_by", "created_by", "related_to", "knows", "similar_to")
_PARTS = {"recall": {"timeout_seconds": 600.0}, "embedder": {"kind": "hashing"}}


def measure(folder: Path) -> list[Figure]:
    """Learn a large graph, then ask it from anywhere, from its hubs too."""
    with Engram.open(folder / "knowledge", settings=_PARTS) as engram:
        seconds = _learn(engram)
        figures = [_rate(_EDGES / seconds)]
        engram.upkeep.embed()  # what waits for its vectors is not what is measured
        starts = _starts()
        for name, ask, bar in _questions(engram):
            figures += _asked(name, ask, starts, bar)
    return figures


def _learn(engram: Engram) -> float:
    """How long it takes to learn all of it, in as many transactions as `learn_many` makes."""
    facts = _facts()
    seconds = 0.0
    while some := list(islice(facts, _AT_ONCE)):
        seconds += timed(partial(engram.knowledge.learn_many, some))
    texts = (f"{_name(n)} lives in Town {n % 50}." for n in range(_TEXTS))
    engram.remember_many([{"text": text} for text in texts])
    return seconds


def _rate(per_second: float) -> Figure:
    size = named_size(_EDGES)
    return Figure(
        f"learn_many of {size} claims", per_second, "/s", None, "", "≥ 500/s", per_second >= 500
    )


def _facts() -> Iterator[dict[str, object]]:
    """Every node once with where it is, the rest between any two, a thousand at each hub."""
    chosen = random.Random(6)
    for node in range(_PLACES, _NODES):
        yield _fact(node, "located_in", chosen.randrange(_PLACES))
    for place in range(20, _PLACES):
        yield _fact(place, "part_of", chosen.randrange(place // 2))
    said = _NODES - 20
    for node in range(_HUBS * _HUB_EDGES):
        said += 1
        yield _fact(_PLACES + node, "enables", node % _HUBS)
    known: set[tuple[int, str, int]] = set()
    while said < _EDGES:
        claim = (chosen.randrange(_NODES), chosen.choice(_LOOSE), chosen.randrange(_NODES))
        if claim[0] != claim[2] and claim not in known:
            known.add(claim)
            said += 1
            yield _fact(*claim)


def _fact(source: int, relation: str, target: int) -> dict[str, object]:
    return {
        "subject": _name(source),
        "relation": relation,
        "object": _name(target),
        "subject_type": "tool" if source % 3 else "person",
    }


def _name(node: int) -> str:
    return f"Thing {node}"


def _starts() -> list[str]:
    chosen = random.Random(7)
    anywhere = [_name(chosen.randrange(_NODES)) for _ in range(_ASKED)]
    return [*anywhere, *map(_name, range(_HUBS))]


def _questions(engram: Engram) -> list[tuple[str, Callable[[str], object], float]]:
    known = engram.knowledge

    def three_relations(start: str) -> object:
        related = known.path(start).follow("related_to").follow("used_by")
        return related.follow("located_in").find()

    def three_of_any(start: str) -> object:
        return known.path(start).follow().follow().follow().find()

    return [
        ("neighbours, 1 hop", known.neighbours, 5.0),
        ("neighbours, 1 hop, nothing of texts", partial(known.neighbours, texts=False), 5.0),
        ("a path of 3 relations", three_relations, 20.0),
        ("a path of 3 steps along any", three_of_any, 20.0),
        ("activation, 2 hops", lambda start: known.activate([start]), 15.0),
    ]


def _asked(name: str, ask: Callable[[str], object], starts: list[str], bar: float) -> list[Figure]:
    for start in starts[:20]:
        ask(start)  # what the first questions load is not what is measured
    took, worked = [], []
    for start in starts:
        begun = time.thread_time()
        took.append(timed(partial(ask, start)) * 1000)
        worked.append((time.thread_time() - begun) * 1000)
    p95 = _late(took)
    what = f"{name} at {named_size(_NODES)} nodes"
    return [
        Figure(f"{what}: p50", middle(took), "ms", None, "", "", True),
        Figure(f"{what}: p95", p95, "ms", None, "", f"< {bar:g} ms", p95 < bar),
        Figure(f"{what}: p95, processor time", _late(worked), "ms", None, "", "", True),
    ]


def _late(samples: list[float]) -> float:
    return sorted(samples)[int(len(samples) * 0.95)]
