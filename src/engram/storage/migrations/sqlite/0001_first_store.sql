-- The first store: memories as states, the changes between them, their audit, and the text index.

-- One row per state of a memory. The state Engram holds now has no recorded_until; a change closes
-- it and adds the next. Large columns come last, so that filters do not read them.
CREATE TABLE memories (
    state            INTEGER PRIMARY KEY,
    number           INTEGER NOT NULL,
    id               TEXT    NOT NULL,
    scope            TEXT    NOT NULL CHECK (substr(scope, 1, 1) = '/'),
    status           TEXT    NOT NULL,
    category         TEXT    NOT NULL,
    memory_type      TEXT    NOT NULL,
    layer            TEXT    NOT NULL,
    kind             TEXT    NOT NULL,
    secrecy          TEXT    NOT NULL,
    is_pinned        INTEGER NOT NULL,
    happened_at      INTEGER NOT NULL,
    valid_from       INTEGER,
    valid_until      INTEGER,
    learned_at       INTEGER NOT NULL,
    last_verified_at INTEGER,
    stale_at         INTEGER,
    recorded_at      INTEGER NOT NULL,
    recorded_until   INTEGER,
    change_id        TEXT    NOT NULL,
    ended_by         TEXT,
    version          INTEGER NOT NULL,
    superseded_by    TEXT,
    confidence       REAL    NOT NULL,
    base_importance  REAL    NOT NULL,
    trust            REAL    NOT NULL,
    valence          REAL    NOT NULL,
    arousal          REAL    NOT NULL,
    surprise         REAL,
    horizon          TEXT,
    source_class     TEXT    NOT NULL,
    learned_by       TEXT    NOT NULL,
    source           TEXT    NOT NULL,
    speaker          TEXT,
    subject          TEXT,
    session          TEXT,
    reference        TEXT,
    identity         BLOB    NOT NULL,
    summary          TEXT,
    metadata         TEXT    NOT NULL,
    content          TEXT,
    sealed_metadata  BLOB,
    sealed_content   BLOB,
    CHECK (content IS NOT NULL OR sealed_content IS NOT NULL),
    CHECK (secrecy = 'cleartext' OR content IS NULL)
) STRICT;

CREATE INDEX memories_by_id ON memories (id);
-- Finds a memory's states, and allows one present state only: 0 stands for the missing end.
CREATE UNIQUE INDEX memories_by_number ON memories (number, coalesce(recorded_until, 0));
CREATE UNIQUE INDEX memories_one_statement ON memories (identity, scope)
    WHERE recorded_until IS NULL
    AND status IN ('pending', 'active', 'challenged', 'stale', 'quarantined', 'rejected');

-- Derived: rebuilt from memories at any time. Rows are keyed by memories.state.
CREATE VIRTUAL TABLE text_index USING fts5 (
    words, fragments,
    content = '', contentless_delete = 1,
    tokenize = "porter unicode61 remove_diacritics 2 tokenchars '._-@#/:+$%&=~\*'"
);
INSERT INTO text_index (text_index, rank) VALUES ('secure-delete', 1);

CREATE TABLE usage (
    number           INTEGER PRIMARY KEY,
    accesses         INTEGER NOT NULL,
    spaced_accesses  INTEGER NOT NULL,
    last_accessed_at INTEGER,
    confirmations    INTEGER NOT NULL
) STRICT;

-- The evidence behind each confirmation; content only where it was worded differently.
CREATE TABLE confirmations (
    number        INTEGER NOT NULL,
    change_id     TEXT    NOT NULL,
    happened_at   INTEGER NOT NULL,
    source        TEXT    NOT NULL,
    session       TEXT,
    reference     TEXT,
    content       TEXT,
    withdrawn_by  TEXT,
    PRIMARY KEY (number, change_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE changes (
    id         TEXT PRIMARY KEY,
    action     TEXT    NOT NULL,
    at         INTEGER NOT NULL,
    actor      TEXT    NOT NULL,
    scope      TEXT    NOT NULL,
    reason     TEXT    NOT NULL,
    numbers    TEXT    NOT NULL,
    undoes     TEXT,
    undone_by  TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
    sequence   INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    actor      TEXT    NOT NULL,
    action     TEXT    NOT NULL,
    memory_id  TEXT,
    change_id  TEXT,
    scope      TEXT    NOT NULL,
    count      INTEGER NOT NULL,
    digest     BLOB    NOT NULL,
    entry_hash BLOB    NOT NULL
) STRICT;

CREATE TABLE idempotency (
    scope      TEXT    NOT NULL,
    actor      TEXT    NOT NULL,
    key        TEXT    NOT NULL,
    body       BLOB    NOT NULL,
    outcome    TEXT    NOT NULL,
    reason     TEXT    NOT NULL,
    number     INTEGER NOT NULL,
    change_id  TEXT,
    at         INTEGER NOT NULL,
    PRIMARY KEY (scope, actor, key)
) STRICT, WITHOUT ROWID;

-- One row: the counters that never go back and the head of the audit chain.
CREATE TABLE ledger (
    one         INTEGER PRIMARY KEY CHECK (one = 1),
    last_number INTEGER NOT NULL,
    audit_count INTEGER NOT NULL,
    audit_head  BLOB    NOT NULL,
    audit_seal  BLOB    NOT NULL,
    probed_at   INTEGER NOT NULL
) STRICT;
INSERT INTO ledger (one, last_number, audit_count, audit_head, audit_seal, probed_at)
VALUES (1, 0, 0, x'', x'', 0);

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta (key, value) VALUES ('store_id', lower(hex(randomblob(16))));
INSERT INTO meta (key, value) VALUES ('audit_key', lower(hex(randomblob(32))));
