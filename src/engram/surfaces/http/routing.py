"""Which path is served by what: a table of templates, read segment by segment.

Paths are matched as they were sent and decoded afterwards, so that a name with a slash in it is
one name.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import parse_qsl, unquote

from engram.errors import InvalidInput, RequestRefused
from engram.memory.access import Admission
from engram.surfaces.http.answers import Answer
from engram.surfaces.http.problems import Refused

API = "/api/v1"  # what all paths of our own but those for watching begin with
_MOST_PARAMETERS = 100


@dataclass(frozen=True)
class Asked:
    """One request as an endpoint sees it; everything about it came through the gate."""

    method: str
    path: str
    query: bytes
    headers: Mapping[str, list[str]]
    body: bytes
    admission: Admission | None
    names: Mapping[str, str] = field(default_factory=dict)  # from the path

    def header(self, name: str) -> str:
        """A header's value; several make one list, as HTTP has it."""
        return ", ".join(self.headers.get(name, []))

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        """The query, pair by pair."""
        if not self.query:
            return []
        try:
            return parse_qsl(
                self.query.decode("ascii"), keep_blank_values=True, strict_parsing=True,
                errors="strict", max_num_fields=_MOST_PARAMETERS,
            )  # fmt: skip
        except ValueError:
            hint = "The query cannot be read: name=value, joined by &, in UTF-8."
            raise Refused(InvalidInput(hint=hint), 400) from None


Endpoint = Callable[[Asked], Awaitable[Answer]]


@dataclass(frozen=True)
class Route:
    """One template and what its methods do."""

    template: str
    methods: Mapping[str, Endpoint]

    @cached_property
    def segments(self) -> tuple[str, ...]:
        """The pieces between slashes."""
        return tuple(self.template.split("/"))

    @cached_property
    def is_fixed(self) -> bool:
        """Whether no piece of it is a name."""
        return "{" not in self.template

    @property
    def allowed(self) -> list[str]:
        """Every method it answers to."""
        found = set(self.methods) | {"OPTIONS"}
        return sorted(found | {"HEAD"} if "GET" in found else found)

    def read(self, segments: list[str]) -> dict[str, str] | None:
        """The names in a path of this form; None when it is another."""
        names: dict[str, str] = {}
        for own, given in zip(self.segments, segments, strict=True):
            if own.startswith("{"):
                if not given:
                    return None
                names[own[1:-1]] = given
            elif own != given:
                return None
        return names


class Routes:
    """All paths of our own."""

    def __init__(self, table: Mapping[str, Mapping[str, Endpoint]]) -> None:
        self.all = [Route(template, methods) for template, methods in table.items()]
        self._by_length: dict[int, list[Route]] = {}
        for route in sorted(self.all, key=lambda each: not each.is_fixed):
            self._by_length.setdefault(len(route.segments), []).append(route)

    def find(self, raw_path: bytes) -> tuple[Route, dict[str, str]] | None:
        """The route of a path, and the names that stand in it."""
        segments = raw_path.decode("latin-1").split("/")
        for route in self._by_length.get(len(segments), ()):
            names = route.read(segments)
            if names is not None:
                return route, {key: _decoded(value) for key, value in names.items()}
        return None


def _decoded(segment: str) -> str:
    try:
        return unquote(segment, errors="strict")
    except UnicodeDecodeError:
        hint = "The path is not in UTF-8."
        raise Refused(InvalidInput(hint=hint), 400) from None


async def answer(route: Route, asked: Asked) -> Answer:
    """What a route says to a request."""
    method = "GET" if asked.method == "HEAD" else asked.method
    allowed = ", ".join(route.allowed)
    if asked.method == "OPTIONS":
        return Answer(204).saying("allow", allowed)
    endpoint = route.methods.get(method)
    if endpoint is None:
        hint = f"Here there is {allowed}."
        raise Refused(RequestRefused(hint=hint), 405, ((b"allow", allowed.encode()),))
    return await endpoint(asked)


def not_there() -> Refused:
    """The refusal of a path that nothing is served at."""
    return Refused(RequestRefused(hint=f"{API}/openapi.json tells which paths there are."), 404)
