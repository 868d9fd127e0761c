"""The page about skills is true: its example runs, and it names what there is."""

import os
import re
import subprocess
import sys
from pathlib import Path

from engram.memory import skills

PAGE = Path(__file__).parents[2] / "docs" / "skills.md"


def test_the_example_runs_and_prints_what_it_says(tmp_path):
    (example,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", example],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, env=dict(os.environ),
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    steps, check, why, warning = done.stdout.splitlines()
    assert steps == str(
        [f"Call {tool}: {{service}}" for tool in ("run_tests", "build_image", "push")]
    )
    assert check == "Check first: run the migrations"
    assert "names deploy" in why
    assert warning == 'This failed before: no column "plan_id". What helped: run the migrations.'


def test_every_class_a_page_names_is_there():
    named = set(re.findall(r"`([A-Z][A-Za-z]+)`", PAGE.read_text()))

    assert named - {"Situation"} <= set(skills.__all__)
