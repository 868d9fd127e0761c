"""What a sentence claims: of whom, which property, and the value it is said to have."""

from engram.memory.claims.claim import Claim
from engram.memory.claims.reading import claim_of

__all__ = ["Claim", "claim_of"]
