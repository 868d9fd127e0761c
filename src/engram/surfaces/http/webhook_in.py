"""The address that signed messages of others come in by, as from n8n."""

from engram.engine import Engram
from engram.engine.sending import Direction
from engram.surfaces.documents import Document
from engram.surfaces.http.answers import Answer, document
from engram.surfaces.http.routing import Asked, Endpoint
from engram.surfaces.work import Workshop


def is_taking(owner: Engram, webhook_id: str) -> bool:
    """Whether messages come in by this webhook; asked before anything of one is read."""
    return any(
        each.id == webhook_id and each.direction is Direction.IN for each in owner.webhooks()
    )


def hook_endpoint(owner: Engram, workshop: Workshop) -> Endpoint:
    """What serves `POST /api/v1/hooks/{webhook_id}`.

    No key is asked for: the signature is one, and is checked before the body is parsed. The answer
    comes when what was sent is on the disk.
    """

    async def serve(asked: Asked) -> Answer:
        def work() -> Answer:
            return document(_taken(owner, asked))

        return await workshop.do(work)

    return serve


def _taken(owner: Engram, asked: Asked) -> Document:
    taken = owner.take_message(
        asked.names["webhook_id"],
        asked.body,
        signature=asked.header("engram-signature"),
        delivery=asked.header("engram-delivery"),
    )
    memory = taken.observed.memory if taken.observed is not None else None
    return {
        "kind": taken.kind,
        "reason": taken.reason,
        "memory": None if memory is None else {"id": memory.id, "label": memory.label},
    }
