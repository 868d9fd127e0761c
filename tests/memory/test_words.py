"""Ids, times, horizons, texts, categories, sources, splitting and the lexicon."""

import secrets
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engram.capture.split import split, split_places
from engram.errors import ContentTooLarge, EngramError, InvalidInput
from engram.language.lexicon import FUNCTION_WORDS, query_terms
from engram.memory.categories import BUILT_IN, Category, CategoryRegistry, custom_category
from engram.memory.ids import IdMint, encode_id, label_of, number_of
from engram.memory.record import check_horizon, check_metadata, check_share, check_summary
from engram.memory.scopes import Principal, Scope
from engram.memory.times import FOREVER, from_micros, parse_horizon, parse_time, to_micros
from engram.memory.trust import SOURCE_TRUST, provenance
from engram.memory.vocabulary import Layer, LearnedBy, MemoryType, SourceClass
from engram.text.strings import checked_name, checked_text, folded, identity_hash, normalised
from engram.text.terms import index_text
from memory.samples import memory

# ids


@given(st.lists(st.integers(0, 2**47), min_size=2, max_size=50))
def test_ids_grow_whatever_the_clock_does(milliseconds):
    mint = IdMint(secrets.randbits)

    ids = [mint.mint(moment) for moment in milliseconds]

    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)
    assert all(len(each) == 26 for each in ids)


@given(st.integers(0, 2**48 - 1), st.integers(0, 2**48 - 1), st.integers(0, 2**80 - 1))
def test_ids_sort_by_time(one, other, randomness):
    assert (encode_id(one, randomness) < encode_id(other, randomness)) == (one < other)


def test_ids_of_many_mints_do_not_meet():
    mints = [IdMint(secrets.randbits) for _ in range(4)]

    ids = [mint.mint(1_000) for mint in mints for _ in range(2_500)]

    assert len(set(ids)) == 10_000


@given(st.integers(1, 10**17))
def test_labels_are_read_back(number):
    assert number_of(label_of(number)) == number


def test_labels_look_like_labels():
    assert label_of(1) == "mem-0001"
    for text in ("mem-", "mem-x", "MEM-0001", "mem-0001 ", "mem-\u0661", "0001", "mem--1"):
        assert number_of(text) is None


# times

AWARE = st.datetimes(
    min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30), timezones=st.timezones()
)


@given(AWARE)
def test_any_moment_is_kept_to_the_microsecond(moment):
    utc = moment.astimezone(UTC)

    assert from_micros(to_micros(moment)) == utc
    assert parse_time(moment, name="at") == utc
    assert parse_time(utc.isoformat(), name="at") == utc
    assert abs(to_micros(moment)) < FOREVER


@pytest.mark.parametrize(
    "moment",
    [
        datetime(1970, 1, 1, tzinfo=UTC), datetime(2038, 1, 19, 3, 14, 7, 999_999, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), datetime(1, 1, 1, tzinfo=UTC),
        datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=ZoneInfo("Europe/Berlin")),
    ],
)  # fmt: skip
def test_edges_of_time_are_exact(moment):
    assert from_micros(to_micros(moment)) == moment.astimezone(UTC)


@given(st.lists(AWARE, min_size=2, max_size=10))
def test_stored_times_sort_like_times(moments):
    assert sorted(moments, key=to_micros) == sorted(moments, key=lambda m: m.astimezone(UTC))


@pytest.mark.parametrize(
    "value",
    [
        datetime(2026, 1, 1), "2026-01-01T00:00:00", "2026-01-01", "noon", "", 5, None, b"x", 1.5,
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5))),
        datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-5))),
    ],
)  # fmt: skip
def test_what_is_no_aware_time_is_refused(value):
    with pytest.raises(InvalidInput) as caught:
        parse_time(value, name="when")

    assert "`when`" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("30d", 30), ("180d", 180), ("365d", 365), ("12h", 0.5), ("26w", 182), ("6m", 180),
        ("1y", 365),
    ],
)  # fmt: skip
def test_horizons_are_read(text, days):
    assert parse_horizon(text) == timedelta(days=days)
    assert check_horizon(text) == text


@pytest.mark.parametrize(
    "text", ["", "d", "0d", "-1d", "30", "30 d", "30D", "1.5d", "999999d", None, 5]
)
def test_what_is_no_horizon_is_refused(text):
    with pytest.raises(InvalidInput):
        parse_horizon(text)


# texts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The port is 8080.", "the  PORT is 8080"), ("Really?", "really!"),
        ('"Yes," he said.', "yes he said"),
        ("a\tb\nc", "A B C"), (" (noted) ", "noted"), ("好的。", "好的"), ("one — two", "one two"),
    ],
)  # fmt: skip
def test_case_space_and_edge_punctuation_do_not_matter(one, other):
    assert identity_hash(one) == identity_hash(other)


