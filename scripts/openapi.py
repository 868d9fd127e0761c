"""Writes the description of the HTTP API that the tests compare with: python -m scripts.openapi."""

import json
from pathlib import Path

from engram.surfaces.http.openapi import description

SNAPSHOT = Path(__file__).parent.parent / "tests" / "http" / "openapi.json"


def main() -> None:
    SNAPSHOT.write_text(json.dumps(description(), indent=1) + "\n", encoding="utf-8")
    print(f"wrote {SNAPSHOT}")


if __name__ == "__main__":
    main()
