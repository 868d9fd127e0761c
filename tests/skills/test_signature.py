"""Errors made comparable: what changes from one time to the next is taken out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.memory.skills.signature import are_alike, error_signature


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Timeout after 30 s", "Timeout after 45 s"),
        ("Timeout after 1.5s", "timeout after 20 s."),
        ("Cannot open /srv/app/a.txt", "Cannot open /srv/ada/b.txt"),
        ("Cannot open ./a/b.py", "cannot open src/c.py"),
        ("Cannot open C:\\app\\x.txt", "Cannot open D:\\y.txt"),
        ('No column "users.age"', "no column 'id'"),
        ("No `name` given", 'no "title" given'),
        ("Job 1f0c2a9b7d failed", "Job aa12bb34cc failed"),
        (
            "Lost 5f0c7b1e-1b2a-4c3d-8e9f-0a1b2c3d4e5f",
            "lost 00000000-1b2a-4c3d-8e9f-0a1b2c3d4e5f",
        ),
        ("GET https://a.example/x?q=1 gave 503", "GET http://b.example gave 503"),
        ("Refused at 2026-03-01T09:00:00Z", "refused at 2025-12-31 23:59"),
        ("Bad address 0x7ffe12", "bad address 0xdead"),
        ("Mail to ada@example.org bounced", "mail to bob@example.com bounced"),
        ("Boom\n  at line 3\n  at line 9", "boom\n  at line 4"),
        ("Traceback (most recent):\n  x\nKeyError: 'a'", "KeyError: 'b'"),
    ],
)
def test_the_same_error_at_another_time_is_the_same(one, other):
    assert error_signature(one) == error_signature(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Connection refused", "Connection reset"),
        ("permission denied", "permission granted"),
        ("cannot read the config", "cannot write the config"),
        ("don't do a's thing", "don't do b's thing"),
    ],
)
def test_other_errors_stay_others(one, other):
    assert error_signature(one) != error_signature(other)


@given(st.text(max_size=400))
def test_a_signature_is_short_and_stays_as_it_is(error):
    once = error_signature(error)

    assert len(once) <= 200
    assert "\n" not in once
    assert error_signature(error) == once


def test_an_endless_error_is_read_in_no_time():
    assert len(error_signature("'" * 100_000 + "/a" * 100_000)) <= 200


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("token expired", "token expired for auth"),
        ("the token has expired for mail", "Token expired"),
        ("upload of 3 files timed out: gateway", "gateway timed out, upload 7"),
    ],
)
def test_errors_that_share_their_telling_words_are_alike(one, other):
    assert are_alike(error_signature(one), error_signature(other))
    assert are_alike(error_signature(other), error_signature(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("connection refused", "connection reset"),
        ("denied", "denied by the proxy"),  # one word is in too many errors
        ("failed: 7", "build failed"),
        ("7", "/tmp/x"),
        ("", "token expired"),
        ("it is not so", "it was not"),
    ],
)
def test_errors_that_share_little_are_not_alike(one, other):
    assert not are_alike(error_signature(one), error_signature(other))
