"""Figures for Prometheus: how many requests, how long they took, how much waits. Never a name.

Lines are made from route templates, methods and statuses alone, so their number is bounded and
nothing that was sent can appear in them.
"""

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

MEDIA = b"text/plain; version=0.0.4; charset=utf-8"
_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)  # seconds
_TOO_MANY = 429


@dataclass(slots=True)
class _Times:
    counts: list[int] = field(default_factory=lambda: [0] * (len(_BOUNDS) + 1))
    total: float = 0.0


class Metrics:
    """What this process has served since it started."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._times: dict[str, _Times] = {}

    def observe(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count one request."""
        with self._lock:
            self._requests[route, method, status] += 1
            times = self._times.setdefault(route, _Times())
            times.counts[bisect_left(_BOUNDS, seconds)] += 1
            times.total += seconds

    def text(self, figures: Mapping[str, tuple[str, float]]) -> str:
        """All figures in Prometheus' text form; those of the store come with what they mean."""
        with self._lock:
            lines = [*self._counted(), *self._timed()]
        for name, (meaning, value) in figures.items():
            kind = "counter" if name.endswith("_total") else "gauge"
            lines += [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}", f"{name} {value:.15g}"]
        return "\n".join([*lines, ""])

    def _counted(self) -> Iterable[str]:
        yield "# HELP engram_http_requests_total Requests by path template, method and status."
        yield "# TYPE engram_http_requests_total counter"
        for (route, method, status), count in sorted(self._requests.items()):
            labels = f'route="{route}",method="{method}",status="{status}"'
            yield f"engram_http_requests_total{{{labels}}} {count}"
        limited = sum(n for (_, _, status), n in self._requests.items() if status == _TOO_MANY)
        yield "# HELP engram_http_rate_limited_total Requests refused because a key came too often."
        yield "# TYPE engram_http_rate_limited_total counter"
        yield f"engram_http_rate_limited_total {limited}"

    def _timed(self) -> Iterable[str]:
        name = "engram_http_request_seconds"
        yield f"# HELP {name} How long requests took."
        yield f"# TYPE {name} histogram"
        for route, times in sorted(self._times.items()):
            running = 0
            for bound, count in zip((*_BOUNDS, "+Inf"), times.counts, strict=True):
                running += count
                yield f'{name}_bucket{{route="{route}",le="{bound}"}} {running}'
            yield f'{name}_sum{{route="{route}"}} {times.total:.6f}'
            yield f'{name}_count{{route="{route}"}} {running}'
