"""Putting something into a text of others and taking it out again, whatever the text looks like."""

import json
import tomllib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engram.errors import HarnessUnreadable
from engram.surfaces.harness import json_edits, toml_edits
from engram.surfaces.harness.json_edits import JsonEdit
from engram.surfaces.harness.jsonc import parse
from engram.surfaces.harness.splices import spliced, unspliced
from engram.surfaces.harness.toml_edits import TomlEdit
from tests.harness.files_of_others import json_texts, toml_texts

ENTRY = JsonEdit(("mcpServers", "engram"), {"command": "/bin/e n", "args": ["mcp", 'é"\\']})
HOOK = JsonEdit(("hooks", "Stop"), {"hooks": [{"type": "command"}]}, is_element=True)
TABLE = TomlEdit(("mcp_servers", "engram"), {"command": "/bin/e", "args": ["mcp", 'a"b\\']})


def read_toml(text: str) -> dict:
    return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))


FEW = settings(max_examples=60)
TEXTS = json_texts((("mcpServers",), ("hooks",)), is_commented=True)


@FEW
@given(TEXTS)
def test_taking_out_what_was_put_in_gives_the_very_text_back(text):
    splices = json_edits.put(text, ENTRY)
    with_entry = spliced(text, splices)
    more = json_edits.put(with_entry, HOOK)

    assert unspliced(spliced(with_entry, more), more) == with_entry
    assert unspliced(with_entry, splices) == text


@FEW
@given(TEXTS)
def test_only_the_entry_is_added(text):
    before = parse(text).value

    after = parse(spliced(text, json_edits.put(text, ENTRY))).value

    assert after["mcpServers"].pop("engram") == ENTRY.value
    if "mcpServers" not in before:
        assert after.pop("mcpServers") == {}
    assert after == before


@FEW
@given(TEXTS)
def test_putting_in_twice_changes_nothing(text):
    once = spliced(text, json_edits.put(text, ENTRY))

    assert json_edits.put(once, ENTRY) == []


@FEW
@given(TEXTS, st.booleans())
def test_in_a_text_that_others_changed_only_the_entry_goes(text, is_rewritten):
    made = json_edits.missing_containers(text, ENTRY)
    changed = spliced(text, json_edits.put(text, ENTRY))
    later = JsonEdit(("zz-later",), {"of": "others"})
    changed = spliced(changed, json_edits.put(changed, later))
    if is_rewritten:
        changed = json.dumps(parse(changed).value, indent=3)

    left = json_edits.take(changed, ENTRY, made)

    assert parse(left).value == {**parse(text).value, "zz-later": {"of": "others"}}


@FEW
@given(TEXTS)
def test_what_is_said_in_comments_stays_in_a_text_that_others_changed(text):
    made = json_edits.missing_containers(text, ENTRY)
    changed = spliced(text, json_edits.put(text, ENTRY))

    left = json_edits.take(changed, ENTRY, made)

    assert left.count("/*") == text.count("/*")
    assert left.count("//") == text.count("//")


def test_an_entry_that_the_program_has_added_fields_to_is_still_ours():
    text = '{"mcpServers": {"engram": {"command": "/bin/e n", "disabled": false, "args": ' + (
        '["mcp", "é\\"\\\\"]}, "other": {}}}'
    )

    assert json_edits.put(text, ENTRY) == []
    assert json_edits.take(text, ENTRY, []) == '{"mcpServers": { "other": {}}}'


def test_an_entry_of_that_name_by_somebody_else_is_not_touched():
    text = '{"mcpServers": {"engram": {"command": "mine"}}}'

    with pytest.raises(HarnessUnreadable, match="another"):
        json_edits.put(text, ENTRY)
    with pytest.raises(HarnessUnreadable, match="by hand"):
        json_edits.take(text, ENTRY, [])


@pytest.mark.parametrize(
    "text",
    [
        "{", "[1, 2", '{"a": 01}', "{'a': 1}", '{"a" 1}', '{"a": 1 "b": 2}', '{"a": "\t"}', "nope",
        '{"a": 1} {}', "/* {}", '{"a": \\u0031}', "[" * 300 + "]" * 300, '{"a":,}', "{,}",
        '{"mcpServers": []}', '{"mcpServers": null}', '{"mcpServers": {}, "mcpServers": {}}', "[]",
    ],
)  # fmt: skip
def test_what_cannot_be_read_for_certain_is_refused(text):
    with pytest.raises(HarnessUnreadable):
        json_edits.put(text, ENTRY)


def test_the_layout_of_the_text_is_taken_over():
    text = '{\r\n\t"mcpServers": {\r\n\t\t"a": {}, // first\r\n\t}\r\n}\r\n'

    made = spliced(text, json_edits.put(text, JsonEdit(("mcpServers", "engram"), {"command": "e"})))

    assert made == (
        '{\r\n\t"mcpServers": {\r\n\t\t"a": {}, // first\r\n'
        '\t\t"engram": {\r\n\t\t\t"command": "e"\r\n\t\t},\r\n\t}\r\n}\r\n'
    )


@FEW
@given(toml_texts())
def test_a_table_comes_and_goes_without_a_trace(text):
    splices = toml_edits.put(text, TABLE)
    after = spliced(text, splices)

    assert read_toml(after)["mcp_servers"]["engram"] == TABLE.value
    assert unspliced(after, splices) == text
    assert toml_edits.put(after, TABLE) == []


@FEW
@given(toml_texts(), st.sampled_from(["# theirs\n[later]\na = 1\n", "[later]\na = 1\n", ""]))
@example("\ufeff", "")
def test_in_toml_that_others_changed_only_the_table_goes(text, addition):
    changed = spliced(text, toml_edits.put(text, TABLE)) + addition

    left = toml_edits.take(changed, TABLE)

    assert read_toml(left) == read_toml(f"{text}\n{addition}")
    assert left.count("#") == text.count("#") + addition.count("#")


@pytest.mark.parametrize(
    "text", ["a = ", "mcp_servers = { a = 1 }", "[mcp_servers]\nengram = 1", "[a]\n[a]\n"]
)
def test_toml_that_cannot_take_a_table_is_refused(text):
    with pytest.raises(HarnessUnreadable):
        toml_edits.put(text, TABLE)
