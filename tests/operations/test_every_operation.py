"""Everything that Engram can do can be asked for from outside, or is left out for a reason."""

import inspect
import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator

from engram import Engram, Scope
from engram.capture.observe import SOURCES
from engram.errors import (
    AccessDenied,
    Cancelled,
    ConfigInvalid,
    EngramError,
    InvalidInput,
    MemoryNotFound,
)
from engram.memory.roles import Need, Role, may
from engram.memory.trust import CLASS_OF_PREFIX, SOURCE_TRUST, provenance
from engram.settings import setting_rules
from engram.surfaces.documents import Document
from engram.surfaces.operations import OPERATIONS, Effect, Operation
from engram.surfaces.operations.configuring import is_protected
from engram.surfaces.operations.lines import MOST_CHARACTERS
from engram.surfaces.operations.observing import TurnRole
from engram.surfaces.operations.parsing import parse_document, parse_query
from engram.surfaces.operations.schemas import kinds_of
from engram.surfaces.operations.shapes import arguments_schema, components
from engram.upkeep import Upkeep
from operations.world import AGENT, MINIMAL, NOBODY, World, call, silent

# What the library can do and nobody from outside may ask for, each with its reason.
LIBRARY_ONLY = {
    "open": "whoever serves has opened the store",
    "close": "a server closes its store itself",
    "note_refusal": "a surface takes down itself whom it refuses",
    "seen_by": "who is calling follows from the key, never from a call",
    "replacements": "marks the lines of a window and of hooks; each hit's own links tell it too",
    "name_proposals": "stands beside `merge_entities`; the command line shows them to a person",
    "settle": "waits for all that is pending; `flush` and `embed` do the work, with progress",
    "restore": "needs the store alone, and so no server beside it",
    "export": "a caller from outside must not name files of the machine, nor carry all away",
    "import_": "a caller from outside must not name files of the machine",
    "check_certificate": "whoever has a certificate has the public key in it",
    "imports": "stands beside `import_`, which is no operation",
    "episodes": "the place of its operations, see test_episode_operations.py",
    "skills": "the place of its operations, see test_skills_operations.py",
    "working": "the place of its operations, see test_working_operations.py",
    "turn": "lasts as long as a block of code; `context` before and `observe` after do it",
    "upkeep": "the place of the operations on the whole store",
    "knowledge": "the place of the operations on what is known",
    "access_taken_away": "carries revocations over a restore, which is no operation itself",
    "take_access_away": "carries revocations over a restore, which is no operation itself",
    "recognise": "a server recognises the key that comes with a request itself",
    "deliver_due": "news are sent in the background, by whoever runs there",
    "take_message": "a signed message comes by its own way in, not with a key",
    "news_page": "how streams read on; `changes_since` gives the same",
    "mark_at": "by what streams know a line of the audit again after a restore",
    "last_sequence": "how streams see that there is something; every change tells its own",
    "upkeep.restore": "needs the store alone, and so no server beside it",
    "upkeep.encrypt": "takes a passphrase, which is typed on the machine alone",
    "upkeep.change_key": "takes a passphrase, which is typed on the machine alone",
    "upkeep.add_key": "takes a passphrase, which is typed on the machine alone",
    "upkeep.remove_key": "what opens the store is looked after on the machine alone",
    "upkeep.recovery_key": "is shown once, on the machine alone",
    "upkeep.vault_problem": "health tells it to those who ask from outside",
    "upkeep.plain_backups": "what lies on the disk is looked after on the machine alone",
    "upkeep.ways_in": "what opens the store is looked after on the machine alone",
    "upkeep.renew_keys": "needs the store alone, and so no server beside it",
    "upkeep.decrypt": "needs the store alone, and so no server beside it",
    "upkeep.anticipated": "counts of this process; a server's metrics tell them",
    "upkeep.warm": "a server warms its embedder itself",
    "upkeep.scope_of": "every memory says its scope",
    "upkeep.recent_reads": "holds questions of others in clear; `audit` tells of them hashed",
    "upkeep.record": "the audit is written by what happens, not by callers",
}
LONGEST_LIST_OF_NUMBERS = 8  # more would be a vector, from which a text can be made again


