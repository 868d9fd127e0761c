-- name: insert_tier_move
-- By which change a memory was protected differently, from what to what.
INSERT INTO tier_moves (change_id, number, before, after)
VALUES (:change_id, :number, :before, :after)

-- name: tier_moves_of
-- What a change did to the protection of memories.
SELECT number, before, after FROM tier_moves WHERE change_id = :change_id ORDER BY number

-- name: sealed_identities
-- By what a memory's wordings were known before it was protected.
SELECT identities AS sealable_identities FROM sealed_identities WHERE number = :number

-- name: keep_sealed_identities
-- The same, in the place of what was noted before.
INSERT INTO sealed_identities (number, identities) VALUES (:number, :identities)
ON CONFLICT (number) DO UPDATE SET identities = excluded.identities

-- name: drop_sealed_identities
-- A memory is known again by what it was known by.
DELETE FROM sealed_identities WHERE number = :number

-- name: made_of_listed
-- What was made of the listed memories: derived from them, or drawn from them as turns.
SELECT DISTINCT l.from_number FROM json_each(:numbers) AS listed
CROSS JOIN links AS l ON l.to_number = listed.value
WHERE l.relation = 'derived_from' AND l.withdrawn_by IS NULL
UNION
SELECT s.number FROM json_each(:numbers) AS listed
CROSS JOIN sources AS s ON s.source_number = listed.value

-- name: turns_it_was_drawn_from
-- The turns that a memory was drawn from.
SELECT source_number FROM sources WHERE number = :number

-- name: states_of_listed
-- The present states of the listed memories, whoever may see them.
SELECT {columns} FROM json_each(:numbers) AS listed
CROSS JOIN memories AS m ON m.number = listed.value
LEFT JOIN usage AS u ON u.number = m.number
WHERE m.recorded_until IS NULL
ORDER BY m.number

-- name: episode_details
-- What is kept beside every version of an episode.
SELECT version, situation AS sealable_situation, participants AS sealable_participants,
       outcome AS sealable_outcome
FROM episodes WHERE number = :number

-- name: rewrite_episode
-- Keep what is beside an episode in the open, or sealed.
UPDATE episodes SET situation = :situation, participants = :participants, people = :people,
    outcome = :outcome
WHERE number = :number AND version = :version

-- name: event_details
-- Everything that happened in an episode.
SELECT sequence, event AS sealable_event FROM episode_events WHERE number = :number

-- name: rewrite_event
-- Keep an event in the open, or sealed.
UPDATE episode_events SET event = :event, tool = :tool
WHERE number = :number AND sequence = :sequence

-- name: edge_details
-- What is kept beside every version of a belief, and its ends.
SELECT version, value AS sealable_value, source, target, scope FROM edges WHERE number = :number

-- name: rewrite_edge
-- Keep what a belief says in the open, or sealed.
UPDATE edges SET value = :value WHERE number = :number AND version = :version

-- name: node_details
-- What a node is called in a scope, and whether beliefs in the open tell of it there too.
SELECT n.name AS sealable_name, n.label AS sealable_label, n.note AS sealable_note, EXISTS (
    SELECT 1 FROM edges AS e CROSS JOIN memories AS m
    WHERE e.source = n.id AND e.scope = n.scope AND m.number = e.number
      AND m.version = e.version AND m.secrecy = 'cleartext'
) OR EXISTS (
    SELECT 1 FROM edges AS e CROSS JOIN memories AS m
    WHERE e.target = n.id AND e.scope = n.scope AND m.number = e.number
      AND m.version = e.version AND m.secrecy = 'cleartext'
)
FROM nodes AS n WHERE n.id = :id AND n.scope = :scope

-- name: rewrite_node
-- Keep what a node is called in the open, or sealed.
UPDATE nodes SET name = :name, label = :label, note = :note WHERE id = :id AND scope = :scope

-- name: skill_details
-- How every version of a skill is done.
SELECT version, skill AS sealable_skill FROM skills WHERE number = :number

-- name: rewrite_skill
-- Keep how a skill is done in the open, or sealed.
UPDATE skills SET name = :name, skill = :skill WHERE number = :number AND version = :version

-- name: run_details
-- How a skill went each time.
SELECT sequence, tool AS sealable_tool, run AS sealable_run FROM skill_runs WHERE number = :number

-- name: rewrite_run
-- Keep a run in the open, or sealed.
UPDATE skill_runs SET tool = :tool, signature = :signature, run = :run
WHERE number = :number AND sequence = :sequence

-- name: feedback_details
-- The questions that a memory was judged by.
SELECT change_id, query AS sealable_query FROM feedback
WHERE number = :number AND query IS NOT NULL

-- name: rewrite_feedback
-- Keep a question in the open, or sealed.
UPDATE feedback SET query = :query WHERE number = :number AND change_id = :change_id

-- name: artefacts_made_of
-- What was made of a memory, also what has been replaced since.
SELECT m.artefact, {artefact_columns}
FROM artefacts AS m
WHERE EXISTS (SELECT 1 FROM json_each(m.sources) AS s WHERE s.value = :number)

-- name: rewrite_artefact
-- Protect what was made of memories like the most secret of them.
UPDATE artefacts SET key = :key, sealed_key = :sealed_key, text = :text, body = :body,
    secrecy = :secrecy
WHERE artefact = :artefact

-- name: blank_boxes_of
-- What boxes with a memory were about is known by its words no longer.
UPDATE boxes SET topics = json_object() WHERE id IN (SELECT box FROM box_members WHERE number = :number)
