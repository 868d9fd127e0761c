"""The essential flows, each command in a process of its own."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def test_a_fact_is_kept_recalled_corrected_and_brought_back(spawn):
    stored = spawn("remember", "I prefer pnpm over npm", "--category", "tooling", "--json").document
    label = stored["memory"]["label"]
    revised = spawn("revise", label, "I prefer yarn", "--reason", "moved", "--json").document
    spawn("undo", revised["change_id"], "--json")

    answer = spawn("recall", "--json", "which package manager do I prefer?")

    assert answer.code == 0
    assert answer.err == ""
    best = answer.document["hits"][0]
    assert best["label"] == label == "mem-0001"
    assert best["content"] == "I prefer pnpm over npm"
    assert {"id", "score", "references", "trust", "why", "category", "status", "at"} <= set(best)
    assert set(answer.document) == {
        "hits", "quality", "confidence", "assessment", "level", "degraded", "trace",
    }  # fmt: skip


def test_an_error_is_one_json_document_on_stdout_with_exit_code_1(spawn):
    answer = spawn("show", "mem-0404", "--json")

    assert answer.code == 1
    assert answer.err == ""
    error = answer.document["error"]
    assert error["code"] == "E2005"
    assert set(error) == {"code", "message", "hint"}


def test_an_error_for_people_is_on_stderr_with_its_hint_and_code(spawn):
    answer = spawn("show", "mem-0404")

    assert answer.code == 1
    assert answer.out == ""
    assert "There is no such memory" in answer.err
    assert "engram list" in answer.err
    assert "E2005" in answer.err


def test_wrong_usage_exits_2_and_is_still_one_json_document(spawn):
    answer = spawn("recall", "--json")

    assert answer.code == 2
    assert answer.error_code == "usage"
    assert "QUERY" in answer.err


def test_a_text_is_read_from_a_pipe(spawn):
    answer = spawn("remember", "--json", typed="Ada lives in Porto\n")

    assert answer.document["memory"]["content"] == "Ada lives in Porto"


def test_something_unexpected_shows_its_type_only_and_never_its_text(spawn, tmp_path):
    broken = tmp_path / "sitecustomize.py"
    broken.write_text(
        "import engram.engine\n"
        "def broken(*a, **k): raise RuntimeError('the secret')\n"
        "engram.engine.Engram.stats = broken\n"
    )

    answer = spawn("stats", "--json", PYTHONPATH=str(tmp_path))
    for_people = spawn("stats", PYTHONPATH=str(tmp_path))
    debugged = spawn("--debug", "stats", PYTHONPATH=str(tmp_path))

    assert (answer.code, for_people.code, debugged.code) == (1, 1, 1)
    assert "RuntimeError" in answer.document["error"]["message"]
    assert "doctor" in answer.document["error"]["hint"]
    assert "the secret" not in answer.out + answer.err + for_people.out + for_people.err
    assert "Traceback" not in for_people.err
    assert "the secret" not in debugged.out + debugged.err
    assert "RuntimeError at sitecustomize.py:2" in debugged.err


def test_without_arguments_the_help_is_shown(spawn):
    answer = spawn()

    assert answer.code == 0
    assert "Usage: engram" in answer.out


def test_a_reader_that_goes_away_is_no_error_worth_a_word(spawn, store):
    spawn("remember", "something to list")

    process = subprocess.Popen(
        [sys.executable, "-m", "engram", "list", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "ENGRAM_STORE": str(store)},
    )
    process.stdout.close()
    complaint = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=30)

    assert complaint == b""


def test_ctrl_c_exits_130_without_a_word(spawn, store):
    process = subprocess.Popen(
        [sys.executable, "-m", "engram", "remember"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={
            **os.environ,
            "ENGRAM_STORE": str(store),
            "ENGRAM_SECURITY__HARDEN_PROCESS": "false",  # its /proc is looked at
        },
        # Whatever started the tests may ignore the signal, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    _wait_for_reading(process.pid)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)

    assert process.returncode == 130
    assert out + err == b""


def test_a_terminal_that_knows_only_ascii_gets_numbers_for_the_rest(spawn):
    spawn("remember", "Das Café in Łódź", PYTHONIOENCODING="ascii")

    answer = spawn("list", PYTHONIOENCODING="ascii", PYTHONUTF8="0")

    assert answer.code == 0
    assert "Caf" in answer.out


def test_completion_is_offered(spawn):
    answer = spawn("--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")

    assert answer.code == 0
    assert "_engram_completion" in answer.out


def _wait_for_reading(pid: int) -> None:
    """Until the process sits in read(2) on its standard input: then it waits for the pipe."""
    for _ in range(400):
        try:
            call = Path(f"/proc/{pid}/syscall").read_text()
        except OSError:
            call = ""
        if call.startswith("0 0x0 "):
            return
        time.sleep(0.05)