def validate(shape: str, document: Document) -> None:
    """Hold a document against its shape: fields, types, and that times are times."""
    schema = {"$ref": f"#/components/schemas/{shape}", "components": {"schemas": components()}}
    Draft202012Validator.check_schema(schema)
    jsonschema_rs.validate(schema, document, validate_formats=True)


def public(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind) if not name.startswith("_")}


def lists_of_numbers(value: object) -> Iterator[list[object]]:
    if isinstance(value, dict):
        for each in value.values():
            yield from lists_of_numbers(each)
    elif isinstance(value, list):
        if value and all(isinstance(each, int | float) for each in value):
            yield value
        for each in value:
            yield from lists_of_numbers(each)


def test_every_public_method_is_an_operation_or_left_out_for_a_reason():
    methods = public(Engram) | {f"upkeep.{name}" for name in public(Upkeep)}

    lacking = {
        name
        for name in methods - set(LIBRARY_ONLY)
        if name.removeprefix("upkeep.") not in OPERATIONS
    }

    assert lacking == set()
    assert set(LIBRARY_ONLY) <= methods


def test_every_operation_can_be_tried():
    assert set(MINIMAL) == set(OPERATIONS)


@pytest.mark.failure("F31")
@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_gives_what_its_shape_says_and_no_vectors(world: World, name: str):
    given = MINIMAL[name](world)

    document = call(world.owner, name, given)

    plain = json.loads(json.dumps(document, allow_nan=False))
    validate(OPERATIONS[name].gives, plain)
    assert all(len(each) <= LONGEST_LIST_OF_NUMBERS for each in lists_of_numbers(plain))
    tells = OPERATIONS[name].tells
    told = tells(document) if tells else "-"
    assert 0 < len(told) <= MOST_CHARACTERS
    assert "{" not in told


@pytest.mark.parametrize("shape", components())
def test_a_shape_allows_nothing_beside_its_fields(shape: str):
    def objects(schema: object) -> Iterator[dict[str, object]]:
        if isinstance(schema, dict):
            if "properties" in schema and schema.get("type") == "object":
                yield schema
            for each in schema.values():
                yield from objects(each)
        elif isinstance(schema, list):
            for each in schema:
                yield from objects(each)

    assert all(each["additionalProperties"] is False for each in objects(components()[shape]))


def test_no_shape_has_room_for_a_vector():
    def items(schema: object) -> Iterator[object]:
        if isinstance(schema, dict):
            yield from ([schema["items"]] if schema.get("type") == "array" else [])
            for each in schema.values():
                yield from items(each)
        elif isinstance(schema, list):
            for each in schema:
                yield from items(each)

    found = [each for each in items(components()) if kinds_of(each) & {"number", "integer"}]

    assert found == []


def test_the_schemas_of_arguments_are_sound_and_in_one_piece():
    for operation in OPERATIONS.values():
        schema = arguments_schema(operation)

        Draft202012Validator.check_schema(schema)
        assert schema["additionalProperties"] is False
        assert "$ref" not in json.dumps(schema)


def test_what_a_schema_of_arguments_allows_is_what_is_read(world: World):
    for name, operation in OPERATIONS.items():
        given = MINIMAL[name](world)

        Draft202012Validator(arguments_schema(operation)).validate(given)


def test_no_two_operations_share_a_route():
    routes = [(each.method, re.sub(r"\{\w+\}", "{}", each.path)) for each in OPERATIONS.values()]

    assert len(set(routes)) == len(routes)


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_what_stands_in_a_path_is_an_argument_that_must_be_there(operation: Operation):
    schema = arguments_schema(operation)

    names = set(re.findall(r"\{(\w+)\}", operation.path))

    assert names <= set(schema.get("required", []))
    assert operation.path.startswith("/")
    assert operation.method in ("GET", "POST", "PUT", "PATCH", "DELETE")


