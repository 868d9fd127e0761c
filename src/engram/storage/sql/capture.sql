-- name: queue_turn
-- A turn waits to be read; one that was read or waits already is left alone.
INSERT OR IGNORE INTO unread_turns (number, scope, session, kept_at, urgency, attempts, due_at)
VALUES (:number, :scope, :session, :kept_at, :urgency, 0, 0)

-- name: unread_sessions
-- The sessions in sight with turns that wait and are due: how many, since when, how urgent.
SELECT m.scope, m.session, count(*), min(m.kept_at), max(m.urgency = 'high')
FROM unread_turns AS m
WHERE m.due_at <= :now AND {visible}
GROUP BY m.scope, m.session
ORDER BY min(m.number)

-- name: unread_of_session
-- The numbers of a session's turns in sight that wait and are due, oldest first.
SELECT m.number FROM unread_turns AS m
WHERE m.scope = :scope AND m.session = :session AND m.due_at <= :now AND {visible}
ORDER BY m.number LIMIT :limit

-- name: count_unread
-- How many turns in sight wait to be read.
SELECT count(*) FROM unread_turns AS m WHERE {visible}

-- name: take_unread
-- A turn has been read.
DELETE FROM unread_turns WHERE number = :number

-- name: postpone_turn
-- A turn could not be read: try again later.
UPDATE unread_turns SET attempts = attempts + 1, due_at = :due_at WHERE number = :number

-- name: attempts_of_turn
-- How often reading a turn has failed.
SELECT attempts FROM unread_turns WHERE number = :number

-- name: turns_before
-- The turns in sight that stand before one in its session, the nearest first.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.session = :session AND m.scope = :scope AND m.number < :number
  AND m.category = 'turn' AND m.recorded_until IS NULL AND {visible}
ORDER BY m.number DESC LIMIT :limit

-- name: read_turns_after
-- The turns in sight behind a number that are in force and do not wait to be read.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.number > :number AND m.category = 'turn' AND m.recorded_until IS NULL
  AND m.status = 'active' AND {visible}
  AND NOT EXISTS (SELECT 1 FROM unread_turns AS w WHERE w.number = m.number)
ORDER BY m.number LIMIT :limit

-- name: count_read_turns
-- How many turns in sight behind a number are in force and do not wait to be read.
SELECT count(*) FROM memories AS m
WHERE m.number > :number AND m.category = 'turn' AND m.recorded_until IS NULL
  AND m.status = 'active' AND {visible}
  AND NOT EXISTS (SELECT 1 FROM unread_turns AS w WHERE w.number = m.number)

-- name: any_model_call
-- One call of a language model in sight that was answered, if there was one.
SELECT 1 FROM model_calls AS m WHERE m.outcome = 'answered' AND {visible} LIMIT 1

-- name: turns_of_caller
-- The last turns in sight of a session that one caller handed in, the newest first.
SELECT {columns} FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.session = :session AND m.scope = :scope
  AND m.category = 'turn' AND m.recorded_until IS NULL AND {visible}
  AND EXISTS (
    SELECT 1 FROM memories AS f JOIN changes AS c ON c.id = f.change_id
    WHERE f.number = m.number AND c.action = 'observe' AND c.actor = :actor
  )
ORDER BY m.number DESC LIMIT :limit

-- name: keep_source
-- The turn that a statement was drawn from, and where its words stand in it.
INSERT OR IGNORE INTO sources (number, source_number, change_id, starts_at, ends_at)
VALUES (:number, :source_number, :change_id, :starts_at, :ends_at)

-- name: sources_of
-- The turns in sight that statements were drawn from, with where their words stand in them.
SELECT {columns}, s.number, s.starts_at, s.ends_at
FROM sources AS s
CROSS JOIN memories AS m ON m.number = s.source_number AND m.recorded_until IS NULL
LEFT JOIN usage AS u ON u.number = m.number
WHERE s.number IN ({listed_numbers}) AND {visible}
ORDER BY s.number, s.source_number

-- name: drawn_from
-- The present statements in sight that were drawn from a turn.
SELECT {columns}, s.starts_at, s.ends_at
FROM sources AS s
CROSS JOIN memories AS m ON m.number = s.number AND m.recorded_until IS NULL
LEFT JOIN usage AS u ON u.number = m.number
WHERE s.source_number = :number AND {visible}
ORDER BY s.number

-- name: source_references
-- The references of the turns in sight that statements were drawn from.
SELECT s.number, m.reference
FROM sources AS s
CROSS JOIN memories AS m ON m.number = s.source_number AND m.recorded_until IS NULL
WHERE s.number IN ({listed_numbers}) AND m.reference IS NOT NULL AND {visible}
ORDER BY s.number, s.source_number

-- name: source_numbers
-- Which turns listed statements were drawn from: numbers alone; what is shown is asked for by scope.
SELECT s.number, s.source_number FROM sources AS s
WHERE s.number IN ({listed_numbers}) ORDER BY s.number, s.source_number

-- name: drawn_numbers
-- Which statements were drawn from listed turns, whatever became of them: numbers alone.
SELECT s.source_number, s.number FROM sources AS s
WHERE s.source_number IN ({listed_numbers}) ORDER BY s.source_number, s.number

-- name: replaced_parts
-- Of listed turns of which nothing that was drawn holds any more: how many characters were drawn.
SELECT s.source_number, SUM(s.ends_at - s.starts_at) FROM sources AS s CROSS JOIN memories AS m
WHERE s.source_number IN ({listed_numbers}) AND m.number = s.number AND m.recorded_until IS NULL
  AND {visible}
GROUP BY s.source_number HAVING MIN(m.status = 'superseded') = 1

-- name: count_capture
-- So many more of one outcome for one reason that day.
INSERT INTO capture_counts (scope, day, outcome, reason, count)
VALUES (:scope, :day, :outcome, :reason, :count)
ON CONFLICT (scope, day, outcome, reason) DO UPDATE SET count = count + excluded.count

-- name: capture_counts
-- What capture did in the scopes in sight, by outcome and reason, since a day.
SELECT m.outcome, m.reason, sum(m.count) FROM capture_counts AS m
WHERE m.day >= :since AND {visible}
GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2

-- name: harvest_mark
-- How far a transcript has been read into a scope.
SELECT m.read_bytes, m.digest FROM harvested AS m
WHERE m.scope = :scope AND m.place = :place AND {visible}

-- name: note_harvest
-- A transcript has been read so far.
INSERT INTO harvested (scope, place, read_bytes, digest, at)
VALUES (:scope, :place, :read_bytes, :digest, :at)
ON CONFLICT (scope, place) DO UPDATE SET
    read_bytes = excluded.read_bytes, digest = excluded.digest, at = excluded.at
