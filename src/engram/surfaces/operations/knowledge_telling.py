"""What operations on what is known gave, in words: short lines for a model."""

from collections.abc import Iterable
from typing import cast

from engram.surfaces.documents import Document
from engram.surfaces.operations import telling
from engram.surfaces.operations.lines import bounded, counted, on_one_line
from engram.surfaces.operations.telling import marks_of, undo_hint

_NOTHING = "Nothing is known of this."
_NAMED = 20  # of what is told in one line
_STATES = {
    "held": "This is believed:",
    "contested": "Contested; these cannot all hold:",
    "unknown": "Nothing is believed about this.",
}


def learned(document: Document) -> str:
    """What became of a claim, and how to take it back."""
    kind, reason = str(document["kind"]), on_one_line(document["reason"], 500)
    if kind == "refused":
        return f"Refused: {reason}"
    waits = " A person decides: engram review." if kind == "held" else ""
    rivals = _documents(document["rivals"])
    against = f" Held against: {', '.join(str(each['label']) for each in rivals[:_NAMED])}."
    head = f"{kind.capitalize()} ({reason}): {_belief(_document(document['belief']))}"
    return f"{head}{waits}{against if rivals else ''}{undo_hint(document)}"


def learned_many(document: Document) -> str:
    """What became of many claims."""
    found = _documents(document["learned"])
    return bounded([f"{counted(len(found), 'fact')}.", *map(learned, found)])


def state(document: Document) -> str:
    """What is believed about one thing."""
    beliefs = [_belief(each) for each in _documents(document["beliefs"])]
    if document["state"] == "retracted":
        why = on_one_line(document["reason"], 500)
        head = f"Withdrawn on {str(document['retracted_at'])[:10]} because {why}:"
        return bounded([head, *beliefs])
    others = [f"Against it, weaker: {_belief(each)}" for each in _list_of(document, "alternatives")]
    return bounded([_STATES[str(document["state"])], *beliefs, *others])


def revisions(document: Document) -> str:
    """The steps by which a belief came to be what it is."""
    lines = [
        f"{str(each['at'])[:16].replace('T', ' ')} {each['kind']}: "
        f"{on_one_line(each['statement'])} by {on_one_line(each['actor'], 300)}"
        + (f" because {on_one_line(each['reason'], 500)}" if each["reason"] else "")
        + f" [{each['change_id']}]"
        for each in _documents(document["revisions"])
    ]
    return bounded(lines) if lines else "Nothing was ever believed about this."


def support(document: Document) -> str:
    """Who says a belief."""
    voices = counted(cast("int", document["voices"]), "independent voice")
    lines = [
        f"{str(each['at'])[:10]} {on_one_line(each['voice'], 200)} ({_grounds(each)})"
        for each in _documents(document["sayings"])
    ]
    return bounded([f"{voices}, {_share(document['confidence'])} sure.", *lines])


def node_view(document: Document) -> str:
    """Somebody or something with all that is believed of it."""
    node = _document(document["node"])
    aliases = [on_one_line(alias, 200) for alias in cast("list[object]", document["aliases"])]
    also = f", also {', '.join(aliases[:_NAMED])}" if aliases else ""
    held = [_document(each["belief"]) for each in _documents(document["properties"])]
    told = [*held, *_list_of(document, "beliefs_out"), *_list_of(document, "beliefs_in")]
    follows = [_conclusion(each) for each in _documents(document["conclusions"])]
    return bounded([f"{_title(node)} ({node['type']}{also})", *map(_belief, told), *follows])


def nodes(document: Document) -> str:
    """Who and what is known."""
    found = _documents(document["nodes"])
    return bounded(f"{_title(each)} ({each['type']})" for each in found) if found else _NOTHING


def reached(document: Document) -> str:
    """Where one came to, by which beliefs."""
    lines = [
        f"{place}. {_title(_document(each['node']))} ({_share(each['score'])}"
        f"{', inferred' if each['conclusion'] else ''}) by {_way(each)}"
        for place, each in enumerate(_documents(document["reached"]), start=1)
    ]
    return bounded(lines) if lines else "Nothing lies there."


def conclusions(document: Document) -> str:
    """What follows from several beliefs."""
    lines = [_conclusion(each) for each in _documents(document["conclusions"])]
    return bounded(lines) if lines else "Nothing follows."


def answers(document: Document) -> str:
    """Who and what a question is about."""
    lines = [
        f"{place}. {_title(_document(each['node']))} ({_share(each['score'])}, {_grounds(each)})"
        + (f" by {_way(each)}" if each["way"] else "")
        for place, each in enumerate(_documents(document["answers"]), start=1)
    ]
    return bounded(lines) if lines else _NOTHING


def known_entity(document: Document) -> str:
    """What memories tell of somebody or something, and what is believed of it."""
    believed = [_belief(each) for each in _documents(document["beliefs"])[:_NAMED]]
    told = [telling.profile(document), *(["Believed:", *believed] if believed else [])]
    return bounded("\n".join(told).split("\n"))


def _belief(belief: Document) -> str:
    """A belief as its memory says it, with how sure it is and anything a reader has to know."""
    memory = _document(belief["memory"])
    marks = [_share(belief["confidence"]), _grounds(belief), *marks_of(memory)]
    return f"{belief['label']} ({', '.join(marks)}) {on_one_line(memory['content'])}"


def _conclusion(found: Document) -> str:
    ends = (_title(_document(found[name])) for name in ("source", "target"))
    said = f" {on_one_line(found['relation'], 100)} ".join(ends)
    premises = ", ".join(str(each["label"]) for each in _list_of(found, "premises"))
    return f"Follows ({_share(found['confidence'])}): {said}, from {premises}"


def _way(found: Document) -> str:
    told = [
        f"{belief['label']} {on_one_line(_document(belief['memory'])['content'], 500)}"
        for belief in _list_of(found, "way")
    ]
    return "; ".join(told)


def _title(node: Document) -> str:
    return on_one_line(node["title"], 300)


def _grounds(found: Document) -> str:
    return str(_document(found["epistemic"])["type"])


def _share(value: object) -> str:
    return f"{cast('float', value):.0%}"


def _list_of(document: Document, name: str) -> list[Document]:
    return _documents(document[name])


def _documents(value: object) -> list[Document]:
    return list(cast("Iterable[Document]", value))


def _document(value: object) -> Document:
    return cast("Document", value)
