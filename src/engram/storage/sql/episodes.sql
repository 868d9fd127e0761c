-- name: withdraw_events
-- Take back, or add again, the events that a change added.
UPDATE episode_events SET withdrawn_by = :withdrawn_by WHERE change_id = :change_id

-- name: events_withdrawn
-- Whether what a change added was taken back; no row when it added nothing.
SELECT withdrawn_by FROM episode_events WHERE change_id = :change_id LIMIT 1
