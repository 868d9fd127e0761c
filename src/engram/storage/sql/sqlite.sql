-- fragment: metadata_matches
-- Every name given has the value given; a list has it as a member, and all members of a list.
NOT EXISTS (
    SELECT 1 FROM json_each(:metadata) AS wanted
    WHERE json_extract(m.metadata, '$.' || json_quote(wanted.key)) IS NOT wanted.value
    AND NOT (
        json_type(m.metadata, '$.' || json_quote(wanted.key)) IS 'array'
        AND wanted.type <> 'null'
        AND wanted.value IS NOT '[]'
        AND NOT EXISTS (
            SELECT 1 FROM json_each(
                CASE wanted.type WHEN 'array' THEN wanted.value ELSE json_array(wanted.value) END
            ) AS member
            WHERE member.value NOT IN (
                SELECT value FROM json_each(m.metadata, '$.' || json_quote(wanted.key))
            )
        )
    )
)

-- fragment: listed_numbers
-- The numbers of a JSON list, as rows.
SELECT value FROM json_each(:numbers)

-- name: search_text
-- The best matching visible states by BM25; filters come before the cut.
SELECT {columns}, found.rank
FROM (
    SELECT m.state, bm25(text_index, :word_weight, :fragment_weight) AS rank
    FROM text_index JOIN memories AS m ON m.state = text_index.rowid
    WHERE text_index MATCH :match
      AND {visible} AND {known} AND {valid} AND {filtered}
      AND {present_status} IN (:status_0, :status_1, :status_2)
      AND m.memory_type IN (:type_0, :type_1, :type_2)
    ORDER BY rank, m.number DESC
    LIMIT :limit
) AS found
JOIN memories AS m ON m.state = found.state
LEFT JOIN usage AS u ON u.number = m.number
ORDER BY found.rank, m.number DESC

-- name: search_past_states
-- The best matching visible states that were closed since: wordings that memories once had.
SELECT {columns}
FROM (
    SELECT m.state, bm25(text_index, :word_weight, :fragment_weight) AS rank
    FROM text_index JOIN memories AS m ON m.state = text_index.rowid
    WHERE text_index MATCH :match AND m.recorded_until IS NOT NULL AND {visible}
    ORDER BY rank, m.number DESC
    LIMIT :limit
) AS found
JOIN memories AS m ON m.state = found.state
LEFT JOIN usage AS u ON u.number = m.number
ORDER BY found.rank, m.number DESC

-- name: similar_statements
-- The newest present statements of a scope in sight that match; no turns.
SELECT {columns}
FROM text_index
CROSS JOIN memories AS m ON m.state = text_index.rowid
LEFT JOIN usage AS u ON u.number = m.number
WHERE text_index MATCH :match AND m.scope = :scope AND m.recorded_until IS NULL
  AND m.category <> 'turn' AND m.status IN ('pending', 'active', 'challenged', 'stale')
  AND {visible}
ORDER BY text_index.rowid DESC LIMIT :limit

-- name: closest_statements
-- The present statements of a scope in sight that match best by BM25; no turns.
SELECT {columns}
FROM text_index
CROSS JOIN memories AS m ON m.state = text_index.rowid
LEFT JOIN usage AS u ON u.number = m.number
WHERE text_index MATCH :match AND m.scope = :scope AND m.recorded_until IS NULL
  AND m.category <> 'turn' AND m.status IN ('pending', 'active', 'challenged', 'stale')
  AND {visible}
ORDER BY bm25(text_index, :word_weight, :fragment_weight), m.number DESC LIMIT :limit

-- name: match_state
-- Whether one state of a visible memory matches, and how well.
SELECT bm25(text_index, :word_weight, :fragment_weight)
FROM text_index JOIN memories AS m ON m.state = text_index.rowid
WHERE text_index MATCH :match AND {visible} AND {known} AND m.number = :number

-- name: index_state
-- Put one state's text into the index.
INSERT INTO text_index (rowid, words, fragments) VALUES (:state, :words, :fragments)

-- name: clear_text_index
-- Empty the derived index before a rebuild.
INSERT INTO text_index (text_index) VALUES ('delete-all')

-- name: unindexed_states
-- States that should be findable and are not.
SELECT m.state, {index_words} FROM memories AS m
WHERE {in_index} AND m.state NOT IN (SELECT id FROM text_index_docsize)
ORDER BY m.state

-- name: orphaned_index_rows
-- Index rows whose state is gone.
SELECT count(*) FROM text_index_docsize
WHERE id NOT IN (SELECT m.state FROM memories AS m WHERE {in_index})

-- name: check_text_index
-- The index's own integrity check; it raises when it finds damage.
INSERT INTO text_index (text_index, rank) VALUES ('integrity-check', 0)
