"""What is made of protected memories is protected like the most secret of them, for all of them."""

from pathlib import Path

import pytest
from clock import START

from engram import Engram, Scope
from engram.lifecycle.dreams.derived import derive
from engram.memory.dreams.artefact import Artefact, ArtefactKind
from engram.memory.dreams.report import Step
from engram.memory.people import Person, person_of
from engram.memory.vocabulary import Secrecy
from vault.test_details_sealed import files_with

CANARY = "zebrafinchq"
KIND = ArtefactKind.PEER_CARD
MAILS = [f"{CANARY}{n}@analytical.org" for n in range(6)]
_TOLD = (
    "Ada Byron teaches weaving in Ghent, mail {}.",
    "Ada Byron prefers green tea over coffee, mail {}.",
    "Ada Byron decided to rent the loft in Porto, mail {}.",
    "Ada Byron plays the cello on Sundays, mail {}.",
    "Ada Byron owns a loom of oak, mail {}.",
    "Ada Byron has a cat, mail {}.",
)


@pytest.fixture
def engram(open_store) -> Engram:
    return open_store()


def artefact(*sources: int, secrecy: Secrecy, text: str = f"All of {CANARY}.") -> Artefact:
    return Artefact(
        kind=KIND, scope=Scope(), key=f"about {CANARY}", text=text, body={"lines": [text]},
        sources=sources, trust=0.5, secrecy=secrecy, made_at=START,
    )  # fmt: skip


def keep(engram: Engram, made: Artefact) -> None:
    from engram.memory.changes import Action

    with engram._unit(None) as unit:
        unit.begin_change(Action.KEEP_ARTEFACT, made.scope, "")
        unit.keep_artefact(made)


def found(engram: Engram) -> Artefact | None:
    with engram._view(None) as see:
        return see.artefacts.find(KIND, Scope(), f"about {CANARY}")


def sealed(engram: Engram, text: str = "The bird sings.", subject: str | None = None):
    return engram.remember(text, secrecy="confidential", subject=subject).memory


def test_a_protected_artefact_is_in_no_file_and_is_read_by_its_key(engram, store_path):
    source = sealed(engram)
    keep(engram, artefact(source.number, secrecy=Secrecy.CONFIDENTIAL))

    read = found(engram)

    assert read is not None
    assert (read.key, read.text) == (f"about {CANARY}", f"All of {CANARY}.")
    with engram._view(None) as see:
        assert [each.key for each in see.artefacts.about(KIND, [f"about {CANARY}"])] == [read.key]
        assert len(see.artefacts.all(KIND)) == 1
    engram.close()
    assert files_with(store_path, CANARY) == []


def test_a_protected_artefact_takes_the_place_of_one_in_the_open_and_back(engram):
    source = sealed(engram)
    keep(engram, artefact(secrecy=Secrecy.CLEARTEXT, text="Open."))
    keep(engram, artefact(source.number, secrecy=Secrecy.SENSITIVE, text="Closed."))
    with engram._view(None) as see:
        assert [each.text for each in see.artefacts.all(KIND)] == ["Closed."]
    keep(engram, artefact(secrecy=Secrecy.CLEARTEXT, text="Open again."))

    with engram._view(None) as see:
        assert [each.text for each in see.artefacts.all(KIND)] == ["Open again."]


def test_an_artefact_is_lost_with_any_of_those_it_is_made_of(engram):
    ada, bob = sealed(engram, "A.", subject="Ada"), sealed(engram, "B.", subject="Bob")
    keep(engram, artefact(ada.number, bob.number, secrecy=Secrecy.CONFIDENTIAL))
    assert found(engram) is not None

    engram._store.database.vault.destroy([Person("/", "bob")])

    assert found(engram) is None
    assert engram.get(ada.id).content == "A."


def test_what_is_made_of_a_memory_is_protected_when_the_memory_is(engram, store_path):
    source = engram.remember(f"The bird is {CANARY}.").memory
    keep(engram, artefact(source.number, secrecy=Secrecy.CLEARTEXT))
    keep(engram, artefact(source.number, secrecy=Secrecy.CLEARTEXT, text=f"More {CANARY}."))

    engram.set_tier(source.id, "confidential")

    read = found(engram)
    assert read is not None
    assert (read.text, read.secrecy) == (f"More {CANARY}.", Secrecy.CONFIDENTIAL)
    engram.close()
    assert files_with(store_path, CANARY) == []


def test_a_derived_memory_is_sealed_for_all_its_sources(engram):
    ada, bob = sealed(engram, "A.", subject="Ada"), sealed(engram, "B.", subject="Bob")
    with engram._unit(None) as unit:
        made = derive(
            unit, engram._night(Scope(), START), text=f"Both know {CANARY}.", sources=[ada, bob],
            step=Step.PATTERNS, confidence=0.5,
        )  # fmt: skip
        assert set(unit.people_of(made)) == {person_of(made), person_of(ada), person_of(bob)}
    assert engram.get(made.id).secrecy is Secrecy.CONFIDENTIAL

    engram._store.database.vault.destroy([Person("/", "ada")])

    assert engram.get(made.id) is None
    assert engram.get(bob.id).content == "B."


def test_the_same_derived_statement_is_made_once(engram):
    ada = sealed(engram, "A.", subject="Ada")
    made = []
    for _ in range(2):
        with engram._unit(None) as unit:
            made.append(
                derive(
                    unit,
                    engram._night(Scope(), START),
                    text="So it is.",
                    sources=[ada],
                    step=Step.PATTERNS,
                    confidence=0.5,
                )
            )

    assert made[0].id == made[1].id


def test_a_dream_leaves_nothing_of_protected_memories_in_any_file(engram: Engram, store_path: Path):
    for text, mail in zip(_TOLD, MAILS, strict=True):
        engram.remember(text.format(mail), category="fact")
    sealed(engram, f"Ada Byron keeps {CANARY} in the attic.")
    sealed(engram, f"Ada Byron feeds {CANARY} in the attic.")

    engram.dream()
    engram.backup()
    engram.close()

    assert files_with(store_path, CANARY) == []


def test_what_is_confidential_is_woven_into_nothing(engram):
    for text in _TOLD:
        sealed(engram, text.format(CANARY))

    engram.dream()

    with engram._view(None) as see:
        artefacts = [each for kind in ArtefactKind for each in see.artefacts.all(kind)]
    assert not [each for each in artefacts if CANARY in each.text]
    assert {memory.secrecy for memory in engram.list(limit=100)} == {Secrecy.CONFIDENTIAL}
