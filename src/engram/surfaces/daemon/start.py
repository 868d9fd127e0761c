"""Starts the process in the background: beside whoever asks, in no time, and never in their way."""

import subprocess
import sys
from pathlib import Path

from engram.engine import Engram
from engram.engine.background import leaves_work, seated
from engram.errors import EngramError
from engram.security.keys import Credentials, is_in_keyring
from engram.storage.place import is_store
from engram.surfaces.handing_over import hand_over

_KEY_SLOT = "keys.json"
_started: list[subprocess.Popen[bytes]] = []  # kept, so that those that ended are waited for


def start_if_needed(engram: Engram, folder: Path, secret: Credentials) -> bool:
    """Start it when something is left to do and the settings let us; whether it was started.

    For the end of a command: whatever is wrong with the background is no reason to fail one.
    """
    try:
        if engram.settings.daemon.start != "auto" or seated(folder) is not None:
            return False
        return leaves_work(engram) and start(folder, secret)
    except EngramError:
        return False


def start(folder: Path, secret: Credentials) -> bool:
    """Start it, if it could work here at all; it looks itself whether another is there.

    It belongs to nobody: a session of its own, no terminal, none of our files.
    """
    folder = folder.expanduser().absolute()
    slot = folder / _KEY_SLOT
    is_locked = slot.exists() and not secret.are_given and not is_in_keyring(slot)
    if is_locked or not is_store(folder) or not sys.executable:
        return False
    _started[:] = [each for each in _started if each.poll() is None]
    try:
        child = _spawned(folder)
    except OSError:
        return False  # a place without processes to spare works without it
    _started.append(child)
    hand_over(secret, child)
    return True


def _spawned(folder: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603  # this very program, its own arguments
        [sys.executable, "-P", "-m", "engram.surfaces.daemon", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        umask=0o077,
        start_new_session=True,
    )
