"""Secrets that show by their shape: keys and tokens with a known beginning, key blocks, URLs."""

import re
from collections.abc import Iterator

from engram.security.screening.marks import places_of, word_places
from engram.security.screening.placeholders import is_placeholder, names_itself
from engram.security.screening.spans import Span

_WORD = r"[A-Za-z0-9_]"
_DASHED = r"[A-Za-z0-9_\-]"
_GITLAB = rf"{_DASHED}{{20,300}}(?:\.[0-9a-z]{{2}}\.[0-9a-z]{{9}}(?!\w))?"
_GITLAB_SORTS = ("glpat", "gldt", "glrt", "glptt", "glcbt", "gloas", "glft", "glsoat", "glagent")

# The beginning, what follows it, the kind. A longer beginning stands before its own beginning.
_TOKENS: tuple[tuple[str, re.Pattern[str], str], ...] = tuple(
    (prefix, re.compile(rest), kind)
    for prefix, rest, kind in (
        ("engram_", r"[0-9a-hjkmnp-tv-z]{10}_[0-9a-hjkmnp-tv-z]{58}(?!\w)", "access key"),
        ("AKIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])", "aws key"),
        ("ASIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])", "aws key"),
        ("AIza", rf"{_DASHED}{{35}}(?!{_DASHED})", "google key"),
        ("GOCSPX-", rf"{_DASHED}{{28}}", "google secret"),
        ("ya29.", rf"{_DASHED}{{40,1000}}", "google token"),
        ("1//0", rf"{_DASHED}{{40,255}}", "google token"),
        ("ghp_", r"[A-Za-z0-9]{36,255}", "github token"),
        ("gho_", r"[A-Za-z0-9]{36,255}", "github token"),
        ("ghu_", r"[A-Za-z0-9]{36,255}", "github token"),
        ("ghs_", r"[A-Za-z0-9]{36,255}", "github token"),
        ("ghr_", r"[A-Za-z0-9]{36,255}", "github token"),
        ("github_pat_", rf"{_WORD}{{22,255}}", "github token"),
        *((f"{each}-", _GITLAB, "gitlab token") for each in _GITLAB_SORTS),
        # A token that is renewed now and then stands behind the mark of the renewing.
        ("xoxe.xoxb-", r"[A-Za-z0-9\-]{20,255}", "slack token"),
        ("xoxe.xoxp-", r"[A-Za-z0-9\-]{20,255}", "slack token"),
        *((f"xox{each}-", r"[A-Za-z0-9\-%]{20,255}", "slack token") for each in "abcdeoprs"),
        ("xapp-", r"[A-Za-z0-9\-]{20,255}", "slack token"),
        ("hooks.slack.com/services/", r"[A-Za-z0-9]{6,20}/[A-Za-z0-9]{6,20}/\w{16,40}", "webhook"),
        ("discord.com/api/webhooks/", rf"\d{{15,22}}/{_DASHED}{{50,90}}", "webhook"),
        ("sk_live_", rf"{_WORD}{{16,255}}", "stripe key"),
        ("rk_live_", rf"{_WORD}{{16,255}}", "stripe key"),
        ("sk_test_", rf"{_WORD}{{16,255}}", "stripe key"),
        ("rk_test_", rf"{_WORD}{{16,255}}", "stripe key"),
        ("whsec_", r"[A-Za-z0-9+/=]{24,128}", "webhook secret"),
        ("sk-ant-", rf"{_DASHED}{{20,255}}", "api key"),
        ("sk-proj-", rf"{_DASHED}{{20,255}}", "api key"),
        ("sk-svcacct-", rf"{_DASHED}{{20,255}}", "api key"),
        ("sk-admin-", rf"{_DASHED}{{20,255}}", "api key"),
        ("sk-None-", rf"{_DASHED}{{20,255}}", "api key"),
        ("sk-or-v1-", r"[a-f0-9]{32,128}", "api key"),
        ("sk-", r"[A-Za-z0-9]{32,255}(?![\w-])", "api key"),
        ("gsk_", r"[A-Za-z0-9]{40,80}", "api key"),
        ("xai-", r"[A-Za-z0-9]{60,120}", "api key"),
        ("hf_", r"[A-Za-z0-9]{34,64}(?!\w)", "access token"),
        ("api_org_", r"[A-Za-z0-9]{34,64}(?!\w)", "access token"),
        ("pplx-", r"[A-Za-z0-9]{40,64}", "api key"),
        ("tvly-", rf"{_DASHED}{{32,64}}", "api key"),
        ("r8_", r"[A-Za-z0-9]{37,40}(?!\w)", "api key"),
        ("npm_", r"[A-Za-z0-9]{36}(?!\w)", "access token"),
        ("pypi-AgE", rf"{_DASHED}{{50,1000}}", "access token"),
        ("dckr_pat_", rf"{_DASHED}{{20,64}}", "access token"),
        ("dop_v1_", r"[a-f0-9]{64}", "access token"),
        ("shpat_", r"[A-Fa-f0-9]{32}", "access token"),
        ("dapi", r"[a-f0-9]{32}(?!\w)", "access token"),
        ("SK", r"[a-f0-9]{32}(?!\w)", "api key"),
        ("key-", r"[a-f0-9]{32}(?!\w)", "api key"),
        ("rubygems_", r"[a-f0-9]{48}", "access token"),
        ("glsa_", r"[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}", "access token"),
        ("figd_", rf"{_DASHED}{{40,64}}", "access token"),
        ("ntn_", r"[A-Za-z0-9]{40,64}(?!\w)", "access token"),
        ("sbp_", r"[a-f0-9]{40}(?!\w)", "access token"),
        ("pscale_tkn_", rf"{_DASHED}{{32,64}}", "access token"),
        ("dp.pt.", r"[A-Za-z0-9]{40,44}(?!\w)", "access token"),
        ("lin_api_", r"[A-Za-z0-9]{32,64}", "api key"),
        ("hvs.", rf"{_DASHED}{{24,255}}", "access token"),
        ("ATATT3", r"[A-Za-z0-9_\-=]{60,255}", "access token"),
        ("SG.", rf"{_DASHED}{{16,32}}\.{_DASHED}{{32,64}}", "api key"),
        ("AGE-SECRET-KEY-1", r"[A-Z0-9]{40,70}", "private key"),
        ("eyJ", rf"{_DASHED}{{8,4096}}\.eyJ{_DASHED}{{4,8192}}\.{_DASHED}{{8,2048}}", "web token"),
    )
)
_BLOCK_START = "-----BEGIN "
_BLOCK_HEAD = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_BLOCK_END = re.compile(r"-----END [A-Z0-9 ]{0,50}PRIVATE KEY(?: BLOCK)?-----")
# Up to the last @ before the path, since passwords hold them; a slash only where no web address
# is meant, and not behind what reads as a port.
_USER_AND_PASSWORD = re.compile(r"[^\s:/@'\"<>]{0,100}:([^\s/'\"<>]{2,200})@[\w\[.-]")
_USER_AND_SLASHED = re.compile(r"[^\s:/@'\"<>]{1,100}:(?!\d{1,5}/)([^\s@?'\"<>]{2,200})@[\w\[.-]")
_OF_DATABASE = re.compile(r"(?:postgres|postgresql|mysql|mariadb|mongodb|redis|rediss|amqps?)\Z")
_HEADER_VALUE = re.compile(r"[A-Za-z0-9._~+/-]{16,4096}={0,2}")
_LONG_WORD = re.compile(r"[A-Za-z0-9_\-./+=:]{20,}")
# Behind these a beginning begins nothing: they are too short to be told from the end of a word.
_EASILY_INSIDE = frozenset(
    {"sk-", "AKIA", "ASIA", "AIza", "eyJ", "SG.", "ATATT3", "1//0", "r8_", "dapi", "SK", "key-"}
)
_NEAR_ITS_ID = 200  # characters between the two halves of an AWS key
_AWS_SECRET = re.compile(r"(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")
_TELEGRAM = re.compile(
    r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt]))\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"
)


