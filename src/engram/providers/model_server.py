"""One careful question to a server that runs a language model: tries, deadline, size, pauses."""

import json
import time
from collections.abc import Callable, Collection, Mapping

from engram.errors import ConfigInvalid, EmbedderUnavailable, ModelUnavailable
from engram.providers.breaker import Breaker
from engram.providers.endpoint import Answer, Endpoint, post, read_endpoint
from engram.providers.language_model import Completion
from engram.providers.model_options import ModelOptions
from engram.version import __version__

_FAILURES_IN_A_ROW = 3
_FIRST_WAIT_SECONDS = 0.25
_LONGEST_WAIT_SECONDS = 8.0
_BYTES_AROUND = 262_144  # what servers wrap an answer in, reasoning included
_BYTES_PER_TOKEN = 64  # a long token, each of its characters escaped
_MOST_COUNTED_TOKENS = 100_000_000
_TOO_MANY_REQUESTS = 429
_HINTS = {
    401: "The server refuses the key; set ENGRAM_MODEL_KEY.",
    403: "The server refuses the key; set ENGRAM_MODEL_KEY.",
    404: "The server knows no such address or model; check model.url and model.model.",
    413: "The server finds the conversation too long; lower model.max_conversation_bytes.",
    429: "The server is busy or its own limit is reached.",
}
SHAPE_HINT = "The server's answer has not the shape of its protocol."
CUT_HINT = "The answer was cut off; raise model.max_answer_tokens."


def model_endpoint(options: ModelOptions, *, default: str, leaf: str) -> Endpoint:
    """The address of the settings, or the protocol's own when they give none."""
    if not options.model.strip():
        raise ConfigInvalid(hint="`model.model` must name the server's model.")
    try:
        return read_endpoint(
            options.url.strip() or default, leaf=leaf, allow_plain_http=options.allow_plain_http
        )
    except ConfigInvalid as error:
        # The endpoint is shared with the embedder and speaks of its settings.
        named = error.hint.replace("embedder.", "model.").replace("EMBEDDER", "MODEL")
        raise ConfigInvalid(hint=named) from None


def checked_key(api_key: str | None) -> str | None:
    """The key when it can be sent; http.client would show one that cannot in its error."""
    if api_key and not (api_key.isascii() and api_key.isprintable()):
        raise ConfigInvalid(hint="The model's key must be printable ASCII, on one line.")
    return api_key or None


