"""Profiles, cards and aliases: what a scope tells of somebody, kept current by dreams."""

import dataclasses
import json
from collections.abc import Iterator

import numpy as np
import pytest
from dreaming import carried_out, night_of, planned_by
from dump import logical_dump
from providers.scripted_model import ScriptedModel, answers, says, scripted_model

from engram import Engram, Scope
from engram.language.names.kinds import EntityType
from engram.lifecycle.dreams.named import entities_in_scope, entity_centroids
from engram.memory.dreams.artefact import Artefact, ArtefactKind
from engram.memory.dreams.cards import Line, card_lines
from engram.memory.dreams.namesakes import Namesake, is_free, namesakes
from engram.memory.entities.profile import NameCount
from engram.memory.scopes import Principal
from engram.providers.choose_model import choose_model
from engram.providers.model_options import ModelOptions

ADA = (
    ("Ada Byron teaches weaving in Ghent.", "fact"),
    ("Ada Byron prefers green tea over coffee.", "preference"),
    ("Ada Byron decided to rent the loft in Porto.", "decision"),
    ("Ada Byron plays the cello with Bo Lind on Sundays.", "fact"),
    ("Ada Byron owns a loom that Bo Lind built.", "fact"),
)
ACME = Scope(project="acme")


def tell(engram: Engram, scope: Scope | None = None, said=ADA) -> list[str]:
    # All alike important: what is new would count for more, and change the order of lines.
    outcomes = [
        engram.remember(text, category=sort, scope=scope, importance=0.5) for text, sort in said
    ]
    return [each.memory.id for each in outcomes]


def kept(engram: Engram, kind: ArtefactKind, scope: Scope | None = None) -> dict[str, Artefact]:
    with engram._view(scope) as see:
        return {each.key: each for each in see.artefacts.all(kind)}


def test_who_five_memories_name_has_a_card_of_their_sentences_by_heading(engram):
    tell(engram)

    engram.dream(steps=["entities"])

    card = engram.card("Ada Byron")
    assert card.text.splitlines() == [
        "Ada Byron (person)",
        "Preferences",
        "- Ada Byron prefers green tea over coffee.",
        "Decisions",
        "- Ada Byron decided to rent the loft in Porto.",
        "Facts",
        "- Ada Byron owns a loom that Bo Lind built.",
        "- Ada Byron plays the cello with Bo Lind on Sundays.",
        "- Ada Byron teaches weaving in Ghent.",
    ]
    profile = kept(engram, ArtefactKind.ENTITY_PROFILE)["ada byron"]
    assert profile.body["memories"] == 5
    assert profile.body["beside"] == [["Bo Lind", 2], ["Ghent", 1], ["Porto", 1]]


def test_who_two_memories_name_has_a_profile_and_no_card_and_who_one_names_has_neither(engram):
    tell(engram)

    engram.dream(steps=["entities"])

    assert "bo lind" in kept(engram, ArtefactKind.ENTITY_PROFILE)
    assert "bo lind" not in kept(engram, ArtefactKind.PEER_CARD)
    assert "ghent" not in kept(engram, ArtefactKind.ENTITY_PROFILE)
    assert engram.card("Bo Lind").text == ""
    assert len(engram.card("Bo Lind").facts) == 2
    assert engram.card("Nobody Known") is None


def test_a_decision_says_what_is_made_for_what_and_by_how_many_memories(engram):
    tell(engram)

    whys = [each.why for each in planned_by(engram, "entities").decisions]

    assert whys[0].startswith("A card for a person whom 5 memories name: mem-0001")
    assert whys[1].startswith("A profile of a person whom 2 memories name: mem-")
    assert "Ada" not in " ".join(whys)


def test_what_somebody_says_of_others_is_not_on_their_own_card(engram):
    of_herself = ("I teach weaving.", "My loom is old.", "We sail on Sundays.", "Bees are mine.",
                  "I play the cello.")  # fmt: skip
    of_others = ("Tom broke his leg skiing.", "The US team won.", "I. Varga wrote the report.")
    for text in (*of_herself, *of_others):
        engram.remember(text, speaker="Ann")

    engram.dream(steps=["entities"])

    assert {line.text for line in engram.card("Ann").lines} == set(of_herself)
    assert {each.content for each in engram.entity("Ann").memories} == set(of_herself)


