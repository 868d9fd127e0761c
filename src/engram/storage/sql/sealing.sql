-- name: newest_sealed
-- The sealed text of the newest protected state of a memory: its header names the keys it needs.
SELECT sealed_content FROM memories
WHERE number = :number AND sealed_content IS NOT NULL ORDER BY state DESC LIMIT 1

-- name: sealed_wording
-- The sealed text of one wording of a memory; no row where it is not protected.
SELECT sealed_content FROM memories
WHERE number = :number AND version = :version AND sealed_content IS NOT NULL
ORDER BY state DESC LIMIT 1

-- name: has_sealed
-- Whether any memory is protected.
SELECT EXISTS (SELECT 1 FROM memories WHERE sealed_content IS NOT NULL)

-- name: keep_meta
-- A property of the store: with which vault it seals, how many states were lost with another, or
-- which files hold the head of its audit.
INSERT INTO meta (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value

-- name: sealed_records_after
-- The next protected states as they are kept, to see whether they can still be opened.
SELECT state, sealed_content, recorded_until IS NULL FROM memories
WHERE sealed_content IS NOT NULL AND state > :after ORDER BY state LIMIT :limit

-- name: newest_sealed_records
-- The last protected states as they are kept, to see whether they can be opened.
SELECT sealed_content FROM memories WHERE sealed_content IS NOT NULL ORDER BY state DESC LIMIT :limit

-- name: states_to_reseal
-- All states of a memory whose tier is about to change; whether the caller sees it was asked before.
SELECT {columns}, m.state FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.number = :number ORDER BY m.state

-- name: reseal_state
-- One state under another tier: it says what it said.
UPDATE memories SET secrecy = :secrecy, identity = :identity, summary = :summary,
    metadata = :metadata, content = :content, sealed_metadata = :sealed_metadata,
    sealed_content = :sealed_content, subject = :subject
WHERE state = :state

-- name: unindex_state
-- Take one state's words out of the text index.
DELETE FROM text_index WHERE rowid = :state

-- name: tidy_text_index
-- Write the text index together anew, so that nothing stays of lines that were taken out.
INSERT INTO text_index (text_index) VALUES ('optimize')

-- name: drop_traits_of
-- The traits of a memory's wordings go, to be made anew.
DELETE FROM traits WHERE number = :number

-- name: vectors_to_reseal
-- All vectors of a memory, in every space.
SELECT v.id, v.vector AS sealable_vector FROM spaces AS s CROSS JOIN vectors AS v
WHERE v.space = s.space AND v.number = :number ORDER BY v.id

-- name: reseal_vector
-- The same vector under another tier.
UPDATE vectors SET vector = :vector WHERE id = :id

-- name: evidence_to_reseal
-- What confirmed a memory in other words.
SELECT change_id, content AS sealable_text FROM confirmations
WHERE number = :number AND content IS NOT NULL

-- name: reseal_evidence
-- The same evidence under another tier.
UPDATE confirmations SET content = :content WHERE number = :number AND change_id = :change_id

-- name: lying_open
-- How much of protected memories lies open: vectors, names, evidence. There is to be none.
SELECT (
    SELECT count(*) FROM memories AS m JOIN spaces AS s JOIN vectors AS v
    ON v.space = s.space AND v.number = m.number AND v.version = m.version
    WHERE m.sealed_content IS NOT NULL AND substr(v.vector, 1, 4) <> x'1a455331'
), (
    SELECT count(*) FROM mentions WHERE number IN (
        SELECT m.number FROM memories AS m WHERE m.sealed_content IS NOT NULL
    )
), (
    SELECT count(*) FROM confirmations WHERE content IS NOT NULL
    AND substr(content, 1, 8) <> char(26) || 'sealed:' AND number IN (
        SELECT m.number FROM memories AS m WHERE m.sealed_content IS NOT NULL
    )
)

-- name: drop_open_vectors
-- Vectors of protected memories that lie open go, to be made anew.
DELETE FROM vectors WHERE substr(vector, 1, 4) <> x'1a455331' AND EXISTS (
    SELECT 1 FROM memories AS m
    WHERE m.number = vectors.number AND m.version = vectors.version AND m.sealed_content IS NOT NULL
)

-- name: drop_open_mentions
-- Nor which names stand in them.
DELETE FROM mentions WHERE number IN (
    SELECT m.number FROM memories AS m WHERE m.sealed_content IS NOT NULL
)
