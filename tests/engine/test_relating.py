"""Links between memories: kept once, seen by who sees both ends, taken back, and followed."""

import pytest

from engine.dump import dump
from engram import Engram, Principal, Scope
from engram.errors import (
    AccessDenied,
    ChangeNotFound,
    InvalidInput,
    MemoryNotFound,
    UndoConflict,
)
from engram.memory.activation import spread
from engram.memory.links import RECORDED, WELL_KNOWN, WITHOUT_CIRCLES, Ends, Relation
from engram.storage.sqlite.repair import salvage

ACME = Scope("acme")
CODER = Scope("acme", None, "coder")
CRITIC = Scope("acme", None, "critic")


def around(engram: Engram, *numbers: int, scope: Scope | None = None, limit: int = 100):
    with engram._view(scope) as see:
        return see.links.around(numbers, limit=limit)


def rows(engram: Engram) -> dict[str, list[tuple[object, ...]]]:
    """Everything kept, and the links beside it."""
    kept = dump(engram)
    with engram._store.database.reading(5) as view:
        kept["links"] = view._connection.execute("SELECT * FROM links").fetchall()
    return kept


@pytest.fixture
def pair(engram):
    return engram.remember("The build is slow.").memory, engram.remember("CI has one core.").memory


@pytest.fixture
def some(engram):
    return [engram.remember(f"Fact {index}.").memory for index in range(1, 7)]


# Making links


def test_a_link_tells_who_made_it_when_and_why(engram, clock, pair):
    slow, core = pair

    made = engram.relate(slow.id, core.label, "caused_by", reason="measured")

    [link] = engram.links(slow.id)
    assert engram.links(core.id) == [link] == [made.link]
    assert (link.from_id, link.relation, link.to_id) == (slow.id, "caused_by", core.id)
    assert (link.from_label, link.to_label) == (slow.label, core.label)
    assert (link.change.actor, link.change.at) == (engram.principal.actor, clock())
    assert (link.change.reason, link.change.action) == ("measured", "relate")
    assert link.change_id == made.change_id
    assert not made.is_repeat


def test_relating_leaves_the_memories_as_they_are(engram, pair):
    engram.relate(pair[0].id, pair[1].id)

    assert [engram.get(memory.id) for memory in pair] == list(pair)
    assert len(engram.history(pair[0].id)) == 1


def test_both_ends_stand_in_the_audit_in_one_change(engram, pair):
    made = engram.relate(pair[0].id, pair[1].id)

    lines = engram.audit(action="relate")

    assert {line.memory_id for line in lines} == {memory.id for memory in pair}
    assert {line.change_id for line in lines} == {made.change_id}
    assert engram.verify_audit().is_intact


def test_looking_at_links_stands_in_the_audit(engram, pair):
    engram.relate(pair[0].id, pair[1].id)

    engram.links(pair[0].id)

    [line] = engram.audit(action="links")
    assert (line.memory_id, line.count) == (pair[0].id, 1)


def test_relating_twice_is_relating_once(engram, pair):
    first = engram.relate(pair[0].id, pair[1].id, "supports", reason="seen")
    before = rows(engram)

    again = engram.relate(pair[0].label, pair[1].label, "Supports", reason="as I said")

    assert again.is_repeat
    assert (again.link, again.change_id) == (first.link, first.change_id)
    assert rows(engram) == before


def test_another_relation_or_direction_is_another_link(engram, pair):
    a, b = pair[0].id, pair[1].id

    made = [engram.relate(a, b), engram.relate(b, a), engram.relate(a, b, "supports")]

    assert not any(each.is_repeat for each in made)
    assert len(engram.links(a)) == 3


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("related", "related"),
        (Relation.PART_OF, "part_of"),
        ("  Part Of ", "part_of"),
        ("depends-on", "depends_on"),
        ("inspired_by", "inspired_by"),
        ("ÄHNLICH wie", "ähnlich_wie"),
        ("関連", "関連"),
    ],
)
def test_a_relation_is_written_in_one_way(engram, pair, given, kept):
    assert engram.relate(pair[0].id, pair[1].id, given).link.relation == kept


def test_every_well_known_relation_can_be_given(engram, pair):
    for relation in WELL_KNOWN:
        engram.relate(pair[0].id, pair[1].id, relation)

    assert {link.relation for link in engram.links(pair[0].id)} == set(WELL_KNOWN)


