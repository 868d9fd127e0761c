"""What unlocks a store, handed to a process of our own through a pipe that no other can read."""

import json
import subprocess
from contextlib import suppress

from engram.security.keys import Credentials, Kind

_STDIN = 0


def hand_over(secret: Credentials, child: "subprocess.Popen[bytes]") -> None:
    """Write it to the input of a child; one that has ended already reads nothing."""
    if child.stdin is not None:
        with suppress(BrokenPipeError), child.stdin as pipe:
            pipe.write(written(secret))


def handed_over() -> Credentials | None:
    """In a child: what its parent was given, if anything."""
    with open(_STDIN, "rb", closefd=False) as pipe:
        return read(pipe.read())


def written(secret: Credentials) -> bytes:
    """What unlocks a store, as it goes through the pipe."""
    key = secret.key.hex() if secret.key is not None else None
    document = {"passphrase": secret.passphrase, "key": key, "source": secret.source}
    return json.dumps(document).encode()


def read(pipe: bytes) -> Credentials | None:
    """The same on the other side; None where nothing was sent, and the environment decides."""
    given = json.loads(pipe or b"{}")
    passphrase, key = given.get("passphrase"), given.get("key")
    if passphrase is None and key is None:
        return None
    source = Kind(given.get("source", Kind.KEY))
    return Credentials(passphrase, bytes.fromhex(key) if key is not None else None, source)