@pytest.mark.parametrize(
    "operation", [each for each in OPERATIONS.values() if each.method in ("GET", "DELETE")],
    ids=lambda operation: operation.name,
)  # fmt: skip
def test_what_has_no_body_can_be_asked_for_by_text_alone(world: World, operation: Operation):
    given = MINIMAL[operation.name](world)
    properties = arguments_schema(operation)["properties"]
    assert all(
        not kinds_of(schema) & {"array", "object"}
        for name, schema in properties.items()
        if name != "metadata"
    )

    pairs = [(name, str(value)) for name, value in given.items()]
    arguments = parse_query(operation, pairs)

    assert arguments == parse_document(operation, given)


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_needs_follow_from_effects(operation: Operation):
    if operation.effect is not Effect.READS:
        assert operation.need is not Need.READ
    if operation.method == "GET":
        assert operation.effect is Effect.READS
    assert operation.summary.endswith(".")


REPEATABLE = [
    name
    for name, each in OPERATIONS.items()
    if each.is_repeatable and each.effect is not Effect.READS and name not in ("harvest", "scan")
]


@pytest.mark.parametrize("name", REPEATABLE)
def test_what_is_called_repeatable_leaves_the_same_when_done_twice(world: World, name: str):
    def state() -> str:
        kept = world.owner.list(status="any")
        held = [(each.id, each.status, each.layer, each.is_pinned, each.content) for each in kept]
        links = [world.owner.links(each.id) for each in kept]
        keys = [(key.id, key.revoked_at) for key in world.owner.keys(every=True)]
        hooks = [(hook.id, hook.ended_at) for hook in world.owner.webhooks(every=True)]
        return repr((held, links, keys, hooks, [each.keys for each in world.owner.entities()]))

    given = MINIMAL[name](world)
    call(world.owner, name, given)
    once = state()

    with suppress(EngramError):  # refused is as good as done before
        call(world.owner, name, given)

    assert state() == once


def test_a_reader_may_read_and_nothing_else():
    allowed = {name for name, each in OPERATIONS.items() if may(Role.READER, each.need)}

    assert {"recall", "get", "list", "why", "stats"} <= allowed
    assert not allowed & {
        "remember", "observe", "forget", "revise", "undo", "feedback", "relate", "approve", "pin",
        "review", "backup", "settings", "configure", "doctor", "scopes", "embed", "verify_audit",
        "security_events",
    }  # fmt: skip


def test_only_curators_decide_and_only_admins_control():
    curates = {name for name, each in OPERATIONS.items() if each.need is Need.CURATE}
    controls = {name for name, each in OPERATIONS.items() if each.need is Need.CONTROL}

    assert curates == {
        "pin", "unpin", "promote", "demote", "verify", "approve", "reject", "set_status", "review",
        "merge_entities", "split_entity", "add_alias", "dream", "erase",
    }  # fmt: skip
    assert controls >= {
        "doctor", "backup", "embed", "settings", "setting", "configure", "scopes", "verify_audit",
        "issue_key", "keys", "rotate_key", "revoke_key", "webhooks", "end_webhook", "test_webhook",
    }  # fmt: skip


def test_only_what_reads_files_or_chooses_addresses_is_local():
    assert {name for name, each in OPERATIONS.items() if each.is_local} == {
        "harvest", "scan", "add_webhook",
    }  # fmt: skip


def test_an_operation_never_widens_what_the_engine_allows(world: World):
    agent = world.owner.seen_by(AGENT)
    held = world.held("Ada was born in 1990.")
    for name, given in (
        ("approve", {"memory_id": held}),
        ("backup", {}),
        ("settings", {}),
        ("configure", {"key": "recall.limit", "value": 3}),
        ("scopes", {}),
        ("embed", {}),
    ):
        with pytest.raises(AccessDenied):
            call(agent, name, given)


def test_a_scope_narrows_a_call(world: World):
    kept = call(world.owner, "remember", {"text": "Only here.", "scope": "project=acme"})

    memory = kept["memory"]
    assert isinstance(memory, dict)
    assert memory["scope"] == "/project=acme/"
    elsewhere = call(world.owner, "list", {"scope": "/project=beta/"})
    assert elsewhere["memories"] == []
    same = call(world.owner, "get", {"memory_id": memory["id"], "scope": memory["scope"]})
    assert same["content"] == "Only here."