@pytest.mark.parametrize(
    ("error", "act"),
    [
        (MemoryNotFound, lambda e: e.relate("mem-0001", "mem-0099")),
        (MemoryNotFound, lambda e: e.relate("mem-0099", "mem-0001")),
        (MemoryNotFound, lambda e: e.links("mem-0099")),
        (InvalidInput, lambda e: e.relate("mem-0001", "mem-0001")),
        (InvalidInput, lambda e: e.relate("mem-0001", 2)),
        (InvalidInput, lambda e: e.relate("mem-0001", "mem-0002", "")),
        (InvalidInput, lambda e: e.relate("mem-0001", "mem-0002", None)),
        (InvalidInput, lambda e: e.relate("mem-0001", "mem-0002", "a;b")),
        (InvalidInput, lambda e: e.relate("mem-0001", "mem-0002", "a\x00b")),
        (InvalidInput, lambda e: e.relate("mem-0001", "mem-0002", "9lives")),
        (InvalidInput, lambda e: e.relate("mem-0001", "mem-0002", "r" * 41)),
        (InvalidInput, lambda e: e.relate("mem-0001", "mem-0002", "\ud800")),
        (InvalidInput, lambda e: e.relate("mem-0001", "mem-0002", "superseded_by")),
        (InvalidInput, lambda e: e.relate("mem-0001", "mem-0002", "Continues")),
        (InvalidInput, lambda e: e.relate("mem-0001", "mem-0002", scope="project=acme")),
        (InvalidInput, lambda e: e.unrelate(("mem-0001", "mem-0002"))),
        (InvalidInput, lambda e: e.unrelate(None)),
        (ChangeNotFound, lambda e: e.unrelate(("mem-0001", "mem-0002", "related"))),
        (ChangeNotFound, lambda e: e.unrelate("chg-" + "0" * 26)),
        (MemoryNotFound, lambda e: e.unrelate(("mem-0001", "mem-0099", "related"))),
        (InvalidInput, lambda e: e.links("mem-0001", limit=0)),
    ],
)
def test_a_bad_wish_is_refused_and_changes_nothing(engram, pair, error, act):
    before = rows(engram)

    with pytest.raises(error):
        act(engram)

    assert rows(engram) == before


def test_the_change_of_something_else_names_no_link(engram, pair):
    with pytest.raises(ChangeNotFound):
        engram.unrelate(pair[0].change_id)

    assert engram.get(pair[0].id) is not None


# Circles


@pytest.mark.parametrize("relation", WITHOUT_CIRCLES)
def test_nothing_is_its_own_origin_by_way_of_others(engram, some, relation):
    engram.relate(some[0].id, some[1].id, relation)
    engram.relate(some[1].id, some[2].id, "derived_from")

    with pytest.raises(InvalidInput, match="circle"):
        engram.relate(some[2].id, some[0].id, relation)

    engram.relate(some[0].id, some[2].id, relation)  # a shorter way is no circle


def test_relations_that_say_nothing_of_origin_may_run_in_a_circle(engram, some):
    for start, end in ((0, 1), (1, 2), (2, 0)):
        engram.relate(some[start].id, some[end].id, "supports")
    engram.relate(some[0].id, some[1].id, "part_of")
    engram.relate(some[1].id, some[0].id, "mentions")

    assert len(around(engram, 1, 2, 3)) == 5


def test_a_link_that_was_taken_back_closes_no_circle(engram, pair):
    first = engram.relate(pair[0].id, pair[1].id, "part_of")
    engram.undo(first.change_id)

    engram.relate(pair[1].id, pair[0].id, "part_of")

    with pytest.raises(UndoConflict, match="circle"):
        engram.undo(engram.audit(action="undo")[0].change_id)


# Taking links back


def test_a_link_can_be_undone_and_redone(engram, clock, pair):
    before = engram.links(pair[0].id)
    made = engram.relate(pair[0].id, pair[1].id)

    clock.advance(minutes=1)
    assert engram.undo(made.change_id, reason="wrong one") == list(pair)
    assert engram.links(pair[0].id) == before == []
    undoing = engram.audit(action="undo")[0].change_id
    with pytest.raises(UndoConflict):
        engram.undo(made.change_id)
    engram.undo(undoing)
    assert engram.links(pair[0].id) == [made.link]
    engram.undo(made.change_id)
    assert engram.links(pair[0].id) == []


