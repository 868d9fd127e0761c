"""Text recall: what is found, what is left out, in which order, and why."""

import string

import pytest
from clock import FakeClock
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from engram import Engram
from engram.errors import MemoryNotFound
from engram.memory.vocabulary import Status

OFF = {"security": {"read_audit": "off"}}


def found(engram: Engram, query: str, **options: object) -> list[str]:
    return [hit.memory.content for hit in engram.recall(query, **options)]


@pytest.mark.failure("F46")
@pytest.mark.parametrize(
    ("text", "queries"),
    [
        (
            "Call my_function before exit.",
            ["my_function", "function", "my_function()", "MY_FUNCTION"],
        ),
        ("The bug is in file.rs.", ["file.rs", "file", "rs", "file.rs?"]),
        ("Ask @john about it.", ["@john", "john", "John"]),
        (
            "See src/app/main.py for details.",
            ["src/app/main.py", "main.py", "main", "app/main.py", "/src/app/main.py", "src"],
        ),
        ("We run v1.2.3 now.", ["v1.2.3", "V1.2.3", "v1.2.3?", "1.2.3"]),
        (
            "Write to ada.lovelace@example.org!",
            ["ada.lovelace@example.org", "lovelace", "example.org"],
        ),
        (
            "It fails with HTTPServerError.",
            ["HTTPServerError", "httpservererror", "server error", "Server"],
        ),
        ("Set getUserName first.", ["getUserName", "user name", "getusername"]),
        ("The ticket is ENG-1234.", ["ENG-1234", "eng-1234", "1234"]),
        ("Use C++ and C#.", ["C++", "C#"]),
        ("The host is 192.168.7.1:8080.", ["192.168.7.1:8080", "192.168.7.1", "8080"]),
        ("Visit https://example.com/a/b?c=d.", ["https://example.com/a/b?c=d", "example.com"]),
        ("Run `npm install --save-dev`.", ["npm install", "--save-dev", "save-dev"]),
        ("The path is C:\\Users\\ada.", ["C:\\Users\\ada", "Users", "ada"]),
        ("#launch is the channel.", ["#launch", "launch"]),
        ("He paid $5 (50%).", ["$5", "50%", "5"]),
    ],
)  # fmt: skip
def test_identifiers_are_found_whole_and_in_parts(engram, text, queries):
    engram.remember(text)
    engram.remember("Something else entirely.")

    for query in queries:
        assert found(engram, query)[:1] == [text], query


@pytest.mark.failure("F47")
@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("她喜欢喝绿茶和咖啡。", ["绿茶", "咖啡", "喜欢喝绿茶", "茶"]),
        ("東京タワーで会議があります。", ["東京", "会議", "タワー", "東京タワー"]),
        ("회의는 서울에서 열립니다.", ["서울", "회의", "서울에서"]),
        ("ฉันชอบดื่มชาเขียว", ["ชา", "เขียว", "ชาเขียว"]),
        ("版本 v1.2.3 已发布 in 上海", ["上海", "v1.2.3", "发布"]),
    ],
)
def test_scripts_without_spaces_are_found_by_two_characters(engram, text, queries):
    engram.remember(text)
    engram.remember("Unrelated English text.")
    engram.remember("完全不同。")

    for query in queries:
        assert found(engram, query)[:1] == [text], query


@pytest.mark.failure("F46")
@pytest.mark.parametrize("mark", [*".,;:!?)]}\"'…", "...", "?!", '."'])
def test_the_last_word_of_a_sentence_is_found(engram, mark):
    engram.remember(f"Her office is in Lyon{mark}")

    assert len(engram.recall("Lyon")) == 1


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Der Kaffee heißt Café Münster", "cafe munster"),
        ("cafe munster", "Café Münster"),
        ("Cafe\u0301 decomposed", "caf\u00e9"),
        ("Łódź and Kraków", "krakow"),
        ("ÉCOLE", "école"),
    ],
)
def test_accents_and_case_do_not_matter(engram, text, query):
    engram.remember(text)

    assert found(engram, query) == [text]


def test_stems_of_words_are_found(engram):
    engram.remember("She deployed the services.")

    assert len(engram.recall("deploying a service")) == 1


