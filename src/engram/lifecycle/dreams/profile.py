"""Keeps how the person behaves: one profile a scope, in the place of the one before."""

from engram.lifecycle.dreams.made import Made, fresh, labels, made
from engram.lifecycle.dreams.named import statements_by_number
from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.memory.dreams.artefact import Artefact, ArtefactKind
from engram.memory.dreams.behaviour import KEY, behaviour_of
from engram.storage.reader import StoreReader


def profile(night: Night, see: StoreReader) -> Planned:
    """Plan the behavioural profile of one scope."""
    statements = statements_by_number(see, night)
    night.breathe()
    found = behaviour_of(
        list(statements.values()),
        scope=night.scope,
        now=night.now,
        most_lines=night.options.profile_lines,
    )
    if found is None:
        return Planned(_over(night, see), looked_at=len(statements))
    keep = fresh(see, [found])
    why = f"How the person behaves, by {labels(found.sources)}."
    decisions = (made(Made("profile", keep), why, night.scope, statements),) if keep else ()
    return Planned(decisions, looked_at=len(statements))


def _over(night: Night, see: StoreReader) -> tuple[Decision, ...]:
    stands: Artefact | None = see.artefacts.find(ArtefactKind.BEHAVIOUR, night.scope, KEY)
    if stands is None:
        return ()
    why = "Nothing says any more how the person behaves."
    return (made(Made("profile", end=(stands,)), why, night.scope, {}),)