def test_what_is_said_about_the_speaker_by_name_or_as_its_subject_is_theirs(engram):
    engram.remember("Ann won a prize.", speaker="Ann")
    engram.remember("Plays chess.", speaker="Ann", subject="Ann")
    engram.remember("Ich wohne in Gent.", speaker="Ann")
    engram.remember("Я живу в Генте.", speaker="Ann")

    assert len(engram.entity("Ann").memories) == 4


def test_a_second_dream_makes_nothing_anew_also_weeks_later(engram, clock):
    tell(engram)
    assert engram.dream(steps=["entities"]).decisions == 2

    assert engram.dream(steps=["entities"]).decisions == 0
    clock.advance(days=40)
    assert engram.dream(steps=["entities"]).decisions == 0


def test_a_card_takes_the_place_of_the_one_before(engram, clock):
    tell(engram)
    engram.dream(steps=["entities"])
    clock.advance(days=1)
    engram.remember("Ada Byron won the weaving prize of Ghent.")

    engram.dream(steps=["entities"])

    cards = kept(engram, ArtefactKind.PEER_CARD)
    assert list(cards) == ["ada byron"]
    assert "won the weaving prize" in cards["ada byron"].text


def test_what_is_archived_speaks_no_more_at_once_and_is_gone_after_the_next_dream(engram):
    ids = tell(engram)
    engram.dream(steps=["entities"])

    engram.forget(ids[1], reason="over")

    assert "green tea" not in engram.card("Ada Byron").text
    assert "teaches weaving" in engram.card("Ada Byron").text
    assert "green tea" in kept(engram, ArtefactKind.PEER_CARD)["ada byron"].text
    engram.dream(steps=["entities"])
    # Four memories are too few for a card; the profile stays, without the line.
    assert kept(engram, ArtefactKind.PEER_CARD) == {}
    assert "green tea" not in kept(engram, ArtefactKind.ENTITY_PROFILE)["ada byron"].text


def test_a_line_whose_memory_is_worded_otherwise_now_is_not_shown(engram):
    ids = tell(engram)
    engram.dream(steps=["entities"])

    engram.revise(ids[1], "Ada Byron prefers black tea over coffee.", reason="misheard")

    assert "green tea" not in engram.card("Ada Byron").text
    engram.dream(steps=["entities"])
    assert "black tea" in engram.card("Ada Byron").text


def test_nothing_of_one_scope_gets_into_the_cards_of_another(engram):
    tell(engram)
    tell(engram, ACME, [(f"Ada Byron pays invoice {n} of the harbour.", "fact") for n in range(6)])

    engram.dream(steps=["entities"])

    outside = engram.seen_by(Principal.of(Scope(project="other"))).card("Ada Byron")
    assert "invoice" not in outside.text
    assert "green tea" in outside.text
    inside = engram.card("Ada Byron", scope=ACME)
    assert 0 < inside.text.index("invoice") < inside.text.index("green tea")  # the nearest first


def test_disputed_and_suspicious_statements_are_on_no_card(engram):
    ids = tell(engram, said=[*ADA, ("Ada Byron sold the loom to Bo Lind.", "fact")])
    engram.set_status(ids[-1], "challenged", reason="nobody saw it")
    engram.remember("Ada Byron hides gold in Ghent.", source="web:example.org")

    engram.dream(steps=["entities"])

    text = engram.card("Ada Byron").text
    assert "sold the loom" not in text
    assert "hides gold" not in text


def test_a_card_inherits_the_lowest_trust_of_what_stands_on_it(engram):
    tell(engram)
    engram.remember("Ada Byron also teaches spinning.", source="agent:coach")
    engram.remember("Ada Byron also teaches fencing.", source="import:old notes")

    engram.dream(steps=["entities"])

    card = kept(engram, ArtefactKind.PEER_CARD)["ada byron"]
    assert card.trust == 0.7
    assert "fencing" not in card.text  # nobody known stands behind it


def test_of_two_statements_that_say_the_same_one_is_on_the_card(engram):
    tell(engram, said=[*ADA, ("Oh, Ada Byron prefers green tea over coffee!", "preference")])

    engram.dream(steps=["entities"])

    assert engram.card("Ada Byron").text.count("green tea") == 1


