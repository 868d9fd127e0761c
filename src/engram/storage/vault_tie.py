"""Ties a database to its vault by an id that both hold, so that no other vault takes its place.

A vault that is missing, or is another one, reads nothing of what was sealed before. Were something
sealed with it all the same, the store's protected memories would hang on two files of one name.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import cast

from engram.errors import VaultUnreadable
from engram.memory.people import Person
from engram.storage.database import Transaction
from engram.storage.vault import Vault

_TIE = "vault_id"
_GIVEN_UP = "vault_given_up"


class VaultProblem(StrEnum):
    """Why a vault is not the one that protected memories were sealed with."""

    MISSING = "vault.db is missing"
    UNREADABLE = "vault.db cannot be read"
    ANOTHER = "vault.db is another than that of this store"


def vault_problem(transaction: Transaction, vault: Vault) -> VaultProblem | None:
    """What is wrong with the vault; None also where nothing is sealed that could hang on one."""
    tied, here = _noted(transaction, _TIE), vault.identity()
    if here is not None and tied in (None, here):
        return None
    if not transaction.rows("has_sealed", {})[0][0]:
        return None
    if here is not None:
        return VaultProblem.ANOTHER
    return VaultProblem.UNREADABLE if vault.is_there() else VaultProblem.MISSING


def problem_at_opening(transaction: Transaction) -> VaultProblem | None:
    """The same for a store as it lies there; who has nothing protected looks at no vault."""
    if not transaction.rows("has_sealed", {})[0][0]:
        return None
    return vault_problem(transaction, transaction.vault())


def tie(transaction: Transaction, vault: Vault) -> None:
    """Note in the database which vault its records are sealed with."""
    here = vault.identity()
    if here is not None and here != _noted(transaction, _TIE):
        transaction.run("keep_meta", {"key": _TIE, "value": here})


def give_up(transaction: Transaction, vault: Vault, lost: int) -> None:
    """Let the vault that is here take the place of one that is lost, with so many states of it."""
    tie(transaction, vault)
    transaction.run("keep_meta", {"key": _GIVEN_UP, "value": str(lost)})


def given_up(transaction: Transaction) -> int:
    """How many protected states were known to be lost when a vault was last given up."""
    return int(_noted(transaction, _GIVEN_UP) or "0")


def _noted(transaction: Transaction, key: str) -> str | None:
    found = transaction.rows("meta_value", {"key": key})
    return cast(str, found[0][0]) if found else None


def refusal(problem: VaultProblem) -> VaultUnreadable:
    """The error for who would seal something with a vault that is not the store's."""
    return VaultUnreadable(
        hint=f"{problem}: put the right one back, or `engram restore` a backup made with its keys. "
        "If it is lost for good, `engram doctor --repair` begins a new one. Nothing was changed."
    )


class TiedVault:
    """A vault as one transaction sees it: it seals only what belongs to the transaction's database.

    What only reads is the vault's own: a record of another vault names keys that are not in it.
    """

    def __init__(self, vault: Vault, transaction: Transaction) -> None:
        self._vault = vault
        self._transaction = transaction
        self._is_tied = False
        self._problem = vault_problem(transaction, vault)
        self.identity, self.is_there, self.refresh = vault.identity, vault.is_there, vault.refresh
        self.unseal, self.unseal_bytes = vault.unseal, vault.unseal_bytes
        self.people, self.has_key, self.people_of = vault.people, vault.has_key, vault.people_of
        self.can_unseal, self.destroy = vault.can_unseal, vault.destroy
        self.renew_people, self.rewrap = vault.renew_people, vault.rewrap
        self.drop_old_keys, self.note = vault.drop_old_keys, vault.note
        self.noted, self.forget_note = vault.noted, vault.forget_note

    def check(self) -> None:
        """Refuse where this is not the vault that the database's records were sealed with."""
        if self._problem is not None:
            raise refusal(self._problem)

    def seal(self, text: str, people: Sequence[Person]) -> bytes:
        """A sealed text; the database notes with which vault."""
        self.check()
        sealed = self._vault.seal(text, people)
        self._tie()
        return sealed

    def seal_bytes(self, content: bytes, people: Sequence[Person]) -> bytes:
        """The same for bytes."""
        self.check()
        sealed = self._vault.seal_bytes(content, people)
        self._tie()
        return sealed

    def tag(self, content: bytes, person: Person) -> bytes:
        """A keyed hash; refused where it would take a new key in a vault of somebody else."""
        if not self._vault.has_key(person):
            self.check()
        return self._vault.tag(content, person)

    def _tie(self) -> None:
        if not self._is_tied:
            tie(self._transaction, self._vault)
            self._is_tied = True
