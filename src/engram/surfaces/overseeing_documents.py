"""The overview and the map of what is known as documents."""

from typing import TYPE_CHECKING

from engram.memory.ids import label_of
from engram.surfaces.documents import Document, plain, record, records

if TYPE_CHECKING:
    from engram.memory.dreams.domains import KnownDomain
    from engram.memory.dreams.growth import Growth
    from engram.memory.dreams.overview import Overview


def overview_document(found: "Overview") -> Document:
    """What is known altogether, a paragraph each, with the memories it is taken from."""
    return {
        "level": found.level,
        "tokens": found.tokens,
        "made_at": plain(found.made_at),
        "text": found.text,
        "nodes": [
            {
                "text": each.text,
                "tokens": each.tokens,
                "members": each.members,
                "scope": each.scope,
                "sources": [label_of(number) for number in each.numbers],
            }
            for each in found.nodes
        ],
    }


def domains_document(found: "list[KnownDomain]") -> Document:
    """What is known how well, the best known first, and how well that is altogether."""
    from engram.memory.dreams.domains import coverage_of

    return {"coverage": coverage_of(found), "domains": [record(each) for each in found]}


def growth_document(found: "Growth") -> Document:
    """How a store grew; bars are named by where they begin."""
    from engram.memory.dreams.growth import BIN, SHARES

    faded = found.fading
    return {
        "days": records(found.days),
        "nights": records(found.nights),
        "fading": {
            "mode": faded.mode.value,
            "lasting": faded.lasting,
            "by_half_lives": {
                f"{place * BIN:.2f}": count for place, count in enumerate(faded.by_half_lives)
            },
            "by_retention": {
                f"{place / SHARES:.1f}": count for place, count in enumerate(faded.by_retention)
            },
        },
        "domains": records(found.domains),
        "statuses": dict(found.statuses),
    }
