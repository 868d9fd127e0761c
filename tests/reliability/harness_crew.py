"""A crew of real processes that do their work until they are killed.

The crew's own process opens no store. It has everything imported, so that a worker is a fork away
and hundreds can be killed in seconds; an inspector is forked the same way and is as fresh.
"""

import json
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from harness_child import HERE, environment

_LONGEST_WAIT_SECONDS = 20.0
_LOOK_SECONDS = 0.001


@dataclass(frozen=True, slots=True)
class Job:
    """One process: a function of harness_roles, and where it is to halt, if anywhere."""

    role: str
    arguments: Sequence[object]
    failpoint: str = ""  # ENGRAM_FAILPOINT without its marker: "name" or "name,,passes to skip"


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What became of the processes of one round."""

    killed: int
    finished: int
    is_marked: bool  # one of them had reached its failpoint
    errors: list[str]


class Crew:
    """The test's end of the line to the crew's process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._rounds = 0
        self.killed = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "harness_crew"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HERE,
            env=environment({"PYTHONTRACEMALLOC": "0"}),
        )  # fmt: skip

    def kill_after(self, jobs: Sequence[Job], seconds: float) -> Aftermath:
        """Start the jobs together and kill whatever is still running after some time."""
        return self._round(jobs, seconds)

    def kill_at_failpoint(self, jobs: Sequence[Job]) -> Aftermath:
        """Start the jobs together and kill them all once one has reached its failpoint."""
        return self._round(jobs, None)

    def run(self, role: str, *arguments: object) -> object:
        """Do one job to its end in a fresh process and return its answer."""
        return self._ask({"run": asdict(Job(role, arguments))})

    def close(self) -> None:
        """Let the crew go."""
        self._process.communicate(timeout=60)

    def _round(self, jobs: Sequence[Job], seconds: float | None) -> Aftermath:
        self._rounds += 1
        marker = str(self._folder / f"marker-{self._rounds}")
        reply = self._ask(
            {"jobs": [asdict(job) for job in jobs], "seconds": seconds, "marker": marker}
        )
        self.killed += reply["killed"]
        return Aftermath(**reply)

    def _ask(self, question: dict[str, object]) -> dict[str, object]:
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        reply = json.loads(self._process.stdout.readline())
        assert "failure" not in reply, reply["failure"]
        return reply["answer"]


def _serve() -> None:
    import harness_roles  # noqa: F401  # imported once, for all processes to come

    for line in sys.stdin:
        question = json.loads(line)
        try:
            answer = _run(question["run"]) if "run" in question else _play(question)
        except ChildFailed as error:
            reply = {"failure": str(error)}
        else:
            reply = {"answer": answer}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


class ChildFailed(Exception):
    """A process that should have answered did not."""


def _run(job: dict[str, object]) -> object:
    process, pipe = _fork(job, marker="")
    with os.fdopen(pipe) as answer:
        text = answer.read()
    _, status = os.waitpid(process, 0)
    if status != 0:
        raise ChildFailed(text)
    return json.loads(text)


def _play(question: dict[str, object]) -> dict[str, object]:
    marker = Path(str(question["marker"]))
    workers = [_fork(job, marker=str(marker)) for job in question["jobs"]]
    _wait_for(marker, [process for process, _ in workers], question["seconds"])
    for process, _ in workers:
        os.kill(process, signal.SIGKILL)
    ends = [_collect(process, pipe) for process, pipe in workers]
    return {
        "killed": sum(status == signal.SIGKILL for status, _ in ends),
        "finished": sum(status == 0 for status, _ in ends),
        "is_marked": marker.exists(),
        "errors": [text for status, text in ends if status not in (0, signal.SIGKILL)],
    }


def _wait_for(marker: Path, processes: list[int], seconds: float | None) -> None:
    """Until the marker is there, the time is up, or all have come to an end by themselves."""
    deadline = time.monotonic() + (_LONGEST_WAIT_SECONDS if seconds is None else seconds)
    while time.monotonic() < deadline and not marker.exists():
        if all(_has_ended(process) for process in processes):
            return
        time.sleep(_LOOK_SECONDS)


def _has_ended(process: int) -> bool:
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _collect(process: int, pipe: int) -> tuple[int, str]:
    _, status = os.waitpid(process, 0)
    with os.fdopen(pipe) as answer:
        return status, answer.read()


def _fork(job: dict[str, object], *, marker: str) -> tuple[int, int]:
    """Start a worker; what it returns or raises comes back through a pipe."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    os.close(reading)
    status = 1
    try:
        if job["failpoint"]:
            name, _, skip = str(job["failpoint"]).partition(",,")
            os.environ["ENGRAM_FAILPOINT"] = f"{name},{marker},{skip or 0}"
        answer = json.dumps(_work(job))
        status = 0
    except BaseException:  # noqa: BLE001  # the other end tells the test
        answer = traceback.format_exc()
    os.write(writing, answer.encode())
    os._exit(status)


def _work(job: dict[str, object]) -> object:
    import harness_roles

    return getattr(harness_roles, str(job["role"]))(*job["arguments"])


if __name__ == "__main__":
    _serve()
