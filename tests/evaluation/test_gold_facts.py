"""The rule by which statements are held against facts that people wrote down."""

from engram.evaluation.gold_facts import (
    FactCase,
    FactScore,
    GoldFact,
    GoldMemory,
    Kept,
    Said,
    content_stems,
    is_match,
    right_statements,
    score_facts,
    score_types,
)

CASE = FactCase(
    turns={
        "t1": Said("Hi Bob! I adopted a grey kitten from the harbour shelter.", "s1"),
        "t2": Said("The kitten from the harbour shelter is grey, as I said.", "s1"),
        "t3": Said("I repaired the kitchen window.", "s1"),
        "t4": Said("My cousin sells antique clocks in Bergen.", "s2"),
    },
    facts=[
        GoldFact("Ann adopted a grey kitten from a shelter.", frozenset({"t1"})),
        GoldFact("Ann's cousin trades old clocks.", frozenset({"t4"})),
    ],
    names=["Ann", "Bob"],
    questions=[GoldFact("What did Ann repair? The kitchen window", frozenset({"t3"}))],
)


def test_names_and_function_words_are_no_content():
    assert content_stems("Ann and Bob were running to the shops", ["Ann", "Bob"]) == {"run", "shop"}


def test_a_match_needs_two_shared_stems_unless_the_statement_is_tiny():
    gold = content_stems("adopted a grey kitten")

    assert is_match(content_stems("a grey kitten arrived today"), gold)
    assert is_match(content_stems("kitten!"), gold)
    assert not is_match(content_stems("the kitten slept under warm blankets"), gold)


def test_a_perfect_reading_scores_one():
    kept = [
        Kept("t1", "Ann adopted a grey kitten from the harbour shelter."),
        Kept("t4", "Ann's cousin sells antique clocks in Bergen."),
    ]

    score = score_facts(CASE, kept)

    assert score.recall == 1.0
    assert score.precision == score.strict_precision == 1.0


def test_strict_recall_asks_for_half_of_all_words_and_the_ceiling_is_what_turns_allow():
    case = FactCase(
        turns={"t1": Said("My cousin sells antique clocks.", "s1")},
        facts=[
            GoldFact("Cousin clocks family heritage tradition pride.", frozenset({"t1"})),
            GoldFact("Cousin sells clocks.", frozenset({"t1"})),
        ],
    )

    score = score_facts(case, [Kept("t1", "Ann's cousin sells antique clocks.")])

    assert (score.recall, score.strict_recall, score.ceiling) == (1.0, 0.5, 0.5)


def test_a_fact_is_not_found_in_another_turn_than_its_evidence():
    score = score_facts(CASE, [Kept("t3", "Ann adopted a grey kitten from the harbour shelter.")])

    assert score.found == 0


def test_a_fact_said_again_in_its_session_is_right_but_not_strictly():
    score = score_facts(CASE, [Kept("t2", "The kitten from the harbour shelter is grey.")])

    assert (score.right, score.strictly_right) == (1, 0)


def test_a_statement_of_another_session_is_wrong_whatever_it_shares():
    score = score_facts(CASE, [Kept("t4", "A grey kitten from the shelter was adopted.")])

    assert score.right == 0


def test_what_answers_a_question_is_useful_and_not_right():
    score = score_facts(CASE, [Kept("t3", "Ann repaired the kitchen window.")])

    assert (score.right, score.useful, score.precision, score.useful_precision) == (0, 1, 0.0, 1.0)


def test_half_of_what_the_turn_holds_has_to_be_covered():
    few = score_facts(CASE, [Kept("t1", "Ann saw something grey.")])
    half = score_facts(CASE, [Kept("t1", "A grey kitten.")])

    assert few.found == 0
    assert half.found == 1


def test_the_statements_that_count_as_right_are_told_one_by_one():
    kept = [Kept("t1", "A grey kitten."), Kept("t3", "Ann repaired the kitchen window.")]

    assert right_statements(CASE, kept) == [True, False]


def test_nothing_kept_and_nothing_to_find_is_zero_and_no_failure():
    score = score_facts(FactCase(turns={}, facts=[]), [])

    assert (score.recall, score.precision, score.strict_recall, score.ceiling) == (0, 0, 0, 0)


def test_scores_of_conversations_add_up():
    total = FactScore(gold=2, found=1, kept=3, right=1) + FactScore(
        gold=2, found=2, kept=1, right=1
    )

    assert (total.recall, total.precision) == (0.75, 0.5)


def test_a_typed_memory_counts_as_found_and_as_typed():
    gold = [
        GoldMemory("commitment", "Will send the tax form to Kim by Monday."),
        GoldMemory("fact", "The archive has nine floors."),
    ]
    kept = [
        Kept("", "Ann will send the tax form by Monday.", "commitment"),
        Kept("", "The archive has nine floors.", "decision"),
        Kept("", "Penguins sleep standing.", "fact"),
    ]

    score = score_types(gold, kept)

    assert (score.recall, score.accuracy) == (1.0, 0.5)
    assert score.precision == 2 / 3


def test_an_opinion_may_be_a_preference_or_a_principle():
    gold = [GoldMemory("opinion", "Oak tables last longest.")]

    for category, accuracy in (("preference", 1.0), ("principle", 1.0), ("commitment", 0.0)):
        assert score_types(gold, [Kept("", "Oak tables last.", category)]).accuracy == accuracy
