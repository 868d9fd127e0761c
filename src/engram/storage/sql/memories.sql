-- name: memory_by_id
-- One visible memory by its id.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.id = :id AND {visible} AND {known}

-- name: memory_by_number
-- One visible memory by the number in its label.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.number = :number AND {visible} AND {known}

-- name: states_by_id
-- All states of one visible memory, oldest first, each with the change that made it.
SELECT {columns}, c.id, c.action, c.at, c.actor, c.scope, c.reason, c.undoes, c.undone_by
FROM memories AS m
JOIN changes AS c ON c.id = m.change_id
LEFT JOIN usage AS u ON u.number = m.number
WHERE (m.id = :id OR m.number = :number) AND {visible}
ORDER BY m.state

-- name: ending_of
-- The change that closed the newest state of a visible memory, if it is closed.
SELECT c.id, c.action, c.at, c.actor, c.scope, c.reason, c.undoes, c.undone_by
FROM memories AS m JOIN changes AS c ON c.id = m.ended_by
WHERE (m.id = :id OR m.number = :number) AND {visible}
  AND NOT EXISTS (SELECT 1 FROM memories AS n WHERE n.number = m.number AND n.state > m.state)

-- name: list_memories
-- Visible memories, newest first.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.number < :before AND {visible} AND {known} AND {valid} AND {filtered}
  AND (
    :status IS NULL OR {present_status} = :status
    OR (:is_past AND :status = 'active' AND m.status = 'superseded')
  )
ORDER BY m.number DESC
LIMIT :limit

-- name: waiting_memories
-- Visible memories that wait for a decision, longest waiting first.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.status = 'pending' AND m.recorded_until IS NULL AND {visible}
ORDER BY m.number
LIMIT :limit

-- name: same_statement
-- The visible memory that already occupies this statement in this scope.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.identity = :identity AND m.scope = :scope AND m.recorded_until IS NULL
  AND m.status IN ('pending', 'active', 'challenged', 'stale', 'quarantined', 'rejected')
  AND {visible}

-- name: rival_statement
-- A live visible memory of the same scope, category and subject that says something else.
SELECT m.number FROM memories AS m
WHERE m.scope = :scope AND m.category = :category AND m.subject = :subject
  AND m.identity <> :identity AND m.recorded_until IS NULL AND m.status = 'active'
  AND {visible}
LIMIT 1

-- name: insert_state
-- A new state of a memory; nothing when another memory of the scope says the same.
INSERT INTO memories (
    number, id, scope, status, category, memory_type, layer, kind, secrecy, is_pinned,
    happened_at, valid_from, valid_until, learned_at, last_verified_at, stale_at, recorded_at,
    change_id, version, superseded_by, confidence, base_importance, trust, valence, arousal,
    surprise, horizon, source_class, learned_by, source, speaker, subject, session, reference,
    identity, summary, metadata, content, sealed_metadata, sealed_content
) VALUES (
    :number, :id, :scope, :status, :category, :memory_type, :layer, :kind, :secrecy, :is_pinned,
    :happened_at, :valid_from, :valid_until, :learned_at, :last_verified_at, :stale_at,
    :recorded_at, :change_id, :version, :superseded_by, :confidence, :base_importance, :trust,
    :valence, :arousal, :surprise, :horizon, :source_class, :learned_by, :source, :speaker,
    :subject, :session, :reference, :identity, :summary, :metadata, :content,
    :sealed_metadata, :sealed_content
) ON CONFLICT DO NOTHING

-- name: close_state
-- End the present state of a memory.
UPDATE memories SET recorded_until = :recorded_until, ended_by = :ended_by
WHERE number = :number AND recorded_until IS NULL

-- name: current_by_number
-- The present state of a visible memory, for undo.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.number = :number AND m.recorded_until IS NULL AND {visible}

-- name: state_ended_by
-- The state that a visible memory had before a change, which may have closed several in a row.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.number = :number AND m.ended_by = :change_id AND m.change_id <> :change_id AND {visible}
ORDER BY m.state LIMIT 1

-- name: last_state
-- The newest state of a visible memory, present or past.
SELECT {columns}, m.ended_by FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.number = :number AND {visible}
ORDER BY m.state DESC LIMIT 1

-- name: replaced_by
-- The visible memories that were retired in favour of this one.
SELECT m.number FROM memories AS m
WHERE m.superseded_by = :id AND m.recorded_until IS NULL AND {visible}

-- name: count_by_status
-- Visible memories per present status, category and layer.
SELECT {present_status}, m.category, m.layer, count(*) FROM memories AS m
WHERE m.recorded_until IS NULL AND {visible}
GROUP BY 1, 2, 3

-- name: count_by_scope
-- Visible memories per scope.
SELECT m.scope, count(*) FROM memories AS m
WHERE m.recorded_until IS NULL AND {visible}
GROUP BY 1 ORDER BY 1

-- name: oldest_and_newest
-- The span of time the visible memories cover.
SELECT min(m.happened_at), max(m.happened_at), max(m.recorded_at) FROM memories AS m
WHERE m.recorded_until IS NULL AND {visible}

-- name: made_from
-- From which details memories are made, if from any; whether the caller sees them was asked before.
SELECT number, 'episode' FROM episodes WHERE number IN ({listed_numbers})
UNION ALL SELECT number, 'belief' FROM edges WHERE number IN ({listed_numbers})
UNION ALL SELECT number, 'skill' FROM skills WHERE number IN ({listed_numbers})
