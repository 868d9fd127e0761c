"""Keeps the index of topics: one a scope, in the place of the one before."""

from engram.lifecycle.dreams.made import Made, fresh, made
from engram.lifecycle.dreams.named import mentions_in_scope, statements_by_number
from engram.lifecycle.dreams.night import Night, Planned
from engram.memory.dreams.artefact import ArtefactKind
from engram.memory.dreams.counts import counted
from engram.memory.dreams.topics import KEY, topic_index, topics_artefact
from engram.storage.reader import StoreReader

_ABOUT = "topics"


def topics(night: Night, see: StoreReader) -> Planned:
    """Plan the index of topics of one scope."""
    statements = statements_by_number(see, night)
    names: dict[int, dict[str, str]] = {}
    for each in mentions_in_scope(see, night):
        names.setdefault(each.number, {}).setdefault(each.name, each.surface)
    night.breathe()
    index = topic_index(list(statements.values()), names, breathe=night.breathe)
    found = topics_artefact(index, statements, scope=night.scope, now=night.now)
    if found is not None:
        what = Made(_ABOUT, fresh(see, [found]))
        why = f"{counted(len(index), 'topic')} of {counted(len(statements), 'statement')}."
    else:
        stands = see.artefacts.find(ArtefactKind.TOPICS, night.scope, KEY)
        what = Made(_ABOUT, end=(stands,) if stands is not None else ())
        why = "Nothing comes up twice any more."
    if not what.keep and not what.end:
        return Planned(looked_at=len(statements))
    decision = made(what, why, night.scope, statements)
    return Planned((decision,), looked_at=len(statements))
