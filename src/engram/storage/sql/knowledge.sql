-- fragment: edge_in_sight
-- The same as of memories, told by the edge itself: most edges of a name may be those of others.
(
    e.scope IN (:scope_0, :scope_1, :scope_2, :scope_3, :scope_4)
    OR (e.scope >= :below_start AND e.scope < :below_end)
)

-- fragment: believed
-- What is believed at an instant: known by then, holding then, and not withdrawn. What was replaced
-- counts for as long as it held.
{known}
AND (m.valid_from IS NULL OR m.valid_from <= :instant)
AND (m.valid_until IS NULL OR m.valid_until > :instant)
AND (
    {present_status} IN ('active', 'challenged')
    OR (m.status = 'superseded' AND (m.valid_until IS NOT NULL OR :is_past))
)

-- fragment: has_more_voices
-- Most beliefs were said once, and are not asked; of the past the count of now tells nothing.
(u.confirmations > 0 OR :known_at < 4611686018427387904)

-- fragment: voices
-- How many independent voices said a belief by a moment of record time, without what was taken back.
-- A change that is being made has no row yet, and counts.
CASE WHEN {has_more_voices} THEN (
    SELECT count(DISTINCT y.voice)
    FROM edge_sayings AS y LEFT JOIN changes AS c ON c.id = y.change_id
    WHERE y.number = m.number AND coalesce(c.at, 0) <= :known_at AND NOT EXISTS (
        SELECT 1 FROM confirmations AS f JOIN changes AS w ON w.id = f.withdrawn_by
        WHERE f.number = y.number AND f.change_id = y.change_id AND w.at <= :known_at
    )
) ELSE 1 END

-- fragment: edge_columns
-- Everything a Belief is made of beside its memory, in the order knowledge.py reads it.
e.relation, e.property, e.value AS sealable_value, e.weight, e.epistemic, e.is_functional,
s.id, s.name AS sealable_source_name, s.label AS sealable_source_label,
s.note AS sealable_source_note, t.id, t.name AS sealable_target_name,
t.label AS sealable_target_label, t.note AS sealable_target_note,
{voices},
CASE WHEN {has_more_voices} THEN (
    SELECT max(f.happened_at)
    FROM confirmations AS f
    LEFT JOIN changes AS c ON c.id = f.change_id LEFT JOIN changes AS w ON w.id = f.withdrawn_by
    WHERE f.number = m.number AND coalesce(c.at, 0) <= :known_at
      AND (w.at IS NULL OR w.at > :known_at)
) END

-- fragment: edges_found
-- The listed details with their memories, and both ends as they are called in the memory's scope.
CROSS JOIN edges AS e ON e.number = found.number AND e.version = found.version
CROSS JOIN memories AS m ON m.state = found.state
CROSS JOIN nodes AS s ON s.id = e.source AND s.scope = m.scope
LEFT JOIN nodes AS t ON t.id = e.target AND t.scope = m.scope
LEFT JOIN usage AS u ON u.number = m.number

-- name: edges_at
-- The beliefs that begin or end at the listed nodes, newest first.
WITH at (number, version) AS (
    SELECT e.number, e.version FROM json_each(:ids) AS listed CROSS JOIN edges AS e
    WHERE :outward AND e.source = listed.value
      AND (:relations IS NULL OR e.relation IN (SELECT value FROM json_each(:relations)))
      AND {edge_in_sight}
    UNION
    SELECT e.number, e.version FROM json_each(:ids) AS listed CROSS JOIN edges AS e
    WHERE :inward AND e.target = listed.value
      AND (:relations IS NULL OR e.relation IN (SELECT value FROM json_each(:relations)))
      AND {edge_in_sight}
),
found (state, number, version) AS (
    SELECT m.state, m.number, m.version FROM at CROSS JOIN memories AS m
    WHERE m.number = at.number AND m.version = at.version AND {visible} AND {believed}
    ORDER BY m.number DESC LIMIT :limit
)
SELECT {columns}, {edge_columns} FROM found {edges_found}
ORDER BY m.number DESC

-- name: edges_of
-- What the listed memories say as beliefs, in whatever status.
WITH found (state, number, version) AS (
    SELECT m.state, m.number, m.version FROM json_each(:numbers) AS listed CROSS JOIN memories AS m
    WHERE m.number = listed.value AND {visible} AND {known}
)
SELECT {columns}, {edge_columns} FROM found {edges_found}
ORDER BY m.number

