"""What is in mind as documents."""

from typing import TYPE_CHECKING

from engram.surfaces.documents import Document, outcome_document, records

if TYPE_CHECKING:
    from engram.engine.minding import Ticked
    from engram.memory.working.export import Exported


def exported_document(made: "Exported") -> Document:
    """What is in mind as text, and what of it that is."""
    return {
        "form": made.form.value,
        "text": made.text,
        "tokens": made.tokens,
        "slots": records(made.slots),
        "left_out": made.left_out,
    }


def ticked_document(ticked: "Ticked") -> Document:
    """What came to mind, what was let go, and what of that was kept as memories."""
    return {
        "came": records(ticked.came),
        "let_go": records(ticked.let_go),
        "kept": [outcome_document(each) for each in ticked.kept],
    }
