"""Which tools there are for whom: by the set that was chosen, and by what the caller may do."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from engram.surfaces.mcp.serve import ToolSet
from engram.surfaces.mcp.standard import minimal_tools, standard_tools
from engram.surfaces.mcp.tool import Tool
from engram.surfaces.operations import OPERATIONS, Operation

__all__ = ["Allows", "ToolSet", "all_tools", "tools_for"]
Allows = Callable[[Operation], bool]


@lru_cache(maxsize=len(ToolSet))
def all_tools(tool_set: ToolSet) -> Mapping[str, Tool]:
    """Every tool of a set by its name, in the order in which they are listed."""
    if tool_set is ToolSet.MINIMAL:
        found = minimal_tools()
    elif tool_set is ToolSet.STANDARD:
        found = standard_tools()
    else:
        own = [Tool(operation, has_shape=True) for operation in OPERATIONS.values()]
        found = [*standard_tools(), *own]
    return {tool.name: tool for tool in found}


def tools_for(tool_set: ToolSet, allows: Allows) -> dict[str, Tool]:
    """The tools of a set that a caller may use; the others are not there for it."""
    return {name: tool for name, tool in all_tools(tool_set).items() if allows(tool.operation)}