def test_question_words_do_not_drown_the_rest(engram):
    for i in range(20):
        engram.remember(f"What is it and where is the thing that you have, number {i}?")
    engram.remember("Ada moved to Lyon.")

    assert found(engram, "What is the place where Ada moved?")[0] == "Ada moved to Lyon."


def test_function_words_alone_are_still_looked_for(engram):
    engram.remember("The Who played here.")

    assert len(engram.recall("The Who")) == 1


def test_a_question_that_asks_nothing_gets_an_empty_answer(engram):
    engram.remember("Something.")

    for query in ("", "   ", "?!", "😀", "\x00", '"', "***", "\ud800"):
        result = engram.recall(query)
        assert len(result) == 0
        assert result.assessment == "unknown"


@pytest.mark.failure("F49")
@pytest.mark.parametrize(
    "status",
    ["pending", "stale", "superseded", "merged", "invalidated", "rejected", "archived",
     "quarantined"],
)  # fmt: skip
def test_only_what_stands_is_recalled(engram, clock, status):
    outcome = engram.remember("A zebra fact.", category="identity", source="web:x")
    if status not in ("pending", "rejected"):
        engram.approve(outcome.memory.id)
    if status != "pending":
        engram.set_status(outcome.memory.id, status, reason="test")

    assert len(engram.recall("zebra")) == 0
    assert engram.list(status=status)[0].id == outcome.memory.id


def test_a_challenged_memory_is_recalled_and_marked_so(engram):
    memory = engram.remember("A zebra fact.").memory
    engram.set_status(memory.id, "challenged", reason="odd")

    assert [hit.memory.status for hit in engram.recall("zebra")] == [Status.CHALLENGED]


def test_modes_choose_the_types_of_memory(engram):
    engram.remember("zebra fact", memory_type="fact")
    engram.remember("zebra procedure", memory_type="procedure")
    engram.remember("zebra narrative", memory_type="narrative")

    assert set(found(engram, "zebra", mode="facts_only")) == {"zebra fact"}
    assert set(found(engram, "zebra", mode="facts_plus_rules")) == {"zebra fact", "zebra procedure"}
    assert len(found(engram, "zebra", mode="full_context")) == 3


FILTERS: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "category": ({"category": "decision"}, {"category": "decisions"}),
    "layer": ({"layer": "working"}, {"layer": "working"}),
    "memory_type": ({"memory_type": "procedure"}, {"memory_type": "procedure"}),
    "kind": ({"category": "moment"}, {"kind": "episode"}),
    "subject": ({"subject": "s"}, {"subject": "s"}),
    "speaker": ({"speaker": "s"}, {"speaker": "s"}),
    "session": ({"session": "s"}, {"session": "s"}),
    "reference": ({"reference": "s"}, {"reference": "s"}),
    "source": ({"source": "import:x"}, {"source": "import:x"}),
    "pinned": ({"pinned": True}, {"pinned": True}),
    "since": ({"at": "2030-01-01T00:00:00Z"}, {"since": "2030-01-01T00:00:00Z"}),
    "until": ({"at": "2000-01-01T00:00:00Z"}, {"until": "2000-01-02T00:00:00Z"}),
    "metadata text": ({"metadata": {"a": "x"}}, {"metadata": {"a": "x"}}),
    "metadata number": ({"metadata": {"a": 1.5}}, {"metadata": {"a": 1.5}}),
    "metadata flag": ({"metadata": {"a": True}}, {"metadata": {"a": True}}),
    "metadata list": ({"metadata": {"a": ["x", "y"]}}, {"metadata": {"a": ["x", "y"]}}),
    "metadata two": ({"metadata": {"a": 1, "b": "é"}}, {"metadata": {"b": "é", "a": 1}}),
    "metadata odd name": ({"metadata": {'a"b.c': "x"}}, {"metadata": {'a"b.c': "x"}}),
}


@pytest.mark.parametrize("name", FILTERS)
def test_filters_apply_before_the_cut(engram, name):
    given, wanted = FILTERS[name]
    engram.remember("one zebra among very many other animals of the whole world", **given)
    engram.remember_many([f"zebra {i}" for i in range(60)])

    result = engram.recall("zebra", filters=wanted, limit=1)

    assert [hit.memory.number for hit in result] == [1]
    assert result.quality.candidates == 1
    assert [memory.number for memory in engram.list(**wanted)] == [1]


