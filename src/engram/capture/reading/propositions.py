"""A turn read into propositions: statements that stand alone, and what was skipped with its reason.

Rules alone, for English: the same turn always reads the same. What the rules cannot read they leave
as it was said, and never invent.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engram.capture.reading import categorise as sorting
from engram.capture.reading.assistants import read_assistant
from engram.capture.reading.blocks import Stretch, prose_of
from engram.capture.reading.clauses import is_told_to_keep, statements_of, without_calls
from engram.capture.reading.dates import Dated, with_absolute_dates
from engram.capture.reading.passing import is_small_talk
from engram.capture.reading.persons import (
    in_third_person,
    tells_past,
    with_subject_told,
    without_own_name,
)
from engram.capture.reading.references import Resolved, with_antecedent
from engram.capture.reading.salience import Situation, content_words, is_aside, salience_of
from engram.capture.reading.skipping import is_question, is_recalled, reason_to_skip
from engram.capture.reading.triples import Triple, triple_of
from engram.capture.reading.turns import ASSISTANT, SYSTEM, TOOL, People, Turn, people_of
from engram.language.sentences import Sentence, split_sentences
from engram.language.texts import normalised
from engram.language.when.spans import TimeSpan
from engram.memory.categories import BUILT_IN
from engram.memory.vocabulary import Kind, Layer, MemoryType

MOST_SENTENCES = 200  # of one turn; more is a document and not something said
_MOST_RECALLED = 200
_SHOWN = 200
_FIRST_PERSON = re.compile(r"\b(?:i|i['’]\w+|me|my|mine|we|we['’]\w+|our|us)\b", re.IGNORECASE)
_CATEGORIES = {category.name: category for category in BUILT_IN}
_LEANING = re.compile(
    r"(?:it|that|this|these|those|they|he|she|which|there)(?:['’]\w+)?\s", re.IGNORECASE
)
_JOINED = re.compile(r"; [a-z]")
_LONGEST_JOINED = 300
_TURNS_HEARD = 2
_HEARD = 1_000  # characters of each
_TURNS_LOOKED_AT = 12  # who takes part is told by the turns before


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposition:
    """One statement that can be true or false on its own, with where it came from."""

    text: str
    source: str
    place: tuple[int, int]
    category: str
    memory_type: MemoryType
    layer: Layer
    kind: Kind
    confidence: float
    salience: float
    subject: str | None
    predicate: str | None
    object: str | None
    is_negated: bool
    is_conditional: bool
    happened: TimeSpan | None
    deadline: datetime | None

    def __repr__(self) -> str:
        # Without the text: a repr ends up in logs and tracebacks.
        return f"Proposition({self.category}, {self.place}, salience {self.salience:.2f})"


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that was said and is not learnt."""

    source: str
    reason: str

    def __repr__(self) -> str:
        return f"Skipped({self.reason}, {len(self.source)} characters)"


@dataclass(frozen=True, slots=True)
class Reading:
    """All that a turn says, in its order."""

    propositions: tuple[Proposition, ...]
    skipped: tuple[Skipped, ...]


def read_turn(
    turn: Turn, before: Sequence[Turn] = (), *, recalled: Collection[str] = ()
) -> Reading:
    """The statements of a turn, seen from the turns before it; what was recalled is not learnt."""
    if turn.role in (TOOL, SYSTEM):
        reason = "tool output" if turn.role == TOOL else "system prompt"
        return Reading((), (Skipped(turn.text[:_SHOWN], reason),) if turn.text.strip() else ())
    stretches, cuts = prose_of(turn.text)
    skipped = [Skipped(cut.text, cut.reason) for cut in cuts]
    sentences = [
        (stretch, sentence) for stretch in stretches for sentence in split_sentences(stretch.text)
    ]
    for _, sentence in sentences[MOST_SENTENCES:]:
        skipped.append(Skipped(sentence.text[:_SHOWN], "too long"))
    reader = _Reader(turn, before, recalled, sentences[:MOST_SENTENCES])
    reader.read()
    return Reading(tuple(reader.propositions), tuple(skipped + reader.skipped))


