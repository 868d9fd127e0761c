"""What a tool is to the server: an operation, and how its answer is put."""

import json
from dataclasses import dataclass

from engram.surfaces.documents import Document
from engram.surfaces.mcp.briefs import Brief, whole
from engram.surfaces.operations import Effect, Operation

_ALTERING = (Effect.CHANGES, Effect.REMOVES)


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool a client can call."""

    operation: Operation
    brief: Brief = whole
    has_shape: bool = False  # gives what the operation gives, all of it
    is_additive: bool = False  # takes nothing away, whatever else the operation can do

    @property
    def name(self) -> str:
        """What it is called by."""
        return self.operation.name

    def hints(self) -> dict[str, bool]:
        """What a client may tell its user before it calls the tool."""
        effect = self.operation.effect
        return {
            "readOnlyHint": effect is Effect.READS,
            "destructiveHint": effect in _ALTERING and not self.is_additive,
            "idempotentHint": self.operation.is_repeatable,
            "openWorldHint": False,
        }

    def told(self, document: Document) -> str:
        """The answer as a reader wants it; without words of its own it is the document."""
        if self.operation.tells is not None:
            return self.operation.tells(document)
        return json.dumps(self.brief(document), ensure_ascii=False, separators=(",", ":"))