@pytest.mark.parametrize("name", ["ends", "change"])
def test_unrelating_takes_a_link_back_and_can_itself_be_undone(engram, pair, name):
    made = engram.relate(pair[0].id, pair[1].id, "supports")
    named = made.change_id if name == "change" else (pair[0].label, pair[1].id, "Supports")

    gone = engram.unrelate(named, reason="no longer")

    assert engram.links(pair[0].id) == []
    assert gone.link == made.link
    assert not gone.is_repeat
    assert {line.change_id for line in engram.audit(action="unrelate")} == {gone.change_id}
    engram.undo(gone.change_id)
    assert engram.links(pair[0].id) == [made.link]
    engram.undo(engram.audit(action="undo")[0].change_id)
    assert engram.links(pair[0].id) == []


def test_unrelating_twice_is_unrelating_once(engram, pair):
    made = engram.relate(pair[0].id, pair[1].id)
    gone = engram.unrelate(made.change_id)
    before = rows(engram)

    again = engram.unrelate((pair[0].id, pair[1].id, "related"))

    assert again.is_repeat
    assert again.change_id == gone.change_id
    assert rows(engram) == before


def test_what_was_taken_back_can_be_related_anew_but_not_twice(engram, pair):
    ends = (pair[0].id, pair[1].id, "related")
    first = engram.relate(*ends)
    gone = engram.unrelate(first.change_id)

    second = engram.relate(*ends)

    assert not second.is_repeat
    assert second.change_id != first.change_id
    with pytest.raises(UndoConflict, match=second.change_id):
        engram.undo(gone.change_id)
    assert engram.links(pair[0].id) == [second.link]
    assert engram.unrelate(ends).link == second.link


def test_a_link_is_taken_back_whatever_happened_to_its_memories_since(engram, pair):
    made = engram.relate(pair[0].id, pair[1].id)
    engram.revise(pair[0].id, "The build takes an hour.")
    engram.forget(pair[1].id)
    assert engram.links(pair[0].id) == [made.link]  # what is archived is still there

    engram.undo(made.change_id)

    assert engram.links(pair[0].id) == []
    assert engram.get(pair[1].id).status == "archived"


@pytest.mark.parametrize("turned", [False, True])
def test_a_link_of_a_memory_that_was_taken_back_rests_until_it_is_back(engram, turned):
    slow = engram.remember("The build is slow.").memory
    core = engram.remember("CI has one core.")
    ends = (slow.id, core.memory.id)
    made = engram.relate(*(reversed(ends) if turned else ends))

    engram.undo(core.change_id)

    assert engram.links(slow.id) == []
    assert around(engram, slow.number, core.memory.number) == []
    engram.undo(engram.audit(action="undo")[0].change_id)
    assert engram.links(slow.id) == [made.link]


def test_a_link_outlives_the_process_and_a_salvage(open_store, clock):
    first = open_store()
    a, b = first.remember("One.").memory, first.remember("Two.").memory
    made = first.relate(a.id, b.id)
    gone = first.relate(b.id, a.id)
    first.unrelate(gone.change_id)
    place = first._parts.place
    first.close()
    again = open_store()
    assert again.links(a.id) == [made.link]
    again.close()

    salvaged = salvage(place, clock(), at_least=2)

    assert (salvaged.rows["links"], salvaged.unreadable["links"]) == (2, 0)
    assert open_store().links(a.id) == [made.link]


# Who sees a link, and who makes one


@pytest.mark.parametrize("turned", [False, True])
def test_a_link_is_seen_by_who_sees_both_ends(open_store, turned):
    owner, coder, critic = open_store(), open_store(scope=CODER), open_store(scope=CRITIC)
    rule = owner.remember("Releases are tagged.").memory
    note = coder.remember("The tag script is slow.").memory
    start, end = (rule, note) if turned else (note, rule)

    made = coder.relate(start.id, end.id, "mentions", reason="a secret reason")

    assert coder.links(rule.id) == coder.links(note.id) == [made.link]
    assert owner.links(rule.id) == critic.links(rule.id) == []
    assert owner.links(rule.id, scope=CODER) == [made.link]
    numbers = (rule.number, note.number)
    assert around(owner, *numbers) == around(critic, *numbers) == []
    assert around(coder, *numbers) == [(start.number, end.number, "mentions")]
    above = open_store(principal=Principal.orchestrator(ACME))
    assert above.links(note.id) == [made.link]


@pytest.mark.parametrize("turned", [False, True])
def test_a_link_from_below_tells_nobody_above(open_store, turned):
    owner, coder = open_store(), open_store(scope=CODER)
    rule = owner.remember("Releases are tagged.").memory
    note = coder.remember("The tag script is slow.").memory
    ends = (rule.id, note.id) if turned else (note.id, rule.id)

    made = coder.relate(*ends)

    assert owner.audit(action="relate") == []
    assert len(coder.audit(action="relate")) == 2
    with pytest.raises(ChangeNotFound):
        owner.undo(made.change_id)
    with pytest.raises(ChangeNotFound):
        open_store(scope=CRITIC).undo(made.change_id)
    assert owner.undo(made.change_id, scope=CODER) == [note, rule]


