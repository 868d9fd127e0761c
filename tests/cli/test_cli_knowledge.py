"""What is known, on the command line: learnt, asked for, followed on and withdrawn."""

import json
import re

import pytest

from engram.surfaces.cli.knowledge_options import KnowledgeAction, read_step, read_value
from engram.surfaces.operations import OPERATIONS
from engram.surfaces.operations.parsing import parse_document

EDITOR = ("Ada", "--property", "editor")


@pytest.fixture(autouse=True)
def _by_words_alone(monkeypatch):
    """What is measured elsewhere is not waited for here."""
    monkeypatch.setenv("ENGRAM_EMBEDDER__KIND", "none")


@pytest.fixture
def known(ask) -> None:
    """What Ada uses, who made one of those, and where he lived."""
    facts = [
        {"subject": "Ada", "relation": "uses", "object": "Vim", "object_type": "tool"},
        {"subject": "Ada", "relation": "uses", "object": "Tmux", "object_type": "tool"},
        {"subject": "Vim", "relation": "created_by", "object": "Bram", "object_type": "person"},
        {"subject": "Bram", "relation": "located_in", "object": "Lisse"},
        {"subject": "Lisse", "relation": "located_in", "object": "Holland"},
    ]
    ask("knowledge", "learn", "-", typed=json.dumps(facts))


def test_a_fact_is_learnt_and_taken_back(ask, run):
    shown = run("knowledge", "learn", "Ada", "works_for", "Acme").out

    assert "Learned mem-0001 (nothing known is against it): Ada works for Acme." in shown
    change = re.search(r"engram undo (\S+)", shown)[1]
    ask("undo", change)
    assert "Nobody and nothing is known yet." in run("knowledge").out


def test_a_value_is_json_or_words(ask):
    values = [
        ask("knowledge", "learn", "Ada", "--property", f"p{place}", "--value", value)
        for place, value in enumerate(("vim", "36", '["a", "b"]', "1.10", "true"))
    ]

    assert [each["belief"]["value"] for each in values] == ["vim", 36, ["a", "b"], "1.10", True]


def test_what_takes_the_place_of_another_says_so_and_the_history_is_a_tree(ask, run):
    ask("knowledge", "learn", *EDITOR, "--value", "vim")
    ask("knowledge", "learn", *EDITOR, "--value", "vim")
    shown = run("knowledge", "learn", *EDITOR, "--value", "emacs").out

    lines = run("knowledge", "history", *EDITOR).out.splitlines()

    assert "Replaced mem-0002 (newer, and trusted as much)" in shown
    assert "against mem-0001: The editor of Ada is vim." in shown
    assert lines[0].strip() == "Ada: editor"
    assert lines[1].startswith("├── ○ The editor of Ada is vim.")
    assert lines[2].startswith("│   ├── ")
    assert "learnt by person:/" in lines[2]
    assert "said again by person:/" in lines[3]
    assert lines[4].startswith("└── ● The editor of Ada is emacs.")
    assert "put in the place of what was believed" in lines[5]
    assert lines[-1].strip() == "● stands now; 1 addition, 1 reinforcement, 1 correction"


def test_what_is_withdrawn_says_why_and_nothing_of_it_stands(ask, run):
    label = ask("knowledge", "learn", *EDITOR, "--value", "vim")["belief"]["label"]

    done = run("knowledge", "retract", label, "another Ada").out

    assert f"Withdrew {label}" in done
    assert "Withdrawn" in run("knowledge", "belief", *EDITOR).out
    tree = run("knowledge", "history", *EDITOR).out
    assert "withdrawn by person:/: another Ada" in tree
    assert "nothing of it stands now; 1 addition, 1 retraction" in tree


def test_what_is_contested_shows_every_position(ask, run):
    for value, observer in (("vim", "Bo"), ("emacs", "Cy")):
        moment = "2026-03-01T09:00:00Z"
        observed = json.dumps({"type": "observed", "observer": observer, "at": moment})
        ask("knowledge", "learn", *EDITOR, "--value", value, "--grounds", observed, "--at", moment)

    shown = run("knowledge", "belief", *EDITOR).out

    assert "Contested: these cannot all hold." in shown
    assert "observed by Bo" in shown
    assert "observed by Cy" in shown
    assert ask("knowledge", "belief", *EDITOR)["state"] == "contested"
    tree = run("knowledge", "history", *EDITOR).out
    assert "◐ The editor of Ada is vim." in tree
    assert "◐ The editor of Ada is emacs." in tree
    assert "◐ contested; " in tree
    assert "stands now" not in tree