class _Reader:
    """Goes through the sentences of one turn and remembers the one before."""

    def __init__(
        self,
        turn: Turn,
        before: Sequence[Turn],
        recalled: Collection[str],
        sentences: list[tuple[Stretch, Sentence]],
    ) -> None:
        self.propositions: list[Proposition] = []
        self.skipped: list[Skipped] = []
        self._turn = turn
        self._people = people_of(turn, before[-_TURNS_LOOKED_AT:])
        self._recalled = [normalised(text) for text in list(recalled)[:_MOST_RECALLED]]
        self._sentences = sentences
        last = before[-1] if before else None
        self._is_answer = last is not None and is_question(last.text[-300:])
        self._previous = _last_sentence(last, before) if last is not None else None
        words = [content_words(sentence.text) for _, sentence in sentences]
        self._turn_words = sum(map(len, words))
        self._longest = max(map(len, words), default=0)
        near = (content_words(each.text[-_HEARD:]) for each in before[-_TURNS_HEARD:])
        self._heard = frozenset(word for turn_words in near for word in turn_words)
        self._told: frozenset[str] = frozenset()
        self._told_at = [n for n, (_, each) in enumerate(sentences) if not _is_beside(each.text)]
        self._words = words
        self._last: tuple[str, int] | None = None

    def read(self) -> None:
        """Read every sentence in turn."""
        for position, (stretch, sentence) in enumerate(self._sentences):
            place = stretch.start + sentence.start
            said = without_calls(_under_heading(sentence.text, stretch.heading), self._people.known)
            reason = self._reason(sentence.text, said)
            if reason is not None:
                self.skipped.append(Skipped(sentence.text[:_SHOWN], reason))
            else:
                self._statements(said, sentence, place, position)
            self._told |= frozenset(self._words[position])
            if reason in (None, "compliment", "too vague"):
                self._previous = said

    def _reason(self, sentence: str, said: str) -> str | None:
        if is_recalled(sentence, self._recalled):
            return "recalled"
        if sentence.endswith(":") and len(said.split()) < 12:
            return "heading"
        if not said:
            return reason_to_skip(sentence) or "filler"
        reason = reason_to_skip(said, recalled=self._recalled)
        is_act = self._turn.role == ASSISTANT and read_assistant(said, "x") is not None
        return None if is_act and reason not in ("question", "recalled", "hypothetical") else reason

    def _statements(self, said: str, sentence: Sentence, place: int, position: int) -> None:
        for statement in statements_of(said):
            if self._turn.role == ASSISTANT:
                act = read_assistant(statement, _capitalised(self._people.speaker))
                if act is None:
                    self.skipped.append(Skipped(statement[:_SHOWN], "general knowledge"))
                    continue
                proposition = self._proposition(act.text, position, act.category)
            elif is_small_talk(statement):
                self.skipped.append(Skipped(statement[:_SHOWN], "small talk"))
                continue
            elif self._leans_on_last(statement, position):
                self._join(statement, sentence, place)
                continue
            else:
                proposition = self._proposition(statement, position, None)
            if self._is_known(proposition.text):
                self.skipped.append(Skipped(sentence.text[:_SHOWN], "recalled"))
                continue
            if is_told_to_keep(sentence.text):
                proposition = replace(proposition, confidence=sorting.EXPLICIT, salience=1.0)
            span = (place, place + len(sentence.text))
            self.propositions.append(replace(proposition, source=sentence.text, place=span))
            self._last = (statement, position)

    def _leans_on_last(self, statement: str, position: int) -> bool:
        """Whether a statement says nothing without the one before: "It runs in my family"."""
        if self._last is None or not _LEANING.match(statement):
            return False
        last, last_position = self._last
        is_next = 0 <= position - last_position <= 1 and not _JOINED.search(last)
        is_short = len(last) + len(statement) <= _LONGEST_JOINED
        known = self._people.known
        return (
            is_next
            and is_short
            and not with_antecedent(statement, self._previous, known).is_resolved
        )

    def _join(self, statement: str, sentence: Sentence, place: int) -> None:
        """One proposition of two statements, since the second does not stand alone."""
        last, position = self._last or (statement, 0)
        joined = f"{last.rstrip('.!… ')}; {statement[0].lower()}{statement[1:]}"
        first = self.propositions.pop()
        begin, end = first.place[0], place + len(sentence.text)
        source = self._turn.text[begin:end]
        proposition = self._proposition(joined, position, None)
        self.propositions.append(replace(proposition, source=source, place=(begin, end)))
        self._last = (joined, position)

    def _is_known(self, text: str) -> bool:
        """Whether a statement is recalled, or was made already by this turn."""
        said = normalised(text)
        return is_recalled(text, self._recalled) or any(
            normalised(known.text) == said for known in self.propositions[-20:]
        )

    def _proposition(self, statement: str, position: int, category: str | None) -> Proposition:
        resolved = with_antecedent(statement, self._previous, self._people.known)
        dated = with_absolute_dates(with_subject_told(resolved.text), self._turn.at)
        text = in_third_person(
            dated.text,
            self._people,
            context=self._previous or "",
            is_past_told=tells_past(statement),
        )
        text = _finished(without_own_name(text, self._people.speaker))
        sort = sorting.categorise(
            statement,
            has_time=dated.happened is not None,
            is_first_person=_FIRST_PERSON.search(with_subject_told(statement)) is not None,
        )
        sort = _recategorised(sort, category, is_resolved=resolved.is_resolved)
        triple = triple_of(text, self._people)
        situation = self._situation(statement, position, sort, dated, resolved, triple)
        return Proposition(
            text=text,
            source=statement,
            place=(0, 0),
            category=sort.category,
            memory_type=sort.memory_type,
            layer=sort.layer,
            kind=sort.kind,
            confidence=sort.confidence,
            salience=salience_of(situation),
            subject=triple.subject,
            predicate=triple.predicate,
            object=triple.object,
            is_negated=sorting.NEGATION.search(text) is not None,
            is_conditional=sorting.CONDITION.search(statement) is not None,
            happened=dated.happened,
            deadline=dated.deadline if sort.category == "commitment" else None,
        )

    def _situation(
        self,
        statement: str,
        position: int,
        sort: sorting.Sorted,
        dated: Dated,
        resolved: Resolved,
        triple: Triple,
    ) -> Situation:
        return Situation(
            text=statement,
            sort=sort,
            position=position,
            sentences=len(self._sentences),
            is_answer=self._is_answer,
            has_time=dated.happened is not None,
            is_resolved=resolved.is_resolved,
            has_triple=triple.subject is not None,
            turn_words=self._turn_words,
            longest=self._longest,
            heard=self._heard,
            told=self._told,
            is_alone=self._told_at in ([], [position]),
        )


