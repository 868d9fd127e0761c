"""Reads exports back, and names what tests share."""

import json
from collections.abc import Iterator
from pathlib import Path

QUICK = {"sharing": {"export_work": 10}}  # a weak passphrase is fine where nothing is secret


def read_lines(path: Path) -> Iterator[dict[str, object]]:
    """The records of a readable export."""
    for line in path.read_text().splitlines():
        if line.strip():
            yield json.loads(line)
