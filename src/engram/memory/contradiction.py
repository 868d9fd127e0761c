"""Whether two statements cannot both hold, and which of them then stands.

Likeness is no evidence. Two statements contradict each other when they give one functional property
of one subject two values, when one denies what the other affirms in the same words, or when they
differ in nothing but a word and its opposite. Dates and strength decide between them; where neither
does, the matter is contested and left to a person.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engram.language.when.spans import find_times
from engram.memory.claims.claim import Claim, covers
from engram.memory.claims.forms import LONGEST_TEXT
from engram.memory.claims.opposites import SAYS_LESS, are_opposite, are_opposite_particles, says
from engram.memory.claims.polarity import FIRST_OR_SECOND_PERSON, Polarity, polarity_of
from engram.memory.claims.reading import claim_of
from engram.memory.claims.rivals import are_rivals
from engram.memory.claims.updates import is_update
from engram.memory.sameness import is_same_statement

STRENGTH_GAP = 0.3  # a difference in strength that decides by itself, whatever the dates


@dataclass(frozen=True, slots=True)
class Statement:
    """What is known of a statement when it is held against another."""

    text: str
    speaker: str | None
    at: datetime
    trust: float
    confidence: float

    @property
    def strength(self) -> float:
        """How strongly it is held: its source's trust times how sure the source was."""
        return self.trust * self.confidence


class Relation(StrEnum):
    """How a later statement stands to an earlier one."""

    SAME = "same"
    CONTRADICTS = "contradicts"  # both cannot hold, and the later one does not prevail
    REPLACES = "replaces"  # both cannot hold now, and the later one prevails
    UNRELATED = "unrelated"


class Verdict(StrEnum):
    """Which of two statements that exclude each other stands."""

    EARLIER = "earlier"
    LATER = "later"
    CONTESTED = "contested"


def relation(earlier: Statement, later: Statement) -> Relation:
    """How the later statement stands to the earlier one; nothing follows from likeness alone."""
    if _are_of_two_speakers(earlier, later):
        return _by_claims(earlier, later) or Relation.UNRELATED
    said = (earlier.at, later.at)
    if is_same_statement(earlier.text, later.text, said=said).is_same:
        return Relation.SAME
    by_claims = _by_claims(earlier, later)
    if by_claims is not None:
        return by_claims
    if is_update(earlier.text, later.text, speaker=_one_speaker(earlier, later)):
        return _conflict(earlier, later)
    is_denied = _are_opposed(earlier.text, later.text, is_strict=True)
    if is_denied and _times(earlier) == _times(later):
        return _conflict(earlier, later)
    return Relation.UNRELATED


def _times(statement: Statement) -> list[tuple[datetime, datetime]]:
    """The times it names: what was not so yesterday may well be so today."""
    return [(span.start, span.end) for span in find_times(statement.text, statement.at)]


def winner(earlier: Statement, later: Statement) -> Verdict:
    """Which of two that exclude each other stands.

    A gap in strength decides; else the later one, if its source is trusted at least as much; else
    nobody but a person can tell.
    """
    gap = later.strength - earlier.strength
    if abs(gap) > STRENGTH_GAP:
        return Verdict.LATER if gap > 0 else Verdict.EARLIER
    if later.at > earlier.at and later.trust >= earlier.trust:
        return Verdict.LATER
    return Verdict.CONTESTED


def contradicts(a: str, b: str) -> bool:
    """Whether two sentences, said by one person at one time, cannot both hold."""
    if max(len(a), len(b)) > LONGEST_TEXT:
        return False
    first, second = claim_of(a), claim_of(b)
    if first and second and first.key == second.key and _exclude(first, second):
        return True
    return _are_opposed(a, b, is_strict=False)


def _are_of_two_speakers(earlier: Statement, later: Statement) -> bool:
    """Whether "I" or "you" in them means two people, so that only claims can be compared."""
    texts = (earlier.text, later.text)
    has_person = any(FIRST_OR_SECOND_PERSON.search(text) for text in texts)
    return has_person and earlier.speaker != later.speaker


