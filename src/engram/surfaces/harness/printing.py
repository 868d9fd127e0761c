"""A plan as text for people who put things into their files themselves."""

from pathlib import Path

from engram.surfaces.harness.json_edits import JsonEdit, put
from engram.surfaces.harness.plan import Added, Plan
from engram.surfaces.harness.splices import spliced
from engram.surfaces.harness.toml_edits import TomlEdit, rendered


def snippets(plan: Plan) -> list[tuple[Path, str]]:
    """Every file with what belongs into it, as if it were empty."""
    told = []
    for change in plan.changes:
        if isinstance(change, Added):
            told.append((change.path, change.text))
            continue
        text = ""
        for edit in change.edits:
            text = _with(text, edit)
        told.append((change.path, text))
    return told


def _with(text: str, edit: JsonEdit | TomlEdit) -> str:
    if isinstance(edit, TomlEdit):
        return text + rendered(edit)
    return spliced(text, put(text, edit))
