"""A decision to put artefacts in the place of those before, if nothing has come in between."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engram.lifecycle.dreams.night import Decision
from engram.memory.changes import Action
from engram.memory.dreams.artefact import Artefact
from engram.memory.ids import label_of
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.storage.reader import StoreReader
from engram.storage.unit import UnitOfWork

_TOLD = 3  # labels in a reason; the decision itself names all


@dataclass(frozen=True, slots=True)
class Made:
    """What is to be kept and what is to go, about one thing."""

    about: str  # names it whatever night it is
    keep: tuple[Artefact, ...] = ()
    end: tuple[Artefact, ...] = ()

    @property
    def sources(self) -> tuple[int, ...]:
        """The numbers of the memories it is made of."""
        return tuple(sorted({number for each in self.keep for number in each.sources}))


def fresh(see: StoreReader, planned: Iterable[Artefact]) -> tuple[Artefact, ...]:
    """Those that say something else than what stands in their place."""
    return tuple(
        each
        for each in planned
        if not each.says_the_same(see.artefacts.find(each.kind, each.scope, each.key))
    )


def made(what: Made, why: str, scope: Scope, statements: Mapping[int, Memory]) -> Decision:
    """The decision to make it so; it is overtaken when one of its sources has changed since."""
    seen = {number: statements[number].change_id for number in what.sources}

    def carry_out(unit: UnitOfWork) -> bool:
        for number, change_id in seen.items():
            memory = unit.see.current(number)
            if memory is None or memory.change_id != change_id:
                return False
        unit.begin_change(Action.KEEP_ARTEFACT, scope, why)
        for each in what.keep:
            unit.keep_artefact(each)
        for each in what.end:
            unit.end_artefact(each)
        return True

    return Decision(f"{what.about} {_digest(what)}", why, what.sources, carry_out)


def _digest(what: Made) -> str:
    """What is written, in short: the same words are not written again where they were undone."""
    said = [[each.kind.value, each.key, each.text, each.body, each.sources] for each in what.keep]
    gone = [[each.kind.value, each.key] for each in what.end]
    text = json.dumps([said, gone], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def labels(numbers: Sequence[int]) -> str:
    """Some memories by their labels: "mem-0001, mem-0002 and 7 more"."""
    told = ", ".join(label_of(number) for number in numbers[:_TOLD])
    rest = len(numbers) - _TOLD
    return f"{told} and {rest} more" if rest > 0 else told
