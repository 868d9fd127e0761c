-- name: withdraw_runs
-- Take back, or count again, the runs that a change noted.
UPDATE skill_runs SET withdrawn_by = :withdrawn_by WHERE change_id = :change_id

-- name: runs_withdrawn
-- Whether what a change noted was taken back; no row when it noted nothing.
SELECT withdrawn_by FROM skill_runs WHERE change_id = :change_id LIMIT 1