@pytest.mark.parametrize("budget", [1, 5, 17, 100])
def test_a_budget_is_never_exceeded(engram, budget):
    engram.remember_many([f"zebra {'word ' * (i % 13)} {i}" for i in range(80)])

    result = engram.recall("zebra", budget=budget)

    assert sum(-(-len(hit.memory.content) // 4) for hit in result) <= budget
    assert result.quality.tokens <= budget
    if budget >= 17:
        assert len(result) > 1


def test_a_limit_is_kept_and_counted(engram):
    engram.remember_many([f"zebra number {i}" for i in range(30)])

    result = engram.recall("zebra", limit=7)

    assert len(result) == result.quality.returned == 7
    assert result.quality.candidates == 30
    assert [hit.score for hit in result] == sorted((hit.score for hit in result), reverse=True)
    assert len(engram.recall("zebra", limit=200)) == 30
    assert len(engram.recall("zebra")) == engram.settings.recall.limit


def test_the_same_question_gets_the_same_answer(open_store):
    engram = open_store(settings=OFF)
    engram.remember_many([f"zebra {i % 7} lion {i % 3} {i}" for i in range(100)])
    first = [(hit.memory.id, hit.score) for hit in engram.recall("zebra lion 5", limit=50)]
    again = [(hit.memory.id, hit.score) for hit in engram.recall("zebra lion 5", limit=50)]
    engram.close()

    reopened = open_store(settings=OFF)
    later = [(hit.memory.id, hit.score) for hit in reopened.recall("zebra lion 5", limit=50)]

    assert [id_ for id_, _ in first] == [id_ for id_, _ in again] == [id_ for id_, _ in later]
    assert first[0][1] == pytest.approx(later[0][1], abs=0.2)


def test_the_answer_says_how_good_it_is(engram):
    engram.remember("Ada moved to Lyon in March.")

    full = engram.recall("Ada Lyon March")
    part = engram.recall("Ada zebra elephant giraffe")
    none = engram.recall("zebra")

    assert (full.assessment, none.assessment) == ("confident", "unknown")
    assert full.confidence > part.confidence > none.confidence == 0


def test_scores_and_reasons_stand_on_every_hit(engram):
    engram.remember("Ada moved to Lyon.")

    hit = engram.recall("Where did Ada move?")[0]

    assert 0 < hit.score <= 1
    assert "text" in {signal.name for signal in hit.why.signals}
    assert "Ada" in str(hit.why)
    trust = hit.trust
    assert all(
        0 <= part <= 1 for part in (trust.relevance, trust.accuracy, trust.freshness, trust.utility)
    )


@pytest.mark.failure("F46", "F47")
@settings(max_examples=150)
@given(query=st.text(max_size=60))
@example('NEAR("a" b)')
@example("a AND OR NOT (")
@example("col:x ^y *z")
@example("' / , @ ? = # [")
@example('"unbalanced')
@example("\x00\ud800")
def test_any_query_is_answered(shared, query):
    result = shared.recall(query)

    assert result.assessment in ("confident", "uncertain", "unknown")


TOKEN_LETTERS = (
    string.ascii_letters + string.digits + "äöüéèñçßøåŁżšçğışÉÖÜαβγδεζΑΒΓΩабвгдежзАБВГאבגדעربيहिन्दी"
)
UNSPACED_LETTERS = "日本語東京上海茶人口水火山川회의서울ทดสอบカタカナひらがな"
_tokens = st.one_of(
    st.text(alphabet=TOKEN_LETTERS, min_size=1, max_size=12),
    st.text(alphabet=TOKEN_LETTERS + "._-@#/:+$%&=~*", min_size=1, max_size=12),
    st.text(alphabet=UNSPACED_LETTERS, min_size=1, max_size=6),
    st.text(
        alphabet=st.characters(
            categories=("Lu", "Ll", "Lt", "Nd"), max_codepoint=0x2FF, exclude_characters="\u0345"
        ),
        min_size=1,
        max_size=8,
    ),
)  # fmt: skip


@pytest.mark.failure("F46", "F47")
@settings(max_examples=300)
@given(token=_tokens, tail=st.sampled_from(["", ".", "!", "?", ",", ")", '"', "。", "…"]))
def test_text_that_contains_a_token_is_found_by_it(token, tail):
    assume(any(letter.isalnum() for letter in token))
    with Engram.open(":memory:", clock=FakeClock(), settings=OFF) as engram:
        engram.remember(f"There was {token}{tail}")

        assert len(engram.recall(token)) == 1


@pytest.mark.failure("F46")
@pytest.mark.parametrize(
    "word", ["ᏣᎳᎩ", "ԨԪ", "ᲗᲑᲘᲚᲘᲡᲘ", "𞤀𞤁𞤂", "İSTANBUL", "ΟΔΟΣ", "STRAẞE", "ŒUVRE", "ǅUNGLA"]
)
def test_capital_letters_of_any_script_are_found(engram, word):
    engram.remember(f"Here is {word}.")

    assert len(engram.recall(word)) == 1
    assert len(engram.recall(word.lower())) == 1


@pytest.fixture(scope="module")
def shared():
    with Engram.open(":memory:", clock=FakeClock(), settings=OFF) as engram:
        engram.remember_many(["a b c", "NEAR and OR not", "日本語のテキスト", "x_y.z@w", "* ^ :"])
        yield engram


def test_a_question_of_many_words_is_cut_and_not_refused(engram):
    engram.remember("word7 stands here")

    assert len(engram.recall(" ".join(f"word{i}" for i in range(1500)))) == 1


# why: one test for each stage at which a memory can be lost


@pytest.fixture
def zebra(engram: Engram):
    return engram.remember("A zebra lives here.", subject="animals").memory


def lost_at(engram: Engram, query: str, memory_id: str, **options: object) -> str | None:
    explanation = engram.why(query, memory_id, **options)
    hits = {hit.memory.id for hit in engram.recall(query, **options)}
    assert explanation.recalled == (explanation.memory.id in hits)
    return explanation.lost_at.name if explanation.lost_at else None


def test_why_walks_every_stage_of_a_hit(engram, zebra):
    explanation = engram.why("Where is the zebra?", zebra.label, budget=100)

    assert explanation.recalled
    assert [stage.name for stage in explanation.stages] == [
        "question", "status", "time", "mode", "filters", "gather", "fuse", "floor", "limit",
        "budget",
    ]  # fmt: skip
    assert "zebra" in explanation.stages[5].detail


def test_why_names_the_stage_of_each_miss(engram, zebra, clock):
    engram.remember_many([f"zebra zebra {i}" for i in range(60)])
    narrative = engram.remember("zebra tale", memory_type="narrative").memory
    past = engram.remember("zebra past", valid_until="2020-01-01T00:00:00Z").memory
    future = engram.remember("zebra future", valid_from="2030-01-01T00:00:00Z").memory
    old = engram.remember("zebra context", category="context").memory
    gone = engram.remember("zebra gone").memory
    engram.forget(gone.id)
    clock.advance(days=31)

    assert lost_at(engram, "?!", zebra.id) == "question"
    assert lost_at(engram, "zebra", gone.id) == "status"
    assert lost_at(engram, "zebra", old.id) == "status"
    assert lost_at(engram, "zebra", past.id) == "time"
    assert lost_at(engram, "zebra", future.id, as_of="2026-01-01T00:00:00Z") == "time"
    assert lost_at(engram, "zebra", narrative.id, mode="facts_only") == "mode"
    assert lost_at(engram, "zebra", zebra.id, filters={"subject": "plants"}) == "filters"
    assert lost_at(engram, "lion", zebra.id) in ("fuse", "floor")
    assert lost_at(engram, "zebra", zebra.id, limit=1) in ("fuse", "limit")
    assert lost_at(engram, "zebra", zebra.id, limit=200) is None
    assert lost_at(engram, "zebra", zebra.id, limit=200, budget=1) == "budget"


def test_why_of_an_unknown_memory_is_refused(engram):
    with pytest.raises(MemoryNotFound):
        engram.why("zebra", "mem-0042")


def test_why_works_for_what_was_known_then(engram, zebra, clock):
    then = clock()
    clock.advance(days=1)
    engram.revise(zebra.id, "A lion lives here.")

    assert lost_at(engram, "zebra", zebra.id) == "floor"
    assert lost_at(engram, "zebra", zebra.id, known_at=then) is None
