"""Writes tools.json anew, when a change of what models read of the tools is meant."""

import json

from test_mcp_tools import SNAPSHOT, digest, listed

from engram.surfaces.mcp.toolsets import ToolSet

if __name__ == "__main__":
    found = {str(name): listed(name) for name in (ToolSet.MINIMAL, ToolSet.STANDARD)}
    full = {tool["name"]: digest([tool]) for tool in listed(ToolSet.FULL)}
    text = json.dumps({**found, "full": full}, indent=1, ensure_ascii=False)
    SNAPSHOT.write_text(text + "\n", encoding="utf-8")
