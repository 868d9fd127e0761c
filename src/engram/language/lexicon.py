"""Which words of English say little by themselves, and the terms of a question without them."""

from engram.language.tables import pattern_of, words_of
from engram.text.terms import Term, terms_of

FUNCTION_WORDS = words_of("function_words")
# Words that any two texts may share whatever they are about; a question may well ask for one.
COMMON_WORDS = (FUNCTION_WORDS - words_of("clitics")) | words_of("common_words")
# Words that mean whoever speaks.
FIRST_PERSON = pattern_of("first_person")


def query_terms(query: str) -> list[Term]:
    """Cut a question into terms; its function words go unless nothing else is left."""
    return terms_of(query, ignored=FUNCTION_WORDS)
