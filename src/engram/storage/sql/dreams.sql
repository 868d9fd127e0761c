-- name: insert_dream
-- A dream begins.
INSERT INTO dreams (id, at, actor, scope, steps, began_at)
VALUES (:id, :at, :actor, :scope, :steps, :began_at)

-- name: finish_dream
-- A dream has come to its end.
UPDATE dreams SET finished_at = :finished_at WHERE id = :id

-- name: abandon_dreams
-- Dreams of a scope that stopped half-way and will not go on.
UPDATE dreams SET finished_at = :finished_at
WHERE finished_at IS NULL AND scope = :scope AND id <> :id

-- name: unfinished_dream
-- The dream of a caller over these steps that stopped half-way.
SELECT m.id, m.at FROM dreams AS m
WHERE {visible} AND m.finished_at IS NULL AND m.scope = :scope AND m.actor = :actor
  AND m.steps = :steps AND m.began_at >= :since
ORDER BY m.began_at DESC LIMIT 1

-- name: dreams
-- The last dreams in sight, newest first.
SELECT m.id, m.at, m.actor, m.scope, m.steps, m.finished_at
FROM dreams AS m
WHERE {visible} AND (:id IS NULL OR m.id = :id)
ORDER BY m.began_at DESC, m.id DESC LIMIT :limit

-- name: dream_counts
-- How many decisions dreams made in the scopes the caller sees, and how many of them are undone.
SELECT m.dream, count(DISTINCT m.scope || ' ' || m.step || ' ' || m.key),
       count(DISTINCT CASE WHEN c.undone_by IS NOT NULL
                           THEN m.scope || ' ' || m.step || ' ' || m.key END)
FROM json_each(:dreams) AS n CROSS JOIN dream_decisions AS m CROSS JOIN changes AS c
WHERE m.dream = n.value AND c.id = m.change_id AND {visible}
GROUP BY m.dream

-- name: insert_dream_step
-- A pass over one scope is done.
INSERT INTO dream_steps (
    dream, step, scope, looked_at, findings, skipped, seconds, is_whole
) VALUES (:dream, :step, :scope, :looked_at, :findings, :skipped, :seconds, :is_whole)
ON CONFLICT (dream, step, scope) DO NOTHING

-- name: dream_steps
-- The passes of a dream that are done, in the scopes the caller sees.
SELECT m.step, m.scope, m.looked_at, m.findings, m.skipped, m.seconds, m.is_whole
FROM dream_steps AS m
WHERE m.dream = :dream AND {visible}

-- name: insert_dream_decision
-- A change was made by a dream.
INSERT INTO dream_decisions (change_id, dream, step, scope, key, why, numbers)
VALUES (:change_id, :dream, :step, :scope, :key, :why, :numbers)

-- name: dream_decisions
-- What a dream decided in the scopes the caller sees, in its order.
SELECT m.step, m.scope, m.key, m.why, m.change_id, m.numbers FROM dream_decisions AS m
WHERE m.dream = :dream AND {visible}
ORDER BY m.sequence

-- name: dream_changes
-- The changes of a dream, or of one pass of it, that stand: the last first.
SELECT m.change_id, m.scope
FROM dream_decisions AS m JOIN changes AS c ON c.id = m.change_id
WHERE m.dream = :dream AND (:step IS NULL OR m.step = :step) AND c.undone_by IS NULL AND {visible}
ORDER BY m.sequence DESC

-- name: undone_decisions
-- Those of some decisions that were made in a scope and taken back.
SELECT DISTINCT m.key
FROM json_each(:keys) AS k CROSS JOIN dream_decisions AS m CROSS JOIN changes AS c
WHERE m.key = k.value AND m.scope = :scope AND m.step = :step AND {visible}
  AND c.id = m.change_id AND c.undone_by IS NOT NULL

-- name: dream_mark
-- How far a pass got in a scope.
SELECT m.mark FROM dream_marks AS m WHERE m.step = :step AND m.scope = :scope AND {visible}

-- name: keep_dream_mark
-- How far a pass got in a scope.
INSERT INTO dream_marks (step, scope, mark) VALUES (:step, :scope, :mark)
ON CONFLICT (step, scope) DO UPDATE SET mark = excluded.mark

-- name: dream_scopes
-- The scopes in sight that hold memories.
SELECT DISTINCT m.scope FROM memories AS m WHERE {visible} AND m.recorded_until IS NULL
ORDER BY m.scope