def test_what_is_unknown_and_what_is_not_yours_look_the_same(world: World):
    hidden = world.kept("Seen below only.", scope=Scope("acme"))

    for memory_id in (hidden, "mem-9999"):
        with pytest.raises(MemoryNotFound) as refused:
            call(world.owner, "get", {"memory_id": memory_id})
        assert refused.value.hint == MemoryNotFound.default_hint


def test_all_that_the_library_takes_of_a_statement_can_be_said(world: World):
    old = world.kept("Ada has an office in Lyon.")
    everything = {
        "category": "decision", "layer": "procedural", "memory_type": "procedure",
        "importance": 0.9, "confidence": 1, "at": "2026-02-01T09:00:00Z",
        "valid_from": "2026-02-01T09:00:00+01:00", "valid_until": "2027-02-01T09:00:00Z",
        "speaker": "Ada", "subject": "office", "session": "s1", "reference": "D1:1",
        "source": "agent:notes", "metadata": {"n": 5, "tags": ["a", "b"], "x": None},
        "pinned": True, "summary": "Porto.", "replaces": old, "idempotency_key": "k1",
        "secrecy": "cleartext", "horizon": "400d",
    }  # fmt: skip
    given: Document = {"text": "Ada has an office in Porto.", "wait": True, **everything}
    library = set(inspect.signature(Engram.remember).parameters) - {"self", "scope"}
    assert set(given) == library

    first, again = (call(world.owner, "remember", given) for _ in range(2))

    memory = first["memory"]
    assert isinstance(memory, dict)
    assert memory["layer"] == "procedural"
    assert memory["metadata"]["tags"] == ["a", "b"]
    assert again["change_id"] == first["change_id"]
    assert world.owner.get(old).status == "superseded"


@pytest.mark.parametrize(
    ("operation", "method", "beside"),
    [
        ("observe", Engram.observe, set()),
        ("observe_result", Engram.observe_result, set()),
        ("recall", Engram.recall, {"session"}),  # has no effect before context is there
        ("feedback", Engram.feedback, set()),
        ("get", Engram.get, set()),
        ("revise", Engram.revise, set()),
        ("audit", Engram.audit, set()),
        ("remember_many", Engram.remember_many, {"progress"}),
        ("merge_entities", Engram.merge_entities, set()),
    ],
)
def test_an_operation_takes_what_the_library_takes(
    operation: str, method: Callable[..., object], beside: set[str]
):
    library = set(inspect.signature(method).parameters) - {"self"} - beside

    assert library <= set(OPERATIONS[operation].takes.model_fields)


def test_a_listing_is_continued_where_it_ended(world: World):
    for number in range(5):
        world.kept(f"Fact number {number} is kept.")

    pages, following = [], None
    for _ in range(3):
        page = call(world.owner, "list", {"limit": 2, "before": following})
        pages.append([each["content"] for each in page["memories"]])
        following = page["next"]

    assert [len(page) for page in pages] == [2, 2, 1]
    assert len({text for page in pages for text in page}) == 5
    assert following is None


def test_the_audit_is_continued_where_it_ended(world: World):
    for number in range(7):
        world.kept(f"Fact number {number} is kept.")
    whole = call(world.owner, "audit", {"action": "remember"})["entries"]

    seen, following = [], None
    while True:
        page = call(world.owner, "audit", {"action": "remember", "limit": 3, "before": following})
        seen += page["entries"]
        following = page["next"]
        if following is None:
            break

    assert [each["sequence"] for each in seen] == [each["sequence"] for each in whole]
    assert len(seen) == 7


def test_filters_narrow_a_listing_by_query(world: World):
    world.kept("With five.", metadata={"n": 5}, category="decision")
    world.kept("With text.", metadata={"n": "5"})

    operation = OPERATIONS["list"]
    by_number = parse_query(operation, [("meta.n", "5")])
    by_text = parse_query(operation, [("meta.n", '"5"'), ("limit", "10"), ("pinned", "false")])

    for arguments, text in ((by_number, "With five."), (by_text, "With text.")):
        found = operation.run(world.owner, arguments, silent)["memories"]
        assert [each["content"] for each in found] == [text]