def test_of_scopes_beside_each_other_each_is_told_of_its_own_memory(open_store):
    coder, critic = open_store(scope=CODER), open_store(scope=CRITIC)
    mine = coder.remember("The parser is slow.").memory
    yours = critic.remember("The parser was rewritten.").memory
    above = open_store(principal=Principal.orchestrator(ACME))

    made = above.relate(mine.id, yours.id)

    assert above.links(mine.id) == [made.link]
    for agent, own in ((coder, mine), (critic, yours)):
        assert agent.links(own.id) == []
        assert [line.memory_id for line in agent.audit(action="relate")] == [own.id]
        with pytest.raises(ChangeNotFound):
            agent.undo(made.change_id)
        with pytest.raises(ChangeNotFound):
            agent.unrelate(made.change_id)


def test_a_foreign_link_looks_unknown(open_store):
    coder, critic = open_store(scope=CODER), open_store(scope=CRITIC)
    ids = [coder.remember(text).memory.id for text in ("One.", "Two.")]
    made = coder.relate(*ids)

    with pytest.raises(ChangeNotFound) as foreign:
        critic.unrelate(made.change_id)
    with pytest.raises(ChangeNotFound) as unknown:
        critic.unrelate("chg-" + "0" * 26)

    assert str(foreign.value) == str(unknown.value)
    assert coder.links(ids[0]) == [made.link]


@pytest.mark.parametrize("turned", [False, True])
def test_a_foreign_memory_is_not_related_to(open_store, turned):
    coder, critic = open_store(scope=CODER), open_store(scope=CRITIC)
    own, foreign = coder.remember("Mine.").memory.id, critic.remember("Theirs.").memory.id
    before = rows(coder)

    for name in (foreign, "mem-0002", "0" * 26):
        with pytest.raises(MemoryNotFound):
            coder.relate(*((name, own) if turned else (own, name)))

    assert rows(coder) == before


@pytest.mark.parametrize("scope", [CODER, ACME], ids=["agent", "person"])
def test_who_may_change_neither_memory_does_not_relate_them(open_store, scope):
    owner, caller = open_store(), open_store(scope=scope)
    ids = [owner.remember(text).memory.id for text in ("One.", "Two.")]
    made = owner.relate(*ids)
    assert caller.links(ids[0]) == [made.link]

    for act in (
        lambda: caller.relate(*ids, "supports"),
        lambda: caller.relate(*ids),
        lambda: caller.unrelate(made.change_id),
        lambda: caller.unrelate((*ids, "related")),
        lambda: caller.undo(made.change_id),
    ):
        with pytest.raises(AccessDenied):
            act()

    assert owner.links(ids[0]) == [made.link]


def test_an_agent_does_not_take_back_a_persons_link(open_store):
    owner, coder = open_store(), open_store(scope=CODER)
    ids = [coder.remember(text).memory.id for text in ("One.", "Two.")]
    made = owner.relate(*ids, scope=CODER)

    for act in (coder.undo, coder.unrelate):
        with pytest.raises(AccessDenied):
            act(made.change_id)

    assert coder.links(ids[0]) == [made.link]
    own = coder.relate(*ids, "supports")
    coder.unrelate(own.change_id)
    assert coder.links(ids[0]) == [made.link]


def test_a_circle_out_of_sight_is_not_told(open_store):
    owner, coder = open_store(), open_store(scope=CODER)
    a, b = (owner.remember(text).memory.id for text in ("One.", "Two."))
    hidden = coder.remember("Hidden.").memory.id
    coder.relate(b, hidden, "part_of")
    coder.relate(hidden, a, "part_of")

    assert not owner.relate(a, b, "part_of").is_repeat


# What recall follows


def test_links_come_for_many_memories_in_one_query(engram, some):
    made = [(1, 2, "supports"), (2, 3, "related"), (4, 1, "mentions"), (5, 6, "related")]
    for start, end, relation in made:
        engram.relate(f"mem-{start:04}", f"mem-{end:04}", relation)

    assert around(engram, 1) == [(4, 1, "mentions"), (1, 2, "supports")]
    assert set(around(engram, *range(1, 7))) == set(made)
    assert around(engram, 1, 1, 99) == around(engram, 1)
    assert around(engram) == []
    assert around(engram, *range(1, 7), limit=2) == [(5, 6, "related"), (4, 1, "mentions")]


