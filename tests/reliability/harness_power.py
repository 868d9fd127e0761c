"""What a disk may hold after the power is cut: all that was synced, and any part of the rest."""

import random
from dataclasses import dataclass, field
from pathlib import Path

from harness_disk import Event

_SECTOR = 512  # the unit a disk writes whole


@dataclass(slots=True)
class _File:
    """One file: what the disk has promised to keep, and what it may or may not have written."""

    kept: bytearray = field(default_factory=bytearray)
    pending: list[Event] = field(default_factory=list)


class Platter:
    """Follows a recording, and can show what a power cut at this moment might leave behind."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self._files = {name: _File(bytearray(content)) for name, content in files.items()}
        self.acknowledged = 0

    def follow(self, event: Event) -> None:
        """Go on by one event."""
        if event.what == "acknowledged":
            self.acknowledged = event.number
        elif event.what == "delete":
            self._files.pop(event.file, None)
        elif event.what == "sync":
            self._sync(self._files.setdefault(event.file, _File()))
        else:
            self._files.setdefault(event.file, _File()).pending.append(event)

    def _sync(self, file: _File) -> None:
        for event in file.pending:
            _apply(event, file.kept)
        file.pending.clear()

    def cut(self, folder: Path, chance: random.Random) -> None:
        """Write one possible image of the disk into a folder."""
        for old in folder.iterdir():
            old.unlink()
        share = chance.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        for name, file in self._files.items():
            image = bytearray(file.kept)
            for event in file.pending:
                if chance.random() < share:
                    _apply(event, image)
                elif event.what == "write" and chance.random() < share:
                    _tear(event, image, chance)
            (folder / name).write_bytes(image)


def _apply(event: Event, image: bytearray) -> None:
    if event.what == "truncate":
        del image[event.number :]
        return
    end = event.offset + len(event.content)
    image.extend(bytes(max(0, end - len(image))))
    image[event.offset : end] = event.content


def _tear(event: Event, image: bytearray, chance: random.Random) -> None:
    """Write only some of the sectors that a write covers."""
    end = event.offset + len(event.content)
    start = event.offset
    while start < end:
        stop = min(end, (start // _SECTOR + 1) * _SECTOR)
        if chance.random() < 0.5:
            piece = event.content[start - event.offset : stop - event.offset]
            _apply(Event("write", event.file, offset=start, content=piece), image)
        start = stop
