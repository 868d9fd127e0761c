"""Which tools an agent is given: presets of what it may do without anybody looking on.

A policy takes tools away. It grants nothing: what a caller may do is decided by its role.
"""

from enum import StrEnum

from engram.memory.roles import Need


class Preset(StrEnum):
    """A choice of tools."""

    READ_ONLY = "read-only"  # looks, and says whether what it found was of use
    STANDARD = "standard"  # also adds memories
    MEMORY_AWARE = "memory-aware"  # also corrects, archives and relates its own
    UNRESTRICTED = "unrestricted"  # whatever its role allows


_READS, _ADDS = "reads", "adds"  # effects, by the names that operations give them
# Alters no memory, and the more of it there is the better recall becomes.
_SAFE = frozenset({"feedback", "memory_feedback"})


def allows(preset: Preset, operation: str, need: Need, effect: str) -> bool:
    """Whether an operation, by its name, what it needs and its effect, is among the tools."""
    is_safe = (need is Need.READ and effect == _READS) or operation in _SAFE
    is_adding = need is Need.WRITE and effect == _ADDS
    match preset:
        case Preset.READ_ONLY:
            return is_safe
        case Preset.STANDARD:
            return is_safe or is_adding
        case Preset.MEMORY_AWARE:
            return is_safe or need is Need.WRITE
        case Preset.UNRESTRICTED:
            return True
