"""A thousand pairs of statements that differ in one thing that matters: never to be made one."""

import random
from dataclasses import dataclass

from benchmarks.ninety_days.words import (
    CITIES,
    COLLEAGUES,
    COMPANIES,
    COMPONENTS,
    FRIENDS,
    KIN,
    TOWNS,
    listed,
)

COUNT = 1_000
_PARTS = tuple(part for parts in COMPONENTS.values() for part in parts)
_PEOPLE = (*KIN, *FRIENDS, *COLLEAGUES)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("January", "March", "April", "June", "August", "October", "December")
_FOODS = listed("hazelnuts|celery|shellfish|mango|sesame|kiwi|lupins|mustard|soy|peaches")
_TOOLS = listed("Redis|Kafka|Postgres|Nginx|Terraform|Docker|Vite|Webpack|Celery|RabbitMQ")
_UNITS = listed("seconds|minutes|hours|days")
_SIZES = listed("megabytes|gigabytes|terabytes")


@dataclass(frozen=True, slots=True)
class NearMiss:
    """Two statements that are nearly the same, and in what they differ."""

    kind: str
    one: str
    other: str


# What is in braces is drawn for both alike; what differs stands on either side of the bar.
_FORMS: dict[str, tuple[str, ...]] = {
    "number": (
        "The {part} listens on port {n}|The {part} listens on port {m}",
        "{person}'s extension is {n}|{person}'s extension is {m}",
        "The budget of the {part} is {n} euros|The budget of the {part} is {m} euros",
        "Ticket {n} is about the {part}|Ticket {m} is about the {part}",
    ),
    "negation": (
        "{person} eats {food}|{person} doesn't eat {food}",
        "The {part} is ready for {city}|The {part} is not ready for {city}",
        "{person} has been to {city}|{person} has never been to {city}",
        "We use {tool} in the {part}|We no longer use {tool} in the {part}",
    ),
    "name": (
        "{person} is responsible for the {part}|{another} is responsible for the {part}",
        "{person} moved to {city}|{another} moved to {city}",
        "Our contact at {company} is {person}|Our contact at {company} is {another}",
    ),
    "thing": (
        "{person} is allergic to {food}|{person} is allergic to {food2}",
        "The {part} runs on {tool}|The {part} runs on {tool2}",
        "{person} works on the {part}|{person} works on the {part2}",
    ),
    "place": (
        "{person} lives in {city}|{person} lives in {city2}",
        "The archive of {company} is in {town}|The archive of {company} is in {town2}",
    ),
    "date": (
        "{person}'s birthday is on {d} {month}|{person}'s birthday is on {e} {month}",
        "The {part} goes live on {d} {month}|The {part} goes live on {d} {month2}",
        "{person} starts at {company} in {month}|{person} starts at {company} in {month2}",
    ),
    "weekday": (
        "The {part} is deployed on {day}|The {part} is deployed on {day2}",
        "{person} is off on {day}|{person} is off on {day2}",
    ),
    "hour": (
        "The job of the {part} starts at {h}:{minute}|The job of the {part} starts at {g}:{minute}",
        "{person} calls {company} at {h} am|{person} calls {company} at {h} pm",
    ),
    "direction": (
        "{person} reports to {another}|{another} reports to {person}",
        "We moved the {part} from {city} to {city2}|We moved the {part} from {city2} to {city}",
        "{person} lent {another} the {part} key|{another} lent {person} the {part} key",
        "{person} prefers {tool} over {tool2}|{person} prefers {tool2} over {tool}",
        "The {part} calls the {part2}|The {part2} calls the {part}",
    ),
    "unit": (
        "The {part} keeps logs for {n} {unit}|The {part} keeps logs for {n} {unit2}",
        "The {part} may use {n} {size}|The {part} may use {n} {size2}",
    ),
    "version": (
        "The {part} needs {tool} {v}.{w}|The {part} needs {tool} {v}.{x}",
        "{company} supports {tool} up to {v}.{w}|{company} supports {tool} up to {v}.{x}",
    ),
    "modality": (
        "{person} will move to {city}|{person} might move to {city}",
        "The {part} must run on {tool}|The {part} can run on {tool}",
        "{person} wants to leave {company}|{person} has to leave {company}",
    ),
    "time": (
        "{person} lives in {town}|{person} lived in {town}",
        "{person} works for {company}|{person} used to work for {company}",
        "The {part} was tested before the move to {city}|"
        "The {part} was tested after the move to {city}",
    ),
    "quantity": (
        "All tests of the {part} pass with {tool}|Most tests of the {part} pass with {tool}",
        "{person} has a key for the {part}|Only {person} has a key for the {part}",
        "The {part} allows at least {n} users|The {part} allows at most {n} users",
    ),
    "opposite": (
        "{person} likes {city}|{person} dislikes {city}",
        "The {part} is secure in {city}|The {part} is insecure in {city}",
        "{company} raised the price of the {part}|{company} lowered the price of the {part}",
        "{person} joined {company}|{person} left {company}",
    ),
}  # fmt: skip


def near_misses(count: int = COUNT, *, seed: int = 17) -> tuple[NearMiss, ...]:
    """That many pairs, no two alike, every kind as often as any other."""
    chance = random.Random(seed)
    kinds = list(_FORMS)
    found: dict[tuple[str, str], NearMiss] = {}
    while len(found) < count:
        kind = kinds[len(found) % len(kinds)]
        one, other = _filled(chance.choice(_FORMS[kind]), chance)
        found.setdefault((one, other), NearMiss(kind, one, other))
    return tuple(found.values())


def _filled(form: str, chance: random.Random) -> tuple[str, str]:
    drawn = _drawn(chance)
    one, other = (f"{_opened(side.format(**drawn))}." for side in form.split("|"))
    return one, other


def _opened(text: str) -> str:
    return text[:1].upper() + text[1:]


def _drawn(chance: random.Random) -> dict[str, str]:
    """Something for every name in braces; what has a 2 behind it is never the same."""
    low = chance.randrange(100, 9_000)
    drawn = {
        "n": str(low),
        "m": str(low + chance.choice((1, 10, 100, 9))),
        "company": chance.choice(COMPANIES),
        "d": str(chance.randrange(1, 14)),
        "e": str(chance.randrange(14, 29)),
        "h": str(chance.randrange(1, 6)),
        "g": str(chance.randrange(6, 12)),
        "minute": f"{chance.randrange(60):02d}",
        "v": str(chance.randrange(1, 20)),
        "w": str(chance.randrange(10)),
        "x": str(chance.randrange(10, 20)),
    }
    drawn["person"], drawn["another"] = chance.sample(_PEOPLE, 2)
    for name, choices in _TWICE.items():
        drawn[name], drawn[f"{name}2"] = chance.sample(choices, 2)
    return drawn


_TWICE: dict[str, tuple[str, ...]] = {
    "part": _PARTS, "city": CITIES, "town": TOWNS, "food": _FOODS, "tool": _TOOLS, "day": _DAYS,
    "month": _MONTHS, "unit": _UNITS, "size": _SIZES,
}  # fmt: skip
