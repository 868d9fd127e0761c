-- fragment: run_known
-- A run in sight that was known at a moment of record time and not taken back by then. Here `m` is
-- the run: it has a scope of its own.
m.recorded_at <= :known_at AND (
    m.withdrawn_by IS NULL
    OR EXISTS (SELECT 1 FROM changes AS c WHERE c.id = m.withdrawn_by AND c.at > :known_at)
) AND {visible}

-- fragment: run_failed
-- A run in sight that failed and stands; `m` is the run here too.
m.outcome_kind = 'failure' AND m.withdrawn_by IS NULL AND {visible}

-- name: insert_skill
-- The details of one state of a skill.
INSERT INTO skills (number, version, name, skill) VALUES (:number, :version, :name, :skill)

-- name: insert_run
-- How a skill went once.
INSERT INTO skill_runs (
    number, sequence, scope, at, recorded_at, outcome_kind, seconds, episode, tool, signature, run,
    change_id
) VALUES (
    :number, (SELECT coalesce(max(r.sequence), 0) + 1 FROM skill_runs AS r WHERE r.number = :number),
    :scope, :at, :recorded_at, :outcome_kind, :seconds, :episode, :tool, :signature, :run, :change_id
)

-- name: withdraw_runs
-- Take back, or count again, the runs that a change noted.
UPDATE skill_runs SET withdrawn_by = :withdrawn_by WHERE change_id = :change_id

-- name: runs_withdrawn
-- Whether what a change noted was taken back; no row when it noted nothing.
SELECT withdrawn_by FROM skill_runs WHERE change_id = :change_id LIMIT 1

-- name: skill_by_number
-- One skill in sight, as it is or was known.
SELECT {columns}, s.skill AS sealable_skill
FROM memories AS m CROSS JOIN skills AS s LEFT JOIN usage AS u ON u.number = m.number
WHERE m.number = :number AND s.number = m.number AND s.version = m.version
  AND {visible} AND {known}

-- name: skills_by_name
-- The skills in sight of one name: those in force first, then the nearest, then the newest.
SELECT {columns}, s.skill AS sealable_skill
FROM skills AS s CROSS JOIN memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE s.name = :name AND m.number = s.number AND m.version = s.version AND {visible} AND {known}
ORDER BY m.status NOT IN ('active', 'challenged', 'stale', 'pending'), length(m.scope) DESC,
         m.number DESC
LIMIT 1

-- name: sealed_skills
-- The skills in sight whose names are not kept in the open, in the same order.
SELECT {columns}, s.skill AS sealable_skill
FROM skills AS s CROSS JOIN memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE s.name = '' AND m.number = s.number AND m.version = s.version AND {visible} AND {known}
ORDER BY m.status NOT IN ('active', 'challenged', 'stale', 'pending'), length(m.scope) DESC,
         m.number DESC

-- name: skill_outlines
-- All skills in sight in the order in which they were made, without what their memories tell.
SELECT m.number, m.scope, m.status, s.skill AS sealable_skill
FROM skills AS s CROSS JOIN memories AS m
WHERE m.number = s.number AND m.version = s.version AND m.recorded_until IS NULL AND {visible}
ORDER BY m.number
LIMIT :limit

-- name: listed_skills
-- Those of the listed memories in sight that are skills, whatever became of them.
SELECT {columns}, s.skill AS sealable_skill
FROM ({listed_numbers}) AS listed CROSS JOIN memories AS m CROSS JOIN skills AS s
LEFT JOIN usage AS u ON u.number = m.number
WHERE m.number = listed.value AND m.recorded_until IS NULL
  AND s.number = m.number AND s.version = m.version AND {visible}
ORDER BY m.number

-- name: skills_in_sight
-- All skills in sight in the order in which they were made, whatever became of them.
SELECT {columns}, s.skill AS sealable_skill
FROM skills AS s CROSS JOIN memories AS m LEFT JOIN usage AS u ON u.number = m.number
WHERE m.number = s.number AND m.version = s.version AND m.recorded_until IS NULL AND {visible}
ORDER BY m.number
LIMIT :limit

-- name: runs_of_skills
-- How the listed skills went, in the order in which it was noted, as far as is in sight.
SELECT m.number, m.at, m.seconds, m.episode, m.tool AS sealable_tool, m.run AS sealable_run
FROM skill_runs AS m
WHERE m.number IN ({listed_numbers}) AND {run_known}
ORDER BY m.number, m.sequence

-- name: skills_that_failed
-- The numbers of the skills that failed with a tool or in some ways, as far as is in sight.
-- Each way has its index, which one condition with OR would not use.
SELECT m.number FROM skill_runs AS m WHERE m.tool = :tool AND {run_failed}
UNION
SELECT m.number FROM skill_runs AS m
WHERE m.signature IN (SELECT value FROM json_each(:signatures)) AND m.signature <> ''
  AND {run_failed}
ORDER BY 1 DESC
LIMIT :limit

-- name: signatures_of_failures
-- In which ways skills failed, as far as is in sight.
SELECT DISTINCT m.signature FROM skill_runs AS m WHERE m.signature <> '' AND {run_failed}
ORDER BY m.signature
LIMIT :limit
