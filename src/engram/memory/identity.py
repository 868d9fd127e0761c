"""When two statements are one: what they say, who says it of whom, and when it is said to hold."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from itertools import product

from engram.memory.record import Memory
from engram.text.strings import identity_hash


def statement_identity(
    text: str,
    *,
    speaker: str | None,
    subject: str | None,
    valid_from: datetime | None,
    valid_until: datetime | None,
    writer: str = "",
    sort: str = "",
) -> bytes:
    """One value for all ways to make one statement.

    The interval counts as far as it was stated. A writer that cannot read the scope it writes to is
    told apart too: otherwise the answer "confirmed" would tell it what others have stored there.
    A turn is another sort of thing than a statement, also when it is made of the same words.
    """
    interval = [moment.isoformat() if moment else "" for moment in (valid_from, valid_until)]
    told_apart = (writer, sort) if sort else (writer,)  # statements keep the value they had
    return identity_hash(text, speaker or "", subject or "", *interval, *told_apart)


def reworded_identity(memory: Memory, text: str, kept: Callable[[bytes], bytes] = bytes) -> bytes:
    """The identity of a memory with another text: what else made it distinct still does.

    `kept` turns an identity into what is kept of it: of protected memories a keyed hash.
    """
    for start, end in product({memory.valid_from, None}, {memory.valid_until, None}):
        identify = partial(
            statement_identity,
            speaker=memory.speaker,
            subject=memory.subject,
            valid_from=start,
            valid_until=end,
        )
        if kept(identify(memory.content)) == memory.identity:
            return identify(text)
    return identity_hash(text, memory.id)  # written blindly: it stays one of its own
