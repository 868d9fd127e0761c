"""What you can ask Engram to do: a thin facade over the pipelines underneath."""

from engram.engine.facade import Engram

__all__ = ["Engram"]
