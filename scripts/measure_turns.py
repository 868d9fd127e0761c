"""Measure what is read in the turns of `data/confidence-turns`, whose writers trained nothing.

    python scripts/measure_turns.py data

The thresholds of reading are set on these turns; prints recall and precision as the row `keep` of
`engram eval` does, which measures the test part.
"""

import sys
from pathlib import Path

from engram.evaluation.corpus import CONFIDENCE_TURNS, FIT, Corpus, LabelledTurn
from engram.evaluation.truth_reading import measure_keep
from engram.evaluation.truth_stores import Truth


class LaterTurns(Corpus):
    """The corpus with the later turns in place of those of the test part."""

    def turns(self, part: str = FIT, kind: str = CONFIDENCE_TURNS) -> list[LabelledTurn]:
        """Those turns, unless another part is named."""
        return super().turns(part, kind)


def show_progress(done: int, count: int) -> None:
    """Write how many turns are read."""
    sys.stderr.write(f"\r{done} of {count} turns{'' if done < count else chr(10)}")


def main() -> None:
    """Read the turns and print the figures."""
    report = measure_keep(Truth(LaterTurns(Path(sys.argv[1]))), show_progress)
    for figure in report.lines[0].figures:
        print(figure.name, round(figure.value, 3))


if __name__ == "__main__":
    main()
