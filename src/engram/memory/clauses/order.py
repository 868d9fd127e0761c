"""The parts of a sentence in one order: who does it, what they do, to whom, where.

A part that leaves something out gets it from the part before. Passives become active, owners stand
behind what they own, and what a sentence opens with goes to its end.
"""

from collections.abc import Iterator
from dataclasses import replace

from engram.memory.claims.forms import IRREGULAR_PASTS, plain_form
from engram.memory.clauses.pieces import Kind, Piece, Pieces, is_participle

_QUALIFYING = frozenset(
    """older younger old young big little small former first second third last favourite favorite
    best closest oldest youngest elder late current""".split()
)


def parts_of(pieces: Pieces) -> Iterator[Pieces]:
    """Cut where another clause begins: behind a link, at "who" and "where"."""
    part: Pieces = []
    for place, piece in enumerate(pieces):
        if piece.kind == Kind.RELATIVE and place:
            head = _last_unit(part)
            yield part
            part = [piece, *([head] if head else [])]
        elif piece.kind == Kind.LINK and _is_aside(part, pieces[place:]):
            part.append(Piece(Kind.BE, "is"))
        elif piece.kind == Kind.LINK and says_something(part):
            yield part
            part = []
        elif piece.kind != Kind.LINK:
            part.append(piece)
    yield part


def _is_aside(part: Pieces, rest: Pieces) -> bool:
    """A name alone before a comma, and behind it what it is: "Roger, the brother of Grace,"."""
    follows = rest[1:2]
    is_alone = sum(each.kind == Kind.UNIT for each in part) == 1
    return is_alone and rest[0].text == "," and bool(follows) and follows[0].kind == Kind.ARTICLE


def says_something(part: Pieces) -> bool:
    """Whether a part has a verb, as far as can be told: a word behind the first, or "is"."""
    units = [each.unit for each in part if each.unit is not None and not each.unit.is_owner]
    words = [unit for unit in units[1:] if not unit.is_name and not unit.is_number]
    is_fronted = part[:1] != [] and part[0].kind == Kind.PREPOSITION and not words[1:]
    return (bool(words) and not is_fronted) or any(each.kind == Kind.BE for each in part)


def _last_unit(part: Pieces) -> Piece | None:
    for piece in reversed(part):
        if piece.unit is not None:
            return replace(piece, unit=replace(piece.unit, is_owner=False, place=""))
    return None


def completed(part: Pieces, before: Pieces) -> Pieces:
    """A part with what it leaves out because the part before it has said so."""
    if part[:1] and part[0].kind == Kind.RELATIVE:
        return _of_relative(part)
    units = [each for each in part if each.unit is not None]
    if not before or not units:
        return part
    subject, verb = _subject(before), _verb(before)
    if part[0].kind == Kind.PREPOSITION:
        return [*subject, *verb, *part]
    is_named = units[0].unit is not None and units[0].unit.is_name
    if is_named and len(units) > 1 and not says_something(part):
        place = part.index(units[0]) + 1
        return [*part[:place], *verb, *part[place:]]
    starts_with_verb = part[0].kind in {Kind.BE, Kind.UNIT} and not is_named
    return [*subject, *part] if starts_with_verb else part


def _of_relative(part: Pieces) -> Pieces:
    """Whom "who" means does it; "the report that Ada wrote" is what Ada wrote."""
    relative, rest = part[0].text, part[1:]
    if not rest:
        return []
    head, rest = rest[:1], rest[1:]
    opens = rest[0] if rest else None
    is_object = opens is not None and (
        opens.kind == Kind.ARTICLE or (opens.unit is not None and opens.unit.is_name)
    )
    return [*rest, *head] if relative == "where" or is_object else [*head, *rest]


def _subject(before: Pieces) -> Pieces:
    return [each for each in before if each.unit is not None and not each.unit.is_owner][:1]


