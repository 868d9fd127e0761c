"""What is said about the limits of memory, once and plainly, when it is not sure of an answer."""

from engram.recall.result import RecallResult

_UNKNOWN = (
    "Nothing in memory answers this. What is said about it rests on something else, and asking is "
    "better than guessing."
)
_UNCERTAIN = "What memory holds on this may not be the answer: it is uncertain."


def reflection(result: RecallResult) -> tuple[str, ...]:
    """The note on an answer of memory; none where it is confident of it."""
    if result.assessment == "unknown" or not result.hits:
        return (_UNKNOWN,)
    domain = result.domain
    is_open = domain is not None and domain.assessment != "confident" and domain.gaps > 0
    if result.assessment != "uncertain" and not is_open:
        return ()
    if domain is None or not is_open:
        return (_UNCERTAIN,)
    questions = "one open question" if domain.gaps == 1 else f"{domain.gaps} open questions"
    return (
        f"What memory holds on “{domain.label}” has {questions}: it may be incomplete or out of"
        " date.",
    )