def test_a_card_is_no_longer_than_its_words_and_no_sentence_is_cut(engram):
    tell(engram)

    night = night_of(engram, card_words=26)
    carried_out(engram, planned_by(engram, "entities", night), night)

    text = engram.card("Ada Byron").text
    assert len(text.replace("- ", "").split()) <= 26
    sentences = {said for said, _ in ADA}
    assert {row.removeprefix("- ") for row in text.splitlines() if row.startswith("- ")} < sentences


@pytest.mark.parametrize("most", [5, 12, 40])
def test_lines_are_left_out_whole_until_the_words_suffice(most):
    lines = [Line("one two three four", n, 1, "Facts" if n % 2 else "Tools") for n in range(9)]

    found = card_lines(lines, most_words=most)

    assert (
        sum(len(each.text.split()) for each in found) + len({each.heading for each in found})
        <= most
    )
    assert found


def test_only_so_many_entities_have_a_profile(engram):
    tell(engram)

    night = night_of(engram, entity_profiles=1)
    carried_out(engram, planned_by(engram, "entities", night), night)

    assert list(kept(engram, ArtefactKind.ENTITY_PROFILE)) == ["ada byron"]


def test_undoing_the_dream_takes_cards_and_aliases_back_and_they_are_not_made_again(engram):
    tell(engram)
    spelt(engram)
    before = logical_dump(engram)
    report = engram.dream(steps=["entities"])
    assert logical_dump(engram) != before

    engram.undo(report.id)

    assert logical_dump(engram) == before
    assert engram.dream(steps=["entities"]).decisions == 0


def test_a_decision_that_somebody_overtook_is_left_for_the_next_night(engram):
    ids = tell(engram)
    night = night_of(engram)
    planned = planned_by(engram, "entities", night)

    engram.revise(ids[0], "Ada Byron teaches weaving in Bruges.")

    changes = carried_out(engram, planned, night)
    assert len(changes) == 1  # Bo Lind's profile does not rest on that memory
    assert kept(engram, ArtefactKind.PEER_CARD) == {}


# Aliases


def spelt(engram: Engram) -> None:
    for name in ("Project Night-Jar", "Project Nightjar"):
        for number in range(3):
            engram.remember(f"{name} has {number + len(name)} members.")


def test_names_that_differ_in_writing_alone_are_decided_to_be_one(engram):
    spelt(engram)

    report = engram.dream(steps=["entities"])

    found = engram.entity("Project Nightjar")
    assert len(found.memories) == 6
    why = [each.why for each in report.of("entities")[0].decided]
    assert why[0].endswith("is another way to write a more usual one.")
    assert "ight" not in "".join(why)  # labels, never texts
    assert engram.dream(steps=["entities"]).decisions == 0


def test_what_a_person_decided_about_a_name_is_not_decided_otherwise(engram):
    spelt(engram)
    engram.split_entity("Project Night-Jar", reason="two projects")

    engram.dream(steps=["entities"])

    assert {each.name for each in engram.entities()} >= {"Project Night-Jar", "Project Nightjar"}


def test_a_decision_made_around_a_scope_counts_inside_it(engram):
    tell(engram, ACME, [(f"Project Night-Jar has shelf {n}.", "fact") for n in range(3)])
    tell(engram, ACME, [(f"Project Nightjar has shelf {n} too.", "fact") for n in range(3)])
    spelt(engram)
    engram.split_entity("Project Night-Jar", reason="two projects")

    engram.dream(steps=["entities"])

    assert len(engram.entity("Project Night-Jar", scope=ACME).memories) == 6


def test_an_alias_that_was_undone_is_not_decided_again(engram):
    spelt(engram)
    report = engram.dream(steps=["entities"])
    alias = report.of("entities")[0].decided[0]

    engram.undo(alias.changes[0])
    engram.remember("Project Nightjar was moved to the new depot.")
    again = engram.dream(steps=["entities"])

    assert not any("another way to write" in each.why for each in again.of("entities")[0].decided)


# Names that may mean the same


