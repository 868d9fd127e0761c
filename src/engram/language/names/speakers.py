"""Whether somebody speaks of themselves: then what they say is about them without their name."""

import re

from engram.language.names.keys import key_of

# "I" before a stop is an initial, and "US" is a country.
_SELF = re.compile(
    r"\b(?:(?:[Ii]|ICH|[Ii]ch|[Jj]e|[Yy]o)(?!\w|\.)|us|Us|[Jj]['’]\w+"
    r"|(?i:me|my|mine|myself|we|our|ours|ourselves|mich|mir|mein(?:e[mnrs]?)?|wir|uns"
    r"|unser(?:e[mnrs]?)?|moi|mon|mes|nous|notre|nos|mi|mis|nosotros|nuestr[oa]s?|eu|meus?|minhas?))"
    r"\b"
)
_OTHER_SCRIPT = re.compile(r"[\u0370-\U0010ffff]")
_MARKS = re.compile(r"[\u2000-\u2bff\U0001f000-\U0001faff\ufe0f]")  # dashes, quotes and emoji


def tells_of_speaker(text: str, speaker: str, subject: str | None = None) -> bool:
    """Whether a statement is about who made it, by its first person or by its subject.

    In a script of which the first person is not known here it is taken to be.
    """
    if subject is not None and key_of(subject) == key_of(speaker):
        return True
    plain = _MARKS.sub(" ", text.replace("’", "'"))
    return _SELF.search(plain) is not None or _OTHER_SCRIPT.search(plain) is not None
