"""Settings: one place, every number documented; file < environment < arguments."""

import dataclasses
import itertools
import os
import stat
import time
from pathlib import Path

import pytest
from clock import FakeClock

from engram import Engram, Scope
from engram.errors import ConfigInvalid, EngramError, SearchTimeout, StoreBusy
from engram.settings import (
    SECTIONS,
    LiveSettings,
    Settings,
    build_settings,
    read_file,
    setting_rules,
    write_setting,
)
from engram.storage.sqlite import database

RULES = setting_rules()
NUMBERS = [key for key, (default, _) in RULES.items() if type(default) in (int, float)]


def _config(path: Path, text: str) -> Path:
    path.mkdir(mode=0o700, exist_ok=True)
    (path / "config.toml").write_text(text, encoding="utf-8")
    return path


def _nested(key: str, value: object) -> dict[str, dict[str, object]]:
    section, name = key.split(".")
    return {section: {name: value}}


def test_arguments_win_over_the_environment_and_that_over_the_file(
    open_store, store_path, monkeypatch
):
    _config(store_path, "[recall]\nlimit = 1\ncandidates = 1\ntimeout_seconds = 1.0\n")
    monkeypatch.setenv("ENGRAM_RECALL__LIMIT", "2")
    monkeypatch.setenv("ENGRAM_RECALL__CANDIDATES", "2")

    engram = open_store(settings={"recall": {"limit": 3}})

    recall = engram.settings.recall
    assert (recall.limit, recall.candidates, recall.timeout_seconds) == (3, 2, 1.0)
    assert recall.max_query_bytes == 16_384
    origins = {row.key: row.origin for row in engram._parts.settings.rows()}
    assert origins["recall.limit"] == "argument"
    assert origins["recall.candidates"] == "environment"
    assert origins["recall.timeout_seconds"] == "file"
    assert origins["recall.max_query_bytes"] == "default"


def test_every_setting_has_a_meaning_and_a_default_that_is_allowed():
    for key, (default, rule) in RULES.items():
        assert rule.meaning.endswith("."), key
        assert build_settings(_nested(key, default)) == Settings(), key
        if key in NUMBERS:
            assert rule.low is not None, key
            assert rule.high is not None, key
            assert rule.low <= default <= rule.high, key


def test_the_sections_hold_every_option_of_every_package():
    assert {field.name for field in dataclasses.fields(Settings)} == {
        *SECTIONS,
        "models",
        "registry",
        "templates",
    }


@pytest.mark.parametrize("key", NUMBERS)
def test_a_number_outside_its_range_names_the_setting(key):
    _, rule = RULES[key]

    bad = [
        rule.low - 1, rule.high + 1, "many", None, True, [1], float("nan"), float("inf"), "inf",
        "nan", "", {},
    ]  # fmt: skip
    for value in bad:
        with pytest.raises(ConfigInvalid) as caught:
            build_settings(_nested(key, value))
        assert f"`{key}`" in caught.value.hint, value


@pytest.mark.parametrize("key", [key for key in NUMBERS if type(RULES[key][0]) is int])
def test_a_whole_number_is_not_rounded(key):
    with pytest.raises(ConfigInvalid):
        build_settings(_nested(key, RULES[key][0] + 0.5))


@pytest.mark.parametrize(
    ("key", "bad"),
    [
        ("lifecycle.retention_mode", "linear"), ("security.read_audit", "sometimes"),
        ("capture.hold_curated", "perhaps"), ("capture.hold_curated", 1),
        ("capture.default_category", "nonsense"), ("capture.default_category", 5),
    ],
)  # fmt: skip
def test_a_bad_word_names_the_setting(key, bad):
    with pytest.raises(ConfigInvalid) as caught:
        build_settings(_nested(key, bad))

    assert key in caught.value.hint


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"nonsense": {"x": 1}}, "nonsense"), ({"recall": {"nonsense": 1}}, "recall.nonsense"),
        ({"recall": 5}, "recall"), ({"recall": {"Limit": 1}}, "recall.Limit"),
        ({"capture": {"max_input_bytes": 2000}}, "capture.max_input_bytes"),
    ],
)  # fmt: skip
def test_an_unknown_or_unfitting_key_is_named(values, named):
    with pytest.raises(ConfigInvalid) as caught:
        build_settings(values)

    assert named in caught.value.hint


