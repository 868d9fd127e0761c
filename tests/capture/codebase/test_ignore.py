"""Ignore files say what git says they say."""

import time

import pytest

from engram.capture.codebase.ignore import is_ignored, parse_rules


def ignored(rules, path, *, is_folder=False, folder=""):
    return is_ignored(parse_rules(rules, folder), path, is_folder=is_folder)


# Each row was compared with `git check-ignore`.
@pytest.mark.parametrize(
    ("rules", "path", "expected"),
    [
        ("*.log", "a/b/c.log", True),
        ("*.log", "a.log.txt", None),
        ("/a.log", "b/a.log", None),
        ("/a.log", "a.log", True),
        ("a/b", "a/b", True),
        ("a/b", "c/a/b", None),
        ("**/a/b", "c/d/a/b", True),
        ("**/a/b", "a/b", True),
        ("a/**", "a/b/c", True),
        ("a/**", "a", None),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/**/b", "a/x/y/c", None),
        ("a**b", "axxb", True),
        ("x/a**b", "x/a/b", None),
        ("*", "anything", True),
        ("a/*", "a/b", True),
        ("a/*", "a/b/c", None),
        ("a?c", "abc", True),
        ("a?c", "ac", None),
        ("[a-c]x", "bx", True),
        ("[!a-c]x", "bx", None),
        ("[^a-c]x", "dx", True),
        ("[]a]x", "]x", True),
        ("[[:digit:]]x", "7x", True),
        ("[z-a]x", "bx", None),
        ("[abc", "[abc", None),
        ("\\#a", "#a", True),
        ("#a", "#a", None),
        ("\\!a", "!a", True),
        ("a\\*", "a*", True),
        ("a\\*", "ab", None),
        ("a\\", "a\\", None),
        ("a   ", "a", True),
        ("a\\ ", "a ", True),
        ("a\r\nb", "a", True),
        ("\ufeffa", "a", True),
        ("*.log\n!keep.log", "keep.log", False),
        ("!keep.log\n*.log", "keep.log", True),
        ("\n\n/\n", "a", None),
        ("A", "a", None),
    ],
)
def test_a_rule_matches_as_in_git(rules, path, expected):
    assert ignored(rules, path) is expected


def test_a_rule_with_a_slash_behind_is_for_folders_alone():
    assert ignored("build/", "a/build", is_folder=True) is True
    assert ignored("build/", "a/build", is_folder=False) is None


def test_a_rule_holds_from_the_folder_of_its_file_on():
    assert ignored("/a", "sub/a", folder="sub/") is True
    assert ignored("b/c", "sub/b/c", folder="sub/") is True
    assert ignored("b/c", "sub/x/b/c", folder="sub/") is None


@pytest.mark.parametrize("rule", ["*a" * 60 + "b", "x/" + "**/a/" * 60 + "b", "[a-z]*" * 60 + "1"])
def test_a_hostile_rule_takes_no_time(rule):
    started = time.perf_counter()

    assert ignored(rule, "a" * 250) is None
    assert ignored(rule, "x/" + "a/" * 1_000 + "c") is None
    assert time.perf_counter() - started < 1
