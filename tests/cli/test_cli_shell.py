"""The shell: the same commands on one open store, with what came last at hand."""

import stat

import pytest

HASHING = {"ENGRAM_EMBEDDER__KIND": "hashing"}


@pytest.fixture
def typed(run):
    """Type lines into a shell that reads a pipe."""

    def call(*lines: str, words: tuple[object, ...] = ()):
        return run("shell", *words, typed="\n".join(lines) + "\n", **HASHING)

    return call


def test_commands_are_typed_without_their_first_word(typed):
    answer = typed('remember "I prefer pnpm"', "recall pnpm", "list")

    assert answer.code == 0
    assert answer.out.count("mem-0001") == 3


def test_a_question_needs_no_quotation_marks_not_even_one_with_an_apostrophe(typed):
    answer = typed("remember Ada lives in Porto", "recall where's Ada's home --limit 1")

    assert answer.code == 0
    assert "mem-0001" in answer.out.partition("likely")[2]


def test_a_last_result_is_named_by_its_number(typed, ask):
    typed("remember pnpm is quick", "remember coffee is hot", "list", "forget 2 --reason old")

    assert [each["content"] for each in ask("list")["memories"]] == ["coffee is hot"]


def test_what_is_shown_by_itself_leaves_the_numbers_alone(typed):
    answer = typed("remember one thing", "remember other thing", "list", "show 2", "show 1")

    first, second = answer.out.split("field")[1:3]
    assert "one thing" in first
    assert "other thing" in second


def test_a_number_that_no_result_has_is_wrong_usage(typed):
    answer = typed("remember one thing", "list", "show 7")

    assert answer.code == 2
    assert "1 to 1" in answer.err


def test_why_explains_a_hit_of_the_last_recall(typed):
    answer = typed("remember I prefer pnpm", "recall pnpm", "why 1")

    assert answer.code == 0
    assert "mem-0001 is recalled" in answer.out


def test_why_before_any_question_says_so(typed):
    assert "Nothing was asked yet" in typed("why 1").err


def test_undo_takes_back_one_change_after_the_other(typed, ask):
    answer = typed("remember one thing", "remember other thing", "undo", "undo", "undo")

    assert ask("list", "--status", "any")["memories"] == []
    assert answer.code == 2
    assert "Nothing was changed" in answer.err


def test_a_command_that_fails_does_not_end_the_shell_but_its_status_stays(typed):
    answer = typed("show mem-0404", "remember still here", "nonsense")

    assert answer.code == 2
    assert "E2005" in answer.err
    assert "still here" in answer.out
    assert "nonsense" in answer.err


def test_comments_and_empty_lines_are_nothing_and_quit_leaves(typed, ask):
    answer = typed("# a comment", "", "quit", "remember too late")

    assert (answer.code, answer.out) == (0, "")
    assert ask("list")["memories"] == []


def test_a_command_that_reads_a_pipe_does_not_eat_the_rest(typed, ask):
    typed("remember -", "remember still here")

    assert [each["content"] for each in ask("list")["memories"]] == ["still here"]


def test_the_shell_keeps_its_scope_and_lets_a_line_name_another(run, ask):
    lines = "remember for acme\nremember for all --within ''\n"

    run("shell", "--within", "project=acme", typed=lines, **HASHING)

    found = ask("list", "--within", "project=acme")["memories"]
    assert {each["content"]: each["scope"] for each in found} == {
        "for acme": "/project=acme/", "for all": "/",
    }  # fmt: skip


def test_the_store_is_let_go_for_what_needs_it_alone(typed):
    answer = typed("remember to be kept", "backup", "forget 1 --reason no", "restore --yes", "list")

    assert answer.code == 0
    assert "Restored" in answer.out
    assert "to be kept" in answer.out.partition("Restored")[2]


@pytest.mark.parametrize("name", ["mcp", "serve", "shell"])
def test_what_takes_the_terminal_is_not_run_inside(typed, name):
    answer = typed(name)

    assert answer.code == 2
    assert "leave first" in answer.err


def test_help_is_short_and_knows_the_pages(typed):
    answer = typed("?", "help why")

    assert "show 2" in answer.out
    assert "Usage: engram why" in answer.out


def test_documents_come_one_after_the_other(typed):
    answer = typed("remember one thing --json", "list --json")

    assert answer.out.count('"content": "one thing"') == 2


def test_a_person_explores_and_leaves_by_ctrl_d(terminal):
    at = terminal("shell", **HASHING)
    at.answer("engram> ", "remember pnpm is quick")
    at.answer("Stored", "list")
    at.answer("status", "remember coffee is hot")
    at.answer("Stored", "list")
    at.answer("1 to 2", "\x04")

    assert at.leave() == 0
    assert "Traceback" not in at.seen


def test_the_tabulator_completes_commands_options_and_last_labels(terminal):
    at = terminal("shell", **HASHING)
    at.answer("engram> ", "reme\tpnpm is quick --cat\ttooling")
    at.answer("Stored", "sho\tmem-0\t")
    at.wait_for("field")
    at.answer("engram> ", "quit")

    assert at.leave() == 0
    assert "tooling" in at.seen


def test_ctrl_c_leaves_the_line_and_not_the_shell(terminal):
    at = terminal("shell", **HASHING)
    at.answer("engram> ", "list")
    at.wait_for("engram> ")
    at.interrupt("half a line", until="engram> ")
    at.answer("", "quit")

    assert at.leave() == 0


def test_what_is_typed_is_written_down_only_when_asked_for_and_for_nobody_else(
    terminal, tmp_path, store
):
    kept = tmp_path / "history"
    before = set(store.parent.rglob("*"))
    for words in ((), ("--history", kept)):
        at = terminal("shell", *words, HOME=str(tmp_path), **HASHING)
        at.answer("engram> ", "recall the secret plan")
        at.answer("engram> ", "quit")
        assert at.leave() == 0

    assert "secret plan" in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    strays = [path for path in set(store.parent.rglob("*")) - before if path.name != "history"]
    assert not any(b"secret plan" in path.read_bytes() for path in strays if path.is_file())


def test_an_empty_pipe_is_no_error(spawn):
    assert spawn("shell", typed=b"").code == 0
