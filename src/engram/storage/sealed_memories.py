"""Protected memories as they are stored: nothing of their text but what is sealed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from engram.memory.people import Person, each_once, person_of
from engram.memory.record import Memory
from engram.memory.vocabulary import Secrecy
from engram.storage.database import Transaction
from engram.storage.rows import SealedParts, metadata_text


def sealed_parts(
    transaction: Transaction, memory: Memory, people: Sequence[Person] = ()
) -> SealedParts | None:
    """The sealed columns of a protected memory; None for one that is not.

    A summary of a sensitive memory is there to be known; of a confidential one nothing is.
    """
    if memory.secrecy is Secrecy.CLEARTEXT:
        return None
    everybody = each_once((person_of(memory), *people))
    vault = transaction.vault()
    summary = memory.summary
    if summary is not None and memory.secrecy is Secrecy.CONFIDENTIAL:
        summary = transaction.seal(summary, everybody)
    metadata = None
    if memory.metadata:
        metadata = vault.seal(metadata_text(dict(memory.metadata)), everybody)
    return SealedParts(summary, metadata, vault.seal(memory.content, everybody))


def people_behind(transaction: Transaction, number: int) -> list[Person]:
    """On whose keys the newest protected state of a memory hangs; nobody where none is."""
    found = transaction.rows("newest_sealed", {"number": number})
    return transaction.vault().people_of(cast(bytes, found[0][0])) if found else []


@dataclass(frozen=True, slots=True)
class WordingSeal:
    """How what is derived from one wording is kept: as it is, or sealed like the wording."""

    transaction: Transaction
    people: tuple[Person, ...]
    is_protected: bool

    @property
    def is_possible(self) -> bool:
        """Whether it can be kept at all: not where the wording's own keys are gone."""
        return not self.is_protected or bool(self.people)

    def __call__(self, content: bytes) -> bytes:
        """Bytes as they are to be kept."""
        return self.transaction.seal_bytes(content, self.people) if self.people else content


def seal_of_wording(transaction: Transaction, number: int, version: int) -> WordingSeal:
    """How what is derived from a wording is to be kept."""
    found = transaction.rows("sealed_wording", {"number": number, "version": version})
    if not found:
        return WordingSeal(transaction, (), is_protected=False)
    vault, blob = transaction.vault(), cast(bytes, found[0][0])
    people = vault.people_of(blob) if vault.can_unseal(blob) else []
    return WordingSeal(transaction, each_once(people), is_protected=True)
