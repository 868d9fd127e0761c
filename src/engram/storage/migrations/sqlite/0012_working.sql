-- Working memory that was put away: what was in mind when an agent was left, until it comes back.

-- One of a holder, place and session stands. The body holds texts only of what no memory is behind;
-- memories are named by their ids and read again, so that what was forgotten does not come back.
CREATE TABLE working_snapshots (
    holder   TEXT    NOT NULL,
    scope    TEXT    NOT NULL,
    session  TEXT    NOT NULL,
    saved_at INTEGER NOT NULL,
    body     TEXT    NOT NULL,
    PRIMARY KEY (holder, scope, session)
) STRICT, WITHOUT ROWID;

-- What a session without a past starts with is found without looking at everything: few memories are
-- weighty, pinned or promises, and of those that were used only the last ones are asked for.
CREATE INDEX memories_weighty ON memories (base_importance, number)
    WHERE recorded_until IS NULL AND base_importance >= 0.7;
CREATE INDEX memories_pinned ON memories (number) WHERE recorded_until IS NULL AND is_pinned = 1;
CREATE INDEX memories_promised ON memories (number)
    WHERE recorded_until IS NULL AND category = 'commitment';
CREATE INDEX usage_lately ON usage (last_accessed_at) WHERE last_accessed_at IS NOT NULL;
