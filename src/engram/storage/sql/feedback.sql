-- name: insert_feedback
-- What a caller thought of a memory.
INSERT INTO feedback (number, change_id, scope, is_helpful, query, at, actor)
VALUES (:number, :change_id, :scope, :is_helpful, :query, :at, :actor)

-- name: withdraw_feedback
-- Take back, or give again, what a change said about a memory.
UPDATE feedback SET withdrawn_by = :withdrawn_by
WHERE number = :number AND change_id = :change_id

-- name: feedback_of
-- Whether a change said something about this memory, and whether that was taken back.
SELECT withdrawn_by FROM feedback WHERE number = :number AND change_id = :change_id

-- name: same_feedback
-- What the same caller said about the same memory that day, as far as it stands.
SELECT number, is_helpful, query AS sealable_query, at, actor, change_id FROM feedback
WHERE number = :number AND actor = :actor AND is_helpful = :is_helpful
  AND at >= :day_begins AND at < :day_ends AND withdrawn_by IS NULL
ORDER BY at

-- name: feedback_for
-- What was said about these visible memories in the scopes a caller may see, newest first.
SELECT m.number, m.is_helpful, m.query AS sealable_query, m.at, m.actor, m.change_id FROM feedback AS m
WHERE m.withdrawn_by IS NULL AND {visible} AND m.number IN (
    SELECT m.number FROM memories AS m WHERE m.number IN ({listed_numbers}) AND {visible}
)
ORDER BY m.at DESC, m.number, m.change_id
LIMIT :limit

-- name: insert_recall
-- The figures of one recall.
INSERT INTO recall_journal (
    at, scope, milliseconds, candidates, returned, tokens, relevance, consistency, confidence,
    assessment, level, is_degraded
) VALUES (
    :at, :scope, :milliseconds, :candidates, :returned, :tokens, :relevance, :consistency,
    :confidence, :assessment, :level, :is_degraded
)

-- name: prune_recalls
-- Keep the newest entries of the journal; what is kept of memories is elsewhere.
DELETE FROM recall_journal
WHERE entry <= (SELECT max(entry) FROM recall_journal) - :kept

-- name: recall_figures
-- The recalls of the scopes a caller may see, oldest first.
SELECT m.at, m.milliseconds, m.candidates, m.returned, m.tokens, m.relevance, m.consistency,
       m.confidence, m.assessment, m.level, m.is_degraded
FROM recall_journal AS m
WHERE {visible} AND m.at >= :since
ORDER BY m.entry
