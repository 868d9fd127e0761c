-- Which statements have not been compared yet with those that they may replace. A row is made with
-- its statement and goes in the transaction that acts on the verdict, so that none is judged twice
-- or forgotten.
CREATE TABLE pending_verdicts (
    number INTEGER PRIMARY KEY,
    scope  TEXT NOT NULL,
    actor  TEXT NOT NULL
) STRICT;

-- Standing instructions are part of every prompt: found without looking at everything.
CREATE INDEX memories_instructing ON memories (number)
    WHERE recorded_until IS NULL AND category = 'instruction';
