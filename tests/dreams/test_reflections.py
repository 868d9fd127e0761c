"""Identity reflections: left alone while short, put into half the size once they are long."""

from dreaming import carried_out, night_of, planned_by
from hypothesis import given
from hypothesis import strategies as st

from engram import Engram
from engram.memory.dreams.artefact import ArtefactKind

THEMES = ("patience", "music", "harbours", "long walks", "old maps", "quiet rooms", "clay", "bread")


def tell(engram: Engram, count: int, **options: object) -> list[str]:
    ids = []
    for number in range(count):
        theme, other = THEMES[number % 8], THEMES[(number // 8) % 8]
        text = (
            f"In year {number} of keeping a diary I learnt that {theme} matters more to me than "
            f"{other}. Reading page {number} again, I still see myself as somebody who keeps at it."
        )
        ids.append(engram.remember(text, category="identity", **options).memory.id)
    return ids


def kept(engram: Engram):
    with engram._view(None) as see:
        return see.artefacts.all(ArtefactKind.REFLECTION)


def test_below_eight_kilobytes_nothing_happens(engram):
    tell(engram, 40)

    assert engram.dream(steps=["reflections"]).decisions == 0
    assert kept(engram) == []


def test_above_it_they_become_one_text_of_at_most_half_the_size(engram):
    tell(engram, 60)

    engram.dream(steps=["reflections"])

    (found,) = kept(engram)
    assert found.body["bytes"] > 8_192
    assert 1_000 < len(found.text.encode()) <= found.body["bytes"] // 2
    assert found.body["memories"] == 60
    assert engram.profile().reflection == found.text
    assert len(engram.list(category="identity", limit=100)) == 60  # nothing is lost


def test_the_text_is_made_of_whole_sentences_of_its_sources_in_the_order_of_time(engram):
    tell(engram, 60)

    engram.dream(steps=["reflections"])

    (found,) = kept(engram)
    with engram._view(None) as see:
        sources = {number: see.current(number).content for number in found.sources}
    for line in found.body["lines"]:
        assert line["text"] in sources[line["number"]]
    numbers = [line["number"] for line in found.body["lines"]]
    assert numbers == sorted(numbers)


def test_a_setting_says_how_long_is_too_long(engram):
    tell(engram, 4)

    night = night_of(engram, reflection_bytes=256)
    carried_out(engram, planned_by(engram, "reflections", night), night)

    assert len(kept(engram)) == 1


def test_what_is_said_twice_is_in_it_once_and_the_newer_statement_wins(engram, clock):
    engram.remember("I am a person who likes the sea.", category="identity")
    clock.advance(days=9)
    engram.remember("I am a person who does not like the sea.", category="identity")
    engram.remember("I am a person who does not like the sea!", category="identity")
    for old in engram.list(category="identity"):
        if "likes" in old.content:  # as the judge would retire it
            engram.set_status(old.id, "archived", reason="no longer so")
    tell(engram, 4)

    night = night_of(engram, reflection_bytes=256)
    carried_out(engram, planned_by(engram, "reflections", night), night)

    text = kept(engram)[0].text
    assert "likes the sea" not in text
    assert text.count("not like the sea") == 1


def test_a_memory_marked_as_a_reflection_counts_whatever_its_category(engram):
    for number, metadata in enumerate(({"reflection": True}, {"tags": ["reflection"]})):
        long = " ".join(f"I noticed thing {number} of {n} in the garden." for n in range(6))
        engram.remember(long, category="moment", metadata=metadata)

    night = night_of(engram, reflection_bytes=256)

    assert planned_by(engram, "reflections", night).looked_at == 2
    assert len(planned_by(engram, "reflections", night).decisions) == 1


def test_when_they_are_short_again_they_are_read_as_they_were_said(engram):
    ids = tell(engram, 60)
    engram.dream(steps=["reflections"])
    assert engram.dream(steps=["reflections"]).decisions == 0

    for each in ids[5:]:
        engram.forget(each)

    assert kept(engram)
    engram.dream(steps=["reflections"])
    assert kept(engram) == []
    assert engram.profile().reflection == ""


def test_undoing_takes_it_back(engram):
    tell(engram, 60)
    report = engram.dream(steps=["reflections"])

    engram.undo(report.id)

    assert kept(engram) == []
    assert engram.dream(steps=["reflections"]).decisions == 0


@given(st.lists(st.sampled_from(THEMES), min_size=3, max_size=12, unique=False))
def test_half_the_size_is_never_exceeded(themes):
    from clock import START

    from engram.memory.dreams.reflections import reflection_of
    from engram.memory.scopes import Scope

    memories = [_memory(number, f"I am fond of {theme}.") for number, theme in enumerate(themes)]

    found = reflection_of(memories, scope=Scope(), now=START, most_bytes=16)

    if found is not None:
        assert len(found.text.encode()) <= found.body["bytes"] / 2


def _memory(number: int, text: str):
    from clock import START

    from engram.memory.record import Memory
    from engram.memory.scopes import Scope
    from engram.memory.vocabulary import (
        Kind,
        Layer,
        LearnedBy,
        MemoryType,
        SourceClass,
        Status,
    )

    return Memory(
        id=f"id-{number}", number=number + 1, scope=Scope(), content=text, category="identity",
        memory_type=MemoryType.FACT, layer=Layer.SEMANTIC, kind=Kind.NOTE, status=Status.ACTIVE,
        source="manual", source_class=SourceClass.PERSON, learned_by=LearnedBy.MANUAL,
        confidence=1.0, base_importance=0.5, trust=1.0, at=START, learned_at=START,
        recorded_at=START, change_id="chg-1",
    )  # fmt: skip