def _one_speaker(earlier: Statement, later: Statement) -> str | None:
    return later.speaker if earlier.speaker == later.speaker else None


def _conflict(earlier: Statement, later: Statement) -> Relation:
    prevails = winner(earlier, later) is Verdict.LATER
    return Relation.REPLACES if prevails else Relation.CONTRADICTS


def _by_claims(earlier: Statement, later: Statement) -> Relation | None:
    """What their claims tell; None when they claim nothing of the same."""
    before = claim_of(earlier.text, speaker=earlier.speaker)
    after = claim_of(later.text, speaker=later.speaker)
    if before is None or after is None or before.key != after.key:
        return None
    if before.is_negated == after.is_negated and covers(after.object, before.object):
        return _agreement(earlier, later, before, after)
    if before.is_negated == after.is_negated and covers(before.object, after.object):
        return Relation.SAME if after.is_whole else None
    if _exclude(before, after) or (after.instead_of and covers(before.object, after.instead_of)):
        return _conflict(earlier, later)
    return None


def _agreement(earlier: Statement, later: Statement, before: Claim, after: Claim) -> Relation:
    """The same claim again; one that also says when, why or where exactly is a better wording."""
    if after.is_whole and covers(before.object, after.object):
        return Relation.SAME
    prevails = winner(earlier, later) is Verdict.LATER
    return Relation.REPLACES if prevails and before.is_whole else Relation.UNRELATED


def _exclude(first: Claim, second: Claim) -> bool:
    """Whether two claims of one key cannot both hold."""
    if first.is_negated != second.is_negated:
        denied, affirmed = (first, second) if first.is_negated else (second, first)
        return covers(affirmed.object, denied.object)
    is_one_valued = first.is_functional and second.is_functional and not first.is_negated
    agree = covers(first.object, second.object) or covers(second.object, first.object)
    return is_one_valued and not agree and are_rivals(first, second)


def _are_opposed(a: str, b: str, *, is_strict: bool) -> bool:
    """Whether one denies the other, or they differ in a word and its opposite alone."""
    first, second = polarity_of(a), polarity_of(b)
    if first is None or second is None:
        return False
    if (first.modals, first.is_past) != (second.modals, second.is_past):
        return False
    if first.is_negated == second.is_negated:
        return _differ_in_an_opposite(first, second)
    denied, affirmed = (first, second) if first.is_negated else (second, first)
    if is_strict:
        return denied.words == affirmed.words
    return _is_said(denied.words, affirmed.words) or _denies_anybody(denied, affirmed)


def _differ_in_an_opposite(first: Polarity, second: Polarity) -> bool:
    """ "The shop is open" and "the shop is closed"; of "a shop" there are many."""
    is_comparable = len(first.words) == len(second.words) and first.denied_at == second.denied_at
    if not (is_comparable and first.is_of_known and second.is_of_known):
        return False
    *leading, last = zip(first.words, second.words, strict=True)
    differing = [pair for pair in (*leading, last) if pair[0] != pair[1]]
    if len(differing) != 1:
        return False
    is_last = differing[0] == last and last[0] != last[1]
    return are_opposite(*differing[0]) or (is_last and are_opposite_particles(*last))


def _is_said(denied: tuple[str, ...], affirmed: tuple[str, ...]) -> bool:
    """Whether the affirmed words say all the denied ones, in their order; they may say more."""
    rest = iter(affirmed)
    return all(any(says(word, less) for word in rest) for less in denied)


def _denies_anybody(denied: Polarity, affirmed: Polarity) -> bool:
    """ "Nobody is singing" against anybody who is."""
    if denied.denied_at or denied.words[0] != "someon" or len(denied.words) < 2:
        return False
    persons = SAYS_LESS["someon"]
    place = next((n for n, word in enumerate(affirmed.words) if word in persons), None)
    return place is not None and _is_said(denied.words[1:], affirmed.words[place + 1 :])
