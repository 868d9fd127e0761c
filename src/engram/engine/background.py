"""The work that nobody waits for: a view of the store for the process in the background."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from engram.engine.dreaming import Dreaming
from engram.engine.erasing import Erasing
from engram.engine.facade import Engram
from engram.engine.sending import Sending
from engram.memory.dreams.report import Step
from engram.memory.dreams.schedule import Lately, Rhythm, is_coming, steps_due
from engram.memory.scopes import Principal
from engram.security.keys import Credentials
from engram.storage.background import LEAVE_SECONDS, Holder, Seat, seat_kept_free, seated
from engram.storage.dreams import lately
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
    dreams: bool = False  # as soon as there is rest

    @property
    def is_something(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.texts or self.turns or self.webhooks or self.dreams)


class BackgroundWork(Dreaming, Sending, Erasing):
    """What one process does for everybody who uses a store. Closing it closes nothing."""

    @classmethod
    def of(cls, engram: Engram) -> "BackgroundWork":
        """The work of a store that its owner has open."""
        return cls(engram._parts, engram.principal)

    @classmethod
    def for_all(cls, engram: Engram) -> "BackgroundWork":
        """The same for the store as a whole, whoever has it open: it tells of nobody's memories."""
        return cls(engram._parts, Principal.of(None))

    @property
    def folder(self) -> Path | None:
        """Where the store lies, if it can be written to; None: nowhere another process could."""
        place = self._parts.place
        return None if place is None or place.read_only else place.root

    @property
    def credentials(self) -> Credentials:
        """What opens the store, for a process of its own."""
        return self._parts.credentials

    def close(self) -> None:
        """Nothing: the store belongs to whoever opened it."""

    def waiting(self) -> Waiting:
        """What is left to be done, counted."""
        self._check_owner()
        return Waiting(
            self._waiting_texts(), self._waiting_turns(), self._waiting_webhooks(),
            is_coming(self._lately(), self._rhythm, self._clock()) if self._may_dream else False,
        )  # fmt: skip

    def steps_due(self) -> tuple[Step, ...]:
        """The passes of a dream that are due now: there is rest, and enough is new."""
        self._check_owner()
        if not self._may_dream:
            return ()
        return steps_due(self._lately(), self._rhythm, self._clock())

    @property
    def _may_dream(self) -> bool:
        return self.settings.dreams.start == "auto"

    @property
    def _rhythm(self) -> Rhythm:
        options = self.settings.dreams
        every = timedelta(hours=options.every_hours) if options.every_hours else None
        return Rhythm(every, options.after_extractions, timedelta(minutes=options.rest_minutes))

    def _lately(self) -> Lately:
        with self._store.database.reading(self._patience) as transaction:
            return lately(transaction)

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

    def resume_erasures(self) -> None:
        """Finish erasures that something was in the way of; what still is, stays pending."""
        place = self._parts.place
        if self.principal.is_owner and place is not None and not place.read_only:
            self.finish_erasures()

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
    return BackgroundWork.for_all(engram).waiting().is_something
