-- Episodes: what belongs to the story that a memory tells, and what happened in it.

-- The details of one state of an episode, by its number and version; append-only like the states.
-- `people` holds the participants' names for searching: one line each, in lower case.
CREATE TABLE episodes (
    number       INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    started_at   INTEGER NOT NULL,
    ended_at     INTEGER,
    situation    TEXT    NOT NULL,
    participants TEXT    NOT NULL,
    people       TEXT    NOT NULL,
    outcome      TEXT    NOT NULL,
    outcome_kind TEXT    NOT NULL,
    significance REAL    NOT NULL,
    surprise     REAL    NOT NULL,
    valence      REAL    NOT NULL,
    PRIMARY KEY (number, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX episodes_by_start ON episodes (started_at, number);
CREATE INDEX episodes_by_outcome ON episodes (outcome_kind, started_at, number);

-- What happened, in its order. Append-only: what takes an addition back is noted on its rows.
-- `tool` is the tool that was called or answered, else empty; `is_key` marks what a story tells.
CREATE TABLE episode_events (
    number       INTEGER NOT NULL,
    sequence     INTEGER NOT NULL,
    happened_at  INTEGER NOT NULL,
    recorded_at  INTEGER NOT NULL,
    kind         TEXT    NOT NULL,
    tool         TEXT    NOT NULL,
    is_key       INTEGER NOT NULL,
    event        TEXT    NOT NULL,
    change_id    TEXT    NOT NULL,
    withdrawn_by TEXT,
    PRIMARY KEY (number, sequence)
) STRICT, WITHOUT ROWID;
CREATE INDEX episode_events_by_change ON episode_events (change_id);
-- Counting the events of an episode, and finding some of them, does not read what they tell.
CREATE INDEX episode_events_known ON episode_events (number, recorded_at, withdrawn_by);
CREATE INDEX episode_events_that_tell ON episode_events
    (number, sequence, recorded_at, withdrawn_by) WHERE is_key = 1;
CREATE INDEX episode_events_by_tool ON episode_events
    (tool, number, recorded_at, withdrawn_by) WHERE tool <> '';