def test_a_long_operation_can_be_stopped_between_its_batches(world: World):
    world.owner.upkeep.configure("storage.rows_per_commit", "1")
    engram = Engram.open(world.owner.upkeep.backup().path.parent.parent, clock=world.clock)
    operation = OPERATIONS["remember_many"]
    items = [{"text": f"Fact number {number} is kept."} for number in range(5)]

    def stop(done: int, total: int) -> None:
        assert total == 5
        if done == 2:
            raise Cancelled

    with engram, pytest.raises(Cancelled):
        operation.run(engram, parse_document(operation, {"items": items}), stop)

    assert len(world.owner.list()) == 2


@pytest.mark.failure("F31")
@pytest.mark.parametrize("key", [key for key in setting_rules() if is_protected(key)])
def test_whom_the_server_talks_to_is_not_set_or_shown_from_outside(world: World, key: str):
    with pytest.raises(InvalidInput):
        call(world.owner, "configure", {"key": key, "value": "https://user:pw@example.org"})

    assert call(world.owner, "setting", {"key": key})["value"] is None


@pytest.mark.failure("F31")
def test_every_address_model_and_folder_is_protected():
    telling = ("url", "model", "folder", "path", "file", "kind", "http")

    exposed = {key for key in setting_rules() if key.endswith(telling) and not is_protected(key)}

    assert exposed == set()


def test_a_setting_is_set_and_taken_out(world: World):
    assert call(world.owner, "configure", {"key": "recall.limit", "value": 7})["value"] == 7
    assert call(world.owner, "configure", {"key": "recall.warm", "value": False})["value"] is False
    assert call(world.owner, "configure", {"key": "recall.limit", "value": None})["value"] == 10
    with pytest.raises(ConfigInvalid):
        call(world.owner, "configure", {"key": "recall.limit", "value": 0})
    with pytest.raises(InvalidInput):
        call(world.owner, "setting", {"key": "no.such"})


def test_a_backup_is_made_among_the_stores_own_and_its_place_is_not_told(world: World):
    made = call(world.owner, "backup", {})

    assert "/" not in str(made["name"])
    assert str(world.folder) not in json.dumps(made)
    with pytest.raises(InvalidInput):
        call(world.owner, "backup", {"path": "/tmp/elsewhere"})


def test_the_roles_of_turns_are_those_of_the_engine():
    assert set(TurnRole) == set(SOURCES)


@pytest.mark.parametrize("prefix", CLASS_OF_PREFIX)
def test_sources_are_those_of_the_engine(prefix: str):
    given = parse_document(OPERATIONS["remember"], {"text": "x", "source": f"{prefix}:y"})

    assert provenance(AGENT, given.source).trust in SOURCE_TRUST.values()


def test_a_link_is_taken_back_by_the_change_that_made_it(world: World):
    a, b = world.link()
    change = call(world.owner, "links", {"memory_id": a})["links"][0]["change"]["id"]

    call(world.owner, "undo", {"change_id": change})

    assert call(world.owner, "links", {"memory_id": b})["links"] == []


def test_facts_that_the_caller_read_itself_are_learnt(world: World):
    document = call(
        world.owner,
        "observe",
        {"text": "So Porto it is.", "facts": [{"text": "The office is in Porto."}]},
    )

    validate("Observed", document)
    assert [each["memory"]["content"] for each in document["learnt"]] == ["The office is in Porto."]


@pytest.mark.failure("F31")
def test_secrets_are_told_once_and_then_never_again(world: World):
    key = call(world.owner, "issue_key", {"name": "laptop", "role": "writer"})
    hook = call(world.owner, "add_webhook", {"name": "automation", "url": NOBODY})

    listed = json.dumps([
        call(world.owner, "keys", {"every": True}),
        call(world.owner, "webhooks", {"every": True}),
        call(world.owner, "audit", {}),
    ])  # fmt: skip

    assert str(key["text"]) not in listed
    assert str(key["text"]).rpartition("_")[2] not in listed
    assert str(hook["secret"]) not in listed


def test_news_are_continued_where_they_ended(world: World):
    for number in range(3):
        world.kept(f"Fact number {number} is kept.")

    first = call(world.owner, "changes_since", {"limit": 2})
    rest = call(world.owner, "changes_since", {"sequence": first["next"], "limit": 2})

    assert [len(page["changes"]) for page in (first, rest)] == [2, 1]
    assert rest["next"] is None
