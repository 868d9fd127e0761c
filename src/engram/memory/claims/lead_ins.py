"""What only leads up to a statement: "By the way, …", "Before I forget: …"."""

import re

# Behind it a colon can stand as well.
LEAD_IN = re.compile(
    r"(?:oh,?\s+)?(?:and,?\s+)?(?:before i forget(?: it| this| again)?|by the way|btw|fyi"
    r"|(?:just )?(?:one|another) (?:more|last|other|small|quick) thing|another thing"
    r"|(?:just )?so (?:that )?you know|just so (?:that )?(?:you know|everyone knows|we are clear)"
    r"|(?:just )?for (?:the record|your information)|(?:just )?(?:a )?(?:quick|small|side) note"
    r"|(?:just )?(?:a )?(?:quick )?heads[- ]up|while (?:i|we)['’]?(?:m| am|re| are) at it"
    r"|as (?:i|you) (?:(?:have )?(?:already )?(?:said|mentioned)|told you)(?: before| earlier)?"
    r"|good (?:that )?you (?:remind|reminded) me|that reminds me|speaking of which)"
    r"\s*(?:[,:!.…–—-]+\s*|$)",
    re.IGNORECASE,
)


def without_lead_in(sentence: str) -> str:
    """The statement itself, with a capital where it now begins."""
    found = LEAD_IN.match(sentence)
    rest = sentence[found.end() :] if found is not None else sentence
    return rest[:1].upper() + rest[1:]
