"""Runs a piece of a test in a process of its own and brings its answer back."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).parent


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """This environment without Engram's settings, and with the harness importable."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ENGRAM_")}
    kept["ENGRAM_EMBEDDER__KIND"] = "hashing"  # what is tested here is the store
    kept["ENGRAM_CAPTURE__RECONCILE"] = "false"  # made-up statements look much alike
    kept["ENGRAM_RECALL__READ_ANSWERS"] = "false"
    kept["ENGRAM_DAEMON__START"] = "never"  # and nothing is left behind
    return {**kept, "PYTHONPATH": str(HERE), **(extra or {})}


def run_child(
    module: str,
    function: str,
    *arguments: object,
    extra: Mapping[str, str] | None = None,
    seconds: float = 200,
) -> object:
    """Call a function of a module in a fresh process; its answer must be plain data."""
    return answer_of(start_child(module, function, *arguments, extra=extra), seconds=seconds)


def start_child(
    module: str, function: str, *arguments: object, extra: Mapping[str, str] | None = None
) -> "subprocess.Popen[str]":
    """Start a function of a module in a fresh process and leave it running."""
    command = [sys.executable, "-m", "harness_child", module, function, json.dumps(arguments)]
    return subprocess.Popen(
        command, env=environment(extra), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def answer_of(child: "subprocess.Popen[str]", *, seconds: float = 200) -> object:
    """Wait for a started child and read its answer."""
    try:
        output, errors = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        kill(child)
        raise
    assert child.returncode == 0, f"a child ended with {child.returncode}: {errors}"
    return json.loads(output.splitlines()[-1])


def kill(child: "subprocess.Popen[str]") -> None:
    """End a child the hard way, and collect it."""
    child.send_signal(signal.SIGKILL)
    child.communicate(timeout=60)


def _main() -> None:
    import importlib

    module, function, arguments = sys.argv[1:]
    answer = getattr(importlib.import_module(module), function)(*json.loads(arguments))
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _main()
