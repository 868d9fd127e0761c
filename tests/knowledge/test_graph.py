"""The graph as it is asked through `engram.knowledge`."""

import pytest

from engram import Engram, Scope
from engram.errors import ContentTooLarge, InvalidInput, MemoryNotFound
from engram.memory.knowledge.epistemic import Inferred, Observed, Reported
from engram.memory.scopes import Principal


@pytest.fixture
def known(engram):
    """Who uses what, who made it, where they are."""
    for subject, relation, object_ in (
        ("Ada", "uses", "Zed"),
        ("Ada", "uses", "Vim"),
        ("Zed", "created_by", "Nathan"),
        ("Vim", "created_by", "Bram"),
        ("Nathan", "located_in", "Boulder"),
        ("Boulder", "located_in", "Colorado"),
        ("Colorado", "part_of", "United States"),
    ):
        engram.knowledge.learn(subject, relation, object_)
    return engram.knowledge


def titles(found) -> list[str]:
    return [each.node.title for each in found]


def told(way) -> list[str]:
    return [each.memory.content for each in way]


# One node


def test_a_node_is_told_with_its_properties_and_beliefs(known):
    known.learn("Zed", property="licence", value="GPL", subject_type="tool")

    view = known.node("zed")

    assert (view.node.title, view.type) == ("Zed", "tool")
    assert [(each.name, each.value) for each in view.properties] == [("licence", "GPL")]
    assert [(each.relation, each.target.title) for each in view.beliefs_out] == [
        ("used_by", "Ada"), ("created_by", "Nathan"),
    ][::-1]  # fmt: skip
    assert view.beliefs_in == ()


def test_a_property_has_grounds_of_its_own(known, clock):
    seen = Observed("ada", clock())
    known.learn("Zed", property="licence", value="GPL", epistemic=seen)
    known.learn("Zed", property="stars", value=50_000)

    licence, stars = known.node("Zed").properties

    assert licence.epistemic == seen
    assert isinstance(stars.epistemic, Reported)
    assert stars.value == 50_000


def test_a_node_is_found_by_its_id_too(known):
    view = known.node("Zed")

    assert known.node(view.node.id).node == view.node


def test_other_names_lead_to_one_node(known):
    known.alias("Z editor", "Zed")
    known.learn("Z editor", "located_in", "GitHub")

    view = known.node("the Z editor")

    assert view.node.title == "Zed"
    assert view.aliases == ("z editor",)
    assert {each.target.title for each in view.beliefs_out} == {"Ada", "Nathan", "GitHub"}
    assert "GitHub" in titles(known.path("Ada").follow("uses").follow("located_in").find())


def test_two_of_one_name_are_told_apart(known):
    known.learn("Alex", "knows", "Ada")
    known.learn("Alex", "knows", "Bram", distinct="the plumber")

    assert titles(known.neighbours("Alex")) == ["Ada"]
    assert titles(known.neighbours("Alex (the plumber)")) == ["Bram"]
    assert titles(known.neighbours("Ada", relation="knows")) == ["Alex"]


@pytest.mark.parametrize("ask", ["node", "neighbours"])
def test_nobody_of_that_name_is_told_as_such(known, ask):
    with pytest.raises(MemoryNotFound):
        getattr(known, ask)("Zorro")
    with pytest.raises(MemoryNotFound):
        known.path("Zorro").follow().find()
    with pytest.raises(MemoryNotFound):
        known.activate(["Zorro"])
    with pytest.raises(MemoryNotFound):
        known.infer("Zorro", "located_in")


def test_who_is_known_but_has_no_such_neighbour_gives_an_empty_list(known):
    assert known.neighbours("Ada", relation="created_by", direction="in") == []
    assert known.path("Ada").follow("owns").find() == []
    assert known.path("Ada").find() == []
    assert known.infer("Ada", "located_in") == []


def test_nodes_are_listed_by_name_and_type(known):
    known.learn("Ada", "works_for", "Acme", subject_type="person", object_type="organization")

    assert [node.title for node in known.nodes()] == [
        "Acme", "Ada", "Boulder", "Bram", "Colorado", "Nathan", "United States", "Vim", "Zed",
    ]  # fmt: skip
    assert [node.title for node in known.nodes("person")] == ["Ada"]
    assert len(known.nodes(limit=3)) == 3