def _verb(before: Pieces) -> Pieces:
    for place, piece in enumerate(before):
        is_word = piece.unit is not None and not (piece.unit.is_name or piece.unit.is_number)
        if piece.kind == Kind.BE:
            following = [each for each in before[place + 1 : place + 2] if each.kind == Kind.UNIT]
            return [piece, *following]
        if place and is_word and piece.unit is not None and not piece.unit.is_owner:
            return [piece]
    return []


def in_order(part: Pieces) -> Pieces:
    """Owners behind what they own, who does it first, and what a sentence opens with last."""
    owned = _owners_behind(part)
    placed = _with_places(_places_last(owned))
    return _copula(_active(placed))


def _owners_behind(part: Pieces) -> Pieces:
    """Read "Ada's manager" as "manager of Ada"."""
    found: Pieces = []
    waiting: Pieces = []
    for piece in part:
        found.append(piece)
        if piece.unit is None:
            continue
        if piece.unit.is_owner:
            waiting.append(found.pop())
        elif waiting and piece.text not in _QUALIFYING:
            found += reversed(waiting)
            waiting = []
    return [*found, *waiting]


def _places_last(part: Pieces) -> Pieces:
    """Read "In Bergen lives Roger" as "lives Roger in Bergen"."""
    end = 0
    while end < len(part) and part[end].kind == Kind.PREPOSITION:
        end += 1
        while end < len(part) and part[end].kind == Kind.ARTICLE:
            end += 1
        end += 1
    return [*part[end:], *part[:end]]


def _with_places(part: Pieces) -> Pieces:
    """Each unit with the preposition in front of it; "of" makes an owner."""
    found: Pieces = []
    place = ""
    for piece in part:
        if piece.kind == Kind.PREPOSITION:
            place = piece.text
            found.append(piece)
        elif piece.unit is not None:
            unit = replace(piece.unit, place="" if place == "of" else place)
            unit = replace(unit, is_owner=unit.is_owner or place == "of")
            found.append(replace(piece, unit=unit))
            place = ""
        else:
            found.append(piece)
    return found


def _place_of_be(part: Pieces) -> int | None:
    return next((place for place, each in enumerate(part) if each.kind == Kind.BE), None)


def _active(part: Pieces) -> Pieces:
    """Read "B is managed by A" as "A managed B"."""
    at = _place_of_be(part)
    by = next((place for place, each in enumerate(part) if each.text == "by"), None)
    if at is None or by is None or by < at:
        return part
    rest = part[at + 1 : by]
    doing = next((each for each in rest if each.unit is not None), None)
    if doing is None or not is_participle(doing.text):
        return part
    end = next(
        (place for place in range(by + 1, len(part)) if part[place].kind == Kind.PREPOSITION),
        len(part),
    )
    agent = [_bare(each) for each in part[by + 1 : end]]
    left = [each for each in rest if each is not doing and each.kind != Kind.BE]
    return [*agent, _without_ending(doing), *part[:at], *left, *part[end:]]


def _without_ending(doing: Piece) -> Piece:
    """The verb of a participle that the list of irregular ones lacks: "beaten"."""
    if doing.unit is None or not doing.text.endswith("en") or doing.text in IRREGULAR_PASTS:
        return doing
    return replace(doing, unit=replace(doing.unit, forms=frozenset({plain_form(doing.text[:-2])})))


def _bare(piece: Piece) -> Piece:
    unit = piece.unit
    return piece if unit is None else replace(piece, unit=replace(unit, place=""))


def _copula(part: Pieces) -> Pieces:
    """Read "The manager of Ada is Grace" as "Grace is the manager of Ada"."""
    at = _place_of_be(part)
    if at is None:
        return part
    left, right = part[:at], part[at + 1 :]
    if right and right[0].text in {"called", "named"}:
        right = right[1:]
    owns, owns_too = (
        any(each.unit is not None and each.unit.is_owner for each in side) for side in (left, right)
    )
    opens = next((each for each in right if each.kind != Kind.ARTICLE), None)
    is_name = opens is not None and opens.unit is not None and opens.unit.is_name
    is_swapped = owns and not owns_too and is_name
    return [*right, part[at], *left] if is_swapped else [*left, part[at], *right]