-- name: dream_statements
-- What a scope holds as statements that can be recalled: no turns, nothing that dreams derived, and
-- nothing confidential, which is woven into nothing else.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE {visible} AND m.scope = :scope AND m.recorded_until IS NULL
  AND m.status IN ('active', 'challenged') AND (m.stale_at IS NULL OR m.stale_at > :instant)
  AND (m.valid_from IS NULL OR m.valid_from <= :instant)
  AND (m.valid_until IS NULL OR m.valid_until > :instant)
  AND m.category <> 'turn' AND m.learned_by <> 'dream' AND m.secrecy <> 'confidential'
ORDER BY m.number DESC LIMIT :limit

-- fragment: artefact_columns
-- Everything an Artefact is made of, in the order storage/artefacts.py reads it.
m.kind, m.scope, coalesce(m.sealed_key, m.key) AS sealable_key, m.text AS sealable_text,
m.body AS sealable_body, m.sources, m.trust, m.secrecy, m.made_at, m.change_id

-- name: artefact
-- The artefact of a kind, scope and key that stands.
SELECT {artefact_columns}
FROM artefacts AS m
WHERE m.kind = :kind AND m.scope = :scope AND m.key IN (:key, :tagged) AND m.ended_by IS NULL AND {visible}

-- name: artefacts
-- The artefacts of a kind that stand, in one scope or in all in sight.
SELECT {artefact_columns}
FROM artefacts AS m
WHERE m.kind = :kind AND m.ended_by IS NULL AND (:scope IS NULL OR m.scope = :scope) AND {visible}
ORDER BY m.scope, m.key LIMIT :limit

-- name: insert_artefact
-- Something that was made of memories.
INSERT INTO artefacts (
    kind, scope, key, sealed_key, text, body, sources, trust, secrecy, made_at, change_id
) VALUES (
    :kind, :scope, :key, :sealed_key, :text, :body, :sources, :trust, :secrecy, :made_at, :change_id
)

-- name: end_artefact
-- What stands gives way, or goes.
UPDATE artefacts SET ended_by = :change_id
WHERE kind = :kind AND scope = :scope AND key IN (:key, :tagged) AND ended_by IS NULL

-- name: artefacts_touched_by
-- What a change made and what it ended.
SELECT artefact, kind, scope, key, change_id, ended_by, copy_of FROM artefacts
WHERE change_id = :change_id OR ended_by = :change_id
ORDER BY artefact

-- name: artefact_stands
-- Whether something of a kind, scope and key stands.
SELECT artefact, copy_of FROM artefacts
WHERE kind = :kind AND scope = :scope AND key = :key AND ended_by IS NULL

-- name: set_artefact_end
-- What a change made is taken back.
UPDATE artefacts SET ended_by = :ended_by WHERE artefact = :artefact

-- name: artefact_again
-- What a change ended stands again.
INSERT INTO artefacts (
    kind, scope, key, sealed_key, text, body, sources, trust, secrecy, made_at, change_id, copy_of
)
SELECT kind, scope, key, sealed_key, text, body, sources, trust, secrecy, made_at, :change_id,
       coalesce(copy_of, artefact)
FROM artefacts WHERE artefact = :artefact

-- name: insert_rehearsal
-- A memory was gone through again.
INSERT INTO rehearsals (number, change_id, at) VALUES (:number, :change_id, :at)

-- name: rehearsals_withdrawn
-- Whether what a change rehearsed was taken back.
SELECT withdrawn_by, number FROM rehearsals WHERE change_id = :change_id

-- name: withdraw_rehearsals
-- Take back, or do again, what a change rehearsed.
UPDATE rehearsals SET withdrawn_by = :withdrawn_by WHERE change_id = :change_id

-- name: count_rehearsal
-- When a memory was last gone through, as far as that stands.
INSERT INTO usage (number, accesses, spaced_accesses, last_accessed_at, confirmations, rehearsed_at)
VALUES (:number, 0, 0, NULL, 0,
        (SELECT max(at) FROM rehearsals WHERE number = :number AND withdrawn_by IS NULL))
ON CONFLICT (number) DO UPDATE SET rehearsed_at = excluded.rehearsed_at

-- name: rehearsed_since
-- How often memories were gone through since a moment each, as far as that stands.
SELECT r.number, count(*)
FROM json_each(:numbers) AS n CROSS JOIN rehearsals AS r CROSS JOIN memories AS m
WHERE r.number = n.value AND r.withdrawn_by IS NULL
  AND m.number = r.number AND m.recorded_until IS NULL AND {visible}
  AND r.at > coalesce((SELECT u.last_accessed_at FROM usage AS u WHERE u.number = r.number), 0)
