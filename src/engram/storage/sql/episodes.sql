-- fragment: episode_columns
-- Everything an Episode is made of beside its memory, in the order storage/episodes.py reads it.
e.started_at, e.ended_at, e.situation AS sealable_situation,
e.participants AS sealable_participants, e.outcome AS sealable_outcome, e.outcome_kind,
e.significance, e.surprise, e.valence, (SELECT count(*) FROM episode_events AS v WHERE v.number = e.number AND {event_known})

-- fragment: event_stands
-- An event that was not taken back by a moment of record time.
(
    v.withdrawn_by IS NULL
    OR EXISTS (SELECT 1 FROM changes AS c WHERE c.id = v.withdrawn_by AND c.at > :known_at)
)

-- fragment: event_known
-- An event that was known at a moment of record time and not taken back by then.
v.recorded_at <= :known_at AND {event_stands}

-- fragment: event_of_episode
-- A known event of an episode in sight. The plus keeps the planner to the indexes that have events in
-- their order, so that a limit reads no more than it asks for; sight is asked for once, not per event.
v.number = :number AND +v.recorded_at <= :known_at AND {event_stands}
AND (SELECT EXISTS (
    SELECT 1 FROM memories AS m WHERE m.number = :number AND {visible} AND {known}
))

-- fragment: in_force
-- What nobody has retired or refused.
m.status IN ('active', 'challenged', 'stale')

-- name: insert_episode
-- The details of one state of an episode.
INSERT INTO episodes (
    number, version, started_at, ended_at, situation, participants, people, outcome, outcome_kind,
    significance, surprise, valence
) VALUES (
    :number, :version, :started_at, :ended_at, :situation, :participants, :people, :outcome,
    :outcome_kind, :significance, :surprise, :valence
)

-- name: insert_event
-- One thing that happened in an episode.
INSERT INTO episode_events (
    number, sequence, happened_at, recorded_at, kind, tool, is_key, event, change_id
) VALUES (
    :number, :sequence, :happened_at, :recorded_at, :kind, :tool, :is_key, :event, :change_id
)

-- name: withdraw_events
-- Take back, or add again, the events that a change added.
UPDATE episode_events SET withdrawn_by = :withdrawn_by WHERE change_id = :change_id

-- name: events_withdrawn
-- Whether what a change added was taken back; no row when it added nothing.
SELECT withdrawn_by FROM episode_events WHERE change_id = :change_id LIMIT 1

-- name: episode_by_number
-- One episode in sight, as it is or was known; whatever became of its memory.
SELECT {columns}, {episode_columns}
FROM memories AS m
CROSS JOIN episodes AS e ON e.number = m.number AND e.version = m.version
LEFT JOIN usage AS u ON u.number = m.number
WHERE m.number = :number AND {visible} AND {known}

-- name: listed_episodes
-- Those of the listed memories in sight that are episodes in force, as they are or were known.
SELECT {columns}, {episode_columns}
FROM json_each(:numbers) AS listed
CROSS JOIN memories AS m ON m.number = listed.value
CROSS JOIN episodes AS e ON e.number = m.number AND e.version = m.version
LEFT JOIN usage AS u ON u.number = m.number
WHERE {visible} AND {known} AND {in_force}

-- name: episodes_found
-- Episodes in sight under conditions, the last begun first; a condition that is NULL does not apply.
SELECT {columns}, {episode_columns}
FROM episodes AS e
CROSS JOIN memories AS m ON m.number = e.number AND m.version = e.version
LEFT JOIN usage AS u ON u.number = m.number
WHERE e.started_at <= :begun_before
  AND (e.started_at < :begun_before OR e.number < :number_before)
  AND (e.ended_at IS NULL OR e.ended_at >= :ended_after)
  AND (:outcome IS NULL OR e.outcome_kind = :outcome)
  AND (:has_ended IS NULL OR (e.ended_at IS NOT NULL) = :has_ended)
  AND (:person IS NULL OR instr(e.people, :person) > 0)
  AND (:session IS NULL OR m.session = :session)
  AND (:in_scope IS NULL OR m.scope = :in_scope)
  AND (:tool IS NULL OR EXISTS (
    SELECT 1 FROM episode_events AS v
    WHERE v.tool = :tool AND v.tool <> '' AND v.number = e.number
      AND +v.recorded_at <= :known_at AND {event_stands}
  ))
  AND {visible} AND {known} AND ({in_force} OR (:with_held AND m.status = 'pending'))
ORDER BY e.started_at DESC, e.number DESC
LIMIT :limit

-- name: latest_stories
-- The wordings of the episodes of a scope in sight that have ended, the last begun first.
SELECT m.number, m.version
FROM episodes AS e
CROSS JOIN memories AS m ON m.number = e.number AND m.version = e.version
WHERE e.ended_at IS NOT NULL AND m.scope = :in_scope AND m.recorded_until IS NULL
  AND {visible} AND {in_force}
ORDER BY e.started_at DESC, e.number DESC
LIMIT :limit

-- name: events_after
-- What happened in an episode in sight, in order, after a place in it.
SELECT v.sequence, v.event AS sealable_event, v.change_id
FROM episode_events AS v
WHERE {event_of_episode} AND v.sequence > :after
  AND (:kinds IS NULL OR v.kind IN (SELECT value FROM json_each(:kinds)))
ORDER BY v.sequence LIMIT :limit

-- name: key_events_first
-- The first of the events of an episode in sight that its story tells; they are picked by an index
-- alone, since most events are not among them and may be long.
SELECT e.sequence, e.event AS sealable_event, e.change_id FROM (
    SELECT v.sequence FROM episode_events AS v
    WHERE {event_of_episode} AND v.is_key = 1 ORDER BY v.sequence LIMIT :limit
) AS told CROSS JOIN episode_events AS e ON e.number = :number AND e.sequence = told.sequence

-- name: key_events_last
-- The last of the events of an episode in sight that its story tells.
SELECT e.sequence, e.event AS sealable_event, e.change_id FROM (
    SELECT v.sequence FROM episode_events AS v
    WHERE {event_of_episode} AND v.is_key = 1 ORDER BY v.sequence DESC LIMIT :limit
) AS told CROSS JOIN episode_events AS e ON e.number = :number AND e.sequence = told.sequence

-- name: last_event
-- The last event of an episode in sight.
SELECT v.sequence, v.event AS sealable_event, v.change_id
FROM episode_events AS v
WHERE {event_of_episode}
ORDER BY v.sequence DESC LIMIT 1

-- name: event_places
-- How many events of an episode stand, and the highest place that was ever given.
SELECT
    (SELECT count(*) FROM episode_events AS v WHERE v.number = :number AND v.withdrawn_by IS NULL),
    coalesce(max(v.sequence), 0)
FROM episode_events AS v WHERE v.number = :number

-- name: consolidated_episodes
-- Those of the listed memories in sight that something was derived from that still stands.
SELECT DISTINCT l.to_number
FROM json_each(:numbers) AS listed
CROSS JOIN links AS l ON l.to_number = listed.value
CROSS JOIN memories AS m ON m.number = l.from_number
WHERE l.relation = 'derived_from' AND l.withdrawn_by IS NULL
  AND m.recorded_until IS NULL AND {visible}
