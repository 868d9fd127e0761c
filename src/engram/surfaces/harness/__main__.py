"""How harnesses run a hook: straight, without the command line, because they wait for it."""

import os
import sys

from engram.security.process import claim
from engram.surfaces.harness.hooking import read_arguments, run

if __name__ == "__main__":
    claim()
    hook = read_arguments(sys.argv[1:])
    failure = run(hook)
    if hook.is_checking and failure:
        os.write(2, failure.encode(errors="replace"))
        os._exit(1)
    # Not sys.exit: a pipe that nobody reads any more would make another exit code of it.
    os._exit(0)
