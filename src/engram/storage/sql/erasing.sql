-- name: named_people
-- The names that visible memories have as their subject or speaker, in any of their states.
SELECT DISTINCT m.subject FROM memories AS m WHERE {visible} AND m.subject IS NOT NULL
UNION
SELECT DISTINCT m.speaker FROM memories AS m WHERE {visible} AND m.speaker IS NOT NULL

-- name: doomed_by_id
-- One visible memory by its id or number, also one whose making was undone.
SELECT DISTINCT m.number FROM memories AS m
WHERE {visible} AND (m.id = :id OR m.number = :number)

-- name: doomed_by_person
-- The visible memories whose subject or speaker has one of the spellings, or that relate one of the
-- names to something. Texts are searched apart (`named_wordings`).
SELECT m.number FROM memories AS m
WHERE {visible} AND (
    m.subject IN (SELECT value FROM json_each(:spellings))
    OR m.speaker IN (SELECT value FROM json_each(:spellings))
)
UNION
SELECT m.number FROM edges AS e CROSS JOIN memories AS m
WHERE (
    e.source IN (SELECT value FROM json_each(:nodes))
    OR e.target IN (SELECT value FROM json_each(:nodes))
) AND m.number = e.number AND {visible}

-- name: doomed_by_source
-- The visible memories that came from a source, in any of their states.
SELECT DISTINCT m.number FROM memories AS m WHERE {visible} AND m.source = :value

-- name: doomed_by_session
-- The visible memories of a session, in any of their states.
SELECT DISTINCT m.number FROM memories AS m WHERE {visible} AND m.session = :value

-- name: people_of_episodes
-- Who took part in the visible episodes.
SELECT e.number, e.people AS sealable_people FROM episodes AS e CROSS JOIN memories AS m
WHERE m.number = e.number AND {visible}

-- name: named_wordings
-- Every text of the visible states, in which a name may stand.
SELECT m.number, coalesce(m.sealed_content, m.content) AS sealable_text,
    coalesce(m.sealed_metadata, m.metadata) AS sealable_metadata, m.summary AS sealable_summary,
    m.reference, m.session, m.source
FROM memories AS m WHERE {visible}

-- name: named_details
-- The texts beside the visible memories, in which a name may stand.
SELECT d.number, d.text AS sealable_text FROM (
    SELECT number, situation AS text FROM episodes
    UNION ALL SELECT number, participants FROM episodes
    UNION ALL SELECT number, outcome FROM episodes
    UNION ALL SELECT number, event FROM episode_events
    UNION ALL SELECT number, skill FROM skills
    UNION ALL SELECT number, run FROM skill_runs
    UNION ALL SELECT number, value FROM edges
) AS d WHERE d.number IN (SELECT m.number FROM memories AS m WHERE {visible})

-- name: people_listed
-- The longer names that visible memories have in them: somebody else's, of which one may be a part.
SELECT DISTINCT n.name FROM mentions AS n WHERE instr(n.name, ' ') > 0 AND n.number IN (
    SELECT m.number FROM memories AS m WHERE {visible}
)

-- name: reasons_given
-- Why things were changed.
SELECT scope, id, NULL, reason FROM changes WHERE reason <> ''

-- name: blank_reason
-- A reason that names somebody who is erased.
UPDATE changes SET reason = '' WHERE id = :key AND scope = :scope AND :second IS NULL

-- name: decisions_explained
-- Why dreams decided as they did.
SELECT scope, sequence, NULL, key, why FROM dream_decisions

-- name: blank_decision
-- A decision that names somebody who is erased.
UPDATE dream_decisions SET why = '', key = 'erased ' || sequence
WHERE sequence = :key AND scope = :scope AND :second IS NULL

-- name: questions_judged
-- The questions near which memories were judged.
SELECT scope, number, change_id, query AS sealable_query FROM feedback WHERE query IS NOT NULL

