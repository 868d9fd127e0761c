"""What is written above lines of one category."""

from typing import Final

_HEADINGS: Final = {
    "identity": "Who they are",
    "instruction": "Instructions",
    "constraint": "Constraints",
    "principle": "Principles",
    "preference": "Preferences",
    "procedure": "Ways of working",
    "tooling": "Tools",
    "correction": "Corrections",
    "decision": "Decisions",
    "commitment": "Commitments",
    "relationship": "Relationships",
    "people": "People",
    "location": "Places",
    "project": "Projects",
    "skill": "Skills",
    "health": "Health",
    "fiscal": "Money",
    "infra": "Infrastructure",
    "technical": "Technical",
    "moment": "Moments",
    "context": "Context",
    "entity": "Facts",
    "fact": "Facts",
    "general": "Facts",
}
ORDER: Final = {name: place for place, name in enumerate(dict.fromkeys(_HEADINGS.values()))}


def heading_of(category: str) -> str:
    """The heading of a category; one of your own is written as it is called."""
    return _HEADINGS.get(category) or category.replace("_", " ").capitalize()


def heading_place(heading: str) -> tuple[int, str]:
    """Where a heading stands among others: who somebody is first, what merely happened last."""
    return ORDER.get(heading, len(ORDER)), heading