DISTINCT = [
    ("192.168.7.1", "192.16.87.1"), ("-5", "5"), ("1.5", "15"), ("C++", "C"), ("C#", "C"),
    ("C++", "C#"), ("3:15", "315"), ("a/b", "ab"), ("10%", "10"), ("$5", "5"), ("not x", "x"),
    ("a-b", "ab"), ("can't", "cant"), ("x < y", "x > y"), ("<5", ">5"), ("A -> B", "A <- B"),
    (".5", "5"), ("!ready", "ready"), ("5'", '5"'), ("x >= 1", "x <= 1"), ("~5", "5"), ("+5", "-5"),
]  # fmt: skip


@pytest.mark.failure("F61")
@pytest.mark.parametrize(("one", "other"), DISTINCT)
def test_what_says_something_else_has_another_identity(one, other):
    assert identity_hash(f"It is {one} now") != identity_hash(f"It is {other} now")


def test_a_thousand_templated_facts_have_a_thousand_identities():
    facts = [
        f"Host {i} has address 10.{i % 7}.{i // 7}.{i % 13} and port {i}." for i in range(1000)
    ]

    assert len({identity_hash(fact) for fact in facts}) == 1000


@given(st.text(min_size=1))
def test_normalising_twice_is_normalising_once(text):
    assert normalised(normalised(text)) == normalised(text)


@given(st.text(min_size=1, max_size=20), st.text(max_size=20), st.text(max_size=20))
def test_what_distinguishes_a_statement_is_not_mixed_up(text, one, other):
    assume("\x1f" not in one + other)
    assert (identity_hash(text, one, "") == identity_hash(text, "", one)) == (one == "")
    assert (identity_hash(text, one) == identity_hash(text, other)) == (one == other)


@given(st.text(max_size=300))
def test_text_is_kept_byte_for_byte_or_refused(text):
    is_fine = text.strip() and "\x00" not in text and len(text.encode()) <= 256
    if is_fine:
        assert checked_text(text, name="text", max_bytes=256) == text
        return
    with pytest.raises(EngramError) as caught:
        checked_text(text, name="text", max_bytes=256)
    assert caught.value.hint.startswith("`text`")


@pytest.mark.parametrize("bad", ["", " ", "\x00", "a\ud800", 5, None, b"x"])
def test_bad_text_is_refused(bad):
    with pytest.raises(InvalidInput):
        checked_text(bad, name="text", max_bytes=100)


def test_names_are_short_single_lines():
    assert checked_name("Ada Lovelace", name="speaker") == "Ada Lovelace"
    assert checked_name("é" * 200, name="speaker") == "é" * 200
    for bad in ("a\nb", "a\x1bb", "\x7f", ""):
        with pytest.raises(InvalidInput):
            checked_name(bad, name="speaker")
    with pytest.raises(ContentTooLarge):
        checked_name("x" * 201, name="speaker")


# splitting


@given(
    st.text(
        alphabet=st.one_of(
            st.sampled_from("ab .!?\n\n。 \t"), st.characters(exclude_categories=("Cs",))
        ),
        max_size=2000,
    ),
    st.integers(16, 300),
)  # fmt: skip
def test_no_word_is_lost_by_splitting(text, size):
    pieces = split(text, size)
    places = split_places(text, size)

    assert [text[start:end] for start, end in places] == pieces
    assert all(one[1] <= other[0] for one, other in pairwise(places))
    if len(text.encode()) <= size:
        assert pieces == [text]
        return
    assert all(0 < len(piece.encode()) <= size for piece in pieces)
    whole = [word for word in text.split() if len(word.encode()) <= size]
    found = " ".join(pieces).split()
    position = 0
    for word in whole:
        assert word in found[position:], word
        position = found.index(word, position) + 1
    assert "".join("".join(pieces).split()) == "".join(text.split())


def test_splitting_goes_by_paragraphs_first():
    text = "First paragraph here.\n\nSecond paragraph here.\n\nThird one."

    assert split(text, 30) == ["First paragraph here.", "Second paragraph here.", "Third one."]


def test_a_word_that_must_be_cut_is_not_given_spaces_inside():
    """What is cut by force is put together again without a seam where it fits."""
    pieces = split("x" * 1000, 256)

    assert "".join(pieces) == "x" * 1000
    assert not any(" " in piece for piece in pieces)


# categories

NAMES = (
    "fact preference correction entity decision relationship principle commitment moment skill "
    "tooling project infra identity fiscal people constraint location health instruction context "
    "technical procedure general"
).split()


def test_the_registry_holds_every_category_of_the_design():
    assert len(NAMES) == 24
    assert set(CategoryRegistry().names()) == {*NAMES, "turn"}


def test_a_category_is_found_by_name_alias_and_any_case():
    registry = CategoryRegistry()

    for category in BUILT_IN:
        for name in (category.name, *category.aliases):
            assert registry.find(name) is category
            assert registry.find(f" {name.upper()} ") is category
    assert registry.rows() == list(BUILT_IN)


def test_an_unknown_category_is_refused_with_the_list():
    for bad in ("nonsense", "", None, 5):
        with pytest.raises(InvalidInput) as caught:
            CategoryRegistry().find(bad)
        assert "fact" in caught.value.hint


