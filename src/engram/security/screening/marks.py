"""Finding rare words first: what is read with care is only what stands beside them."""

from collections.abc import Iterator


def lowered(text: str) -> str:
    """The text in small letters with every letter at its old place."""
    small = text.lower()
    if len(small) == len(text):
        return small
    # A few capitals become two letters; they stay as they are.
    return "".join(each if len(each.lower()) != 1 else each.lower() for each in text)


def places_of(mark: str, small: str) -> Iterator[int]:
    """Where a mark begins in a text in small letters."""
    place = small.find(mark)
    while place >= 0:
        yield place
        place = small.find(mark, place + len(mark))


def word_places(mark: str, small: str) -> Iterator[int]:
    """Where a mark begins a word."""
    return (
        place for place in places_of(mark, small) if place == 0 or not small[place - 1].isalnum()
    )
