"""The readers of the parts of a store, all in one view of the database and one caller's reach."""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from engram.memory.scopes import Reach
from engram.storage.database import Database, Row, Transaction, Value
from engram.storage.links import LinkReader
from engram.storage.turns import TurnReader

if TYPE_CHECKING:
    from engram.storage.aging import AgingReader
    from engram.storage.artefacts import ArtefactReader
    from engram.storage.boxes import BoxReader
    from engram.storage.carrying import CarryingReader
    from engram.storage.dreams import DreamReader
    from engram.storage.entities import EntityReader
    from engram.storage.episodes import EpisodeReader
    from engram.storage.knowledge import KnowledgeReader
    from engram.storage.pruning import RemnantReader
    from engram.storage.questions import QuestionReader
    from engram.storage.skills import SkillReader
    from engram.storage.vectors.held import HeldVectorReader
    from engram.storage.vectors.reader import VectorReader
    from engram.storage.working_snapshots import WorkingReader

_CHAIN_LENGTH = 5


class PartReaders:
    """What can be read of each part, seen through one caller's reach."""

    def __init__(self, transaction: Transaction, database: Database, reach: Reach) -> None:
        self._transaction = transaction
        self._database = database
        self.reach = reach
        self._reach = reach_parameters(reach)

    def _rows(self, query: str, *parameters: Mapping[str, Value]) -> list[Row]:
        merged: dict[str, Value] = dict(self._reach)
        for more in parameters:
            merged.update(more)
        return self._transaction.rows(query, merged)

    @property
    def derived(self) -> "VectorReader":
        """Vectors and traits in this same view of the database; see there why without a reach."""
        # Imported here: a process that only writes and lists never loads NumPy.
        from engram.storage.vectors.reader import VectorReader

        return VectorReader(self._transaction)

    @property
    def vectors_held(self) -> "HeldVectorReader":
        """In how many bits vectors are kept, in this same view and reach."""
        from engram.storage.vectors.held import HeldVectorReader

        return HeldVectorReader(self._transaction, self._reach)

    @property
    def links(self) -> LinkReader:
        """How memories hang together, in this same view and through the same reach."""
        return LinkReader(self._transaction, self._reach)

    @property
    def entities(self) -> "EntityReader":
        """The names in memories, in this same view and reach."""
        from engram.storage.entities import EntityReader

        return EntityReader(self._transaction, self._reach)

    @property
    def boxes(self) -> "BoxReader":
        """What was said about one thing at one time, in this same view and reach."""
        from engram.storage.boxes import BoxReader

        return BoxReader(self._transaction, self._reach)

    @property
    def carrying(self) -> "CarryingReader":
        """What is carried out and was carried in, in this same view and reach."""
        from engram.storage.carrying import CarryingReader

        return CarryingReader(self._transaction, self.reach)

    @property
    def episodes(self) -> "EpisodeReader":
        """What happened and how it ended, in this same view and reach."""
        from engram.storage.episodes import EpisodeReader

        return EpisodeReader(self._transaction, self._reach)

    @property
    def remnants(self) -> "RemnantReader":
        """What has served its time beside memories, in the store as a whole: counts alone."""
        from engram.storage.pruning import RemnantReader

        return RemnantReader(self._transaction)

    @property
    def aging(self) -> "AgingReader":
        """What is over, faded or doubted, in this same view and reach."""
        from engram.storage.aging import AgingReader

        return AgingReader(self._transaction, self._reach)

    @property
    def artefacts(self) -> "ArtefactReader":
        """What was made of memories, in this same view and reach."""
        from engram.storage.artefacts import ArtefactReader

        return ArtefactReader(self._transaction, self._reach)

    @property
    def questions(self) -> "QuestionReader":
        """What was asked and what there is to ask about, in this same view and reach."""
        from engram.storage.questions import QuestionReader

        return QuestionReader(self._transaction, self._reach)

    @property
    def working(self) -> "WorkingReader":
        """Minds that were put away, and what there is to start with, in this view and reach."""
        from engram.storage.working_snapshots import WorkingReader

        return WorkingReader(self._transaction, self._reach)

    @property
    def dreams(self) -> "DreamReader":
        """What was decided while nobody asked, in this same view and reach."""
        from engram.storage.dreams import DreamReader

        return DreamReader(self._transaction, self._reach)

    @property
    def knowledge(self) -> "KnowledgeReader":
        """Who and what is known, and what is believed of them, in this same view and reach."""
        from engram.storage.knowledge import KnowledgeReader

        return KnowledgeReader(self._transaction, self._reach)

    @property
    def skills(self) -> "SkillReader":
        """How tasks are done, in this same view and reach."""
        from engram.storage.skills import SkillReader

        return SkillReader(self._transaction, self._reach)

    @property
    def turns(self) -> TurnReader:
        """What was said and what was drawn from it, in this same view and reach."""
        return TurnReader(self._transaction, self._reach)


@lru_cache(maxsize=1024)
def reach_parameters(reach: Reach) -> Mapping[str, Value]:
    """A reach as the SQL fragments name it; nobody's reach matches nothing."""
    parameters: dict[str, Value] = {
        f"scope_{index}": reach.chain[index] if index < len(reach.chain) else None
        for index in range(_CHAIN_LENGTH)
    }
    parameters["below_start"] = reach.below_start
    parameters["below_end"] = reach.below_end
    return parameters
