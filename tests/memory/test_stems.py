"""Stems: Porter's own examples, and the same answer as the text index gives."""

import itertools
import random
import string

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.language.stems import stem

# Porter's examples, step by step, each with what all steps together leave of it.
KNOWN = """
caresses caress ponies poni ties ti caress caress cats cat
feed feed agreed agre plastered plaster bled bled motoring motor sing sing
conflated conflat troubled troubl sized size hopping hop tanned tan falling fall hissing hiss
fizzed fizz failing fail filing file
happy happi sky sky
relational relat conditional condit rational ration valenci valenc hesitanci hesit
digitizer digit conformabli conform radicalli radic differentli differ vileli vile
analogousli analog vietnamization vietnam predication predic operator oper feudalism feudal
decisiveness decis hopefulness hope callousness callous formaliti formal sensitiviti sensit
sensibiliti sensibl
triplicate triplic formative form formalize formal electriciti electr electrical electr
hopeful hope goodness good
revival reviv allowance allow inference infer airliner airlin gyroscopic gyroscop
adjustable adjust defensible defens irritant irrit replacement replac adjustment adjust
dependent depend adoption adopt homologou homolog communism commun activate activ
angulariti angular homologous homolog effective effect bowdlerize bowdler
probate probat rate rate cease ceas controll control roll roll
possibly possibl analogy analog
""".split()


@pytest.mark.parametrize(("word", "expected"), list(zip(KNOWN[::2], KNOWN[1::2], strict=True)))
def test_porters_examples_are_cut_as_he_cut_them(word, expected):
    assert stem(word) == expected


@pytest.mark.parametrize(
    "forms",
    [
        ("class", "classes"),
        ("deploy", "deployed", "deploys", "deploying"),
        ("run", "running", "runs"),
        ("family", "families"),
        ("probable", "probably"),
        ("technology", "technological", "technologies"),
    ],
)
def test_the_forms_of_a_word_have_one_stem(forms):
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(
    "word",
    ["", "a", "is", "café", "日本語", "v1", "x86s", "walk3s", "s" * 41, "naïvely", "\ud800s"],
)
def test_what_is_no_english_word_stays_as_it_is(word):
    assert stem(word) == word


def test_the_text_index_has_the_same_stems():
    words = _words_with_many_endings()

    by_index = _stems_of_the_index(words)

    assert [stem(word) for word in words] == by_index


def _words_with_many_endings() -> list[str]:
    roots = "relat condition happ tri fl ho call analog commun oscillat gener possib sens".split()
    endings = (
        "s es ed ing ies eed y ational tional enci anci izer bli alli entli eli ousli ization "
        "ation ator alism iveness fulness ousness aliti iviti biliti logi icate ative alize iciti "
        "ical ful ness al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive "
        "ize e ll ly ies"
    ).split()
    more = ("", "s", "ed", "ing", "ly")
    built = {"".join(parts) for parts in itertools.product(roots, endings, more)}
    choose = random.Random(7)
    made_up = {
        "".join(choose.choices("aeiouy" + string.ascii_lowercase, k=choose.randint(3, 10)))
        for _ in range(3_000)
    }
    return sorted(built | made_up)


def _stems_of_the_index(words: list[str]) -> list[str]:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE texts USING fts5(word, tokenize='porter ascii')")
    connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(texts, 'instance')")
    connection.executemany("INSERT INTO texts (word) VALUES (?)", [(word,) for word in words])
    found = connection.execute("SELECT term FROM terms ORDER BY doc").fetchall()
    connection.close()
    return [term for (term,) in found]


@given(st.text(max_size=50))
def test_any_text_has_a_stem_that_is_no_longer(word):
    assert len(stem(word)) <= len(word) + 1
    assert stem(word) == stem(word)


@given(st.text(alphabet=string.ascii_lowercase, min_size=3, max_size=40))
def test_a_stem_begins_like_its_word(word):
    found = stem(word)

    assert found[0] == word[0]
    assert found[:2] == word[:2] or word[1] == "y"  # a last y becomes an i: ays
