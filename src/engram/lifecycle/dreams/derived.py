"""Makes a memory of others: with their lowest trust and highest secrecy, and links to each."""

import hashlib
from collections.abc import Mapping, Sequence

from engram.lifecycle.dreams.night import Night
from engram.memory.changes import Action
from engram.memory.dreams.artefact import inherited
from engram.memory.dreams.report import Step
from engram.memory.ids import ChangeId
from engram.memory.links import Relation, made_with
from engram.memory.people import person_of
from engram.memory.record import Memory, MetadataValue, check_metadata
from engram.memory.vocabulary import (
    Kind,
    Layer,
    LearnedBy,
    MemoryType,
    SourceClass,
    Status,
)
from engram.security.screening.protected import summary_for
from engram.storage.sameness import kept_identity, people_of, same_statement
from engram.storage.tied import tie
from engram.storage.unit import UnitOfWork
from engram.text.strings import normalised

_IMPORTANCE = 0.5  # what is derived earns its importance by use, like anything else


def derive(
    unit: UnitOfWork,
    night: Night,
    *,
    text: str,
    sources: Sequence[Memory],
    step: Step,
    confidence: float,
    category: str = "fact",
    layer: Layer = Layer.SEMANTIC,
    memory_type: MemoryType = MemoryType.FACT,
    replaces: Memory | None = None,
    metadata: Mapping[str, MetadataValue] | None = None,
) -> Memory:
    """A memory made of others, in the change that was just begun.

    When the scope says the same already, that memory is given back as it is. A predecessor that it
    replaces becomes superseded in the same change.
    """
    change = unit.begin_change(Action.DERIVE, night.scope, f"made of {_labels(sources)}")
    made = _made(unit, night, change, text, sources, step).replaced(
        category=category, layer=layer, memory_type=memory_type, confidence=confidence,
        metadata=check_metadata(metadata or {}),
    )  # fmt: skip
    known = same_statement(unit, made.identity, person_of(made), night.scope)
    if known is not None:
        unit.return_number()
        return known
    made = made.replaced(identity=kept_identity(unit, made.identity, made))
    if replaces is not None:
        unit.replace(replaces, status=Status.SUPERSEDED, superseded_by=made.id)
    unit.insert(made, people_of(unit, sources))
    for source in sources:
        tie(unit, made, source, Relation.DERIVED_FROM, made_with(change))
    return made


def _made(
    unit: UnitOfWork, night: Night, change: ChangeId, text: str, sources: Sequence[Memory],
    step: Step,
) -> Memory:  # fmt: skip
    trust, secrecy = inherited(sources)
    return Memory(
        id=unit.mint_memory_id(),
        number=unit.next_number(),
        scope=night.scope,
        content=text,
        category="fact",
        memory_type=MemoryType.FACT,
        layer=Layer.SEMANTIC,
        kind=Kind.NOTE,
        status=Status.ACTIVE,
        source=f"dream:{step.value}",
        source_class=SourceClass.DREAM,
        learned_by=LearnedBy.DREAM,
        speaker=_shared([each.speaker for each in sources]),
        subject=_shared([each.subject for each in sources]),
        confidence=0.5,
        base_importance=_IMPORTANCE,
        trust=trust,
        at=max((each.at for each in sources), default=night.now),
        learned_at=night.now,
        recorded_at=night.now,
        change_id=change,
        secrecy=secrecy,
        summary=summary_for(text, None, secrecy),
        identity=_identity(text, step),
    )


def _identity(text: str, step: Step) -> bytes:
    """What tells it from others: the same words said by somebody are another memory."""
    return hashlib.sha256(f"dream\x1f{step.value}\x1f{normalised(text)}".encode()).digest()


def _shared(names: Sequence[str | None]) -> str | None:
    first = names[0] if names else None
    return first if all(each == first for each in names) else None


def _labels(sources: Sequence[Memory]) -> str:
    shown = ", ".join(each.label for each in sources[:5])
    return shown + (f" and {len(sources) - 5} more" if len(sources) > 5 else "")
