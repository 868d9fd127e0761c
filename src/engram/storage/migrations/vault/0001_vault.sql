-- The vault: keys of persons, and what no restore of the database may bring back.

-- A person's newest key seals; an older one, until it is removed, still reads. The tag's key stays
-- the same over all of them, so that equal statements stay equal.
CREATE TABLE people (
    id         BLOB    PRIMARY KEY CHECK (length(id) = 16),
    scope      TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    key        BLOB    NOT NULL CHECK (length(key) = 32),
    tag_key    BLOB    NOT NULL CHECK (length(tag_key) = 32),
    is_newest  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX people_by_name ON people (scope, name) WHERE is_newest = 1;

CREATE TABLE notes (
    kind  TEXT NOT NULL,
    key   TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
