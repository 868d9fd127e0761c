-- name: count_old_requests
-- Requests under a key that came before a moment.
SELECT count(*) FROM idempotency WHERE at < :before

-- name: drop_old_requests
-- Nobody sends a request again after so long: its key may be used anew.
DELETE FROM idempotency WHERE (scope, actor, key) IN (
    SELECT scope, actor, key FROM idempotency WHERE at < :before
    ORDER BY at, scope, actor, key LIMIT :limit
)

-- name: count_old_artefacts
-- What was made of memories and made way for something else before a moment.
SELECT count(*) FROM artefacts AS a JOIN changes AS c ON c.id = a.ended_by
WHERE a.ended_by IS NOT NULL AND c.at < :before

-- name: drop_old_artefacts
-- Earlier versions of what was made of memories, from before the dreams that may still be undone.
DELETE FROM artefacts WHERE artefact IN (
    SELECT a.artefact FROM artefacts AS a JOIN changes AS c ON c.id = a.ended_by
    WHERE a.ended_by IS NOT NULL AND c.at < :before
    ORDER BY a.artefact LIMIT :limit
)

-- name: count_old_dream_steps
-- Dreams that ended before a moment and of whose passes more is kept than what they decided.
SELECT count(*) FROM dreams AS d
WHERE d.finished_at < :before AND EXISTS (SELECT 1 FROM dream_steps AS s WHERE s.dream = d.id)

-- name: drop_old_dream_steps
-- What the passes of old dreams saw and left; what they decided stays and can be undone.
DELETE FROM dream_steps WHERE dream IN (
    SELECT d.id FROM dreams AS d
    WHERE d.finished_at < :before AND EXISTS (SELECT 1 FROM dream_steps AS s WHERE s.dream = d.id)
    ORDER BY d.finished_at, d.id LIMIT :limit
)

-- name: count_old_questions
-- Questions about gaps that were put before a moment.
SELECT count(*) FROM questions_asked WHERE at < :before

-- name: drop_old_questions
-- That a question was put so long ago decides nothing any more.
DELETE FROM questions_asked WHERE (scope, gap, at) IN (
    SELECT scope, gap, at FROM questions_asked WHERE at < :before
    ORDER BY at, scope, gap LIMIT :limit
)

-- name: first_recent_audit_line
-- The first line of the audit that tells of something since a moment.
SELECT sequence FROM audit WHERE at >= :before ORDER BY sequence LIMIT 1

-- name: keep_checkpoint
-- From where the chain of the audit goes on.
INSERT INTO meta (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value

-- name: drop_audit_lines
-- Lines of the audit that the checkpoint stands for now.
DELETE FROM audit WHERE sequence <= :until
