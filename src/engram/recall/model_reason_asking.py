"""Asks a model while reasoning, within its limits, and believes only what memories carry.

Memories are shown as texts in a JSON document and never as anything else; what looks like an order,
what nobody trustworthy said and what is secret is not shown at all. Of what comes back a sentence
counts only when the memories that it names were shown and say what it says.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from engram.errors import ModelUnavailable, StoreError
from engram.memory.fencing import harmless, spelled_out
from engram.memory.grounding import Sources
from engram.memory.record import Memory
from engram.memory.trust import may_enter_unasked
from engram.memory.vocabulary import Secrecy
from engram.providers.embedder import well_formed
from engram.providers.json_answer import NotJson, json_in, shown_as_text
from engram.providers.language_model import (
    Completion,
    LanguageModel,
    Prompt,
    estimated_tokens,
    prompt_tokens,
)
from engram.recall.model_reason_replies import Judgement, Synthesis, Told
from engram.recall.reason_limits import ModelLimits
from engram.security.screening.screen import screen
from engram.text.strings import clipped

R = TypeVar("R", bound=BaseModel)
Wait = Callable[[Callable[[], Completion]], Completion]

_SOURCE_CHARACTERS = 600  # of each memory
_QUESTION_CHARACTERS = 2_000
_SUB_QUESTION_CHARACTERS = 300
_SENTENCE_CHARACTERS = 600
_MOST_SENTENCES = 12
_MOST_QUESTIONS = 3
_MOST_MISSING = 5
_LEAST_SHOWN = 40  # tokens: less is no memory


class NotAnswered(StrEnum):
    """Why a model's word could not be used."""

    UNAVAILABLE = "the model did not answer"
    LATE = "the model took too long"
    NO_ROOM = "the tokens allowed are too few to show a memory"
    NO_CALLS = "all the calls allowed are used"
    PRIVATE = "the question holds a secret, which no model is shown"
    NOTHING_TO_SHOW = "no memory that was found may be shown to a model"
    NOT_JSON = "its answer was no JSON"
    WRONG_SHAPE = "its answer had the wrong shape"
    INVENTED = "no memory carries what it answered"


class NoAnswer(Exception):
    """A model's word is missing; rules reason instead."""

    def __init__(self, why: NotAnswered, hint: str = "") -> None:
        super().__init__(why.value)
        self.why = why
        self.hint = hint

    @property
    def told(self) -> str:
        """Why, for whoever reads the result."""
        return f"reasoned by rules: {self.why.value}{self.hint and f' ({self.hint})'}"


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence that memories carry, and which: their places among all that was found."""

    text: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one question to a model."""

    state: str  # sufficient, gap, decompose; of a synthesis: synthesis
    findings: tuple[Finding, ...]
    questions: tuple[str, ...]  # to ask next; of a synthesis: what is missing
    dropped: int
    tokens: int


@dataclass
class Asker:
    """One model, and what of its limits is left for one question."""

    model: LanguageModel
    limits: ModelLimits
    wait: Wait  # lets a call take no longer than there is time, and heeds who calls it off
    calls: int = 0
    tokens: int = 0

    @property
    def calls_left(self) -> int:
        """How often the model may still be asked."""
        return self.limits.calls - self.calls

    @property
    def tokens_left(self) -> int:
        """What may still be read and written."""
        return self.limits.tokens - self.tokens

    def judge(self, question: str, first: str, memories: Mapping[int, Memory]) -> Judged:
        """Ask whether memories answer a question; half of what is left is kept for later."""
        room = self.tokens_left if self.calls_left == 1 else self.tokens_left // 2
        fields = {
            "question": self._said(question),
            "asked_first": self._said(first),
        }
        reply, shown, taken = self._ask("judge", Judgement, fields, memories, room)
        told = _each_once(reply.sentences)
        findings = supported(told, shown) if reply.state == "sufficient" else ()
        dropped = len(told) - len(findings) if reply.state == "sufficient" else 0
        questions = () if reply.state == "sufficient" else _short(reply.questions, _MOST_QUESTIONS)
        return Judged(reply.state, findings, questions, dropped, taken)

    def synthesise(
        self, question: str, findings: Sequence[Finding], memories: Mapping[int, Memory]
    ) -> Judged:
        """Ask for the answer from everything that was found."""
        told = [{"text": harmless(each.text), "sources": each.places} for each in findings]
        fields = {"question": self._said(question), "findings": told}
        reply, shown, taken = self._ask("synthesis", Synthesis, fields, memories, self.tokens_left)
        sentences = _each_once(reply.sentences)
        kept = supported(sentences, shown)
        missing = _short(reply.missing, _MOST_MISSING)
        return Judged("synthesis", kept, missing, len(sentences) - len(kept), taken)

    def _said(self, question: str) -> str:
        return harmless(clipped(question, _QUESTION_CHARACTERS))

    def _ask(
        self,
        name: str,
        form: type[R],
        fields: Mapping[str, object],
        memories: Mapping[int, Memory],
        room: int,
    ) -> tuple[R, dict[int, Memory], int]:
        shown = self._fitting(name, form, fields, memories, room)
        prompt = self._prompt(name, form, fields, shown)
        self.calls += 1
        try:
            completion = self.wait(lambda: self.model.complete(prompt))
        except (ModelUnavailable, StoreError) as error:  # or the call could not be written down
            raise NoAnswer(NotAnswered.UNAVAILABLE, error.hint) from error
        except TimeoutError as error:
            raise NoAnswer(NotAnswered.LATE) from error
        taken = completion.tokens_in + completion.tokens_out
        self.tokens += taken
        return _read(completion.text, form), shown, taken

    def _fitting(
        self,
        name: str,
        form: type[R],
        fields: Mapping[str, object],
        memories: Mapping[int, Memory],
        room: int,
    ) -> dict[int, Memory]:
        """As many of the memories that may be shown as there is room for, best first."""
        may_be_shown = {place: each for place, each in memories.items() if may_show(each)}
        if not may_be_shown:
            raise NoAnswer(NotAnswered.NOTHING_TO_SHOW)
        left = room - prompt_tokens(self._prompt(name, form, fields, {}))
        left -= self.limits.answer_tokens
        shown: dict[int, Memory] = {}
        for place, memory in may_be_shown.items():
            taken = estimated_tokens(self._source(place, memory)) + 1
            if taken <= left:
                shown[place] = memory
                left -= taken
            elif left < _LEAST_SHOWN:
                break
        if not shown:
            raise NoAnswer(NotAnswered.NO_ROOM)
        return shown

    def _source(self, place: int, memory: Memory) -> str:
        return _document(
            {
                "source": place,
                "day": f"{memory.at:%Y-%m-%d}",
                "text": harmless(clipped(_told_by(memory), _SOURCE_CHARACTERS)),
            }
        )

    def _prompt(
        self,
        name: str,
        form: type[R],
        fields: Mapping[str, object],
        shown: Mapping[int, Memory],
    ) -> Prompt:
        sources = ",\n".join(self._source(place, memory) for place, memory in shown.items())
        head = _document(fields)[:-1]
        return Prompt(
            system=_instructions(name),
            user=f'{head}, "sources": [\n{sources}\n]}}',
            schema=_schema(form),
            max_tokens=self.limits.answer_tokens,
            purpose=f"reason_{name}",
        )


