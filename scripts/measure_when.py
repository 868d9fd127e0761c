"""Measure `find_times` on labelled sentences: `measure_when.py FOLDER [--misses]`.

The folder holds `dates.jsonl`; `engram.evaluation.task_dates` says how it is scored, and
`engram eval FOLDER --task dates` prints the same figures. What this adds is `--misses`.
"""

import argparse
import time
from pathlib import Path

from engram.evaluation.task_dates import (
    FILE,
    LabelledSentence,
    is_exact,
    range_of,
    read_sentences,
    score_dates,
)
from engram.language.when.spans import TimeSpan, find_times


def problems(sentence: LabelledSentence) -> list[str]:
    """What went wrong in one sentence."""
    found = find_times(sentence.text, sentence.now)
    shown = [_shown(span) for span in found]
    wrong = [
        f"missed {words!r}, found {shown}: {sentence.text}"
        for words, right in sentence.expected
        if not any(is_exact(range_of(span), right) for span in found)
    ]
    if sentence.is_silent and found:
        wrong.append(f"false alarm {shown}: {sentence.text}")
    return wrong


def _shown(span: TimeSpan) -> str:
    return f"{span.text!r} {span.start:%Y-%m-%d %H:%M} {span.end:%Y-%m-%d %H:%M}"


def main() -> None:
    """Print the figures, and with `--misses` what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--misses", action="store_true", help="show every miss and false alarm")
    arguments = parser.parse_args()
    labelled = read_sentences(arguments.folder / FILE)
    began = time.perf_counter()
    score = score_dates(labelled)
    milliseconds = (time.perf_counter() - began) / len(labelled) * 1000
    if arguments.misses:
        print(*(problem for sentence in labelled for problem in problems(sentence)), sep="\n")
    print(f"times on the calendar    {score.expected}")
    print(f"exact                    {score.exact} ({score.exact_share:.1%})")
    print(f"exact, ends as labelled  {score.exact_ends} ({score.exact_ends_share:.1%})")
    print(f"precision                {score.precision:.1%}")
    print(f"false alarms             {score.false_alarms} of {score.silent} sentences")
    print(f"per sentence             {milliseconds:.3f} ms")


if __name__ == "__main__":
    main()
