-- name: drop_mentions
-- Forget which names stand in a memory.
DELETE FROM mentions WHERE number = :number

-- name: keep_mention
-- A name stands in a memory.
INSERT OR IGNORE INTO mentions (number, name, surface, type)
VALUES (:number, :name, :surface, :type)

-- name: mentioned_names
-- The names that stand in memories in sight: how they are written, how often, from when to when.
SELECT n.name, n.surface, n.type, count(*), min(m.happened_at), max(m.happened_at)
FROM mentions AS n
CROSS JOIN memories AS m ON m.number = n.number AND m.recorded_until IS NULL
WHERE {visible} AND m.status IN ('active', 'challenged', 'stale')
GROUP BY n.name, n.surface, n.type
ORDER BY 4 DESC, 1, 2, 3 LIMIT :limit

-- name: short_names
-- Each first name alone in a talk in sight, with the full name that stands nearest to it there.
WITH told AS (
    SELECT n.number, n.name, n.surface, m.session, m.scope, m.happened_at
    FROM mentions AS n
    CROSS JOIN memories AS m ON m.number = n.number AND m.recorded_until IS NULL
    WHERE n.type = 'person' AND m.session IS NOT NULL
      AND {visible} AND m.status IN ('active', 'challenged', 'stale')
), fuller AS (
    SELECT number, name, session, scope, substr(name, 1, instr(name, ' ') - 1) AS first_name
    FROM told WHERE instr(name, ' ') > 0
), paired AS (
    SELECT t.number, t.name, f.name AS full_name, t.surface, t.happened_at, row_number() OVER (
        PARTITION BY t.number, t.name ORDER BY abs(f.number - t.number), f.number DESC
    ) AS place
    FROM fuller AS f JOIN told AS t
      ON t.session = f.session AND t.scope = f.scope AND t.name = f.first_name
)
SELECT number, name, full_name, surface, happened_at FROM paired WHERE place = 1
ORDER BY number, name LIMIT :limit

-- name: memories_naming
-- The memories in sight in which one of these names stands, newest first; a first name alone
-- counts for the person whom it means in its talk.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.number IN (
    SELECT n.number FROM mentions AS n WHERE n.name IN (SELECT value FROM json_each(:names))
      AND n.number || ' ' || n.name NOT IN (SELECT value FROM json_each(:meant_otherwise))
    UNION SELECT value FROM json_each(:meant_here)
  )
  AND m.recorded_until IS NULL AND m.status IN ('active', 'challenged', 'stale') AND {visible}
ORDER BY m.happened_at DESC, m.number DESC LIMIT :limit

-- name: names_beside
-- The other names in the memories in sight in which one of these names stands.
SELECT o.name, o.surface, o.type, count(*)
FROM mentions AS n
CROSS JOIN memories AS m ON m.number = n.number AND m.recorded_until IS NULL
CROSS JOIN mentions AS o ON o.number = n.number AND o.name <> n.name
WHERE n.name IN (SELECT value FROM json_each(:names))
  AND o.name NOT IN (SELECT value FROM json_each(:names))
  AND {visible} AND m.status IN ('active', 'challenged', 'stale')
GROUP BY o.name, o.surface, o.type
ORDER BY 4 DESC, 1 LIMIT :limit

-- name: standing_aliases
-- The decisions in sight that a name means an entity, the narrowest scope last.
SELECT m.name, m.entity, m.how, m.scope, m.change_id FROM aliases AS m
WHERE m.withdrawn_by IS NULL AND {visible}
ORDER BY length(m.scope), m.scope, m.name

-- name: alias_decided_by
-- Who decided about a name in a scope in sight.
SELECT c.actor FROM aliases AS m JOIN changes AS c ON c.id = m.change_id
WHERE m.scope = :scope AND m.name = :name AND m.withdrawn_by IS NULL AND {visible}

-- name: insert_alias
-- A name means an entity from now on.
INSERT INTO aliases (change_id, scope, name, entity, how)
VALUES (:change_id, :scope, :name, :entity, :how)

-- name: withdraw_alias
-- Take back, or make again, what a change decided about names.
UPDATE aliases SET withdrawn_by = :withdrawn_by WHERE change_id = :change_id

-- name: end_alias
-- A scope's decision about a name gives way to another.
UPDATE aliases SET withdrawn_by = :change_id
WHERE scope = :scope AND name = :name AND withdrawn_by IS NULL

-- name: restore_ended_aliases
-- What gave way to a change stands again when that is taken back.
UPDATE aliases SET withdrawn_by = NULL WHERE withdrawn_by = :change_id

-- name: aliases_of_change
-- Which names a change decided about, and where.
SELECT scope, name, entity, withdrawn_by FROM aliases WHERE change_id = :change_id

-- fragment: box_columns
-- Everything a Box is made of, in the order boxes.py reads it.
m.id, m.scope, m.session, m.trace, m.opened_at, m.last_at, m.sealed_at, m.sealed_for, m.topics,
m.members

-- name: open_box
-- The box of a session in sight that is still open.
SELECT {box_columns} FROM boxes AS m
WHERE m.scope = :scope AND m.session = :session AND m.sealed_at IS NULL AND {visible}
LIMIT 1

-- name: recent_boxes
-- The last boxes of a scope in sight, newest first.
SELECT {box_columns} FROM boxes AS m
WHERE m.scope = :scope AND {visible}
ORDER BY m.last_at DESC, m.id DESC LIMIT :limit

-- name: boxes
-- The last boxes in sight, newest first.
SELECT {box_columns} FROM boxes AS m
WHERE {visible}
ORDER BY m.last_at DESC, m.id DESC LIMIT :limit

-- name: keep_box
-- A box as it is now.
INSERT INTO boxes (
    id, scope, session, trace, opened_at, last_at, sealed_at, sealed_for, topics, members
) VALUES (
    :id, :scope, :session, :trace, :opened_at, :last_at, :sealed_at, :sealed_for, :topics, :members
) ON CONFLICT (id) DO UPDATE SET
    trace = excluded.trace, last_at = excluded.last_at, sealed_at = excluded.sealed_at,
    sealed_for = excluded.sealed_for, topics = excluded.topics, members = excluded.members

-- name: put_in_box
-- A statement lies in a box; one that lies in another stays there.
INSERT OR IGNORE INTO box_members (number, box) VALUES (:number, :box)

-- name: box_members
-- What lies in a box and is in sight, in its order.
SELECT {columns} FROM box_members AS b
CROSS JOIN memories AS m ON m.number = b.number AND m.recorded_until IS NULL
LEFT JOIN usage AS u ON u.number = m.number
WHERE b.box = :box AND {visible}
ORDER BY m.number

-- name: queue_all_names
-- Make the names of every memory anew when somebody next asks.
INSERT INTO meta (key, value) SELECT 'names_to_make', CAST(last_number AS TEXT) FROM ledger
WHERE true ON CONFLICT (key) DO UPDATE SET value = excluded.value

-- name: note_names_to_make
-- Up to which number names are still to be made.
UPDATE meta SET value = :number WHERE key = 'names_to_make'

-- name: nameless_memories
-- Present readable memories up to a number, the newest first, for making their names.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.number <= :number AND m.recorded_until IS NULL AND m.secrecy = 'cleartext'
ORDER BY m.number DESC LIMIT :limit
