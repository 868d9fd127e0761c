"""What operations on skills gave, in words: short lines for a model."""

from collections.abc import Iterator
from typing import cast

from engram.surfaces.documents import Document
from engram.surfaces.operations.lines import bounded, counted, on_one_line
from engram.surfaces.operations.telling import (
    document_in,
    documents_in,
    marks_of,
    undo_hint,
    values_in,
)
from engram.surfaces.skills_words import seconds

_NONE = "No skills."
_NOTHING_FITS = "No skill fits this."
_NAMED = 20  # of what is told in one line
_SHORT = 500
_SAYING_STATUS = ("held", "retired")


def skills(document: Document) -> str:
    """Skills as lines."""
    return bounded(map(_line, documents_in(document["skills"]))) or _NONE


def skill(document: Document) -> str:
    """One skill: what it is for, its steps, how it fails and what was learnt."""
    return bounded([_line(document), *_about(document)])


def kept(document: Document) -> str:
    """What became of a skill that was handed in or learnt."""
    kind, reason = str(document["kind"]).capitalize(), on_one_line(document["reason"], _SHORT)
    if document["skill"] is None:
        return f"{kind}: {reason}."
    known = document_in(document["skill"])
    waits = " A person decides: engram review." if document["kind"] == "held" else ""
    head = f"{kind} ({reason}): {_line(known)}{waits}{undo_hint(document)}"
    return bounded([head, *_steps(known)])


def changed(document: Document) -> str:
    """A skill as a change left it."""
    known = document_in(document["skill"])
    return bounded([f"Done: {_line(known)}{undo_hint(document)}", *_steps(known)])


def matches(document: Document) -> str:
    """The skills that fit, each with why, what must hold and its steps."""
    found = documents_in(document["matches"])
    lines = [
        line
        for place, each in enumerate(found, start=1)
        for line in (
            f"{place}. {_matched(each)}",
            *_needs(each),
            *_steps(document_in(each["skill"])),
        )
    ]
    return bounded(lines) or _NOTHING_FITS


def runs(document: Document) -> str:
    """How a skill went, line by line."""
    return bounded(map(_run, documents_in(document["runs"]))) or "Nobody has said how it went."


def feedback(document: Document) -> str:
    """What became of a word on how a skill went, and what it taught."""
    again = "Noted before" if document["is_repeat"] else "Noted"
    known = document_in(document["skill"])
    head = f"{again}: {_run(document_in(document['run']))}. {_line(known)}{undo_hint(document)}"
    mode = document["failure_mode"]
    failed = [f"It fails so: {_failure(document_in(mode))}"] if mode else []
    added = [f"Learnt: {_refinement(each)}" for each in documents_in(document["added_refinements"])]
    return bounded([head, *failed, *added])


def warnings(document: Document) -> str:
    """What failed before, and what helped."""
    lines = [
        f"{on_one_line(each['text'])}{_where(each)}" for each in documents_in(document["warnings"])
    ]
    return bounded(lines) or "Nothing is known to have failed so."


def flow(document: Document) -> str:
    """What became of a flow's run."""
    first = " It is a skill from now on." if document["is_first"] else ""
    told = feedback(document_in(document["noted"]))
    return f"Recorded as the episode {document['episode_id']}.{first}\n{told}"


def _line(known: Document) -> str:
    """A skill: which, how it stands, what it is for."""
    marks = [str(known["stage"]), on_one_line(known["evidence"], 200)]
    memory = document_in(known["memory"])
    said = (memory["status"],) if known["stage"] in _SAYING_STATUS else ()
    # When it was kept says little of a skill, and its stage may tell the status.
    marks += [each for each in marks_of(memory)[1:] if each not in said]
    purpose = on_one_line(document_in(known["skill"])["description"], _SHORT)
    return f"{known['label']} {on_one_line(known['name'], 200)} ({', '.join(marks)}) {purpose}"


def _about(known: Document) -> Iterator[str]:
    trigger = document_in(document_in(known["current"])["trigger"])
    features = ", ".join(_feature(each) for each in documents_in(trigger["features"])[:_NAMED])
    when = trigger["description"] or features
    yield f"when: {on_one_line(when, _SHORT)}"
    yield from (f"needs: {on_one_line(each, _SHORT)}" for each in values_in(known["needs"]))
    yield from _steps(known)
    yield from (f"fails: {_failure(each)}" for each in documents_in(known["failure_modes"]))
    yield from (f"learnt: {_refinement(each)}" for each in documents_in(known["refinements"]))


def _feature(feature: Document) -> str:
    return f"{on_one_line(feature['name'], 200)} ({feature['importance']:g})"


def _steps(known: Document) -> Iterator[str]:
    for step in documents_in(known["steps"]):
        does, description = str(step["does"]), str(step["description"])
        told = description if does in description else f"{description} ({does})"
        recourse = "" if step["on_failure"] == "stop" else f"; if it fails: {step['on_failure']}"
        learnt = " [learnt]" if step["is_learnt"] else ""
        yield f"  {step['step']}. {on_one_line(told + recourse, _SHORT)}{learnt}"


def _matched(found: Document) -> str:
    score = cast("float", found["score"])
    reasons = [
        on_one_line(each["reason"] or each["feature"], 200)
        for each in documents_in(found["readings"])[:_NAMED]
        if each["score"]
    ]
    ready = "ready" if found["is_ready"] else "not known to be ready"
    why = f" [{'; '.join(reasons)}]" if reasons else ""
    return f"{score:.2f}, {ready}: {_line(document_in(found['skill']))}{why}"


def _needs(found: Document) -> list[str]:
    """What must hold and does not, or cannot be told."""
    return [
        f"  {each['verdict']}: {on_one_line(each['reason'], _SHORT)}"
        for each in documents_in(found["preconditions"])
        if each["verdict"] != "met"
    ]


def _run(run: Document) -> str:
    outcome = document_in(run["outcome"])
    took = f", {seconds(cast('float', run['duration']))}" if run["duration"] is not None else ""
    step = f", step {run['step']}" if run["step"] else ""
    tool = f", {on_one_line(run['tool'], 200)}" if run["tool"] else ""
    why = outcome.get("error") or outcome.get("reason")
    told = f": {on_one_line(why, _SHORT)}" if why else ""
    return f"{str(run['at'])[:19]} {outcome['type']}{took}{step}{tool}{told}"


def _failure(mode: Document) -> str:
    times = counted(cast("int", mode["occurrences"]), "time")
    step = f", step {mode['step']}" if mode["step"] else ""
    when = ", ".join(
        f"{on_one_line(each['key'], 100)} was {on_one_line(each['value'], 100)}"
        for each in documents_in(mode["conditions"])
    )
    learnt = [str(each) for each in values_in(mode["learnt"])[:_NAMED]]
    helps = [*learnt, *([str(mode["remedy"])] if mode["remedy"] else [])]
    parts = [f"each time {when}"] if when else []
    parts += [f"what helps: {on_one_line('; '.join(helps), _SHORT)}"] if helps else []
    return "; ".join([f"{on_one_line(mode['error'], _SHORT)} ({times}{step})", *parts])


def _refinement(refinement: Document) -> str:
    return on_one_line(f"{refinement['text']} ({refinement['reason']})", _SHORT)


def _where(warning: Document) -> str:
    names = [*values_in(warning["skills"]), *values_in(warning["episodes"])][:_NAMED]
    return f" [{', '.join(on_one_line(each, 200) for each in names)}]" if names else ""
