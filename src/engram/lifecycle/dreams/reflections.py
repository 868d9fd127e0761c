"""Puts what somebody says of who they are into one text, once it has grown too long."""

from engram.lifecycle.dreams.made import Made, fresh, labels, made
from engram.lifecycle.dreams.named import statements_by_number
from engram.lifecycle.dreams.night import Night, Planned
from engram.memory.dreams.artefact import ArtefactKind
from engram.memory.dreams.reflections import KEY, is_reflection, reflection_of, size_of
from engram.storage.reader import StoreReader

_ABOUT = "reflections"


def reflections(night: Night, see: StoreReader) -> Planned:
    """Plan the reflections of one scope."""
    statements = statements_by_number(see, night)
    night.breathe()
    told = [each for each in statements.values() if is_reflection(each)]
    found = reflection_of(
        told, scope=night.scope, now=night.now, most_bytes=night.options.reflection_bytes
    )
    if found is not None:
        what = Made(_ABOUT, fresh(see, [found]))
        size = size_of(told)
        why = f"{len(told)} reflections of {size} bytes in one, by {labels(found.sources)}."
    else:
        stands = see.artefacts.find(ArtefactKind.REFLECTION, night.scope, KEY)
        what = Made(_ABOUT, end=(stands,) if stands is not None else ())
        why = "The reflections are short enough again to be read as they were said."
    if not what.keep and not what.end:
        return Planned(looked_at=len(told))
    decision = made(what, why, night.scope, statements)
    return Planned((decision,), looked_at=len(told))
