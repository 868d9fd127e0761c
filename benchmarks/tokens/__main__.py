"""How near the estimate of tokens comes: `python -m benchmarks.tokens [--fit]`.

Needs the extra `tokens`. Fails when a kind of text is off by more than the bar. With --fit what a
part is worth is fitted anew and written first.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from benchmarks.tokens.fit import fit
from benchmarks.tokens.measure import BAR, Errors, errors, is_within_bar, speeds, total_error
from engram.memory.tokens.estimate import Estimator
from engram.memory.tokens.families import MEASURED

_WEIGHTS = Path(__file__).parents[2] / "src" / "engram" / "memory" / "tokens" / "weights.py"
_HEAD = '''"""What a part of a piece is worth in tokens: in Latin letters, and in all others.

Fitted by `python -m benchmarks.tokens --fit`; docs/tokens.md says how near the estimate comes.
"""

'''


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fit", action="store_true", help="fit the weights anew and write them")
    if parser.parse_args().fit:
        _write({family: fit(family) for family in MEASURED})
        return subprocess.run([sys.executable, "-m", "benchmarks.tokens"], check=False).returncode
    found = [errors(family) for family in MEASURED]
    _show(found)
    print()
    for figure in speeds():
        print(
            f"{figure.name}: {figure.value:.2f} ms, {figure.baseline_name} {figure.baseline:.2f} ms"
        )
    return 0 if is_within_bar(found) else 1


def _write(weights: dict[str, tuple[float, float]]) -> None:
    text = f"{_HEAD}PART: dict[str, tuple[float, float]] = {weights!r}\n"
    _WEIGHTS.write_text(text, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", _WEIGHTS], check=True)


def _show(found: list[Errors]) -> None:
    print("| kind | " + " | ".join(f"{each.family}, summed | worst text" for each in found) + " |")
    print("| --- |" + " ---: | ---: |" * len(found))
    for kind in found[0].by_kind:
        cells = (
            f"{each.by_kind[kind]:+.1%} | {max(map(abs, each.by_text[kind])):.1%}" for each in found
        )
        print(f"| {kind.replace('_', ', ')} | " + " | ".join(cells) + " |")
    for each in found:
        total = total_error(Estimator(each.family), each.family)
        print(
            f"\n{each.family}: mean error of a text {each.mean_of_texts:.1%} (worst "
            f"{each.worst_text:.1%}), of a kind {each.mean_of_kinds:.1%} (worst "
            f"{each.worst_kind:.1%}); {each.within} of {len(each.by_kind)} kinds within {BAR:.0%}; "
            f"the whole sample {total:+.1%}"
        )


if __name__ == "__main__":
    sys.exit(main())
