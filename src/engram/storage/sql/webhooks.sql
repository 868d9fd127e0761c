-- name: audit_length
-- How many lines the audit has: what a watcher compares to see that something happened.
SELECT audit_count FROM ledger

-- name: audit_hash
-- The hash of one line of the audit: what tells it from another under the same number.
SELECT entry_hash FROM audit WHERE sequence = :sequence

-- name: change_lines
-- The lines of changes in sight within a stretch of the audit, oldest first, with memory numbers.
SELECT m.sequence, m.at, m.action, m.memory_id, m.change_id, m.scope,
       (SELECT t.number FROM memories AS t WHERE t.id = m.memory_id LIMIT 1), m.entry_hash
FROM audit AS m
WHERE m.sequence > :after AND m.sequence <= :until AND m.change_id IS NOT NULL AND {visible}
ORDER BY m.sequence LIMIT :limit

-- name: insert_webhook
-- A webhook; one that sends begins with what happens next.
INSERT INTO webhooks (
    id, name, direction, url, events, scope, tells_content, secret, made_at, ended_at, cursor,
    attempts, due_at, failing_since, problem
) VALUES (
    :id, :name, :direction, :url, :events, :scope, :tells_content, :secret, :made_at, NULL,
    (SELECT audit_count FROM ledger), 0, 0, NULL, ''
)

-- name: all_webhooks
-- Every webhook, oldest first, those that were ended too.
SELECT id, name, direction, url, events, scope, tells_content, secret, made_at, ended_at, cursor,
       attempts, due_at, failing_since, problem
FROM webhooks ORDER BY made_at, id

-- name: end_webhook
-- A webhook is used no more.
UPDATE webhooks SET ended_at = :now WHERE id = :id AND ended_at IS NULL

-- name: advance_webhook
-- News up to a line of the audit have arrived; nothing stands in the way.
UPDATE webhooks SET cursor = :cursor, attempts = 0, due_at = 0, failing_since = NULL, problem = ''
WHERE id = :id AND ended_at IS NULL

-- name: resume_webhook
-- A test has arrived: what waits is due at once.
UPDATE webhooks SET attempts = 0, due_at = 0, failing_since = NULL, problem = ''
WHERE id = :id AND ended_at IS NULL

-- name: postpone_webhook
-- News could not be delivered: when to try again, and why not now.
UPDATE webhooks SET attempts = attempts + 1, due_at = :due_at, problem = :problem,
    failing_since = coalesce(failing_since, :now)
WHERE id = :id AND ended_at IS NULL

-- name: note_delivery
-- A message came in by a webhook; one that came before is left alone.
INSERT OR IGNORE INTO webhook_deliveries (webhook, delivery, received_at)
VALUES (:webhook, :delivery, :received_at)

-- name: prune_deliveries
-- Forget messages so old that no sender sends them again.
DELETE FROM webhook_deliveries WHERE received_at < :before
