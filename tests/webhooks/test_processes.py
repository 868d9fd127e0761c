"""Deliveries across processes that are killed, and that run side by side."""

import os
import random
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from engram import Engram

TESTS = Path(__file__).parent.parent


@pytest.fixture
def start(store_path):
    """Starts processes that deliver; all are killed in the end."""
    children: list[subprocess.Popen[str]] = []

    def start_one(marker: Path | str = "", skip: int = 0) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "webhooks.child", store_path, str(marker), str(skip)]
        environment = {**os.environ, "PYTHONPATH": str(TESTS)}
        child = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        children.append(child)
        assert child.stdout.readline() == "ready\n"
        return child

    yield start_one
    for child in children:
        child.kill()
        child.communicate()


def remember(engram: Engram, count: int) -> list[str]:
    return [engram.remember(f"Fact number {n} is known.").memory.id for n in range(count)]


def told_first(receiver) -> list[str]:
    """The memories in the order in which they were first told of."""
    return list(dict.fromkeys(each["memory_ids"][0] for each in receiver.documents))


def test_killed_between_sending_and_noting_it_is_sent_again_and_nothing_is_lost(
    store_path, receiver, start, tmp_path
):
    marker = tmp_path / "marker"
    with Engram.open(store_path) as engram:
        engram.add_webhook("n8n", receiver.url)
        made = remember(engram, 6)

        child = start(marker, skip=2)
        while not marker.exists():
            time.sleep(0.01)
        child.kill()
        child.wait()
        before = len(receiver.got)
        engram.deliver_due()

    ids = [each["id"] for each in receiver.documents]
    assert before == 3
    assert ids[2] == ids[3]  # the same delivery, so that a receiver can tell
    assert told_first(receiver) == made
    assert len(ids) == len(made) + 1


def test_killed_at_any_time_every_change_arrives_at_least_once_and_in_order(
    store_path, receiver, start
):
    chance = random.Random(os.environ.get("ENGRAM_SEED", "7"))
    receiver.seconds = 0.004
    with Engram.open(store_path) as engram:
        engram.add_webhook("n8n", receiver.url)
        made = remember(engram, 60)

        for kill in range(3):
            child = start()
            receiver.wait_for(len(receiver.got) + 3 if kill else 3)
            time.sleep(chance.uniform(0, 0.03))
            child.kill()
            child.wait()
        while len(told_first(receiver)) < len(made):
            engram.deliver_due()

    assert told_first(receiver) == made
    assert len(receiver.got) <= len(made) + 3  # again only what was under way


def test_two_processes_never_deliver_at_once_and_nothing_twice(store_path, receiver, start):
    receiver.seconds = 0.003
    with Engram.open(store_path) as engram:
        engram.add_webhook("n8n", receiver.url)
        start()
        start()
        made = remember(engram, 80)
        receiver.wait_for(len(made))
        time.sleep(0.1)

    spans = sorted((each.began, each.ended) for each in receiver.got)
    assert [each["memory_ids"][0] for each in receiver.documents] == made
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
