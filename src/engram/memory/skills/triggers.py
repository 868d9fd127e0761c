"""When a skill fits: features of a situation, each with its weight, and how they are read."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import assert_never

from engram.errors import InvalidInput
from engram.language.lexicon import COMMON_WORDS
from engram.language.names.kinds import EntityType as EntityKind
from engram.language.names.mentions import find_mentions
from engram.language.stems import stem
from engram.memory.jsons import Json
from engram.memory.record import check_share
from engram.memory.situation import Situation
from engram.memory.skills.conditions import TEXT_BYTES, is_equal
from engram.text.strings import checked_name, checked_text, folded

THRESHOLD = 0.6
_MOST_FEATURES = 50
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class KeywordPresent:
    """One of these words or phrases stands in the situation, in whatever form."""

    keywords: tuple[str, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.keywords) <= _MOST_FEATURES:
            raise InvalidInput(hint=f"`keywords` holds 1 to {_MOST_FEATURES} of them.")
        for keyword in self.keywords:
            checked_name(keyword, name="keyword")
            if not stems(keyword):
                raise InvalidInput(hint="A keyword has a letter or a digit.")


@dataclass(frozen=True, slots=True)
class EntityType:
    """The situation names something of this sort: a person, a file, a service."""

    kind: EntityKind


@dataclass(frozen=True, slots=True)
class ContextProperty:
    """The environment tells this under the key."""

    key: str
    expected: Json

    def __post_init__(self) -> None:
        checked_name(self.key, name="key")


@dataclass(frozen=True, slots=True)
class GoalMatches:
    """The goal is about this; as far as its words are there."""

    goal: str

    def __post_init__(self) -> None:
        checked_text(self.goal, name="goal", max_bytes=TEXT_BYTES)


@dataclass(frozen=True, slots=True)
class SemanticSimilarity:
    """The situation means something like this."""

    description: str
    threshold: float = 0.5

    def __post_init__(self) -> None:
        checked_text(self.description, name="description", max_bytes=TEXT_BYTES)
        check_share(self.threshold, name="threshold")


@dataclass(frozen=True, slots=True)
class CustomExtractor:
    """A reading of the caller's own, registered in code under this name."""

    name: str

    def __post_init__(self) -> None:
        checked_name(self.name, name="name")


Extractor = (
    KeywordPresent
    | EntityType
    | ContextProperty
    | GoalMatches
    | SemanticSimilarity
    | CustomExtractor
)


@dataclass(frozen=True, slots=True)
class Feature:
    """One thing to look for; `importance` is its weight among the others."""

    name: str
    extractor: Extractor
    importance: float = 1.0

    def __post_init__(self) -> None:
        checked_name(self.name, name="name")
        if not 0.0 < self.importance <= 100.0:
            raise InvalidInput(hint="`importance` is a number above 0, at most 100.")


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerPattern:
    """When a skill fits: the weighted share of its features that a situation shows.

    Without features the description alone is compared, by meaning.
    """

    features: tuple[Feature, ...] = ()
    threshold: float = THRESHOLD
    description: str | None = None

    def __post_init__(self) -> None:
        check_share(self.threshold, name="threshold")
        if len(self.features) > _MOST_FEATURES:
            raise InvalidInput(hint=f"A trigger has at most {_MOST_FEATURES} features.")
        if len({each.name for each in self.features}) < len(self.features):
            raise InvalidInput(hint="Two features have the same name.")
        if self.description is not None:
            checked_text(self.description, name="description", max_bytes=TEXT_BYTES)
        elif not self.features:
            raise InvalidInput(hint="A trigger has features, or a description.")


@dataclass(frozen=True, slots=True)
class FeatureReading:
    """How much of one feature a situation shows; None: that cannot be told here."""

    feature: Feature
    value: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Means:
    """What features need beyond the situation."""

    # How near the situation is to each text; none: nothing can be compared.
    similarity: Mapping[str, float] = field(default_factory=dict)
    # What a registered extractor reads; None when it is not known here or cannot say.
    extract: Callable[[str, Situation], float | None] = lambda _name, _situation: None
    compared_by: str = "meaning"  # or by words, where nobody embeds
    told: str = ""  # the situation in words, where many are held against one