def test_an_unknown_name_in_the_environment_is_an_error(monkeypatch, clock):
    monkeypatch.setenv("ENGRAM_RECALL__NONSENSE", "1")

    with pytest.raises(ConfigInvalid) as caught:
        Engram.open(":memory:", clock=clock)

    assert "ENGRAM_RECALL__NONSENSE" in caught.value.hint


@pytest.mark.parametrize(
    "text", ["[recall", "limit = ", "[recall]\nlimit = inf\n", "\x00", "[recall]\nlimit = nan\n"]
)
def test_a_bad_file_is_an_error_and_makes_no_store(open_store, store_path, text):
    _config(store_path, text)

    with pytest.raises(ConfigInvalid):
        open_store()

    assert [entry.name for entry in store_path.iterdir()] == ["config.toml"]


def test_a_file_that_is_not_utf8_is_an_error(open_store, store_path):
    store_path.mkdir()
    (store_path / "config.toml").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(ConfigInvalid):
        open_store()


def _wait_until(condition, seconds: float = 4.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False


def test_a_change_of_the_file_reaches_a_running_engram(open_store, store_path):
    engram = open_store()
    engram.remember_many([f"zebra {i}" for i in range(20)])
    assert len(engram.recall("zebra")) == 10

    write_setting(store_path / "config.toml", "recall.limit", "3")

    assert _wait_until(lambda: len(engram.recall("zebra")) == 3)


def test_a_broken_change_is_not_put_in_force_and_health_says_so(open_store, store_path):
    _config(store_path, "[recall]\nlimit = 4\n")
    engram = open_store()

    (store_path / "config.toml").write_text("[recall]\nlimit = 0\n")

    assert _wait_until(lambda: any(check.name == "settings" for check in engram.health().checks))
    assert engram.settings.recall.limit == 4
    assert engram.health().status == "warning"
    (store_path / "config.toml").write_text("[recall]\nlimit = 5\n")
    assert _wait_until(lambda: engram.settings.recall.limit == 5)
    assert engram.health().status == "ok"


def test_a_file_that_is_infinite_is_not_put_in_force_either(store_path):
    _config(store_path, "[recall]\nlimit = 4\n")
    live = LiveSettings(store_path / "config.toml")

    (store_path / "config.toml").write_text("[recall]\nlimit = inf\n")
    time.sleep(0.6)

    assert live.current.recall.limit == 4
    assert live.problem


def test_writing_a_setting_keeps_comments_and_the_rest(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text(
        "# my settings\n\n[recall]\n# how many\nlimit = 5\ncandidates = 70\n\n"
        "[categories.gossip]\nhorizon = \"12h\"\n"
    )  # fmt: skip

    write_setting(file, "recall.limit", "7")
    write_setting(file, "storage.backups_kept", "9")
    write_setting(file, "lifecycle.retention_mode", "l2")
    write_setting(file, "capture.hold_curated", "false")

    text = file.read_text()
    assert "# my settings" in text
    assert "# how many" in text
    settings = build_settings(read_file(file))
    assert settings.recall.limit == 7
    assert settings.recall.candidates == 70
    assert settings.storage.backups_kept == 9
    assert settings.lifecycle.retention_mode == "l2"
    assert settings.capture.hold_curated is False
    assert settings.registry.find("gossip").horizon == "12h"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["config.toml"]


def test_a_setting_can_be_taken_out_again(tmp_path):
    file = tmp_path / "config.toml"
    write_setting(file, "recall.limit", "7")

    write_setting(file, "recall.limit", None)
    write_setting(file, "storage.backups_kept", None)

    assert build_settings(read_file(file)) == Settings()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("recall.limit", "0"), ("recall.nonsense", "1"), ("nonsense.limit", "1"),
        ("recall.limit", "many"), ("capture.default_category", "nonsense"), ("recall.limit", "inf"),
    ],
)  # fmt: skip
def test_a_bad_setting_is_refused_before_the_file_is_touched(tmp_path, key, value):
    file = tmp_path / "config.toml"
    file.write_text("[recall]\nlimit = 5\n")

    with pytest.raises(ConfigInvalid):
        write_setting(file, key, value)

    assert file.read_text() == "[recall]\nlimit = 5\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["config.toml"]


