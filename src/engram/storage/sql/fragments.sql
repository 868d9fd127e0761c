-- fragment: visible
-- The scopes a caller may see: its chain, and for those who look down a range below. NULL sees none.
(
    m.scope IN (:scope_0, :scope_1, :scope_2, :scope_3, :scope_4)
    OR (m.scope >= :below_start AND m.scope < :below_end)
)

-- fragment: known
-- The state that was held at a moment of record time.
m.recorded_at <= :known_at AND (m.recorded_until IS NULL OR m.recorded_until > :known_at)

-- fragment: present_status
-- A horizon that has passed counts without having been written; written down, it still counts from
-- its own moment on.
CASE
    WHEN m.status = 'stale' AND m.stale_at <= m.recorded_at AND m.stale_at > :instant THEN 'active'
    WHEN m.status IN ('active', 'challenged') AND m.stale_at <= :instant THEN 'stale'
    ELSE m.status
END

-- fragment: filtered
-- The caller's own conditions; one that is NULL does not apply.
(:category IS NULL OR m.category = :category)
AND (:layer IS NULL OR m.layer = :layer)
AND (:memory_type IS NULL OR m.memory_type = :memory_type)
AND (:kind IS NULL OR m.kind = :kind)
AND (:subject IS NULL OR m.subject = :subject)
AND (:speaker IS NULL OR m.speaker = :speaker)
AND (:session IS NULL OR m.session = :session)
AND (:reference IS NULL OR m.reference = :reference)
AND (:source IS NULL OR m.source = :source)
AND (:is_pinned IS NULL OR m.is_pinned = :is_pinned)
AND (:since IS NULL OR m.happened_at >= :since)
AND (:until IS NULL OR m.happened_at < :until)
AND (:metadata IS NULL OR {metadata_matches})

-- fragment: valid
-- What holds in the world at a moment of event time.
(m.valid_from IS NULL OR m.valid_from <= :valid_by)
AND (m.valid_until IS NULL OR m.valid_until > :valid_after)

-- fragment: columns
-- Everything a Memory is made of, in the order rows.py reads it; a column named `sealable_…` is
-- unsealed when it is read.
m.id, m.number, m.scope, coalesce(m.content, m.sealed_content) AS sealable_content, m.category,
m.memory_type, m.layer, m.kind, m.status,
m.source, m.source_class, m.learned_by, m.speaker, m.subject, m.session, m.reference,
m.confidence, m.base_importance, m.trust, m.valence, m.arousal, m.surprise, m.is_pinned,
m.happened_at, m.valid_from, m.valid_until, m.learned_at, m.last_verified_at, m.horizon,
m.recorded_at, m.recorded_until, m.version, m.superseded_by, m.change_id,
m.summary AS sealable_summary, coalesce(m.sealed_metadata, m.metadata) AS sealable_metadata,
m.secrecy, m.identity, u.accesses, u.spaced_accesses, u.last_accessed_at, u.confirmations,
u.rehearsed_at

-- fragment: in_index
-- Whose words the text index and the traits know: readable texts, and of sensitive memories the
-- summary that is allowed to be known.
(m.secrecy = 'cleartext' OR (m.secrecy = 'sensitive' AND m.summary IS NOT NULL))

-- fragment: index_words
-- The words that the text index and the traits know of such a memory.
CASE WHEN m.secrecy = 'cleartext' THEN m.content ELSE m.summary END
