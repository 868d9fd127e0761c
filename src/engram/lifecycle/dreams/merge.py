"""Makes one memory of several that say the same: the best wording stands, the others back it."""

from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.lifecycle.dreams.unchanged import are_unchanged
from engram.memory.changes import Action
from engram.memory.dreams.merging import Sameness, merges
from engram.memory.record import Memory
from engram.memory.vocabulary import Status
from engram.storage.reader import StoreReader
from engram.storage.unit import Evidence, UnitOfWork


def merge(night: Night, see: StoreReader) -> Planned:
    """Find statements of which there are many wordings; episodes, beliefs and skills are none."""
    statements = night.statements(see)
    details = see.made_from(each.number for each in statements)
    plain = [each for each in statements if each.number not in details]
    merging = merges(
        plain,
        night.vectors(see),
        night.judge,
        at_least=night.options.merge_at_least,
        similarity=night.options.merge_similarity,
        after=0 if night.is_rebuild else int(night.mark or 0),
        breathe=night.breathe,
    )
    most = night.options.decisions_per_pass
    return Planned(
        decisions=tuple(_decision(each) for each in merging.found[:most]),
        looked_at=len(statements),
        skipped="" if night.judge else "Only what says the same to the word: no reader is set up.",
        mark=str(merging.mark or 0),
        is_whole=merging.mark is None and len(merging.found) <= most,
    )


def _decision(group: Sameness) -> Decision:
    numbers = (group.survivor.number, *(each.number for each in group.merged))
    labels = ", ".join(each.label for each in group.merged)
    return Decision(
        key=f"merge {','.join(map(str, sorted(numbers)))}",
        why=f"{labels} say what {group.survivor.label} says",
        numbers=numbers,
        carry_out=lambda unit: _carry_out(unit, group),
    )


def _carry_out(unit: UnitOfWork, group: Sameness) -> bool:
    """Each memory goes in a change of its own, so that one alone can be taken back."""
    survivor, merged = group.survivor, group.merged
    if not are_unchanged(unit, (survivor, *merged)):
        return False
    for each in merged:
        evidence = _evidence(unit.see, each, survivor)
        unit.begin_change(Action.MERGE, each.scope, f"says the same as {survivor.label}")
        unit.replace(each, status=Status.MERGED, superseded_by=survivor.id)
        unit.confirm(survivor, evidence)
    return True


def _evidence(see: StoreReader, merged: Memory, survivor: Memory) -> Evidence:
    references = see.references_of(merged)
    return Evidence(
        happened_at=merged.at,
        source=merged.source,
        session=merged.session,
        reference=references[0] if references else None,
        content=merged.content if merged.content != survivor.content else None,
    )