def test_the_record_itself_tells_what_took_a_memorys_place(engram):
    old = engram.remember("The office is in Lyon.").memory
    new = engram.remember("The office is in Porto.", replaces=old.id).memory
    said = engram.feedback(new.id, False, correction="The office is in Faro.")
    right = said.correction.memory
    engram.pin(old.id)

    expected = {(1, 2, "superseded_by"), (2, 3, "superseded_by")}
    assert set(around(engram, old.number)) == {(1, 2, "superseded_by")}
    assert set(around(engram, new.number)) == expected
    [link] = engram.links(right.id)
    assert (link.from_id, link.to_id, link.change_id) == (new.id, right.id, None)
    engram.undo(said.change_id)
    assert set(around(engram, 1, 2, 3)) == {(1, 2, "superseded_by")}


def test_a_place_that_was_given_back_is_no_longer_told_of(engram):
    wrong, known = (
        engram.remember("It is in Lyon.").memory,
        engram.remember("It is in Porto.").memory,
    )
    said = engram.feedback(wrong.id, False, correction="It is in Porto.")
    assert around(engram, known.number) == [(1, 2, "superseded_by")]

    engram.undo(said.change_id)

    assert around(engram, known.number) == around(engram, wrong.number) == []


def test_neighbouring_parts_of_a_split_text_continue_each_other(clock):
    settings = {"capture": {"max_content_bytes": 256}}
    sentences = " ".join(f"Sentence {index} of a long story about herons." for index in range(20))
    with Engram.open(":memory:", clock=clock, settings=settings) as engram:
        before = engram.remember("Something else.").memory
        told = engram.remember(sentences)
        engram.remember("And after it.")
        engram.revise(told.parts[0].id, "The story begins otherwise.")
        numbers = [part.number for part in told.parts]

        found = around(engram, *numbers)

        pairs = zip(numbers[1:], numbers, strict=False)
        expected: set[Ends] = {(later, earlier, "continues") for later, earlier in pairs}
        assert len(numbers) > 3
        assert set(found) == expected
        assert around(engram, numbers[1]) == [
            (numbers[2], numbers[1], "continues"),
            (numbers[1], numbers[0], "continues"),
        ]
        assert around(engram, before.number) == []


def test_memories_of_one_change_that_are_no_parts_are_not_linked(engram):
    old = engram.remember("The office is in Lyon.").memory
    new = engram.remember("The office is in Porto.", replaces=old.id)
    engram.undo(new.change_id)
    engram.undo(engram.audit(action="undo")[0].change_id)

    assert {relation for _, _, relation in around(engram, 1, 2)} <= {"superseded_by"}
    assert {"continues", "superseded_by"} == RECORDED


def test_a_neighbourhood_holds_the_links_of_every_way(engram, some):
    for number in range(1, 6):
        engram.relate(f"mem-{number:04}", f"mem-{number + 1:04}")

    def within(hops: int, limit: int = 100) -> set[Ends]:
        with engram._view(None) as see:
            return set(see.links.neighbourhood([1], hops=hops, limit=limit))

    chain = [(number, number + 1, "related") for number in range(1, 6)]
    assert [within(hops) for hops in range(4)] == [set(chain[:hops]) for hops in range(4)]
    assert within(9) == set(chain)
    assert len(within(9, limit=2)) == 2
    assert set(spread({1: 1.0}, within(2))) == {1, 2, 3}


class TestWhatWouldGoWithAnErasure:
    """What was derived is erased with what it came from."""

    def test_nobody_hangs_a_memory_of_a_wider_scope_on_their_own(self, open_store):
        owner = open_store()
        user = owner.seen_by(Principal.of(Scope(project="p", user="u")))
        rule = owner.remember("Everybody keeps their branch small.").memory
        mine = user.remember("A note that will be erased.").memory

        with pytest.raises(AccessDenied):
            user.relate(rule.id, mine.id, "derived_from")
        user.erase(mine.id)

        assert owner.get(rule.id) is not None

    def test_an_agent_hangs_nothing_a_person_said_on_what_it_names(self, open_store):
        owner = open_store()
        place = Scope(project="p", agent="coder")
        agent = owner.seen_by(Principal.of(place))
        rule = owner.remember("Deploy before noon.", scope=place).memory
        junk = agent.remember("Zed joked about cats.", subject="Zed").memory

        with pytest.raises(AccessDenied):
            agent.relate(rule.id, junk.id, "derived_from")
