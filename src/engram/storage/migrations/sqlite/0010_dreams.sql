-- Dreams: what was decided while nobody asked, what was made of memories, and how far it got.

-- One night's work. It counts by `at`, also when it was interrupted and goes on later. Unfinished as
-- long as `finished_at` is missing.
CREATE TABLE dreams (
    id          TEXT    PRIMARY KEY,
    at          INTEGER NOT NULL,
    actor       TEXT    NOT NULL,
    scope       TEXT    NOT NULL,
    steps       TEXT    NOT NULL,
    began_at    INTEGER NOT NULL,
    finished_at INTEGER
) STRICT, WITHOUT ROWID;

-- A pass over one scope that is done: what it looked at and what it found without changing it.
CREATE TABLE dream_steps (
    dream     TEXT    NOT NULL,
    step      TEXT    NOT NULL,
    scope     TEXT    NOT NULL,
    looked_at INTEGER NOT NULL,
    findings  TEXT    NOT NULL,
    skipped   TEXT    NOT NULL,
    seconds   REAL    NOT NULL,
    is_whole  INTEGER NOT NULL,
    PRIMARY KEY (dream, step, scope)
) STRICT, WITHOUT ROWID;

-- Which change a dream made, and the key by which the same decision is known another night.
CREATE TABLE dream_decisions (
    sequence  INTEGER PRIMARY KEY,
    change_id TEXT    NOT NULL UNIQUE,
    dream     TEXT    NOT NULL,
    step      TEXT    NOT NULL,
    scope     TEXT    NOT NULL,
    key       TEXT    NOT NULL,
    why       TEXT    NOT NULL,
    numbers   TEXT    NOT NULL
) STRICT;
CREATE INDEX dream_decisions_by_dream ON dream_decisions (dream, step);
CREATE INDEX dream_decisions_by_key ON dream_decisions (key, scope);

-- How far a pass got in a scope, in words of its own.
CREATE TABLE dream_marks (
    step  TEXT NOT NULL,
    scope TEXT NOT NULL,
    mark  TEXT NOT NULL,
    PRIMARY KEY (step, scope)
) STRICT, WITHOUT ROWID;

-- What was made of memories and can be made again: cards, profiles, trees, maps, questions. One of a
-- kind, scope and key stands; what took its place is noted on it.
CREATE TABLE artefacts (
    artefact  INTEGER PRIMARY KEY,
    kind      TEXT    NOT NULL,
    scope     TEXT    NOT NULL,
    key       TEXT    NOT NULL,
    text      TEXT    NOT NULL,
    body      TEXT    NOT NULL,
    sources   TEXT    NOT NULL,
    trust     REAL    NOT NULL,
    secrecy   TEXT    NOT NULL,
    made_at   INTEGER NOT NULL,
    change_id TEXT    NOT NULL,
    ended_by  TEXT,
    copy_of   INTEGER  -- the artefact that an undo brought back by writing it again
) STRICT;
CREATE UNIQUE INDEX artefacts_standing ON artefacts (kind, scope, key) WHERE ended_by IS NULL;
CREATE INDEX artefacts_by_change ON artefacts (change_id);
CREATE INDEX artefacts_by_end ON artefacts (ended_by) WHERE ended_by IS NOT NULL;

-- Memories that were gone through again so that they do not fade; what took it back is noted.
CREATE TABLE rehearsals (
    number       INTEGER NOT NULL,
    change_id    TEXT    NOT NULL,
    at           INTEGER NOT NULL,
    withdrawn_by TEXT,
    PRIMARY KEY (number, change_id)
) STRICT, WITHOUT ROWID;
ALTER TABLE usage ADD COLUMN rehearsed_at INTEGER;

-- When a question about a gap was put, and in which session.
CREATE TABLE questions_asked (
    scope   TEXT    NOT NULL,
    gap     TEXT    NOT NULL,
    session TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (scope, gap, at)
) STRICT, WITHOUT ROWID;
