-- Access from outside: the keys that callers show, and where news of changes is sent.

-- Only a digest of each key is here: what is shown once at its issue cannot be read back.
CREATE TABLE access_keys (
    id         TEXT PRIMARY KEY,
    name       TEXT    NOT NULL,
    digest     BLOB    NOT NULL,
    kind       TEXT    NOT NULL,
    role       TEXT    NOT NULL,
    scope      TEXT    NOT NULL,
    per_minute INTEGER,
    issued_at  INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    revoked_for TEXT   NOT NULL DEFAULT '',
    replaces   TEXT
) STRICT, WITHOUT ROWID;

-- A webhook sends news out, or takes a signed message in. Its secret signs, so it is kept whole.
-- `cursor` is the line of the audit up to which news were delivered. `scope` ends in `*` when what
-- lies below it is meant too: no scope's own path ends so.
CREATE TABLE webhooks (
    id            TEXT PRIMARY KEY,
    name          TEXT    NOT NULL,
    direction     TEXT    NOT NULL CHECK (direction IN ('in', 'out')),
    url           TEXT    NOT NULL,
    events        TEXT    NOT NULL,
    scope         TEXT    NOT NULL,
    tells_content INTEGER NOT NULL,
    secret        TEXT    NOT NULL,
    made_at       INTEGER NOT NULL,
    ended_at      INTEGER,
    cursor        INTEGER NOT NULL,
    attempts      INTEGER NOT NULL,
    due_at        INTEGER NOT NULL,
    failing_since INTEGER,
    problem       TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

-- Messages that came in by a webhook, so that one that is sent again is taken once.
CREATE TABLE webhook_deliveries (
    webhook     TEXT    NOT NULL,
    delivery    TEXT    NOT NULL,
    received_at INTEGER NOT NULL,
    PRIMARY KEY (webhook, delivery)
) STRICT, WITHOUT ROWID;
