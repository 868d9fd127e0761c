"""How well does recall work? Measured on public conversations, or on a store's own memories."""

from engram.evaluation.evaluate import EvaluationOptions, evaluate
from engram.evaluation.known_items import KnownItemReport, find_known_items
from engram.evaluation.report import Report

__all__ = [
    "EvaluationOptions",
    "KnownItemReport",
    "Report",
    "evaluate",
    "find_known_items",
]
