"""Cuts sentences at the joints between their clauses, by rule: more pieces to label and learn from.

The reader itself is given sentences, and cuts where it has learnt to.
"""

import re
from collections.abc import Iterator

from engram.language.segments import segment

# Before what asks, and between two clauses that each have a subject.
_SEAM = re.compile(
    r"(?i)(?:,|\s[-–—]+|:)\s+(?=(?:(?:and|but|so|or|anyway|btw)\s+)?(?:can|could"
    r"|would|will|do|does|did|should|shall|is|are|was|were|what|how|where|who"
    r"|when|why|which|any|please|pls|plz|wanna|have you|has|let me know|tell me"
    r"|help me|right\?)\b)|(?:,\s*|\s+)(?=(?:and|but|so|though|although|anyway"
    r"|plus|btw|because|since)\s+(?:i|we|he|she|they|it|you|my|our|his|her|their"
    r"|there|this|that|the|i['’]\w+|we['’]\w+|\w+['’]s)\s)|;\s+|\s+[–—]+\s+|\s+-{1,2}\s+"
    r"|\s+(?=(?:btw|anyway|anyways)\s)|\s+(?=(?:can|could|would)\s+(?:you|u|someone"
    r"|anyone)\s)"
)
# After what only opens a sentence.
_OPENING = re.compile(
    r"(?i)(?:yep|yeah|yes|yup|nope|no|nah|oh|ooh|wow|woah|whoa|well|hey|hi|hello"
    r"|hiya|ok|okay|sure|great|cool|nice|awesome|amazing|absolutely|definitely"
    r"|totally|exactly|haha+|lol|lmao|omg|aww?|ah|hmm+|um|uh|thanks?|thank you"
    r"|thx|ty|congrats|sorry|honestly|anyways?|btw|ugh|morning|good (?:morning"
    r"|evening|afternoon|question|point|idea)|got it|i see|sounds good|no problem"
    r"|no worries|of course|for sure|perfect|fantastic|lovely|yay|phew|damn|dude"
    r"|bro)(?:\s+(?:[A-Z][\w'’-]*|so much|a lot|all|everyone|everybody|team|folks"
    r"|guys|there|again))?\s*[,!.…–—-]+\s*"
)
_FEWEST_LETTERS = 2


def clauses(text: str) -> Iterator[tuple[int, int]]:
    """Where the clauses of a text stand; what has no letters joins what stands before it."""
    for start, end in segment(text).sentences:
        sentence = text[start:end]
        opening = _OPENING.match(sentence)
        seams = [opening.end()] if opening else []
        seams += [each.end() for each in _SEAM.finditer(sentence)]
        begin = 0
        for seam in (*(each for each in seams if each < len(sentence)), len(sentence)):
            piece = sentence[begin:seam].rstrip()
            if sum(map(str.isalnum, piece)) >= _FEWEST_LETTERS:
                yield start + begin, start + begin + len(piece)
                begin = seam