-- name: blank_question
-- A question that names somebody who is erased.
UPDATE feedback SET query = NULL WHERE number = :key AND change_id = :second AND scope = :scope

-- name: requests_under_keys
-- The keys that callers gave their requests.
SELECT scope, actor, key, key, reason FROM idempotency

-- name: erase_request
-- A request under a key that names somebody who is erased.
DELETE FROM idempotency WHERE scope = :scope AND actor = :key AND key = :second

-- name: evidence_given
-- Who confirmed memories, where and in which words.
SELECT (SELECT m.scope FROM memories AS m WHERE m.number = c.number LIMIT 1), c.number, c.change_id,
    c.source, c.session, c.reference, c.content AS sealable_text
FROM confirmations AS c

-- name: erase_evidence
-- A confirmation that names somebody who is erased.
DELETE FROM confirmations WHERE number = :number AND change_id = :change_id

-- name: seals_of_listed
-- The sealed texts of memories: only on whose keys they hang is looked at.
SELECT sealed_content FROM memories
WHERE sealed_content IS NOT NULL AND number IN ({listed_numbers})

-- name: seals_kept
-- Every sealed text that stays: only on whose keys they hang is looked at.
SELECT sealed_content FROM memories WHERE sealed_content IS NOT NULL
UNION ALL SELECT text FROM artefacts
UNION ALL SELECT name FROM nodes
UNION ALL SELECT label FROM nodes
UNION ALL SELECT note FROM nodes

-- name: names_given
-- What people named: scopes, keys, webhooks, files that were read in.
SELECT DISTINCT scope, scope FROM memories
UNION SELECT scope, name FROM access_keys
UNION SELECT scope, name FROM webhooks
UNION SELECT scope, url FROM webhooks
UNION SELECT scope, place FROM harvested
UNION SELECT scope, name FROM imports

-- name: drawn_from_listed
-- What was drawn from turns, derived from memories, or merged into them.
SELECT s.number FROM sources AS s WHERE s.source_number IN ({listed_numbers})
UNION
SELECT l.from_number FROM links AS l
WHERE l.relation = 'derived_from' AND l.to_number IN ({listed_numbers})
UNION
SELECT m.number FROM memories AS m
WHERE m.status = 'merged' AND m.superseded_by IN (
    SELECT n.id FROM memories AS n WHERE n.number IN ({listed_numbers})
)

-- name: sources_of_listed
-- The turns that memories were drawn from.
SELECT DISTINCT s.source_number FROM sources AS s WHERE s.number IN ({listed_numbers})

-- name: numbers_of_ids
-- Which of some ids are still there, and under which numbers.
SELECT DISTINCT m.number, m.id, m.scope FROM memories AS m
WHERE m.id IN (SELECT value FROM json_each(:ids))

-- name: doomed_states
-- All states of memories that are to be erased, for what must not be found afterwards.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.number IN ({listed_numbers})

-- name: doomed_places
-- The id and the scope of each memory that is to be erased.
SELECT DISTINCT m.number, m.id, m.scope FROM memories AS m WHERE m.number IN ({listed_numbers})

-- name: doomed_confirmations
-- How others worded what memories say.
SELECT content AS sealable_content FROM confirmations WHERE number IN ({listed_numbers}) AND content IS NOT NULL

-- name: doomed_questions
-- The questions near which memories were judged.
SELECT query AS sealable_query FROM feedback WHERE number IN ({listed_numbers}) AND query IS NOT NULL

-- name: doomed_episodes
-- What the details of episodes tell.
SELECT situation AS sealable_situation, participants AS sealable_participants,
    outcome AS sealable_outcome
FROM episodes WHERE number IN ({listed_numbers})

-- name: doomed_events
-- What happened in episodes.
SELECT event AS sealable_event FROM episode_events WHERE number IN ({listed_numbers})

-- name: doomed_skills
-- How tasks are done.
SELECT skill AS sealable_skill FROM skills WHERE number IN ({listed_numbers})

