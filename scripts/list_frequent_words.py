"""Writes the lists of words and fragments that the estimate of tokens goes by.

    python scripts/list_frequent_words.py

Read out of the vocabularies of cl100k and o200k, which the extra `tokens` brings along. A token's
number says how early it was put in, and that is how frequent it is.
"""

import textwrap
from collections.abc import Iterator
from pathlib import Path

from rs_bpe.bpe import openai

_FOLDER = Path(__file__).parent.parent / "src" / "engram" / "memory" / "tokens"
_SHORTEST = 4
_FREQUENT, _FURTHER, _FRAGMENTS = 24_000, 40_000, 2_000
# Vocabularies were made of web pages; these need not stand in anybody's source.
_LEFT_OUT = frozenset(
    "anal cock erot erotik erotische escort fuck fucking naked nude penis porn porno pussy rape"
    " sexe sexo sexual sexy shit".split()
)

_FREQUENT_HEAD = '''"""Words that vocabularies hold whole, and fragments that words fall into.

Written by `scripts/list_frequent_words.py` out of the vocabularies of cl100k and o200k (MIT
licence): the words of four letters and more that both hold whole and that were put in early, and
the earliest fragments without a blank before them. They tell everyday English and code from names,
rare words and other languages in Latin letters, which take more tokens for as many letters.
"""

# fmt: off
'''
_FURTHER_HEAD = '''"""Words of many languages that o200k alone holds whole; see `frequent_words.py`.

Written by `scripts/list_frequent_words.py` out of the vocabulary of o200k (MIT licence).
"""

# ruff: noqa: RUF001  # Cyrillic is meant where it looks like Latin
# fmt: off
'''


def main() -> None:
    cl100k, o200k = openai.cl100k_base(), openai.o200k_base()
    first = list(_tokens(cl100k, _FREQUENT))
    frequent = {
        word[1:]
        for _, word in first
        if _is_word(word) and word.isascii() and o200k.count(word) == 1
    }
    fragments = {word for number, word in first if number < _FRAGMENTS and _is_fragment(word)}
    further = {word[1:] for _, word in _tokens(o200k, _FURTHER) if _is_word(word)} - frequent
    text = _FREQUENT_HEAD + _listed("FREQUENT_WORDS", frequent) + _listed("FRAGMENTS", fragments)
    (_FOLDER / "frequent_words.py").write_text(text, encoding="utf-8")
    text = _FURTHER_HEAD + _listed("FURTHER_WORDS", further)
    (_FOLDER / "further_words.py").write_text(text, encoding="utf-8")
    print(f"{len(frequent)} frequent, {len(fragments)} fragments, {len(further)} further")


def _tokens(vocabulary: "openai.Tokenizer", most: int) -> Iterator[tuple[int, str]]:
    for number in range(most):
        word = vocabulary.decode([number])
        if word and "\ufffd" not in word:
            yield number, word


def _is_word(token: str) -> bool:
    word = token[1:]
    is_spam = word in _LEFT_OUT or any("\u4e00" <= letter <= "\u9fff" for letter in word)
    is_plain = word.isalpha() and word == word.lower()
    return token[0] == " " and len(word) >= _SHORTEST and is_plain and not is_spam


def _is_fragment(token: str) -> bool:
    return 1 < len(token) < 8 and token.isascii() and token.isalpha() and token == token.lower()


def _listed(name: str, words: set[str]) -> str:
    lines = textwrap.wrap(" ".join(sorted(words)), 95, break_on_hyphens=False)
    body = "\n".join(f"    {line}" for line in lines)
    return f'{name} = frozenset(\n    """\n{body}\n    """.split()\n)\n'


if __name__ == "__main__":
    main()