def test_initials_are_proposed_and_a_person_confirms_and_takes_it_back(engram):
    engram.remember("Henrike Solberg moved the archive to the cellar.")
    engram.remember("Henrike Solberg keeps the keys.")
    engram.remember("H. Solberg signed for the parcel.")

    engram.dream(steps=["entities"])

    (proposal,) = engram.name_proposals()
    assert (proposal.name, proposal.into) == ("H. Solberg", "Henrike Solberg")
    assert proposal.reason == "initials"
    assert len(engram.entity("Henrike Solberg").memories) == 2  # nothing is joined by itself
    change = engram.merge_entities(proposal.name, proposal.into)
    assert engram.name_proposals() == []
    assert len(engram.entity("Henrike Solberg").memories) == 3
    engram.undo(change)
    assert len(engram.entity("Henrike Solberg").memories) == 2


def test_a_proposal_that_was_rejected_is_not_made_again(engram):
    engram.remember("Henrike Solberg keeps the keys.")
    engram.remember("H. Solberg signed for the parcel.")
    engram.dream(steps=["entities"])
    (proposal,) = engram.name_proposals()

    engram.undo(proposal.change_id)
    engram.dream(steps=["entities"])

    assert engram.name_proposals() == []


@pytest.mark.parametrize(
    ("other", "reasons"),
    [
        ("Operation Copper Door", ["meaning"]),
        ("Project Halcyon", []),  # the two share a word and differ in one, as two projects do
    ],
)
def test_a_project_that_goes_by_two_names_is_proposed_by_meaning(engram, other, reasons):
    for name in ("Project Larkspur", other):
        for number in range(2):
            engram.remember(f"{name} has a depot with {number + 4} doors.")
    same = dict.fromkeys(range(1, 9), np.eye(3, dtype=np.float32)[0])
    night = dataclasses.replace(night_of(engram), vectors=lambda _: same)

    carried_out(engram, planned_by(engram, "entities", night), night)

    assert [each.reason for each in engram.name_proposals()] == reasons


def _named(*names: str, sort=EntityType.TECHNOLOGY, times=3) -> list[NameCount]:
    from clock import START

    return [
        NameCount(name, name, sort, times + place, START, START) for place, name in enumerate(names)
    ]


@pytest.mark.parametrize(
    "names",
    [
        _named("alpha 2", "alpha2"),  # figures tell versions apart
        _named("go", "g o"),  # too little to tell by
        _named("make-file.py", "makefile.py", sort=EntityType.FILE),
        _named("caroline", "carolyn", sort=EntityType.PERSON),
        _named("open-search", "opensearch", times=0)[:1] + _named("opensearch"),  # once: a slip?
        _named("open-search") + _named("opensearch", sort=EntityType.PERSON),
    ],
)
def test_names_that_may_be_two_are_left_alone(names):
    assert namesakes(names, {}) == []


def test_a_name_that_means_something_already_takes_others_in_but_is_not_taken_in():
    names = _named("opensearch", "open-search", "open search")

    assert namesakes(names, {"osearch": "opensearch"}) == [
        Namesake("open search", "opensearch"), Namesake("open-search", "opensearch"),
    ]  # fmt: skip
    assert not is_free(Namesake("open-search", "opensearch"), {"open-search": "open-search"})


# Where entities lie


def test_the_middle_of_an_entity_is_the_mean_of_its_statements(engram):
    tell(engram)
    engram.settle()
    night = night_of(engram)

    with engram._store.read(engram.principal.reach(None), timeout_seconds=5) as see:
        found = entity_centroids(see, night)
        vectors = night.vectors(see)
        named = entities_in_scope(see, night)

    members = next(each.members for each in named if each.entity.key == "bo lind")
    middle = np.mean([vectors[each.number] for each in members], axis=0)
    assert set(found) == {"ada byron", "bo lind"}
    assert found["bo lind"] == pytest.approx(middle / np.linalg.norm(middle), abs=1e-6)


def test_without_vectors_there_is_no_middle_and_the_cards_are_the_same(engram):
    tell(engram)
    night = dataclasses.replace(night_of(engram), vectors=lambda _: {})

    with engram._store.read(engram.principal.reach(None), timeout_seconds=5) as see:
        assert entity_centroids(see, night) == {}
    assert len(planned_by(engram, "entities", night).decisions) == 2


# With a model


