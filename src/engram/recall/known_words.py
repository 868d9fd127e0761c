"""Which words of a text the memories in sight know, where few of them hold one."""

from dataclasses import dataclass
from datetime import datetime

from engram.recall.lexical import match_terms
from engram.recall.plan import plan_question
from engram.recall.ranking import RecallParts
from engram.storage.reader import StoreReader

_MOST = 8  # the rarest: more of them describe a page and not a thing
_FEW_SHARE, _FEW = 0.02, 10  # of the memories: a word that more of them hold tells none from others
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class KnownWords:
    """Words of a text that few memories hold, and the numbers of those."""

    text: str = ""
    numbers: frozenset[int] = frozenset()


def known_words(text: str, see: StoreReader, parts: RecallParts, now: datetime) -> KnownWords:
    """Those words of a text that some memory in sight holds, and few do: the rarest, in order."""
    selection = parts.selections.of(parts.table.refresh(see.derived), see.reach)
    few = max(_FEW, _FEW_SHARE * len(selection))
    found = match_terms(plan_question(text, selection.people, now), selection).terms
    rare = [each for each in found if len(each.rows) <= few and _is_word(each.term.text)]
    rarest = sorted(rare, key=lambda each: -each.rarity)[:_MOST]
    kept = [each for each in rare if each in rarest]
    numbers = selection.wordings.numbers
    return KnownWords(
        " ".join(each.term.text for each in kept),
        frozenset(int(number) for each in kept for number in numbers[each.rows]),
    )


def _is_word(text: str) -> bool:
    """Whether it can name something: a number alone, or a letter, finds whatever has it."""
    return len(text) >= _SHORTEST and any(map(str.isalpha, text))
