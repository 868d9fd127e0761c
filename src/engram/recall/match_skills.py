"""Which skills fit a situation: by their features, their preconditions and how they went."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engram.errors import EngramError
from engram.memory.situation import Situation
from engram.memory.skills.conditions import CustomCheck, Verdict, report
from engram.memory.skills.known import KnownSkill, SkillMatch
from engram.memory.skills.skill import Skill
from engram.memory.skills.triggers import (
    FeatureReading,
    Means,
    compared_texts,
    likeness,
    readings,
    score,
)
from engram.memory.status import RECALLABLE
from engram.recall.embed_question import Embeds, in_time
from engram.recall.known_triggers import KnownTriggers
from engram.storage.reader import StoreReader
from engram.storage.skills import SkillOutline

RELIABLE = 0.8  # above this rate a skill is offered though a precondition fails, and says so
_MOST_LOOKED_AT = 50
# The usual faults of a predicate of the caller's own leave the question open. What it raises on
# purpose, in a class of its own, reaches the caller.
_THEIR_FAULTS = (
    ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError,
)  # fmt: skip

CheckFunction = Callable[[Situation], bool]
ExtractorFunction = Callable[[Situation], float]


@dataclass(frozen=True, slots=True)
class Registered:
    """What the caller's program knows by name; never stored, so each process registers its own."""

    checks: dict[str, CheckFunction] = field(default_factory=dict)
    extractors: dict[str, ExtractorFunction] = field(default_factory=dict)

    def extract(self, name: str, situation: Situation) -> float | None:
        """What an extractor reads; None when it is not known here or cannot say."""
        function = self.extractors.get(name)
        try:
            value = float(function(situation)) if function else None
        except _THEIR_FAULTS:
            return None
        return None if value is None or value != value else value

    def holds(self, name: str, situation: Situation) -> bool | None:
        """What a check says; None when it is not known here or cannot say."""
        function = self.checks.get(name)
        try:
            return bool(function(situation)) if function else None
        except _THEIR_FAULTS:
            return None


@dataclass(frozen=True, slots=True)
class Fit:
    """A skill that shows something of a situation."""

    outline: SkillOutline
    found: tuple[FeatureReading, ...]
    checked: Mapping[str, bool | None]  # what its custom checks say


@dataclass(frozen=True, slots=True)
class _Means:
    """What preconditions are checked with, while the store is open."""

    see: StoreReader
    checked: Mapping[str, bool | None]

    def is_believed(self, memory_id: str) -> bool | None:
        memory = self.see.memory(memory_id)
        return None if memory is None else memory.status in RECALLABLE

    def holds(self, name: str, _situation: Situation) -> bool | None:
        return self.checked.get(name)


def nearest(outlines: Iterable[SkillOutline]) -> list[SkillOutline]:
    """Those that may be followed: of one name the nearest, none that was retired or is held."""
    found: dict[str, SkillOutline] = {}
    for each in outlines:
        known = found.get(each.skill.key)
        is_nearer = known is None or len(each.scope.path) > len(known.scope.path)
        if each.status in RECALLABLE and is_nearer:
            found[each.skill.key] = each
    return list(found.values())


def similarities(
    situation: Situation,
    outlines: Iterable[SkillOutline],
    embedder: Embeds | None,
    known: KnownTriggers,
    seconds: float,
) -> tuple[dict[str, float], str]:
    """How near a situation is to each text that skills compare it with, and by what that was told.

    By meaning; where nobody can embed in time, by the words they share. What skills compare with is
    embedded once: then the situation alone is.
    """
    compared = {
        (each.number, text): None
        for each in outlines
        for text in compared_texts(each.skill.trigger)
    }
    told = situation.summary
    if not compared or not told:
        return {}, ""
    if embedder is not None:
        try:
            return in_time(lambda: _by_meaning(told, compared, embedder, known), seconds), "meaning"
        except (TimeoutError, EngramError):
            pass
    return {text: likeness(told, text) for _, text in compared}, "words"


def _by_meaning(
    told: str, compared: Iterable[tuple[int, str]], embedder: Embeds, known: KnownTriggers
) -> dict[str, float]:
    """Kept here and not by who waits: what is late this time is there the next."""
    found = known.find(embedder.identity, compared)
    missing = [(number, text) for number, text in compared if text not in found]
    texts = list(dict.fromkeys(text for _, text in missing))
    asked, *made = embedder.embed([told, *texts])
    found.update(zip(texts, made, strict=True))
    for number, text in missing:
        known.keep(embedder.identity, number, text, found[text])
    return {text: float(vector @ asked) for text, vector in found.items()}


def fitting(
    outlines: Sequence[SkillOutline],
    situation: Situation,
    registered: Registered,
    near: tuple[Mapping[str, float], str],
) -> list[Fit]:
    """The skills that show anything of a situation, the most first; the store is not asked.

    Whatever the caller registered is asked here, where it holds nothing up.
    """
    means = Means(near[0], registered.extract, near[1], situation.summary)
    fits = [(each, readings(each.skill.trigger, situation, means)) for each in outlines]
    shown = [(each, found) for each, found in fits if score(found) > 0.0]
    shown.sort(key=lambda pair: (-score(pair[1]), pair[0].number))
    return [
        Fit(each, found, _checked(each.skill, situation, registered))
        for each, found in shown[:_MOST_LOOKED_AT]
    ]


def matches(
    see: StoreReader, fits: Sequence[Fit], situation: Situation, *, limit: int
) -> list[SkillMatch]:
    """The skills that fit, best first: how well they fit times how often they work."""
    stored = see.skills.listed(each.outline.number for each in fits)
    # One that was changed since it was looked at is left out.
    unchanged = [
        (fit, one)
        for fit in fits
        if (one := stored.get(fit.outline.number)) and one.skill == fit.outline.skill
    ]
    known = see.skills.all_known(one for _, one in unchanged)
    found = [
        matched
        for (fit, _), each in zip(unchanged, known, strict=True)
        if (matched := _match(each, fit, situation, _Means(see, fit.checked))) is not None
    ]
    found.sort(key=lambda each: (-each.score, -each.match_score, each.skill.memory.number))
    return found[:limit]


def _match(known: KnownSkill, fit: Fit, situation: Situation, means: _Means) -> SkillMatch | None:
    found = _reweighed(fit.found, known.current)
    fits = score(found)
    if fits < known.current.trigger.threshold:
        return None
    reports = tuple(report(each, situation, means) for each in known.current.preconditions)
    is_barred = any(each.verdict is Verdict.FAILED for each in reports)
    if is_barred and known.stats.success_rate <= RELIABLE:
        return None
    return SkillMatch(
        skill=known,
        match_score=fits,
        score=fits * known.stats.success_rate,
        features=found,
        preconditions=reports,
    )


def _reweighed(found: tuple[FeatureReading, ...], skill: Skill) -> tuple[FeatureReading, ...]:
    """The readings with the weights that features have by now."""
    weights = {each.name: each for each in skill.trigger.features}
    return tuple(
        FeatureReading(weights.get(each.feature.name, each.feature), each.value, each.reason)
        for each in found
    )


def _checked(skill: Skill, situation: Situation, registered: Registered) -> dict[str, bool | None]:
    checks = (each.check for each in skill.preconditions)
    names = {each.name for each in checks if isinstance(each, CustomCheck)}
    return {name: registered.holds(name, situation) for name in sorted(names)}
