"""A question at the terminal that is part of a conversation."""

import json
from pathlib import Path

from typer.testing import CliRunner

from engram import Engram
from engram.surfaces.cli import app


def test_a_question_leans_on_the_conversation_it_is_named_to_be_part_of(tmp_path: Path):
    store = tmp_path / "store"
    with Engram.open(store) as engram:
        engram.remember("Ada moved her office to Porto in May.")
        engram.remember("Omar repaired the ferry engine in March.")
        engram.observe("Tell me about Ada's office.", session="monday")
        engram.settle()

    arguments = ["recall", "And when was that?", "--store", str(store), "--json"]
    alone = CliRunner().invoke(app, arguments)
    inside = CliRunner().invoke(app, [*arguments, "--conversation", "monday"])

    assert "leans on" not in alone.stdout
    assert "leans on the turn before" in json.dumps(json.loads(inside.stdout))
    assert "Porto" in inside.stdout
