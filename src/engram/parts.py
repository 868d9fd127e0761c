"""The concrete parts that one Engram is made of; the wiring puts them together."""

import os
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from engram.capture.echoes import Echoes
from engram.capture.embedding_worker import EmbeddingWorker
from engram.capture.reading_worker import OneReader, ReadingWorker
from engram.errors import EngramError, ReaderUnavailable, VectorRefused
from engram.memory.scopes import Scope
from engram.recall.warming import Warming
from engram.security.access_log import AccessLog
from engram.security.events import SecurityEvents
from engram.security.kept_heads import HeadKeeper, head_files
from engram.security.keys import Credentials
from engram.security.logs import EventLog
from engram.settings import LiveSettings
from engram.storage.foreground import Foreground
from engram.storage.place import Place
from engram.storage.store import Store
from engram.storage.verdicts import pending_verdicts

if TYPE_CHECKING:
    from engram.capture.replacement import ReplacementJudge
    from engram.context.anticipation import AnticipatoryCache, Prefetching
    from engram.context.minds import Minds
    from engram.context.running import RunningTurns
    from engram.context.standing import Windows
    from engram.context.tool_cache import ToolCaches
    from engram.context.trajectory import Trajectories
    from engram.providers.language_model import LanguageModel
    from engram.providers.text_reader import TextReader
    from engram.recall.current import Readings
    from engram.recall.gather import Meaning
    from engram.recall.known_domains import KnownDomains
    from engram.recall.known_questions import KnownQuestions
    from engram.recall.known_triggers import KnownTriggers
    from engram.recall.rerank import Reranker
    from engram.recall.selection import Selections
    from engram.recall.wordings import WordingTable
    from engram.storage.vectors.loaded import LoadedVectors

VECTOR_CACHE = "vectors.cache"

_LOADING_SECONDS = 3_600.0
_STAYS_SECONDS = 2.0  # who has been there for so long stays for longer
_LOOK_SECONDS = 0.05
_HOLDING_WORDS = ("readings", "known_questions", "known_triggers", "known_domains", "selections")


