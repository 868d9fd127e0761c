"""The work that nobody waits for: a view of the store for the process in the background."""

from dataclasses import dataclass

from engram.engine.facade import Engram
from engram.engine.sending import Sending
from engram.memory.scopes import Principal
from engram.storage.background import LEAVE_SECONDS, Holder, Seat, seat_kept_free, seated
from engram.storage.vectors.spaces import SpaceState
from engram.storage.webhooks import WebhookTable, has_news

__all__ = [
    "LEAVE_SECONDS", "BackgroundWork", "Holder", "Seat", "Waiting", "leaves_work",
    "seat_kept_free", "seated",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is left to be done for a store."""

    texts: int  # to be embedded, but for those that have failed too often
    turns: int  # to be read
    webhooks: int  # that have not been told everything

    @property
    def is_something(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.texts or self.turns or self.webhooks)


class BackgroundWork(Sending):
    """What one process does for everybody who uses a store. Closing it closes nothing."""

    @classmethod
    def of(cls, engram: Engram) -> "BackgroundWork":
        """The work of a store that its owner has open."""
        return cls(engram._parts, engram.principal)

    def close(self) -> None:
        """Nothing: the store belongs to whoever opened it."""

    def waiting(self) -> Waiting:
        """What is left to be done, counted."""
        self._check_owner()
        return Waiting(self._waiting_texts(), self._waiting_turns(), self._waiting_webhooks())

    def _waiting_texts(self) -> int:
        embedding = self._parts.embedding
        if embedding is None:
            return 0
        return sum(
            each.waiting - each.failed
            for each in embedding.fills()
            if each.space.state is not SpaceState.RETIRED
        )

    def _waiting_turns(self) -> int:
        reach = self.principal.review_reach()
        with self._store.read(reach, timeout_seconds=self._patience) as see:
            return see.turns.count_unread()

    def _waiting_webhooks(self) -> int:
        with self._store.database.reading(self._patience) as transaction:
            return sum(has_news(transaction, each) for each in WebhookTable(transaction).all())

    def begin(self) -> None:
        """Have what is due embedded and read by the threads of this process.

        Nothing is loaded for questions: nobody asks any here.
        """
        from engram.capture.reading_worker import ReadingWorker

        self._check_owner()
        if self._parts.reading is None:
            self._parts.reading = ReadingWorker(self._read_due)
        self._parts.reading.wake()
        self._parts.wake_embedding()

    @property
    def embedding_problem(self) -> str:
        """Why nothing can be embedded now; empty when nothing is wrong."""
        return self._parts.embedding.problem if self._parts.embedding is not None else ""

    def prune(self) -> int:
        """Remove logs that are older than they are kept; says how many went."""
        return self._parts.log.purge(self._clock())

    def log(self, event: str, **facts: str | int) -> None:
        """Write down that something happened to the process in the background."""
        self._parts.log.write(event, self._clock(), **facts)


def leaves_work(engram: Engram) -> bool:
    """Whether anything is left to be done in a store that can be written to.

    Asked for the store as a whole, whoever has it open: the answer tells of nobody's memories.
    """
    place = engram._parts.place
    if place is None or place.read_only:
        return False
    return BackgroundWork(engram._parts, Principal.of(None)).waiting().is_something
