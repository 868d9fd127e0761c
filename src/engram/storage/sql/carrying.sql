-- name: newest_state
-- Where an export ends: what is added later is not in it.
SELECT coalesce(max(state), 0) FROM memories AS m WHERE {visible}

-- name: export_states
-- Visible states in the order in which they were recorded, each with what followed it and the change
-- that made it.
SELECT {columns}, m.state,
       (SELECT min(n.state) FROM memories AS n WHERE n.number = m.number AND n.state > m.state),
       c.id, c.action, c.at, c.actor, c.reason
FROM memories AS m
LEFT JOIN changes AS c ON c.id = m.change_id
LEFT JOIN usage AS u ON u.number = m.number
WHERE m.state > :after AND m.state <= :until AND {visible}
ORDER BY m.state

-- name: export_episodes
-- The details of visible episodes.
SELECT e.number, e.version, e.started_at, e.ended_at, e.situation AS sealable_situation,
       e.participants AS sealable_participants, e.outcome AS sealable_outcome, e.significance,
       e.surprise, e.valence
FROM episodes AS e
WHERE (e.number, e.version) > (:after_1, :after_2)
  AND EXISTS (SELECT 1 FROM memories AS m WHERE m.number = e.number AND {visible})
ORDER BY e.number, e.version
LIMIT :limit

-- name: export_events
-- What happened in visible episodes.
SELECT e.number, e.sequence, e.event AS sealable_event
FROM episode_events AS e
WHERE (e.number, e.sequence) > (:after_1, :after_2) AND e.withdrawn_by IS NULL
  AND EXISTS (SELECT 1 FROM memories AS m WHERE m.number = e.number AND {visible})
ORDER BY e.number, e.sequence
LIMIT :limit

-- name: export_beliefs
-- What visible beliefs say of whom.
SELECT e.number, e.version, e.relation, e.property AS sealable_property, e.value AS sealable_value,
       e.source_type, e.target_type, e.weight, e.epistemic AS sealable_epistemic, e.is_functional,
       s.label AS sealable_source, t.label AS sealable_target
FROM edges AS e
LEFT JOIN nodes AS s ON s.id = e.source AND s.scope = e.scope
LEFT JOIN nodes AS t ON t.id = e.target AND t.scope = e.scope
WHERE (e.number, e.version) > (:after_1, :after_2)
  AND EXISTS (SELECT 1 FROM memories AS m WHERE m.number = e.number AND {visible})
ORDER BY e.number, e.version
LIMIT :limit

-- name: export_skills
-- How visible skills are done.
SELECT e.number, e.version, e.name, e.skill AS sealable_skill
FROM skills AS e
WHERE (e.number, e.version) > (:after_1, :after_2)
  AND EXISTS (SELECT 1 FROM memories AS m WHERE m.number = e.number AND {visible})
ORDER BY e.number, e.version
LIMIT :limit

-- name: export_runs
-- How often visible skills were run, by those whose scope is in sight.
SELECT m.number, m.sequence, m.at, m.outcome_kind, m.seconds, m.tool AS sealable_tool,
       m.run AS sealable_run
FROM skill_runs AS m
WHERE (m.number, m.sequence) > (:after_1, :after_2) AND m.withdrawn_by IS NULL AND {visible}
ORDER BY m.number, m.sequence
LIMIT :limit

-- name: export_sources
-- From which visible turns visible memories were drawn.
SELECT e.number, e.source_number, e.starts_at, e.ends_at
FROM sources AS e
WHERE (e.number, e.source_number) > (:after_1, :after_2)
  AND EXISTS (SELECT 1 FROM memories AS m WHERE m.number = e.number AND {visible})
  AND EXISTS (SELECT 1 FROM memories AS m WHERE m.number = e.source_number AND {visible})
ORDER BY e.number, e.source_number
LIMIT :limit

-- name: export_links
-- The links that stand between visible memories.
SELECT e.change_id, e.from_number, e.to_number, e.relation
FROM links AS e
WHERE e.change_id > :after_1 AND e.withdrawn_by IS NULL
  AND EXISTS (SELECT 1 FROM memories AS m WHERE m.number = e.from_number AND {visible})
  AND EXISTS (SELECT 1 FROM memories AS m WHERE m.number = e.to_number AND {visible})
ORDER BY e.change_id
LIMIT :limit

-- name: export_confirmations
-- Who else said what visible memories say.
SELECT e.number, e.change_id, e.happened_at, e.source, e.session, e.reference,
       e.content AS sealable_text
FROM confirmations AS e
WHERE (e.number, e.change_id) > (:after_1, :after_2) AND e.withdrawn_by IS NULL
  AND EXISTS (SELECT 1 FROM memories AS m WHERE m.number = e.number AND {visible})
ORDER BY e.number, e.change_id
LIMIT :limit

-- name: export_feedback
-- What callers in sight thought of memories.
SELECT m.number, m.change_id, m.is_helpful, m.query AS sealable_query, m.at, m.actor
FROM feedback AS m
WHERE (m.number, m.change_id) > (:after_1, :after_2) AND m.withdrawn_by IS NULL AND {visible}
ORDER BY m.number, m.change_id
LIMIT :limit

-- name: export_aliases
-- Which names were decided to mean the same, in sight.
SELECT m.change_id, m.name, m.entity, m.how, m.scope
FROM aliases AS m
WHERE (m.change_id, m.name) > (:after_1, :after_2) AND m.withdrawn_by IS NULL AND {visible}
ORDER BY m.change_id, m.name
LIMIT :limit

-- name: export_artefacts
-- What was made of memories and stands, in sight.
SELECT m.artefact, m.kind, m.scope, coalesce(m.sealed_key, m.key) AS sealable_key, m.text AS sealable_text,
       m.body AS sealable_body, m.sources, m.trust, m.secrecy, m.made_at
FROM artefacts AS m
WHERE m.artefact > :after_1 AND m.ended_by IS NULL AND {visible}
ORDER BY m.artefact
LIMIT :limit

-- name: import_of_file
-- The last import of the same file into a scope that was not taken back.
SELECT id, items, finished_at FROM imports
WHERE scope = :scope AND digest = :digest AND undone_at IS NULL
ORDER BY id DESC LIMIT 1

-- name: insert_import
-- A file begins to be imported.
INSERT INTO imports (id, scope, actor, name, digest, items, began_at, finished_at, undone_at)
VALUES (:id, :scope, :actor, :name, :digest, 0, :began_at, NULL, NULL)

-- name: note_import
-- How far a file was imported.
UPDATE imports SET items = :items, finished_at = :finished_at WHERE id = :id

-- name: insert_import_change
-- A change that belongs to an import.
INSERT INTO import_changes (import_id, change_id) VALUES (:import_id, :change_id)

-- name: imports
-- Imports into scopes in sight, the last first.
SELECT m.id, m.scope, m.actor, m.name, m.items, m.began_at, m.finished_at, m.undone_at,
       (SELECT count(*) FROM import_changes AS c WHERE c.import_id = m.id)
FROM imports AS m
WHERE (m.id = :id OR (:id IS NULL AND m.id LIKE 'imp-%')) AND {visible}
ORDER BY m.id DESC
LIMIT :limit

-- name: changes_of_import
-- The changes of an import, the last first, with what undid each.
SELECT i.change_id, c.undone_by FROM import_changes AS i JOIN changes AS c ON c.id = i.change_id
WHERE i.import_id = :id
ORDER BY i.change_id DESC

-- name: mark_import_undone
-- An import was taken back, or stands again.
UPDATE imports SET undone_at = :undone_at WHERE id = :id
