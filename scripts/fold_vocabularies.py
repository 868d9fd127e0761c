"""Folds the vocabularies of cl100k and o200k into the table that the estimate of tokens asks.

    python scripts/fold_vocabularies.py

Read out of the extra `tokens`. The table is a binary fuse filter (Graf and Lemire, 2022) that
tells not only whether something is in it but also who holds it: every token has three cells, and
they are filled in such an order that one of each token's three is still free to set its sum right.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from rs_bpe.bpe import openai

from engram.memory.tokens.holding import (
    BOTH,
    CL100K,
    FIRST_LETTER,
    O200K,
    SEGMENT,
    VALUES,
    holder,
    places,
)

_TABLE = Path(__file__).parent.parent / "src" / "engram" / "memory" / "tokens" / "vocabularies.py"
_ROOM = 1.12  # cells a token, to begin with: below that no order is found
_LINE = 4_096  # cells
_HEAD = '''"""The vocabularies of cl100k and o200k (MIT licence), folded; `holding.py` reads them.

Written by `scripts/fold_vocabularies.py`.
"""

# fmt: off
CELLS = (
'''


def main() -> None:
    cl100k = set(_tokens(openai.cl100k_base(), 100_256))
    o200k = set(_tokens(openai.o200k_base(), 199_998))
    sums = dict.fromkeys(map(crc32, sorted(cl100k)), CL100K)
    sums |= dict.fromkeys(map(crc32, sorted(o200k)), O200K)
    sums |= dict.fromkeys(map(crc32, sorted(cl100k & o200k)), BOTH)
    segments = int(len(sums) * _ROOM) // SEGMENT
    while not (order := _order(sums, segments)):
        segments += 1
    _write(_filled(order, sums, segments))
    for family, tokens in (("cl100k", cl100k), ("o200k", o200k)):
        is_held = holder(family)
        missing = sum(not is_held(token) for token in tokens)
        print(f"{family}: {len(tokens):,} tokens of more than a byte, {missing} of them missing")
    print(f"{segments * SEGMENT:,} cells for {len(sums):,} tokens")


def _tokens(vocabulary: "openai.Tokenizer", size: int) -> Iterator[bytes]:
    pairs = vocabulary.bpe()
    found = (bytes(pairs.decode_tokens([number])) for number in range(size))
    return (token for token in found if len(token) > 1)


def _order(sums: dict[int, int], segments: int) -> list[tuple[int, int]]:
    """The tokens with the cell that each sets, the last one first; empty if there is no order."""
    waiting, together = [0] * (segments * SEGMENT), [0] * (segments * SEGMENT)
    for checksum in sums:
        for place in places(checksum, segments):
            waiting[place] += 1
            together[place] ^= checksum
    single = [place for place, count in enumerate(waiting) if count == 1]
    order = []
    while single:
        place = single.pop()
        if waiting[place] != 1:
            continue
        checksum = together[place]
        order.append((checksum, place))
        for each in places(checksum, segments):
            waiting[each] -= 1
            together[each] ^= checksum
            if waiting[each] == 1:
                single.append(each)
    return order if len(order) == len(sums) else []


def _filled(order: list[tuple[int, int]], sums: dict[int, int], segments: int) -> list[int]:
    chance = random.Random(8)  # cells that nobody sets must not make what is no token look like one
    cells = [chance.randrange(VALUES) for _ in range(segments * SEGMENT)]
    for checksum, place in reversed(order):
        others = sum(cells[each] for each in places(checksum, segments) if each != place)
        cells[place] = (sums[checksum] - others) % VALUES
    return cells


def _write(cells: list[int]) -> None:
    letters = "".join(chr(FIRST_LETTER + cell) for cell in cells)
    lines = (letters[start : start + _LINE] for start in range(0, len(letters), _LINE))
    body = "".join(f'b"{line}"\n' for line in lines)
    _TABLE.write_text(f"{_HEAD}{body})\n", encoding="utf-8")


if __name__ == "__main__":
    main()
