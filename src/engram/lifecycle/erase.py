"""Erases memories and all that was made of them: selection and cleanup are one transaction."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from engram.errors import AccessDenied, InvalidInput, MemoryNotFound
from engram.failpoints import failpoint
from engram.memory.changes import Action
from engram.memory.erasure import ErasedKind, Erasure, ErasureState, Selection, tells_of
from engram.memory.ids import ChangeId, MemoryId, label_of
from engram.memory.people import Person, normalised_name
from engram.memory.scopes import Principal, Reach, Scope
from engram.storage.byte_search import own_words, vocabulary_of, words_of
from engram.storage.database import Transaction
from engram.storage.doomed import Doomed, Place, find_doomed, places_by_id
from engram.storage.erasing import (
    Begun,
    erase_confirmations,
    erase_rows,
    erased_by,
    erasures,
    note_begun,
)
from engram.storage.graves import Grave, TaggedNames, TaggedTexts, bury, graves, without_keys
from engram.storage.named_rows import is_name_left, nobodys, people_behind_listed
from engram.storage.part_readers import reach_parameters
from engram.storage.still_there import doomed_texts, doomed_vectors, kept_texts
from engram.storage.unit import UnitOfWork
from engram.storage.vault import Vault

NOBODY = (
    "Nothing here is about, by or names that person. Names count whole: try the full name, or "
    "another one that is theirs, or another scope. Nothing was erased."
)


@dataclass(frozen=True, slots=True)
class Traces:
    """What must not be found anywhere afterwards; held in memory until that is proven."""

    texts: tuple[str, ...] = field(default=(), repr=False)
    vectors: tuple[bytes, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Taken:
    """What one erasure took out of the database."""

    erasure: Erasure
    grave: Grave
    traces: Traces


def check_may_erase(principal: Principal) -> None:
    """Refuse whoever is no person, or may not decide on what others said."""
    principal.check_known()
    principal.check_may_curate()
    if not principal.is_person:
        raise AccessDenied(hint="Only a person erases; an agent can forget.")


def erasing_reach(principal: Principal, selection: Selection, scope: Scope | None) -> Reach:
    """Where a caller may erase: the owner everywhere, others where they may change things.

    One memory is looked for as by every other call; whether it may go is seen when it is found.
    """
    if selection.kind is ErasedKind.MEMORY:
        return principal.reach(scope)
    if principal.is_owner and scope is None:
        return principal.review_reach()
    place = scope or principal.scope or Scope()
    principal.check_may_change(place)
    return Reach(chain=(place.path,))


def preview(
    transaction: Transaction, principal: Principal, reach: Reach, selection: Selection
) -> Doomed:
    """What an erasure would take now; nothing happens."""
    doomed = find_doomed(transaction, reach, selection)
    if selection.kind is ErasedKind.MEMORY and not doomed.places:
        raise MemoryNotFound
    for each in doomed.places:
        # Also what was made of it: a link leads nobody to what they could not erase by name.
        if each.number in doomed.chosen or not principal.is_owner:
            principal.check_may_change(Scope.parse(each.scope))
    return doomed


def erase(
    unit: UnitOfWork, principal: Principal, selection: Selection, reach: Reach, *, reason: str
) -> Taken:
    """Take what is selected and all that was made of it out of the database.

    The last steps before the commit are the grave and the end of the person's keys, while nobody
    else can write: whoever writes about that person afterwards gets a fresh key, and killed right
    here the erasure is finished at the next opening.
    """
    doomed = preview(unit.transaction, principal, reach, selection)
    traces = Traces(
        tuple(_texts(unit.transaction, doomed, selection)),
        tuple(doomed_vectors(unit.transaction, doomed.numbers)),
    )
    _check_reason(reason, doomed, traces)
    scope = principal.scope or Scope()
    change = unit.begin_change(Action.ERASE, scope, reason)
    sealed_for = people_behind_listed(unit.transaction, doomed.numbers)
    counts = _erase_all(unit.transaction, doomed, traces)
    counts["confirmations"] = counts.get("confirmations", 0) + erase_confirmations(
        unit.transaction, reach_parameters(reach), selection.kind, selection.value, doomed.confirmed
    )
    _check_found(unit.transaction, doomed, counts)
    _tell(unit, doomed.places, change, scope)
    erasure = Erasure(
        id=f"ers-{change.removeprefix('chg-')}", at=unit.now, kind=selection.kind,
        state=ErasureState.BEGUN, counts={name: each for name, each in counts.items() if each},
        also_told_by=tuple(map(label_of, doomed.also_told_by)), change_id=change,
    )  # fmt: skip
    begun = Begun(erasure.id, unit.now, selection.kind, principal.actor, scope.path, change)
    note_begun(unit.transaction, begun, doomed, erasure.counts)
    return Taken(erasure, _bury(unit, reach, erasure, doomed, sealed_for), traces)


def _bury(
    unit: UnitOfWork, reach: Reach, erasure: Erasure, doomed: Doomed, sealed_for: set[Person]
) -> Grave:
    vault = unit.transaction.vault()
    vault.check()  # in another one no key could be ended
    failpoint("erase_before_grave")
    ids = [each.id for each in doomed.places]
    grave = bury(vault, erasure.id, erasure.kind.value, ids, doomed.names, reach)
    failpoint("erase_after_grave")
    grave = end_keys(vault, grave)
    # Whoever else was named in it is named by a key yet: it goes when nothing needs it.
    vault.destroy(nobodys(unit.transaction, sealed_for))
    failpoint("erase_after_keys")
    return grave


def end_keys(vault: Vault, grave: Grave) -> Grave:
    """End the keys of whom an erasure took, once: a key made since is that of what came after."""
    if not grave.has_keys:
        return grave
    is_theirs = TaggedNames(vault, grave)

    def theirs() -> list[Person]:
        return [each for each in vault.people() if each.name and is_theirs(each.name, each.scope)]

    vault.destroy(theirs())
    return grave if theirs() else without_keys(vault, grave)


def _texts(transaction: Transaction, doomed: Doomed, selection: Selection) -> Iterator[str]:
    yield from doomed_texts(transaction, doomed.numbers)
    if selection.kind is ErasedKind.SUBJECT:
        yield selection.value


def _check_reason(reason: str, doomed: Doomed, traces: Traces) -> None:
    """A reason is kept: it must not say what is to be gone."""
    if not reason:
        return
    told = {normalised_name(word) for word in reason.split()}
    if told & doomed.names or any(name in normalised_name(reason) for name in doomed.names):
        raise InvalidInput(hint="The reason is kept: leave out whom it is about.")
    if tells_of(reason, traces.texts):
        raise InvalidInput(
            hint="The reason is kept: say it without any word of what is to be erased."
        )


def _check_found(transaction: Transaction, doomed: Doomed, counts: Mapping[str, int]) -> None:
    """Refuse to erase a person of whom there is nothing: no row, no key, no name of a scope."""
    if not doomed.names or doomed.places or any(counts.values()):
        return
    people = transaction.vault().people()
    has_key = any(each.name and doomed.is_named(each.name, each.scope) for each in people)
    if not has_key and not is_name_left(transaction, doomed.holds_name):
        raise MemoryNotFound(hint=NOBODY)


def _erase_all(transaction: Transaction, doomed: Doomed, traces: Traces) -> dict[str, int]:
    own: list[set[str]] = []

    def tells(text: str) -> bool:
        if not own:  # asked for the first time when only what stays is there
            own.append(own_words(traces.texts, vocabulary_of(kept_texts(transaction))))
        return bool(words_of(text) & own[0])

    return erase_rows(
        transaction, doomed.numbers, doomed.scopes, ids=[each.id for each in doomed.places],
        is_named=doomed.is_named, tells=tells, holds_name=doomed.holds_name,
    )  # fmt: skip


def _tell(unit: UnitOfWork, places: tuple[Place, ...], change: ChangeId, scope: Scope) -> None:
    """The audit tells which ids are gone, in their own scopes, and how many in all."""
    for each in places:
        unit.audit(Action.ERASE, each.scope, memory_id=MemoryId(each.id), change_id=change)
    unit.keep_change(scope, count=len(places))


def open_graves(transaction: Transaction) -> list[Grave]:
    """Erasures that this database does not know of: it is an older copy, or one was killed."""
    known = {each.erasure.id for each in erasures(transaction)}
    return [each for each in graves(transaction.vault()) if each.erasure not in known]


def erase_again(unit: UnitOfWork, grave: Grave) -> Taken:
    """Take out of this copy of the database what was erased from another."""
    transaction = unit.transaction
    end_keys(transaction.vault(), grave)
    places = places_by_id(transaction, grave.ids)
    doomed = Doomed(places=places)
    traces = Traces(
        tuple(doomed_texts(transaction, doomed.numbers)),
        tuple(doomed_vectors(transaction, doomed.numbers)),
    )
    change = unit.begin_change(Action.ERASE, Scope(), "erased before, and not to come back")
    counts = erase_rows(
        transaction, doomed.numbers, doomed.scopes, ids=grave.ids,
        is_named=TaggedNames(transaction.vault(), grave),
        holds_name=TaggedTexts(transaction.vault(), grave),
    )  # fmt: skip
    _tell(unit, places, change, Scope())
    kind = ErasedKind(grave.kind)
    erasure = Erasure(
        id=grave.erasure, at=unit.now, kind=kind, state=ErasureState.BEGUN, counts=counts,
        change_id=change,
    )  # fmt: skip
    begun = Begun(erasure.id, unit.now, kind, "engram", Scope().path, change)
    note_begun(transaction, begun, doomed, counts)
    return Taken(erasure, grave, traces)


def unfinished(transaction: Transaction) -> list[tuple[Erasure, Grave]]:
    """Erasures whose files are not clean yet, with what they took."""
    known = {each.erasure: each for each in graves(transaction.vault())}
    found = []
    for each in erasures(transaction):
        if each.erasure.state is ErasureState.PROVEN:
            continue
        _numbers, ids = erased_by(transaction, each.erasure.id)
        grave = known.get(each.erasure.id) or Grave(
            each.erasure.id, each.erasure.kind.value, tuple(ids)
        )
        found.append((each.erasure, grave))
    return found
