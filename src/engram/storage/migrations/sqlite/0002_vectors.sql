-- What is derived from the wordings of memories: vectors by space, and traits.

-- One row per way of embedding. One space answers; another may be filling to take its place.
-- generation rises whenever vectors of the space go; together with vectors and highest it tells a
-- reader in one small row whether what it holds in memory is still what the database holds.
CREATE TABLE spaces (
    space      INTEGER PRIMARY KEY,
    identity   TEXT    NOT NULL UNIQUE,
    dimension  INTEGER,
    metric     TEXT    NOT NULL,
    precision  TEXT    NOT NULL CHECK (precision IN ('f16', 'f32')),
    state      TEXT    NOT NULL CHECK (state IN ('active', 'filling', 'retired')),
    recipe     TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    generation INTEGER NOT NULL DEFAULT 0,
    vectors    INTEGER NOT NULL DEFAULT 0,
    highest    INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX spaces_one_answers ON spaces (state) WHERE state = 'active';

-- A vector belongs to a wording (number, version), not to a state: pinning embeds nothing anew.
-- Ids never go back, so whoever has seen one asks only for those above it.
CREATE TABLE vectors (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    space   INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    version INTEGER NOT NULL,
    part    INTEGER NOT NULL,
    vector  BLOB    NOT NULL
) STRICT;
CREATE UNIQUE INDEX vectors_by_wording ON vectors (space, number, version, part);
-- Whoever takes a vector away or alters it, by whatever statement, makes readers begin anew.
CREATE TRIGGER vectors_removed AFTER DELETE ON vectors BEGIN
    UPDATE spaces SET vectors = vectors - 1, generation = generation + 1
    WHERE space = old.space; END;
CREATE TRIGGER vectors_altered AFTER UPDATE ON vectors BEGIN
    UPDATE spaces SET generation = generation + 1 WHERE space IN (old.space, new.space); END;

-- What is yet to be embedded: put here in the transaction that writes the memory, taken away in the
-- one that writes its vectors.
CREATE TABLE pending_vectors (
    space      INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    attempts   INTEGER NOT NULL,
    not_before INTEGER NOT NULL,
    PRIMARY KEY (space, number, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE traits (
    number  INTEGER NOT NULL,
    version INTEGER NOT NULL,
    tokens  BLOB    NOT NULL,
    flags   INTEGER NOT NULL,
    PRIMARY KEY (number, version)
) STRICT, WITHOUT ROWID;

-- Wordings whose traits are missing or were made by older rules: filled here at opening, when the
-- rules' version is not the one noted in meta, and emptied in batches.
CREATE TABLE pending_traits (
    number  INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (number, version)
) STRICT, WITHOUT ROWID;
