"""Secrets are found by shape or by name, and what only looks like one is left alone."""

import random

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
    ("ASIA" + "Q3EGRWZ5T7UBN4LM", "aws key"),
    ("sk-proj-" + LETTERS[:20], "api key"),
    ("sk-proj-" + LETTERS + "_" + LETTERS + "-T3Blbk" + LETTERS, "api key"),
    ("sk-svcacct-" + LETTERS + "_" + LETTERS, "api key"),
    ("sk-admin-" + LETTERS, "api key"),
    ("sk-None-" + LETTERS, "api key"),
    ("sk-ant-" + "admin01-" + LETTERS, "api key"),
    ("sk-or-v1-" + "4f9a8b7c6d5e0312" * 4, "api key"),
    *((f"gh{sort}_" + LETTERS, "github token") for sort in "pousr"),
    ("github_pat_" + LETTERS[:22] + "_" + LETTERS + LETTERS[:23], "github token"),
    *((f"xox{sort}-" + "482910-55310-" + LETTERS[:20], "slack token") for sort in "abcdeoprs"),
    ("xoxe." + "xoxp-1-" + LETTERS * 3, "slack token"),
    ("xapp-" + "1-A03K9QX-482910-" + LETTERS, "slack token"),
    ("ya29." + LETTERS + LETTERS, "google token"),
    ("1//0" + LETTERS + LETTERS, "google token"),
    ("GOCSPX-" + LETTERS[:28], "google secret"),
    *((f"{sort}_" + LETTERS[:24], "stripe key") for sort in ("rk_live", "sk_test", "rk_test")),
    ("whsec_" + LETTERS[:32], "webhook secret"),
    ("pypi-AgE" + "IcHlwaS5vcmc" + LETTERS * 3, "access token"),
    ("glpat-" + LETTERS[:27] + ".01." + "6f3aun9v4", "gitlab token"),
    ("glptt-" + "4f9a8b7c" * 5, "gitlab token"),
    ("gloas-" + "4f9a8b7c" * 8, "gitlab token"),
    ("api_org_" + LETTERS[:34], "access token"),
    ("gsk_" + LETTERS + LETTERS[:16], "api key"),
    ("xai-" + LETTERS + LETTERS, "api key"),
    ("pplx-" + LETTERS + LETTERS[:12], "api key"),
    ("tvly-" + LETTERS[:32], "api key"),
    ("r8_" + LETTERS + "z", "api key"),
    ("ntn_" + LETTERS + LETTERS[:10], "access token"),
    ("figd_" + LETTERS + LETTERS[:4], "access token"),
    ("sbp_" + "4f9a8b7c" * 5, "access token"),
    ("dapi" + "4f9a8b7c" * 4, "access token"),
    ("SK" + "4f9a8b7c" * 4, "api key"),
    ("key-" + "4f9a8b7c" * 4, "api key"),
    ("rubygems_" + "4f9a8b7c" * 6, "access token"),
    ("glsa_" + LETTERS[:32] + "_4f9a8b7c", "access token"),
    ("pscale_tkn_" + LETTERS, "access token"),
    ("dp.pt." + LETTERS + LETTERS[:7], "access token"),
)
# Where people leave keys: code, JSON that was written out, addresses, other scripts.
FRAMES = (
    "{}", "`{}`", "({})", "<{}>", "[{}]", "'{}',", "{}.", "a={},b=2", "x:{}", "//{}",
    "https://files.internal/?k={}&a=1", "BUILD_{}", "first\\n{}\\nlast", "first\n{}\nlast",
    "密钥是{}\uff0c别外传", "clé{}", "→{}←", "Bearer {}",
)  # fmt: skip
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
    ("postgresql+psycopg://app:{}@10.0.0.3/main", "t0psy"),
    ("mongodb+srv://app:{}@cluster0.internal/?w=1", "t0psy!x"),
    ("redis://:{}@cache:6379/0", "t0psy-9"),
    ("postgres://app:{}@db.internal/main", "t0p@sy"),
    ("postgres://app:{}@db.internal/main", "t0/psy"),
    ("jdbc:postgresql://db.internal/main?user=app&password={}", "t0psy-9"),
    ("aws_secret_access_key = {}", LETTERS + "/w+9"),
    ('"SecretAccessKey": "{}"', LETTERS + "/w+9"),
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
    "sk-proj-your-api-key-goes-here-please",
    "ghp_" + "x" * 36,
    "export OPENAI_API_KEY=sk-proj-" + "<your key>",
    "flask-projection-of-everything-we-have-learned",
    "risk-administration-committee-of-the-whole-board",
    "task-None-of-these-is-ready-before-next-wednesday",
    "ask-proj-team-about-the-next-quarterly-milestones",
    "the branch is hf_transfer_support_for_large_model_files",
    "npm_config_registry_of_the_whole_company_is_internal",
    "glpat is GitLab's prefix, ghp_ GitHub's and sk-ant- Anthropic's.",
    "integrity sha512-" + "MjQ0ZGY5YzA0ZDE4M2QxNmY5ZjU4YzQxZTYxNjVhMTc5MWYxNzBhOTU2NWU0" + "==",
    "the etag is W/9b74c9897bac770ffc029102a200c5de",
    "01HF7YAT31JZKZ5JQ8VQ1E2XYZ and 01hf7yat31jzkz5jq8vq1e2xyz are the same ULID",
    "https://db.internal:5432/main?owner=ada@internal",
    "postgres://db.internal:5432/main?owner=ada@internal",
    "https://wiki.internal/page:one/two@three",
    "s3://backups/2026/11/16/engram-0001-of-0004.tar.zst",
    "SKU-4f9a8b7c and key-value stores",
    "registry/image@sha256:" + "4f9a8b7c" * 8,
    "/usr/lib/python3.11/site-packages/engram/security/screening/secret_shapes.py",
    "data:image/png;base64," + "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
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


