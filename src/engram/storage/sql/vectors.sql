-- name: queue_wording
-- Note that a wording is to be embedded, in every space that is kept and lacks it.
INSERT OR IGNORE INTO pending_vectors (space, number, version, attempts, not_before)
SELECT s.space, :number, :version, 0, 0 FROM spaces AS s
WHERE s.state IN ('active', 'filling') AND NOT EXISTS (
    SELECT 1 FROM vectors AS v
    WHERE v.space = s.space AND v.number = :number AND v.version = :version
)

-- name: keep_traits
-- The traits of a wording; those it has already are the same.
INSERT OR IGNORE INTO traits (number, version, tokens, flags)
VALUES (:number, :version, :tokens, :flags)

-- name: highest_version
-- The last version number a memory's wordings have used, also one that was undone since.
SELECT max(version) FROM memories WHERE number = :number

-- name: spaces
-- Every space, the one that answers first.
SELECT space, identity, dimension, metric, precision, state, recipe, generation, vectors, highest,
       recoded
FROM spaces ORDER BY state, space

-- name: insert_space
-- A space that is not there yet.
INSERT INTO spaces (identity, dimension, metric, precision, state, recipe, created_at)
VALUES (:identity, :dimension, :metric, :precision, :state, :recipe, :created_at)

-- name: set_space_state
-- Let a space answer, fill or retire.
UPDATE spaces SET state = :state WHERE space = :space

-- name: count_vectors
-- Note how many vectors a space gained, the highest id, and of the first ones their dimension.
UPDATE spaces SET vectors = vectors + :added,
    dimension = CASE WHEN vectors = 0 OR dimension IS NULL THEN :dimension ELSE dimension END,
    highest = CASE WHEN highest < :highest THEN :highest ELSE highest END
WHERE space = :space

-- name: recount_vectors
-- Set every space's figures by its vectors, and let readers begin anew.
UPDATE spaces SET
    vectors = (SELECT count(*) FROM vectors AS v WHERE v.space = spaces.space),
    highest = (SELECT coalesce(max(v.id), 0) FROM vectors AS v WHERE v.space = spaces.space),
    generation = generation + 1

-- name: queue_present_wordings
-- Note for one space every present wording that it lacks; counts leave this query's caller.
INSERT OR IGNORE INTO pending_vectors (space, number, version, attempts, not_before)
SELECT :space, m.number, m.version, 0, 0 FROM memories AS m
WHERE m.recorded_until IS NULL AND NOT EXISTS (
    SELECT 1 FROM vectors AS v
    WHERE v.space = :space AND v.number = m.number AND v.version = m.version
)

-- name: due_wordings
-- What is to be embedded next, the newest first; text that is gone comes as NULL, and one whose key
-- is gone as an empty one.
SELECT p.number, p.version, p.attempts, (
    SELECT coalesce(m.content, m.sealed_content) FROM memories AS m
    WHERE m.number = p.number AND m.version = p.version
    ORDER BY m.state DESC LIMIT 1
) AS sealable_text, (
    SELECT m.source_class FROM memories AS m WHERE m.number = p.number AND m.version = p.version
    ORDER BY m.state DESC LIMIT 1
), EXISTS (
    SELECT 1 FROM memories AS m
    WHERE m.number = p.number AND m.version = p.version AND m.sealed_content IS NOT NULL
)
FROM pending_vectors AS p
WHERE p.space = :space AND p.not_before <= :now ORDER BY p.number DESC, p.version DESC LIMIT :limit

-- name: waiting_wordings
-- Which of these memories are not embedded yet in one space.
SELECT p.number FROM pending_vectors AS p
WHERE p.space = :space AND p.number IN (SELECT value FROM json_each(:numbers))

-- name: hurry_wordings
-- Forget how often the wordings of a space were tried in vain.
UPDATE pending_vectors SET attempts = 0, not_before = 0 WHERE space = :space AND attempts > 0

-- name: pending_count
-- How many wordings wait in a space, and how many were tried often enough to call them failed.
SELECT count(*), coalesce(sum(attempts >= :many), 0) FROM pending_vectors WHERE space = :space

-- name: has_pending
-- Whether anything waits in a space that was not tried in vain so often.
SELECT EXISTS (SELECT 1 FROM pending_vectors WHERE space = :space AND attempts < :many)