GROUP BY r.number

-- name: perhaps_over
-- What a scope holds that may have come to its end: guesses, promises, and what is past its horizon.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE {visible} AND m.scope = :scope AND m.recorded_until IS NULL AND m.number > :after
  AND m.is_pinned = 0 AND m.category <> 'turn' AND m.status IN ('active', 'challenged', 'stale')
  AND (m.confidence < :speculative OR m.category = :commitment
       OR (m.status = 'active' AND m.stale_at <= :instant))
ORDER BY m.number LIMIT :limit

-- name: last_confirmed
-- When listed memories in sight were last said again.
SELECT f.number, max(f.happened_at)
FROM json_each(:numbers) AS n CROSS JOIN confirmations AS f CROSS JOIN memories AS m
WHERE f.number = n.value AND f.withdrawn_by IS NULL
  AND m.number = f.number AND m.recorded_until IS NULL AND {visible}
GROUP BY f.number

-- name: perhaps_faded
-- Active statements of a scope that are old and hardly used, in the layers that are asked for.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE {visible} AND m.scope = :scope AND m.recorded_until IS NULL AND m.number > :after
  AND m.status = 'active' AND m.is_pinned = 0 AND m.category <> 'turn'
  AND m.layer IN (:layer_0, :layer_1, :layer_2) AND m.learned_at < :learned_before
  AND coalesce(u.accesses, 0) < :accesses
ORDER BY m.number LIMIT :limit

-- name: places_taken
-- The memories of a scope that took the place of others.
SELECT DISTINCT m.superseded_by FROM memories AS m
WHERE {visible} AND m.scope = :scope AND m.recorded_until IS NULL AND m.superseded_by IS NOT NULL

-- name: count_recalled
-- How many turns, and how many statements, of a scope are recalled.
SELECT coalesce(sum(m.category = 'turn'), 0), coalesce(sum(m.category <> 'turn'), 0)
FROM memories AS m
WHERE {visible} AND m.scope = :scope AND m.recorded_until IS NULL
  AND m.status IN ('active', 'challenged')

-- name: turns_since
-- How many turns of a scope were taken in since a moment, whatever became of them.
SELECT count(*) FROM memories AS m
WHERE {visible} AND m.scope = :scope AND m.recorded_until IS NULL AND m.category = 'turn'
  AND m.learned_at > :since

-- name: idle_turns
-- Active turns of a scope that have been read, by when they were last touched: those since the last
-- one that was looked at, until a moment.
SELECT number, touched_at FROM (
    SELECT m.number, max(
        m.learned_at, coalesce(m.last_verified_at, 0), coalesce(u.last_accessed_at, 0),
        coalesce(u.rehearsed_at, 0)
    ) AS touched_at
    FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
    WHERE {visible} AND m.scope = :scope AND m.recorded_until IS NULL
      AND m.category = 'turn' AND m.status = 'active' AND m.is_pinned = 0
      AND m.learned_at <= :until
      AND NOT EXISTS (SELECT 1 FROM unread_turns AS w WHERE w.number = m.number)
)
WHERE touched_at <= :until AND (touched_at, number) > (:since, :after)
ORDER BY touched_at, number LIMIT :limit

-- name: listed_memories
-- Listed memories in sight as they are now.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.number IN ({listed_numbers}) AND m.recorded_until IS NULL AND {visible}
ORDER BY m.number

-- name: turns_behind
-- The turns in sight that listed statements were drawn from, and whether each is still recalled.
SELECT s.number, s.source_number, m.status IN ('active', 'challenged')
FROM sources AS s CROSS JOIN memories AS m ON m.number = s.source_number AND m.recorded_until IS NULL
WHERE s.number IN ({listed_numbers}) AND {visible}
ORDER BY s.number, s.source_number

-- name: told_of_turns
-- What was drawn from listed turns in sight, and whether that is still a word on the matter.
SELECT s.source_number, coalesce(m.content, m.sealed_content) AS sealable_text,
       m.status IN ('active', 'challenged', 'stale', 'superseded', 'merged')
FROM sources AS s CROSS JOIN memories AS m ON m.number = s.number AND m.recorded_until IS NULL
WHERE s.source_number IN ({listed_numbers}) AND {visible}
ORDER BY s.source_number, s.number