-- name: doomed_runs
-- How skills went.
SELECT run AS sealable_run FROM skill_runs WHERE number IN ({listed_numbers})

-- name: doomed_edges
-- The values that beliefs give.
SELECT value AS sealable_value FROM edges WHERE number IN ({listed_numbers}) AND value IS NOT NULL

-- name: doomed_vectors
-- The bytes of vectors.
SELECT vector FROM vectors WHERE number IN ({listed_numbers})

-- name: kept_words
-- Whatever stands in rows that stay: what is found there was not left behind by an erasure.
SELECT m.state, coalesce(m.sealed_content, m.content) AS sealable_content,
    coalesce(m.sealed_metadata, m.metadata) AS sealable_metadata, m.summary AS sealable_summary,
    m.subject AS sealable_subject, m.speaker AS sealable_speaker, m.source, m.session, m.reference,
    m.scope
FROM memories AS m WHERE m.state > :after ORDER BY m.state LIMIT :limit

-- name: kept_details
-- The texts of canonical rows beside memories, and the names that the schema uses.
SELECT situation AS sealable_text FROM episodes
UNION ALL SELECT DISTINCT participants FROM episodes
UNION ALL SELECT DISTINCT outcome FROM episodes
UNION ALL SELECT event FROM episode_events
UNION ALL SELECT name FROM skills
UNION ALL SELECT skill FROM skills
UNION ALL SELECT run FROM skill_runs
UNION ALL SELECT signature FROM skill_runs
UNION ALL SELECT tool FROM skill_runs
UNION ALL SELECT name FROM nodes
UNION ALL SELECT label FROM nodes
UNION ALL SELECT note FROM nodes
UNION ALL SELECT relation FROM edges
UNION ALL SELECT property FROM edges
UNION ALL SELECT value FROM edges
UNION ALL SELECT voice FROM edge_sayings
UNION ALL SELECT name FROM aliases
UNION ALL SELECT entity FROM aliases
UNION ALL SELECT DISTINCT reason FROM changes
UNION ALL SELECT DISTINCT actor FROM audit
UNION ALL SELECT DISTINCT scope FROM audit
UNION ALL SELECT query FROM feedback
UNION ALL SELECT DISTINCT content FROM confirmations
UNION ALL SELECT DISTINCT source FROM confirmations
UNION ALL SELECT DISTINCT session FROM confirmations
UNION ALL SELECT DISTINCT reference FROM confirmations
UNION ALL SELECT name FROM access_keys
UNION ALL SELECT name FROM webhooks
UNION ALL SELECT url FROM webhooks
UNION ALL SELECT events FROM webhooks
UNION ALL SELECT identity FROM spaces
UNION ALL SELECT metric FROM spaces
UNION ALL SELECT recipe FROM spaces
UNION ALL SELECT outcome FROM capture_counts
UNION ALL SELECT reason FROM capture_counts
UNION ALL SELECT place FROM harvested
UNION ALL SELECT DISTINCT purpose FROM model_calls
UNION ALL SELECT DISTINCT model FROM model_calls
UNION ALL SELECT assessment FROM recall_journal
UNION ALL SELECT key FROM idempotency
UNION ALL SELECT reason FROM idempotency
UNION ALL SELECT key FROM meta
UNION ALL SELECT value FROM meta
UNION ALL SELECT name FROM schema_migrations
UNION ALL SELECT steps FROM dreams
UNION ALL SELECT skipped FROM dream_steps
UNION ALL SELECT sql FROM sqlite_master WHERE sql IS NOT NULL

-- name: erase_index_lines
-- The lines of the text index.
DELETE FROM text_index WHERE rowid IN (
    SELECT m.state FROM memories AS m
    WHERE m.number IN ({listed_numbers}) AND m.state IN (SELECT id FROM text_index_docsize)
)

-- name: erase_successors
-- What was replaced by something that is erased was replaced by nothing that is known.
UPDATE memories SET superseded_by = NULL WHERE superseded_by IN (
    SELECT m.id FROM memories AS m WHERE m.number IN ({listed_numbers})
)

