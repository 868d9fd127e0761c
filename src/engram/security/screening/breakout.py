"""Marks that end the place a text was put in and pretend that someone else speaks."""

import re
from collections.abc import Iterator

_ROLE = r"(?:system|assistant|developer|tool|user|human|function)"
_COMMANDING = (
    r"(?:you are|you must|you will|ignore|forget|from now|new |override|disregard|do not|always"
    r"|never|the user)"
)
_BLOCK = (
    r"(?:memory|memories|recalled[-_]?memor(?:y|ies)|context|system|instructions?|prompt|engram"
    r"|system[-_]prompt|tool[-_]?(?:result|response|output)|function[-_]?results?|untrusted"
    r"|user[-_]?(?:input|message)|assistant)"
)
_ENDED = r"(?:context|memory|memories|prompt|document|instructions?|input|text|conversation)"
_TOKENS = (
    r"(?:im_(?:start|end|sep)|system|assistant|user|end|endoftext|start_header_id|end_header_id"
    r"|eot_id|begin_of_text|channel|message)"
)
_LINE = r"(?:^|\n)"
_ASIDE = r"(?: (?:prompt|message|override|note|instructions?))?"

# A text that must be there at all, the reason, the weight, the pattern.
_RULES: tuple[tuple[str, str, float, re.Pattern[str]], ...] = tuple(
    (mark, reason, weight, re.compile(pattern, re.I))
    for mark, reason, weight, pattern in (
        ("</", "closed block", 0.7, rf"</\s{{0,3}}{_BLOCK}\s{{0,3}}>"),
        (
            "<",
            "role header",
            0.6,
            r"<\s{0,3}(?:system|assistant|developer|system[-_]prompt|instructions?)\s{0,3}>",
        ),
        ("<|", "role header", 0.8, rf"<\|\s{{0,3}}{_TOKENS}\s{{0,3}}\|>"),
        ("<<", "role header", 0.7, r"<</?SYS>>"),
        ("[", "role header", 0.7, rf"\[/?INST\]|\[/?system{_ASIDE}\]|\[end of {_ENDED}\]"),
        (
            "role",
            "role header",
            0.6,
            r"[\"']role[\"']\s{0,3}:\s{0,3}[\"'](?:system|developer|tool)[\"']",
        ),
        (
            "#",
            "role header",
            0.6,
            rf"{_LINE}\s{{0,3}}#{{1,6}} {{0,2}}(?:{_ROLE}|instructions?){_ASIDE} {{0,2}}(?::|\n)"
            rf"\s{{0,4}}{_COMMANDING}",
        ),
        (
            "##",
            "role header",
            0.6,
            rf"{_LINE}#{{2,6}} {{0,2}}(?:system|assistant|instruction){_ASIDE}:",
        ),
        (
            ":",
            "role header",
            0.6,
            rf"{_LINE}[ \t>*]{{0,4}}\[?{_ROLE}\]?{_ASIDE}\*{{0,2}}:\*{{0,2}}\s{{0,4}}{_COMMANDING}",
        ),
        (":", "role header", 0.5, rf"{_LINE}[ \t]{{0,4}}human:\s{{0,3}}human:"),
        ("```", "closed block", 0.6, r"``` {0,2}(?:system|assistant|developer|instructions?)\b"),
        (
            "end",
            "closed block",
            0.6,
            rf"[=\-#*]{{3}} {{0,2}}end(?: of (?:the )?{_ENDED})?(?: {{0,2}}[=\-#*]{{3}}|\.)",
        ),
        (
            "![",
            "exfiltration",
            0.6,
            r"!\[[^\]\n]{0,100}\]\(https?://[^)\s{<\[%]{1,300}(?:[{<\[]|%7B)",
        ),
    )
)

# What a person does not see on the page: where it begins, where it ends.
_UNSEEN = (("<!--", "-->"), ("display:none", "</"), ("display: none", "</"), ("font-size:0", "</"))
_LONGEST_UNSEEN = 600
_SPOKEN_TO = re.compile(
    rf"\b(?:ai|assistants?|llm|language model|agents|ignore (?:all|any|previous|the above)"
    rf"|you must|instructions?:|{_ROLE}:)"
)


def find_breakouts(text: str) -> Iterator[tuple[str, float]]:
    """The ways in which a text pretends to end, or to be said by someone else."""
    small = text.lower()
    for mark, reason, weight, pattern in _RULES:
        if mark in small and pattern.search(text):
            yield reason, weight
    for opening, closing in _UNSEEN:
        if any(map(_SPOKEN_TO.search, _between(small, opening, closing))):
            yield "hidden comment", 0.6


def _between(small: str, opening: str, closing: str) -> Iterator[str]:
    """Each stretch between two marks, none read twice."""
    place = small.find(opening)
    while place >= 0:
        limit = place + _LONGEST_UNSEEN
        end = small.find(closing, place, limit)
        end = limit if end < 0 else end
        yield small[place:end]
        place = small.find(opening, end)