def readings(
    trigger: TriggerPattern, situation: Situation, means: Means
) -> tuple[FeatureReading, ...]:
    """What a situation shows of each feature."""
    told = means.told or situation.summary
    return tuple(_reading(feature, situation, told, means) for feature in _features(trigger))


def _features(trigger: TriggerPattern) -> tuple[Feature, ...]:
    if trigger.features or trigger.description is None:
        return trigger.features
    return (Feature("description", SemanticSimilarity(trigger.description, 0.0)),)


def score(found: tuple[FeatureReading, ...]) -> float:
    """The weighted share of features that are there; what cannot be told counts as not there."""
    whole = sum(each.feature.importance for each in found)
    there = sum(each.feature.importance * (each.value or 0.0) for each in found)
    return there / whole if whole else 0.0


def compared_texts(trigger: TriggerPattern) -> tuple[str, ...]:
    """The texts whose meaning is to be compared with the situation's."""
    extractors = (feature.extractor for feature in _features(trigger))
    return tuple(each.description for each in extractors if isinstance(each, SemanticSimilarity))


def _reading(feature: Feature, situation: Situation, told: str, means: Means) -> FeatureReading:
    value, reason = _read(feature.extractor, situation, told, means)
    return FeatureReading(feature, None if value is None else min(1.0, max(0.0, value)), reason)


def _read(
    extractor: Extractor, situation: Situation, told: str, means: Means
) -> tuple[float | None, str]:
    match extractor:
        case KeywordPresent(keywords):
            found = [each for each in keywords if is_told(each, told)]
            named = ", ".join(found or keywords)
            return (1.0, f"names {named}") if found else (0.0, f"does not name {named}")
        case EntityType(kind):
            is_named = any(each.type is kind for each in find_mentions(told))
            return float(is_named), f"names a {kind}" if is_named else f"names no {kind}"
        case ContextProperty(key, expected):
            is_so = key in situation.environment and is_equal(situation.environment[key], expected)
            return float(is_so), f"{key} is {'' if is_so else 'not '}{expected}"
        case GoalMatches(goal):
            share = _share_told(goal, situation.goal or situation.text)
            return share, f"the goal shares {share:.0%} of: {goal}"
        case SemanticSimilarity(description, threshold):
            return _likeness(description, threshold, means)
        case CustomExtractor(name):
            value = means.extract(name, situation)
            return value, f"{name} reads {value:.2f}" if value is not None else _UNCHECKED + name
        case _:
            assert_never(extractor)


def _likeness(description: str, threshold: float, means: Means) -> tuple[float | None, str]:
    near = means.similarity.get(description)
    if near is None:
        return None, _UNCHECKED + "meaning"
    is_near = near >= threshold
    return (near if is_near else 0.0), f"{near:.2f} like, by {means.compared_by}: {description}"


def is_told(phrase: str, text: str) -> bool:
    """Whether the words of a phrase stand in a text next to each other, in whatever form."""
    wanted, there = _sequence(phrase), _sequence(text)
    size = len(wanted)
    return any(there[start : start + size] == wanted for start in range(len(there) - size + 1))


def stems(text: str) -> frozenset[str]:
    """The words of a text without their endings."""
    return frozenset(_sequence(text))


def telling_stems(text: str) -> frozenset[str]:
    """The same without words that any text may hold."""
    words = _WORD.findall(folded(text))
    return frozenset(stem(word) for word in words if word not in COMMON_WORDS)


def likeness(one: str, other: str) -> float:
    """How many telling words two texts share: what meaning is told by without an embedder."""
    first, second = telling_stems(one), telling_stems(other)
    both = len(first) + len(second)
    return 2 * len(first & second) / both if both else 0.0


@lru_cache(maxsize=4_096)
def _sequence(text: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in _WORD.findall(folded(text)))


def _share_told(wanted: str, text: str) -> float:
    asked = telling_stems(wanted) or stems(wanted)
    return len(asked & stems(text)) / len(asked) if asked else 0.0


_UNCHECKED = "cannot be checked here: "
