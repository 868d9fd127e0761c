"""Passes that the lively store gives nothing to do, each killed midway and resumed."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from clock import FakeClock
from lively import SETTINGS
from test_boxes import DAY, FERRY, PATIENT
from test_cycle import Killed, comparable
from test_patterns import record
from test_probe import derived_from
from test_reflections import tell
from test_replay import risky, used

from engram import Engram, Scope
from engram.failpoints import arm, disarm
from engram.memory.episodes.outcomes import Failure
from engram.memory.scopes import Principal

_MARKET = (
    "The fish market in Bergen opens before dawn.",
    "The fish market in Bergen sells cod and crab.",
    "The fish market in Bergen was full of people.",
)


def two_courses(engram: Engram, clock: FakeClock) -> None:
    for why in ("disk full", "no route"):
        for _ in range(3):
            record(engram, clock, Failure(why, recoverable=False))
    clock.advance(days=20)


def missing_files(engram: Engram, clock: FakeClock) -> None:
    agent = engram.seen_by(Principal.of(Scope(agent="coder")))
    for name in ("deploy", "release", "restore"):
        agent.remember(f"The {name} script is at /srv/nobody/tools/{name}.sh.")
    clock.advance(days=1)


def diary(engram: Engram, _: FakeClock) -> None:
    tell(engram, 4)


def two_topics(engram: Engram, _: FakeClock) -> None:
    for number, text in enumerate((*FERRY, *_MARKET)):
        engram.observe(text, session=f"s{number}", at=DAY.format(number + 1))
        engram.flush()


def shaken_beliefs(engram: Engram, clock: FakeClock) -> None:
    derived_from(engram, "Ada left for Lyon.", "Ada was seen in Lyon.")
    clock.advance(days=1)
    engram.set_status("mem-0001", "invalidated", reason="it was Paris")
    engram.settle()
    clock.advance(days=20)


def at_risk(engram: Engram, clock: FakeClock) -> None:
    labels = [used(engram, clock, f"We sailed to island {n} by boat.") for n in range(3)]
    risky(engram, clock, labels[-1])


@dataclass(frozen=True)
class Scene:
    """A store in which one pass has something to do."""

    step: str
    fill: Callable[[Engram, FakeClock], None]
    settings: dict[str, object] = field(default_factory=dict)
    nights: int = 1  # the last of them is killed


SCENES = [
    Scene("patterns", two_courses),
    Scene("drift", missing_files),
    Scene("drift", missing_files, nights=2),
    Scene("reflections", diary, {"dreams": {"reflection_bytes": 256}}),
    Scene("boxes", two_topics, PATIENT),
    Scene("probe", shaken_beliefs),
    Scene("replay", at_risk),
]


@pytest.fixture(autouse=True)
def _nothing_stays_armed():
    yield
    disarm()


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: f"{scene.step}-{scene.nights}")
def test_a_pass_killed_at_any_of_its_decisions_ends_like_an_uninterrupted_one(tmp_path, scene):
    clock, settings = FakeClock(), {**SETTINGS, **scene.settings}
    with Engram.open(tmp_path / "store", clock=clock, settings=settings) as engram:
        scene.fill(engram, clock)
        engram.settle()
        for _ in range(scene.nights - 1):
            engram.dream(steps=[scene.step])
            clock.advance(days=2)

    def dreamt(name: str, *kills: tuple[str, int]) -> tuple[str, int]:
        shutil.copytree(tmp_path / "store", tmp_path / name)
        with Engram.open(tmp_path / name, clock=FakeClock(clock.time), settings=settings) as engram:
            for failpoint, place in kills:
                _die_at(failpoint, place)
                with pytest.raises(Killed):
                    engram.dream(steps=[scene.step])
                disarm()
            report = engram.dream(steps=[scene.step])
            assert engram.dream(steps=[scene.step]).decisions == 0
            return comparable(engram), report.decisions

    whole, number = dreamt("whole")
    assert number, "there was nothing to decide"
    for place in range(min(number, 3)):
        assert dreamt(f"before-{place}", ("dream_before_commit", place))[0] == whole
    for place in range(min(number, 3) - 1):
        assert dreamt(f"after-{place}", ("dream_after_decision", place))[0] == whole


def _die_at(failpoint: str, place: int) -> None:
    left = [place]

    def die() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Killed

    arm(failpoint, die)
