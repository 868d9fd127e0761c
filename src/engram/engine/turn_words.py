"""What was said in a turn, as it can be kept."""

from engram.context.truncation import shortened_text


class _Bytes:
    """Counts as the store does."""

    name = "bytes"
    is_exact = True

    def count(self, text: str) -> int:
        """How many bytes a text takes."""
        return len(text.encode())


def writable(text: str) -> str:
    """The text without what no text on disk can hold: half characters and NUL."""
    return text.encode("utf-8", "replace").decode().replace("\x00", " ")


def keepable(text: str, max_bytes: int) -> str:
    """The text, or its beginning and end where the store takes no more."""
    return shortened_text(text, max_bytes, _Bytes())
