"""In how many bits the vector of a memory is kept: the less vivid the memory, the fewer."""

from enum import IntEnum

from engram.memory.vocabulary import Status

_VIVID = 0.8  # of retention; above it nothing is taken away
_WARM = 0.5
_COLD = 0.2


class Precision(IntEnum):
    """Bits a number of a vector is kept in."""

    TWO = 2
    FOUR = 4
    EIGHT = 8
    FULL = 32  # as the space stores, in half or single precision

    @property
    def bits(self) -> int | None:
        """As it stands in the store: none where nothing is taken away."""
        return None if self is Precision.FULL else self.value


def held_precision(bits: int | None) -> Precision:
    """The precision of a stored vector."""
    return Precision.FULL if bits is None else Precision(bits)


def precision_for(retention: float, status: Status) -> Precision:
    """How precisely the vectors of a memory are worth keeping.

    Two bits find 15 to 30 of 100 neighbours less, so they are for what is archived, which no
    question is answered by; everything else keeps four at least, which find 4 to 9 less.
    """
    if retention > _VIVID:
        return Precision.FULL
    if retention > _WARM:
        return Precision.EIGHT
    if retention > _COLD or status is not Status.ARCHIVED:
        return Precision.FOUR
    return Precision.TWO


def is_to_be_embedded_anew(held: Precision, wanted: Precision, status: Status) -> bool:
    """Whether a memory became vivid again after its vector lost bits, and answers questions.

    What is archived stays as it is: the other way round, archiving would embed what it puts away.
    """
    return held < wanted and status is not Status.ARCHIVED
