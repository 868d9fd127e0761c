-- Knowledge: who and what is known, and what is believed of them.

-- What somebody or something is called in a scope. The id follows from the name, so that one name
-- means one node in every scope; what is known of it is said by edges alone.
CREATE TABLE nodes (
    id    TEXT NOT NULL,
    scope TEXT NOT NULL,
    name  TEXT NOT NULL,
    label TEXT NOT NULL,
    note  TEXT NOT NULL,
    PRIMARY KEY (id, scope)
) STRICT, WITHOUT ROWID;

-- The details of one state of a belief, by the number and version of the memory that tells it.
CREATE TABLE edges (
    number        INTEGER NOT NULL,
    version       INTEGER NOT NULL,
    source        TEXT    NOT NULL,
    relation      TEXT    NOT NULL,
    target        TEXT,
    property      TEXT    NOT NULL,
    value         TEXT,
    source_type   TEXT,
    target_type   TEXT,
    weight        REAL    NOT NULL,
    epistemic     TEXT    NOT NULL,
    is_functional INTEGER NOT NULL,
    scope         TEXT    NOT NULL,
    PRIMARY KEY (number, version),
    CHECK ((target IS NULL) <> (value IS NULL)),
    CHECK (target IS NULL OR source <> target)
) STRICT, WITHOUT ROWID;
-- With the scope, which a memory never changes: of a name that everybody uses, such as "user", what
-- others believe is passed over in the index.
CREATE INDEX edges_by_source ON edges (source, relation, scope);
CREATE INDEX edges_by_target ON edges (target, relation, scope) WHERE target IS NOT NULL;
-- The newest saying of what a node is stands last.
CREATE INDEX edges_typing_source ON edges (source, number) WHERE source_type IS NOT NULL;
CREATE INDEX edges_typing_target ON edges (target, number) WHERE target_type IS NOT NULL;

-- Who said it, on which grounds, each time: independent voices count, one that repeats itself does
-- not. What a change confirmed and was taken back is noted with the confirmation.
CREATE TABLE edge_sayings (
    number    INTEGER NOT NULL,
    change_id TEXT    NOT NULL,
    voice     TEXT    NOT NULL,
    epistemic TEXT    NOT NULL,
    PRIMARY KEY (number, change_id, voice)
) STRICT, WITHOUT ROWID;
