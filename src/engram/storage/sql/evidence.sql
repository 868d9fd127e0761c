-- name: count_access
-- One more use of a memory; a burst within the gap is one spaced use.
INSERT INTO usage (number, accesses, spaced_accesses, last_accessed_at, confirmations)
SELECT :number, :accesses, 1, :at, 0
WHERE EXISTS (SELECT 1 FROM memories AS m WHERE m.number = :number) -- it may have been erased
ON CONFLICT (number) DO UPDATE SET
    accesses = usage.accesses + excluded.accesses,
    spaced_accesses = usage.spaced_accesses + CASE
        WHEN usage.last_accessed_at IS NULL OR :at - usage.last_accessed_at >= :gap THEN 1 ELSE 0
    END,
    last_accessed_at = CASE
        WHEN usage.last_accessed_at IS NULL OR usage.last_accessed_at < :at THEN :at
        ELSE usage.last_accessed_at
    END

-- name: insert_confirmation
-- The evidence of one confirmation.
INSERT INTO confirmations (number, change_id, happened_at, source, session, reference, content)
VALUES (:number, :change_id, :happened_at, :source, :session, :reference, :content)

-- name: add_confirmations
-- One confirmation more or fewer.
INSERT INTO usage (number, accesses, spaced_accesses, last_accessed_at, confirmations)
VALUES (:number, 0, 0, NULL, :added)
ON CONFLICT (number) DO UPDATE SET confirmations = usage.confirmations + :added

-- name: withdraw_confirmation
-- Take back, or give again, what a change confirmed.
UPDATE confirmations SET withdrawn_by = :withdrawn_by
WHERE number = :number AND change_id = :change_id

-- name: confirmation_of
-- Whether a change confirmed this memory, and whether that was taken back.
SELECT withdrawn_by FROM confirmations WHERE number = :number AND change_id = :change_id

-- name: references_of
-- The references that confirmed this visible memory.
SELECT f.reference FROM confirmations AS f
WHERE f.number = :number AND f.reference IS NOT NULL AND f.withdrawn_by IS NULL
  AND EXISTS (SELECT 1 FROM memories AS m WHERE m.number = f.number AND {visible})
ORDER BY f.change_id

-- name: idempotent_request
-- An earlier request of the same caller under the same key.
SELECT body, outcome, reason, number, change_id FROM idempotency
WHERE scope = :scope AND actor = :actor AND key = :key

-- name: insert_idempotent_request
-- Note what a request under a key came to.
INSERT INTO idempotency (scope, actor, key, body, outcome, reason, number, change_id, at)
VALUES (:scope, :actor, :key, :body, :outcome, :reason, :number, :change_id, :at)
ON CONFLICT (scope, actor, key) DO UPDATE SET
    body = excluded.body, outcome = excluded.outcome, reason = excluded.reason,
    number = excluded.number, change_id = excluded.change_id, at = excluded.at
