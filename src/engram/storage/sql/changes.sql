-- name: insert_change
-- A decision that altered the store.
INSERT INTO changes (id, action, at, actor, scope, reason, numbers, undoes)
VALUES (:id, :action, :at, :actor, :scope, :reason, :numbers, :undoes)

-- name: change_by_id
-- One change and the memories it touched; the caller's reach is checked on each of them.
SELECT c.id, c.action, c.at, c.actor, c.scope, c.reason, c.undoes, c.undone_by, c.numbers
FROM changes AS c WHERE c.id = :id

-- name: mark_undone
-- Note which change took this one back; NULL when that was itself undone.
UPDATE changes SET undone_by = :undone_by WHERE id = :id

-- name: insert_audit
-- One line of the audit.
INSERT INTO audit (
    sequence, at, actor, action, memory_id, change_id, scope, count, digest, entry_hash
) VALUES (
    :sequence, :at, :actor, :action, :memory_id, :change_id, :scope, :count, :digest, :entry_hash
)

-- name: audit_lines
-- What happened in the scopes a caller may see, newest first.
SELECT m.sequence, m.at, m.actor, m.action, m.memory_id, m.change_id, m.scope, m.count, m.digest,
       m.entry_hash
FROM audit AS m
WHERE {visible}
  AND (:memory_id IS NULL OR m.memory_id = :memory_id)
  AND (:action IS NULL OR m.action = :action)
  AND (:since IS NULL OR m.at >= :since)
  AND (:before IS NULL OR m.sequence < :before)
ORDER BY m.sequence DESC LIMIT :limit

-- name: audit_chain
-- Every line in order, to verify the chain; only hashes leave this query's caller.
SELECT sequence, at, actor, action, memory_id, change_id, scope, count, digest, entry_hash
FROM audit WHERE sequence > :after ORDER BY sequence LIMIT :limit

-- name: read_ledger
-- The counters, the audit's head, and the schema this transaction meets.
SELECT last_number, audit_count, audit_head,
       (SELECT max(version) FROM schema_migrations),
       (SELECT value FROM meta WHERE key = 'audit_key')
FROM ledger

-- name: read_seal
-- What vouches for the audit's length and head, and whether anything was ever changed.
SELECT audit_count, audit_head, audit_seal, EXISTS (SELECT 1 FROM changes) FROM ledger

-- name: write_ledger
-- The counters and the audit's head after this transaction.
UPDATE ledger SET last_number = :last_number, audit_count = :audit_count, audit_head = :audit_head,
    audit_seal = :audit_seal
WHERE one = 1

-- name: probe_write
-- A real write, to see that writing works.
UPDATE ledger SET probed_at = :at

-- name: meta_value
-- A property of the store.
SELECT value FROM meta WHERE key = :key
