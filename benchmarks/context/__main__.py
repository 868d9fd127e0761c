"""Measures sessions and budgets: `python -m benchmarks.context WHAT [--data DIR]`.

topics, momentum, anticipation and budgets need a folder of conversations as `engram eval` takes
one; models makes its own store. None of the conversations' words are printed or kept, except in
the stores that `--keep` leaves.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.context import anticipating, budgets, momentum, topics

_MOST = 4  # questions about one talk


def main() -> int:
    options = _options()
    if options.what != "models" and options.data is None:
        print("name a folder of conversations: --data DIR", file=sys.stderr)
        return 2
    files, most, keep = options.limit_files, options.most, options.keep
    parts: dict[str, Callable[[], bool]] = {
        "topics": lambda: topics.measure(options.data, options.count),
        "momentum": lambda: momentum.measure(
            options.data, set_name=options.set, limit_files=files, most=most, keep=keep
        ),
        "anticipation": lambda: anticipating.measure(
            options.data, limit_files=files, most=most, keep=keep
        ),
        "budgets": lambda: budgets.measure(options.data, limit_files=files, most=most, keep=keep),
        "models": lambda: budgets.measure_models(keep),
    }
    is_met = parts[options.what]()
    print("met" if is_met else "MISSED")
    return 0 if is_met else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    what = ("topics", "momentum", "anticipation", "budgets", "models")
    parser.add_argument("what", choices=what)
    parser.add_argument("--data", type=Path, help="a folder of conversations")
    parser.add_argument("--count", type=int, default=1_000, help="transitions (topics)")
    parser.add_argument("--set", default="locomo", help="which conversations (momentum)")
    parser.add_argument("--limit-files", type=int, help="only the first so many of a set")
    parser.add_argument("--most", type=int, default=_MOST, help="questions about one talk")
    parser.add_argument("--keep", type=Path, help="make the stores here, and use them again")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