def find_shapes(text: str, small: str) -> Iterator[Span]:
    """Every secret that its own letters give away."""
    yield from _key_blocks(text)
    yield from _passwords_in_urls(text)
    # Prose has no words as long as a token: most texts are done here.
    for word in _LONG_WORD.finditer(text):
        for span in _tokens(text, *word.span()):
            yield span
            if span.kind == "aws key":
                yield from _aws_secrets(text, span)
    for mark in ("bearer ", "basic "):
        for place in word_places(mark, small):
            yield from _header(text, place + len(mark))


def _key_blocks(text: str) -> Iterator[Span]:
    place = text.find(_BLOCK_START)
    while place >= 0:
        head = _BLOCK_HEAD.match(text, place)
        end = place + len(_BLOCK_START)
        if head:
            # A block that was cut off still holds most of the key.
            tail = _BLOCK_END.search(text, head.end())
            end = tail.end() if tail else len(text)
            yield Span(place, end, "private key", True)
        place = text.find(_BLOCK_START, end)


def _tokens(text: str, start: int, end: int) -> Iterator[Span]:
    for prefix, rest, kind in _TOKENS:
        place = text.find(prefix, start, end)
        while place >= 0:
            after = place + len(prefix)
            is_inside = _is_inside(text, place, prefix)
            match = None if is_inside else rest.match(text, after, end)
            if match and not is_placeholder(match.group()):
                yield Span(place, match.end(), kind, True)
            place = text.find(prefix, match.end() if match else after, end)
    if text.find(":AA", start, end) >= 0:
        for match in _TELEGRAM.finditer(text, start, end):
            yield Span(*match.span(), "access token", True)


