"""Turns what is known into plain JSON documents; every surface shows the same ones."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, assert_never

from engram.errors import MemoryNotFound
from engram.memory.knowledge.reconcile import Contested, Held, Retracted, Unknown
from engram.memory.knowledge.story import story
from engram.memory.tagged import as_json
from engram.surfaces.documents import (
    Document,
    memory_document,
    memory_documents,
    plain,
    profile_document,
    record,
    records,
)

if TYPE_CHECKING:
    from engram.engine import Engram
    from engram.memory.entities.profile import EntityProfile
    from engram.memory.knowledge.belief import Belief, Node
    from engram.memory.knowledge.learned import Learned, Support
    from engram.memory.knowledge.reconcile import BeliefState
    from engram.memory.knowledge.story import Revision
    from engram.memory.knowledge.views import Answer, Conclusion, NodeView, Reached
    from engram.memory.scopes import Scope


def node_document(node: "Node") -> Document:
    """Somebody or something; the title tells it from others of the same label."""
    return {**record(node), "title": node.title}


def nodes_document(nodes: "Iterable[Node]") -> Document:
    """Many of them."""
    return {"nodes": [node_document(each) for each in nodes]}


def belief_document(belief: "Belief") -> Document:
    """One belief: what it says of whom, on which grounds, how firmly, and its memory."""
    return {
        "id": belief.id,
        "label": belief.memory.label,
        "source": node_document(belief.source),
        "relation": belief.relation,
        "target": node_document(belief.target) if belief.target else None,
        "property": belief.property_name,
        "value": as_json(belief.value),
        "object": belief.object,
        "weight": belief.weight,
        "epistemic": as_json(belief.epistemic),
        "strength": belief.strength,
        "confidence": belief.confidence,
        "force": belief.force,
        "support": belief.support,
        "is_functional": belief.is_functional,
        "is_learned": belief.is_learned,
        "repeated_at": plain(belief.repeated_at),
        "memory": memory_document(belief.memory),
    }


def belief_documents(beliefs: "Iterable[Belief]") -> list[Document]:
    """Many beliefs."""
    return [belief_document(each) for each in beliefs]


def learned_document(learned: "Learned") -> Document:
    """What became of a claim, why, and what it was held against."""
    return {
        "kind": learned.kind,
        "reason": learned.reason,
        "change_id": learned.change_id,
        "belief": belief_document(learned.belief),
        "rivals": memory_documents(learned.rivals),
    }


def learned_many_document(learned: "Iterable[Learned]") -> Document:
    """What became of many claims, in their order."""
    return {"learned": [learned_document(each) for each in learned]}


def state_document(state: "BeliefState") -> Document:
    """What is believed about one thing; of what is contested, `beliefs` are all positions."""
    match state:
        case Held():
            return _state("held", state.beliefs, state.alternatives)
        case Contested():
            return _state("contested", state.positions)
        case Retracted():
            withdrawn = _state("retracted", [state.belief])
            return {**withdrawn, "reason": state.reason, "retracted_at": plain(state.at)}
        case Unknown():
            return _state("unknown", [])
        case _:
            assert_never(state)


def _state(
    name: str, beliefs: "Sequence[Belief]", alternatives: "Sequence[Belief]" = ()
) -> Document:
    return {
        "state": name,
        "beliefs": belief_documents(beliefs),
        "alternatives": belief_documents(alternatives),
        "reason": "",
        "retracted_at": None,
    }


def revisions_document(revisions: "Sequence[Revision]") -> Document:
    """How a belief came to be what it is, step by step and as a story."""
    return {"revisions": records(revisions), "story": story(revisions)}


def support_document(support: "Support") -> Document:
    """Who says a belief."""
    return {
        "voices": support.voices,
        "confidence": support.confidence,
        "sayings": [
            {"voice": each.voice, "epistemic": as_json(each.epistemic), "at": plain(each.at)}
            for each in support.sayings
        ],
    }


def node_view_document(view: "NodeView") -> Document:
    """Somebody or something with all that is believed of it."""
    return {
        "node": node_document(view.node),
        "aliases": list(view.aliases),
        "properties": [
            {
                "name": each.name,
                "value": as_json(each.value),
                "confidence": each.confidence,
                "belief": belief_document(each.belief),
            }
            for each in view.properties
        ],
        "beliefs_out": belief_documents(view.beliefs_out),
        "beliefs_in": belief_documents(view.beliefs_in),
        "conclusions": [conclusion_document(each) for each in view.conclusions],
    }


def conclusion_document(conclusion: "Conclusion") -> Document:
    """What follows from several beliefs, with those."""
    return {
        **_concluded(conclusion),
        "epistemic": as_json(conclusion.epistemic),
        "premises": belief_documents(conclusion.premises),
    }


def _concluded(conclusion: "Conclusion") -> Document:
    return {
        "source": node_document(conclusion.source),
        "relation": conclusion.relation,
        "target": node_document(conclusion.target),
        "confidence": conclusion.confidence,
        "valid_from": plain(conclusion.valid_from),
        "valid_until": plain(conclusion.valid_until),
    }


def conclusions_document(conclusions: "Iterable[Conclusion]") -> Document:
    """All that follows."""
    return {"conclusions": [conclusion_document(each) for each in conclusions]}


def reached_document(reached: "Iterable[Reached]") -> Document:
    """Where one came to; of a conclusion the beliefs on the way are the premises."""
    return {"reached": [_reached(each) for each in reached]}


def _reached(reached: "Reached") -> Document:
    return {
        "node": node_document(reached.node),
        "score": reached.score,
        "hops": reached.hops,
        "way": belief_documents(reached.way),
        "conclusion": _concluded(reached.conclusion) if reached.conclusion else None,
    }


def answers_document(answers: "Iterable[Answer]") -> Document:
    """Who and what a question is about."""
    return {"answers": [_answer(each) for each in answers]}


def _answer(answer: "Answer") -> Document:
    return {
        "node": node_document(answer.node),
        "score": answer.score,
        "relevance": answer.relevance,
        "confidence": answer.confidence,
        "epistemic": as_json(answer.epistemic),
        "way": belief_documents(answer.way),
    }


def beliefs_of(
    engram: "Engram", profile: "EntityProfile", *, limit: int, scope: "Scope | None"
) -> "list[Belief]":
    """What is believed of somebody or something that memories name: the firmest first."""
    try:
        view = engram.knowledge.node(profile.entity.name, limit=limit, scope=scope)
    except MemoryNotFound:
        return []
    found = (*(each.belief for each in view.properties), *view.beliefs_out, *view.beliefs_in)
    return sorted(found, key=lambda each: (-each.confidence, each.memory.number))


def known_entity_document(profile: "EntityProfile", beliefs: "Iterable[Belief]") -> Document:
    """What memories tell of somebody or something, and what is believed of it."""
    return {**profile_document(profile), "beliefs": belief_documents(beliefs)}
