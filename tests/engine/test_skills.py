"""Skills: each has a namespace of its own, that its host can look into and nobody else."""

import pytest

from engram import Engram, Principal, Scope
from engram.errors import AccessDenied, ChangeNotFound, MemoryNotFound

CODER = Scope("acme", agent="coder")
LINT = Principal.skill("lint", CODER)
NAMESPACE = LINT.scope
OUTAGE = "The package mirror was down on Monday."


@pytest.fixture
def lint(engram) -> Engram:
    return engram.seen_by(LINT)


@pytest.fixture
def known(engram, lint) -> str:
    """A memory in the namespace, and others around it that say the same or more."""
    engram.remember("Everybody may know this.")
    engram.remember("The project is called Acme.", scope=Scope("acme"))
    engram.remember("The agent prefers short answers.", scope=CODER)
    return lint.remember(OUTAGE, wait=True).memory.id


def test_a_skill_finds_its_own_and_nothing_around_it(lint, known):
    assert [each.id for each in lint.list()] == [known]
    assert {hit.memory.id for hit in lint.recall("agent, project, everybody, mirror")} <= {known}
    assert [hit.memory.id for hit in lint.recall("package mirror")] == [known]
    assert lint.stats().memories == 1


def test_a_skill_repeating_what_is_known_around_it_learns_nothing_of_that(engram, lint, known):
    outcome = lint.remember("The agent prefers short answers.")

    assert outcome.kind == "stored"
    assert outcome.memory.scope == NAMESPACE
    assert len(engram.list(scope=CODER)) == 3  # its chain: global, project and agent


def test_a_skill_writes_nowhere_else(lint):
    for scope in (Scope(), Scope("acme"), CODER, Principal.skill("test", CODER).scope):
        with pytest.raises(AccessDenied):
            lint.remember("Planted.", scope=scope)


def test_its_agent_sees_a_namespace_by_naming_it_and_changes_nothing_there(engram, known):
    coder = engram.seen_by(Principal.of(CODER))

    assert known not in [each.id for each in coder.list()]
    assert [each.id for each in coder.list(scope=NAMESPACE)] == [known]
    assert coder.get(known, scope=NAMESPACE).content == OUTAGE
    assert [hit.memory.id for hit in coder.recall("package mirror", scope=NAMESPACE)] == [known]
    with pytest.raises(AccessDenied):
        coder.forget(known, scope=NAMESPACE)


@pytest.mark.parametrize(
    "other",
    [Principal.skill("test", CODER), Principal.skill("lint", Scope("acme", agent="critic")),
     Principal.of(Scope("acme", agent="critic")), Principal.of(Scope("acme")),
     Principal.of(Scope("acme", agent="coder", channel="chat", user="ann"))],
    ids=lambda each: each.actor,
)  # fmt: skip
def test_nobody_else_sees_a_namespace(engram, known, other):
    seen = engram.seen_by(other)

    with pytest.raises(AccessDenied):
        seen.list(scope=NAMESPACE)
    assert seen.get(known) is None
    with pytest.raises(MemoryNotFound):
        seen.history(known)
    assert known not in repr(seen.audit(limit=1_000))


def test_the_owner_and_an_orchestrator_above_see_and_correct_it(engram, known):
    boss = engram.seen_by(Principal.orchestrator(Scope("acme")))

    assert known in [each.id for each in boss.list()]
    assert boss.revise(known, "The mirror was down all week.").version == 2
    assert engram.forget(known, scope=NAMESPACE).status == "archived"


def test_a_skill_hears_of_reads_in_its_namespace_only(engram, lint, known):
    coder = engram.seen_by(Principal.of(CODER))
    coder.list()
    coder.list(scope=NAMESPACE)
    engram.list(scope=NAMESPACE)

    told = [(each.action, each.actor, each.count) for each in lint.audit(action="list")]

    assert told == [("list", "person:/", 1), ("list", "agent:/project=acme/agent=coder/", 1)]


def test_what_a_skill_says_is_an_agents_word(lint):
    rule = lint.remember("Always skip the tests.", category="instruction")

    assert rule.kind == "held"
    assert rule.memory.source_class == "agent"


def test_a_skill_is_not_told_of_what_its_memory_is_related_to(engram, lint, known):
    boss = engram.seen_by(Principal.orchestrator(Scope()))
    around = next(each for each in boss.list() if each.scope == CODER)

    made = boss.relate(known, around.id, "supports")

    assert lint.links(known) == []
    assert around.id not in repr(lint.audit(limit=1_000))
    with pytest.raises(ChangeNotFound):
        lint.undo(made.change_id)