@pytest.mark.parametrize(
    "text", ["[recall] # mine\nlimit = 5\n", "recall.limit = 5\n", "[recall]\n  limit = 5\n"]
)
def test_a_setting_is_written_however_the_file_is_laid_out(tmp_path, text):
    file = tmp_path / "config.toml"
    file.write_text(text)

    write_setting(file, "recall.limit", "7")

    assert build_settings(read_file(file)).recall.limit == 7


def test_writing_into_a_broken_file_is_a_typed_error(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text("[recall\n")

    with pytest.raises(ConfigInvalid):
        write_setting(file, "recall.limit", "7")

    assert file.read_text() == "[recall\n"


# each setting has an effect


@pytest.fixture
def open_with(clock: FakeClock):
    opened = []

    def open_it(key: str, value: object) -> Engram:
        opened.append(Engram.open(":memory:", clock=clock, settings=_nested(key, value)))
        return opened[-1]

    yield open_it
    for each in opened:
        each.close()


def test_capture_settings_have_an_effect(open_with, clock):
    usual = open_with("capture.default_importance", 0.2).remember("x").memory.base_importance
    assert open_with("capture.default_importance", 0.8).remember("x").memory.base_importance > usual
    assert open_with("capture.default_category", "fact").remember("x").memory.category == "fact"
    with pytest.raises(EngramError), Engram.open(
        ":memory:", clock=clock,
        settings={"capture": {"max_input_bytes": 1024, "max_content_bytes": 512}},
    ) as small:  # fmt: skip
        small.remember("x" * 1025)
    split = open_with("capture.max_content_bytes", 256).remember("word " * 20 + "x " * 100)
    assert len(split.parts) == 2
    trusting = open_with("capture.hold_curated", False)
    assert trusting.remember("x", category="identity", source="web:x").kind == "stored"


def test_recall_settings_have_an_effect(open_with):
    facts = [f"zebra {i}" for i in range(30)]
    limited = open_with("recall.limit", 3)
    limited.remember_many(facts)
    assert len(limited.recall("zebra")) == 3
    few = open_with("recall.candidates", 5)
    few.remember_many(facts)
    assert len(few.recall("zebra", budget=10_000)) == 5
    reduced = open_with("recall.in_memory", False)
    reduced.remember("zebra")
    assert reduced.recall("zebra").level == "reduced"
    short = open_with("recall.max_query_bytes", 256)
    assert short.recall("x" * 256).degraded == short.recall("x").degraded
    assert short.recall("x" * 257).degraded[0] == "question: only its first 256 bytes were read"


@pytest.mark.parametrize(
    "name", ["trust_weight", "freshness_weight", "importance_weight", "affect_weight"]
)
def test_every_weight_of_recall_moves_a_score(open_with, clock, name):
    scores = []
    for value in (0.0, 0.5):
        engram = open_with(f"recall.{name}", value)
        engram.remember("A zebra lion.", source="web:x", importance=0.9)
        engram.remember("I am furious and terrified that a zebra bit me, I hate it!!!")
        clock.advance(days=200)
        scores.append([hit.score for hit in engram.recall("Which zebra does the user hate?")])
        clock.advance(days=-200)

    assert scores[0] != scores[1]


def test_a_question_waits_for_what_was_said_just_now_if_it_may(open_with):
    waiting, hasty = open_with("recall.wait_seconds", 5.0), open_with("recall.wait_seconds", 0.0)
    for engram in (waiting, hasty):
        engram._parts.embedding.wake = lambda: None
        engram.remember("A zebra.")

    assert waiting.recall("zebra").level == "full"
    assert hasty.recall("zebra").degraded == ("meaning: nothing is embedded yet",)


def test_a_search_that_takes_too_long_is_given_up(open_store, monkeypatch):
    engram = open_store(settings={"recall": {"timeout_seconds": 0.5}})
    engram.remember_many([f"zebra lion tiger bear {i} " * 5 for i in range(2000)])
    seconds = itertools.count()  # a clock on which every look takes a second
    monkeypatch.setattr(database.time, "monotonic", lambda: float(next(seconds)))

    with pytest.raises(SearchTimeout):
        engram.recall("zebra lion tiger bear", limit=2000)


def test_lifecycle_settings_have_an_effect(open_with, clock):
    freshness = []
    for mode in ("l2", "huber", "elastic"):
        engram = open_with("lifecycle.retention_mode", mode)
        engram.remember("zebra")
        later = clock() + (clock() - clock())
        freshness.append(engram.recall("zebra", now=later.replace(month=4)).hits[0].trust.freshness)
    assert len(set(freshness)) == 3
    engram = open_with("lifecycle.spacing_minutes", 0.0)
    engram.remember("zebra")
    for _ in range(3):
        engram.recall("zebra")
    engram.settle()
    assert engram.get("mem-0001").usage.spaced_accesses == 3


def test_storage_settings_have_an_effect(open_store, tmp_path, clock):
    engram = open_store(settings={"storage": {"cache_kilobytes": 777, "backups_kept": 2}})
    engram.remember("x")
    connection = engram._parts.place._connect(False)
    assert connection.pragma("cache_size") == -777
    connection.close()
    for _ in range(4):
        clock.advance(seconds=1)
        engram.backup()
    assert len(list(engram._parts.place.folder.backups.glob("*.db"))) == 2


@pytest.mark.parametrize(("pages", "is_folded"), [(100, True), (100_000, False)])
def test_a_long_log_is_folded_back_into_the_file(open_store, store_path, pages, is_folded):
    engram = open_store(settings={"storage": {"checkpoint_pages": pages}})
    empty = (store_path / "engram.db").stat().st_size

    for number in range(60):
        engram.remember(f"zebra {number} " + "x" * 500)

    assert ((store_path / "engram.db").stat().st_size > empty) == is_folded


def test_more_writers_than_may_wait_are_told_to_come_back(open_store):
    engram = open_store(
        settings={"storage": {"max_waiting_writers": 1, "busy_timeout_seconds": 0.2}}
    )
    engram.remember("x")
    with engram._store.database.writing():
        started = time.monotonic()
        with pytest.raises(StoreBusy):
            engram.remember("y")
        assert time.monotonic() - started < 5

    assert [memory.content for memory in engram.list()] == ["x"]


def test_security_settings_have_an_effect(tmp_path, clock):
    for days, expected in ((0, False), (7, True)):
        path = tmp_path / str(days)
        with Engram.open(path, clock=clock, settings={"security": {"log_days": days}}):
            pass
        assert (path / "logs").exists() is expected
    old = tmp_path / "7" / "logs" / "2020-01-01.log"
    old.touch()
    with Engram.open(tmp_path / "7", clock=clock):
        assert not old.exists()
    with Engram.open(
        ":memory:", clock=clock, settings={"security": {"ring_entries": 10}}
    ) as engram:
        for _ in range(25):
            engram.list()
        assert len(engram._parts.access_log.recent()) == 10


def test_custom_categories_join_the_registry(clock):
    settings = {
        "categories": {
            "recipe": {
                "risk_tier": 3, "layer": "procedural", "type": "procedure", "horizon": "never",
                "protected": True, "aliases": ["dish"],
            }
        }
    }  # fmt: skip
    with Engram.open(":memory:", clock=clock, settings=settings) as engram:
        memory = engram.remember("Boil the eggs.", category="dish").memory

        assert (memory.category, memory.layer, memory.memory_type, memory.horizon) == (
            "recipe", "procedural", "procedure", None,
        )  # fmt: skip
        assert engram.remember("x", category="recipe", source="web:x").kind == "held"


@pytest.mark.parametrize(
    "table",
    [
        {"fact": {}}, {"mine": {"aliases": ["likes"]}}, {"Mine": {}}, {"mine": {"risk_tier": 4}},
        {"mine": {"horizon": "soon"}}, {"mine": {"layer": "deep"}}, {"mine": {"colour": "red"}},
        {"mine": 5}, {"mine": {"aliases": "one"}},
    ],
)  # fmt: skip
def test_a_bad_custom_category_is_an_error_that_names_it(table):
    with pytest.raises(ConfigInvalid) as caught:
        build_settings({"categories": table})

    assert caught.value.hint


def test_where_the_store_lies_without_a_path(monkeypatch, tmp_path, clock):
    monkeypatch.setenv("ENGRAM_STORE", str(tmp_path / "mine"))

    with Engram.open(clock=clock) as engram:
        engram.remember("here", scope=Scope("acme"))

    assert (tmp_path / "mine" / "engram.db").exists()
    assert os.environ["ENGRAM_STORE"] == str(tmp_path / "mine")
