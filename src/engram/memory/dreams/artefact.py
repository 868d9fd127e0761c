"""What is made of memories and can be made again: it takes its predecessor's place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from engram.memory.ids import ChangeId
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.trust import passed_on
from engram.memory.vocabulary import Secrecy

Plain = str | int | float | bool | None | Sequence["Plain"] | Mapping[str, "Plain"]
_SECRECIES = tuple(Secrecy)  # from the least to the most secret


class ArtefactKind(StrEnum):
    """What is made of memories."""

    ENTITY_PROFILE = "entity_profile"
    PEER_CARD = "peer_card"
    NAME_PROPOSAL = "name_proposal"  # two names that may mean the same
    BEHAVIOUR = "behaviour"  # how the person behaves: one a scope
    REFLECTION = "reflection"
    TRACE = "trace"  # boxes about one thing, over time
    TOPICS = "topics"
    TREE_NODE = "tree_node"
    DOMAIN = "domain"  # of the confidence map
    GAP = "gap"
    DRIFT = "drift"  # a claim that failed once
    INTERFERENCE = "interference"  # memories that are easily taken for one another


@dataclass(frozen=True, slots=True, kw_only=True)
class Artefact:
    """One thing that was made, of which memories, and how far it can be trusted."""

    kind: ArtefactKind
    scope: Scope
    key: str
    text: str
    body: Mapping[str, Plain] = field(default_factory=dict)
    sources: tuple[int, ...] = ()  # numbers of memories
    trust: float = 0.0
    secrecy: Secrecy = Secrecy.CLEARTEXT
    made_at: datetime
    change_id: ChangeId | None = None  # None: not kept yet

    def says_the_same(self, other: "Artefact | None") -> bool:
        """Whether it would change nothing to put this in the other's place."""
        return other is not None and (
            (self.text, self.body, self.sources, self.trust, self.secrecy)
            == (other.text, other.body, other.sources, other.trust, other.secrecy)
        )


def inherited(sources: Sequence[Memory]) -> tuple[float, Secrecy]:
    """The trust and the secrecy of what is made of memories: the lowest and the highest."""
    trust = min(map(passed_on, sources), default=0.0)
    secrecy = max((each.secrecy for each in sources), key=_SECRECIES.index, default=_SECRECIES[0])
    return trust, secrecy