def test_what_is_shown_of_hearsay_counts_its_grounds(ask, run):
    grounds = json.dumps({"type": "hearsay", "chain": ["Bo", "Cy"]})
    ask("knowledge", "learn", "Ada", "knows", "Di", "--grounds", grounds, "--confidence", "1")
    ask("knowledge", "learn", "Di", "located_in", "Porto", "--grounds", "axiomatic")

    for words in (
        ["belief", "Ada", "knows"], ["show", "Ada"], ["neighbours", "Ada"],
        ["traverse", "Ada", "knows", "located_in"],
    ):  # fmt: skip
        shown = run("knowledge", *words).out
        assert "force" in shown, words
        assert "5%" in shown, words
        assert "100%" not in shown, words
    minded = run("knowledge", "activate", "Ada").out
    assert "activation" in minded
    assert "sure" not in minded


def test_a_retraction_that_is_undone_leaves_no_word_of_taking_back_on_what_stands(ask, run):
    label = ask("knowledge", "learn", *EDITOR, "--value", "vim")["belief"]["label"]
    withdrawn = ask("knowledge", "retract", label, "another Ada")["memory"]
    ask("undo", withdrawn["change_id"])

    tree = run("knowledge", "history", *EDITOR).out

    assert "● The editor of Ada is vim." in tree
    assert "restored by person:/" in tree
    assert "taken back" not in tree


def test_a_path_is_followed_step_by_step(known, ask, run):
    shown = run("knowledge", "traverse", "Ada", "uses,type=tool", "created_by").out

    assert "Bram" in shown
    assert "Vim was created by Bram." in shown
    found = ask("knowledge", "traverse", "Bram", "created_by:in", "any:both,label=Ada")["reached"]
    assert [each["node"]["title"] for each in found] == ["Ada"]
    assert "The path leads nowhere." in run("knowledge", "traverse", "Ada", "knows").out


def test_what_is_near_what_follows_and_what_comes_to_mind(known, ask, run):
    near = ask("knowledge", "neighbours", "Bram", "--inferred", "--relation", "located_in")
    assert [each["node"]["title"] for each in near["reached"]] == ["Lisse", "Holland"]
    assert "follows" in run("knowledge", "neighbours", "Bram", "--inferred").out

    assert "Bram located in Holland" in run("knowledge", "infer", "Bram", "located_in").out

    minded = ask("knowledge", "activate", "Ada", "--hops", "2", "--limit", "3")["reached"]
    assert {each["node"]["title"] for each in minded} == {"Vim", "Tmux", "Bram"}

    answers = ask("knowledge", "query", "Who", "created", "Vim?")["answers"]
    assert answers[0]["node"]["title"] == "Vim"
    assert "person, " in run("knowledge", "query", "Who created Vim?").out


def test_somebody_is_shown_with_all_that_is_believed(known, ask, run):
    ask("knowledge", "learn", *EDITOR, "--value", "vim")
    ask("knowledge", "alias", "Countess", "Ada", "--reason", "her title")

    shown = run("knowledge", "show", "Countess").out

    assert shown.startswith("Ada (")
    assert "also: countess" in shown
    for told in ("The editor of Ada is vim.", "Ada uses Vim."):
        assert told in shown
    assert "Bram located in Holland" in run("knowledge", "show", "Bram", "--inferred").out


def test_who_and_what_is_known_is_listed_by_type(known, ask, run):
    assert len(ask("knowledge")["nodes"]) == 6
    assert [each["title"] for each in ask("knowledge", "list", "--type", "tool")["nodes"]] == [
        "Tmux", "Vim",
    ]  # fmt: skip
    assert "Bram" in run("knowledge", "list").out


