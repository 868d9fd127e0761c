"""Reasoning with a model: is it enough, what is missing, what are the parts; and the answer.

A model judges what a recall found. What it misses is followed by links and asked for, and judged in
turn, until depth, calls, tokens or time are used up; then everything found is put together once.
Its answer is only what memories carry. Whatever goes wrong on the way, the rules reason instead,
and the result says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engram.memory.record import Memory
from engram.recall.bridges import question_words, said, words_standing
from engram.recall.budget import tokens, within_budget
from engram.recall.confidence import CONFIDENT, assessment
from engram.recall.model_reason_asking import (
    Asker,
    Finding,
    Judged,
    NoAnswer,
    NotAnswered,
    is_secret,
)
from engram.recall.reason import reason
from engram.recall.reasoned import (
    CALLS_USED,
    COVERED,
    DEPTH_REACHED,
    NOTHING_MORE,
    TIME_USED,
    TOKENS_USED,
    Evidence,
    Limits,
    Look,
    Reasoning,
    Sentence,
    Step,
    StepKind,
)
from engram.recall.result import Hit, RecallResult
from engram.text.strings import folded

_CALLS_TO_GO_ON = 2  # one to judge, one to put everything together
_FOLLOWED = 5  # of the finds of one question: whose links are looked up
_LINKED = 5  # and how many of these are looked at
_NOT_ASKED = (NotAnswered.NO_ROOM, NotAnswered.NOTHING_TO_SHOW)
_SCREENED = 40  # finds looked at for what may be shown


def reason_with_model(question: str, look: Look, limits: Limits, asker: Asker) -> Reasoning:
    """Let a model judge and answer; where it cannot, the rules do, with all that was found."""
    thought = _Thought(question, look, limits, asker)
    try:
        return thought.concluded()
    except NoAnswer as missing:
        return thought.by_rules(missing)


@dataclass(frozen=True, slots=True)
class _Found:
    """A memory, by which step it was found and how it was reached."""

    hit: Hit
    step: Step
    through: str | None = None
    after: str | None = None


class _Thought:
    """What is known so far: the steps, the finds by their places, and what they came to."""

    def __init__(self, question: str, look: Look, limits: Limits, asker: Asker) -> None:
        self._question = question
        self._look = look
        self._limits = limits
        self._asker = asker
        self._steps: list[Step] = []
        self._found: dict[int, _Found] = {}  # by the number of the memory, in the order of finding
        self._findings: list[Finding] = []
        self._asked: set[str] = set()
        self._results: list[RecallResult] = []
        self._dropped = 0
        self._stopped = ""

    def concluded(self) -> Reasoning:
        """The answer of the model, as far as memories carry it."""
        if is_secret(self._question):
            raise NoAnswer(NotAnswered.PRIVATE)
        judged = self._explored(self._question, 0)
        if not self._found:
            return self._result((), ())
        if judged is not None and judged.state == StepKind.SUFFICIENT:
            self._stopped = COVERED
            return self._result(judged.findings, ())
        whole = self._synthesis()
        return self._result(_believed(whole), whole.questions)

    def by_rules(self, missing: NoAnswer) -> Reasoning:
        """What the rules come to, after the steps that the model had its part in."""
        begun = len(self._steps)
        self._note_fallback(missing)
        self._limits.begin_again()
        found = reason(self._question, self._look, self._limits)
        steps = [replace(each, number=each.number + begun + 1) for each in found.steps]
        moved = [replace(each, step=each.step + begun + 1) for each in found.evidence]
        known = {each.memory.number for each in moved}
        also = [each for each in self._evidence() if each.memory.number not in known]
        return replace(
            found,
            evidence=self._shown([*moved, *also]),
            chain=tuple(replace(each, step=each.step + begun + 1) for each in found.chain),
            steps=(*self._steps, *steps),
            degraded=tuple(dict.fromkeys((missing.told, *found.degraded))),
            milliseconds=found.milliseconds + self._milliseconds,
            dropped=self._dropped,
        )

    def _note_fallback(self, missing: NoAnswer) -> None:
        """Say why rules go on, and what the call took that came to nothing."""
        taken = [(step.calls, step.tokens) for step in self._steps]
        step = self._note(StepKind.FALLBACK, 0, self._question, detail=missing.why.value)
        self._steps[-1] = replace(
            step,
            calls=self._asker.calls - sum(calls for calls, _ in taken),
            tokens=self._asker.tokens - sum(each for _, each in taken),
        )

    # The recursion

    def _explored(self, question: str, depth: int) -> Judged | None:
        """Recall, let it be judged, and follow what is missing; None: nobody judged it."""
        kind = StepKind.SUB_QUESTION if depth else StepKind.RECALL
        hits = self._recalled(question, depth, kind)
        if not hits or (depth and self._why_to_stop(depth)):
            return None
        judged = self._judged(question, depth, hits)
        if judged is None:
            return None
        if judged.state == StepKind.SUFFICIENT:
            self._findings += judged.findings
            return judged
        if judged.state == StepKind.GAP:
            self._follow_links(hits, depth)
        for each in judged.questions:
            if self._is_time_up() or folded(each) in self._asked:
                continue
            self._explored(each, depth + 1)
        return judged

    def _recalled(self, question: str, depth: int, kind: StepKind) -> list[Hit]:
        result = self._look.ask(question)
        self._asked.add(folded(question))
        self._results.append(result)
        step = self._note(kind, depth, question, found=len(result.hits))
        for hit in result.hits:
            self._found.setdefault(hit.memory.number, _Found(hit, step))
        return list(result.hits)

    def _judged(self, question: str, depth: int, hits: Sequence[Hit]) -> Judged | None:
        """What the model says to these; a sub-question that cannot be shown to it is left out."""
        try:
            judged = self._asker.judge(question, self._question, self._pool(hits))
        except NoAnswer as missing:
            if not depth or missing.why not in _NOT_ASKED:
                raise
            self._stopped = TOKENS_USED if missing.why is NotAnswered.NO_ROOM else self._stopped
            return None
        self._dropped += judged.dropped
        self._note(StepKind(judged.state), depth, question, judged=judged)
        if judged.state == StepKind.SUFFICIENT and not judged.findings and not depth:
            raise NoAnswer(NotAnswered.INVENTED)
        return judged

    def _follow_links(self, hits: Sequence[Hit], depth: int) -> None:
        """What the best finds are tied to joins what may be shown."""
        ties = list(self._look.linked(hits[:_FOLLOWED]))[:_LINKED]
        if not ties:
            return
        labels = {hit.memory.number: hit.memory.label for hit in hits}
        step = self._note(
            StepKind.LINKS, depth, self._question, found=len(ties),
            detail=", ".join(dict.fromkeys(labels[each.of] for each in ties)),
        )  # fmt: skip
        for each in ties:
            found = _Found(each.hit, step, each.relation, labels[each.of])
            self._found.setdefault(each.hit.memory.number, found)

    def _synthesis(self) -> Judged:
        if self._asker.calls_left < 1:
            raise NoAnswer(NotAnswered.NO_CALLS)
        cited = [place for each in self._findings for place in each.places]
        order = list(self._found.values())
        first = [order[place - 1].hit for place in dict.fromkeys(cited)]
        memories = self._pool([*first, *(each.hit for each in order)])
        judged = self._asker.synthesise(self._question, self._findings, memories)
        self._dropped += judged.dropped
        self._note(StepKind.SYNTHESIS, 0, self._question, judged=judged)
        return judged

    def _why_to_stop(self, depth: int) -> str:
        """Why a sub-question is only recalled and not judged, or nothing."""
        asker = self._asker
        why = ""
        if depth >= asker.limits.depth:
            why = DEPTH_REACHED
        elif asker.calls_left < _CALLS_TO_GO_ON:
            why = CALLS_USED
        elif asker.tokens_left // 2 < 2 * asker.limits.answer_tokens:
            why = TOKENS_USED
        elif self._is_time_up():
            why = TIME_USED
        self._stopped = why or self._stopped
        return why

    def _is_time_up(self) -> bool:
        is_up = self._limits.is_time_up()
        self._stopped = TIME_USED if is_up else self._stopped
        return is_up

    def _pool(self, hits: Sequence[Hit]) -> dict[int, Memory]:
        """Memories by their places among all that was found, in the order they are to be shown."""
        places = {number: place for place, number in enumerate(self._found, start=1)}
        numbers = dict.fromkeys(hit.memory.number for hit in hits)
        return {places[each]: self._found[each].hit.memory for each in list(numbers)[:_SCREENED]}

    def _note(
        self,
        kind: StepKind,
        depth: int,
        query: str,
        *,
        found: int = 0,
        judged: Judged | None = None,
        detail: str = "",
    ) -> Step:
        step = Step(
            len(self._steps), depth, query, None, None,
            len(judged.findings) if judged else found, kind,
            calls=1 if judged else 0,
            tokens=judged.tokens if judged else 0,
            detail=_told(judged) if judged else detail,
        )  # fmt: skip
        self._steps.append(step)
        return step

    # The result

    def _result(self, findings: Sequence[Finding], missing: Sequence[str]) -> Reasoning:
        order = list(self._found.values())
        cited = dict.fromkeys(place for each in findings for place in each.places)
        chain = [self._as_evidence(order[place - 1]) for place in cited]
        others = [each for place, each in enumerate(order, start=1) if place not in cited]
        shown = self._shown([*chain, *map(self._as_evidence, others)])
        is_sufficient = bool(findings) and not missing
        first = self._results[0]
        confidence = max(first.confidence, CONFIDENT) if is_sufficient else first.confidence
        confidence = confidence if shown else 0.0
        return Reasoning(
            question=self._question,
            evidence=shown,
            chain=tuple(chain),
            steps=tuple(self._steps),
            gaps=tuple(missing),
            is_sufficient=is_sufficient,
            confidence=confidence,
            assessment=assessment(confidence, has_hits=bool(shown)),
            stopped=COVERED if is_sufficient else self._stopped or NOTHING_MORE,
            level=first.level,
            degraded=tuple(dict.fromkeys(why for each in self._results for why in each.degraded)),
            milliseconds=self._milliseconds,
            answer=tuple(_sentence(each, order) for each in findings),
            dropped=self._dropped,
            model=self._asker.model.name,
        )  # fmt: skip

    @property
    def _milliseconds(self) -> float:
        return sum(each.quality.milliseconds for each in self._results)

    def _evidence(self) -> list[Evidence]:
        return [self._as_evidence(each) for each in self._found.values()]

    def _as_evidence(self, found: _Found) -> Evidence:
        words = question_words(self._question)
        text = said(found.hit.memory)
        covers = sorted(words_standing(words, text))
        step = found.step
        asked = step.query
        return Evidence(found.hit, step.number, asked, found.through, found.after, tuple(covers))

    def _shown(self, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
        kept = evidence[: self._limits.limit]
        return tuple(within_budget(kept, self._limits.budget, lambda each: tokens(each.memory)))


def _believed(judged: Judged) -> tuple[Finding, ...]:
    """What is left of an answer; a model that says nothing is believed, one that invents is not."""
    if judged.dropped and not judged.findings:
        raise NoAnswer(NotAnswered.INVENTED)
    return judged.findings


def _sentence(finding: Finding, order: Sequence[_Found]) -> Sentence:
    labels = (order[place - 1].hit.memory.label for place in finding.places)
    return Sentence(finding.text, tuple(labels))


def _told(judged: Judged) -> str:
    """What a judgement came to: what it asks for, and what was dropped of it."""
    dropped = f"{judged.dropped} without support dropped" if judged.dropped else ""
    return "; ".join(filter(None, (*judged.questions, dropped)))
