"""The concrete parts that one Engram is made of; the wiring puts them together."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from engram.capture.embedding_worker import EmbeddingWorker
from engram.errors import EngramError, VectorRefused
from engram.security.access_log import AccessLog
from engram.security.keys import Credentials
from engram.security.logs import EventLog
from engram.settings import LiveSettings
from engram.storage.place import Place
from engram.storage.store import Store

if TYPE_CHECKING:
    from engram.recall.gather import Meaning
    from engram.recall.rerank import Reranker
    from engram.recall.selection import Selections
    from engram.recall.wordings import WordingTable
    from engram.storage.vectors.loaded import LoadedVectors

VECTOR_CACHE = "vectors.cache"

_LOADING_SECONDS = 3_600.0


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
    _reranker: "tuple[str, Reranker] | None" = None
    _loaded_by: int | None = None  # the process that has read what recall holds in memory

    @cached_property
    def vectors(self) -> "LoadedVectors":
        """The vectors in memory; loaded when first asked for something."""
        # Imported here: a process that only writes and lists never loads NumPy.
        from engram.storage.vectors.loaded import LoadedVectors

        place = self.place
        # Vectors tell what they were made of: none lie beside an encrypted store.
        is_kept = place is not None and not place.read_only and not place.is_encrypted
        cache = place.root / VECTOR_CACHE if place is not None and is_kept else None
        return LoadedVectors(lambda: self.settings.current.embedder.index, cache)

    @cached_property
    def wordings(self) -> "WordingTable":
        """The columns that recall ranks by; loaded at the first question."""
        from engram.recall.wordings import WordingTable

        return WordingTable()

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

    def load_for_recall(self) -> None:
        """Read what recall holds in memory, however long that takes.

        A question has a deadline; reading a large store for the first time must not run into it.
        """
        from engram.storage.vectors.reader import VectorReader

        if self._loaded_by == os.getpid():
            return
        with self.store.database.reading(_LOADING_SECONDS) as transaction:
            derived = VectorReader(transaction)
            self.wordings.refresh(derived)
            with suppress(VectorRefused):  # said by each recall that has to do without
                self.vectors.refresh(derived)
        self._loaded_by = os.getpid()

    def forget_for_recall(self) -> None:
        """Let go of what recall holds in memory: another database lies there now."""
        self.vectors.forget()
        self.wordings.forget()
        self._loaded_by = None

    def wake_embedding(self) -> None:
        """Something may wait to be embedded: begin soon, in the background."""
        if self.embedding is not None:
            self.embedding.wake()

    def close(self) -> None:
        """Write what waits, finish what runs, and let go of the store."""
        if self.embedding is not None:
            self.embedding.close()
        try:
            self.access_log.close()
        except EngramError as error:
            # The store was lost under us; closing must not fail for counts of reads.
            self.log.write("reads_not_recorded", self.clock(), code=error.code)
        finally:
            if self.place is not None:
                self.place.close()
            else:
                self.store.close()
