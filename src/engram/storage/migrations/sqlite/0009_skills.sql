-- Skills: how a task is done, when that fits, and how it went each time.

-- The details of one state of a skill, by its number and version; append-only like the states.
-- `name` is the name as it is compared.
CREATE TABLE skills (
    number  INTEGER NOT NULL,
    version INTEGER NOT NULL,
    name    TEXT    NOT NULL,
    skill   TEXT    NOT NULL,
    PRIMARY KEY (number, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX skills_by_name ON skills (name);

-- How a skill went. Append-only: what takes a run back is noted on it. The scope is that of who
-- reports it: a run of a skill from a wider scope counts for those who see who reported it. `run`
-- is empty where the columns say all.
CREATE TABLE skill_runs (
    number       INTEGER NOT NULL,
    sequence     INTEGER NOT NULL,
    scope        TEXT    NOT NULL,
    at           INTEGER NOT NULL,
    recorded_at  INTEGER NOT NULL,
    outcome_kind TEXT    NOT NULL,
    seconds      REAL,
    episode      TEXT,
    tool         TEXT,
    signature    TEXT    NOT NULL,
    run          TEXT    NOT NULL,
    change_id    TEXT    NOT NULL,
    withdrawn_by TEXT,
    PRIMARY KEY (number, sequence)
) STRICT, WITHOUT ROWID;
CREATE INDEX skill_runs_by_change ON skill_runs (change_id);
CREATE INDEX skill_runs_by_signature ON skill_runs (signature) WHERE signature <> '';
CREATE INDEX skill_runs_by_tool ON skill_runs (tool) WHERE tool IS NOT NULL;
