-- fragment: linked
-- Every link at the listed memories, whoever sees it: those that were made, and those the record
-- tells of: what took a memory's place, and the neighbours among the parts of one split text. Such
-- parts were made by one change and have numbers in a row; a change that made the later and altered
-- the earlier did something else.
listed (number) AS ({listed_numbers}),
linked (from_number, to_number, relation, change_id) AS (
    SELECT l.from_number, l.to_number, l.relation, l.change_id
    FROM listed CROSS JOIN links AS l
    WHERE l.from_number = listed.number AND l.withdrawn_by IS NULL
    UNION
    SELECT l.from_number, l.to_number, l.relation, l.change_id
    FROM listed CROSS JOIN links AS l
    WHERE l.to_number = listed.number AND l.withdrawn_by IS NULL
    UNION
    SELECT old.number, successor.number, 'superseded_by', NULL
    FROM listed CROSS JOIN memories AS old CROSS JOIN memories AS successor
    WHERE old.number = listed.number AND old.recorded_until IS NULL
      AND successor.id = old.superseded_by
    UNION
    SELECT old.number, successor.number, 'superseded_by', NULL
    FROM listed CROSS JOIN memories AS successor CROSS JOIN memories AS old
    WHERE successor.number = listed.number
      AND old.superseded_by = successor.id AND old.recorded_until IS NULL
    UNION
    SELECT later.number, earlier.number, 'continues', NULL
    FROM listed CROSS JOIN memories AS later CROSS JOIN memories AS earlier
    WHERE later.number IN (listed.number, listed.number + 1)
      AND earlier.number = later.number - 1 AND earlier.change_id = later.change_id
      AND NOT EXISTS (
        SELECT 1 FROM memories AS e WHERE e.number = earlier.number AND e.state < earlier.state
      )
)

-- name: insert_link
-- One memory related to another.
INSERT INTO links (change_id, from_number, to_number, relation)
VALUES (:change_id, :from_number, :to_number, :relation)

-- name: withdraw_link
-- Take back, or make again, the link that a change made.
UPDATE links SET withdrawn_by = :withdrawn_by WHERE change_id = :change_id

-- name: links_made_with
-- The links from a memory that were made by the way, by the reason that names the change.
SELECT l.change_id, l.withdrawn_by FROM links AS l JOIN changes AS c ON c.id = l.change_id
WHERE l.from_number = :from_number AND c.reason = :reason

-- name: link_by_change
-- The link that a change made; whether the caller sees its ends is checked on each of them.
SELECT change_id, from_number, to_number, relation, withdrawn_by FROM links
WHERE change_id = :change_id

-- name: link_by_ends
-- The last link between two memories under a relation; one that stands comes first.
SELECT change_id, from_number, to_number, relation, withdrawn_by FROM links
WHERE from_number = :from_number AND to_number = :to_number AND relation = :relation
ORDER BY withdrawn_by IS NOT NULL, change_id DESC LIMIT 1

-- name: leads_to
-- Whether links of these relations lead from one memory to another by memories a caller may see.
WITH RECURSIVE reached (number) AS (
    SELECT :from_number
    UNION
    SELECT m.number
    FROM reached CROSS JOIN links AS l CROSS JOIN memories AS m
    WHERE l.from_number = reached.number AND l.withdrawn_by IS NULL
      AND l.relation IN (:relation_0, :relation_1, :relation_2, :relation_3)
      AND m.number = l.to_number AND m.recorded_until IS NULL AND {visible}
)
SELECT 1 FROM reached WHERE number = :to_number

-- name: links_around
-- The links at these memories of which a caller may see both ends, newest memories first.
WITH {linked}
SELECT DISTINCT linked.from_number, linked.to_number, linked.relation FROM linked
WHERE EXISTS (
    SELECT 1 FROM memories AS m
    WHERE m.number = linked.from_number AND m.recorded_until IS NULL AND {visible}
  ) AND EXISTS (
    SELECT 1 FROM memories AS m
    WHERE m.number = linked.to_number AND m.recorded_until IS NULL AND {visible}
  )
ORDER BY linked.from_number DESC, linked.to_number DESC, linked.relation
LIMIT :limit

-- name: links_in_full
-- The same with the ids of both ends, and who made each link, when and why.
WITH {linked}
SELECT linked.from_number, linked.to_number, start.id, finish.id, linked.relation,
       c.id, c.action, c.at, c.actor, c.scope, c.reason, c.undoes, c.undone_by
FROM linked
CROSS JOIN memories AS start CROSS JOIN memories AS finish
LEFT JOIN changes AS c ON c.id = linked.change_id
WHERE start.number = linked.from_number AND start.recorded_until IS NULL
  AND finish.number = linked.to_number AND finish.recorded_until IS NULL
  AND EXISTS (SELECT 1 FROM memories AS m WHERE m.state = start.state AND {visible})
  AND EXISTS (SELECT 1 FROM memories AS m WHERE m.state = finish.state AND {visible})
ORDER BY linked.from_number DESC, linked.to_number DESC, linked.relation
LIMIT :limit
