"""Whether somebody speaks of themselves: then what they say is about them without their name."""

import re

from engram.language.names.keys import key_of
from engram.language.tables import pattern_of

# "I" before a stop is an initial, and "US" is a country.
_SELF = pattern_of("speaker_pronouns")
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
