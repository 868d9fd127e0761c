"""Keeps what several episodes have in common as a memory of its own, tied to each of them."""

import dataclasses
import hashlib

from engram.capture.draft import DraftRules, read_draft
from engram.capture.recorded import keep_record
from engram.memory.changes import Action
from engram.memory.episodes.patterns import Consolidation
from engram.memory.links import Relation
from engram.memory.outcomes import Outcome
from engram.memory.scopes import Scope
from engram.memory.secrecy import highest
from engram.memory.trust import SOURCE_TRUST, passed_on
from engram.memory.vocabulary import SourceClass
from engram.storage.sameness import people_of
from engram.storage.tied import tie
from engram.storage.unit import UnitOfWork

CATEGORY = "fact"
SOURCE = "dream:episodes"


def keep_pattern(
    proposal: Consolidation, scope: Scope, unit: UnitOfWork, rules: DraftRules
) -> Outcome:
    """Keep the statement that episodes come to; it is believed no more than any of them."""
    sources = [
        memory for number in proposal.numbers if (memory := unit.see.current(number)) is not None
    ]
    arguments = {"category": CATEGORY, "source": SOURCE, "scope": scope}
    draft = read_draft(proposal.statement, arguments, rules)
    sureness = min([draft.provenance.trust, *map(passed_on, sources)])
    trust = min([SOURCE_TRUST[SourceClass.AGENT], *map(passed_on, sources)])
    numbers = ",".join(map(str, proposal.numbers))
    draft = dataclasses.replace(
        draft,
        identity=hashlib.sha256(f"pattern of episodes {numbers}".encode()).digest(),
        action=Action.CONSOLIDATE,
        confidence=sureness,
        provenance=dataclasses.replace(draft.provenance, trust=trust),
        made_of=people_of(unit, sources),
    )
    inherited = highest(memory.secrecy for memory in sources)
    outcome = keep_record(draft, unit, rules, lambda _: None, inherited=inherited)
    if outcome.kind != "refused":
        for memory in sources:
            tie(unit, outcome.memory, memory, Relation.DERIVED_FROM)
    return outcome