class ModelServer:
    """Posts questions to one address and returns proper answers, or says what was in the way."""

    def __init__(
        self,
        endpoint: Endpoint,
        headers: Mapping[str, str],
        options: ModelOptions,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._endpoint = endpoint
        self._headers = {
            "Content-Type": "application/json",
            "User-Agent": f"engram/{__version__}",
            **headers,
        }
        self._options = options
        self._sleep = sleep
        self._clock = clock
        self._breaker = Breaker(
            failures=_FAILURES_IN_A_ROW, pause_seconds=options.pause_seconds, clock=clock
        )
        self._is_closed = False

    def close(self) -> None:
        """Ask nobody from now on."""
        self._is_closed = True

    def converse(self, exchange: Callable[[float], Completion]) -> Completion:
        """Let an adapter ask until it has a completion, all of it before one deadline.

        Failures in a row count towards the pause in which the server is left alone.
        """
        if self._is_closed:
            raise ModelUnavailable(hint="It has been closed.", is_unspent=True)
        if not self._breaker.may_try():
            raise ModelUnavailable(
                hint=f"The server failed {_FAILURES_IN_A_ROW} times in a row and is asked again "
                f"in {self._breaker.seconds_left:.0f} seconds.",
                is_unspent=True,
            )
        try:
            completion = exchange(self._clock() + self._options.timeout_seconds)
        except ModelUnavailable:
            self._breaker.failed()
            raise
        self._breaker.succeeded()
        return completion

    def ask(
        self,
        asked: Mapping[str, object],
        *,
        max_tokens: int,
        ends_at: float,
        tolerated: Collection[int] = (),
    ) -> Answer:
        """The answer with status 200 or a tolerated one; any other is an error that says why."""
        body = json.dumps(asked).encode()
        most_bytes = _BYTES_AROUND + _BYTES_PER_TOKEN * max_tokens
        answer = self._with_tries(lambda: self._post(body, most_bytes, ends_at), ends_at)
        if answer.status != 200 and answer.status not in tolerated:
            raise ModelUnavailable(hint=status_hint(answer.status), is_unspent=True)
        return answer

    def _with_tries(self, attempt: Callable[[], Answer], ends_at: float) -> Answer:
        """Try again while the server is busy, broken or away, and there is time."""
        number = 0
        while True:
            result = _tried(attempt)
            retry_after = result.retry_after if isinstance(result, Answer) else None
            wait = _wait_seconds(number, retry_after)
            is_last = number == self._options.retries or self._clock() + wait >= ends_at
            if is_last or not _is_worth_another(result):
                break
            self._sleep(wait)
            number += 1
        if isinstance(result, ModelUnavailable):
            raise result
        return result

    def _post(self, body: bytes, most_bytes: int, ends_at: float) -> Answer:
        def seconds_left() -> float:
            return ends_at - self._clock()

        try:
            return post(
                self._endpoint,
                body,
                self._headers,
                most_bytes=most_bytes,
                seconds_left=seconds_left,
            )
        except EmbedderUnavailable as error:
            raise self._failure(error.__cause__, is_late=seconds_left() <= 0.0) from error.__cause__

    def _failure(self, cause: BaseException | None, *, is_late: bool) -> ModelUnavailable:
        """The shared exchange speaks of embedders; here the same is said of a model."""
        if is_late or isinstance(cause, TimeoutError):
            return ModelUnavailable(hint="The model took too long; see model.timeout_seconds.")
        if cause is None:
            return ModelUnavailable(hint="The server's answer is larger than an answer can be.")
        return ModelUnavailable(
            hint=f"There is no proper answer from {self._endpoint.host}:{self._endpoint.port}; is "
            "the server running?",
            is_unspent=isinstance(cause, ConnectionRefusedError),
        )


def _tried(attempt: Callable[[], Answer]) -> Answer | ModelUnavailable:
    try:
        return attempt()
    except ModelUnavailable as error:
        return error


def _is_worth_another(result: Answer | ModelUnavailable) -> bool:
    if isinstance(result, ModelUnavailable):
        return isinstance(result.__cause__, ConnectionError)
    return result.status == _TOO_MANY_REQUESTS or result.status >= 500


def status_hint(status: int) -> str:
    """What to do about an answer that is none."""
    if 300 <= status < 400:
        return "The server redirects elsewhere, which is not followed; correct model.url."
    return _HINTS.get(status, f"The server answered with status {status}.")


def _wait_seconds(number: int, retry_after: str | None) -> float:
    """Twice as long each time, or as long as the server asks, within reason."""
    asked = float(retry_after) if retry_after and retry_after.isdecimal() else 0.0
    return min(_LONGEST_WAIT_SECONDS, max(asked, _FIRST_WAIT_SECONDS * 2.0**number))


def read_document(body: bytes) -> Mapping[str, object]:
    """An answer's JSON object; anything else is refused."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ModelUnavailable(hint=SHAPE_HINT) from error
    if not isinstance(found, dict):
        raise ModelUnavailable(hint=SHAPE_HINT)
    return found


def counted(usage: object, name: str, estimate: int) -> int:
    """A count of tokens as the server gives it; the estimate where it gives none that can be."""
    found = usage.get(name) if isinstance(usage, Mapping) else None
    if not isinstance(found, int) or isinstance(found, bool):
        return estimate
    return found if 0 < found <= _MOST_COUNTED_TOKENS else estimate
