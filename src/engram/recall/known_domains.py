"""Names the domain that an answer lies in: a word beside the result, which decides nothing.

The map that dreams made is held in memory by what each caller sees, and read again when it has
changed; a recall then asks one small question of the store.
"""

import dataclasses
from collections import OrderedDict
from collections.abc import Mapping
from datetime import datetime

from engram.memory.dreams.artefact import Artefact, ArtefactKind
from engram.memory.dreams.domains import assessed, known_domain
from engram.memory.scopes import Reach
from engram.recall.result import RecallResult
from engram.storage.reader import StoreReader

_MOST_CALLERS = 32
_Held = tuple[tuple[int, int], Mapping[int, Artefact]]


class KnownDomains:
    """The domains of memories, as the last callers see them."""

    def __init__(self) -> None:
        self._held: OrderedDict[Reach, _Held] = OrderedDict()

    def told(self, result: RecallResult, see: StoreReader, now: datetime) -> RecallResult:
        """The result with the domain of most of its hits, each by its score."""
        domain_of = self._domains(see)
        found = {hit.memory.number: hit.score for hit in result if hit.memory.number in domain_of}
        if not found:
            return result
        named = {
            number: known_domain(domain_of[number], now, standing=len(domain_of[number].sources))
            for number in found
        }
        return dataclasses.replace(result, domain=assessed(found, named))

    def _domains(self, see: StoreReader) -> Mapping[int, Artefact]:
        signature = see.artefacts.signature(ArtefactKind.DOMAIN)
        if not signature[0]:
            return {}
        held = self._held.get(see.reach)
        if held is not None and held[0] == signature:
            return held[1]
        domains = see.artefacts.all(ArtefactKind.DOMAIN)
        by_number = {number: each for each in domains for number in each.sources}
        self._held[see.reach] = (signature, by_number)
        while len(self._held) > _MOST_CALLERS:
            self._held.popitem(last=False)
        return by_number
