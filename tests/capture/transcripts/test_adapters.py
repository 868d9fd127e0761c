"""What each harness's lines say, and what in them nobody said."""

import json
from datetime import UTC, datetime

import pytest

from engram.capture.transcripts.read import find_transcripts, read_transcript, source_of
from engram.capture.transcripts.turns import BadLine, TranscriptFile, TranscriptTurn
from engram.errors import InvalidInput
from engram.memory.scopes import Principal
from engram.memory.trust import provenance
from engram.memory.vocabulary import LearnedBy


def written(path, *records):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def turns(path, harness):
    found = read_transcript(TranscriptFile(path, harness, 0))
    return [each for each in found if isinstance(each, TranscriptTurn)]


def spoken(path, harness):
    return [(turn.role, turn.text) for turn in turns(path, harness)]


def claude(kind, content, **more):
    return {
        "type": kind,
        "message": {"role": kind, "content": content},
        "uuid": more.pop("uuid", "u1"),
        "sessionId": "s1",
        "cwd": "/nowhere/Tide Table",
        "timestamp": "2026-03-01T09:00:00.000Z",
        **more,
    }


def item(kind="message", **payload):
    return {
        "timestamp": "2026-03-01T09:00:00.000Z",
        "type": "response_item",
        "payload": {"type": kind, **payload},
    }


def message(role, *texts):
    kind = "output_text" if role == "assistant" else "input_text"
    return item(role=role, content=[{"type": kind, "text": text} for text in texts])


META = {
    "timestamp": "2026-03-01T08:59:00.000Z",
    "type": "session_meta",
    "payload": {"id": "c1", "cwd": "/nowhere/Tide Table", "source": "cli"},
}


# Claude Code


def test_a_claude_session_gives_its_turns_with_time_place_and_project(tmp_path):
    path = written(
        tmp_path / "s1.jsonl",
        claude("user", "We deploy on Tuesdays."),
        claude("assistant", [{"type": "text", "text": "Noted."}], uuid="u2"),
    )

    asked, answered = turns(path, "claude-code")

    assert asked == TranscriptTurn(
        text="We deploy on Tuesdays.",
        role="user",
        at=datetime(2026, 3, 1, 9, tzinfo=UTC),
        session="s1",
        reference="s1:u1",
        project="tide-table",
        speaker=None,
    )
    assert (answered.role, answered.reference) == ("assistant", "s1:u2")


def test_thoughts_and_tool_calls_are_not_said_and_results_are_the_tools(tmp_path):
    path = written(
        tmp_path / "s1.jsonl",
        claude(
            "assistant",
            [
                {"type": "thinking", "thinking": "Perhaps the tide."},
                {"type": "text", "text": "I look it up."},
                {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "a"}},
            ],
        ),
        claude(
            "user",
            [
                {"type": "tool_result", "tool_use_id": "t1", "content": "high at noon"},
                {"type": "tool_result", "content": [{"type": "text", "text": "low at six"}]},
                {"type": "text", "text": "Thanks."},
            ],
            uuid="u2",
        ),
    )

    found = turns(path, "claude-code")

    assert [(turn.role, turn.text, turn.reference) for turn in found] == [
        ("assistant", "I look it up.", "s1:u1"),
        ("tool", "high at noon", "s1:t1"),
        ("tool", "low at six", "s1:u2:tool"),
        ("user", "Thanks.", "s1:u2"),
    ]


@pytest.mark.parametrize(
    "record",
    [
        claude("user", "A caveat.", isMeta=True),
        claude("user", "Look into it.", isSidechain=True),
        claude("user", "What came before.", isCompactSummary=True),
        claude("user", "[Request interrupted by user for tool use]"),
        claude("user", "<command-name>/clear</command-name>\n<command-args></command-args>"),
        claude("user", "<local-command-stdout>done</local-command-stdout>"),
        claude("user", "<system-reminder>\nBe terse.\n</system-reminder>"),
        claude("user", "<system-reminder>Be terse, and never closed"),
        claude("assistant", [{"type": "text", "text": "Overloaded"}], isApiErrorMessage=True),
        claude("user", [{"type": "image", "source": {}}]),
        {"type": "summary", "summary": "Tides.", "leafUuid": "u1"},
        {"type": "system", "content": "Compacted."},
        {"type": "file-history-snapshot", "messageId": "u1"},
        {
            "type": "assistant",
            "message": {"model": "<synthetic>", "content": [{"type": "text", "text": "No."}]},
        },
    ],
)
def test_what_nobody_said_in_claude_code_is_no_turn(tmp_path, record):
    assert spoken(written(tmp_path / "s1.jsonl", record), "claude-code") == []


