"""How much a memory matters, as a table with bars. Rich is imported only once it is drawn."""

from typing import TYPE_CHECKING

from engram.surfaces.cli import pictures
from engram.surfaces.cli.plotting import lying
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engram.memory.importance_report import ImportanceReport

_WIDTH = 10  # characters of a bar that is full


def importance(report: "ImportanceReport") -> "RenderableType":
    """The nine factors with their parts of the score, and how long the memory stays."""
    made = pictures.table(
        "factor", "value", "", "weight", "adds", "because",
        title=f"{report.label} matters {report.score:.2f}",
        whole=("factor", "value", "", "weight", "adds"),
    )  # fmt: skip
    for factor in report.factors:
        made.add_row(
            styled(factor.name, "bold"),
            styled(f"{factor.value:.2f}", "cyan"),
            styled(lying(factor.value, width=_WIDTH), "cyan"),
            styled(f"{factor.weight:.2f}", "dim"),
            styled(f"{factor.contribution:.3f}"),
            styled(factor.because, "dim"),
        )
    return pictures.stack(made, styled(_vividness(report)), styled(_stay(report)))


def _vividness(report: "ImportanceReport") -> str:
    if report.half_life_days is None:
        return f"{report.retention:.0%} of it is left; it does not fade."
    days = report.half_life_days
    lasts = f"{days:.0f} days" if days >= 1 else f"{24 * days:.0f} hours"
    return f"{report.retention:.0%} of it is left; unused it halves about every {lasts}."


def _stay(report: "ImportanceReport") -> str:
    if report.leaves_at is None:
        return f"It is not archived by its age: {report.stays_because}."
    return f"If nobody uses it again, it is archived on {report.leaves_at:%Y-%m-%d}."
