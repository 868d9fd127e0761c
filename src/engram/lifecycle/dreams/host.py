"""The file system of this host, as far as claims about it are checked."""

import os
import socket
from pathlib import PurePath

_NEVER = frozenset({"proc", "dev", "sys", "net"})  # looking there may have effects of its own


class ThisHost:
    """Looks whether paths are there; opens nothing, and follows nothing into devices."""

    @property
    def name(self) -> str:
        """What this host is called; empty where nobody knows."""
        try:
            return socket.gethostname()
        except OSError:
            return ""

    def exists(self, path: str) -> bool | None:
        """Whether an absolute path is there; None: it cannot be told."""
        parts = PurePath(path).parts
        if not PurePath(path).is_absolute() or "\x00" in path or _NEVER & set(parts[1:2]):
            return None
        try:
            os.lstat(path)  # not where a link leads: that may be a device, or a disk far away
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            return None  # no permission to look is no evidence
        return True
