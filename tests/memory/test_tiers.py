"""Four lengths of one content."""

from hypothesis import given
from hypothesis import strategies as st

from engram.language.texts import SUMMARY_BYTES
from engram.memory.tiers import tiers
from engram.memory.tokens.estimate import tokens_in


def test_a_short_content_is_its_own_summary_and_key_fact():
    found = tiers("Ann moved to Porto in 2022.", "location")

    assert found.full.text == found.summary.text == found.key_fact.text
    assert found.tag.text == "location ann porto 2022"


def test_a_long_content_is_summed_up_in_whole_sentences():
    text = " ".join(f"Ann visited town number {number} by train." for number in range(60))

    found = tiers(text, "moment")

    assert found.full.text == text
    assert len(found.summary.text.encode()) <= SUMMARY_BYTES
    assert text.startswith(found.summary.text)
    assert found.summary.text.endswith("by train.")
    assert found.key_fact.text == "Ann visited town number 0 by train."


@given(st.text(min_size=1, max_size=3_000).filter(str.strip))
def test_each_tier_costs_what_it_says_and_none_exceeds_its_room(text):
    found = tiers(text, "fact")

    assert found.full.text == text.strip()
    assert len(found.summary.text.encode("utf-8", "replace")) <= SUMMARY_BYTES
    assert len(found.key_fact.text) <= max(len(found.summary.text), 1)
    assert len(found.tag.text) <= 80
    for tier in (found.full, found.summary, found.key_fact, found.tag):
        assert tier.tokens == tokens_in(tier.text)