# Neighbours and paths


def test_neighbours_are_given_with_the_beliefs_between(known):
    found = known.neighbours("Ada", hops=2)

    assert sorted(titles(found)) == ["Bram", "Nathan", "Vim", "Zed"]
    way = next(each.way for each in found if each.node.title == "Nathan")
    assert told(way) == ["Ada uses Zed.", "Zed was created by Nathan."]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"relation": "used_by"}, ["Ada"]),
        ({"relation": "used_by", "direction": "in"}, []),
        ({"relation": "created", "direction": "in"}, ["Nathan"]),
        ({"direction": "out"}, ["Ada", "Nathan"]),
        ({"direction": "in"}, []),
        ({"limit": 1}, ["Ada"]),
    ],
)
def test_neighbours_can_be_narrowed(known, options, expected):
    found = titles(known.neighbours("Zed", **options))

    assert (len(found) if "limit" in options else sorted(found)) == (
        1 if "limit" in options else expected
    )


def test_who_created_the_tools_that_somebody_uses(known):
    found = known.path("Ada").follow("used_by", "in").follow("created_by").find()

    assert sorted(titles(found)) == ["Bram", "Nathan"]
    assert {each.hops for each in found} == {2}


def test_a_path_that_is_kept_can_be_continued_in_several_ways(known):
    tools = known.path("Ada").follow("uses")

    creators = tools.follow("created_by")

    assert sorted(titles(tools.find())) == ["Vim", "Zed"]
    assert sorted(titles(creators.find())) == ["Bram", "Nathan"]
    assert titles(tools.where(label="Vim").find()) == ["Vim"]


def test_a_path_looks_at_types_and_grounds(known, clock):
    known.learn("Kate", "used_by", "Ada", subject_type="tool",
                epistemic=Observed("ada", clock()), confidence=0.6)  # fmt: skip
    uses = known.path("Ada").follow("uses")

    assert titles(uses.where(type="tool").find()) == ["Kate"]
    assert titles(uses.where(epistemic="observed").find()) == ["Kate"]
    assert sorted(titles(uses.where(epistemic="reported").find())) == ["Vim", "Zed"]
    assert "Kate" not in titles(uses.where(confidence=0.7).find())


# Time


def test_what_held_then_and_what_was_known_then(engram, clock):
    known = engram.knowledge
    known.learn("Ada", "located_in", "Lyon", valid_from="2025-01-01T00:00Z")
    before = clock()
    clock.advance(days=30)
    known.learn("Ada", "located_in", "Porto", valid_from="2026-03-20T00:00Z")

    assert titles(known.neighbours("Ada")) == ["Porto"]
    assert titles(known.neighbours("Ada", as_of="2025-06-01T00:00Z")) == ["Lyon"]
    assert titles(known.neighbours("Ada", known_at=before)) == ["Lyon"]
    assert titles(known.path("Ada", as_of="2025-06-01T00:00Z").follow().find()) == ["Lyon"]
    assert titles(known.activate(["Ada"], as_of="2025-06-01T00:00Z")) == ["Lyon"]
    assert [each.target.title for each in known.node("Ada", known_at=before).beliefs_out] == [
        "Lyon"
    ]
    with pytest.raises(MemoryNotFound):
        known.node("Ada", as_of="2024-01-01T00:00Z")


# Inference


def test_what_several_beliefs_say_together_is_concluded(known):
    found = known.infer("Nathan", "located_in")

    assert [each.target.title for each in found] == ["Colorado", "United States"]
    (colorado, _) = found
    assert isinstance(colorado.epistemic, Inferred)
    assert colorado.epistemic.premises == tuple(each.id for each in colorado.premises)
    assert told(colorado.premises) == [
        "Nathan is located in Boulder.", "Boulder is located in Colorado.",
    ]  # fmt: skip
    one, other = (each.confidence for each in colorado.premises)
    assert colorado.confidence == pytest.approx(one * other * 0.95)


def test_it_can_be_asked_who_is_somewhere(known):
    found = known.infer("United States", "location_of")

    assert sorted(each.source.title for each in found) == ["Boulder", "Nathan"]


