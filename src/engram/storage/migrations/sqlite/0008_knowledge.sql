-- Knowledge: who and what is known, and what is believed of them.

-- Somebody or something. What it is, and everything else of it, is said by edges.
CREATE TABLE nodes (
    id    TEXT NOT NULL PRIMARY KEY,
    scope TEXT NOT NULL,
    label TEXT NOT NULL,
    name  TEXT NOT NULL,
    note  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX nodes_by_name ON nodes (name, scope);

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
    PRIMARY KEY (number, version),
    CHECK ((target IS NULL) <> (value IS NULL)),
    CHECK (target IS NULL OR source <> target)
) STRICT, WITHOUT ROWID;
CREATE INDEX edges_by_source ON edges (source, relation);
CREATE INDEX edges_by_target ON edges (target, relation) WHERE target IS NOT NULL;
