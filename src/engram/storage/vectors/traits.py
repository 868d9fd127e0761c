"""Makes the traits of wordings that lack them, or whose rules have changed, in small steps."""

from typing import cast

from engram.memory.traits import VERSION, traits_of
from engram.storage.database import Transaction

_BATCH = 500  # wordings per transaction: a kill loses one batch of derived rows at most


def are_current(transaction: Transaction) -> bool:
    """Whether every wording's traits are made by today's rules."""
    found = transaction.rows("meta_value", {"key": "traits_version"})
    is_noted = bool(found) and found[0][0] == str(VERSION)
    return is_noted and not transaction.rows("due_traits", {"limit": 1})


def queue_outdated(transaction: Transaction) -> None:
    """Put every wording on the queue when the rules have changed since its traits were made."""
    found = transaction.rows("meta_value", {"key": "traits_version"})
    if not found or found[0][0] != str(VERSION):
        transaction.run("queue_all_traits", {})
        transaction.run("note_traits_version", {"version": str(VERSION)})


def make_some(transaction: Transaction) -> int:
    """Make the traits of one batch; returns how many wordings were dealt with."""
    page = transaction.rows("due_traits", {"limit": _BATCH})
    for number, version, text in page:
        if text is not None:
            made = traits_of(cast(str, text))
            transaction.run("replace_traits", (number, version, made.tokens, made.flags))
        transaction.run("settle_traits", {"number": number, "version": version})
    return len(page)