-- name: beliefs_about
-- All that was ever said of the listed nodes by one relation and property, as it stood at a moment
-- of record time, in whatever status.
WITH found (state, number, version) AS (
    SELECT m.state, m.number, m.version
    FROM json_each(:ids) AS listed CROSS JOIN edges AS e CROSS JOIN memories AS m
    WHERE e.source = listed.value AND e.relation = :relation AND e.property = :property
      AND {edge_in_sight}
      AND m.number = e.number AND m.version = e.version AND {visible} AND {known}
)
SELECT {columns}, {edge_columns} FROM found {edges_found}
ORDER BY m.number

-- name: numbers_about
-- The memories that say, or once said, something of the listed nodes by one relation and property.
SELECT DISTINCT m.number
FROM json_each(:ids) AS listed CROSS JOIN edges AS e CROSS JOIN memories AS m
WHERE e.source = listed.value AND e.relation = :relation AND {edge_in_sight}
  AND (:property IS NULL OR e.property = :property)
  AND m.number = e.number AND m.version = e.version AND {visible}
ORDER BY m.number

-- fragment: node_is_seen
-- Whether a caller sees anything that was said of a node.
EXISTS (
    SELECT 1 FROM edges AS e CROSS JOIN memories AS m
    WHERE e.source = n.id AND {edge_in_sight}
      AND m.number = e.number AND m.version = e.version
      AND m.recorded_until IS NULL AND m.status <> 'pending' AND {visible}
) OR EXISTS (
    SELECT 1 FROM edges AS e CROSS JOIN memories AS m
    WHERE e.target = n.id AND {edge_in_sight}
      AND m.number = e.number AND m.version = e.version
      AND m.recorded_until IS NULL AND m.status <> 'pending' AND {visible}
)

-- fragment: node_is_known
-- Whether anything that a caller sees of a node was not withdrawn.
EXISTS (
    SELECT 1 FROM edges AS e CROSS JOIN memories AS m
    WHERE e.source = n.id AND {edge_in_sight}
      AND m.number = e.number AND m.version = e.version
      AND m.recorded_until IS NULL AND m.status IN ('active', 'challenged', 'stale', 'superseded') AND {visible}
) OR EXISTS (
    SELECT 1 FROM edges AS e CROSS JOIN memories AS m
    WHERE e.target = n.id AND {edge_in_sight}
      AND m.number = e.number AND m.version = e.version
      AND m.recorded_until IS NULL AND m.status IN ('active', 'challenged', 'stale', 'superseded') AND {visible}
)

-- name: nodes_by_id
-- What the listed nodes are called in the nearest scope in sight.
SELECT n.id, n.scope, n.name AS sealable_name, n.label AS sealable_label, n.note AS sealable_note
FROM json_each(:ids) AS listed CROSS JOIN nodes AS n
WHERE n.id = listed.value
  AND EXISTS (SELECT 1 FROM nodes AS m WHERE m.id = n.id AND m.scope = n.scope AND {visible})
  AND ({node_is_seen})
  AND NOT EXISTS (
    SELECT 1 FROM nodes AS m
    WHERE m.id = n.id AND (length(m.scope), m.scope) > (length(n.scope), n.scope) AND {visible}
  )

-- fragment: said_type
-- The newest saying in sight of what a node is, at a moment of record time.
coalesce(
    (
        SELECT kind FROM (
            SELECT * FROM (
                SELECT e.number AS said, e.source_type AS kind
                FROM edges AS e CROSS JOIN memories AS m
                WHERE e.source = n.id AND e.source_type IS NOT NULL AND {edge_in_sight}
                  AND m.number = e.number AND m.version = e.version AND {known}
                  AND m.status IN ('active', 'challenged', 'stale', 'superseded') AND {visible}
                ORDER BY e.number DESC LIMIT 1
            )
            UNION ALL
            SELECT * FROM (
                SELECT e.number AS said, e.target_type AS kind
                FROM edges AS e CROSS JOIN memories AS m
                WHERE e.target = n.id AND e.target_type IS NOT NULL AND {edge_in_sight}
                  AND m.number = e.number AND m.version = e.version AND {known}
                  AND m.status IN ('active', 'challenged', 'stale', 'superseded') AND {visible}
                ORDER BY e.number DESC LIMIT 1
            )
            ORDER BY said DESC LIMIT 1
        )
    ),
    'concept'
)

-- name: node_types
-- What the listed nodes are said to be.
SELECT n.id, {said_type} FROM (SELECT value AS id FROM json_each(:ids)) AS n

-- name: nodes_listed
-- The nodes of which something is known to a caller, in the order of their names; it looks at every node.
SELECT n.id, n.scope, n.name AS sealable_name, n.label AS sealable_label,
       n.note AS sealable_note, {said_type} AS type
