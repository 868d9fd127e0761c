-- fragment: recallable_now
-- What can be recalled at a moment: nobody retired it, and it holds.
m.recorded_until IS NULL AND m.status IN ('active', 'challenged')
AND (m.stale_at IS NULL OR m.stale_at > :instant)
AND (m.valid_from IS NULL OR m.valid_from <= :instant)
AND (m.valid_until IS NULL OR m.valid_until > :instant)

-- name: keep_snapshot
-- Put a mind away in the place of what was put away before.
INSERT INTO working_snapshots (holder, scope, session, saved_at, body)
VALUES (:holder, :scope, :session, :saved_at, :body)
ON CONFLICT (holder, scope, session) DO UPDATE SET saved_at = excluded.saved_at, body = excluded.body

-- name: snapshot
-- What a holder put away in a place and session; the place is one the caller sees.
SELECT m.saved_at, m.body AS sealable_body FROM working_snapshots AS m
WHERE m.holder = :holder AND m.scope = :scope AND m.session = :session AND {visible}

-- name: drop_snapshot
-- What a holder put away in a place and session is no longer wanted.
DELETE FROM working_snapshots
WHERE holder = :holder AND scope = :scope AND session = :session

-- name: drop_old_snapshots
-- Nobody comes back after so long.
DELETE FROM working_snapshots WHERE saved_at < :before

-- name: morning_recent
-- The newest statements in sight that can be recalled now; words of a conversation are none.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE {visible} AND m.category <> 'turn'
  AND {recallable_now}
ORDER BY m.number DESC
LIMIT :limit

-- name: morning_important
-- The weightiest statements in sight that can be recalled now.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.base_importance >= 0.7 AND {visible} AND m.category <> 'turn'
  AND {recallable_now}
ORDER BY m.base_importance DESC, m.number DESC
LIMIT :limit

-- name: morning_pinned
-- The pinned statements in sight that can be recalled now, the newest first.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.is_pinned = 1 AND {visible} AND m.category <> 'turn'
  AND {recallable_now}
ORDER BY m.number DESC
LIMIT :limit

-- name: morning_promises
-- The promises in sight that are still open, the newest first.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE {visible} AND m.category = 'commitment'
  AND {recallable_now}
ORDER BY m.number DESC
LIMIT :limit

-- name: standing_instructions
-- The instructions in sight that can be recalled now, the newest first.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE {visible} AND m.category = 'instruction'
  AND {recallable_now}
ORDER BY m.number DESC
LIMIT :limit

-- name: morning_used
-- The statements in sight that were used last.
SELECT {columns} FROM usage AS u CROSS JOIN memories AS m
WHERE m.number = u.number AND u.last_accessed_at IS NOT NULL AND {visible}
  AND m.category <> 'turn'
  AND {recallable_now}
ORDER BY u.last_accessed_at DESC, m.number DESC
LIMIT :limit

-- name: standing_memories
-- Those of some memories in sight that can be recalled now.
SELECT {columns} FROM json_each(:ids) AS n CROSS JOIN memories AS m
LEFT JOIN usage AS u ON u.number = m.number
WHERE m.id = n.value AND {visible}
  AND {recallable_now}

-- name: withdrawn_since
-- The wordings of memories in sight that were changed after a line of the audit and that nobody
-- stands by any more: forgotten, rejected, replaced, or undone, so that no present state is left.
SELECT DISTINCT coalesce(m.content, m.sealed_content) AS sealable_text FROM audit AS a CROSS JOIN memories AS m
WHERE a.sequence > :line AND a.change_id IS NOT NULL AND m.id = a.memory_id AND {visible}
  AND NOT EXISTS (
      SELECT 1 FROM memories AS p
      WHERE p.id = m.id AND p.recorded_until IS NULL
        AND p.status NOT IN ('archived', 'invalidated', 'rejected', 'superseded')
  )

-- name: turn_said
-- The turns of a session in sight that have exactly these words, or may have: those of a protected
-- one are known when it is unsealed. The newest first.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.session = :session AND m.category = 'turn' AND {visible}
  AND (m.content = :content OR m.sealed_content IS NOT NULL)
  AND {recallable_now}
ORDER BY m.number DESC
LIMIT 50
