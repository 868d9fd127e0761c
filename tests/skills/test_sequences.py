"""The longest sequence that several share."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from engram.memory.skills.sequences import longest_shared, places_of

sequences = st.lists(st.text("abc", max_size=6).map(tuple), min_size=1, max_size=4)


def is_within(wanted, sequence) -> bool:
    return places_of(wanted, sequence) is not None


def longest_by_trying(several) -> int:
    first = min(several, key=len)
    for size in range(len(first), 0, -1):
        for chosen in combinations(first, size):
            if all(is_within(chosen, each) for each in several):
                return size
    return 0


@given(sequences)
def test_what_is_found_stands_in_all_and_nothing_longer_does(several):
    found = longest_shared(several)

    assert all(is_within(found, each) for each in several)
    assert len(found) == longest_by_trying(several)


def test_many_long_sequences_are_compared_pair_by_pair_and_still_share_what_is_found():
    several = [tuple("abc" * 40) for _ in range(5)]

    assert longest_shared(several) == tuple("abc" * 40)


def test_a_pairwise_comparison_would_lose_what_all_three_share():
    assert longest_shared([tuple("xyab"), tuple("abxy"), tuple("ab")]) == ("a", "b")


def test_nothing_shares_nothing():
    assert longest_shared([]) == ()
    assert longest_shared([("a",), ()]) == ()