def may_show(memory: Memory) -> bool:
    """Whether a model may see a memory: it is no order, trusted enough, and no secret."""
    if not may_enter_unasked(memory):
        return False
    screened = screen(memory.content)
    return not screened.is_flagged and screened.tier is not Secrecy.CONFIDENTIAL


def supported(sentences: Sequence[Told], shown: Mapping[int, Memory]) -> tuple[Finding, ...]:
    """The sentences that the memories they name carry, each once with those that were shown."""
    found: dict[str, tuple[int, ...]] = {}
    for each in sentences[:_MOST_SENTENCES]:
        places = tuple(dict.fromkeys(place for place in each.sources if place in shown))
        text = spelled_out(" ".join(well_formed(each.text).split()))
        if places and text and _is_carried(text, [shown[place] for place in places]):
            found[text] = tuple(dict.fromkeys((*found.get(text, ()), *places)))
    return tuple(Finding(text, places) for text, places in found.items())


def _each_once(sentences: Sequence[Told]) -> list[Told]:
    """The sentences of a model, each once."""
    return list({(each.text, tuple(each.sources)): each for each in sentences}.values())


def _is_carried(text: str, memories: Sequence[Memory]) -> bool:
    if len(text) > _SENTENCE_CHARACTERS or not _is_harmless(text):
        return False
    sources = Sources([_ground(memory) for memory in memories])
    return not sources.inventions(text, may_join=len(memories) > 1)


def _ground(memory: Memory) -> str:
    """What a memory says, with who says it, of whom, and the day in both ways of writing it."""
    day = f"{memory.at:%Y-%m-%d} {memory.at.day} {memory.at:%B %Y}"
    names = " ".join(filter(None, (memory.speaker, memory.subject)))
    return f"{names}: {memory.content.rstrip(' .')} on {day}"


def _told_by(memory: Memory) -> str:
    """A memory with who says it, where the text alone does not tell."""
    return f"{memory.speaker}: {memory.content}" if memory.speaker else memory.content


def _short(texts: Sequence[str], most: int) -> tuple[str, ...]:
    """What a model wants to know: short, each once, and nothing that gives orders."""
    # Half a character, which JSON can spell and nobody can write down, becomes a mark.
    lines = dict.fromkeys(clipped(well_formed(text), _SUB_QUESTION_CHARACTERS) for text in texts)
    return tuple(line for line in lines if line and _is_harmless(line))[:most]


def is_secret(text: str) -> bool:
    """Whether a text must not leave the store."""
    return screen(text).tier is Secrecy.CONFIDENTIAL


def _is_harmless(text: str) -> bool:
    screened = screen(text)
    return not screened.is_flagged and screened.tier is not Secrecy.CONFIDENTIAL


def _read(text: str, form: type[R]) -> R:
    try:
        return form.model_validate(json_in(text))
    except NotJson as error:
        raise NoAnswer(NotAnswered.NOT_JSON) from error
    except ValidationError as error:
        raise NoAnswer(NotAnswered.WRONG_SHAPE) from error


def _document(fields: Mapping[str, object]) -> str:
    plain = json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace").decode()
    return shown_as_text(plain)


@cache
def _instructions(name: str) -> str:
    return (files("engram.recall") / "prompts" / f"{name}.md").read_text(encoding="utf-8")


@cache
def _schema(form: type[BaseModel]) -> Mapping[str, object]:
    return form.model_json_schema()