-- name: erase_evidence_of_merged
-- What others took over as evidence when a memory was merged into them.
UPDATE confirmations SET content = NULL, reference = NULL
WHERE number NOT IN ({listed_numbers}) AND change_id IN (
    SELECT m.change_id FROM memories AS m WHERE m.number IN ({listed_numbers})
)

-- name: erase_confirmations_of_source
-- What a source confirmed of memories that stay.
DELETE FROM confirmations WHERE source = :value AND number IN (
    SELECT m.number FROM memories AS m WHERE {visible}
)

-- name: erase_confirmations_of_session
-- What was confirmed in a session of memories that stay.
DELETE FROM confirmations WHERE session = :value AND number IN (
    SELECT m.number FROM memories AS m WHERE {visible}
)

-- name: recount_confirmations
-- Counts of confirmations as the rows have them.
UPDATE usage SET confirmations = (
    SELECT count(*) FROM confirmations AS c
    WHERE c.number = usage.number AND c.withdrawn_by IS NULL
) WHERE number IN ({listed_numbers})

-- name: confirmed_by_source
-- Which memories a source confirmed.
SELECT DISTINCT number FROM confirmations WHERE source = :value

-- name: confirmed_in_session
-- Which memories were confirmed in a session.
SELECT DISTINCT number FROM confirmations WHERE session = :value

-- name: erase_states
-- All states of memories.
DELETE FROM memories WHERE number IN ({listed_numbers})

-- name: erase_usage
-- How often memories were used.
DELETE FROM usage WHERE number IN ({listed_numbers})

-- name: erase_salts
-- What the audit's digests of texts hang on: without it they are noise.
DELETE FROM digest_salts WHERE number IN ({listed_numbers})

-- name: erase_confirmations
-- The evidence behind confirmations.
DELETE FROM confirmations WHERE number IN ({listed_numbers})

-- name: erase_tier_moves
-- When memories were more or less protected than before.
DELETE FROM tier_moves WHERE number IN ({listed_numbers})

-- name: erase_sealed_identities
-- By what protected memories are known again.
DELETE FROM sealed_identities WHERE number IN ({listed_numbers})

-- name: erase_feedback
-- What callers thought of memories.
DELETE FROM feedback WHERE number IN ({listed_numbers})

-- name: erase_links
-- Links at either end.
DELETE FROM links WHERE from_number IN ({listed_numbers}) OR to_number IN ({listed_numbers})

-- name: erase_sources
-- What was drawn from what.
DELETE FROM sources WHERE number IN ({listed_numbers}) OR source_number IN ({listed_numbers})

-- name: erase_pending_verdicts
-- Whether statements wait for a verdict.
DELETE FROM pending_verdicts WHERE number IN ({listed_numbers})

-- name: erase_unread_turns
-- Turns that wait to be read.
DELETE FROM unread_turns WHERE number IN ({listed_numbers})

-- name: erase_mentions
-- The names in memories.
DELETE FROM mentions WHERE number IN ({listed_numbers})

-- name: erase_traits
-- The words of wordings, as recall ranks by them.
DELETE FROM traits WHERE number IN ({listed_numbers})

-- name: erase_pending_traits
-- Wordings that wait for their traits.
DELETE FROM pending_traits WHERE number IN ({listed_numbers})

-- name: erase_vectors
-- The vectors of wordings, in every space.
DELETE FROM vectors WHERE number IN ({listed_numbers})

-- name: erase_pending_vectors
-- Wordings that wait to be embedded.
DELETE FROM pending_vectors WHERE number IN ({listed_numbers})

-- name: boxes_of_listed
-- The boxes in which memories lie.
SELECT DISTINCT box FROM box_members WHERE number IN ({listed_numbers})

-- name: erase_box_members
-- What lies in boxes.
DELETE FROM box_members WHERE number IN ({listed_numbers})

