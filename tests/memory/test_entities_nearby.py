"""Which known entities a name is compared with: never too few, and not all of them."""

from hypothesis import given
from hypothesis import strategies as st

from engram.language.names.kinds import EntityType
from engram.language.names.mentions import Mention
from engram.memory.entities.nearby import Nearby
from engram.memory.entities.resolve import Known, resolve

_WORDS = st.sampled_from(
    "ada adam byron byrne melanie melaine melannie caroline carolyn postgresql postgressql "
    "posgresql post gres acme acme-corp ltd inc nightjar nightjars nigthjar kubernetes kuberentes "
    "kubrenetes kubernetesses internationale internatoinale inetrnationale alpha-2 alpha2".split()
)
_LETTERS = st.text(alphabet="abcd", min_size=1, max_size=14)
_NAMES = st.lists(st.one_of(_WORDS, _LETTERS), min_size=1, max_size=3).map(" ".join)
_TYPES = st.sampled_from([EntityType.PERSON, EntityType.UNKNOWN, EntityType.TECHNOLOGY])


@given(st.lists(st.tuples(_NAMES, _TYPES), max_size=12), _NAMES, _TYPES)
def test_a_name_means_the_same_whether_compared_with_all_or_with_those_nearby(known, name, sort):
    every = [Known(key, key, kind, frozenset()) for key, kind in dict(known).items()]
    nearby = Nearby()
    for each in every:
        nearby.add(each)
    mention = Mention(name, name, sort, (0, len(name)))

    assert resolve(mention, nearby.of(name)) == resolve(mention, every)


def test_names_that_have_nothing_in_common_are_not_compared():
    nearby = Nearby()
    for name in ("ada byron", "postgresql", "lyon", "project nightjar"):
        nearby.add(Known(name, name, EntityType.UNKNOWN, frozenset()))

    assert nearby.of("melanie") == []
    assert [each.key for each in nearby.of("nightjar")] == ["project nightjar"]