def test_curated_categories_are_the_risky_ones():
    curated = {category.name for category in BUILT_IN if category.risk_tier == 3}

    assert curated == {
        "identity", "fiscal", "people", "constraint", "location", "health", "instruction",
    }  # fmt: skip


def test_custom_categories_join_and_clashes_are_refused():
    recipe = custom_category("recipe", {"aliases": ["dish"], "horizon": "never", "risk_tier": 2})

    registry = CategoryRegistry([recipe])

    assert registry.find("dish") == Category("recipe", 2, horizon=None, aliases=("dish",))
    for taken in ("fact", "likes"):
        with pytest.raises(InvalidInput):
            CategoryRegistry([custom_category(taken, {})])
    with pytest.raises(InvalidInput):
        CategoryRegistry([recipe, recipe])


@pytest.mark.parametrize("name", ["", "Upper", "two words", "é", "x" * 41, "1st", "_x"])
def test_a_category_has_a_plain_name(name):
    with pytest.raises(InvalidInput):
        Category(name, 1)


# sources


CLAIMS = [
    "manual", "tool:remember", "harness:codex:acme", "import:old.md", "dream", "web:x", "bus:y",
    "agent:z", "result:w",
]  # fmt: skip
CALLERS = [None, Scope("p"), Scope(agent="a"), Scope(channel="c", user="u")]


@given(st.sampled_from(CLAIMS), st.sampled_from(CALLERS))
def test_a_claimed_source_never_raises_trust(source, scope):
    principal = Principal.of(scope)
    own = provenance(principal, None)

    claimed = provenance(principal, source)

    assert claimed.trust <= own.trust
    assert claimed.source == source
    assert claimed.trust == SOURCE_TRUST[claimed.source_class]


def test_sources_tell_how_a_memory_came_in():
    person, agent = Principal.of(None), Principal.of(Scope(agent="a"))

    assert provenance(person, None).source == "manual"
    assert provenance(agent, None).source == "tool:remember"
    assert provenance(person, None).trust == 1.0
    assert provenance(agent, None).trust == 0.7
    assert provenance(person, "import:old.md").trust == 0.5
    assert provenance(person, "harness:codex:acme-api").learned_by is LearnedBy.HARVEST
    assert provenance(agent, "manual").source_class is SourceClass.AGENT
    for bad in ("nonsense", "nonsense:x", "Manual", "x" * 300, "tool:\n"):
        with pytest.raises(EngramError):
            provenance(person, bad)


# the record


@pytest.mark.parametrize(
    "fields",
    [
        {"confidence": 1.1}, {"confidence": float("nan")}, {"trust": -0.1},
        {"base_importance": True}, {"arousal": 2}, {"valence": 1.5}, {"valence": float("nan")},
        {"valid_from": datetime(2026, 1, 2, tzinfo=UTC),
         "valid_until": datetime(2026, 1, 1, tzinfo=UTC)},
    ],
)  # fmt: skip
def test_a_memory_with_bad_values_cannot_be_made(fields):
    with pytest.raises(InvalidInput):
        memory(**fields)


def test_shares_summaries_and_metadata_are_checked():
    assert check_share(1, name="x") == 1.0
    assert check_summary("short") == "short"
    assert check_metadata({"a": ("x", "y")}) == {"a": ["x", "y"]}
    assert check_metadata({}) == {}
    for bad in ({"a": {}}, {"a": [1]}, {"a": float("nan")}, {5: 1}, [1], "x", {"a": object()}):
        with pytest.raises(InvalidInput):
            check_metadata(bad)


# the lexicon


@given(st.text(max_size=200))
def test_any_text_can_be_cut_for_the_index_and_for_a_question(text):
    index_text(text)
    terms = query_terms(text)

    assert len(terms) <= 64
    assert len({term.tokens for term in terms}) == len(terms)
    assert all(term.tokens and all(token.strip() for token in term.tokens) for term in terms)


@given(st.text(alphabet="abcXYZ019._-@#/:+$%&=~* ", max_size=60))
def test_words_never_hold_a_joining_mark(text):
    assert not set(index_text(text).words) & set("._-@#/:+$%&=~*\\")


def test_question_words_go_unless_nothing_else_is_left():
    assert [term.text for term in query_terms("Where is the zebra?")] == ["zebra"]
    assert query_terms("the who")
    assert all(query_terms(f"{word} zebra")[-1].text == "zebra" for word in FUNCTION_WORDS)


@given(st.text(max_size=50))
def test_folding_twice_is_folding_once(text):
    assume(all(ord(letter) < 0x250 for letter in text))
    assert folded(folded(text)) == folded(text)


def test_vocabularies_are_complete():
    assert set(Layer) == {"working", "episodic", "semantic", "procedural", "codebase"}
    assert set(MemoryType) == {"fact", "procedure", "narrative"}
    assert set(LearnedBy) == {
        "remember", "observe", "harvest", "manual", "import", "agent", "bus", "dream",
    }  # fmt: skip
