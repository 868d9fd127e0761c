"""A belief as a sentence: what its memory says, and what recall therefore finds it by."""

from engram.memory.knowledge.relations import PROPERTY, RelationRule

LONGEST = 1_500  # characters; what is longer is cut, the details keep all of it


def sentence(rule: RelationRule, source: str, target: str, *, property_name: str = "") -> str:
    """The sentence of a relation between two, or of a property and its value."""
    room = LONGEST - len(source) - len(property_name)
    said = target if len(target) <= room else target[:room].rstrip() + "…"
    if rule.name == PROPERTY:
        return f"The {property_name} of {source} is {said}."
    return rule.sentence.format(source=source, target=said)