def test_who_says_a_belief_is_shown(ask, run):
    for voice in ("Bo", "Cy"):
        grounds = json.dumps({"type": "reported", "source": voice, "trust": 0.5})
        ask("knowledge", "learn", "Ada", "knows", "Di", "--grounds", grounds, "--confidence", "0.7")

    shown = run("knowledge", "support", "mem-0001").out

    assert "reported by Bo" in shown
    assert "2 independent voices, confidence 80%" in shown


def test_what_a_model_supposes_is_marked(ask, run):
    shown = run("knowledge", "propose", "Ada", "knows", "Bo", "--by", "small").out

    assert "hypothetical" in shown
    belief = ask("knowledge", "show", "Ada")["beliefs_out"][0]
    assert belief["memory"]["source"] == "dream:proposal:small"


def test_time_is_asked_for_as_elsewhere(ask):
    said = ("knowledge", "learn", "Ada", "works_for")
    ask(*said, "Acme", "--valid-from", "2020-01-01", "--valid-until", "2024-01-01")
    ask(*said, "Beta", "--valid-from", "2024-01-01")

    then = ask("knowledge", "belief", "Ada", "works_for", "--as-of", "2022-06-01")
    now = ask("knowledge", "belief", "Ada", "works_for")

    assert [each["object"] for each in then["beliefs"]] == ["Acme"]
    assert [each["object"] for each in now["beliefs"]] == ["Beta"]


def test_facts_come_from_a_file_line_by_line_and_the_status_tells_of_refusals(run, ask, tmp_path):
    facts = tmp_path / "facts.jsonl"
    facts.write_text(
        '{"subject": "A", "relation": "is_a", "object": "B", "scope": "project=acme"}\n'
        '{"subject": "B", "relation": "is_a", "object": "A", "scope": "project=acme"}\n'
    )

    answer = run("knowledge", "learn", "--file", facts)

    assert answer.code == 1
    assert "1 learned, 1 refused" in " ".join(answer.out.split())
    assert "would run in a circle" in " ".join(answer.out.split())
    assert ask("knowledge")["nodes"] == []
    assert len(ask("knowledge", "--within", "project=acme")["nodes"]) == 2
    assert "--within project=acme" in " ".join(run("knowledge").out.split())


def test_an_owner_names_a_belief_of_a_narrower_scope_by_its_label(ask):
    ask("knowledge", "learn", "Ada", "knows", "Bo", "--within", "agent=coder")

    assert ask("knowledge", "support", "mem-0001")["voices"] == 1
    assert ask("knowledge", "retract", "mem-0001", "not so")["memory"]["status"] == "invalidated"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["learn", "Ada", "likes", "tea"], "E4005"),
        (["learn", "Ada"], "E4005"),
        (["belief", "Ada", "ownz"], "E4005"),
        (["learn", "Ada", "knows", "Ada"], "E4005"),
        (["learn", "Ada", "knows", "Bo", "--grounds", "guessed"], "E4005"),
        (["learn", "Ada", "knows", "Bo", "--confidence", "2"], "E4005"),
        (["learn", "Ada", "knows", "Bo", "--valid-until", "soon"], "E4005"),
        (["show", "Nobody"], "E2005"),
        (["support", "mem-0099"], "E2005"),
        (["retract", "mem-0099", "why not"], "E2005"),
        (["belief", "Ada"], "E4005"),
        (["infer", "Ada", "knows"], "E4005"),
        (["neighbours", "Ada", "--hops", "9"], "E4005"),
        (["traverse", "Ada", "uses:sideways"], "E4005"),
        (["traverse", "Ada", "uses,epistemic=sure"], "E4005"),
    ],
)
def test_what_is_wrong_is_refused_with_a_hint(run, words, code):
    answer = run("knowledge", *words, "--json")

    assert answer.code == 1
    assert answer.error_code == code
    assert answer.document["error"]["hint"]


@pytest.mark.parametrize("text", ["{bad", "[1]", '"words"', "[" * 100_000])
def test_what_is_no_fact_in_json_is_refused_without_being_repeated(run, text):
    answer = run("knowledge", "learn", "-", "--json", typed=text)

    assert answer.code == 1
    assert answer.error_code == "E4005"
    assert "bad" not in answer.out