FROM nodes AS n
WHERE EXISTS (SELECT 1 FROM nodes AS m WHERE m.id = n.id AND m.scope = n.scope AND {visible})
  AND ({node_is_known})
  AND NOT EXISTS (
    SELECT 1 FROM nodes AS m
    WHERE m.id = n.id AND (length(m.scope), m.scope) > (length(n.scope), n.scope) AND {visible}
  )
  AND (:type IS NULL OR type = :type)
ORDER BY n.name LIMIT :limit

-- name: node_leads_to
-- Whether relations that must not run in a circle lead from one of some nodes to one of others, by
-- what stands or waits. Names that were decided to mean the same are one place: `twins` has both.
WITH RECURSIVE reached (id) AS (
    SELECT value FROM json_each(:starts)
    UNION
    SELECT e.target
    FROM reached CROSS JOIN edges AS e CROSS JOIN memories AS m
    WHERE e.source = reached.id AND e.target IS NOT NULL AND {edge_in_sight}
      AND e.relation IN (SELECT value FROM json_each(:relations))
      AND m.number = e.number AND m.version = e.version AND m.recorded_until IS NULL
      AND (m.valid_until IS NULL OR m.valid_until > :instant)
      AND m.status IN ('active', 'challenged', 'stale', 'pending', 'superseded') AND {visible}
    UNION
    SELECT twin.value ->> 1
    FROM reached CROSS JOIN json_each(:twins) AS twin WHERE twin.value ->> 0 = reached.id
)
SELECT 1 FROM reached WHERE id IN (SELECT value FROM json_each(:ends)) LIMIT 1

-- name: has_edges
-- Whether anything at all is known as a belief.
SELECT EXISTS (SELECT 1 FROM edges)

-- name: relation_is_used
-- Whether any belief in sight, also one of the past, goes by a relation. It is asked only where
-- nothing was found by a relation that is not known, so a walk through the index is good enough.
SELECT EXISTS (
    SELECT 1 FROM edges AS e CROSS JOIN memories AS m
    WHERE e.relation = :relation AND {edge_in_sight}
      AND m.number = e.number AND m.version = e.version AND {visible}
)

-- name: keep_node
-- What a node is called in a scope; the first to say so decides. A name that was sealed gives way:
-- its key may go, and what is said in the open needs none.
INSERT INTO nodes (id, scope, name, label, note) VALUES (:id, :scope, :name, :label, :note)
ON CONFLICT (id, scope) DO UPDATE
SET name = excluded.name, label = excluded.label, note = excluded.note
WHERE substr(nodes.name, 1, 1) = char(26)

-- name: insert_edge
-- The details of a belief.
INSERT INTO edges (
    number, version, source, relation, target, property, value, source_type, target_type, weight,
    epistemic, is_functional, scope
) VALUES (
    :number, :version, :source, :relation, :target, :property, :value, :source_type, :target_type,
    :weight, :epistemic, :is_functional, :scope
)

-- name: insert_next_edge
-- The details of a belief in its next version: the same claim on other grounds, or with more said
-- of what its ends are.
INSERT INTO edges (
    number, version, source, relation, target, property, value, source_type, target_type, weight,
    epistemic, is_functional, scope
)
SELECT number, :version, source, relation, target, property, value,
       coalesce(:source_type, source_type), coalesce(:target_type, target_type), weight,
       :epistemic, is_functional, scope
FROM edges WHERE number = :number AND version = :old_version

-- name: insert_saying
-- Somebody said a belief, on some grounds.
INSERT OR IGNORE INTO edge_sayings (number, change_id, voice, epistemic)
VALUES (:number, :change_id, :voice, :epistemic)

-- name: sayings_of
-- Who says a belief in sight, on which grounds, and when; what was taken back is left out.
SELECT y.voice, y.epistemic, c.at
FROM edge_sayings AS y JOIN changes AS c ON c.id = y.change_id
WHERE y.number = :number
  AND EXISTS (
    SELECT 1 FROM memories AS m
    WHERE m.number = y.number AND m.recorded_until IS NULL AND {visible}
  )
  AND NOT EXISTS (
    SELECT 1 FROM confirmations AS f
    WHERE f.number = y.number AND f.change_id = y.change_id AND f.withdrawn_by IS NOT NULL
  )
ORDER BY c.at, c.id, y.voice

-- name: confirmations_about
-- The confirmations of the listed memories in sight that stand, each with its change.
SELECT f.number, c.id, c.action, c.at, c.actor, c.scope, c.reason, c.undoes, c.undone_by
FROM json_each(:numbers) AS listed
CROSS JOIN confirmations AS f ON f.number = listed.value AND f.withdrawn_by IS NULL
CROSS JOIN changes AS c ON c.id = f.change_id
WHERE EXISTS (SELECT 1 FROM memories AS m WHERE m.number = f.number AND {visible})
ORDER BY c.at, c.id
