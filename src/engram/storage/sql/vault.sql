-- name: all_keys
-- Every key of every person, old ones too.
SELECT id, scope, name, key, tag_key, is_newest FROM people ORDER BY id

-- name: insert_key
-- A person's key; nothing when another process has just made the newest one.
INSERT INTO people (id, scope, name, key, tag_key, is_newest)
VALUES (:id, :scope, :name, :key, :tag_key, 1) ON CONFLICT DO NOTHING

-- name: age_keys
-- From now on no key is the newest of its person.
UPDATE people SET is_newest = 0

-- name: end_person
-- All keys of one person, old and newest: gone for ever.
DELETE FROM people WHERE scope = :scope AND name = :name

-- name: end_old_keys
-- Keys that newer ones have replaced.
DELETE FROM people WHERE is_newest = 0

-- name: name_vault
-- By what a vault is told from every other; it keeps the first such name.
INSERT INTO notes (kind, key, value) VALUES ('vault', 'id', :id) ON CONFLICT DO NOTHING

-- name: keep_note
-- Something kept outside the database.
INSERT INTO notes (kind, key, value) VALUES (:kind, :key, :value)
ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value

-- name: all_notes
-- Everything that is kept outside the database.
SELECT kind, key, value FROM notes ORDER BY kind, key

-- name: notes_of_kind
-- What is kept of one kind.
SELECT key, value FROM notes WHERE kind = :kind ORDER BY key

-- name: end_note
-- Kept no longer.
DELETE FROM notes WHERE kind = :kind AND key = :key
