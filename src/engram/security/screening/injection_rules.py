"""How the concepts of a command follow one another in a sentence.

A text is written as one letter per word, the letter of its concept, so that a rule is a short
pattern over letters. Gaps are bounded and do not cross the end of a sentence: whatever is written,
a rule reads each letter a fixed number of times.
"""

import re
from dataclasses import dataclass

from engram.security.screening.injection_words import CONCEPTS

STOP, OTHER, CAPITAL, QUOTE, COLON, ADDRESS = ".", "-", "*", '"', ":", "/"
_SIGNS = {
    "stop": STOP,
    "other": OTHER,
    "name": CAPITAL,
    "quote": QUOTE,
    "colon": COLON,
    "url": ADDRESS,
}
_FIRST_LETTER = 0x100  # past all signs that mean something in a pattern
_LETTERS = {name: chr(_FIRST_LETTER + order) for order, name in enumerate(CONCEPTS)} | _SIGNS
LETTER_OF_WORD: dict[str, str] = {}
for _name, _words in CONCEPTS.items():
    for _word in _words:
        LETTER_OF_WORD.setdefault(_word, _LETTERS[_name])


@dataclass(frozen=True, slots=True)
class Rule:
    """A way of commanding: its reason, how much it says alone, and the pattern of letters."""

    reason: str
    weight: float
    pattern: re.Pattern[str]


def _compiled(notation: str) -> re.Pattern[str]:
    """A pattern from words: a concept, `a|b` for either, `~3` for up to three words between,
    `^` for the beginning of a sentence, `!a|b` first for not after these."""
    steps = notation.split()
    if not steps[0].startswith("!"):
        return re.compile("".join(map(_step, steps)))
    # A search for a first letter is fast, one that looks behind at every letter is not.
    unwanted = f"(?<!{_letters(steps[0][1:])}.)"
    return re.compile(_step(steps[1]) + unwanted + "".join(map(_step, steps[2:])))


def _step(step: str) -> str:
    if step == "^":
        return f"[{STOP}{QUOTE}{COLON}]"
    return rf"[^{STOP}]{{0,{step[1:]}}}?" if step.startswith("~") else _letters(step)


def _letters(names: str) -> str:
    return f"[{''.join(re.escape(_LETTERS[name]) for name in names.split('|'))}]"