def test_neighbours_and_nodes_tell_what_follows_when_asked(known):
    plain = titles(known.neighbours("Nathan", relation="located_in"))
    more = known.neighbours("Nathan", relation="located_in", inferred=True)

    assert plain == ["Boulder"]
    assert titles(more) == ["Boulder", "Colorado", "United States"]
    assert [each.conclusion is not None for each in more] == [False, True, True]
    assert known.node("Nathan").conclusions == ()
    concluded = known.node("Nathan", inferred=True).conclusions
    assert [each.target.title for each in concluded] == ["Colorado", "United States"]


def test_a_conclusion_is_gone_when_a_premise_is_withdrawn(known):
    (belief,) = known.node("Boulder").beliefs_out
    known.retract(belief.id, "It was another Boulder.")

    assert known.infer("Nathan", "located_in") == []


def test_a_conclusion_holds_only_while_all_premises_do(engram):
    known = engram.knowledge
    known.learn(
        "Ada", "located_in", "Lyon", valid_from="2020-01-01T00:00Z", valid_until="2022-01-01T00:00Z"
    )
    known.learn("Lyon", "located_in", "France", valid_from="2021-01-01T00:00Z")

    (found,) = known.infer("Ada", "located_in", as_of="2021-06-01T00:00Z")

    assert (found.valid_from.year, found.valid_until.year) == (2021, 2022)
    assert known.infer("Ada", "located_in", as_of="2020-06-01T00:00Z") == []
    with pytest.raises(MemoryNotFound):
        known.infer("Ada", "located_in", as_of="2022-06-01T00:00Z")


def test_what_a_model_supposes_proves_nothing(engram):
    known = engram.knowledge
    known.learn("Ada", "located_in", "Lyon")
    known.propose("Lyon", "located_in", "Spain")

    assert known.infer("Ada", "located_in") == []


# Activation and questions


def test_activation_reaches_two_hops(known):
    found = {each.node.title: each.score for each in known.activate(["Ada"])}

    assert found == {
        "Zed": pytest.approx(0.6), "Vim": pytest.approx(0.6),
        "Nathan": pytest.approx(0.36), "Bram": pytest.approx(0.36),
    }  # fmt: skip


def test_activation_from_several_names(known):
    found = titles(known.activate(["Ada", "Colorado"], hops=1))

    assert sorted(found) == ["Boulder", "United States", "Vim", "Zed"]


def test_a_question_finds_whom_it_is_about(known):
    found = known.query("Who created Zed?")

    assert titles(found)[0] == "Zed"
    assert set(titles(found)[:3]) == {"Zed", "Nathan", "Ada"}
    nathan = next(each for each in found if each.node.title == "Nathan")
    assert nathan.score == pytest.approx(nathan.relevance * max(nathan.confidence, 0.5))
    assert told(nathan.way)[-1] == "Zed was created by Nathan."


def test_a_question_about_nothing_known_finds_nobody(known):
    assert known.query("???") == []


def test_a_question_is_asked_of_then(engram, clock):
    known = engram.knowledge
    known.learn("Ada", "located_in", "Lyon")
    then = clock()
    clock.advance(days=1)
    known.learn("Ada", "works_for", "Acme")

    assert "Acme" in titles(known.query("Ada"))
    assert "Acme" not in titles(known.query("Ada", known_at=then))


# Scopes, audit, bad input


def test_nobody_is_led_through_what_others_believe(open_store):
    owner = open_store()
    owner.knowledge.learn("Ada", "uses", "Zed")
    owner.knowledge.learn("Zed", "created_by", "Nathan", scope=Scope(user="eve"))
    seen = owner.seen_by(Principal.of(Scope(user="mia"))).knowledge

    assert titles(seen.activate(["Ada"])) == ["Zed"]
    assert titles(seen.neighbours("Ada", hops=3)) == ["Zed"]
    assert [node.title for node in seen.nodes()] == ["Ada", "Zed"]
    assert "Nathan" not in titles(seen.query("Who created Zed?"))
    with pytest.raises(MemoryNotFound):
        seen.node("Nathan")


