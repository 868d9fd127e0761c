"""Counts in sentences: "1 memory", "2 memories"."""


def counted(count: int, one: str, many: str = "") -> str:
    """A count with the noun in the right number; the plural where it is not just an s more."""
    return f"{count} {one if count == 1 else many or one + 's'}"