-- name: perhaps_moved
-- Statements of a scope that may have another layer: working memory, episodes that are used, and
-- knowledge that a dream derived or promoted and somebody doubts.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE {visible} AND m.scope = :scope AND m.recorded_until IS NULL AND m.number > :after
  AND m.category <> 'turn' AND m.is_pinned = 0
  AND (
    (m.status = 'active'
     AND (m.layer = 'working' OR (m.layer = 'episodic' AND u.accesses >= :accesses)))
    OR (
      m.layer = 'semantic' AND m.status IN ('active', 'challenged')
      AND m.source_class <> 'person' AND m.last_verified_at IS NULL
      AND (m.status = 'challenged' OR EXISTS (
          SELECT 1 FROM feedback AS f
          WHERE f.number = m.number AND f.is_helpful = 0 AND f.withdrawn_by IS NULL))
      AND (m.learned_by = 'dream' OR EXISTS (
          SELECT 1 FROM memories AS p CROSS JOIN dream_decisions AS d ON d.change_id = p.change_id
          WHERE p.number = m.number AND d.step = 'promote'))
    )
  )
ORDER BY m.number LIMIT :limit

-- name: names_in_statements
-- The names that stand in the statements of a scope in sight, by number.
SELECT n.number, n.name, n.surface, n.type
FROM memories AS m CROSS JOIN mentions AS n ON n.number = m.number
WHERE {visible} AND m.scope = :scope AND m.recorded_until IS NULL
  AND m.status IN ('active', 'challenged') AND m.category <> 'turn' AND m.learned_by <> 'dream'
ORDER BY n.number, n.name, n.surface LIMIT :limit

-- name: aliases_around
-- What was decided about names in a scope in sight and in those around it, the narrowest last.
SELECT a.name, a.entity FROM aliases AS a
WHERE a.withdrawn_by IS NULL AND a.scope IN (SELECT value FROM json_each(:chain))
  AND EXISTS (SELECT 1 FROM (SELECT :scope AS scope) AS m WHERE {visible})
ORDER BY length(a.scope), a.scope, a.name

-- name: numbers_in_boxes
-- What lies in the boxes of a scope in sight.
SELECT b.box, b.number
FROM boxes AS m CROSS JOIN box_members AS b ON b.box = m.id
WHERE {visible} AND m.scope = :scope
ORDER BY b.box, b.number

-- name: much_used_memories
-- Statements of a scope in sight that were used often and that nobody has retired, oldest first.
SELECT {columns} FROM usage AS u CROSS JOIN memories AS m ON m.number = u.number
WHERE u.accesses >= :uses AND {visible} AND m.scope = :scope AND m.recorded_until IS NULL
  AND m.status IN ('active', 'stale') AND m.category <> 'turn' AND m.learned_by <> 'dream'
ORDER BY m.number LIMIT :limit

-- name: asked_questions
-- The questions about gaps in sight that were put since a moment, or in a session at any time.
SELECT m.gap, m.session, m.at FROM questions_asked AS m
WHERE {visible} AND (m.at > :since OR m.session = :session)

-- name: note_question
-- A question was put.
INSERT INTO questions_asked (scope, gap, session, at) VALUES (:scope, :gap, :session, :at)
ON CONFLICT (scope, gap, at) DO NOTHING

-- name: standing_wordings
-- Which of some memories can be recalled now, and in which wording.
SELECT m.number, m.version
FROM json_each(:numbers) AS n CROSS JOIN memories AS m
WHERE m.number = n.value AND m.recorded_until IS NULL AND {visible}
  AND m.status IN ('active', 'challenged') AND (m.stale_at IS NULL OR m.stale_at > :instant)
  AND (m.valid_from IS NULL OR m.valid_from <= :instant)
  AND (m.valid_until IS NULL OR m.valid_until > :instant)

-- name: last_dreams
-- When the store as a whole was last dreamt over, by the passes of those dreams.
SELECT steps, max(at) FROM dreams WHERE scope = '/' AND finished_at IS NOT NULL GROUP BY steps

-- name: changes_of_people
-- When the first change was, and the last that no dream made since a moment; how often was read.
SELECT (SELECT min(c.at) FROM (SELECT at FROM changes ORDER BY id LIMIT 1) AS c),
       (SELECT max(c.at) FROM changes AS c WHERE c.id > :after
        AND NOT EXISTS (SELECT 1 FROM dream_decisions AS d WHERE d.change_id = c.id)),
       (SELECT count(*) FROM changes AS c WHERE c.id > :after AND c.action = 'learn')