def test_reads_are_told_to_the_audit_and_count_no_use(known, engram):
    known.neighbours("Ada")
    known.node("Ada")
    known.query("Ada")

    actions = [entry.action for entry in engram.audit(limit=5)]

    assert {"list", "get"} <= set(actions)
    used = [each.memory.usage.accesses for each in known.node("Ada").beliefs_in]
    assert used == [0, 0]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda known: known.node(""),
        lambda known: known.node(7),
        lambda known: known.neighbours("Ada", hops=9),
        lambda known: known.neighbours("Ada", direction="up"),
        lambda known: known.neighbours("Ada", limit=0),
        lambda known: known.neighbours("Ada", relation=""),
        lambda known: known.neighbours("Ada", as_of="soon"),
        lambda known: known.path(""),
        lambda known: known.path("Ada", as_of="soon"),
        lambda known: known.path("Ada").find(0),
        lambda known: known.activate([]),
        lambda known: known.activate(["Ada"] * 51),
        lambda known: known.activate(7),
        lambda known: known.infer("Ada", "knows"),
        lambda known: known.infer("Ada", "no such thing!"),
        lambda known: known.query("Ada", hops=0),
        lambda known: known.nodes(""),
        lambda known: known.nodes(limit=-1),
    ],
)
def test_what_makes_no_sense_is_refused(known, wrong):
    with pytest.raises(InvalidInput):
        wrong(known)


def test_a_name_that_is_too_long_is_refused(known):
    with pytest.raises(ContentTooLarge):
        known.node("x" * 201)


def test_a_question_of_endless_words_is_answered(known):
    assert titles(known.query("Ada " + "x" * 5_000))[0] == "Ada"


# Recall follows the graph


def test_recall_finds_a_belief_two_hops_away(known, engram):
    for n in range(30):
        engram.remember(f"The {n}th jar of the pantry holds lentils.")

    found = {
        hit.memory.content: hit for hit in engram.recall("Which editor does Ada use?", limit=10)
    }

    assert "Nathan is located in Boulder." in found
    path = found["Nathan is located in Boulder."].why.path
    assert len(path) == 3
    assert path[-1] == found["Nathan is located in Boulder."].memory.label


def test_what_is_tied_to_everything_ties_nothing(engram):
    known = engram.knowledge
    for n in range(60):
        known.learn(f"Tool {n}", "used_by", "Everybody")

    with engram._view(None) as see:
        assert see.links.ties([1], hops=2) == []


def test_a_store_without_beliefs_asks_for_no_ties(engram, monkeypatch):
    engram.remember("Ada lives in Lyon.")
    asked: list[str] = []
    with engram._view(None) as see:
        rows = see._transaction.rows
        monkeypatch.setattr(
            type(see._transaction), "rows",
            lambda self, query, *rest: (asked.append(query), rows(query, *rest))[1],
        )  # fmt: skip
        assert see.links.ties([1], hops=2) == []

    assert asked == ["has_edges"]


def test_the_graph_stands_after_the_store_was_closed(open_store):
    with open_store() as first:
        first.knowledge.learn("Ada", "uses", "Zed")

    again: Engram = open_store()

    assert titles(again.knowledge.neighbours("Ada")) == ["Zed"]


def test_what_others_believe_hides_no_ties_of_ones_own(open_store):
    owner = open_store()
    for n in range(60):
        owner.knowledge.learn(f"Tool {n}", "used_by", "Ada", scope=Scope(user="eve"))
    mia = open_store(scope=Scope(user="mia"))
    one = mia.knowledge.learn("Zed", "used_by", "Ada").belief.memory.number
    other = mia.knowledge.learn("Vim", "used_by", "Ada").belief.memory.number

    with mia._view(None) as see:
        assert see.links.ties([one], hops=1) == [(one, other, "shares_node")]


def test_of_whom_all_was_withdrawn_nobody_is_told_in_the_list(engram):
    learned = engram.knowledge.learn("Ada", "knows", "Grace")
    withdrawn = engram.knowledge.retract(learned.belief.id, "They have never met.")

    assert engram.knowledge.nodes() == []
    engram.undo(withdrawn.change_id)
    assert [each.label for each in engram.knowledge.nodes()] == ["Ada", "Grace"]


def test_ways_along_weak_ties_count_less(engram):
    known = engram.knowledge
    known.learn("Ada", "knows", "Grace", weight=0.2)
    known.learn("Ada", "knows", "Alan", weight=0.9)

    assert [each.node.label for each in known.neighbours("Ada")] == ["Alan", "Grace"]
    assert known.path("Ada").follow("knows").find()[0].node.label == "Alan"
