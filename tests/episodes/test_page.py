"""The page about episodes is true: its example runs, and it names every call."""

import inspect
import re
from pathlib import Path

from engram.engine.episodes import Episodes
from engram.memory.episodes.events import Happening
from engram.memory.tagged import tag_of

PAGE = (Path(__file__).parent.parent.parent / "docs" / "episodes.md").read_text(encoding="utf-8")


def test_the_example_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("ENGRAM_STORE", str(tmp_path / "store"))
    [example] = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

    exec(compile(example, "episodes.md", "exec"), {})


def test_the_page_names_every_call_and_every_event():
    calls = [name for name, _ in inspect.getmembers(Episodes, inspect.isfunction)]
    missing = [name for name in calls if name[0] != "_" and f"`{name}(" not in PAGE]

    assert missing == []
    assert [kind for kind in Happening.__args__ if f"`{tag_of(kind)}`" not in PAGE] == []