-- name: artefacts_about
-- The artefacts of a kind that stand under one of these keys, in all scopes in sight.
SELECT {artefact_columns}
FROM artefacts AS m
WHERE m.kind = :kind AND m.ended_by IS NULL
  AND m.key IN (SELECT value FROM json_each(:keys)) AND {visible}
ORDER BY m.scope, m.key

-- name: state_moves
-- By day: how many states of each status began and, below 0, how many ended.
SELECT m.recorded_at / 86400000000, m.status, count(*)
FROM memories AS m WHERE {visible} GROUP BY 1, 2
UNION ALL
SELECT m.recorded_until / 86400000000, m.status, -count(*)
FROM memories AS m WHERE {visible} AND m.recorded_until IS NOT NULL GROUP BY 1, 2

-- name: learned_by_day
-- How many memories were learned on each day.
SELECT m.learned_at / 86400000000, count(DISTINCT m.number)
FROM memories AS m WHERE {visible} GROUP BY 1

-- name: decisions_by_dream
-- What the last dreams decided in the scopes the caller sees, by action, as far as it stands.
SELECT d.id, d.at, c.action, count(*)
FROM (
    SELECT s.id, s.at FROM dreams AS s
    WHERE :since IS NULL OR s.at >= :since ORDER BY s.at DESC, s.id DESC LIMIT :limit
) AS d
JOIN dream_decisions AS m ON m.dream = d.id
JOIN changes AS c ON c.id = m.change_id
WHERE {visible} AND c.undone_by IS NULL
GROUP BY d.id, d.at, c.action

-- name: memories_in_use
-- The memories that can be recalled, newest first, to see how they fade.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE {visible} AND m.recorded_until IS NULL AND m.status IN ('active', 'challenged', 'stale')
ORDER BY m.number DESC LIMIT :limit

-- name: links_in_scope
-- The links between memories of a scope in sight, and when each was made.
SELECT l.from_number, l.to_number, l.relation, c.at
FROM links AS l CROSS JOIN memories AS m CROSS JOIN changes AS c
WHERE m.number = l.from_number AND m.recorded_until IS NULL AND {visible} AND m.scope = :scope
  AND l.withdrawn_by IS NULL AND c.id = l.change_id
ORDER BY l.from_number, l.to_number, l.relation

-- name: tried_in_vain
-- Which of some wordings wait in a space, and how often each was tried.
SELECT p.number, p.version, p.attempts FROM pending_vectors AS p
WHERE p.space = :space AND p.number IN (SELECT value FROM json_each(:numbers))

-- name: retry_wording
-- Try a wording at once, and count anew how often.
UPDATE pending_vectors SET attempts = 0, not_before = 0
WHERE space = :space AND number = :number AND version = :version

-- name: derived_statements
-- What dreams derived in a scope, whatever became of it.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE {visible} AND m.scope = :scope AND m.recorded_until IS NULL AND m.learned_by = 'dream'
ORDER BY m.number DESC LIMIT :limit

-- name: artefacts_signature
-- By what a copy of the artefacts of a kind in sight is known to be up to date.
SELECT count(*), coalesce(max(m.artefact), 0) FROM artefacts AS m
WHERE m.kind = :kind AND m.ended_by IS NULL AND {visible}

-- name: change_in_the_way
-- The last change that stands, and its dream, of those that made or ended something after this one
-- where this one did.
SELECT c.id, d.dream, d.step
FROM artefacts AS t
JOIN artefacts AS a ON a.kind = t.kind AND a.scope = t.scope AND a.key = t.key
JOIN changes AS c ON c.id IN (a.change_id, a.ended_by)
LEFT JOIN dream_decisions AS d ON d.change_id = c.id
WHERE (t.change_id = :change_id OR t.ended_by = :change_id)
  AND c.id > :change_id AND c.undoes IS NULL AND c.undone_by IS NULL
ORDER BY c.id DESC LIMIT 1

-- name: sealed_artefacts
-- The protected artefacts of a kind that stand, in all scopes in sight: their keys are not readable.
SELECT {artefact_columns}
FROM artefacts AS m
WHERE m.kind = :kind AND m.ended_by IS NULL AND m.secrecy <> 'cleartext' AND {visible}
ORDER BY m.scope, m.key

-- name: people_of_listed
-- Of whom the present states of some memories tell.
SELECT DISTINCT m.scope, coalesce(m.subject, m.speaker)
FROM json_each(:numbers) AS listed CROSS JOIN memories AS m
WHERE m.number = listed.value AND m.recorded_until IS NULL
