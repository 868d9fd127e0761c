"""Four lengths of one content."""

from hypothesis import given
from hypothesis import strategies as st

from engram.memory.tiers import tiers
from engram.memory.tokens.estimate import tokens_in
from engram.text.strings import SUMMARY_BYTES


def test_a_short_content_is_its_own_summary_and_key_fact():
    found = tiers("Ann moved to Porto in 2022.", "location")

    assert found.full.text == found.summary.text == found.key_fact.text
    assert found.tag.text == "location Ann Porto 2022"


def test_a_long_content_is_summed_up_in_whole_sentences():
    text = " ".join(f"Ann visited town number {number} by train." for number in range(60))

    found = tiers(text, "moment")

    assert found.full.text == text
    assert len(found.summary.text.encode()) <= SUMMARY_BYTES
    assert text.startswith(found.summary.text)
    assert found.summary.text.endswith("by train.")
    assert found.key_fact.text == "Ann visited town number 0 by train."


DAY = (
    "We drove out to the coast early. The ferry was late again, so we had coffee at the harbour."
    " Is it always like that? Jonas lost his blue cap on the pier, and nobody found it. In the"
    " evening we ate mussels."
)


def test_a_text_of_twenty_five_words_or_more_is_summed_up_in_fewer_of_its_own_sentences():
    found = tiers(DAY, "moment")

    assert len(found.summary.text) < len(DAY)
    assert found.summary.text == (
        "We drove out to the coast early."
        " The ferry was late again, so we had coffee at the harbour."
    )
    assert "?" not in found.summary.text
    assert found.key_fact.text == "We drove out to the coast early."


def test_one_long_sentence_is_not_cut():
    text = "I would move to Oslo " + "and learn to ski " * 6 + "if they paid me twice as much."

    assert tiers(text, "plan").summary.text == text


def test_of_chinese_the_tag_costs_no_more_than_the_key_fact():
    found = tiers("我住在里昂的一个小公寓里我的猫叫米索。", "location")

    assert found.tag.tokens <= found.key_fact.tokens
    assert all(word in found.full.text for word in found.tag.text.split()[1:])


@given(st.text(min_size=1, max_size=3_000).filter(str.strip))
def test_each_tier_costs_what_it_says_and_none_exceeds_its_room(text):
    found = tiers(text, "fact")

    assert found.full.text == text.strip()
    assert len(found.summary.text.encode("utf-8", "replace")) <= SUMMARY_BYTES
    assert len(found.key_fact.text) <= max(len(found.summary.text), 1)
    assert len(found.tag.text) <= 80
    for tier in (found.full, found.summary, found.key_fact, found.tag):
        assert tier.tokens == tokens_in(tier.text)
