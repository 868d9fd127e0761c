"""What a part of a piece is worth in tokens: in Latin letters, and in all others.

Fitted by `python -m benchmarks.tokens --fit`; docs/tokens.md says how near the estimate comes.
"""

PART: dict[str, tuple[float, float]] = {"cl100k": (1.022, 1.004), "o200k": (1.026, 1.037)}
