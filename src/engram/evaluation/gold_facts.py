"""How well statements read from turns cover the facts that people wrote down about them.

The rule for facts. Content stems are the stems of all words but function words and the speakers'
names. A statement *matches* a gold fact when it came from one of the fact's evidence turns and the
two share two content stems, or one when the statement has no more than two.

- Recall: a gold fact counts as found when the kept statements that match it hold together at least
  half of those of its stems that its evidence turns have at all. (Gold facts are worded freely: on
  average a third of their stems stands nowhere in the turn, and no reading could find it.)
  `strict_recall` asks for half of all stems; the turns themselves, kept whole, reach the `ceiling`.
- Precision: a kept statement counts as right when it matches a gold fact; or when it says one of
  another turn of the same session over again: three shared stems that are half of the smaller side
  (a fact names one turn, though people spread it over several). `strict_precision` leaves the
  second half out.
- `useful_precision` also counts statements of turns that a question of the benchmark has as
  evidence, when they share two stems with question and answer: what is asked for later was worth
  keeping, whether or not the facts name it.

The rule for typed memories is the same match without turns; of the matched, the category must be
one of those that stand for the type.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engram.language.stems import stem

_WORD = re.compile(r"[^\W_]+")
_FUNCTION_WORDS = frozenset(
    "a an the and or but if so as of at by for with about into through during before after to"
    " from in on"
    " out off over under again then once here there when where why how all any both each few more"
    " most"
    " other some such no nor not only own same than too very can will just should now i me my"
    " myself we"
    " our ours ourselves you your yours he him his she her hers it its they them their theirs"
    " what which"
    " who whom this that these those am is are was were be been being have has had having do does"
    " did"
    " doing would could ought also really s t m re ve ll d don isn wasn aren won didn doesn up"
    " down get"
    " got go going gonna user assistant others".split()
)
# Which categories stand for a type of the typed memories; an opinion is what one prefers or values.
TYPES: Mapping[str, frozenset[str]] = {
    "preference": frozenset({"preference", "instruction"}),
    "opinion": frozenset({"preference", "principle"}),
    "commitment": frozenset({"commitment"}),
    "decision": frozenset({"decision"}),
}
_NOT_FACTS = frozenset({"preference", "instruction", "commitment", "decision"})


@dataclass(frozen=True, slots=True)
class GoldFact:
    """A fact that was written down, and the turns that hold it."""

    text: str
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Said:
    """One turn as scoring needs it."""

    text: str
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """One statement that a reading kept, and the turn it came from."""

    turn_id: str
    text: str
    category: str = "fact"


@dataclass(frozen=True, slots=True)
class FactCase:
    """One conversation: its turns by id, its gold facts, its speakers, and what is asked of it."""

    turns: Mapping[str, Said]
    facts: Sequence[GoldFact]
    names: Sequence[str] = ()
    questions: Sequence[GoldFact] = ()  # question and answer as one text, with its evidence


@dataclass(frozen=True, slots=True)
class FactScore:
    """Counts, and the shares they make; counts of several conversations add up."""

    gold: int = 0
    found: int = 0
    strictly_found: int = 0
    findable: int = 0
    kept: int = 0
    right: int = 0
    strictly_right: int = 0
    useful: int = 0

    def __add__(self, other: "FactScore") -> "FactScore":
        return FactScore(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    @property
    def recall(self) -> float:
        """The share of gold facts that were found."""
        return _share(self.found, self.gold)

    @property
    def strict_recall(self) -> float:
        """The share of gold facts of which half of all stems was found."""
        return _share(self.strictly_found, self.gold)

    @property
    def ceiling(self) -> float:
        """The strict recall of keeping every evidence turn whole."""
        return _share(self.findable, self.gold)

    @property
    def precision(self) -> float:
        """The share of kept statements that say a gold fact."""
        return _share(self.right, self.kept)

    @property
    def strict_precision(self) -> float:
        """The share of kept statements that match a gold fact of their own turn."""
        return _share(self.strictly_right, self.kept)

    @property
    def useful_precision(self) -> float:
        """The share that says a gold fact or holds the answer to a question."""
        return _share(self.useful, self.kept)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def content_stems(text: str, names: Sequence[str] = ()) -> frozenset[str]:
    """The stems of the words that tell something; names of the speakers tell nothing here."""
    spoken = {word for name in names for word in _WORD.findall(name.lower())}
    return frozenset(
        stem(word)
        for word in _WORD.findall(text.replace("’", "'").lower())
        if word not in _FUNCTION_WORDS and word not in spoken and (len(word) > 1 or word.isdigit())
    )


def is_match(statement: frozenset[str], gold: frozenset[str]) -> bool:
    """Whether a statement of an evidence turn is about the fact at all."""
    shared = len(statement & gold)
    return shared >= 2 or (shared == 1 and len(statement) <= 2)


def _says_again(statement: frozenset[str], gold: frozenset[str]) -> bool:
    shared = len(statement & gold)
    return shared >= 3 and 2 * shared >= min(len(statement), len(gold))


@dataclass(frozen=True, slots=True)
class _Gold:
    """A gold fact with its stems worked out."""

    stems: frozenset[str]
    evidence: frozenset[str]
    attainable: frozenset[str]
    sessions: frozenset[str | None] = field(default_factory=frozenset)


def _worked_out(facts: Sequence[GoldFact], case: FactCase) -> list[_Gold]:
    found = []
    for fact in facts:
        said = [case.turns[turn_id] for turn_id in fact.evidence if turn_id in case.turns]
        stems = content_stems(fact.text, case.names)
        told = frozenset[str]().union(*(content_stems(turn.text, case.names) for turn in said))
        sessions = frozenset(turn.session for turn in said)
        found.append(_Gold(stems, fact.evidence, stems & told, sessions))
    return found


def right_statements(case: FactCase, kept: Sequence[Kept]) -> list[bool]:
    """For each statement whether it says a gold fact."""
    gold = _worked_out(case.facts, case)
    stems = [(each, content_stems(each.text, case.names)) for each in kept]
    return [
        _matches_any(each, said, gold) or _repeats_any(case.turns[each.turn_id].session, said, gold)
        for each, said in stems
    ]


def score_facts(case: FactCase, kept: Sequence[Kept]) -> FactScore:
    """Score what was kept of one conversation."""
    gold = _worked_out(case.facts, case)
    asked = _worked_out(case.questions, case)
    stems = [(each, content_stems(each.text, case.names)) for each in kept]
    coverage = [_covered(fact, stems) for fact in gold]
    own = [_matches_any(each, said, gold) for each, said in stems]
    again = [_repeats_any(case.turns[each.turn_id].session, said, gold) for each, said in stems]
    answers = [_matches_any(each, said, asked) for each, said in stems]
    right = [first or second for first, second in zip(own, again, strict=True)]
    return FactScore(
        gold=len(gold),
        found=sum(
            bool(held) and 2 * len(held) >= len(fact.attainable)
            for fact, held in zip(gold, coverage, strict=True)
        ),
        strictly_found=sum(
            bool(held) and 2 * len(held) >= len(fact.stems)
            for fact, held in zip(gold, coverage, strict=True)
        ),
        findable=sum(2 * len(fact.attainable) >= len(fact.stems) for fact in gold),
        kept=len(kept),
        right=sum(right),
        strictly_right=sum(own),
        useful=sum(first or second for first, second in zip(right, answers, strict=True)),
    )


def _covered(fact: _Gold, kept: Sequence[tuple[Kept, frozenset[str]]]) -> frozenset[str]:
    """Those stems of a fact that the statements matching it hold together."""
    matching = [
        said for each, said in kept if each.turn_id in fact.evidence and is_match(said, fact.stems)
    ]
    return frozenset[str]().union(*matching) & fact.stems


def _matches_any(each: Kept, said: frozenset[str], gold: Sequence[_Gold]) -> bool:
    return any(each.turn_id in fact.evidence and is_match(said, fact.stems) for fact in gold)


def _repeats_any(session: str | None, said: frozenset[str], gold: Sequence[_Gold]) -> bool:
    return any(session in fact.sessions and _says_again(said, fact.stems) for fact in gold)


@dataclass(frozen=True, slots=True)
class GoldMemory:
    """A typed memory that a text should give."""

    type: str
    text: str


@dataclass(frozen=True, slots=True)
class TypeScore:
    """How many typed memories were found, and how many of those with their type."""

    gold: int = 0
    found: int = 0
    typed: int = 0
    kept: int = 0
    right: int = 0

    def __add__(self, other: "TypeScore") -> "TypeScore":
        return TypeScore(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    @property
    def recall(self) -> float:
        """The share of memories that some statement matches."""
        return _share(self.found, self.gold)

    @property
    def accuracy(self) -> float:
        """Of those found, the share with a statement of the right type."""
        return _share(self.typed, self.found)

    @property
    def precision(self) -> float:
        """The share of kept statements that match some memory."""
        return _share(self.right, self.kept)


def score_types(gold: Sequence[GoldMemory], kept: Sequence[Kept]) -> TypeScore:
    """Score what was kept of one text against its typed memories."""
    stems = [(each, content_stems(each.text)) for each in kept]
    found = typed = 0
    for memory in gold:
        matching = [each for each, said in stems if is_match(said, content_stems(memory.text))]
        found += bool(matching)
        typed += any(_stands_for(each.category, memory.type) for each in matching)
    right = sum(
        any(is_match(said, content_stems(memory.text)) for memory in gold) for _, said in stems
    )
    return TypeScore(len(gold), found, typed, len(kept), right)


def _stands_for(category: str, memory_type: str) -> bool:
    if memory_type == "fact":
        return category not in _NOT_FACTS
    return category in TYPES.get(memory_type, frozenset())
