"""An owner who finds nothing is told where there is something."""


def test_nothing_here_but_something_in_a_project(run):
    run("remember", "The build runs on Bazel.", "--scope", "project=widget")

    for command in (("list",), ("recall", "What does the build run on?")):
        said = run(*command).out

        assert "1 in project=widget" in said
        assert "--within project=widget" in said
    assert "Bazel" in run("list", "--within", "project=widget").out


def test_nothing_anywhere_is_just_nothing(run):
    made = run("remember", "Something.")
    assert made.code == 0

    assert "other places" not in run("list", "--session", "none").out
