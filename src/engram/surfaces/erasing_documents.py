"""Erasures as documents: what went, how far it is proven and what is in the way."""

import json

from engram.memory.erasure import Erasure
from engram.surfaces.documents import Document


def erasure_document(erasure: Erasure) -> Document:
    """An erasure, its certificate as the text that was signed."""
    return {
        "id": erasure.id or None,
        "at": erasure.at.isoformat(),
        "selected_by": erasure.kind.value,
        "state": erasure.state.value,
        "memories": erasure.memories,
        "counts": dict(erasure.counts),
        "remains": [{"place": each.place, "what": each.what} for each in erasure.remains],
        "also_told_by": list(erasure.also_told_by),
        "change_id": erasure.change_id,
        "certificate": json.dumps(erasure.certificate) if erasure.certificate else None,
    }
