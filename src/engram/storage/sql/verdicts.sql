-- name: queue_verdict
-- A statement waits to be compared with those that it may replace.
INSERT OR IGNORE INTO pending_verdicts (number, scope, actor) VALUES (:number, :scope, :actor)

-- name: pending_verdicts
-- The statements that wait longest.
SELECT number, scope, actor FROM pending_verdicts WHERE number > :after ORDER BY number LIMIT :limit

-- name: awaits_verdict
-- Those of some statements that still wait.
SELECT number FROM pending_verdicts WHERE number IN ({listed_numbers})

-- name: take_verdict
-- A statement has been judged.
DELETE FROM pending_verdicts WHERE number = :number

-- name: current_statements
-- The numbers of the present statements of a scope in sight: no turns, nothing retired.
SELECT m.number FROM memories AS m
WHERE m.scope = :scope AND m.recorded_until IS NULL AND m.category <> 'turn'
  AND m.status IN ('active', 'challenged', 'stale') AND {visible}

-- name: may_replace_links
-- What a memory may replace, where nobody has decided yet.
SELECT l.to_number FROM links AS l CROSS JOIN memories AS m
WHERE l.relation = 'may_replace' AND l.withdrawn_by IS NULL AND l.from_number = :number
  AND m.number = l.to_number AND m.recorded_until IS NULL AND {visible}
ORDER BY l.to_number

-- name: replacements_of
-- What replaced some memories, or may replace them, in the caller's sight: by the record, by links,
-- and of turns what replaced a statement that was drawn from them.
WITH listed (number) AS ({listed_numbers})
SELECT listed.number, m.number, 'replaced' FROM listed
CROSS JOIN memories AS old CROSS JOIN memories AS m
WHERE old.number = listed.number AND old.recorded_until IS NULL
  AND m.id = old.superseded_by AND m.recorded_until IS NULL AND {visible}
UNION
SELECT listed.number, m.number, 'may be' FROM listed CROSS JOIN links AS l
CROSS JOIN memories AS m
WHERE l.to_number = listed.number AND l.relation = 'may_replace' AND l.withdrawn_by IS NULL
  AND m.number = l.from_number AND m.recorded_until IS NULL AND m.status = 'active' AND {visible}
UNION
SELECT listed.number, m.number, 'partly' FROM listed CROSS JOIN sources AS s
CROSS JOIN memories AS old CROSS JOIN memories AS m
WHERE s.source_number = listed.number AND old.number = s.number AND old.recorded_until IS NULL
  AND m.id = old.superseded_by AND m.recorded_until IS NULL AND {visible}

-- name: changes_among
-- Earlier and later memories of some: by links that say so, and by what retired another.
WITH listed (number) AS ({listed_numbers})
SELECT l.to_number, l.from_number FROM listed CROSS JOIN links AS l
WHERE l.from_number = listed.number AND l.relation = 'may_replace' AND l.withdrawn_by IS NULL
UNION
SELECT old.number, listed.number FROM listed
CROSS JOIN memories AS m CROSS JOIN memories AS old
WHERE m.number = listed.number AND m.recorded_until IS NULL AND {visible}
  AND old.superseded_by = m.id AND old.recorded_until IS NULL
