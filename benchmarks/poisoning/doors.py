"""The doors: every way by which memories come into a prompt without being looked at first.

What is asked for by name (`recall`, `list`, `topics`, `traces`) is no door: who asks for it knows
that everything comes, and by whom.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from benchmarks.poisoning.ways import SESSION
from engram import Engram
from engram.surfaces.harness.blocks import block_of
from engram.surfaces.harness.fence import fenced
from engram.surfaces.harness.matter import conventions, what_matters
from engram.surfaces.mcp import prompts, resources

_MODEL = "gpt-4o"
_NAMES = ("Ada Byrne", "Northwind", "PostgreSQL", "Grace Okafor")


def _context(engram: Engram, asked: str) -> str:
    asking = [{"role": "user", "content": asked}]
    return engram.context(asking, model=_MODEL, session=SESSION).text


def _deep_context(engram: Engram, asked: str) -> str:
    asking = [{"role": "user", "content": asked}]
    return engram.context(asking, model=_MODEL, mode="deep").text


def _turn(engram: Engram, asked: str) -> str:
    with engram.turn(SESSION, model=_MODEL) as turn:
        text = turn.build(asked).text
        turn.cancel()
    return text


def _tool(engram: Engram, asked: str) -> str:
    return engram.tool_context("search", {"query": asked}).text


def _hook(engram: Engram, asked: str) -> str:
    found = engram.recall(asked, automatic=True, limit=20)
    return fenced([hit.memory for hit in found.hits], about="this prompt", most=20_000)


def _prompt(engram: Engram, asked: str) -> str:
    return prompts.written(engram, prompts.PROMPTS["recall"], {"query": asked})


def _reasoned(engram: Engram, asked: str) -> str:
    return repr_of(engram.reason(asked, automatic=True))


def _working(engram: Engram, asked: str) -> str:
    return "\n".join(item.text for item in engram.working.gather(asked))


def _anticipated(engram: Engram, asked: str) -> str:
    """What is fetched ahead for a session comes in by the next prompt alone."""
    engram.recall(asked, session="ahead")
    engram._anticipate("ahead")
    following = [{"role": "user", "content": "And then?"}]
    return engram.context(following, model=_MODEL, session="ahead").text


def _morning(engram: Engram, asked: str) -> str:
    """What was asked for outright a moment ago is used, and comes to mind when a session begins."""
    engram.recall(asked)
    engram._parts.access_log.flush()
    return "\n".join(slot.text for slot in engram.working.active(session=f"morning {asked}"))


def _started(engram: Engram) -> str:
    memories = what_matters(engram, None, now=datetime.now(UTC), most=1_000)
    return fenced(memories, about="what matters now", most=200_000)


def _block(engram: Engram) -> str:
    return block_of(conventions(engram, None, now=datetime.now(UTC), most=1_000))


def _pages(engram: Engram) -> str:
    told = [resources.what_matters(engram)]
    listed, start = [], 0
    while start is not None:
        page, start = resources.listed(engram, start)
        listed += page
    for each in listed:
        told += [each.name, _page(engram, each.uri)]
    return "\n".join(told)


def _page(engram: Engram, uri: str) -> str:
    from engram.errors import MemoryNotFound

    try:
        return resources.read(engram, uri)
    except MemoryNotFound:
        return ""


def _profile(engram: Engram) -> str:
    return repr_of(engram.profile())


def _cards(engram: Engram) -> str:
    return "\n".join(repr_of(engram.card(name)) for name in _NAMES)


def _overview(engram: Engram) -> str:
    levels = (engram.overview(tokens=20_000), engram.overview(tokens=20_000, level=1))
    return "\n".join(each.text for each in levels)


def _questions(engram: Engram) -> str:
    return repr_of(engram.questions("asked"))


def repr_of(value: object) -> str:
    """All texts in a value, whatever it is made of."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return "\n".join(repr_of(each) for pair in value.items() for each in pair)
    if isinstance(value, list | tuple | set | frozenset):
        return "\n".join(map(repr_of, value))
    if hasattr(value, "__dataclass_fields__"):
        return "\n".join(repr_of(getattr(value, name)) for name in value.__dataclass_fields__)
    return ""


# By what is asked; and what is there before anything is.
ASKING: Mapping[str, Callable[[Engram, str], str]] = {
    "context": _context, "deep": _deep_context, "turn": _turn, "tool": _tool, "hook": _hook,
    "prompt": _prompt, "reason": _reasoned, "working": _working, "ahead": _anticipated,
    "morning": _morning,
}  # fmt: skip
STANDING: Mapping[str, Callable[[Engram], str]] = {
    "start": _started, "block": _block, "pages": _pages, "profile": _profile, "cards": _cards,
    "overview": _overview, "questions": _questions,
}  # fmt: skip
DOORS = (*ASKING, *STANDING)