-- name: blank_boxes
-- What boxes were about is known of nothing that is erased.
UPDATE boxes SET topics = json_object(),
    members = (SELECT count(*) FROM box_members AS b WHERE b.box = boxes.id)
WHERE id IN (SELECT value FROM json_each(:boxes))

-- name: erase_boxes
-- Boxes in which nothing is left.
DELETE FROM boxes WHERE id IN (SELECT value FROM json_each(:boxes)) AND members = 0

-- name: erase_requests
-- What requests under a key came to.
DELETE FROM idempotency WHERE number IN ({listed_numbers})

-- name: erase_rehearsals
-- When memories were gone through again.
DELETE FROM rehearsals WHERE number IN ({listed_numbers})

-- name: erase_episodes
-- The details of episodes.
DELETE FROM episodes WHERE number IN ({listed_numbers})

-- name: erase_events
-- What happened in episodes.
DELETE FROM episode_events WHERE number IN ({listed_numbers})

-- name: nodes_of_listed
-- The nodes at the ends of beliefs.
SELECT DISTINCT source, scope FROM edges WHERE number IN ({listed_numbers})
UNION
SELECT DISTINCT target, scope FROM edges
WHERE number IN ({listed_numbers}) AND target IS NOT NULL

-- name: erase_edges
-- The details of beliefs.
DELETE FROM edges WHERE number IN ({listed_numbers})

-- name: erase_sayings
-- Who said beliefs.
DELETE FROM edge_sayings WHERE number IN ({listed_numbers})

-- name: erase_node
-- A node of which nothing is believed any more.
DELETE FROM nodes WHERE id = :id AND scope = :scope AND NOT EXISTS (
    SELECT 1 FROM edges AS e WHERE e.scope = :scope AND (e.source = :id OR e.target = :id)
)

-- name: belief_at_node
-- The newest memory that still says something of a node.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.recorded_until IS NULL AND m.number = (
    SELECT max(e.number) FROM edges AS e WHERE e.scope = :scope AND (e.source = :id OR e.target = :id)
)

-- name: all_nodes
-- What nodes are called.
SELECT id, scope, name AS sealable_name FROM nodes

-- name: erase_skills
-- The details of skills.
DELETE FROM skills WHERE number IN ({listed_numbers})

-- name: erase_runs
-- How skills went, and how it went in episodes that are erased.
DELETE FROM skill_runs WHERE number IN ({listed_numbers}) OR episode IN (
    SELECT m.id FROM memories AS m WHERE m.number IN ({listed_numbers})
)

-- name: all_aliases
-- Every decision about a name.
SELECT change_id, name, scope, name AS sealable_name, entity AS sealable_entity FROM aliases

-- name: erase_alias
-- A decision about a name.
DELETE FROM aliases WHERE change_id = :change_id AND name = :name

-- name: all_artefacts
-- Everything that was made of memories, also what made way for something else.
SELECT artefact, scope, key, sources, kind, coalesce(sealed_key, key) AS sealable_key, text AS sealable_text,
    body AS sealable_body
FROM artefacts

-- name: erase_artefact
-- Something that was made of memories.
DELETE FROM artefacts WHERE artefact = :artefact

-- name: erase_questions
-- Questions about a gap.
DELETE FROM questions_asked WHERE scope = :scope AND gap = :gap

-- name: all_snapshots
-- Every mind that was put away.
SELECT holder, scope, session, body AS sealable_body FROM working_snapshots

-- name: erase_snapshot
-- A mind that was put away.
DELETE FROM working_snapshots WHERE holder = :holder AND scope = :scope AND session = :session

-- name: blank_reasons
-- Why memories were changed may say what they said.
UPDATE changes SET reason = '' WHERE reason <> '' AND EXISTS (
    SELECT 1 FROM json_each(changes.numbers) AS n WHERE n.value IN ({listed_numbers})
)

