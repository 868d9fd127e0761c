"""Whether the server is well: for those who watch it, with and without a key."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from engram.engine import Engram
from engram.errors import AccessDenied
from engram.memory.scopes import Scope
from engram.surfaces.http.answers import Answer, document
from engram.surfaces.http.calls import admitted
from engram.surfaces.http.metrics import MEDIA, Metrics
from engram.surfaces.http.routing import API, Asked, Endpoint
from engram.surfaces.operations.store import told_health
from engram.surfaces.work import Workshop

_FRESH_SECONDS = 1.0  # whoever has no key cannot make the store be probed more often
_FAILING = "failing"


@dataclass(slots=True)
class Watching:
    """The pages that tell how things are."""

    owner: Engram
    workshop: Workshop
    metrics: Metrics
    is_stopping: Callable[[], bool] = field(default=lambda: False)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _probed: tuple[float, bool] | None = None

    def table(self) -> dict[str, dict[str, Endpoint]]:
        """Every path with what serves it."""
        return {
            "/livez": {"GET": self.live},
            "/readyz": {"GET": self.ready},
            "/metrics": {"GET": self.figures},
            f"{API}/health": {"GET": self.health},
        }

    async def live(self, asked: Asked) -> Answer:  # noqa: ARG002  # the same to everybody
        """That the process answers, and nothing else."""
        return document({"status": "alive"})

    async def ready(self, asked: Asked) -> Answer:  # noqa: ARG002  # the same to everybody
        """Whether to send requests here: only yes or no."""
        is_ready = not self.is_stopping() and await self.workshop.do(self._is_well)
        return document({"status": "ready" if is_ready else "not ready"}, 200 if is_ready else 503)

    def _is_well(self) -> bool:
        with self._lock:
            if self._probed is None or time.monotonic() - self._probed[0] > _FRESH_SECONDS:
                is_well = self.owner.health().status != _FAILING
                self._probed = (time.monotonic(), is_well)
            return self._probed[1]

    async def health(self, asked: Asked) -> Answer:
        """How the store is, tried for real."""
        principal = admitted(asked).principal
        found = await self.workshop.do(self.owner.health)
        return document(told_health(found, principal), 503 if found.status == _FAILING else 200)

    async def figures(self, asked: Asked) -> Answer:
        """The metrics. They are of the whole store, so a key of a part of it does not see them."""
        if admitted(asked).principal.scope != Scope():
            raise AccessDenied(
                hint="The figures are of the whole store: use a key without a scope."
            )
        figures = await self.workshop.do(self._of_the_store)
        return Answer(200, self.metrics.text(figures).encode(), MEDIA)

    def _of_the_store(self) -> dict[str, tuple[str, float]]:
        memories = sum(self.owner.upkeep.scopes().values())
        backlog = self.owner.backlog()
        anticipated = self.owner.upkeep.anticipated()
        return {
            "engram_memories": ("Memories that are kept.", memories),
            "engram_pending_embeddings": (
                "Wordings that wait to be embedded.",
                backlog.unembedded,
            ),
            "engram_unread_turns": ("Turns that wait to be read.", backlog.unread),
            "engram_session_questions_total": (
                "Questions that were part of a session.",
                anticipated.asked,
            ),
            "engram_anticipated_questions_total": (
                "Those that lay where they were expected.",
                anticipated.expected,
            ),
            "engram_served_ahead_total": (
                "Those that were answered out of what was fetched ahead.",
                anticipated.served,
            ),
        }
