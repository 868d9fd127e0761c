"""Where programs keep their files on this machine."""

import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Places:
    """The folders that the places of files are written with."""

    home: Path
    config: Path  # of programs that keep to XDG
    support: Path  # of desktop programs
    own: Path  # where Engram notes what it has put into others' files

    def path(self, place: str, project: Path | None = None) -> Path:
        """A place such as `{home}/.claude.json` as a path; `{project}` is the project's folder."""
        folders = {"home": self.home, "config": self.config, "support": self.support}
        if project is not None:
            folders["project"] = project
        name, _, rest = place.removeprefix("{").partition("}")
        return folders[name] / rest.removeprefix("/")


def places_here() -> Places:
    """The places of whoever runs this."""
    from platformdirs import user_config_path

    home = Path.home()
    config = user_config_path("engram", appauthor=False).parent
    if sys.platform == "darwin":
        support = home / "Library" / "Application Support"
        return Places(home, home / ".config", support, support / "engram")
    return Places(home, config, config, config / "engram")
