"""Writes what is made from the operations: python -m scripts.openapi.

The description of the HTTP API that the tests compare with, and the table in docs/http.md.
"""

import json
import re
from pathlib import Path

from engram.surfaces.http.openapi import API, description
from engram.surfaces.operations import OPERATIONS

ROOT = Path(__file__).parent.parent
SNAPSHOT = ROOT / "tests" / "http" / "openapi.json"
PAGE = ROOT / "docs" / "http.md"
_TABLE = re.compile(r"(?<=scripts\.openapi -->\n).*?(?=<!-- end of operations -->)", re.DOTALL)


def table() -> str:
    served = [each for each in OPERATIONS.values() if not each.is_local]
    lines = ["| Request | Needs | What it does |", "| --- | --- | --- |"]
    for each in sorted(served, key=lambda each: (each.path.split("/")[1], each.path, each.method)):
        request = f"`{each.method} {API}{each.path}`"
        lines.append(f"| {request} | {each.need} | `{each.name}`: {each.summary} |")
    return "\n".join(lines) + "\n"


def page() -> str:
    return _TABLE.sub(lambda _: table(), PAGE.read_text(encoding="utf-8"))


def main() -> None:
    SNAPSHOT.write_text(json.dumps(description(), indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {SNAPSHOT} and {PAGE}")


if __name__ == "__main__":
    main()
