"""The whole API against its own description: schemathesis finds nothing that differs."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from jsonschema import Draft202012Validator

from engram import Engram
from engram.surfaces.http.app import Service
from engram.surfaces.http.gate import Names
from engram.surfaces.http.openapi import API, description
from engram.surfaces.operations import OPERATIONS
from engram.surfaces.operations.parsing import parse_document

SEED = int(os.environ.get("ENGRAM_SEED", "20261115"))
SNAPSHOT = Path(__file__).parent / "openapi.json"
# Streams never end by themselves, and a webhook is nobody without a signature: tests of their own.
ELSEWHERE = (f"{API}/streams/", f"{API}/hooks/")
ALL = [
    (method.upper(), path)
    for path, methods in description()["paths"].items()
    for method in methods
    if not path.startswith(ELSEWHERE)
]
# What only reads is tried in the long runs: what it takes is parsed like everything else.
QUICK = [pytest.param(*each, marks=pytest.mark.soak) if each[0] == "GET" else each for each in ALL]
# A schema cannot say how many bytes all values have together (413), nor that a memory is still in
# the state that a tag names (412); both are described. Of 422 see below.
ACCEPTED = ["2xx", "3xx", "404", "409", "412", "413", "422"]
REFUSED = ["400", "401", "404", "405", "406", "412", "413", "414", "415", "422", "431"]


@dataclass
class Api:
    """The API as schemathesis sees it, and a key that may do everything."""

    schema: object
    client: object
    key: str


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    """A store in memory with a little in it. The tool takes its time to load: only when needed."""
    import numpy  # noqa: F401  # the tool looks at it; a thread of the store may be loading it
    import schemathesis
    from schemathesis.generation import GenerationMode
    from schemathesis.python.asgi import get_client

    schema = schemathesis.openapi.from_dict(description())
    schema.config.update(base_url="http://127.0.0.1:8377")
    schema.config.generation.update(modes=[GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
    schema.config.checks.positive_data_acceptance.expected_statuses = ACCEPTED
    schema.config.checks.negative_data_rejection.expected_statuses = REFUSED
    with Engram.open(":memory:") as engram:
        for text in ("Ada's office is in Porto.", "Deployments happen on Tuesdays."):
            engram.remember(text)
        issued = engram.issue_key("schema", role="admin", kind="person", per_minute=10_000_000)
        service = Service(engram, Names.of(8377))
        schema.app = service.app()
        with get_client(schema.app) as client:
            yield Api(schema, client, issued.text)
        service.close()


# What depends on more than one value, or on what is there: a schema cannot say it, so a request
# that keeps to the schema may be refused (422) for this reason and for no other.
LEARN_BEYOND = [
    "it is `custom`", "Name a `relation`", "`value`", "`object`", "`property`", "`object_type`",
    "`functional`", "`distinct`", "`epistemic", "not to the same", "in a circle", "valid_until",
    "follows from what happens", "are not the same", "Contested and retracted",
]  # fmt: skip
NO_RELATION = "is no known relation"
BEYOND_A_SCHEMA = {
    "context": ["tokens and there are", "message"],  # whose shape is the providers' own
    "remember": ["are not the same", "valid_until"],
    "remember_many": ["valid_until"],
    "observe": ["are not the same", "valid_until"],
    "feedback": ["helpful=False"],
    "unrelate": ["Name a link"],
    "erase": ["exactly one of", "The reason is kept", "names nobody"],
    "issue_key": ["has passed already", "scope", "role", "skill", "channel"],
    "rotate_key": ["There is no key", "revoked"],
    "revoke_key": ["There is no key"],
    "end_webhook": ["There is no webhook"],
    "test_webhook": ["There is no webhook"],
    "learn": LEARN_BEYOND,
    "learn_many": LEARN_BEYOND,
    "propose_belief": LEARN_BEYOND,
    "add_alias": ["means the same already", "relates the two", "leads to the other"],
    "retract": ["no belief that was learnt"],
    "belief": ["Name a `relation` or a `property`", "follows from what happens", NO_RELATION],
    "belief_history": [
        "Name a `relation` or a `property`",
        "follows from what happens",
        NO_RELATION,
    ],
    "neighbours": ["follows from what happens", NO_RELATION],
    "traverse": ["follows from what happens", NO_RELATION],
    "infer": ["Something follows from these relations only", "follows from what happens"],
    "setting": ["There is no such setting"],
    "configure": ["There is no such setting", "must", "network"],
    # Which fields go with which type of event or end, and what their JSON may hold.
    "begin_episode": ["`situation", "are not the same"],
    "add_events": ["`events[", "are not the same"],
    "attend": ["`content`", "With a `memory_id`"],
    "gather": ["`situation", "Say what the situation is about"],
    "end_episode": ["`outcome"],
    "record_episode": ["`situation", "`events[", "`outcome", "before it began"],
    "similar_episodes": ["`situation", "`query`"],
    "episodes_between": ["`end` must not"],
    # Which fields go with which action, condition or extractor, and what they may hold.
    "add_skill": ["skill"],
    "revise_skill": ["revise() takes", "skill"],
    "match_skills": ["`situation"],
    "skill_feedback": ["Say how it went", "`outcome", "`context", "not followed", "steps now"],
    "skill_warnings": ["Name a `tool`", "`situation"],
    "record_flow": ["`outcome", "`nodes[", "failing", "name", "the flow is not kept"],
}


def _known_category(given: object) -> object:
    """Which categories there are is a setting, so that the description takes any word for one."""
    if isinstance(given, list):
        return [_known_category(each) for each in given]
    if not isinstance(given, dict):
        return given
    known = {name: _known_category(value) for name, value in given.items()}
    return {**known, "category": "decision"} if isinstance(given.get("category"), str) else known


def _is_wrong(case) -> bool:
    """Whether a request that is meant to be wrong is so: some only seem to be."""
    from schemathesis.core.parameters import ParameterLocation

    if "positive test case" in (case.meta.phase.data.description or "").lower():
        return False
    body = case.operation.body[0].raw_schema if case.operation.body else None
    parts = [place for place, part in case.meta.components.items() if part.mode.is_negative]
    if parts != [ParameterLocation.BODY] or body is None:
        return True
    return not Draft202012Validator(body).is_valid(case.body)


def _check(case, api: Api) -> None:
    from schemathesis.core.parameters import ParameterLocation
    from schemathesis.specs.openapi.checks import negative_data_rejection

    is_negative = case.meta.generation.mode.is_negative
    for part in () if is_negative else ("body", "query"):
        given = getattr(case, part)
        # Only what has to be changed: the tool looks anew at all that is set.
        if (known := _known_category(given)) != given:
            setattr(case, part, known)
    headers = case.meta.components.get(ParameterLocation.HEADER)
    # Where the headers are meant to be wrong, the key may be what is missing of them.
    is_keyless = headers is not None and headers.mode.is_negative
    sent = {} if is_keyless else {"Authorization": f"Bearer {api.key}"}
    response = case.call(headers=sent, session=api.client)
    skipped = [negative_data_rejection] if is_negative and not _is_wrong(case) else []
    case.validate_response(
        response, excluded_checks=skipped, headers=sent, transport_kwargs={"session": api.client}
    )
    if not is_negative and response.status_code == 422:
        allowed = BEYOND_A_SCHEMA.get(case.operation.definition.raw["operationId"], [])
        assert any(words in response.json()["detail"] for words in allowed), response.text


def _try(api: Api, method: str, path: str, *, made_up: int, seed: int | None) -> None:
    """What the tool thinks of: examples, edges of what is allowed, and so many made-up requests."""
    from schemathesis.generation.hypothesis.builder import (
        HypothesisTestConfig,
        HypothesisTestMode,
        create_test,
    )

    modes = [each for each in HypothesisTestMode if made_up or each != HypothesisTestMode.FUZZING]
    limits = settings(
        max_examples=made_up or 1, deadline=None, database=None, derandomize=False,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    config = HypothesisTestConfig(
        project=api.schema.config, modes=modes, settings=limits, seed=seed
    )
    create_test(
        operation=api.schema[path][method],
        test_func=lambda case: _check(case, api),
        config=config,
    )()


@pytest.mark.parametrize(("method", "path"), QUICK)
def test_the_api_keeps_to_its_description(api, method, path):
    _try(api, method, path, made_up=0, seed=SEED)


@pytest.mark.soak
@pytest.mark.parametrize(("method", "path"), ALL)
def test_the_api_keeps_to_its_description_whatever_is_sent(api, method, path):
    _try(api, method, path, made_up=500, seed=None)


def test_the_description_is_the_one_that_was_published():
    published = json.loads(SNAPSHOT.read_text(encoding="utf-8"))

    assert json.loads(json.dumps(description())) == published, (
        "The API changed. If that is meant: python -m scripts.openapi"
    )


def test_the_page_tells_of_every_operation():
    page = (SNAPSHOT.parent.parent.parent / "docs" / "http.md").read_text(encoding="utf-8")

    for operation in OPERATIONS.values():
        line = f"| `{operation.method} {API}{operation.path}` | {operation.need} |"
        assert (line in page) is not operation.is_local, "python -m scripts.openapi"


def test_every_operation_is_described_under_its_own_name():
    described = {
        operation["operationId"]: (method.upper(), path)
        for path, methods in description()["paths"].items()
        for method, operation in methods.items()
    }

    for operation in OPERATIONS.values():
        if not operation.is_local:
            assert described[operation.name] == (operation.method, API + operation.path)
        else:
            assert operation.name not in described


def test_every_path_that_is_served_is_described(service):
    served = {
        (method, route.template) for route in service.routes().all for method in route.methods
    }
    described = {
        (method.upper(), path)
        for path, methods in description()["paths"].items()
        for method in methods
    }

    assert served <= described
    assert {path for _, path in described - served} == {
        f"{API}/streams/{name}" for name in ("changes", "health", "progress")
    }


def _takes_a_body(operation) -> bool:
    in_path = {part[1:-1] for part in operation.path.split("/") if part.startswith("{")}
    return operation.method != "GET" and bool(set(operation.takes.model_fields) - in_path)


@pytest.mark.parametrize(
    "name",
    [each.name for each in OPERATIONS.values() if _takes_a_body(each) and not each.is_local],
)
def test_every_body_has_an_example_that_is_valid(name):
    operation = OPERATIONS[name]
    example = description()["paths"][API + operation.path][operation.method.lower()]["requestBody"]
    shown = example["content"]["application/json"]["example"]
    names = [part[1:-1] for part in operation.path.split("/") if part.startswith("{")]
    in_path = {"memory_id": "mem-0001", "key": "recall.limit", "key_id": "0" * 10}

    arguments = parse_document(operation, shown, {each: in_path.get(each, "x") for each in names})

    assert set(shown) <= set(arguments.model_dump())
