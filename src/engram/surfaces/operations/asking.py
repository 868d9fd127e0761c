"""Operations on what is not known: the questions that wait, those to put now, and answers."""

from typing import Annotated

from pydantic import Field

from engram.engine import Engram
from engram.surfaces.documents import Document
from engram.surfaces.gap_documents import answer_document, gap_document
from engram.surfaces.operations import gaps_telling
from engram.surfaces.operations.fields import Id, Limit, Name, Reason, Text
from engram.surfaces.operations.operation import (
    ADDING,
    CHANGING,
    READING,
    ScopedArguments,
    operation,
)


class Gaps(ScopedArguments):
    """What `gaps` takes."""

    limit: Limit = 50


@operation("gaps", Gaps, kind=READING, route="GET /gaps", gives="Gaps", tells=gaps_telling.gaps)
def gaps(engram: Engram, given: Gaps) -> Document:
    """What is missing, contradictory or perhaps out of date, as questions; none counts as put."""
    found = engram.gaps(limit=given.limit, scope=given.part)
    return {"gaps": [gap_document(each) for each in found]}


class Questions(ScopedArguments):
    """What `questions` takes."""

    session: Annotated[Name, Field(description="The conversation they are to be put in.")]
    limit: Annotated[
        int | None, Field(ge=1, le=100, description="At most so many; never more than is polite.")
    ] = None


@operation(
    "questions", Questions, kind=ADDING, route="POST /gaps/questions", gives="Gaps",
    tells=gaps_telling.questions,
)  # fmt: skip
def questions(engram: Engram, given: Questions) -> Document:
    """The questions to put in a session now: two at most, each once a week; they count as put."""
    found = engram.questions(given.session, limit=given.limit, scope=given.part)
    return {"gaps": [gap_document(each) for each in found]}


class AnswerGap(ScopedArguments):
    """What `answer_gap` takes."""

    gap_id: Annotated[Id, Field(description="The id of a question, as gap-….")]
    text: Annotated[Text, Field(description="The answer, in a few words or a sentence.")]
    session: Annotated[Name | None, Field(description="The conversation it was given in.")] = None
    reason: Reason = ""


@operation(
    "answer_gap", AnswerGap, kind=CHANGING, route="POST /gaps/{gap_id}/answer", gives="GapAnswer",
    tells=gaps_telling.answered,
)  # fmt: skip
def answer_gap(engram: Engram, given: AnswerGap) -> Document:
    """Answer a question: what is said is kept or decides, and the question is settled."""
    done = engram.answer_gap(
        given.gap_id, given.text, session=given.session, reason=given.reason, scope=given.part
    )
    return answer_document(done)