def test_reminders_are_taken_out_of_what_a_person_typed_and_nothing_else_is(tmp_path):
    text = (
        "Use port 8443.<system-reminder>Today is Monday.</system-reminder>\n\n"
        "<ide_opened_file>a.py</ide_opened_file>\n\nAnd if x < 3, say <b>so</b>."
    )
    own = "The tag <system-reminder>x</system-reminder> is the harness's."
    path = written(
        tmp_path / "s1.jsonl",
        claude("user", text),
        claude("assistant", own, uuid="u2"),
        claude("user", "<user-memory-input>Tabs, not spaces.</user-memory-input>", uuid="u3"),
    )

    assert spoken(path, "claude-code") == [
        ("user", "Use port 8443.\n\nAnd if x < 3, say <b>so</b>."),
        ("assistant", own),
        ("user", "Tabs, not spaces."),
    ]


def test_taking_blocks_out_takes_time_linear_in_the_text(tmp_path):
    path = written(tmp_path / "s1.jsonl", claude("user", "a" + "<system-reminder>" * 200_000))

    assert len(turns(path, "claude-code")[0].text) == 1 + 17 * 200_000


def test_a_session_keeps_the_project_it_began_in(tmp_path):
    path = written(
        tmp_path / "s1.jsonl",
        claude("user", "One."),
        claude("user", "Two.", cwd="/nowhere/Tide Table/src", uuid="u2"),
    )

    assert {turn.project for turn in turns(path, "claude-code")} == {"tide-table"}


def test_without_a_folder_the_place_of_the_file_tells_the_project(tmp_path):
    record = claude("user", "One.")
    del record["cwd"]
    path = written(tmp_path / "-home-ada-Tides" / "s1.jsonl", record)

    assert turns(path, "claude-code")[0].project == "home-ada-tides"


def test_claude_sessions_are_found_and_those_of_its_agents_are_not(tmp_path):
    place = tmp_path / ".claude" / "projects" / "-home-ada-tides"
    kept = written(place / "b.jsonl", claude("user", "One."))
    written(place / "agent-7.jsonl", claude("user", "Two."))
    written(place / "b" / "subagents" / "c.jsonl", claude("user", "Three."))
    (place / "sessions-index.json").write_text("{}")
    (place / "linked.jsonl").symlink_to(kept)
    (place / "loop").symlink_to(place)

    found = list(find_transcripts("claude-code", home=tmp_path))

    assert found == [TranscriptFile(kept, "claude-code", kept.stat().st_size)]


# Codex


def test_a_codex_session_gives_its_turns_once_though_events_repeat_them(tmp_path):
    path = written(
        tmp_path / "rollout-1.jsonl",
        META,
        message("developer", "You are careful."),
        message("user", "<environment_context>\n<cwd>/x</cwd>\n</environment_context>"),
        message("user", "We deploy on Tuesdays."),
        {"type": "event_msg", "payload": {"type": "user_message", "message": "We deploy"}},
        {"type": "turn_context", "payload": {"cwd": "/elsewhere"}},
        item("reasoning", summary=[{"type": "summary_text", "text": "Hm."}]),
        item("function_call", name="shell", arguments="{}", call_id="k1"),
        item("function_call_output", call_id="k1", output='{"output":"ok","metadata":{}}'),
        item("custom_tool_call_output", call_id="k2", output="patched"),
        message("assistant", "Noted."),
        {"type": "compacted", "payload": {"message": "We deploy on Tuesdays."}},
    )

    found = turns(path, "codex")

    assert [(turn.role, turn.text, turn.reference) for turn in found] == [
        ("user", "We deploy on Tuesdays.", "c1:4"),
        ("tool", "ok", "c1:k1"),
        ("tool", "patched", "c1:k2"),
        ("assistant", "Noted.", "c1:11"),
    ]
    assert {turn.project for turn in found} == {"tide-table"}
    assert found[0].at == datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "<user_instructions>\nBe terse.\n</user_instructions>",
        "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nBe terse.\n</INSTRUCTIONS>",
        "<turn_aborted>\nstopped\n</turn_aborted>",
        "<environment_context>\n  <cwd>/x</cwd>",
    ],
)
def test_what_nobody_said_in_codex_is_no_turn(tmp_path, text):
    path = written(tmp_path / "rollout-1.jsonl", META, message("user", text))

    assert spoken(path, "codex") == []


def test_of_a_message_with_house_rules_only_the_persons_part_is_kept(tmp_path):
    path = written(
        tmp_path / "rollout-1.jsonl",
        META,
        message("user", "# AGENTS.md instructions for /x\n\nUse pytest.", "Why Postgres?"),
        message("user", "# Context from my IDE setup:\n\n## Active file: a.py\n\n"
                "## My request for Codex:\nRename it."),
    )  # fmt: skip

    assert spoken(path, "codex") == [("user", "Why Postgres?"), ("user", "Rename it.")]


