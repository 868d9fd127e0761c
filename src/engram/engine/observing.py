"""Listening: the part of the facade that takes in conversations and learns from them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from engram.engine.core import Moment
from engram.engine.writing import Writing
from engram.errors import EngramError
from engram.memory.changes import Action
from engram.memory.outcomes import Extracted, Observed
from engram.memory.reading import Reading, Reread
from engram.memory.record import Metadata
from engram.memory.scopes import Scope
from engram.memory.times import parse_time
from engram.memory.vocabulary import Secrecy
from engram.storage.turns import CaptureCount
from engram.text.strings import checked_name, checked_text

if TYPE_CHECKING:
    from engram.capture.listening import Listener

Progress = Callable[[int, int], None]
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_AFTER_TROUBLE_SECONDS = 60.0


class Observing(Writing):
    """What is said in Engram's hearing."""

    def observe(
        self,
        text: str,
        *,
        role: str = "user",
        speaker: str | None = None,
        subject: str | None = None,
        session: str | None = None,
        at: Moment | None = None,
        reference: str | None = None,
        source: str | None = None,
        metadata: Metadata | None = None,
        scope: Scope | None = None,
        facts: Sequence[Mapping[str, object]] | None = None,
        idempotency_key: str | None = None,
        secrecy: Secrecy | str | None = None,
    ) -> Observed:
        """Take in one turn of a conversation: kept word for word when this returns.

        What it states is learnt with the next turns of its session, in the background. A host that
        has read the turn itself hands in the `facts`: then nobody else reads it.
        """
        arguments = {
            "role": role, "speaker": speaker, "subject": subject, "session": session, "at": at,
            "reference": reference, "source": source, "metadata": metadata, "scope": scope,
            "idempotency_key": idempotency_key, "secrecy": secrecy,
        }  # fmt: skip
        observed = self._listener.observe(text, arguments, facts)
        self._read_in_time()
        return observed

    def observe_many(
        self,
        turns: Iterable[str | Mapping[str, object]],
        *,
        progress: Progress | None = None,
    ) -> list[Observed]:
        """Take in many turns in few transactions. All are checked before the first is kept."""
        observed = self._listener.observe_many(
            turns, rows_per_commit=self.settings.storage.rows_per_commit, progress=progress
        )
        self._read_in_time()
        return observed

    def observe_result(
        self,
        kind: str,
        text: str,
        *,
        name: str | None = None,
        outcome: str | None = None,
        speaker: str | None = None,
        subject: str | None = None,
        session: str | None = None,
        at: Moment | None = None,
        reference: str | None = None,
        metadata: Metadata | None = None,
        scope: Scope | None = None,
    ) -> Observed | None:
        """Take in what work came to: a compaction summary, the result of a task, a finding.

        `kind` says of what, `name` of which one; both stay on everything that is learnt from it.
        What tells nothing ("ok", an empty list) is not kept: then there is no answer.
        """
        arguments = {
            "speaker": speaker, "subject": subject, "session": session, "at": at,
            "reference": reference, "metadata": metadata, "scope": scope,
        }  # fmt: skip
        observed = self._listener.observe_result(kind, text, name, outcome, arguments)
        self._read_in_time()
        return observed

    def read(
        self,
        text: str,
        *,
        speaker: str | None = None,
        role: str = "user",
        at: Moment | None = None,
        before: Sequence[str | Mapping[str, object]] = (),
    ) -> Reading:
        """What would be learnt from a turn, and why the rest would not be; writes nothing.

        `before` holds the turns before it, as strings or as dictionaries with `text` and `speaker`:
        whoever speaks there is known as a person by name. A text that is too long for one memory is
        read in pieces, as `observe` keeps it.
        """
        from engram.capture.extract import preview
        from engram.capture.observe import ANY_LENGTH
        from engram.capture.turns import Turn, checked_role, speakers_of
        from engram.providers.text_reader import packaged_reader

        turn = Turn(
            text=checked_text(text, name="text", max_bytes=ANY_LENGTH),
            role=checked_role(role),
            speaker=None if speaker is None else checked_name(speaker, name="speaker"),
            at=self._clock() if at is None else parse_time(at, name="at"),
        )
        return preview(
            turn, packaged_reader(), people=speakers_of(before),
            most_bytes=self.settings.capture.max_content_bytes,
        )  # fmt: skip

    def reread(self, *, dry_run: bool = True, progress: Progress | None = None) -> Reread:
        """Learn anew from all turns that are kept; a dry run says what would change.

        Quotes take the place of what was read in the turns before. What a person approved, edited,
        pinned, verified or protected stays, what was rejected does not come back, and turns that
        wait to be read are left to that. Stopped half-way, it goes on where it was; `undo` with
        the report's `id` takes back every statement that nobody has changed since.
        """
        from engram.capture.extract import ExtractRules
        from engram.capture.reread import Rereading
        from engram.providers.text_reader import packaged_reader

        self._check_owner()
        reader = packaged_reader()
        going = Rereading(
            self._store, lambda: ExtractRules(self._draft_rules(self._clock()), reader)
        )
        if dry_run:
            found = going.foresee()
        else:
            with self._parts.one_reader:
                found = going.run(progress)
            self._parts.wake_embedding()
        self._note(Action.LIST, count=found.turns)
        return found

    def flush(self, *, progress: Progress | None = None) -> Extracted:
        """Read everything that waits to be read, here and now; says what was learnt."""
        read = self._listener.flush(progress)
        self._parts.wake_embedding()
        return read

    def settle(self, timeout: float | None = None) -> bool:
        """Wait until nothing is pending: turns are read, reads are in the audit, all is embedded.

        Whether that is so: False when time (in seconds) was up or the embedder is not available.
        """
        is_writable = self._parts.place is None or not self._parts.place.read_only
        if is_writable and self.unread():
            self.flush()
        return super().settle(timeout)

    def unread(self, *, scope: Scope | None = None) -> int:
        """How many turns wait to be read."""
        with self._view(scope) as see:
            return see.turns.count_unread()

    def capture_statistics(
        self, since: Moment | None = None, *, scope: Scope | None = None
    ) -> list[CaptureCount]:
        """What became of what was said: kept, merged, held, refused and skipped, by reason."""
        start = _LONG_AGO if since is None else parse_time(since, name="since")
        with self._view(scope) as see:
            return see.turns.counts(start)

    def _read_in_time(self) -> None:
        """Let what is due be read in the background."""
        from engram.capture.reading_worker import ReadingWorker

        # Each caller's turns are read as that caller: a server has many of them.
        self._parts.listening[self.principal.holder] = self._read_due
        if self._parts.reading is None:
            self._parts.reading = ReadingWorker(self._parts.read_due)
        self._parts.reading.wake()
        self._parts.wake_embedding()
        self._parts.expect_recall()

    def _read_due(self) -> float | None:
        try:
            rest = self._listener.read_due()
        except Exception as error:  # noqa: BLE001  # a thread that died would read nothing any more
            code = error.code if isinstance(error, EngramError) else type(error).__name__
            self._parts.log.write("turns_not_read", self._clock(), code=code)
            return _AFTER_TROUBLE_SECONDS
        self._parts.wake_embedding()
        return rest

    @property
    def _listener(self) -> "Listener":
        # Imported here: who never listens does not load what reading takes.
        from engram.capture.listening import Ears, Listener
        from engram.providers.text_reader import packaged_reader

        parts = self._parts
        ears = Ears(
            self._store, self.principal, self._clock, self._draft_rules, parts.echoes,
            packaged_reader(), parts.model, lambda: self.settings.model, parts.one_reader,
        )  # fmt: skip
        return Listener(ears)
