"""Made-up memories that look like what agents keep; seeded, so that every run sees the same."""

import random

_PEOPLE = ("Ada", "Bruno", "Chen", "Dalia", "Emeka", "Freya", "Goran", "Hana", "Ivo", "Jun")
_TOOLS = ("pnpm", "docker", "terraform", "ruff", "postgres", "redis", "kafka", "nginx", "vite")
_PLACES = ("Lyon", "Porto", "Oslo", "Kyoto", "Quito", "Tartu", "Accra", "Hobart", "Cusco")
_THEMES = ("billing", "search", "login", "reports", "mobile", "exports", "alerts", "backups")
_FORMS = (
    "{person} prefers {tool} over {other} for the {theme} service",
    "{person} moved to {place} in {month} and works on {theme}",
    "The {theme} service runs on {tool} version {major}.{minor} behind port {port}",
    "We decided to replace {tool} by {other} before the {theme} release {number}",
    "Ticket {number}: {person} found that {theme} fails when {tool} restarts in {place}",
    "{person} asked to review module_{number} in src/{theme}/{tool}.py by {month}",
)
_MONTHS = ("January", "March", "April", "June", "August", "October", "December")


def memories(count: int, *, seed: int = 7) -> list[str]:
    """That many distinct sentences."""
    chance = random.Random(seed)
    return [_sentence(chance, number) for number in range(count)]


def _sentence(chance: random.Random, number: int) -> str:
    return f"{_fill(chance.choice(_FORMS), chance, number)} (note {number})"


def _fill(form: str, chance: random.Random, number: int) -> str:
    tool, other = chance.sample(_TOOLS, 2)
    return form.format(
        person=chance.choice(_PEOPLE),
        tool=tool,
        other=other,
        place=chance.choice(_PLACES),
        theme=chance.choice(_THEMES),
        month=chance.choice(_MONTHS),
        major=chance.randrange(20),
        minor=chance.randrange(40),
        port=chance.randrange(1024, 65_000),
        number=number,
    )