@pytest.mark.parametrize(("secret", "kind"), FOUND)
def test_a_token_is_hidden_wherever_it_stands(secret: str, kind: str):
    easily_inside = secret.startswith((
        "sk-" + LETTERS[:3], "AKIA", "ASIA", "AIza", "eyJ", "SG.", "1//0", "r8_", "dapi", "SK",
        "key-", "61829405",
    ))  # fmt: skip

    for frame in FRAMES:
        if easily_inside and frame.startswith("BUILD_"):
            continue
        text = frame.format(secret)
        assert secret[-8:] not in masked(text, screen(text).secrets), frame


def test_a_key_that_holds_a_word_of_examples_by_chance_is_a_key():
    for chance in ("xXx", "ToDo", "FAKE", "abcdefgh", "yOUr", "sample"):
        for prefix in ("ghp_", "sk-proj-", "sk-ant-api03-", "npm_"):
            text = f"use {prefix}{(LETTERS[:14] + chance + LETTERS)[:36]} here"
            assert masked(text, screen(text).secrets).count("[") == 1, text


def test_a_key_from_a_tutorial_is_hidden_like_any_other():
    for text in (
        "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789",
        "sk-proj-" + "abcdefghijklmnopqrstuvwxyz0123456789",
        "sk-proj-" + "1234567890abcdefghijklmnop",
    ):
        assert masked(text, screen(text).secrets).startswith("[")


def test_the_secret_half_of_an_aws_key_is_found_beside_the_other_half():
    secret = LETTERS + "/w+9"
    text = f"AKIA{'Q3EGRWZ5T7UBN4LM'} / {secret}, built at 9fceb02d0ae598e95dc970b74767f19372d61af8"

    hidden = masked(text, screen(text).secrets)

    assert hidden == "[aws key] / [aws secret], built at 9fceb02d0ae598e95dc970b74767f19372d61af8"
    assert screen(f"the digest is {secret}").secrets == ()


def test_ordinary_identifiers_are_no_secrets():
    draw = random.Random(8)
    hexadecimal, letters = "0123456789abcdef", "abcdefghijklmnopqrstuvwxyz"

    def drawn(signs: str, count: int) -> str:
        return "".join(draw.choices(signs, k=count))

    for _ in range(200):
        uuid = "-".join(drawn(hexadecimal, count) for count in (8, 4, 4, 4, 12))
        text = (
            f"id {uuid}, commit {drawn(hexadecimal, 40)}, sha256:{drawn(hexadecimal, 64)}, md5 "
            f"{drawn(hexadecimal, 32)}, {drawn(letters, 9)}-{drawn(letters, 8)}_{drawn(letters, 7)}"
            f", v{draw.randrange(9)}.{draw.randrange(99)}.0+{drawn(hexadecimal, 7)}, "
            f"/srv/{drawn(letters, 12)}/{drawn(letters, 14)}.{drawn(hexadecimal, 8)}.js"
        )
        assert screen(text).secrets == (), text
