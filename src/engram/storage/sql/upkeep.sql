-- name: schema_version
-- Which migrations this database has seen.
SELECT coalesce(max(version), 0) FROM schema_migrations

-- name: insert_migration
-- Note a migration.
INSERT INTO schema_migrations (version, name, applied_at) VALUES (:version, :name, :applied_at)

-- name: indexable_states
-- All states whose text belongs in the index, to rebuild it.
SELECT m.state, {index_words} FROM memories AS m
WHERE {in_index} AND m.state > :after ORDER BY m.state LIMIT :limit

-- name: count_rows
-- The size of each canonical table, to compare a copy with its original.
SELECT
    (SELECT count(*) FROM memories), (SELECT count(*) FROM changes), (SELECT count(*) FROM audit),
    (SELECT count(*) FROM confirmations), (SELECT coalesce(max(last_number), 0) FROM ledger)

-- name: broken_links
-- States whose change is missing, and successors that do not exist.
SELECT
    (SELECT count(*) FROM memories WHERE change_id NOT IN (SELECT id FROM changes)),
    (SELECT count(*) FROM memories AS m WHERE m.superseded_by IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM memories AS n WHERE n.id = m.superseded_by))

-- name: replace_lost_changes
-- After a salvage, stand in for the changes that could not be read, so that no state is hidden.
INSERT INTO changes (id, action, at, actor, scope, reason, numbers)
SELECT change_id, 'repair', :at, 'engram', min(scope), 'lost to damage',
       '[' || group_concat(number) || ']'
FROM memories WHERE change_id NOT IN (SELECT id FROM changes)
GROUP BY change_id

-- name: mend_ledger
-- After a salvage, never hand out a number again, also when the ledger could not be read.
UPDATE ledger SET
    last_number = CASE
        WHEN last_number < (SELECT coalesce(max(number), 0) FROM memories)
        THEN (SELECT max(number) FROM memories) ELSE last_number
    END,
    audit_head = CASE
        WHEN audit_count < (SELECT coalesce(max(sequence), 0) FROM audit)
        THEN (SELECT entry_hash FROM audit ORDER BY sequence DESC LIMIT 1) ELSE audit_head
    END,
    audit_count = CASE
        WHEN audit_count < (SELECT coalesce(max(sequence), 0) FROM audit)
        THEN (SELECT max(sequence) FROM audit) ELSE audit_count
    END

-- name: raise_last_number
-- Never hand out a number that was used before a restore.
UPDATE ledger SET last_number = :last_number WHERE last_number < :last_number