-- name: is_pending
-- Whether this wording is still to be embedded: another process may have been quicker.
SELECT 1 FROM pending_vectors WHERE space = :space AND number = :number AND version = :version

-- name: insert_vector
-- One part of a wording in a space.
INSERT OR IGNORE INTO vectors (space, number, version, part, vector)
VALUES (:space, :number, :version, :part, :vector)

-- name: renew_vector
-- One part of a wording that was kept in few bits, embedded anew.
UPDATE vectors SET vector = :vector, bits = NULL
WHERE space = :space AND number = :number AND version = :version AND part = :part
  AND bits IS NOT NULL

-- name: whole_vectors
-- Some vectors of a space with everything that is kept of them.
SELECT id, number, version, part, vector AS sealable_vector, bits FROM vectors
WHERE space = :space AND id IN ({listed_numbers}) ORDER BY id

-- name: take_vectors
-- Some vectors of a space go, to be put back in fewer bits within the same transaction.
DELETE FROM vectors WHERE space = :space AND id IN ({listed_numbers})

-- name: put_vector
-- A vector comes back under its id in fewer bits.
INSERT INTO vectors (id, space, number, version, part, vector, bits)
VALUES (:id, :space, :number, :version, :part, :vector, :bits)

-- name: note_recoded
-- So many vectors were taken and put back: none is gone, and readers are told which it is.
UPDATE spaces SET vectors = vectors + :count, generation = generation - :count,
    recoded = recoded + :count
WHERE space = :space

-- name: queue_coded_wording
-- Note that a wording is to be embedded anew whose vectors are in few bits; until then these answer.
INSERT OR IGNORE INTO pending_vectors (space, number, version, attempts, not_before)
SELECT :space, :number, :version, 0, 0 WHERE EXISTS (
    SELECT 1 FROM vectors AS v
    WHERE v.space = :space AND v.number = :number AND v.version = :version AND v.bits IS NOT NULL
)

-- name: embedded_memories
-- The next memories of a scope that have a vector in a space, whatever their status.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE {visible} AND m.scope = :scope AND m.recorded_until IS NULL AND m.number > :after
  AND EXISTS (SELECT 1 FROM vectors AS v WHERE v.space = :space AND v.number = m.number)
ORDER BY m.number LIMIT :limit

-- name: held_vectors
-- In how many bits the vectors of listed memories are, and which of their wordings wait.
SELECT v.id, v.number, v.version, v.bits, EXISTS (
    SELECT 1 FROM pending_vectors AS p
    WHERE p.space = v.space AND p.number = v.number AND p.version = v.version
)
FROM vectors AS v
WHERE v.space = :space AND v.number IN ({listed_numbers})
ORDER BY v.number, v.id

-- name: settle_wording
-- A wording no longer waits in a space.
DELETE FROM pending_vectors WHERE space = :space AND number = :number AND version = :version

-- name: postpone_wording
-- Try a wording again later.
UPDATE pending_vectors SET attempts = attempts + 1, not_before = :not_before
WHERE space = :space AND number = :number AND version = :version

-- name: drop_pending
-- Nothing is embedded any more for a space that retired.
DELETE FROM pending_vectors WHERE space = :space

-- name: shed_vectors
-- Some of the vectors of a space that retired go.
DELETE FROM vectors WHERE id IN (SELECT v.id FROM vectors AS v WHERE v.space = :space LIMIT :limit)

-- name: vectors_after
-- The next vectors of a space in order of id; the plus keeps to that order.
SELECT id, number, version, part, vector AS sealable_vector, bits FROM vectors
WHERE id > :after AND +space = :space ORDER BY id LIMIT :limit

-- name: vector_places_after
-- To which wordings the next vectors of a space belong.
SELECT id, number, version, part FROM vectors
WHERE id > :after AND +space = :space ORDER BY id LIMIT :limit

-- name: vectors_by_id
-- Some vectors, for exact comparison.
SELECT id, vector AS sealable_vector, bits FROM vectors WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id

-- name: vector_place
-- To which wording a vector belongs, in how many bits it is, and its bytes.
SELECT number, version, part, bits, vector FROM vectors WHERE id = :id AND space = :space

