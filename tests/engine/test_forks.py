"""A process that forks in the middle of a turn: the child shares no session of its parent."""

import json
import subprocess
import sys

import pytest

PROGRAM = """
import json, os, sys, threading, warnings
warnings.simplefilter("ignore")  # to fork with threads at work is what is tried
from engram import Engram
from engram.errors import TurnRunning

def held(engram):
    parts = engram._parts
    try:
        with engram.turn("s", model="gpt-4o") as turn:
            turn.build("Which package manager do I prefer?")
            taken = False
    except TurnRunning:
        taken = True
    own = engram.turn("s", model="gpt-4o")
    return {
        "taken": taken, "tools": own.tools.get("weather", lambda: "asked anew"),
        "sessions": len(parts.running_turns),
    }

with Engram.open(sys.argv[1]) as engram:
    engram.remember("I prefer pnpm.")
    turn = engram.turn("s", model="gpt-4o").__enter__()
    turn.build("Hello.")
    turn.tools.get("weather", lambda: "sunny")
    parts = engram._parts
    windows = len(parts.windows)

    # A thread is in the middle of each table when the process forks.
    tables = [
        parts.running_turns._running, parts.tool_caches._kept, parts.windows._standing,
        parts.known_questions._vectors,
    ]
    inside, leave = threading.Barrier(len(tables) + 1), threading.Event()

    def hold(table):
        with table.held():
            inside.wait()
            leave.wait()

    threads = [threading.Thread(target=hold, args=(each,)) for each in tables]
    [each.start() for each in threads]
    inside.wait()
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        found = {"windows": len(parts.windows), **held(engram)}
        os.write(theirs, json.dumps(found).encode())
        os._exit(0)
    leave.set()
    [each.join() for each in threads]
    os.close(theirs)
    _, status = os.waitpid(child, 0)
    told = {"status": status, "child": json.loads(os.read(ours, 9_999) or b"null")}
    told["parent"] = {"windows": windows, **held(engram)}
    turn.__exit__(None, None, None)
    told["kept"] = sorted(each.content for each in engram.list(category="turn"))
print(json.dumps(told))
"""


@pytest.mark.skipif(not hasattr(sys, "getdlopenflags"), reason="only where processes fork")
def test_a_forked_child_begins_with_no_turn_no_answer_of_tools_and_no_window(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "store")],
        check=True, capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    told = json.loads(done.stdout)
    assert told["status"] == 0
    assert told["child"] == {"windows": 0, "taken": False, "tools": "asked anew", "sessions": 0}
    assert told["parent"] == {"windows": 1, "taken": True, "tools": "sunny", "sessions": 1}
    assert told["kept"] == ["Hello.", "Which package manager do I prefer?"]


LEAVING = """
import os, sys, warnings
warnings.simplefilter("ignore")
from engram import Engram

with Engram.open(sys.argv[1]) as engram:
    with engram.turn("s", model="gpt-4o") as turn:
        turn.build("Which package manager do I prefer?")
        turn.answered("pnpm.")
        child = os.fork()
    if child == 0:
        assert turn.report.ended == "cancelled", turn.report
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    print(status, len(engram.list(category="turn")))
"""


def test_a_child_that_leaves_its_parents_turn_keeps_nothing_of_it(tmp_path):
    run = [sys.executable, "-c", LEAVING, str(tmp_path / "store")]
    done = subprocess.run(run, capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout.split() == ["0", "2"]
