"""Everything that can be asked for from outside, each written down once."""

from engram.surfaces.operations.operation import Arguments, Effect, Operation, Progress
from engram.surfaces.operations.registry import OPERATIONS

__all__ = ["OPERATIONS", "Arguments", "Effect", "Operation", "Progress"]