RULES: tuple[Rule, ...] = tuple(
    Rule(reason, weight, _compiled(notation))
    for reason, weight, notation in (
        # What was said before shall no longer count.
        ("override", 0.9, "!self|not forget ~3 all|your ~2 prior ~3 orders|prompt|tasks|sources"),
        ("override", 0.9, "!self|not drop ~2 all|your ~2 prior ~3 orders|prompt|tasks"),
        ("override", 0.8, "!self|not forget|drop ~2 prior ~2 orders|prompt"),
        ("override", 0.8, "!self|not forget|drop ~2 all|your ~3 orders|prompt"),
        ("override", 0.75, "!self|not forget ~2 all ~3 tasks|sources"),
        ("override", 0.6, "!self|not forget ~1 your ~1 tasks|sources"),
        ("override", 0.75, "!self|not forget ~1 all|everything ~6 prior"),
        ("override", 0.6, "!self|not forget everything"),
        ("override", 0.6, "^ ~1 forget ~1 prior ~1 say|show"),
        ("override", 0.8, "all ~3 prior ~3 orders|tasks|prompt|sources ~8 forget|drop"),
        ("override", 0.55, "prior ~2 orders|tasks|sources ~2 forget"),
        ("override", 0.7, "leave ~2 all|everything ~4 behind"),
        ("override", 0.55, "drop|forget ~9 your mind"),
        ("override", 0.5, "prior other forget ~2 say|show"),
        ("override", 0.8, "!self|not forget ~2 orders|tasks|sources prior"),
        ("override", 0.7, "!self|not forget ~1 system ~1 orders|prompt|sources"),
        ("override", 0.7, "!self|not forget ~2 all|your ~3 restrictions|moderation"),
        ("override", 0.55, "^ forget what ~4 prior"),
        ("override", 0.55, "^ forget what you"),
        ("override", 0.6, "overrides ~2 all|everything ~2 prior"),
        ("override", 0.7, "overrides ~2 prior ~1 orders|prompt"),
        ("override", 0.6, "not come ~2 orders|tasks ~1 prior"),
        ("override", 0.6, "not come ~1 your ~1 orders|tasks"),
        ("override", 0.5, "system forget colon"),
        # Other orders take their place.
        ("new orders", 0.6, "now ~2 come ~2 new ~1 orders|tasks"),
        ("new orders", 0.6, "new orders come|colon"),
        ("new orders", 0.5, "come ~2 your new tasks|orders"),
        ("new orders", 0.5, "come ~2 new tasks colon"),
        ("new orders", 0.6, "your orders ~1 are now"),
        ("new orders", 0.7, "change ~1 your orders|prompt"),
        ("new orders", 0.3, "your new tasks|orders"),
        ("flattery", 0.3, "praise ~3 stop ~5 now"),
        ("new orders", 0.35, "now ~4 new ~1 tasks"),
        ("new orders", 0.3, "new tasks stop"),
        ("new orders", 0.3, "new tasks colon"),
        ("new orders", 0.3, "come ~3 anew"),
        # What the model was told shall be shown.
        ("prompt theft", 0.8, "show|say ~4 all|your|prior|system ~2 prompt"),
        ("prompt theft", 0.7, "show ~4 your ~1 orders"),
        ("prompt theft", 0.55, "say your orders stop"),
        ("prompt theft", 0.65, "show ~3 prior orders|prompt"),
        ("prompt theft", 0.55, "show ~4 everything|sources ~2 prior"),
        ("prompt theft", 0.55, "sources prior ~3 show|say"),
        ("prompt theft", 0.6, "start ~5 prompt"),
        ("prompt theft", 0.6, "what ~2 your ~2 prompt"),
        ("prompt theft", 0.5, "what ~2 your orders stop"),
        ("prompt theft", 0.5, "show your sources"),
        # Another role.
        ("role", 0.6, "want ~2 you ~2 act as"),
        ("role", 0.6, "want ~2 you as ~12 act"),
        ("role", 0.5, "^ act as other"),
        ("role", 0.55, "now ~1 you are name"),
        ("role", 0.55, "now are you name"),
        ("role", 0.55, "you are now name"),
        ("role", 0.55, "now you act as"),
        ("role", 0.35, "you are now other"),
        ("role", 0.5, "pretend ~2 you are"),
        ("role", 0.4, "^ imagine ~3 you are"),
        ("role", 0.5, "now are name"),
        ("role", 0.5, "^ pretend ~1 you"),
        ("role", 0.5, "theory ~6 you ~1 are"),
        ("role", 0.5, "^ ~1 take ~4 role"),
        ("role", 0.5, "would as you ~5 role"),
        ("role", 0.55, "would as you ~3 act as"),
        ("role", 0.55, "that you ~1 as ~3 act"),
        ("role", 0.3, "your role"),
        ("role", 0.3, "role ~12 role ~12 role"),
        ("no limits", 0.35, "free"),
        ("no limits", 0.55, "not ~2 moderation"),
        ("no limits", 0.6, "model not ~1 restrictions"),
        ("no limits", 0.5, "system mode"),
        # The answer is dictated.
        ("dictated answer", 0.55, "say ~3 all ~3 with ~1 quote|colon|stop"),
        ("dictated answer", 0.55, "instead ~1 say ~3 quote"),
        ("dictated answer", 0.4, "instead say"),
        ("dictated answer", 0.5, "say that ~1 you"),
        ("dictated answer", 0.45, "^ say that"),
        ("dictated answer", 0.45, "^ state that"),
        ("dictated answer", 0.5, "stop say yes stop"),
        ("dictated answer", 0.5, "attention|halt colon say"),
        ("dictated answer", 0.4, "^ say quote|colon"),
        ("dictated answer", 0.5, "want|system you ~2 instead say"),
        # The sources shall not count.
        ("sources denied", 0.55, "not ~5 sources ~3 say|show"),
        ("sources denied", 0.5, "own knowledge ~3 not ~3 sources"),
        ("sources denied", 0.5, "say ~4 not ~4 sources"),
        # Things shall be carried out of the house, unseen.
        ("exfiltration", 0.85, "send ~6 treasure|memories|prompt|sources ~8 url"),
        ("exfiltration", 0.55, "send ~1 all|your ~2 treasure|memories"),
        ("exfiltration", 0.5, "send ~3 treasure|memories|sources ~4 url"),
        ("concealment", 0.6, "not ~2 inform|show ~2 user"),
        ("concealment", 0.5, "not inform ~2 you"),
        # The model is spoken to, from within what it reads.
        ("spoken to", 0.5, "attention ~2 model"),
        ("spoken to", 0.5, "if you are ~2 model|language"),
        ("spoken to", 0.4, "as ~1 model|language ~1 you"),
        ("spoken to", 0.5, "whenever ~2 user ~6 say|recommend|send"),
        ("spoken to", 0.4, "orders ~2 model"),
        ("planted trust", 0.55, "remember ~5 as ~3 trusted ~1 source"),
        ("planted trust", 0.4, "instead recommend"),
        ("memory wipe", 0.55, "drop|forget ~1 all|your ~2 memories"),
        ("hidden orders", 0.6, "decode ~8 run"),
    )
)
