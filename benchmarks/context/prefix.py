"""How much of a prompt begins like the one before it: `python -m benchmarks.context.prefix`.

One person and an assistant work on one thing for forty exchanges; before each answer a prompt is
made. What two prompts in a row have in common from their first byte on is what the caches of
providers can use. Where a message is taken for another topic, the next prompt is not held against
the one before.
"""

import argparse
import itertools
import random
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from benchmarks.ninety_days.generator import Generator
from benchmarks.ninety_days.talk import tools, update, work
from benchmarks.ninety_days.words import COMPONENTS
from engram import Engram

_SYSTEM = "You are a careful assistant who helps with one project. " * 12
_DAYS = 20
_MODELS = ("gpt-4", "gpt-4o", "claude-sonnet-4")
BAR = 0.80
_PART = "map tiler"
Message = dict[str, object]


@dataclass
class Shares:
    """For each prompt but the first, the share of its bytes that the one before began with."""

    found: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    common: int = 0
    switches: int = 0  # prompts of which the session said that they are about something else

    @property
    def mean(self) -> float:
        """Of all bytes sent, those that had been sent at the same place before."""
        return self.common / max(1, sum(self.sizes))

    @property
    def median(self) -> float:
        """Of one prompt."""
        return statistics.median(self.found)


def exchanges(
    count: int, project: str = "atlas", seed: int = 8, *, about: str = ""
) -> Iterator[list[Message]]:
    """Talk about one project, or about one part of it: what is said, and the answer."""
    chance = random.Random(seed)
    made = (chance.choice((work, work, tools, update))(project, chance) for _ in range(count))
    for each in made:
        answered = next(turn for turn in reversed(each) if turn.role == "assistant")
        yield [
            {"role": "user", "content": _about(each[0].text, project, about)},
            {"role": "assistant", "content": _about(answered.text, project, about)},
        ]


def _about(text: str, project: str, part: str) -> str:
    for each in COMPONENTS[project] if part else ():
        text = text.replace(each, part)
    return text


def measured(engram: Engram, count: int, *, model: str, session: str | None) -> Shares:
    """Make a prompt for each exchange of one conversation and hold it against the one before."""
    shares, before = Shares(), b""
    history: list[Message] = [{"role": "system", "content": _SYSTEM}]
    for asked, answered in exchanges(count, about=_PART):
        history.append(asked)
        made = engram.context(history, model=model, session=session)
        now = "".join(f"{each['role']}\n{each['content']}\n" for each in made.messages()).encode()
        if made.topic == "switch":
            shares.switches += 1
        elif before:
            alike = _alike(before, now)
            shares.found.append(alike / len(now))
            shares.sizes.append(len(now))
            shares.common += alike
        before = now
        history.append(answered)
    return shares


def _alike(first: bytes, second: bytes) -> int:
    both = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
    return sum(1 for _ in both)


def filled_store(days: int = _DAYS, opened: Callable[[], Engram] | None = None) -> Engram:
    """A store in memory that has heard some days of talk."""
    engram = opened() if opened else Engram.open(":memory:")
    for day in Generator(days, 60, facts=120):
        for session in day.sessions:
            for said in session:
                engram.remember(said.text, category="fact", at=said.at)
    engram.settle()
    return engram


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--exchanges", type=int, default=40)
    parser.add_argument("--days", type=int, default=_DAYS)
    options = parser.parse_args()
    met = []
    with filled_store(options.days) as engram:
        for model in _MODELS:
            met.append(_told(engram, options.exchanges, model, f"s-{model}").mean >= BAR)
            _told(engram, options.exchanges, model, None)  # for comparison: nothing stays in place
    print(f"the bar is {BAR:.0%} of all bytes in a session; " + ("met" if all(met) else "MISSED"))
    return 0 if all(met) else 1


def _told(engram: Engram, count: int, model: str, session: str | None) -> Shares:
    shares = measured(engram, count, model=model, session=session)
    print(
        f"{model:16} {'session' if session else 'no session':10} "
        f"of all bytes {shares.mean:.1%}, median {shares.median:.1%}, "
        f"least {min(shares.found):.1%}, bytes a prompt {statistics.mean(shares.sizes):,.0f}, "
        f"switches {shares.switches}"
    )
    return shares


if __name__ == "__main__":
    raise SystemExit(main())
