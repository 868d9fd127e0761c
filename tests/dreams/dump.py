"""Everything that a store says, without when and by which change it came to say it."""

import json

from engram import Engram

_STATES = """
    SELECT m.id, m.number, m.scope, m.status, m.category, m.memory_type, m.layer, m.kind, m.secrecy,
           m.is_pinned, m.happened_at, m.valid_from, m.valid_until, m.learned_at,
           m.last_verified_at, m.stale_at, m.version, m.superseded_by, m.confidence,
           m.base_importance, m.trust, m.valence, m.arousal, m.surprise, m.horizon, m.source_class,
           m.learned_by, m.source, m.speaker, m.subject, m.session, m.reference, hex(m.identity),
           m.summary, m.metadata, m.content, coalesce(u.accesses, 0), coalesce(u.confirmations, 0),
           u.rehearsed_at
    FROM memories AS m LEFT JOIN usage AS u ON u.number = m.number
    WHERE m.recorded_until IS NULL ORDER BY m.number
"""
_OTHERS = {
    "links": "SELECT from_number, to_number, relation FROM links WHERE withdrawn_by IS NULL",
    "aliases": "SELECT scope, name, entity, how FROM aliases WHERE withdrawn_by IS NULL",
    "feedback": "SELECT number, is_helpful, query FROM feedback WHERE withdrawn_by IS NULL",
    "artefacts": "SELECT kind, scope, key, text, body, sources, trust, secrecy FROM artefacts "
    "WHERE ended_by IS NULL",
    "boxes": "SELECT * FROM boxes",
    "episodes": "SELECT * FROM episodes",
    "edges": "SELECT * FROM edges",
    "skills": "SELECT * FROM skills",
}


def logical_dump(engram: Engram) -> bytes:
    """What the store says, as bytes that can be compared."""
    engram.settle()
    with engram._store.database.reading(5) as view:
        said = {"memories": view._connection.execute(_STATES).fetchall()}
        for table, query in _OTHERS.items():
            said[table] = sorted(map(repr, view._connection.execute(query).fetchall()))
    return json.dumps(said, default=repr, sort_keys=True).encode()
