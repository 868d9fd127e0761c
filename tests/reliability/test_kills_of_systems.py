"""Processes killed while they record, learn and report: whole changes are there, or nothing."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from harness_crew import Crew, Job
from harness_systems import EVENTS, FACTS

from engram.engine import Engram

ROUNDS = 8
WRITERS = 3
FAILPOINTS = ("before_commit", "after_commit", "after_row_before_index")

# Each must find nothing. A detail row belongs to one state of a memory, by number and version.
BROKEN = {
    "an episode without its details": """
        SELECT m.number FROM memories AS m JOIN changes AS c ON c.id = m.change_id
        WHERE c.action IN ('begin_episode', 'record_episode', 'end_episode') AND NOT EXISTS (
            SELECT 1 FROM episodes AS e WHERE e.number = m.number AND e.version = m.version)""",
    "a belief without its edge": """
        SELECT m.number FROM memories AS m JOIN changes AS c ON c.id = m.change_id
        WHERE c.action = 'learn_fact' AND NOT EXISTS (
            SELECT 1 FROM edges AS e WHERE e.number = m.number AND e.version = m.version)""",
    "a belief that nobody says": """
        SELECT e.number FROM edges AS e WHERE NOT EXISTS (
            SELECT 1 FROM edge_sayings AS y WHERE y.number = e.number)""",
    "a skill without its procedure": """
        SELECT m.number FROM memories AS m JOIN changes AS c ON c.id = m.change_id
        WHERE c.action IN ('add_skill', 'revise_skill') AND NOT EXISTS (
            SELECT 1 FROM skills AS s WHERE s.number = m.number AND s.version = m.version)""",
    "details without a memory": """
        SELECT d.number FROM (
            SELECT number, version FROM episodes UNION ALL SELECT number, version FROM edges
            UNION ALL SELECT number, version FROM skills
        ) AS d WHERE NOT EXISTS (
            SELECT 1 FROM memories AS m WHERE m.number = d.number AND m.version = d.version)""",
    "an edge whose end has no name": """
        SELECT e.number FROM edges AS e JOIN memories AS m
            ON m.number = e.number AND m.version = e.version
        WHERE NOT EXISTS (SELECT 1 FROM nodes AS n WHERE n.id = e.source AND n.scope = m.scope)""",
    "a name of nothing": """
        SELECT n.id FROM nodes AS n WHERE NOT EXISTS (
            SELECT 1 FROM edges AS e WHERE e.source = n.id OR e.target = n.id)""",
    "what was added without its change": """
        SELECT a.number FROM (
            SELECT number, change_id FROM episode_events
            UNION ALL SELECT number, change_id FROM skill_runs
            UNION ALL SELECT number, change_id FROM edge_sayings
        ) AS a WHERE a.change_id NOT IN (SELECT id FROM changes)
            OR a.number NOT IN (SELECT number FROM memories)""",
    "a change that added nothing": """
        SELECT c.id FROM changes AS c WHERE c.action IN ('add_events', 'run_skill')
            AND c.id NOT IN (SELECT change_id FROM episode_events)
            AND c.id NOT IN (SELECT change_id FROM skill_runs)""",
    "a change that the audit does not know": """
        SELECT c.id FROM changes AS c
        WHERE c.id NOT IN (SELECT change_id FROM audit WHERE change_id IS NOT NULL)""",
    "a part of what was added at once": f"""
        SELECT change_id FROM episode_events GROUP BY change_id HAVING count(*) <> {EVENTS}""",
    "a part of what was learnt at once": f"""
        SELECT source FROM edges GROUP BY source HAVING count(*) <> {FACTS}""",
    "events with a gap": """
        SELECT number FROM episode_events GROUP BY number HAVING max(sequence) <> count(*)""",
    "runs with a gap": """
        SELECT number FROM skill_runs GROUP BY number HAVING max(sequence) <> count(*)""",
}  # fmt: skip


@pytest.fixture
def crew(tmp_path: Path) -> Iterator[Crew]:
    made = Crew(tmp_path)
    yield made
    made.close()


@pytest.mark.failure("F55", "F66", "F11")
def test_killing_whoever_changes_the_three_systems_leaves_whole_changes_only(
    crew: Crew, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    store, acks = tmp_path / "store", tmp_path / "acks"

    for number in range(ROUNDS):
        jobs = [
            Job("live_until_killed", (str(store), str(acks), f"writer {number} {each}"))
            for each in range(WRITERS)
        ]
        if number % 2:
            failpoint = f"{chance.choice(FAILPOINTS)},,{chance.randint(0, 40)}"
            aftermath = crew.kill_at_failpoint([Job(*_parts(jobs[0]), failpoint), *jobs[1:]])
        else:
            aftermath = crew.kill_after(jobs, chance.uniform(0.1, 0.4))
        assert aftermath.errors == []
        _check_whole(store / "engram.db")

    crew.run("inspect_store", str(store))
    _check_promises(store, acks)


def _parts(job: Job) -> tuple[str, object]:
    return job.role, job.arguments


def _check_whole(database: Path) -> None:
    connection = apsw.Connection(str(database))
    try:
        found = {name: connection.execute(query).fetchall() for name, query in BROKEN.items()}
    finally:
        connection.close()
    assert {name: rows for name, rows in found.items() if rows} == {}


def _check_promises(store: Path, acks: Path) -> None:
    """What was acknowledged is there; what had not ended goes on, and can be ended now."""
    told = [json.loads(line) for line in acks.read_text().splitlines()]
    ended = {id_ for kind, id_, _ in told if kind == "ended"}
    begun = {id_ for kind, id_, _ in told if kind == "begun"}
    with Engram.open(store) as engram:
        going_on = {each.id for each in engram.episodes.ongoing(limit=1_000)}
        for kind, id_, count in told:
            if kind == "events":
                assert engram.episodes.get(id_).event_count >= count
            elif kind == "facts":
                assert len(engram.knowledge.node(id_, limit=100).properties) == count
            elif kind == "run":
                assert len(engram.skills.runs(id_, limit=1_000)) >= count
            elif kind == "skill":
                assert engram.skills.get(id_).id == id_
        assert not ended & going_on
        assert len(begun - ended - going_on) <= ROUNDS * WRITERS, "in flight at most"
        open_ = sorted(begun & going_on)
        assert open_
        assert engram.episodes.end(open_[0], "success").episode.kind == "success"
    assert {kind for kind, _, _ in told} == {"skill", "begun", "events", "facts", "run", "ended"}


def test_the_checks_find_what_is_broken(tmp_path: Path) -> None:
    """A row that was taken out by hand is missed."""
    store = tmp_path / "store"
    with Engram.open(store) as engram:
        episode = engram.episodes.begin("a day")
        engram.episodes.add(episode.id, [{"type": "user_message", "content": "x"}] * EVENTS)
        engram.knowledge.learn_many(
            {"subject": "Ada", "property": f"p {n}", "value": n} for n in range(FACTS)
        )
    _check_whole(store / "engram.db")

    connection = apsw.Connection(str(store / "engram.db"))
    for table in ("episodes", "edges", "edge_sayings", "nodes", "episode_events"):
        connection.execute("SAVEPOINT before")
        connection.execute(_delete_one(connection, table))
        found = [name for name, query in BROKEN.items() if connection.execute(query).fetchall()]
        connection.execute("ROLLBACK TO before")
        connection.execute("RELEASE before")
        assert found, table
    connection.close()


def _delete_one(connection: apsw.Connection, table: str) -> str:
    keys = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[5]]
    listed = ", ".join(keys)
    return f"DELETE FROM {table} WHERE ({listed}) IN (SELECT {listed} FROM {table} LIMIT 1)"