-- name: blank_decisions
-- Why a dream decided about memories may say what they said, and so may what names the decision.
UPDATE dream_decisions SET why = '', key = 'erased ' || sequence WHERE EXISTS (
    SELECT 1 FROM json_each(dream_decisions.numbers) AS n WHERE n.value IN ({listed_numbers})
)

-- name: blank_findings
-- What passes saw without changing it, in the scopes of what is erased.
UPDATE dream_steps SET findings = json_array() WHERE findings <> json_array()
    AND scope IN (SELECT value FROM json_each(:scopes))

-- name: insert_erasure
-- An erasure has begun: what was selected is gone with this transaction.
INSERT INTO erasures (id, at, kind, actor, scope, change_id, state, counts, remains)
VALUES (:id, :at, :kind, :actor, :scope, :change_id, 'begun', :counts, json_array())

-- name: keep_erased
-- A memory that was erased: its number, its id and by which erasure.
INSERT OR IGNORE INTO erased (number, id, erasure) VALUES (:number, :id, :erasure)

-- name: end_erasure
-- How far an erasure has got: proven, or pending with what remains.
UPDATE erasures SET state = :state, remains = :remains, finished_at = :finished_at,
    certificate = :certificate
WHERE id = :id

-- name: erasures
-- The erasures of this store, oldest first.
SELECT id, at, kind, actor, scope, change_id, state, counts, remains, finished_at, certificate
FROM erasures ORDER BY sequence

-- name: erased_by
-- What an erasure took: numbers and ids.
SELECT number, id FROM erased WHERE erasure = :erasure ORDER BY number

-- name: was_erased
-- By which erasure one of some memories was taken.
SELECT erasure FROM erased WHERE number IN ({listed_numbers}) LIMIT 1

-- name: erasure_count
-- How many erasures there were: whoever holds something in memory forgets it when this grows.
SELECT coalesce(max(sequence), 0) FROM erasures

-- name: optimise_text_index
-- Write the text index anew, without the words of lines that are gone.
INSERT INTO text_index (text_index) VALUES ('optimize')

-- name: rows_left
-- How many rows of erased memories are still there: none, once an erasure is done.
SELECT (SELECT count(*) FROM memories WHERE number IN ({listed_numbers}))
    + (SELECT count(*) FROM vectors WHERE number IN ({listed_numbers}))
    + (SELECT count(*) FROM traits WHERE number IN ({listed_numbers}))
    + (SELECT count(*) FROM confirmations WHERE number IN ({listed_numbers}))
    + (SELECT count(*) FROM feedback WHERE number IN ({listed_numbers}))
    + (SELECT count(*) FROM mentions WHERE number IN ({listed_numbers}))
    + (SELECT count(*) FROM episodes WHERE number IN ({listed_numbers}))
    + (SELECT count(*) FROM episode_events WHERE number IN ({listed_numbers}))
    + (SELECT count(*) FROM edges WHERE number IN ({listed_numbers}))
    + (SELECT count(*) FROM skills WHERE number IN ({listed_numbers}))
    + (SELECT count(*) FROM skill_runs WHERE number IN ({listed_numbers}))
    + (SELECT count(*) FROM box_members WHERE number IN ({listed_numbers}))
    + (SELECT count(*) FROM sources WHERE number IN ({listed_numbers}))
    + (SELECT count(*) FROM digest_salts WHERE number IN ({listed_numbers}))

-- name: digest_salt
-- What a memory's digests in the audit are made with.
SELECT salt FROM digest_salts WHERE number = :number

-- name: keep_digest_salt
-- What a memory's digests in the audit are made with from now on.
INSERT INTO digest_salts (number, salt) VALUES (:number, :salt)

-- name: audit_place
-- Which store this is, and where its audit stands.
SELECT (SELECT value FROM meta WHERE key = 'store_id'), audit_count, audit_head FROM ledger

-- name: vector_with
-- A vector that has these bytes in it.
SELECT 1 FROM vectors WHERE instr(vector, :part) > 0 LIMIT 1
