"""What one who looks down reads leaves no trace that those below could learn from."""

import pytest

from engram import Principal, Scope

ACME = Scope(project="acme")
MINE, THEIRS = Scope(project="acme", agent="a1"), Scope(project="acme", agent="b2")


@pytest.fixture
def orchestrator(open_store):
    open_store(scope=THEIRS).remember("The vault code is 9911.", wait=True)
    return open_store(principal=Principal.orchestrator(ACME))


def noted(engram):
    """What somebody sees of reads: the kind, who, and how many were given back."""
    kinds = ("recall", "list", "audit")
    return [
        (each.action, each.actor, each.count) for each in engram.audit() if each.action in kinds
    ]


def test_an_agent_learns_nothing_of_what_an_orchestrator_recalled_elsewhere(
    orchestrator, open_store
):
    agent = open_store(scope=MINE)
    for _ in range(3):
        assert len(orchestrator.recall("vault code")) == 1
    assert len(orchestrator.list()) == 1
    assert orchestrator.audit()
    orchestrator.settle()

    assert agent.recall_statistics().recalls == 0
    assert noted(agent) == []
    assert noted(open_store(scope=ACME)) == []


def test_an_orchestrator_sees_its_own_reads_and_their_figures(orchestrator):
    orchestrator.recall("vault code")
    orchestrator.settle()

    found = orchestrator.recall_statistics()

    assert (found.recalls, found.returned) == (1, 1.0)
    (read,) = [each for each in orchestrator.audit() if each.action == "recall"]
    assert (read.count, read.scope) == (1, "/project=acme/*")
    assert orchestrator.verify_audit().is_intact


def test_what_an_orchestrator_reads_of_one_scope_is_told_there(orchestrator, open_store):
    agent = open_store(scope=MINE)
    agent.remember("The office is in Lyon.", wait=True)

    orchestrator.recall("office", scope=MINE)
    orchestrator.settle()

    assert agent.recall_statistics().recalls == 1
