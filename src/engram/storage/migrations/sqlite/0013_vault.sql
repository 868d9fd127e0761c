-- The vault: sealed records, erasures, imports and what the audit of all that needs.

-- Sealed memories are few; what looks for them must not read all others.
CREATE INDEX memories_sealed ON memories (state) WHERE sealed_content IS NOT NULL;

-- Security events: what happened, when and how often within a minute; never what was said.
CREATE TABLE security_events (
    minute   INTEGER NOT NULL,
    kind     TEXT    NOT NULL,
    actor    TEXT    NOT NULL,
    scope    TEXT    NOT NULL,
    code     TEXT    NOT NULL,
    first_at INTEGER NOT NULL,
    last_at  INTEGER NOT NULL,
    count    INTEGER NOT NULL,
    UNIQUE (minute, kind, actor, scope, code)
) STRICT;

-- Erasing: that it was done, to which numbers, and whether it is proven. No text, no name.

-- `state` is begun (the rows are gone, files are not cleaned yet), pending (something is in the way,
-- see remains) or proven. The certificate is what was signed when it was proven.
CREATE TABLE erasures (
    sequence    INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL UNIQUE,
    at          INTEGER NOT NULL,
    kind        TEXT    NOT NULL,
    actor       TEXT    NOT NULL,
    scope       TEXT    NOT NULL,
    change_id   TEXT    NOT NULL,
    state       TEXT    NOT NULL CHECK (state IN ('begun', 'pending', 'proven')),
    counts      TEXT    NOT NULL,
    remains     TEXT    NOT NULL,
    finished_at INTEGER,
    certificate TEXT
) STRICT;

-- The numbers and ids of what was erased: never handed out again, and told apart from unknown ones.
CREATE TABLE erased (
    number  INTEGER PRIMARY KEY,
    id      TEXT NOT NULL,
    erasure TEXT NOT NULL
) STRICT;
CREATE INDEX erased_by_erasure ON erased (erasure);

-- What the audit's digests of a memory's wordings are made with. It goes with the memory, and the
-- digests that stay in the chain are noise from then on.
CREATE TABLE digest_salts (
    number INTEGER PRIMARY KEY,
    salt   BLOB NOT NULL
) STRICT;

-- Imports: which files were taken in, how far, and by which changes; never what they said.
CREATE TABLE imports (
    id          TEXT    NOT NULL PRIMARY KEY,
    scope       TEXT    NOT NULL CHECK (substr(scope, 1, 1) = '/'),
    actor       TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    digest      BLOB    NOT NULL, -- keyed; the same file is known again by it
    items       INTEGER NOT NULL, -- lines, or items of a list, that are done
    began_at    INTEGER NOT NULL,
    finished_at INTEGER,
    undone_at   INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX imports_by_file ON imports (scope, digest);
CREATE TABLE import_changes (
    import_id TEXT NOT NULL,
    change_id TEXT NOT NULL,
    PRIMARY KEY (import_id, change_id)
) STRICT, WITHOUT ROWID;

-- Tiers: what every change of a memory's protection was from and to, so that it can be undone.
CREATE TABLE tier_moves (
    change_id TEXT    NOT NULL,
    number    INTEGER NOT NULL,
    before    TEXT    NOT NULL,
    after     TEXT    NOT NULL,
    PRIMARY KEY (change_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX tier_moves_by_memory ON tier_moves (number);

-- By what a memory's wordings were known before it was protected, sealed; empty for one that stands in
-- the open and is known by keyed hashes, since it never was otherwise.
CREATE TABLE sealed_identities (
    number     INTEGER PRIMARY KEY,
    identities TEXT    NOT NULL
) STRICT;

-- Of a protected artefact `key` is a keyed hash; the key itself is sealed beside it.
ALTER TABLE artefacts ADD COLUMN sealed_key TEXT;
