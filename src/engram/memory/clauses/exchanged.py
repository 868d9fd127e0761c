"""Whether a statement gives everybody the part that they have in what was told.

"Ada manages Grace" is made of the words of "Grace manages Ada" and says the contrary. Both are read
as clauses: what stands before a word, what behind it, and behind which preposition. Passives,
possessives and inverted sentences are first put into one order. A statement is refused only where
the two are comparable and the parts are exchanged; what is not understood is left to other rules.
"""

from collections.abc import Iterable, Sequence

from engram.memory.claims.forms import plain_form
from engram.memory.clauses.altered import is_converse
from engram.memory.clauses.pieces import Unit
from engram.memory.clauses.reading import Account, Clause, clauses_of

# What holds the other way round as well.
_SYMMETRIC = frozenset(
    plain_form(word)
    for word in """married wedded meet friend cousin sibling twin colleague neighbour partner spouse
    couple roommate classmate teammate flatmate related border equal resemble differ same identical
    compete engaged talk argue chat collaborate""".split()
)
_ALIASES = frozenset(map(plain_form, "nickname alias called named known short".split()))
# Behind these nobody has a part that the other could not have, or another rule looks at it.
_NO_PART = frozenset("of with than near beside like between among as".split())


def turns_round(statement: str, accounts: Iterable[Account]) -> bool:
    """Whether a statement exchanges the parts of those it names, against what was told."""
    known = list(accounts)
    if is_converse(statement, [account.text for account in known]):
        return False
    told = [clause for account in known for clause in clauses_of(account)]
    said = clauses_of(Account(statement))
    return any(_is_turned(clause, told) for clause in said)


def _is_turned(said: Clause, told: Sequence[Clause]) -> bool:
    if said in told or any(_says_so(said, each) for each in told):
        return False
    return (
        any(_is_mirrored(said, each) or _exchanges_places(said, each) for each in told)
        or _is_crossed(said, told)
        or _mixes_numbers(said, told)
    )


def _says_so(said: Clause, told: Clause) -> bool:
    """Whether the same is told of the same in the same places."""
    head, other = said.head, told.head
    if said.pivot != told.pivot or head is None or other is None or not head.meets(other):
        return False
    return all(_stands_in(each, told.right) for each in said.right) and not _differing(said, told)


def _differing(said: Clause, told: Clause) -> bool:
    """Whether a unit stands behind another preposition than it was told."""
    return any(
        one.meets(other) and one.place != other.place for one in said.right for other in told.right
    )


def _is_mirrored(said: Clause, told: Clause) -> bool:
    """Whether "B manages A" is said where "A manages B" was told."""
    if said.pivot != told.pivot or said.pivot in {"be", *_SYMMETRIC}:
        return False
    ours, theirs = said.head, told.head
    if ours is None or theirs is None:
        return False
    if _stands_in(ours, told.left) or _stands_in(theirs, said.left):
        return False
    return _stands_in(ours, told.right) and _stands_in(theirs, said.right)


def _exchanges_places(said: Clause, told: Clause) -> bool:
    """Whether two stand each where the other stood: "from B to A" for "from A to B"."""
    is_symmetric = not _SYMMETRIC.isdisjoint(said.words | told.words)
    no_part = _NO_PART | {"to", "from"} if is_symmetric else _NO_PART
    pairs = [
        (ours, theirs)
        for ours in said.units
        for theirs in told.units
        if ours.meets(theirs) and ours.place != theirs.place
    ]
    return any(
        one is not other
        and _is_telling(one, other, said, told)
        and one.place == their_other.place
        and other.place == their_one.place
        and no_part.isdisjoint({one.place, other.place})
        for one, their_one in pairs
        for other, their_other in pairs
    )


def _is_telling(one: Unit, other: Unit, said: Clause, told: Clause) -> bool:
    """Whether the places of two tell their parts: names do, words only around the same doing."""
    if one.is_name and other.is_name:
        return True
    ours, theirs = said.head, told.head
    if said.pivot != told.pivot or ours is None or theirs is None:
        return False
    are_heads = ours.meets(one) and theirs.meets(other)
    is_directed = {one.place, other.place} <= {"", "to", "from"}
    return are_heads or (is_directed and ours.meets(theirs) and said.first in (one, other))


def _is_crossed(said: Clause, told: Sequence[Clause]) -> bool:
    """Of one is said what was told of another alone: "A lives in Y", told of B, where A has X."""
    head, first = said.head, said.first
    if head is None or first is None or not head.is_name:
        return False
    alike = [each for each in told if each.pivot == said.pivot and each.head is not None]
    own = [each for each in alike if _leads(head, each)]
    others = [
        each for each in alike if _stands_in(first, each.right) and not _stands_in(head, each.units)
    ]
    if not others or any(_stands_in(first, each.right) for each in own):
        return False
    if not all(each.head is not None and each.head.is_name for each in others):
        return False
    if any(_are_one(head, each, told) for each in others):
        return False
    if own:
        apart = [each for each in told if not _shares_head(each, others)]
        return not any(_are_linked(first, each, apart) for each in own)
    return said.pivot != "be" and all(_stands_in(each, _rights(others)) for each in said.right)


def _mixes_numbers(said: Clause, told: Sequence[Clause]) -> bool:
    """A number that was told of the same subject and the same doing, but beside something else."""
    head = said.head
    if head is None:
        return False
    own = [each for each in told if each.pivot == said.pivot and _leads(head, each)]
    numbers = [unit for unit in said.right if unit.is_number]
    known = [unit for unit in said.right if unit.is_name and _stands_in(unit, _rights(own))]
    return any(
        _stands_in(number, _rights(own))
        and not any(_stands_in(number, each.right) and _stands_in(name, each.right) for each in own)
        for number in numbers
        for name in known
    )


def _shares_head(clause: Clause, others: Iterable[Clause]) -> bool:
    return any(each.head is not None and _stands_in(each.head, clause.units) for each in others)


def _leads(unit: Unit, clause: Clause) -> bool:
    return any(unit.meets(each) and not each.is_owner for each in clause.left)


def _are_one(head: Unit, clause: Clause, told: Iterable[Clause]) -> bool:
    """Whether two names were said to be of one: "Roger is Buddy", "Buddy is short for Roger"."""
    other = clause.head
    return other is None or any(
        _stands_in(head, each.units)
        and _stands_in(other, each.units)
        and (_names_itself(each) or not _ALIASES.isdisjoint(each.words))
        for each in told
    )


def _names_itself(clause: Clause) -> bool:
    head, first = clause.head, clause.first
    is_named = head is not None and head.is_name and first is not None and first.is_name
    return clause.pivot == "be" and is_named and first is not None and not first.place


def _are_linked(first: Unit, own: Clause, told: Iterable[Clause]) -> bool:
    """Whether what is said follows from what was told: Bergen is in Norway."""
    return any(
        _stands_in(first, each.units)
        and any(_stands_in(unit, each.units) for unit in own.right if unit.is_name)
        for each in told
    )


def _rights(clauses: Iterable[Clause]) -> list[Unit]:
    return [unit for each in clauses for unit in each.right]


def _stands_in(unit: Unit, units: Iterable[Unit]) -> bool:
    return any(unit.meets(each) for each in units)
