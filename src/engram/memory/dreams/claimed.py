"""What a memory claims, read once: what is here tonight is mostly here tomorrow."""

import re
from functools import lru_cache

from engram.memory.claims import claim_of, table
from engram.memory.claims.claim import Claim
from engram.memory.claims.forms import spelled_out
from engram.memory.record import Memory

_EQUATING = re.compile(r" (?:is|are|am|will be|became) |[=:] ")


def claimed_by(memory: Memory) -> Claim | None:
    """The one claim of a memory, if it makes one."""
    return _claim(memory.content, memory.speaker)


@lru_cache(maxsize=32_768)
def _claim(text: str, speaker: str | None) -> Claim | None:
    # Reading a claim takes a tenth of a millisecond; seeing that there is no verb for one does not.
    plain = spelled_out(text)
    may_claim = _EQUATING.search(plain) or table.ANY_VERB.search(plain, 1)
    return claim_of(text, speaker=speaker) if may_claim else None