def _is_inside(text: str, place: int, prefix: str) -> bool:
    """Whether a beginning stands in the middle of a word, and so begins nothing."""
    before = text[place - 1 : place]
    if before in {"_", "-"}:
        return prefix in _EASILY_INSIDE
    # In other scripts nobody puts a space, and `\\n` is the end of a line that was written out.
    is_letter = before.isascii() and before.isalnum()
    return is_letter and not (before in "nrt" and text[place - 2 : place - 1] == "\\")


def _aws_secrets(text: str, key: Span) -> Iterator[Span]:
    """The secret half of a key has no beginning of its own, but stands beside the other half."""
    near = text[max(0, key.start - _NEAR_ITS_ID - 40) : key.end + _NEAR_ITS_ID + 40]
    offset = max(0, key.start - _NEAR_ITS_ID - 40)
    for match in _AWS_SECRET.finditer(near):
        value = match.group()
        is_mixed = any(map(str.islower, value)) and any(map(str.isupper, value))
        if is_mixed and any(map(str.isdigit, value)) and not is_placeholder(value):
            yield Span(offset + match.start(), offset + match.end(), "aws secret", True)


def _passwords_in_urls(text: str) -> Iterator[Span]:
    for place in places_of("://", text):
        match = _USER_AND_PASSWORD.match(text, place + 3)
        if match is None and _OF_DATABASE.search(text[max(0, place - 12) : place].lower()):
            match = _USER_AND_SLASHED.match(text, place + 3)
        if match and not is_placeholder(match.group(1)) and not names_itself(match.group(1)):
            yield Span(*match.span(1), "password", True)


def _header(text: str, place: int) -> Iterator[Span]:
    match = _HEADER_VALUE.match(text, place)
    if match and not is_placeholder(match.group()):
        is_random = any(letter.isdigit() for letter in match.group())
        if is_random and not match.group().isdigit():
            yield Span(*match.span(), "access token", True)
