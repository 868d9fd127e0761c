"""One message to a webhook's address: what came of it, and when to try again."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from engram.errors import EmbedderUnavailable
from engram.providers.endpoint import Answer, Endpoint, post

_MOST_ANSWER_BYTES = 1_000_000  # only the status counts; more than this is no answer
_FIRST_WAIT_SECONDS = 2.0
_LONGEST_WAIT_SECONDS = 3_600.0
_LEAST_SHARE = 0.5  # of a wait, so that many webhooks do not come back in step


@dataclass(frozen=True, slots=True)
class Sent:
    """What came of one message: the status of the answer, or why there was none."""

    status: int | None
    problem: str = ""  # empty: it has arrived
    retry_after_seconds: float = 0.0

    @property
    def has_arrived(self) -> bool:
        """Whether the receiver has taken it."""
        return not self.problem


def send(
    target: Endpoint, body: bytes, headers: Mapping[str, str], *, timeout_seconds: float
) -> Sent:
    """Post one message; redirects are not followed, time and size of the answer are limited."""
    ends_at = time.monotonic() + timeout_seconds
    try:
        answer = post(
            target, body, headers, most_bytes=_MOST_ANSWER_BYTES,
            seconds_left=lambda: ends_at - time.monotonic(),
        )  # fmt: skip
    except EmbedderUnavailable as error:
        # The shared exchange speaks of embedders; here only what was in the way matters.
        return Sent(None, _trouble(error.__cause__))
    return _judged(answer)


def _trouble(cause: BaseException | None) -> str:
    if isinstance(cause, TimeoutError):
        return "The receiver took too long."
    if cause is None:
        return "The receiver took too long, or answered with more than an answer can be."
    return "There is no proper answer; is the receiver running?"


def _judged(answer: Answer) -> Sent:
    if 200 <= answer.status < 300:
        return Sent(answer.status)
    asked = answer.retry_after or ""
    wait = min(float(asked), _LONGEST_WAIT_SECONDS) if asked.isdecimal() else 0.0
    if 300 <= answer.status < 400:
        return Sent(answer.status, "The receiver redirects elsewhere, which is not followed.", wait)
    return Sent(answer.status, f"The receiver answered with status {answer.status}.", wait)


def wait_seconds(attempts: int, chance: float, *, asked: float = 0.0) -> float:
    """How long to wait after so many failures: twice as long each time, a little by chance."""
    longest = min(_LONGEST_WAIT_SECONDS, _FIRST_WAIT_SECONDS * 2.0 ** min(attempts, 30))
    return max(asked, longest * (_LEAST_SHARE + (1.0 - _LEAST_SHARE) * chance))