-- name: wordings_after
-- Narrow rows of all states in their order, for the table that recall holds in memory; every hit
-- goes through a scoped query before anybody sees it. What was drawn from a turn has no place of its
-- own in the session. That nothing is stated (256) counts of turns alone: what somebody wants to be
-- remembered is found. Tokens that are cut short are none; the last column tells of which readable
-- wordings they are lacking.
SELECT m.state, m.number, m.version, m.scope, m.status,
       CASE WHEN m.learned_by = 'observe' AND m.category <> 'turn' THEN NULL ELSE m.session END,
       m.speaker, m.source_class, m.happened_at, m.recorded_until,
       CASE WHEN length(t.tokens) % 4 = 0 THEN t.tokens END,
       CASE WHEN m.category = 'turn' THEN t.flags ELSE t.flags & ~256 END,
       {in_index} AND coalesce(length(t.tokens) % 4, 1) <> 0
FROM memories AS m LEFT JOIN traits AS t ON t.number = m.number AND t.version = m.version
WHERE m.state > :after ORDER BY m.state LIMIT :limit

-- name: states_closed_after
-- States that were closed by what the audit notes after a position: numbers and times alone. Where
-- lines after that position were let go, all that are closed.
SELECT m.state, m.recorded_until
FROM audit AS a JOIN memories AS m ON m.id = a.memory_id
WHERE a.sequence > :after AND a.change_id IS NOT NULL AND m.recorded_until IS NOT NULL
UNION
SELECT m.state, m.recorded_until FROM memories AS m
WHERE :after + 1 < (SELECT min(sequence) FROM audit) AND m.recorded_until IS NOT NULL
ORDER BY 1

-- name: state_position
-- The last state and the last line of the audit: what has happened since is beyond them.
SELECT (SELECT coalesce(max(state), 0) FROM memories), (SELECT audit_count FROM ledger)

-- name: note_unsent
-- Protected texts are not sent to who embeds for this store.
INSERT OR IGNORE INTO meta (key, value) VALUES ('protected_unsent', '1')

-- name: send_again
-- From now on they are.
UPDATE meta SET key = 'protected_sent' WHERE key = 'protected_unsent'

-- name: tiers_moved_after
-- Whether a memory was given another tier, or got its old one back, after a line of the audit.
SELECT EXISTS (
    SELECT 1 FROM audit AS a WHERE a.sequence > :after AND (a.action = 'tier' OR (
        a.action = 'undo' AND a.memory_id IN (
            SELECT m.id FROM tier_moves AS t CROSS JOIN memories AS m WHERE m.number = t.number
        )
    ))
)

-- name: note_traits_version
-- By which rules the traits of this store are made.
INSERT INTO meta (key, value) VALUES ('traits_version', :version)
ON CONFLICT (key) DO UPDATE SET value = excluded.value

-- name: queue_all_traits
-- Make the traits of every readable wording anew.
INSERT OR IGNORE INTO pending_traits (number, version)
SELECT m.number, m.version FROM memories AS m WHERE {in_index}

-- name: queue_missing_traits
-- Make the traits that are missing.
INSERT OR IGNORE INTO pending_traits (number, version)
SELECT m.number, m.version FROM memories AS m WHERE {in_index} AND NOT EXISTS (
    SELECT 1 FROM traits AS t WHERE t.number = m.number AND t.version = m.version
)

-- name: queue_damaged_traits
-- Make the traits anew whose tokens are cut short: each takes four bytes.
INSERT OR IGNORE INTO pending_traits (number, version)
SELECT t.number, t.version FROM traits AS t WHERE length(t.tokens) % 4 <> 0

-- name: damaged_traits
-- How many wordings have tokens that are cut short.
SELECT count(*) FROM traits WHERE length(tokens) % 4 <> 0

-- name: are_traits_lacking
-- Whether a readable wording has no traits, or damaged ones, and does not wait for them.
SELECT EXISTS (
    SELECT 1 FROM memories AS m
    LEFT JOIN traits AS t ON t.number = m.number AND t.version = m.version
    WHERE {in_index} AND coalesce(length(t.tokens) % 4, 1) <> 0
      AND NOT EXISTS (
        SELECT 1 FROM pending_traits AS p WHERE p.number = m.number AND p.version = m.version
      )
)

-- name: due_traits
-- Some wordings whose traits are to be made, with their text.
SELECT p.number, p.version, (
    SELECT {index_words} FROM memories AS m
    WHERE m.number = p.number AND m.version = p.version AND {in_index}
    ORDER BY m.state DESC LIMIT 1
)
FROM pending_traits AS p ORDER BY p.number, p.version LIMIT :limit

