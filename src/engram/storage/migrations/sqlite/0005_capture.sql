-- Capture: where a statement was drawn from, what waits to be read, who is named, what was decided.

-- A statement and the turn it was drawn from; the places say where in the turn its words stand.
CREATE TABLE sources (
    number        INTEGER NOT NULL,
    source_number INTEGER NOT NULL,
    change_id     TEXT    NOT NULL,
    starts_at     INTEGER NOT NULL,
    ends_at       INTEGER NOT NULL,
    PRIMARY KEY (number, source_number),
    CHECK (number <> source_number)
) STRICT, WITHOUT ROWID;
CREATE INDEX sources_by_turn ON sources (source_number);

-- Turns that nobody has read for statements yet. A row is made with its turn and goes in the
-- transaction that keeps what was found in it, so that no turn is read twice or forgotten.
CREATE TABLE unread_turns (
    number   INTEGER PRIMARY KEY,
    scope    TEXT    NOT NULL,
    session  TEXT    NOT NULL,
    kept_at  INTEGER NOT NULL,
    urgency  TEXT    NOT NULL,
    attempts INTEGER NOT NULL,
    due_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX unread_turns_by_session ON unread_turns (scope, session, number);

-- Derived: what a memory claims, for finding statements about the same thing.
CREATE TABLE claims (
    number        INTEGER PRIMARY KEY,
    scope         TEXT    NOT NULL,
    subject       TEXT    NOT NULL,
    predicate     TEXT    NOT NULL,
    object        TEXT    NOT NULL,
    is_negated    INTEGER NOT NULL,
    is_functional INTEGER NOT NULL
) STRICT;
CREATE INDEX claims_by_subject ON claims (subject, predicate);

-- Derived: the names that stand in a memory's text.
CREATE TABLE mentions (
    number  INTEGER NOT NULL,
    name    TEXT    NOT NULL,
    surface TEXT    NOT NULL,
    type    TEXT    NOT NULL,
    PRIMARY KEY (number, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX mentions_by_name ON mentions (name);

-- Decisions that a name means an entity; append-only, like links.
CREATE TABLE aliases (
    change_id    TEXT NOT NULL,
    scope        TEXT NOT NULL,
    name         TEXT NOT NULL,
    entity       TEXT NOT NULL,
    how          TEXT NOT NULL,
    withdrawn_by TEXT,
    PRIMARY KEY (change_id, name)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX aliases_that_stand ON aliases (scope, name) WHERE withdrawn_by IS NULL;

-- Statements kept together because they were about the same thing at the same time.
CREATE TABLE boxes (
    id         TEXT    NOT NULL PRIMARY KEY,
    scope      TEXT    NOT NULL,
    session    TEXT    NOT NULL,
    trace      TEXT    NOT NULL,
    opened_at  INTEGER NOT NULL,
    last_at    INTEGER NOT NULL,
    sealed_at  INTEGER,
    sealed_for TEXT    NOT NULL,
    topics     TEXT    NOT NULL,
    members    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX boxes_that_are_open ON boxes (scope, session) WHERE sealed_at IS NULL;
CREATE INDEX boxes_by_time ON boxes (scope, last_at);

CREATE TABLE box_members (
    number INTEGER PRIMARY KEY,
    box    TEXT NOT NULL
) STRICT;
CREATE INDEX box_members_by_box ON box_members (box);

-- How much was kept, merged, held, refused and skipped, and why; never what.
CREATE TABLE capture_counts (
    scope   TEXT    NOT NULL,
    day     INTEGER NOT NULL,
    outcome TEXT    NOT NULL,
    reason  TEXT    NOT NULL,
    count   INTEGER NOT NULL,
    PRIMARY KEY (scope, day, outcome, reason)
) STRICT, WITHOUT ROWID;

-- How far a transcript has been read, so that the next harvest begins there.
CREATE TABLE harvested (
    scope      TEXT    NOT NULL,
    place      TEXT    NOT NULL,
    read_bytes INTEGER NOT NULL,
    digest     BLOB    NOT NULL,
    at         INTEGER NOT NULL,
    PRIMARY KEY (scope, place)
) STRICT, WITHOUT ROWID;

-- Every call of a language model: written before the call, completed after it.
CREATE TABLE model_calls (
    id           INTEGER PRIMARY KEY,
    at           INTEGER NOT NULL,
    scope        TEXT    NOT NULL,
    purpose      TEXT    NOT NULL,
    model        TEXT    NOT NULL,
    outcome      TEXT    NOT NULL,
    tokens_in    INTEGER NOT NULL,
    tokens_out   INTEGER NOT NULL,
    milliseconds INTEGER NOT NULL
) STRICT;
CREATE INDEX model_calls_by_time ON model_calls (at, scope);

-- Finds the turns before another in its session; only turns pay for it.
CREATE INDEX turns_by_session ON memories (session, number)
    WHERE category = 'turn' AND recorded_until IS NULL;

-- Claims and names of memories from before are made when somebody first asks: up to this number.
INSERT INTO meta (key, value) SELECT 'names_to_make', CAST(last_number AS TEXT) FROM ledger;
