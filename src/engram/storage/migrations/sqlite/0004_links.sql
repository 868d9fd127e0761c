-- Links between memories: who may see both ends sees the link.

-- Append-only, like confirmations: what takes a link back is noted on it. A change makes one link,
-- so that the change's id names it; when, by whom and why it was made stands with the change.
CREATE TABLE links (
    change_id    TEXT    NOT NULL PRIMARY KEY,
    from_number  INTEGER NOT NULL,
    to_number    INTEGER NOT NULL,
    relation     TEXT    NOT NULL,
    withdrawn_by TEXT,
    CHECK (from_number <> to_number)
) STRICT, WITHOUT ROWID;

CREATE INDEX links_by_ends ON links (from_number, to_number, relation);
CREATE INDEX links_by_end ON links (to_number) WHERE withdrawn_by IS NULL;
-- The same link does not stand twice.
CREATE UNIQUE INDEX links_that_stand ON links (from_number, to_number, relation)
    WHERE withdrawn_by IS NULL;

-- Finds what a memory took the place of; most have no successor.
CREATE INDEX memories_by_successor ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
