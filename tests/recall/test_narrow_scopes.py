"""A caller who sees one memory in a hundred is still given a full answer."""

import pytest

from engram import Engram, Scope


@pytest.mark.failure("F64")
@pytest.mark.parametrize("index", ["flat", "ann"])
def test_a_scope_with_a_hundredth_of_the_store_gets_its_whole_answer(tmp_path, index):
    settings = {"embedder": {"kind": "hashing", "index": index}}
    foreign = [f"The pump of house {number} was oiled." for number in range(2_970)]
    own = [{"text": f"The pump of ship {number} was oiled."} for number in range(30)]
    with Engram.open(tmp_path, settings=settings, scope=Scope(project="beta")) as beta:
        beta.remember_many(foreign)
    with Engram.open(tmp_path, settings=settings, scope=Scope(project="acme")) as acme:
        acme.remember_many(own, wait=True)
        found = acme.recall("Which pump was oiled?", limit=10)

        assert found.level == "full"
        assert len(found) == 10
        assert {hit.memory.scope for hit in found} == {Scope(project="acme")}
