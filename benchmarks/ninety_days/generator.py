"""Days of talk made by a seed: sessions of one person and an assistant in a few projects."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from benchmarks.ninety_days.changing import changing_things
from benchmarks.ninety_days.planted import planted_facts
from benchmarks.ninety_days.repeated import repeated
from benchmarks.ninety_days.spoken import (
    PLACES,
    Changing,
    Day,
    Planted,
    Said,
    Utterance,
)
from benchmarks.ninety_days.talk import Exchange, chatter

BEGINNING = datetime(2026, 3, 2, tzinfo=UTC)
_SESSION = 25  # turns, about
_FIRST_HOUR, _LAST_HOUR = 8, 20
_REPEATED = 0.05  # of the exchanges say again what was said before
_TOLD = 0.2  # of the facts that matter are handed in with `remember`
_ASKED = 20  # questions on a full day; fewer on shorter ones
_FULL_DAY = 200
_WRAPPED = 0.35  # of the facts that matter stand among other words
_BEFORE = (
    "Good that you remind me. ", "Before I forget: ", "One more thing. ", "Sorry for the detour. ",
    "I just came from lunch. ",
)  # fmt: skip
_AFTER = (" Just so you know.", " Anyway, back to work.", " That was all.", " Funny, isn't it?")
_NOTED = ("Noted.", "Thanks, I will keep that in mind.", "Got it.", "All right.", "Good to know.")


class Generator:
    """Makes one day after the other; the same numbers make the same days."""

    def __init__(self, days: int, turns: int, *, facts: int, seed: int = 20260302) -> None:
        self.days, self.turns, self.seed = days, turns, seed
        self.facts = planted_facts(facts, seed=seed)
        self.changing = changing_things(days, turns, seed=seed)

    def __iter__(self) -> Iterator[Day]:
        return (self.day(number) for number in range(self.days))

    def day(self, number: int) -> Day:
        """One day's talk; no other day is needed to make it."""
        chance = random.Random(f"{self.seed}:{number}")
        told = self.planted_on(number)
        important: list[tuple[str, Exchange]] = []
        for fact in told:
            important.append((fact.project, _stated(fact, chance)))
        for thing in self.changing:
            important += [(thing.project, _noted(text, chance)) for text in _today(thing, number)]
        sessions = self._sessions(number, important, chance)
        return Day(number, sessions, told, self._asked(number, chance))

    def planted_on(self, number: int) -> tuple[Planted, ...]:
        """The facts that matter of one day: all are told before the last day."""
        spread = max(1, self.days - 1)
        return tuple(
            fact for fact in self.facts if fact.number * spread // len(self.facts) == number
        )

    def planted_until(self, number: int) -> tuple[Planted, ...]:
        """The facts that matter told until the end of a day."""
        return tuple(fact for day in range(number + 1) for fact in self.planted_on(day))

    def _sessions(
        self, number: int, important: list[tuple[str, Exchange]], chance: random.Random
    ) -> tuple[tuple[Said, ...], ...]:
        count = max(1, round(self.turns / _SESSION))
        projects = [PLACES[(number + place) % len(PLACES)] for place in range(count)]
        waiting = {project: [] for project in PLACES}  # type: dict[str, list[Exchange]]
        for project, exchange in important:
            waiting[project].append(exchange)
        left = self.turns
        found = []
        for place, project in enumerate(projects):
            due = waiting[project]
            share = len(due) if project not in projects[place + 1 :] else (len(due) + 1) // 2
            mine, waiting[project] = due[:share], due[share:]
            if place == len(projects) - 1:  # what has no session of its own today comes in the last
                mine += [each for rest in waiting.values() for each in rest]
            size = left // (len(projects) - place)
            spoken = self._exchanges(project, mine, size, chance)
            left -= len(spoken)
            found.append(_placed(spoken, number, place, len(projects), project))
        return tuple(found)

    def _exchanges(
        self, project: str, important: list[Exchange], size: int, chance: random.Random
    ) -> list[Utterance]:
        """About so many turns: what matters, and enough around it."""
        exchanges = list(important)
        while sum(map(len, exchanges)) < size:
            if chance.random() < _REPEATED:
                exchanges.append(_noted(repeated(project, chance), chance))
            else:
                exchanges.append(chatter(project, chance))
        chance.shuffle(exchanges)
        return [each for exchange in exchanges for each in exchange]

    def _asked(self, number: int, chance: random.Random) -> tuple[tuple[str, str], ...]:
        """What is asked during the day: a few things often, most hardly ever."""
        known = self.planted_until(number - 1) if number else ()
        things = [each for each in self.changing if each.value_on(number - 1) is not None]
        count = max(1, _ASKED * self.turns // _FULL_DAY)
        asked = []
        for _ in range(count):
            if known and chance.random() < 0.6:
                fact = known[min(int(chance.expovariate(1 / 25)), len(known) - 1)]
                asked.append((fact.project, fact.question))
            elif things:
                thing = chance.choice(things)
                asked.append((thing.project, thing.question))
        return tuple(asked)


def _today(thing: Changing, number: int) -> list[str]:
    return [text for text, day in zip(thing.texts, thing.days, strict=True) if day == number]


def _stated(fact: Planted, chance: random.Random) -> Exchange:
    text = chance.choice(fact.texts)
    if chance.random() < _TOLD:
        return [Utterance(text, told=True)]
    if chance.random() < _WRAPPED:
        before = chance.choice(("", *_BEFORE))
        text = f"{before}{text}{chance.choice(_AFTER) if not before else ''}"
    return _noted(text, chance)


def _noted(text: str, chance: random.Random) -> Exchange:
    return [Utterance(text), Utterance(chance.choice(_NOTED), "assistant")]


def _placed(
    spoken: list[Utterance], number: int, place: int, count: int, project: str
) -> tuple[Said, ...]:
    """The turns of a session, a minute apart, at its hour of the day."""
    hour = _FIRST_HOUR + place * (_LAST_HOUR - _FIRST_HOUR) / count
    start = BEGINNING + timedelta(days=number, hours=hour)
    session = f"day-{number:02d}-{place}"
    return tuple(
        Said(each.text, each.role, each.told, project, session, start + timedelta(minutes=minute))
        for minute, each in enumerate(spoken)
    )
