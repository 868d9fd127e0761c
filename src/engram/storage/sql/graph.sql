-- fragment: is_no_hub
-- Whether no more edges meet in a node than a few: whatever is tied to everything says nothing of
-- anything. Those in sight count; they are looked at only where there are many at all.
(
    (
        SELECT count(*) FROM (
            SELECT 1 FROM edges AS e WHERE e.source = at.node AND {edge_in_sight} LIMIT :most + 1
        )
    ) + (
        SELECT count(*) FROM (
            SELECT 1 FROM edges AS e WHERE e.target = at.node AND {edge_in_sight} LIMIT :most + 1
        )
    ) <= :most
    OR (
        SELECT count(*) FROM (
            SELECT 1 FROM edges AS e CROSS JOIN memories AS m
            WHERE e.source = at.node AND {edge_in_sight}
              AND m.number = e.number AND m.version = e.version
              AND m.recorded_until IS NULL AND {visible}
            LIMIT :most + 1
        )
    ) + (
        SELECT count(*) FROM (
            SELECT 1 FROM edges AS e CROSS JOIN memories AS m
            WHERE e.target = at.node AND {edge_in_sight}
              AND m.number = e.number AND m.version = e.version
              AND m.recorded_until IS NULL AND {visible}
            LIMIT :most + 1
        )
    ) <= :most
)

-- fragment: strand
-- A belief in short, beside its memory.
m.number, e.source, e.relation, e.target, m.confidence, e.epistemic,
m.valid_from, m.valid_until, {voices}, e.weight

-- name: strands_at
-- The beliefs that begin or end at the listed nodes and lead to another, in short, newest first;
-- one between two of them may come twice. Where `most` is said, hubs are not gone through.
WITH listed (value) AS (
    SELECT at.node FROM (SELECT value AS node FROM json_each(:ids)) AS at
    WHERE :most IS NULL OR {is_no_hub}
)
SELECT {strand}
FROM listed CROSS JOIN edges AS e CROSS JOIN memories AS m
LEFT JOIN usage AS u ON u.number = m.number
WHERE :outward AND e.source = listed.value AND e.target IS NOT NULL AND {edge_in_sight}
  AND (:relations IS NULL OR e.relation IN (SELECT value FROM json_each(:relations)))
  AND m.number = e.number AND m.version = e.version AND {visible} AND {believed}
UNION ALL
SELECT {strand}
FROM listed CROSS JOIN edges AS e CROSS JOIN memories AS m
LEFT JOIN usage AS u ON u.number = m.number
WHERE :inward AND e.target = listed.value AND {edge_in_sight}
  AND (:relations IS NULL OR e.relation IN (SELECT value FROM json_each(:relations)))
  AND m.number = e.number AND m.version = e.version AND {visible} AND {believed}
ORDER BY 1 DESC LIMIT :limit

-- name: ties_around
-- Which memories tell of a node that one of the listed memories tells of, unless it is a hub.
WITH told (number, node) AS (
    SELECT e.number, e.source FROM json_each(:numbers) AS listed CROSS JOIN edges AS e
    WHERE e.number = listed.value
    UNION
    SELECT e.number, e.target FROM json_each(:numbers) AS listed CROSS JOIN edges AS e
    WHERE e.number = listed.value AND e.target IS NOT NULL
),
telling (number, node) AS (
    SELECT at.number, at.node FROM told AS at WHERE {is_no_hub}
),
tied (number, other, version) AS (
    SELECT telling.number, e.number, e.version FROM telling CROSS JOIN edges AS e
    WHERE e.source = telling.node AND e.number <> telling.number AND {edge_in_sight}
    UNION
    SELECT telling.number, e.number, e.version FROM telling CROSS JOIN edges AS e
    WHERE e.target = telling.node AND e.number <> telling.number AND {edge_in_sight}
)
SELECT DISTINCT tied.number, m.number FROM tied CROSS JOIN memories AS m
WHERE m.number = tied.other AND m.version = tied.version AND m.recorded_until IS NULL
  AND m.status IN ('active', 'challenged') AND {visible}
ORDER BY m.number DESC, tied.number LIMIT :limit
