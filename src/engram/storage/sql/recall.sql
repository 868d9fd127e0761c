-- name: selectable_states
-- The states a question may look at under its conditions, before anything is compared.
SELECT m.state FROM memories AS m
WHERE {visible} AND {known} AND {valid} AND {filtered}
  AND {present_status} IN (:status_0, :status_1, :status_2)
  AND m.memory_type IN (:type_0, :type_1, :type_2)
ORDER BY m.state

-- name: confirmed_states
-- Those of the listed states that may be shown, as whole memories.
SELECT {columns}, m.state FROM memories AS m
LEFT JOIN usage AS u ON u.number = m.number
WHERE m.state IN ({listed_numbers})
  AND {visible} AND {known} AND {valid} AND {filtered}
  AND {present_status} IN (:status_0, :status_1, :status_2)
  AND m.memory_type IN (:type_0, :type_1, :type_2)

-- name: first_vectors
-- The vector of each listed memory's whole wording in one space.
SELECT v.number, v.version, v.vector AS sealable_vector, v.bits FROM vectors AS v
WHERE v.space = :space AND v.part = 0 AND v.number IN ({listed_numbers})
