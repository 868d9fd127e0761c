"""One request for an operation: read what it takes, run it as the caller, tell what came of it."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlencode

from engram.engine import Engram
from engram.errors import AccessDenied, InvalidInput, KeyUnknown, RequestRefused
from engram.memory.access import Admission
from engram.memory.roles import may
from engram.surfaces.documents import Document
from engram.surfaces.http.answers import Answer, document
from engram.surfaces.http.bodies import check_is_json, parse_json
from engram.surfaces.http.conditions import MADE, condition_of, etag_of, is_known_already
from engram.surfaces.http.gate import Limits
from engram.surfaces.http.problems import Refused
from engram.surfaces.http.routing import Asked, Endpoint
from engram.surfaces.operations import Arguments, Effect, Operation, Progress
from engram.surfaces.operations.coarse import coarse
from engram.surfaces.operations.memories import placed
from engram.surfaces.operations.parsing import parse_document, parse_query
from engram.surfaces.work import Errand, Workshop

LongWork = Callable[[str, str, Progress], AbstractContextManager[Progress]]
_KEY = "idempotency_key"
_MANY = frozenset({"items", "turns"})
KEY_FORM = "[A-Za-z0-9_.:-]{1,150}"
_KEY_FORM = re.compile(KEY_FORM)


@dataclass(frozen=True, slots=True)
class Calls:
    """Turns operations into endpoints over one open store."""

    owner: Engram
    workshop: Workshop
    limits: Callable[[], Limits]
    long_work: LongWork  # lets streams tell how far it is

    def endpoint(self, operation: Operation) -> Endpoint:
        """What serves one operation."""

        async def serve(asked: Asked) -> Answer:
            admission = admitted(asked)
            check_accepts_json(asked)
            if not may(admission.role, operation.need):
                hint = (
                    f"This needs a key that may {operation.need}; this one is a {admission.role}."
                )
                raise AccessDenied(hint=hint)
            limits = self.limits()
            errand = Errand()

            def work() -> Answer:
                return self._run(operation, asked, admission, limits, errand)

            return await self.workshop.do(work, errand, is_long=operation.is_long)

        return serve

    def _run(
        self,
        operation: Operation,
        asked: Asked,
        admission: Admission,
        limits: Limits,
        errand: Errand,
    ) -> Answer:
        """In a thread: parsing too, since a body may take its time to be looked through."""
        arguments = read_arguments(operation, asked, limits.max_depth)
        condition = condition_of(operation, asked)
        engram = self.owner.seen_by(
            admission.principal, before_change=condition.check if condition else None
        )
        arguments = placed(engram, arguments)
        if operation.is_long:
            with self.long_work(operation.name, admission.key_id, errand.progress) as progress:
                made = operation.run(engram, arguments, progress)
        else:
            made = operation.run(engram, arguments, errand.progress)
        return told(operation, asked, made, is_coarse=not admission.is_trusted)


def admitted(asked: Asked) -> Admission:
    """Who is calling; what came through the gate without a key gets no further."""
    if asked.admission is None:
        raise KeyUnknown
    return asked.admission


def check_accepts_json(asked: Asked) -> None:
    """Refuse a caller that cannot read the answer."""
    wanted = asked.header("accept")
    kinds = [each.partition(";")[0].strip().lower() for each in wanted.split(",") if each.strip()]
    if kinds and not set(kinds) & {"*/*", "application/*", "application/json"}:
        raise Refused(RequestRefused(hint="The answer is application/json; accept that."), 406)


def read_arguments(operation: Operation, asked: Asked, max_depth: int) -> Arguments:
    """What the operation takes, from the path, the query and the body."""
    if operation.method == "GET":
        return parse_query(operation, asked.pairs, asked.names)
    if asked.pairs:
        raise InvalidInput(hint="This takes its arguments in the body, none in the address.")
    given: object = {}
    if asked.body:
        check_is_json(asked.header("content-type"))
        given = parse_json(asked.body, max_depth=max_depth)
    if not isinstance(given, dict):
        raise InvalidInput(hint="The body must be a JSON object.")
    return parse_document(operation, _with_key(operation, asked, given), asked.names)


def _with_key(operation: Operation, asked: Asked, given: dict[str, object]) -> dict[str, object]:
    """The body with the idempotency key of the headers in it; many items get one each."""
    if "idempotency-key" not in asked.headers:
        return given
    key = asked.header("idempotency-key")
    if _KEY_FORM.fullmatch(key) is None:
        raise InvalidInput(hint=f"An Idempotency-Key is of the form {KEY_FORM}.")
    if not takes_key(operation):
        if operation.is_repeatable:
            return given
        raise InvalidInput(hint="This is not done once per Idempotency-Key; leave it out.")
    if _KEY in operation.takes.model_fields:
        if given.get(_KEY, key) != key:
            raise InvalidInput(hint="`Idempotency-Key` and `idempotency_key` are not the same.")
        return {**given, _KEY: key}
    return {
        name: [_item_with_key(each, f"{key}:{place}") for place, each in enumerate(value)]
        if name in _MANY and isinstance(value, list)
        else value
        for name, value in given.items()
    }


def takes_key(operation: Operation) -> bool:
    """Whether an operation is done once per idempotency key."""
    fields = operation.takes.model_fields
    return _KEY in fields or (operation.effect is Effect.ADDS and bool(_MANY & set(fields)))


def _item_with_key(item: object, key: str) -> object:
    return {_KEY: key, **item} if isinstance(item, dict) else item


def told(operation: Operation, asked: Asked, made: Document, *, is_coarse: bool) -> Answer:
    """The answer: what was made, what it is called in this state, and where it goes on."""
    shown = coarse(made) if is_coarse else made
    tag = etag_of(operation, shown)
    if operation.method == "GET" and tag and is_known_already(asked, tag):
        return Answer(304).saying("etag", tag)
    answer = document(shown)
    if tag:
        answer = answer.saying("etag", tag)
    if tag and operation.gives == MADE:
        answer = answer.saying("location", f"{asked.path}/{_made_id(made)}")
    following = made.get("next")
    if operation.method == "GET" and operation.cursor and following is not None:
        answer = answer.saying("link", _link(asked, operation.cursor, str(following)))
    return answer


def _made_id(made: Document) -> str:
    return str(cast("Document", made["memory"])["id"])


def _link(asked: Asked, cursor: str, following: str) -> str:
    """Where the next page is (RFC 8288)."""
    pairs = [pair for pair in asked.pairs if pair[0] != cursor]
    return f'<{asked.path}?{urlencode([*pairs, (cursor, following)])}>; rel="next"'