def test_the_older_codex_format_is_read_too(tmp_path):
    context = "<environment_context>\nCurrent working directory: /nowhere/Tides\n"
    path = written(
        tmp_path / "rollout-1.jsonl",
        {"id": "old-1", "timestamp": "2025-07-01T00:00:00Z", "instructions": None},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": context}]},
        {"type": "message", "role": "user", "id": "m7",
         "content": [{"type": "input_text", "text": "Hello."}]},
        {"type": "function_call_output", "call_id": "k1", "output": {"content": "ok"}},
    )  # fmt: skip

    found = turns(path, "codex")

    assert [(turn.text, turn.reference) for turn in found] == [
        ("Hello.", "old-1:m7"),
        ("ok", "old-1:k1"),
    ]
    assert found[0].project == "tides"


def test_an_agent_that_codex_started_has_no_turns(tmp_path):
    meta = {"type": "session_meta", "payload": {"id": "c2", "source": {"subagent": "review"}}}

    assert spoken(written(tmp_path / "r.jsonl", meta, message("user", "Review.")), "codex") == []


def test_codex_rollouts_are_found_by_date_and_its_history_is_not(tmp_path):
    day = tmp_path / ".codex" / "sessions" / "2026" / "03" / "01"
    first = written(day / "rollout-1.jsonl", META)
    archived = written(tmp_path / ".codex" / "archived_sessions" / "rollout-0.jsonl", META)
    written(tmp_path / ".codex" / "sessions" / "history.jsonl", META)

    found = [file.path for file in find_transcripts("codex", home=tmp_path)]

    assert found == [first, archived]


# Any other


def test_plain_lines_of_roles_and_texts_are_read(tmp_path):
    path = written(
        tmp_path / "talk.jsonl",
        {"role": "human", "text": "Hi.", "at": 1_772_355_600, "speaker": "Ada", "id": 7},
        {"role": "assistant", "content": [{"text": "Hello."}], "timestamp": "2026-03-01 09:00"},
        {"message": {"role": "user", "content": "Bye."}, "session": "evening", "project": "Tides"},
        {"role": "system", "content": "Be terse."},
        {"role": "user", "content": "  "},
    )

    found = turns(path, "generic")

    assert [(turn.role, turn.text, turn.reference) for turn in found] == [
        ("user", "Hi.", "talk:7"),
        ("assistant", "Hello.", "talk:2"),
        ("user", "Bye.", "evening:3"),
    ]
    assert [turn.at for turn in found[:2]] == [datetime(2026, 3, 1, 9, tzinfo=UTC)] * 2
    assert (found[0].speaker, found[2].project) == ("Ada", "tides")


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"text": "Hi."}, "no role"),
        ({"role": "user"}, "no text"),
        ({"role": "oracle", "text": "Hi."}, "an unknown role"),
    ],
)
def test_a_plain_line_that_is_no_turn_says_why(tmp_path, record, reason):
    path = written(tmp_path / "talk.jsonl", record)

    assert next(read_transcript(TranscriptFile(path, "generic", 0))) == BadLine(1, reason)


@pytest.mark.parametrize("moment", ["yesterday", 1e300, float("nan"), True, [], "9999-99-99"])
def test_a_time_that_is_none_is_left_open(tmp_path, moment):
    path = written(tmp_path / "talk.jsonl", {"role": "user", "text": "Hi.", "at": moment})

    assert turns(path, "generic")[0].at is None


def test_milliseconds_are_told_from_seconds(tmp_path):
    path = written(tmp_path / "t.jsonl", {"role": "user", "text": "Hi.", "at": 1_772_355_600_000})

    assert turns(path, "generic")[0].at == datetime(2026, 3, 1, 9, tzinfo=UTC)


def test_a_harness_without_a_usual_place_needs_one_named(tmp_path):
    path = written(tmp_path / "deep" / "talk.jsonl", {"role": "user", "text": "Hi."})

    with pytest.raises(InvalidInput):
        list(find_transcripts("generic", home=tmp_path))
    with pytest.raises(InvalidInput):
        list(find_transcripts("parrot", home=tmp_path))
    assert [each.path for each in find_transcripts("generic", home=tmp_path, root=path)] == [path]
    assert [each.path for each in find_transcripts("generic", home=tmp_path, root=tmp_path)] == [
        path
    ]
    assert list(find_transcripts("generic", home=tmp_path, root=tmp_path / "missing")) == []


def test_what_is_harvested_carries_its_harness_and_project_as_source():
    source = source_of("codex", "acme-api")

    assert source == "harness:codex:acme-api"
    assert provenance(Principal.of(None), source).learned_by is LearnedBy.HARVEST
