"""Triggers: what a situation shows of a skill's features."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.language.names.kinds import EntityType as EntityKind
from engram.memory.situation import Situation
from engram.memory.skills import (
    ContextProperty,
    CustomExtractor,
    EntityType,
    Feature,
    GoalMatches,
    KeywordPresent,
    SemanticSimilarity,
    TriggerPattern,
)
from engram.memory.skills.triggers import Means, likeness, readings, score

HERE = Situation(
    text="Ada Byron wants it in main.py", goal="deploying the services",
    environment={"region": "EU"},
)  # fmt: skip


def value(extractor, situation=HERE, means=None):
    trigger = TriggerPattern(features=(Feature("f", extractor),))
    return readings(trigger, situation, means or Means())[0].value


@pytest.mark.parametrize(
    ("extractor", "expected"),
    [
        (KeywordPresent(("deploy",)), 1.0),
        (KeywordPresent(("service", "never")), 1.0),
        (KeywordPresent(("the service",)), 1.0),
        (KeywordPresent(("service the",)), 0.0),
        (KeywordPresent(("deplore",)), 0.0),
        (EntityType(EntityKind.FILE), 1.0),
        (EntityType(EntityKind.PLACE), 0.0),
        (ContextProperty("region", "eu"), 1.0),
        (ContextProperty("zone", None), 0.0),
        (GoalMatches("deploy a service"), 1.0),
        (GoalMatches("deploy a database"), 0.5),
        (SemanticSimilarity("near", 0.5), 0.7),
        (SemanticSimilarity("far", 0.5), 0.0),
        (SemanticSimilarity("never compared", 0.5), None),
        (CustomExtractor("known"), 1.0),
        (CustomExtractor("unknown"), None),
    ],
)
def test_a_feature_is_read_off_a_situation(extractor, expected):
    extracted = {"known": 7.0}
    means = Means({"near": 0.7, "far": 0.2}, lambda name, situation: extracted.get(name))

    assert value(extractor, HERE, means) == expected


def test_the_score_is_the_weighted_share_of_what_is_there():
    trigger = TriggerPattern(
        features=(
            Feature("a", KeywordPresent(("deploy",)), 3.0),
            Feature("b", KeywordPresent(("database",)), 1.0),
        )
    )

    assert score(readings(trigger, HERE, Means())) == 0.75


def test_what_cannot_be_told_counts_as_not_there():
    trigger = TriggerPattern(
        features=(
            Feature("a", KeywordPresent(("deploy",))),
            Feature("b", CustomExtractor("unknown")),
        )
    )
    found = readings(trigger, HERE, Means())

    assert score(found) == 0.5
    assert found[1].reason == "cannot be checked here: unknown"


def test_without_features_the_description_alone_is_compared():
    trigger = TriggerPattern(description="bring it out")

    assert score(readings(trigger, HERE, Means({"bring it out": 0.8}))) == 0.8
    assert score(readings(trigger, HERE, Means())) == 0.0


@given(st.text("ab c", max_size=20), st.text("ab c", max_size=20))
def test_likeness_by_words_goes_both_ways(one, other):
    assert likeness(one, other) == likeness(other, one)
    assert 0.0 <= likeness(one, other) <= 1.0