@pytest.fixture(scope="module")
def running() -> Iterator[ScriptedModel]:
    with scripted_model() as server:
        yield server


def asked_by(engram: Engram, server: ScriptedModel, **options: object):
    model = choose_model(
        ModelOptions(kind="openai", url=server.url, model="m", retries=0)  # type: ignore[arg-type]
    )
    return dataclasses.replace(night_of(engram, **options), model=model)


def written(text: str):
    return says(json.dumps({"text": text}))


TRUE_CARD = "Ada Byron teaches weaving in Ghent and prefers green tea over coffee."


def dreamt(engram: Engram, night):
    planned = planned_by(engram, "entities", night)
    carried_out(engram, planned, night)
    return planned


def test_a_model_writes_the_card_once_and_is_not_asked_again_for_the_same(engram, running):
    tell(engram)
    running.will(written(TRUE_CARD))
    dreamt(engram, asked_by(engram, running))
    asked = len(running.asked)

    again = planned_by(engram, "entities", asked_by(engram, running))

    assert engram.card("Ada Byron").text == TRUE_CARD
    assert again.decisions == ()
    assert len(running.asked) == asked


def test_a_written_card_of_which_a_source_is_gone_is_told_by_the_lines_left(engram, running):
    ids = tell(engram)
    running.will(written(TRUE_CARD))
    dreamt(engram, asked_by(engram, running))

    engram.forget(ids[1], reason="over")

    text = engram.card("Ada Byron").text
    assert "green tea" not in text
    assert "- Ada Byron teaches weaving in Ghent." in text


@pytest.mark.parametrize(
    "script", [answers(500), says("no json"), written("Ada Byron was born in Vienna in 1815.")]
)
def test_a_model_that_fails_leaves_a_written_card_as_it_is_and_says_so(engram, running, script):
    tell(engram)
    running.will(written(TRUE_CARD))
    dreamt(engram, asked_by(engram, running))
    engram.remember("Ada Byron moved her loom to the harbour.")
    running.will(script)

    planned = dreamt(engram, asked_by(engram, running))

    assert planned.skipped
    assert kept(engram, ArtefactKind.PEER_CARD)["ada byron"].text == TRUE_CARD


def test_a_model_that_fails_at_the_first_card_leaves_the_one_that_rules_make(engram, running):
    tell(engram)
    running.will(answers(500))

    planned = dreamt(engram, asked_by(engram, running))

    assert "the model did not answer" in planned.skipped
    assert engram.card("Ada Byron").text.startswith("Ada Byron (person)\nPreferences\n")


def test_a_model_writes_at_most_so_many_cards_a_night(engram, running):
    tell(engram)
    running.will(written(TRUE_CARD))
    asked = len(running.asked)

    dreamt(engram, asked_by(engram, running, written_cards=0))

    assert len(running.asked) == asked
    assert engram.card("Ada Byron").text.startswith("Ada Byron (person)\nPreferences\n")


def test_the_card_of_a_person_names_them_and_holds_only_their_own_facts(engram):
    own = (
        "I keep bees behind the mill.",
        "My sister and I run the bakery in Ghent.",
        "I'm allergic to walnuts.",
        "I bike to work every day.",
        "I speak Dutch and Spanish.",
    )
    for text in own:
        engram.remember(text, speaker="Lotte Maes")
    engram.remember("My neighbour Lotte Maes repairs clocks.", speaker="Bram")
    engram.remember("I had lunch with Lotte Maes and I hate soup.", speaker="Bram")
    engram.remember("Lotte Maesen sells boats.", speaker="Bram")

    engram.dream(steps=["entities"])

    card = engram.card("Lotte Maes")
    assert card.text.splitlines()[0].startswith("Lotte Maes")
    assert {line.text for line in card.lines} == {*own, "My neighbour Lotte Maes repairs clocks."}
    assert "- Lotte Maes: I'm allergic to walnuts." in card.text
    assert "- Bram: My neighbour Lotte Maes repairs clocks." in card.text


def test_every_line_of_a_card_is_a_quote(engram):
    tell(engram)
    said = [text for text, _ in ADA]

    engram.dream(steps=["entities"])

    for line in engram.card("Ada Byron").lines:
        assert any(line.text in text for text in said)
