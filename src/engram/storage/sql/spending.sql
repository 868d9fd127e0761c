-- name: spent_between
-- What the calls of one scope took in a span of time; those that reached nobody cost nothing.
SELECT count(*), coalesce(sum(tokens_in + tokens_out), 0) FROM model_calls
WHERE at >= :since AND at < :until AND scope = :scope AND outcome <> 'unreached'

-- name: reserve_call
-- A call that is about to be made, with as many tokens as it could take.
INSERT INTO model_calls (
    at, scope, purpose, model, outcome, tokens_in, tokens_out, milliseconds
) VALUES (:at, :scope, :purpose, :model, 'reserved', :tokens_in, :tokens_out, 0)

-- name: settle_call
-- How a reserved call ended; one that has been settled stays as it is.
UPDATE model_calls
SET outcome = :outcome, tokens_in = :tokens_in, tokens_out = :tokens_out,
    milliseconds = :milliseconds
WHERE id = :id AND outcome = 'reserved'

-- name: spending_by_day
-- Calls in the scopes a caller may see, summed by day, purpose, model and outcome, oldest first.
SELECT m.at / :day, m.purpose, m.model, m.outcome, count(*), sum(m.tokens_in), sum(m.tokens_out),
       sum(m.milliseconds)
FROM model_calls AS m
WHERE m.at >= :since AND m.at < :until AND {visible}
GROUP BY m.at / :day, m.purpose, m.model, m.outcome
ORDER BY m.at / :day, m.purpose, m.model, m.outcome
