"""Secrets are found by shape or by name, and what only looks like one is left alone."""

import pytest

from engram.memory.vocabulary import Secrecy
from engram.security.screening.screen import masked, screen

# Put together here so that no scanner mistakes this file for a leak.
LETTERS = "a8Kd03jLq9ZpX4vB7nM2cR5tY1wE6uI0oGhS"
FOUND = (
    ("AKIA" + "Q3EGRWZ5T7UBN4LM", "aws key"),
    ("AIza" + LETTERS[:35], "google key"),
    ("engram_" + "7k" * 5 + "_" + "4h9" * 19 + "x", "access key"),
    ("ghp_" + LETTERS, "github token"),
    ("github_pat_" + LETTERS, "github token"),
    ("glpat-" + LETTERS[:20], "gitlab token"),
    ("xoxb-" + "482910-55310-" + LETTERS[:20], "slack token"),
    ("sk_live_" + LETTERS[:24], "stripe key"),
    ("sk-ant-" + "api03-" + LETTERS, "api key"),
    ("sk-proj-" + LETTERS, "api key"),
    ("sk-" + LETTERS + LETTERS[:8], "api key"),
    ("hf_" + LETTERS[:34], "access token"),
    ("npm_" + LETTERS, "access token"),
    ("SG." + LETTERS[:22] + "." + LETTERS + "abcdefg", "api key"),
    ("eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiI0MiJ9" + "." + LETTERS, "web token"),
    ("hooks.slack.com/services/" + "T03K9QX/B72LM4P/" + LETTERS[:24], "webhook"),
    ("61829405:AA" + LETTERS[:33], "access token"),
)
NAMED = (
    ("my password is {}", "hunter2!"),
    ("Das Passwort ist {}", "Sommer2031"),
    ("le mot de passe est {}", "Tulipe99!"),
    ("la contraseña es {}", "Verano77x"),
    ("password: {}", "kT9wq0lp"),
    ("DB_PASSWORD={}", "kT9-wq0lp"),
    ('"passwd": "{}"', "plainword"),
    ("PWD={};", "9xYtre41"),
    ("the PIN is {}.", "4711"),
    ("API_KEY={}", LETTERS[:24]),
    ("client_secret: '{}'", LETTERS[:30]),
    ("AccountKey={}", LETTERS + "w=="),
    ("Authorization: Bearer {}", LETTERS),
    ("postgres://app:{}@db.internal:5432/main", "t0psy"),
    ("https://ada:{}@git.internal/repo.git", "xw9k"),
)
LEFT_ALONE = (
    "My password is too long.",
    "The password is required.",
    "The token is expired.",
    "The secret is out: we are moving to Porto.",
    "The key is under the mat.",
    "password: str",
    "password=None",
    'password = os.environ["DB_PASSWORD"]',
    "token = get_token()",
    "API_KEY=${API_KEY}",
    "API_KEY=<your key here>",
    "api_key: xxxxxxxxxxxxxxxxxxxxxxxx",
    "password=changeme123",
    "AKIA" + "IOSFODNN7" + "EXAMPLE",
    "max_token: 4096",
    "The primary key is users_id_seq_2024_primary.",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "postgres://user:password@localhost/main",
    "postgres://localhost:5432/main",
    "see https://docs.internal/guide:part@2",
    "task-force-of-the-whole-department-meets-weekly",
    "My PIN is written down at home.",
)


@pytest.mark.parametrize(("secret", "kind"), FOUND)
def test_a_token_is_found_whole_by_its_shape(secret: str, kind: str):
    text = f"use {secret} for the upload"

    spans = screen(text).secrets

    assert [(text[span.start : span.end], span.kind) for span in spans] == [(secret, kind)]


@pytest.mark.parametrize(("sentence", "secret"), NAMED)
def test_a_secret_is_found_by_what_it_is_called(sentence: str, secret: str):
    text = f"Note. {sentence.format(secret)}"

    found = [text[span.start : span.end] for span in screen(text).secrets]

    assert found == [secret]


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_only_looks_like_a_secret_is_left_alone(text: str):
    assert screen(text).secrets == ()


def test_a_private_key_is_found_even_when_it_was_cut_off():
    head = "-----BEGIN " + "OPENSSH PRIVATE KEY-----\n"
    whole = f"before\n{head}{LETTERS}\n-----END OPENSSH PRIVATE KEY-----\nafter"
    cut = f"before\n{head}{LETTERS}"

    assert masked(whole, screen(whole).secrets) == "before\n[private key]\nafter"
    assert masked(cut, screen(cut).secrets) == "before\n[private key]"


def test_a_public_key_is_no_secret():
    text = "-----BEGIN PUBLIC KEY-----\nMIIBIjANBg\n-----END PUBLIC KEY-----"

    assert screen(text).secrets == ()


def test_masking_keeps_the_words_around_and_nothing_of_the_secret():
    secret = "ghp_" + LETTERS
    text = f"Use {secret} for CI, and password: kT9wq0lp for the box."

    hidden = masked(text, screen(text).secrets)

    assert hidden == "Use [github token] for CI, and password: [password] for the box."


def test_a_text_with_a_secret_is_confidential_and_its_digits_are_no_telephone():
    screened = screen("API_KEY=" + "0049-171-5550-1234-ab-9f")

    assert screened.tier is Secrecy.CONFIDENTIAL
    assert screened.personal == ()
