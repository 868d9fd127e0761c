"""Asks a model for words that rules cannot write, and believes nothing that the sources do not say.

A model is never needed. Whatever goes wrong (no model, no answer, garbage, a lie, an order to an
agent) leaves the caller with None and a reason that is counted; the rules' own words stand then.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Generic, TypeVar

from engram.errors import ModelUnavailable
from engram.memory.dreams.artefact import Plain
from engram.memory.grounding import Sources, content_of
from engram.memory.tokens.estimate import tokens_in
from engram.memory.vocabulary import Secrecy
from engram.providers.json_answer import NotJson, json_in, shown_as_text
from engram.providers.language_model import LanguageModel, Prompt
from engram.security.screening.screen import screen
from engram.text.strings import clipped

if TYPE_CHECKING:
    from engram.lifecycle.dreams.replies import Bridge, Reply, Verdict

R = TypeVar("R", bound="Reply")

MOST_SOURCES_BYTES = 24_000
_SOURCE_CHARACTERS = 600  # of each
_WORDS_PER_TOKEN = 0.6  # asked for a little less than is taken
_TOKENS_AROUND = 200  # the answer's own form, and thoughts that do not matter
_VERDICT_TOKENS = 15
_BRIDGE_TOKENS = 60
_REFUSALS_IN_A_ROW = 3  # then the model is not up to it, and tonight's pass does without


class Unanswered(StrEnum):
    """Why there are no words of a model."""

    UNAVAILABLE = "the model did not answer"
    NOTHING_TO_SHOW = "no source may be shown to a model"
    NOT_JSON = "its answer was no JSON"
    WRONG_SHAPE = "its answer had the wrong shape"
    TOO_LONG = "its answer was too long"
    EMPTY = "its answer was empty"
    INVENTED = "its answer said what no source says"
    AN_ORDER = "its answer looked like an order to an agent"
    NO_EVIDENCE = "its verdict named no source"
    GIVEN_UP = "it was not asked again after that"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Generic[R]):
    """One question to a model: the name of its prompt, what is shown, and the form of the reply."""

    prompt: str
    sources: Sequence[str]
    reply: type[R]
    most_tokens: int
    fields: Mapping[str, Plain]


@dataclass(frozen=True, slots=True)
class Answered(Generic[R]):
    """A reply that can be believed, and which of the sources the model was shown."""

    reply: R
    shown: tuple[int, ...]  # places among the sources of the question, from 0


@dataclass(frozen=True, slots=True)
class Refused:
    """No reply, why, and what to do about it."""

    why: Unanswered
    hint: str = ""


def ask(model: LanguageModel, question: Question[R]) -> Answered[R] | Refused:
    """Ask once. Nothing in the store is locked meanwhile, and nothing of it has changed after."""
    shown = _fit_to_show(question.sources)
    if not shown:
        return Refused(Unanswered.NOTHING_TO_SHOW)
    try:
        completion = model.complete(_prompt(question, shown))
    except ModelUnavailable as error:
        return Refused(Unanswered.UNAVAILABLE, error.hint)
    return _checked(completion.text, question, shown)


class Asking:
    """What one pass asks a model tonight, and what it had to do without.

    After a call that failed, or three answers in a row that could not be believed, nobody is asked
    any more: a pass must not wait a minute for each of a hundred summaries.
    """

    def __init__(self, model: LanguageModel | None) -> None:
        self._model = model
        self._refused: Counter[Unanswered] = Counter()
        self._hint = ""
        self._in_a_row = 0
        self._has_given_up = False

    @property
    def has_model(self) -> bool:
        """Whether there is anybody to ask."""
        return self._model is not None and not self._has_given_up

    @property
    def skipped(self) -> str:
        """What was made without the model although there is one, for the report; else empty."""
        if not self._refused:
            return ""
        reasons = "; ".join(f"{why} ({count})" for why, count in sorted(self._refused.items()))
        return f"Made by rules instead of the model: {reasons}.{self._hint and ' ' + self._hint}"

    def summary(self, texts: Sequence[str], *, most_tokens: int, about: str = "") -> str | None:
        """A few sentences about what the texts say."""
        return self._written("summary", texts, most_tokens=most_tokens, about=about)

    def card(self, name: str, texts: Sequence[str], *, most_tokens: int) -> str | None:
        """Who or what somebody or something is, told from texts that come newest first."""
        return self._written("card", texts, most_tokens=most_tokens, about=name)

    def bridge(
        self, first: tuple[str, Sequence[str]], second: tuple[str, Sequence[str]]
    ) -> "Bridge | None":
        """Whether two named things have to do with each other by what the texts of each say."""
        from engram.lifecycle.dreams.replies import Bridge

        names = (first[0], second[0])
        question = Question(
            prompt="bridge",
            sources=(*first[1], *second[1]),
            reply=Bridge,
            most_tokens=_BRIDGE_TOKENS,
            fields={
                "first": names[0], "second": names[1], "most_words": _words_in(_BRIDGE_TOKENS)
            },
        )  # fmt: skip
        found = self._ask(question, lambda answered: _missing_end(answered.reply, names))
        return found.reply if found else None

    def verdict(self, belief: str, texts: Sequence[str]) -> "Verdict | None":
        """Whether a belief stands against other texts; `evidence` has their places from 0."""
        from engram.lifecycle.dreams.replies import Verdict

        if self._model is not None and not _fit_to_show([belief]):
            self._note(Refused(Unanswered.NOTHING_TO_SHOW))
            return None
        question = Question(
            prompt="probe",
            sources=texts,
            reply=Verdict,
            most_tokens=_VERDICT_TOKENS,
            fields={"belief": clipped(belief, _SOURCE_CHARACTERS)},
        )
        found = self._ask(question, _unproven)
        if found is None:
            return None
        evidence = [found.shown[place - 1] for place in dict.fromkeys(found.reply.evidence)]
        return Verdict(verdict=found.reply.verdict, evidence=evidence)

    def _written(
        self, prompt: str, texts: Sequence[str], *, most_tokens: int, about: str
    ) -> str | None:
        from engram.lifecycle.dreams.replies import Written

        question = Question(
            prompt=prompt,
            sources=texts,
            reply=Written,
            most_tokens=most_tokens,
            fields={"about": clipped(about, 200), "most_words": _words_in(most_tokens)},
        )
        found = self._ask(question)
        return _paragraphs(found.reply.text) if found else None

    def _ask(
        self,
        question: Question[R],
        objection: Callable[[Answered[R]], Unanswered | None] = lambda _: None,
    ) -> Answered[R] | None:
        if self._model is None:
            return None
        if self._has_given_up:
            self._note(Refused(Unanswered.GIVEN_UP))
            return None
        found = ask(self._model, question)
        if isinstance(found, Answered):
            why = objection(found)
            if why is None:
                self._in_a_row = 0
                return found
            found = Refused(why)
        self._note(found)
        return None

    def _note(self, refused: Refused) -> None:
        """Count why there is no answer, and see whether to go on asking."""
        self._refused[refused.why] += 1
        self._hint = refused.hint or self._hint
        if refused.why is not Unanswered.NOTHING_TO_SHOW:
            self._in_a_row += 1
        is_away = refused.why is Unanswered.UNAVAILABLE
        self._has_given_up = is_away or self._in_a_row >= _REFUSALS_IN_A_ROW or self._has_given_up


# What is shown


def _fit_to_show(texts: Sequence[str]) -> dict[int, str]:
    """The texts that a model may see, by their places, as many as fit.

    What looks like an order could be followed, and what holds a secret would leave the store.
    """
    kept: dict[int, str] = {}
    left = MOST_SOURCES_BYTES
    for place, text in enumerate(texts):
        line = clipped(text, _SOURCE_CHARACTERS)
        left -= len(line.encode("utf-8", "replace"))
        if left < 0:
            break
        screened = screen(text)
        if not screened.is_flagged and screened.tier is not Secrecy.CONFIDENTIAL and line:
            kept[place] = line
    return kept


def _prompt(question: Question[R], shown: Mapping[int, str]) -> Prompt:
    sources = [
        {"source": number, "text": text} for number, text in enumerate(shown.values(), start=1)
    ]
    document = json.dumps({**question.fields, "sources": sources}, ensure_ascii=False, indent=0)
    return Prompt(
        system=_instructions(question.prompt),
        user=shown_as_text(document.encode("utf-8", "replace").decode()),
        schema=_schema(question.reply),
        max_tokens=2 * question.most_tokens + _TOKENS_AROUND,
        purpose=f"dream_{question.prompt}",
    )


@cache
def _instructions(name: str) -> str:
    place = files("engram.lifecycle.dreams") / "prompts" / f"{name}.md"
    return place.read_text(encoding="utf-8")


@cache
def _schema(reply: "type[Reply]") -> Mapping[str, object]:
    return reply.model_json_schema()


def _words_in(tokens: int) -> int:
    return max(5, int(tokens * _WORDS_PER_TOKEN))


# What is believed


def _checked(text: str, question: Question[R], shown: Mapping[int, str]) -> Answered[R] | Refused:
    from pydantic import ValidationError

    try:
        reply = question.reply.model_validate(json_in(text))
    except NotJson:
        return Refused(Unanswered.NOT_JSON)
    except ValidationError:
        return Refused(Unanswered.WRONG_SHAPE)
    named = [value for value in question.fields.values() if isinstance(value, str)]
    why = _objection(reply, question, [*shown.values(), *named])
    return Refused(why) if why else Answered(reply, tuple(shown))


def _objection(reply: "Reply", question: Question[R], sources: Sequence[str]) -> Unanswered | None:
    from engram.lifecycle.dreams.replies import Bridge

    told = reply.told
    if not told.strip():
        return None if _may_be_silent(reply) else Unanswered.EMPTY
    if tokens_in(told) > question.most_tokens:
        return Unanswered.TOO_LONG
    screened = screen(told)
    if screened.is_flagged or screened.tier is Secrecy.CONFIDENTIAL:
        return Unanswered.AN_ORDER
    invented = Sources(sources).inventions(told, may_join=question.reply is Bridge)
    return Unanswered.INVENTED if invented else None


def _may_be_silent(reply: "Reply") -> bool:
    from engram.lifecycle.dreams.replies import Bridge, Verdict

    return isinstance(reply, Verdict) or (isinstance(reply, Bridge) and not reply.is_related)


def _missing_end(reply: "Bridge", names: Sequence[str]) -> Unanswered | None:
    """A bridge says nothing of both when it does not name both."""
    told = content_of(reply.text)
    is_named = all(not content_of(name) or told & content_of(name) for name in names)
    return None if not reply.is_related or is_named else Unanswered.INVENTED


def _unproven(answered: "Answered[Verdict]") -> Unanswered | None:
    """Only what the sources say counts against a belief."""
    reply = answered.reply
    if not all(1 <= place <= len(answered.shown) for place in reply.evidence):
        return Unanswered.NO_EVIDENCE
    return None if reply.verdict == "holds" or reply.evidence else Unanswered.NO_EVIDENCE


def _paragraphs(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line)
