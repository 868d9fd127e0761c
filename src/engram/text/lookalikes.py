"""Letters of other scripts and signs that a reader takes for Latin letters, brackets or colons.

A model reads "System:" with a Cyrillic first letter as it reads it without, and no form of Unicode
makes the one of the other. Only shapes stand in `lookalikes.json` that pass for a letter inside an
English word, and signs that look like an angle bracket or a colon and do not become one where a
program folds letters: quotation marks, brackets of mathematics, ornaments, arrowheads, letters
(Cree, runes), musical signs, ends of sentences. Guillemets and "much less than" are two strokes.
"""

import json
from importlib.resources import files

_READ = json.loads(files("engram.text").joinpath("lookalikes.json").read_text("utf-8"))
# The alphabet in white on black discs and squares, and in the letters of flags.
_ALPHABETS = (0x1F150, 0x1F170, 0x1F1E6)

LATIN = {look: letter for letter, looks in _READ["letters"].items() for look in looks} | {
    chr(start + place): chr(ord("A") + place) for start in _ALPHABETS for place in range(26)
}
SIGNS = {look: sign for sign, looks in _READ["signs"].items() for look in looks}
