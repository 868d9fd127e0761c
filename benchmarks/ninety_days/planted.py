"""Five hundred facts that matter: each said once, each with a question and its answer."""

import random

from benchmarks.ninety_days.family import Family
from benchmarks.ninety_days.home_families import HOME_FAMILIES
from benchmarks.ninety_days.spoken import Planted
from benchmarks.ninety_days.work_families import WORK_FAMILIES

COUNT = 500


def planted_facts(count: int = COUNT, *, seed: int = 11) -> tuple[Planted, ...]:
    """That many facts in the order in which they are said."""
    chance = random.Random(seed)
    found = [fact for family in (*HOME_FAMILIES, *WORK_FAMILIES) for fact in _of(family, chance)]
    if len(found) < count:
        raise ValueError(f"only {len(found)} facts are known")
    chance.shuffle(found)
    return tuple(Planted(number, *_fields(fact)) for number, fact in enumerate(found[:count]))


_Filled = tuple[Family, str, str]


def _of(family: Family, chance: random.Random) -> list[_Filled]:
    answers = chance.sample(family.answers, len(family.keys))
    return [(family, key, answer) for key, answer in zip(family.keys, answers, strict=True)]


def _fields(fact: _Filled) -> tuple[str, tuple[str, ...], str, str, str]:
    family, key, answer = fact
    texts = tuple(_opened(text.format(key=key, answer=answer)) for text in family.texts)
    return family.project, texts, family.question.format(key=key), key, answer


def _opened(text: str) -> str:
    """With a capital at its beginning, as people write."""
    return text[:1].upper() + text[1:]