def _is_beside(sentence: str) -> bool:
    return is_aside(sentence) or reason_to_skip(sentence) is not None


def _recategorised(
    sort: sorting.Sorted, category: str | None, *, is_resolved: bool
) -> sorting.Sorted:
    """With the category that an assistant's act decides, and less sure where a pronoun was read."""
    confidence = min(sort.confidence, sorting.REPORTED) if is_resolved else sort.confidence
    if category is None or category == sort.category:
        return replace(sort, confidence=confidence)
    entry = _CATEGORIES[category]
    return sorting.Sorted(category, entry.memory_type, entry.layer, entry.kind, confidence)


def _last_sentence(turn: Turn, before: Sequence[Turn]) -> str | None:
    """What the turn before ended with, told so that it means the same from another mouth."""
    tail = turn.text[-400:].strip()
    if not tail or turn.role in (TOOL, SYSTEM):
        return None
    sentences = [each.text for each in split_sentences(tail) if not is_question(each.text)]
    if not sentences:
        return None
    people: People = people_of(turn, before[:-1][-_TURNS_LOOKED_AT:])
    return in_third_person(without_calls(sentences[-1], people.known), people)


def _under_heading(text: str, heading: str | None) -> str:
    """An item of a list with the line it stands under, when it is no sentence of its own."""
    if heading is None or len(heading) > _SHOWN or len(text.split()) > 8 or text.endswith("?"):
        return text
    return f"{heading.rstrip(': ')}: {text}" if not is_question(heading) else text


def _finished(text: str) -> str:
    """With a capital at the beginning and a mark at the end."""
    text = _capitalised(text.strip().rstrip(",;:-–— "))
    return text if text[-1:] in ".!?…。！？" else f"{text}."


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
