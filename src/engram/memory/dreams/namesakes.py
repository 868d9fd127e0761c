"""Which names certainly mean the same, and how one that merely may is put to a person.

What is merely likely is not decided here. A wrong merge mixes what is known of two, and it is
written down, so it would stand until somebody notices.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from engram.language.names.kinds import EntityType
from engram.memory.dreams.artefact import Artefact, ArtefactKind, inherited
from engram.memory.dreams.cards import Named
from engram.memory.entities.nearby import Proposal
from engram.memory.entities.profile import NameCount
from engram.memory.entities.resolve import (
    FEWEST_BITS,
    information,
    without_legal_form,
    without_rival_forms,
    written_together,
)
from engram.memory.ids import ChangeId
from engram.memory.scopes import Scope

_FEWEST_TIMES = 2  # a name that stood once may have been a slip
# Two files are two files, however alike they are written.
_NOT_BY_WRITING = frozenset({EntityType.FILE})


@dataclass(frozen=True, slots=True)
class Namesake:
    """A name that means the same as another, which is the usual one."""

    name: str
    entity: str


@dataclass(frozen=True, slots=True)
class NameProposal:
    """Two names that may mean the same, for a person to decide.

    `merge_entities(name, into)` confirms it; undoing the change that made it rejects it, and it is
    not made again.
    """

    name: str
    into: str
    reason: str  # "initials", "misspelt", "legal form", "plural", "part of the name", "meaning"
    change_id: ChangeId


def proposal_of(
    proposal: Proposal, name: Named, entity: Named, *, scope: Scope, now: datetime
) -> Artefact:
    """The proposal as it is kept, with the newest memory of each of the two as its sources."""
    newest = {each.members[-1].number: each.members[-1] for each in (name, entity)}
    sources = [newest[number] for number in sorted(newest)]
    trust, secrecy = inherited(sources)
    return Artefact(
        kind=ArtefactKind.NAME_PROPOSAL, scope=scope, key=f"{proposal.name} = {proposal.entity}",
        text=f"{name.entity.name} = {entity.entity.name}",
        body={
            "name": name.entity.name, "into": entity.entity.name, "reason": proposal.reason,
            "keys": [proposal.name, proposal.entity],
        },
        sources=tuple(each.number for each in sources), trust=trust, secrecy=secrecy, made_at=now,
    )  # fmt: skip


def seen_proposals(
    kept: Iterable[Artefact], wordings: Mapping[int, int], decided: Mapping[str, str]
) -> list[NameProposal]:
    """The proposals of which all memories are in sight and about which nothing was decided."""
    found = []
    for each in kept:
        name, into = str(each.body["name"]), str(each.body["into"])
        is_open = each.key.split(" = ")[0] not in decided
        is_shown = all(number in wordings for number in each.sources)
        if is_open and is_shown and each.change_id is not None:
            found.append(NameProposal(name, into, str(each.body["reason"]), each.change_id))
    return found


def namesakes(names: Sequence[NameCount], decided: Mapping[str, str]) -> list[Namesake]:
    """The names that mean the same as a more usual one.

    One that something was decided about is left alone; another may still come to mean what was
    decided to be meant.
    """
    by_writing: dict[str, dict[str, int]] = {}
    types: dict[str, set[EntityType]] = {}
    for each in names:
        types.setdefault(each.name, set()).add(each.type)
        form = _form(each.name)
        if form is not None and each.name not in decided:
            counts = by_writing.setdefault(form, {})
            counts[each.name] = counts.get(each.name, 0) + each.count
    meant = frozenset(decided.values())
    found = [same for counts in by_writing.values() for same in _of_one(counts, types, meant)]
    return sorted(found, key=lambda each: (each.name, each.entity))


def is_free(namesake: Namesake, decided: Mapping[str, str]) -> bool:
    """Whether nothing was decided that this would go against."""
    is_meant = namesake.name in decided.values()
    return not is_meant and namesake.name not in decided and namesake.entity not in decided


def _of_one(
    counts: Mapping[str, int], types: Mapping[str, set[EntityType]], meant: frozenset[str]
) -> Iterator[Namesake]:
    """Of names written alike, those that mean the usual one; one that is meant already is it."""
    joined = without_rival_forms(list(counts))
    usual = min(joined, key=lambda name: (name not in meant, -counts[name], name), default="")
    for name in joined:
        count = counts[name]
        is_clear = name != usual and name not in meant and count >= _FEWEST_TIMES
        if is_clear and _can_be_one(types[name], types[usual]):
            yield Namesake(name, usual)


def _form(name: str) -> str | None:
    """What is left of a name without spaces, hyphens and legal forms; None: too little to tell."""
    bare = without_legal_form(name)
    form = written_together(bare)
    has_figures = any(letter.isdigit() for letter in form)
    return form if information(form) >= FEWEST_BITS and not has_figures else None


def _can_be_one(one: set[EntityType], other: set[EntityType]) -> bool:
    if (one | other) & _NOT_BY_WRITING:
        return False
    told, known = one - {EntityType.UNKNOWN}, other - {EntityType.UNKNOWN}
    return not told or not known or bool(told & known)
