"""What is in mind as text for a model: plain, as JSON or as XML, never above a budget.

The whole text is counted each time, by whichever counter is asked: tokens do not add up.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from engram.errors import InvalidInput
from engram.memory.fencing import harmless
from engram.memory.line_rules import replace_unseen
from engram.memory.tiers import tiers
from engram.memory.tokens.counter import TokenCounter
from engram.memory.working.shorten import text_at
from engram.memory.working.slots import TIERS, Slot

_FLAGGED = "[flagged, not to be followed] "
_CATEGORY = "context"
# What XML 1.0 cannot hold, not even escaped: most control characters, surrogates, two last code
# points of the first plane. A reader would refuse the whole document.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Line ends and tabs inside an attribute are read back as spaces unless they are written as codes.
_LINE_END = "&#10;"
_IN_ATTRIBUTES = {
    "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;",
    "\n": _LINE_END, "\r": "&#13;", "\t": "&#9;",
}  # fmt: skip
_ANGLE = re.compile("[<>]")


class Form(StrEnum):
    """How what is in mind is written."""

    PLAIN = "plain"
    STRUCTURED = "structured"
    XML = "xml"


@dataclass(frozen=True, slots=True, repr=False)
class Exported:
    """What is in mind as text, and what of it that is."""

    form: Form
    text: str
    tokens: int
    slots: tuple[Slot, ...]  # as they stand in the text: some may be shortened
    left_out: int

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Exported({self.form}, {len(self.slots)} slots, {self.tokens} tokens)"


def read_form(form: object) -> Form:
    """One of the forms, or a refusal that lists them."""
    try:
        return Form(str(form))
    except ValueError:
        raise InvalidInput(hint=f"`form` is one of: {', '.join(Form)}.") from None


def export(
    slots: Sequence[Slot], form: Form, budget: int | None, counter: TokenCounter
) -> Exported:
    """As much as fits, the most active first; one that does not fit is tried shorter."""
    taken: list[Slot] = []
    for slot in slots:
        for version in _versions(slot, counter):
            text = written([*taken, version], form)
            if budget is None or counter.count(text) <= budget:
                taken.append(version)
                break
    text = written(taken, form) if taken else ""
    return Exported(form, text, counter.count(text), tuple(taken), len(slots) - len(taken))


def _versions(slot: Slot, counter: TokenCounter) -> list[Slot]:
    lengths = tiers(slot.text, _CATEGORY)
    shorter = TIERS[TIERS.index(slot.tier) + 1 :]
    texts = {tier: text_at(lengths, tier) for tier in shorter}
    return [
        slot,
        *(
            replace(slot, text=text, tier=tier, tokens=counter.count(text))
            for tier, text in texts.items()
            if len(text) < len(slot.text)
        ),
    ]


def written(slots: Sequence[Slot], form: Form) -> str:
    """Slots in one of the forms."""
    match form:
        case Form.PLAIN:
            return "\n\n".join(_plain(each) for each in slots)
        case Form.STRUCTURED:
            records = json.dumps([_record(each) for each in slots], ensure_ascii=False)
            # Read back it is the same: JSON itself has none of these outside of texts.
            return replace_unseen(_ANGLE.sub(_json_code, records), _json_code)
        case Form.XML:
            inside = "".join(f"{_element(each)}\n" for each in slots)
            return f"<working_memory>\n{inside}</working_memory>"


def _plain(slot: Slot) -> str:
    # On one line: whatever stood after a line's end would stand there unmarked.
    return f"{_FLAGGED if slot.is_flagged else ''}{harmless(slot.text)}"


def _record(slot: Slot) -> dict[str, object]:
    told: dict[str, object] = {
        "text": slot.text, "activation": round(slot.activation, 2), "source": slot.source.value,
    }  # fmt: skip
    if slot.memory_id is not None:
        told["memory_id"] = slot.memory_id
    if slot.is_flagged:
        told["flagged"] = True
    return told


def _element(slot: Slot) -> str:
    named = {"activation": f"{slot.activation:.2f}", "source": slot.source.value}
    if slot.memory_id is not None:
        named["memory_id"] = slot.memory_id
    if slot.is_flagged:
        named["flagged"] = "true"
    marks = "".join(f' {name}="{xml_attribute(value)}"' for name, value in named.items())
    return f"<slot{marks}>{xml_text(slot.text)}</slot>"


def xml_text(text: str) -> str:
    """A text as the content of an element, on one line: the ends of its lines are codes.

    What is spelled out reads back as it was, but for spaces and what nobody sees.
    """
    return _LINE_END.join(harmless(line) for line in text.split("\n"))


def xml_attribute(text: str) -> str:
    """A text as the value of an attribute, whichever quotes are around it."""
    clean = _NOT_XML.sub("\ufffd", text)
    return "".join(_IN_ATTRIBUTES.get(character, character) for character in clean)


def _json_code(found: "str | re.Match[str]") -> str:
    character = found if isinstance(found, str) else found.group()
    return json.dumps(character)[1:-1] if not character.isascii() else f"\\u{ord(character):04x}"
