"""An agent from outside that may not curate is shown no protected text, by no operation."""

import json
from contextlib import suppress

import pytest
from operations.world import MINIMAL, World, call

from engram import Engram, Principal, Scope
from engram.errors import AccessDenied, EngramError
from engram.memory.episodes.events import UserMessage
from engram.memory.people import Person
from engram.memory.roles import Need
from engram.memory.scopes import PrincipalKind
from engram.sharing.webhooks.message import _told
from engram.surfaces.operations import OPERATIONS
from vault.test_details_sealed import CARD, skill

CANARY = "zebrafinchq"
KEY = "key:0123456789"
VEILED = Principal(PrincipalKind.AGENT, Scope(), credential=KEY, may_curate=False)
CURATOR = Principal(PrincipalKind.AGENT, Scope(), credential=KEY, may_curate=True)
PERSON = Principal(PrincipalKind.PERSON, Scope(), credential=KEY, may_curate=False)
ASKED = sorted(
    name
    for name, operation in OPERATIONS.items()
    if operation.need in (Need.READ, Need.WRITE) and not operation.is_local
)
TEXT = f"Ada keeps her bicycle at {CANARY} since Friday."


@pytest.fixture
def world(open_store, tmp_path, clock) -> World:
    return World(open_store(), tmp_path, clock)


def fill(engram: Engram) -> str:
    """Something protected in every system, about what operations are asked for here."""
    kept = engram.remember(
        TEXT, secrecy="confidential", summary=f"the {CANARY}", metadata={"place": CANARY},
        session="s-1", pinned=True, importance=1.0,
    ).memory.id  # fmt: skip
    engram.remember(f"Ada rides the bicycle, mail {CANARY}@analytical.org.", session="s-1")
    engram.remember(f"Bob Smith and Ada Lovelace met {CANARY}.", secrecy="sensitive")
    engram.episodes.record(
        f"The site has to go live, {CARD} {CANARY}", [UserMessage(f"{CARD} {CANARY}")], "success"
    )
    engram.episodes.begin(f"The site again, {CARD} {CANARY}", participants=[f"{CARD} {CANARY}"])
    engram.knowledge.learn("Vim", "created_by", f"{CANARY} {CARD}")
    engram.knowledge.learn("Ada", property="editor", value=f"{CANARY} {CARD}")
    engram.skills.add(skill(f"{CARD} {CANARY}"))
    engram.observe(f"My card is {CARD}, the word is {CANARY}.", session="s-1")
    engram.flush()
    engram.settle(30)
    return kept


def told(engram: Engram, name: str, given: dict) -> str:
    return json.dumps(call(engram, name, given))


@pytest.mark.parametrize("name", ASKED)
def test_no_operation_tells_protected_text_to_an_agent_from_outside(world, name):
    fill(world.owner)
    given = MINIMAL[name](world)
    agent = world.owner.seen_by(VEILED)

    with suppress(EngramError):
        document = call(agent, name, given)
        assert CANARY not in json.dumps(document)
        operation = OPERATIONS[name]
        if operation.tells is not None:
            assert CANARY not in operation.tells(document)


BY_ID = {
    "get": {}, "history": {}, "importance": {}, "forget": {"reason": "x"}, "status_history": {},
    "feedback": {"helpful": True, "query": "bicycle"}, "links": {}, "sources": {},
    "why": {"query": "Where is the bicycle?"}, "set_tier": {"tier": "confidential"},
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(BY_ID))
def test_a_confidential_memory_is_a_placeholder(world, name):
    kept = fill(world.owner)
    agent = world.owner.seen_by(VEILED)

    with suppress(EngramError):
        assert CANARY not in told(agent, name, {"memory_id": kept, **BY_ID[name]})


def test_what_is_shown_instead(world):
    kept = fill(world.owner)
    mail = world.owner.remember(f"Write to {CANARY}2@analytical.org.").memory.id
    agent = world.owner.seen_by(VEILED)

    confidential = call(agent, "get", {"memory_id": kept})
    sensitive = call(agent, "get", {"memory_id": mail})

    assert (confidential["content"], confidential["metadata"]) == ("[confidential]", {})
    assert sensitive["content"] == sensitive["summary"] == "Write to [email]."


@pytest.mark.parametrize("principal", [CURATOR, PERSON, Principal.of(None)])
def test_curators_people_and_the_owner_see_the_text(world, principal):
    kept = fill(world.owner)
    seen = world.owner if principal.is_owner else world.owner.seen_by(principal)

    assert call(seen, "get", {"memory_id": kept})["content"] == TEXT


def test_a_veiled_agent_changes_what_it_does_not_see_without_harm(world):
    kept = world.owner.remember(TEXT, secrecy="confidential").memory.id
    agent = world.owner.seen_by(
        Principal(PrincipalKind.AGENT, Scope(), credential=KEY, may_curate=False)
    )

    call(agent, "set_status", {"memory_id": kept, "status": "challenged", "reason": "x"})

    assert world.owner.get(kept).content == TEXT


def test_an_agent_at_home_reads_what_it_asks_for(world):
    kept = fill(world.owner)

    local = world.owner.seen_by(Principal(PrincipalKind.AGENT, Scope()))

    assert call(local, "get", {"memory_id": kept})["content"] == TEXT


def test_no_prompt_shows_what_is_confidential(world):
    fill(world.owner)
    given = [{"role": "user", "content": "Where does Ada keep her bicycle since Friday?"}]

    context = world.owner.context(given, model="gpt-4o", session="s-1")

    assert f"at {CANARY}" not in str(context)


def test_a_webhook_carries_no_protected_text(world):
    sealed = world.owner.remember(TEXT, secrecy="confidential").memory
    mail = world.owner.remember(f"Write to {CANARY}@analytical.org.").memory

    assert _told(sealed)["content"] == "[confidential]"
    assert _told(mail)["content"] == "Write to [email]."


def test_nearness_tells_a_veiled_agent_nothing_of_a_confidential_text(world):
    kept = world.owner.remember("The launch code word is marzipan.", secrecy="confidential").memory
    world.owner.settle(30)
    agent = world.owner.seen_by(VEILED)

    assert kept.id not in told(agent, "recall", {"query": "The launch code word is marzipan."})
    with pytest.raises(AccessDenied):
        call(agent, "why", {"query": "The launch code word is marzipan.", "memory_id": kept.id})


@pytest.mark.parametrize("secrecy", [None, "confidential"])
def test_what_a_veiled_agent_says_is_not_answered_by_what_others_keep_sealed(world, secrecy):
    kept = world.owner.remember("The launch code word is marzipan.", secrecy="confidential").memory
    agent = world.owner.seen_by(VEILED)
    given = {"text": "The launch code word is marzipan."}
    given = {**given, "secrecy": secrecy} if secrecy else given

    first, again = call(agent, "remember", given), call(agent, "remember", given)

    assert first["kind"] == "stored"
    assert first["memory"]["id"] != kept.id
    assert again["kind"] == "confirmed"


def test_a_protected_relation_hangs_on_both_and_names_one(world):
    learned = world.owner.knowledge.learn("Ada", "knows", "Nodexylo", secrecy="confidential")
    again = world.owner.knowledge.learn("Ada", "knows", "Nodexylo")

    assert (again.kind, again.belief.id) == ("confirmed", learned.belief.id)
    memory = world.owner.get(learned.belief.id)
    assert memory.subject == "Ada"
    world.owner._store.database.vault.destroy([Person("/", "nodexylo")])
    assert world.owner.get(learned.belief.id) is None