@dataclass
class EngramParts:
    """What the facade works with."""

    store: Store
    settings: LiveSettings
    clock: Callable[[], datetime]
    access_log: AccessLog
    log: EventLog
    place: Place | None  # None: nothing on disk
    credentials: Credentials
    embedding: EmbeddingWorker | None = None  # None: no embedder is wanted
    model: Callable[[Scope], "LanguageModel"] | None = None  # None: rules alone read turns
    reading: ReadingWorker | None = None  # made by the first turn that comes in
    # Who has said something that may wait to be read: says in how many seconds more will be due.
    listening: dict[str, Callable[[], float | None]] = field(default_factory=dict)
    place_problem: str = ""  # who else could get at the store's folder; health shows it
    events: SecurityEvents = field(init=False)
    heads: HeadKeeper | None = field(init=False)
    echoes: Echoes = field(default_factory=Echoes)
    foreground: Foreground = field(default_factory=Foreground)
    one_reader: OneReader = field(default_factory=OneReader)
    erasures_seen: int = 0  # how many there were when this process last looked
    _reranker: "tuple[str, Reranker] | None" = None
    _loaded_by: int | None = None  # the process that has read what recall holds in memory
    _loading: tuple[int, threading.Lock] = field(
        default_factory=lambda: (os.getpid(), threading.Lock())
    )

    def __post_init__(self) -> None:
        self.events = SecurityEvents(
            self.store, lambda: self.settings.current.security, self.clock,
            is_writable=self.place is None or not self.place.read_only,
        )  # fmt: skip
        self.events.wake = self.access_log.wake
        self.access_log.beside.append(self.events.flush)
        self.heads = self._head_keeper()
        if self.embedding is not None:
            self.embedding.after = self._judge_after_embedding
        if self._has_unwanted_cache():
            self.drop_vector_cache()  # left by an encryption that was killed, or from before

    def _head_keeper(self) -> HeadKeeper | None:
        """What keeps the audit's head outside the database; a store in memory has no outside."""
        if self.place is None:
            return None
        files = head_files(self.place.root, self.settings.current.security.audit_head_file)
        keeper = HeadKeeper(self.store, files, self.clock, is_writable=not self.place.read_only)

        def committed(entries: int) -> None:
            if keeper.saw(entries):
                self.access_log.wake()

        self.store.committed = committed
        self.access_log.beside.append(keeper.keep_when_due)
        return keeper

    @cached_property
    def vectors(self) -> "LoadedVectors":
        """The vectors in memory; loaded when first asked for something."""
        # Imported here: a process that only writes and lists never loads NumPy.
        from engram.storage.vectors.loaded import LoadedVectors

        return LoadedVectors(lambda: self.settings.current.embedder.index, self._vector_cache)

    def _vector_cache(self) -> Path | None:
        """Where an index may be kept on disk; a store can be encrypted while it is open."""
        place = self.place
        # Vectors tell what they were made of: none lie beside an encrypted store.
        if place is None or place.read_only or place.is_encrypted:
            return None
        if self._has_protected():
            self.drop_vector_cache()
            return None
        return place.root / VECTOR_CACHE

    def _has_unwanted_cache(self) -> bool:
        """Whether an index lies on disk beside a store that may have none there."""
        if self.place is None or not (self.place.root / VECTOR_CACHE).exists():
            return False
        with suppress(EngramError):  # a doctor opens also what cannot be read
            return self.place.is_encrypted or self._has_protected()
        return False

    def _has_protected(self) -> bool:
        with self.store.database.reading(_LOADING_SECONDS) as transaction:
            return bool(transaction.rows("has_sealed", {})[0][0])

    def drop_vector_cache(self) -> None:
        """Take away what is kept on disk of an index: it may tell too much, or of other vectors."""
        if self.place is not None and not self.place.read_only:
            with suppress(OSError):  # nothing that is in the way is ever read
                (self.place.root / VECTOR_CACHE).unlink(missing_ok=True)

    @property
    def pair_reader(self) -> "TextReader":
        """What compares two statements."""
        from engram.providers.text_reader import packaged_reader

        return packaged_reader()

    @cached_property
    def judge(self) -> "ReplacementJudge":
        """Decides which older statements new ones replace."""
        from engram.capture.replacement import ReplacementJudge

        return ReplacementJudge(self.store, self.pair_reader, self.vectors)

    def judge_replacements(
        self,
        is_stopped: Callable[[], bool] = lambda: False,
        *,
        only: Collection[int] | None = None,
    ) -> bool:
        """Compare the statements that wait with those they may replace; whether none waits now.

        Where the reader cannot run they go on waiting, and the newer statement ranks first.
        """
        if (self.place is not None and self.place.read_only) or not self._awaits_verdict():
            return True
        with suppress(ReaderUnavailable, VectorRefused):
            self.judge.judge_waiting(
                self.clock(), needs_vectors=self.embedding is not None, only=only,
                is_stopped=is_stopped,
            )  # fmt: skip
        return not self._awaits_verdict()

    def _awaits_verdict(self) -> bool:
        with self.store.database.reading(_LOADING_SECONDS) as transaction:
            return bool(pending_verdicts(transaction, limit=1))

    def _judge_after_embedding(self, is_stopped: Callable[[], bool]) -> None:
        """Judge in the background, in a process that stays: a short command loads no reader."""
        if not self._awaits_verdict():
            return
        until = time.monotonic() + (0.0 if self.pair_reader.is_loaded else _STAYS_SECONDS)
        while time.monotonic() < until:
            if is_stopped():
                return
            time.sleep(_LOOK_SECONDS)
        self.judge_replacements(is_stopped)

    @cached_property
    def wordings(self) -> "WordingTable":
        """The columns that recall ranks by; loaded at the first question."""
        from engram.recall.wordings import WordingTable

        return WordingTable()

    @cached_property
    def readings(self) -> "Readings":
        """What was read in the wordings that come up most."""
        from engram.recall.current import Readings

        return Readings()

    @cached_property
    def known_questions(self) -> "KnownQuestions":
        """The vectors of the last questions."""
        from engram.recall.known_questions import KnownQuestions

        return KnownQuestions()

    @cached_property
    def known_triggers(self) -> "KnownTriggers":
        """The vectors of what skills compare situations with."""
        from engram.recall.known_triggers import KnownTriggers

        return KnownTriggers()

    @cached_property
    def known_domains(self) -> "KnownDomains":
        """Which domains memories belong to, as the last callers see them."""
        from engram.recall.known_domains import KnownDomains

        return KnownDomains()

    @cached_property
    def selections(self) -> "Selections":
        """What the last callers may look at."""
        from engram.recall.selection import Selections

        return Selections()

    @cached_property
    def meaning(self) -> "Meaning | None":
        """The means to compare by meaning; None when no embedder is wanted."""
        from engram.recall.gather import Meaning

        if self.embedding is None:
            return None
        return Meaning(self.vectors, self.embedding.embedder_for)

    def reranker(self, folder: str) -> "Reranker | None":
        """The cross-encoder of a folder, kept as long as the folder is the one that is set."""
        from engram.providers.cross_encoder import CrossEncoder

        if not folder:
            return None
        if self._reranker is None or self._reranker[0] != folder:
            self._reranker = (folder, CrossEncoder(Path(folder)))
        return self._reranker[1]

    @cached_property
    def minds(self) -> "Minds":
        """What is in mind in the sessions of this process; made when somebody has one."""
        from engram.context.minds import Minds

        return Minds(lambda: self.settings.current.working, self.clock, self._note_unsaved_mind)

    def _note_unsaved_mind(self, error: EngramError) -> None:
        self.log.write("mind_not_put_away", self.clock(), code=error.code)

    @cached_property
    def running_turns(self) -> "RunningTurns":
        """The turns that are at work, one in a session."""
        from engram.context.running import RunningTurns

        return RunningTurns()

    @cached_property
    def tool_caches(self) -> "ToolCaches":
        """What tools answered a moment ago, by session."""
        from engram.context.tool_cache import ToolCaches

        return ToolCaches()

    @cached_property
    def windows(self) -> "Windows":
        """What stands at the beginning of the prompts of sessions; made by the first prompt."""
        from engram.context.standing import Windows

        return Windows()

    @cached_property
    def trajectories(self) -> "Trajectories":
        """Where the conversations of this process are heading."""
        from engram.context.trajectory import Trajectories

        return Trajectories()

    @cached_property
    def anticipation(self) -> "AnticipatoryCache":
        """What the next questions will probably need."""
        from engram.context.anticipation import AnticipatoryCache

        return AnticipatoryCache()

    @cached_property
    def prefetching(self) -> "Prefetching":
        """Fetches in the background what the next question will probably need."""
        from engram.context.anticipation import Prefetching

        return Prefetching()

    @cached_property
    def warming(self) -> Warming:
        """Loads in the background what the first question needs."""
        return Warming(self._warm)

    def expect_recall(self) -> None:
        """Whoever tells or looks through memories asks soon: let that question wait for nothing."""
        options = self.settings.current.recall
        # A store in memory is small, and who reads it keeps writers out.
        if options.warm and options.in_memory and self.place is not None:
            self.warming.begin()

    def _warm(self, is_stopped: Callable[[], bool]) -> None:
        if self.embedding is not None and not self.embedding.embedder.is_loaded:
            self.embedding.embedder.warm()
        self.load_for_recall(is_stopped)

    def load_for_recall(self, is_stopped: Callable[[], bool] = lambda: False) -> None:
        """Read what recall holds in memory, however long that takes, unless it is stopped.

        A question has a deadline; reading a large store for the first time must not run into it.
        """
        if self._loaded_by == os.getpid():
            return
        with self._one_at_a_time():
            if self._loaded_by != os.getpid():
                self._load(is_stopped)

    def _one_at_a_time(self) -> threading.Lock:
        """A lock of this process: one that another thread held at a fork is never let go of."""
        if self._loading[0] != os.getpid():
            self._loading = (os.getpid(), threading.Lock())
        return self._loading[1]

    def _load(self, is_stopped: Callable[[], bool]) -> None:
        from engram.storage.stoppable import StoppableTransaction
        from engram.storage.vectors.reader import VectorReader

        with self.store.database.reading(_LOADING_SECONDS) as transaction:
            derived = VectorReader(StoppableTransaction(transaction, is_stopped))
            self.wordings.refresh(derived)
            if self.meaning is not None:
                with suppress(VectorRefused):  # said by each recall that has to do without
                    self.vectors.refresh(derived)
        self._loaded_by = os.getpid()

    def forget_for_recall(self) -> None:
        """Let go of what recall holds in memory: another database lies there now."""
        self.vectors.forget()
        self.wordings.forget()
        self.trajectories.clear()
        self.anticipation.clear()
        self.drop_vector_cache()
        if "windows" in self.__dict__:
            self.windows.forget()  # its memories may go by the numbers of others now
        if "minds" in self.__dict__:
            self.minds.clear()  # put away they would lie in the other database
        if "tool_caches" in self.__dict__:
            self.tool_caches.clear()
        if "known_triggers" in self.__dict__:
            self.known_triggers.clear()
        self._loaded_by = None

    def heed_erasures(self, count: int) -> None:
        """Forget what is held in memory when something was erased, by whatever process."""
        if count != self.erasures_seen:
            self.erasures_seen = count
            self.forget_erased()

    def forget_erased(self) -> None:
        """Let go of whatever in memory may tell of what was erased."""
        self.forget_for_recall()
        self.echoes.clear()
        for held in _HOLDING_WORDS:
            self.__dict__.pop(held, None)  # made anew when next asked for

    def read_due(self) -> float | None:
        """Have what is due read for every caller; in how many seconds more is, if anything."""
        rests = []
        for caller in list(self.listening):
            # Taken off first: who says something meanwhile puts themselves on again.
            read = self.listening.pop(caller)
            rest = read()
            if rest is not None:
                self.listening.setdefault(caller, read)
                rests.append(rest)
        return min(rests, default=None)

    def wake_embedding(self) -> None:
        """Something may wait to be embedded: begin soon, in the background."""
        if self.embedding is not None:
            self.embedding.wake()

    def close(self) -> None:
        """Write what waits, finish what runs, and let go of the store."""
        self.warming.close()
        if "prefetching" in self.__dict__:
            self.prefetching.close()
        if "minds" in self.__dict__:
            self.minds.close()
        if self.reading is not None:
            self.reading.close()
        if self.embedding is not None:
            self.embedding.close()
        try:
            self.access_log.close()
            if self.heads is not None and self.heads.is_behind:
                self.heads.keep()
        except EngramError as error:
            # The store was lost under us; closing must not fail for counts of reads.
            self.log.write("reads_not_recorded", self.clock(), code=error.code)
        finally:
            if self.place is not None:
                self.place.close()
            else:
                self.store.close()
