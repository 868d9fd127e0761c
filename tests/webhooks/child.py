"""A process of its own that delivers webhooks until it is killed; run with `python -m`."""

import sys
import time

from engram import Engram
from engram.failpoints import arm_marker


def main() -> None:
    store, marker, skip = sys.argv[1:]
    if marker:
        arm_marker("webhook_sent", marker, skip=int(skip))
    with Engram.open(store) as engram:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            time.sleep(min(engram.deliver_due(), 0.02))


if __name__ == "__main__":
    main()
