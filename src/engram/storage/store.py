"""The store: views that need a reach, and writes that commit whole or not at all."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import cast

from engram.errors import SchemaTooNew
from engram.failpoints import failpoint
from engram.memory.changes import AuditVerdict
from engram.memory.ids import IdMint
from engram.memory.scopes import Reach
from engram.storage.audit_chain import the_row, verify_chain
from engram.storage.database import Database, Transaction
from engram.storage.reader import StoreReader
from engram.storage.unit import UnitOfWork


class Store:
    """Opens read views and units of work on one database."""

    def __init__(self, database: Database, mint: IdMint, *, schema: int) -> None:
        self.database = database
        self._mint = mint
        self._schema = schema
        self.committed: Callable[[int], object] = int  # is told how long the audit is now

    @contextmanager
    def read(self, reach: Reach, *, timeout_seconds: float) -> Iterator[StoreReader]:
        """A consistent view through one caller's reach."""
        with self.database.reading(timeout_seconds) as transaction:
            if reach.is_veiled:
                transaction.veil()
            yield StoreReader(transaction, self.database, reach)

    @contextmanager
    def write(self, reach: Reach, *, actor: str, now: datetime) -> Iterator[UnitOfWork]:
        """A unit of work: all of it is durable when the block ends, or none of it."""
        with self.database.writing() as transaction:
            unit = UnitOfWork(
                transaction,
                StoreReader(transaction, self.database, reach),
                actor=actor,
                now=now,
                mint=self._mint,
                schema=self._schema,
            )
            yield unit
            unit.finish()
        self.committed(unit.audit_entries)

    @contextmanager
    def derive(self) -> Iterator[Transaction]:
        """Write what is derived from wordings: no memory changes, so the audit has nothing to say.

        The same discipline as for memories: durable when the block ends, or as if never begun.
        """
        with self.database.writing() as transaction:
            version = cast(int, the_row(transaction.rows("schema_version", {}))[0])
            if version > self._schema:
                raise SchemaTooNew(hint="Another process has upgraded this store.")
            yield transaction
            failpoint("vectors_before_commit")

    def verify_audit(self, *, timeout_seconds: float) -> AuditVerdict:
        """Whether the audit is whole; hashes only, so it needs no reach."""
        with self.database.reading(timeout_seconds) as transaction:
            return verify_chain(transaction)

    def close(self) -> None:
        """Close the database."""
        self.database.close()
