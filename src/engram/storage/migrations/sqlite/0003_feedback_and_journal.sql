-- What callers thought of memories, and how recalls went.

-- Append-only, like confirmations. The scope is the giver's, not the memory's: feedback counts for
-- who shares that scope. The question is kept as it was asked, because feedback holds only near it;
-- whatever erases a memory erases its rows here.
CREATE TABLE feedback (
    number       INTEGER NOT NULL,
    change_id    TEXT    NOT NULL,
    scope        TEXT    NOT NULL CHECK (substr(scope, 1, 1) = '/'),
    is_helpful   INTEGER NOT NULL CHECK (is_helpful IN (0, 1)),
    query        TEXT,
    at           INTEGER NOT NULL,
    actor        TEXT    NOT NULL,
    withdrawn_by TEXT,
    PRIMARY KEY (number, change_id)
) STRICT, WITHOUT ROWID;

-- Figures only: no question, no memory, no caller. Not canonical: the oldest make room.
CREATE TABLE recall_journal (
    entry        INTEGER PRIMARY KEY,
    at           INTEGER NOT NULL,
    scope        TEXT    NOT NULL,
    milliseconds REAL    NOT NULL,
    candidates   INTEGER NOT NULL,
    returned     INTEGER NOT NULL,
    tokens       INTEGER NOT NULL,
    relevance    REAL    NOT NULL,
    consistency  REAL    NOT NULL,
    confidence   REAL    NOT NULL,
    assessment   TEXT    NOT NULL,
    level        TEXT    NOT NULL,
    is_degraded  INTEGER NOT NULL
) STRICT;
