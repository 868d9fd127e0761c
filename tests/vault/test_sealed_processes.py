"""Protected memories written by several processes at once, and by processes that are killed."""

import shutil
import subprocess
import sys

import pytest

from engram import Engram
from vault.sealed import holding

WRITER = """
import sys
from engram import Engram
with Engram.open(sys.argv[1]) as engram:
    for number in range(15):
        engram.remember(
            f"the quokkahouse code of writer {sys.argv[2]} number {number} is xyzzy{number}",
            secrecy=("sensitive", "confidential")[number % 2], subject=f"person {number % 3}",
        )
"""
KILLED = """
import os, sys
from engram import Engram
from engram.failpoints import arm
with Engram.open(sys.argv[1]) as engram:
    arm(sys.argv[2], lambda: os.kill(os.getpid(), 9))
    engram.remember("the quokkahouse key lies here", secrecy="confidential", subject="Ada")
"""
RAISED = """
import os, sys
from engram import Engram
from engram.failpoints import arm
with Engram.open(sys.argv[1]) as engram:
    arm(sys.argv[2], lambda: os.kill(os.getpid(), 9))
    engram.set_tier("mem-0001", "confidential")
"""


def run(program, *arguments):
    return subprocess.Popen([sys.executable, "-c", program, *map(str, arguments)])


def test_four_processes_seal_for_the_same_people_and_all_of_it_can_be_read(tmp_path):
    path = tmp_path / "store"
    Engram.open(path).close()
    writers = [run(WRITER, path, number) for number in range(4)]
    assert [each.wait(timeout=120) for each in writers] == [0] * 4

    with Engram.open(path) as engram:
        told = [memory.content for memory in engram.list(limit=200)]
        assert len(told) == 60
        assert all("quokkahouse" in text for text in told)
        assert len(engram._parts.place.vault.people()) == 3
        assert engram.doctor().is_fine
    assert holding(path, "quokkahouse", "xyzzy") == []


@pytest.mark.parametrize(
    "point",
    ["vault_before_placing", "vault_before_key", "after_row_before_index", "before_commit",
     "after_commit"],
)  # fmt: skip
def test_killed_while_sealing_the_memory_is_whole_or_not_there(tmp_path, point):
    path = tmp_path / "store"
    with Engram.open(path) as engram:
        engram.remember("an open word")
    assert run(KILLED, path, point).wait(timeout=60) == -9

    with Engram.open(path) as engram:
        told = {memory.content for memory in engram.list()}
        assert told - {"the quokkahouse key lies here"} == {"an open word"}
        assert ("the quokkahouse key lies here" in told) is (point == "after_commit")
        assert engram.doctor().is_fine
        again = engram.remember("the quokkahouse key lies here", secrecy="confidential")
        assert again.memory.content == "the quokkahouse key lies here"
    assert holding(path, "quokkahouse") == []


@pytest.mark.parametrize("point", ["before_commit", "after_commit"])
def test_killed_while_its_tier_is_raised_a_memory_is_all_open_or_all_sealed(tmp_path, point):
    path = tmp_path / "store"
    with Engram.open(path) as engram:
        engram.remember("the quokkahouse key lies here")
    assert run(RAISED, path, point).wait(timeout=60) == -9

    with Engram.open(path) as engram:
        memory = engram.get("mem-0001")
        assert memory.content == "the quokkahouse key lies here"
        assert memory.secrecy == ("confidential" if point == "after_commit" else "cleartext")
        assert engram.doctor().is_fine
        engram.set_tier("mem-0001", "confidential")
    # A backup from before holds what was open then: it has to be the store as it was.
    shutil.rmtree(path / "backups")
    assert holding(path, "quokkahouse", "quokkahous") == []