-- name: replace_traits
-- The traits of a wording, made anew.
INSERT OR REPLACE INTO traits (number, version, tokens, flags)
VALUES (:number, :version, :tokens, :flags)

-- name: settle_traits
-- A wording no longer waits for its traits.
DELETE FROM pending_traits WHERE number = :number AND version = :version

-- name: missing_traits
-- How many readable wordings have no traits and do not wait for them.
SELECT count(*) FROM (
    SELECT DISTINCT m.number, m.version FROM memories AS m
    WHERE {in_index}
      AND NOT EXISTS (SELECT 1 FROM traits AS t WHERE t.number = m.number AND t.version = m.version)
      AND NOT EXISTS (
        SELECT 1 FROM pending_traits AS p WHERE p.number = m.number AND p.version = m.version
      )
)

-- name: missing_vectors
-- How many present wordings have neither a vector nor a place in the queue of a space. Protected
-- ones lack nothing where their text is not sent to who embeds.
SELECT count(*) FROM memories AS m
WHERE m.recorded_until IS NULL
  AND (m.sealed_content IS NULL OR NOT EXISTS (SELECT 1 FROM meta WHERE key = 'protected_unsent'))
  AND NOT EXISTS (
    SELECT 1 FROM vectors AS v
    WHERE v.space = :space AND v.number = m.number AND v.version = m.version
  )
  AND NOT EXISTS (
    SELECT 1 FROM pending_vectors AS p
    WHERE p.space = :space AND p.number = m.number AND p.version = m.version
  )

-- name: orphans
-- How many vectors, queued wordings and traits belong to no wording or to no space.
SELECT (
    SELECT count(*) FROM vectors AS v WHERE v.space NOT IN (SELECT space FROM spaces)
    OR NOT EXISTS (SELECT 1 FROM memories AS m WHERE m.number = v.number AND m.version = v.version)
), (
    SELECT count(*) FROM pending_vectors AS p WHERE p.space NOT IN (SELECT space FROM spaces)
    OR NOT EXISTS (SELECT 1 FROM memories AS m WHERE m.number = p.number AND m.version = p.version)
), (
    SELECT count(*) FROM traits AS t
    WHERE NOT EXISTS (SELECT 1 FROM memories AS m WHERE m.number = t.number AND m.version = t.version)
)

-- name: drop_orphaned_vectors
-- Vectors of wordings or spaces that are not there go.
DELETE FROM vectors WHERE space NOT IN (SELECT space FROM spaces) OR NOT EXISTS (
    SELECT 1 FROM memories AS m WHERE m.number = vectors.number AND m.version = vectors.version
)

-- name: drop_orphaned_pending
-- Nobody waits for wordings or spaces that are not there.
DELETE FROM pending_vectors WHERE space NOT IN (SELECT space FROM spaces) OR NOT EXISTS (
    SELECT 1 FROM memories AS m
    WHERE m.number = pending_vectors.number AND m.version = pending_vectors.version
)

-- name: drop_orphaned_traits
-- Traits of wordings that are not there go.
DELETE FROM traits WHERE NOT EXISTS (
    SELECT 1 FROM memories AS m WHERE m.number = traits.number AND m.version = traits.version
)

-- name: drop_wording_vectors
-- All parts of one wording in one space go, to be made anew.
DELETE FROM vectors WHERE space = :space AND number = :number AND version = :version

-- name: usual_vector_bytes
-- How long most vectors of a space are that are in the most bits; no row where it has none. Sealed
-- ones do not tell: they are longer than what they hold.
SELECT length(vector), bits FROM vectors
WHERE space = :space AND substr(vector, 1, 4) <> x'1a455331'
GROUP BY length(vector), bits
ORDER BY bits IS NOT NULL, bits DESC, count(*) DESC, length(vector) LIMIT 1

-- name: set_dimension
-- How many numbers the vectors of a space have.
UPDATE spaces SET dimension = :dimension WHERE space = :space

-- name: miscounted_spaces
-- How many spaces note another number of vectors than they have.
SELECT count(*) FROM spaces AS s
WHERE s.vectors <> (SELECT count(*) FROM vectors AS v WHERE v.space = s.space)
   OR s.highest < (SELECT coalesce(max(v.id), 0) FROM vectors AS v WHERE v.space = s.space)