@pytest.mark.parametrize(
    "words",
    [
        ["show"], ["belief"], ["traverse", "Ada"], ["infer", "Ada"], ["activate"], ["query"],
        ["propose", "Ada", "knows"], ["alias", "Ada"], ["retract", "mem-0001"], ["support"],
        ["list", "Ada"], ["show", "Ada", "Byron"], ["show", "Ada", "--hops", "2"],
        ["list", "--property", "x"], ["learn", "Ada", "knows", "Bo", "--limit", "3"],
        ["learn", "-", "--confidence", "0.5"], ["learn"], ["forget", "Ada"],
        ["traverse", "Ada", "uses,kind=tool"], ["traverse", "Ada", "uses,confidence=high"],
        ["learn", "-", "--file", "facts.json"],
    ],
)  # fmt: skip
def test_what_would_go_unheard_is_wrong_usage(run, words):
    assert run("knowledge", *words).code == 2


def test_a_file_that_is_not_there_is_said_to_be_so(run, tmp_path):
    answer = run("knowledge", "learn", "--file", tmp_path / "none.json", "--json")

    assert answer.error_code == "E4005"
    assert "cannot be read" in answer.document["error"]["hint"]


@pytest.mark.parametrize(
    ("text", "relation", "direction", "conditions"),
    [
        ("uses", "uses", "out", {}),
        ("used_by:in", "used_by", "in", {}),
        ("any", None, "out", {}),
        ("any:both,type=person,confidence=0.5", None, "both",
         {"type": "person", "confidence": 0.5}),
    ],
)  # fmt: skip
def test_a_step_is_read_as_it_is_typed(text, relation, direction, conditions):
    step = read_step(text)

    assert (step.relation, step.direction, step.conditions) == (relation, direction, conditions)


@pytest.mark.parametrize(
    ("text", "value"), [("1", 1), ("007", "007"), ("1e3", "1e3"), ("null", None), ("{", "{")]
)
def test_a_value_that_would_not_come_back_stays_words(text, value):
    assert read_value(text) == value


def test_the_document_is_that_of_the_operation(known, ask, store):
    from engram import Engram

    pairs = {
        KnowledgeAction.SHOW: (["Ada"], "knowledge_of", {"name": "Ada"}),
        KnowledgeAction.LIST: ([], "nodes", {}),
        KnowledgeAction.NEIGHBOURS: (["Ada"], "neighbours", {"name": "Ada"}),
        KnowledgeAction.HISTORY: (
            ["Vim", "created_by"], "belief_history", {"subject": "Vim", "relation": "created_by"},
        ),
        KnowledgeAction.INFER: (
            ["Bram", "located_in"], "infer", {"name": "Bram", "relation": "located_in"},
        ),
    }  # fmt: skip
    shown = {action: ask("knowledge", action, *words) for action, (words, _, _) in pairs.items()}

    with Engram.open(store) as engram:
        for action, (_, name, given) in pairs.items():
            operation = OPERATIONS[name]
            arguments = parse_document(operation, given)
            assert operation.run(engram, arguments, lambda *_: None) == shown[action]


def test_an_entity_is_shown_with_what_is_believed_of_it(ask, run):
    ask("remember", "Bob Smith met Ada Lovelace.")
    assert "believed" not in run("entity", "Bob Smith").out
    assert ask("entity", "Bob Smith")["beliefs"] == []
    for place in range(10):
        ask("knowledge", "learn", "Bob Smith", "uses", f"Tool {place}")

    shown = run("entity", "Bob Smith", COLUMNS="160").out

    assert "believed" in shown
    assert "  Bob Smith uses Tool 0. (force 70%, reported by person:/; mem-0002)" in shown
    assert "and 2 more: engram knowledge show 'Bob Smith'" in shown
    assert len(ask("entity", "Bob Smith")["beliefs"]) == 10


def test_a_shell_takes_a_belief_by_its_number(known, run):
    answer = run("shell", typed="list\nknowledge support 1\n")

    assert answer.code == 0, answer
    assert "independent voice" in answer.out


def test_what_a_name_holds_is_never_obeyed_by_the_terminal(ask, run):
    ask("knowledge", "learn", "Ada\u202e", "knows", "Bo")

    for words in (["list"], ["show", "Bo"], ["neighbours", "Bo"], ["history", "Bo", "knows"]):
        assert "\u202e" not in run("knowledge", *words).out
