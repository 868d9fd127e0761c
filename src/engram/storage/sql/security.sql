-- name: count_security_event
-- What happened once more within the same minute is counted, not written again.
INSERT INTO security_events (minute, kind, actor, scope, code, first_at, last_at, count)
VALUES (:minute, :kind, :actor, :scope, :code, :first_at, :last_at, :count)
ON CONFLICT (minute, kind, actor, scope, code) DO UPDATE SET
    first_at = min(first_at, excluded.first_at),
    last_at = max(last_at, excluded.last_at),
    count = count + excluded.count

-- name: security_events
-- The newest first, of one kind or of all, since a moment.
SELECT kind, first_at, last_at, actor, scope, code, count FROM security_events
WHERE (:kind IS NULL OR kind = :kind) AND (:since IS NULL OR last_at >= :since)
ORDER BY last_at DESC, kind, actor, scope, code LIMIT :limit

-- name: prune_security_events
-- What is too old goes, and of the rest what is more than may be kept.
DELETE FROM security_events
WHERE (:before IS NOT NULL AND last_at < :before) OR rowid NOT IN (
    SELECT rowid FROM security_events ORDER BY last_at DESC LIMIT :kept
)
