"""What the person says again and again: preferences and habits, in ever other wordings."""

import random
from dataclasses import dataclass

from benchmarks.ninety_days.spoken import HOME


@dataclass(frozen=True, slots=True)
class Preference:
    """One preference, as it is said over the months."""

    project: str
    wordings: tuple[str, ...]


_OPENINGS = ("", "", "", "As I said, ", "Oh, and ", "By the way, ", "Please remember, ", "Again, ")
_CLOSINGS = ("", "", "", ", you know", ", really", ", as always", ", thanks", ", okay?")
_PREFERENCES = (
    Preference(HOME, (
        "I prefer short answers.", "I really prefer short answers.", "I do prefer short answers.",
        "I definitely prefer short answers.", "Short answers are what I prefer.",
        "I'd rather have short answers.", "I still prefer short answers.")),
    Preference(HOME, (
        "I like my coffee without sugar.", "I really like my coffee without sugar.",
        "I like my coffee black, without sugar.", "I still like my coffee without sugar.",
        "I definitely like my coffee without sugar.", "No sugar in my coffee.")),
    Preference(HOME, (
        "I prefer trains over planes.", "I really prefer trains over planes.",
        "I definitely prefer trains over planes.", "I still prefer trains over planes.",
        "I'd rather take the train than the plane.", "I do prefer trains over planes.")),
    Preference(HOME, (
        "I don't eat meat.", "I do not eat meat.", "I really don't eat meat.", "I am vegetarian.",
        "I still don't eat meat.", "I don't eat any meat.")),
    Preference("harbour", (
        "I prefer pytest over unittest.", "I really prefer pytest over unittest.",
        "I do prefer pytest over unittest.", "I definitely prefer pytest over unittest.",
        "I'd rather use pytest than unittest.", "I still prefer pytest over unittest.")),
    Preference("harbour", (
        "I want type hints everywhere.", "I really want type hints everywhere.",
        "I definitely want type hints everywhere.", "I still want type hints everywhere.",
        "Type hints everywhere, please.", "I want type hints in all functions.")),
    Preference("harbour", (
        "We always squash commits before merging.", "We squash commits before merging, always.",
        "We really always squash commits before merging.",
        "Commits are always squashed before merging.", "We always squash our commits first.")),
    Preference("atlas", (
        "I like dark mode in the viewer.", "I really like dark mode in the viewer.",
        "I definitely like dark mode in the viewer.", "I still like dark mode in the viewer.",
        "Dark mode in the viewer is what I like.", "I do like dark mode in the viewer.")),
    Preference("atlas", (
        "I prefer tabs over spaces in the style sheets.",
        "I really prefer tabs over spaces in the style sheets.",
        "I still prefer tabs over spaces in the style sheets.",
        "I definitely prefer tabs over spaces in the style sheets.",
        "In the style sheets I prefer tabs over spaces.")),
    Preference("atlas", (
        "I like meetings in the morning.", "I really like meetings in the morning.",
        "I still like meetings in the morning.", "I definitely like meetings in the morning.",
        "Meetings in the morning are what I like.")),
    Preference("orchard", (
        "I prefer paper lists over the app.", "I really prefer paper lists over the app.",
        "I do prefer paper lists over the app.", "I still prefer paper lists over the app.",
        "I definitely prefer paper lists over the app.", "Paper lists are better than the app.")),
    Preference("orchard", (
        "I want the totals at the top.", "I really want the totals at the top.",
        "I still want the totals at the top.", "I definitely want the totals at the top.",
        "The totals belong at the top.", "Put the totals at the top, please.")),
)  # fmt: skip


def repeated(project: str, chance: random.Random) -> str:
    """One of the preferences that belong to a project, in one of its wordings."""
    own = [each for each in _PREFERENCES if each.project == project]
    wording = chance.choice(chance.choice(own).wordings)
    opening, closing = chance.choice(_OPENINGS), chance.choice(_CLOSINGS)
    body = (
        wording[0].lower() + wording[1:] if opening and wording[:2] not in ("I ", "I'") else wording
    )
    return f"{opening}{body[:-1]}{closing}".rstrip("?.") + ("?" if closing.endswith("?") else ".")
