"""Asks any server that speaks OpenAI's `/v1/embeddings`: Ollama, vLLM, llama.cpp and others."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from engram.errors import ConfigInvalid, EmbedderUnavailable
from engram.providers.breaker import Breaker
from engram.providers.embedder import shortened, well_formed
from engram.providers.endpoint import Answer, post, read_endpoint
from engram.version import __version__

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engram.providers.embedder import Vectors
    from engram.providers.options import EmbedderOptions

_FAILURES_IN_A_ROW = 3
_FIRST_WAIT_SECONDS = 0.25
_LONGEST_WAIT_SECONDS = 4.0
_BYTES_PER_TEXT = 400_000  # 16,000 dimensions written out in full
_BYTES_AROUND = 65_536
_TOO_MANY_REQUESTS = 429
_INPUT_REFUSED = frozenset({400, 413, 422})  # how servers say that a text or a batch is too long
_SHORTEST_HALVED = 400
_HINTS = {
    401: "The server refuses the key; set ENGRAM_EMBEDDER_KEY.",
    403: "The server refuses the key; set ENGRAM_EMBEDDER_KEY.",
    404: "The server knows no such address or model; check embedder.url and embedder.model.",
    429: "The server is busy; what is pending is embedded later.",
}
_SHAPE_HINT = "The server's answer is not one finite vector per text, all of one length."


class UrlEmbedder:
    """Embeds by asking a server; after three failures in a row it is left alone for a while.

    Whether a text's vector depends on its batch is up to the server.
    """

    def __init__(
        self,
        options: EmbedderOptions,
        *,
        api_key: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._options = options
        self._endpoint = read_endpoint(
            options.url, leaf="embeddings", allow_plain_http=options.allow_plain_http
        )
        if not options.model.strip():
            raise ConfigInvalid(hint="`embedder.model` must name the server's model.")
        self._headers = _headers(api_key)
        self._sleep = sleep
        self._clock = clock
        self._breaker = Breaker(
            failures=_FAILURES_IN_A_ROW, pause_seconds=options.pause_seconds, clock=clock
        )
        self._dimension: int | None = None
        self._lock = threading.Lock()
        self._warming: threading.Thread | None = None
        self._is_closed = False

    @property
    def identity(self) -> str:
        """The address, the model and how much of a text is sent."""
        return f"url:{self._endpoint}:{self._options.model}:c{self._options.max_characters}"

    @property
    def dimension(self) -> int | None:
        """What the first answer had."""
        return self._dimension

    @property
    def is_loaded(self) -> bool:
        """Whether the server has answered once and is not being left alone."""
        return self._dimension is not None and self._breaker.seconds_left == 0.0

    @property
    def is_prompt(self) -> bool:
        """Never: a server may take its time."""
        return False

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text, asked for in batches."""
        import numpy as np

        if self._is_closed:
            raise EmbedderUnavailable(hint="It has been closed.")
        if not texts:
            return np.empty((0, self._dimension or 0), dtype=np.float32)
        if not self._breaker.may_try():
            raise EmbedderUnavailable(
                hint=f"The server failed {_FAILURES_IN_A_ROW} times in a row and is asked again "
                f"in {self._breaker.seconds_left:.0f} seconds. Recall goes by text until then."
            )
        try:
            rows = self._rows([self._prepared(text) for text in texts])
        except EmbedderUnavailable:
            self._breaker.failed()
            raise
        self._breaker.succeeded()
        return rows

    def warm(self) -> None:
        """Ask the server once in the background, so that it loads its model."""
        with self._lock:
            if self._is_closed or self._dimension is not None or self._warming is not None:
                return
            self._warming = threading.Thread(target=self._warm, name="engram-warm", daemon=True)
            self._warming.start()

    def _warm(self) -> None:
        # Whoever embeds next meets the same trouble, and is told.
        with suppress(EmbedderUnavailable):
            self.embed(["warm"])
        self._warming = None

    def close(self) -> None:
        """Refuse to embed from now on; no connection is kept open anyway."""
        self._is_closed = True

    def _prepared(self, text: str) -> str:
        # Servers refuse an empty text; a full stop says as little.
        return well_formed(shortened(text, self._options.max_characters)).strip() or "."

    def _rows(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        from engram.providers.unit_rows import unit_rows

        size = self._options.batch
        batches = [texts[start : start + size] for start in range(0, len(texts), size)]
        return unit_rows(np.concatenate([self._batch(batch) for batch in batches]))

    def _batch(self, texts: Sequence[str]) -> NDArray[np.float64]:
        answer = self._asked(texts)
        if answer.status in _INPUT_REFUSED:
            return self._in_smaller_parts(texts)
        if answer.status != 200:
            raise EmbedderUnavailable(hint=_hint(answer.status))
        rows = _read_rows(answer.body, len(texts))
        self._check_dimension(rows.shape[1])
        return rows

    def _in_smaller_parts(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Half the batch at a time, then half of a text that is refused alone.

        Models read from 256 to 32,000 tokens and many servers refuse what is longer instead of
        cutting it, without saying how long a text may be.
        """
        import numpy as np

        if len(texts) > 1:
            half = len(texts) // 2
            return np.concatenate([self._batch(texts[:half]), self._batch(texts[half:])])
        if len(texts[0]) < _SHORTEST_HALVED:
            raise EmbedderUnavailable(
                hint="The server refuses the texts; check embedder.model and embedder.batch."
            )
        return self._batch([texts[0][: len(texts[0]) // 2]])

    def _asked(self, texts: Sequence[str]) -> Answer:
        """The server's answer, asked for again while it is busy and there is time."""
        ends_at = self._clock() + self._options.timeout_seconds
        for number in range(self._options.retries + 1):
            answer = self._ask(texts, lambda: ends_at - self._clock())
            if answer.status != _TOO_MANY_REQUESTS and answer.status < 500:
                break
            wait = _wait_seconds(number, answer.retry_after)
            if number == self._options.retries or self._clock() + wait >= ends_at:
                break
            self._sleep(wait)
        return answer

    def _ask(self, texts: Sequence[str], seconds_left: Callable[[], float]) -> Answer:
        asked = {"model": self._options.model, "input": list(texts), "encoding_format": "float"}
        return post(
            self._endpoint,
            json.dumps(asked).encode(),
            self._headers,
            most_bytes=_BYTES_AROUND + _BYTES_PER_TEXT * len(texts),
            seconds_left=seconds_left,
        )

    def _check_dimension(self, found: int) -> None:
        with self._lock:
            if self._dimension is None:
                self._dimension = found
            is_same = self._dimension == found
        if not is_same:
            raise EmbedderUnavailable(
                hint="The server's vectors have another length than before: its model was "
                "exchanged. Open the store again."
            )


def _headers(api_key: str | None) -> dict[str, str]:
    headers = {"Content-Type": "application/json", "User-Agent": f"engram/{__version__}"}
    if api_key:
        # http.client would show a key that it cannot send in its error.
        if not (api_key.isascii() and api_key.isprintable()):
            raise ConfigInvalid(hint="The embedder's key must be printable ASCII, on one line.")
        headers["Authorization"] = f"Bearer {api_key}"
    return headers


def _hint(status: int) -> str:
    if 300 <= status < 400:
        return "The server redirects elsewhere, which is not followed; correct embedder.url."
    return _HINTS.get(status, f"The server answered with status {status}.")


def _wait_seconds(number: int, retry_after: str | None) -> float:
    """Twice as long each time, or as long as the server asks, within reason."""
    asked = float(retry_after) if retry_after and retry_after.isdecimal() else 0.0
    return min(_LONGEST_WAIT_SECONDS, max(asked, _FIRST_WAIT_SECONDS * 2.0**number))


def _read_rows(body: bytes, count: int) -> NDArray[np.float64]:
    """The vectors of an answer in the order of the texts; anything odd is refused."""
    import numpy as np

    try:
        entries = json.loads(body)["data"]
        places = [entry.get("index", place) for place, entry in enumerate(entries)]
        # Not even a whole float or a truth value: who cannot count its rows may mix them up.
        if {type(each) for each in places} != {int} or sorted(places) != list(range(count)):
            raise EmbedderUnavailable(hint=_SHAPE_HINT)
        ordered = sorted(zip(places, entries, strict=True), key=lambda pair: pair[0])
        rows = np.asarray([entry["embedding"] for _, entry in ordered], dtype=np.float64)
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise EmbedderUnavailable(hint=_SHAPE_HINT) from error
    if rows.ndim != 2 or rows.shape[1] == 0 or not np.isfinite(rows).all():
        raise EmbedderUnavailable(hint=_SHAPE_HINT)
    return rows
