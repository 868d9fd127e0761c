"""The table of all operations: each module registers its own when it is imported."""

from engram.surfaces.operations import memories  # noqa: F401  # registers
from engram.surfaces.operations.operation import OPERATIONS

__all__ = ["OPERATIONS"]
