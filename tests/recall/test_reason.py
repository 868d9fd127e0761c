"""Answers that no single memory holds: each find may name whom to ask about next."""

from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from clock import FakeClock

from engram import Engram, Scope
from engram.errors import InvalidInput
from engram.recall.bridges import question_words
from engram.recall.reason import reason
from engram.recall.reasoned import Limits
from engram.recall.result import Quality, RecallResult
from tests.recall.stores import HASHING, store_of

FAMILY = (
    "Ada's manager is Grace.",
    "Grace's brother is Roger.",
    "Roger lives in Bergen.",
    "Ada lives in Porto.",
    "Grace lives in Lyon.",
    "Max lives in Oslo.",
    "Tim's brother is Max.",
    "Maria works for Acme.",
    "Acme has its office in Turin.",
    "Coffee is in the kitchen.",
    "We deploy on Fridays.",
)
BROTHER = "Where does the brother of Ada's manager live?"


def _texts(found) -> list[str]:
    return [each.memory.content for each in found]


def test_a_chain_of_three_memories_is_followed_by_the_names_they_share():
    with store_of(FAMILY) as engram:
        found = engram.reason(BROTHER)

    assert _texts(found.chain) == list(FAMILY[:3])
    assert _texts(found)[:3] == list(FAMILY[:3])
    assert (found.is_sufficient, found.gaps, found.stopped) == (True, (), "covered")
    assert found.assessment == "confident"


def test_each_piece_of_evidence_tells_by_which_question_it_was_found_and_after_what():
    with store_of(FAMILY) as engram:
        found = engram.reason(BROTHER)

    manager, brother, home = found.chain
    assert (manager.step, manager.asked, manager.through, manager.after) == (0, BROTHER, None, None)
    assert (brother.through, brother.after) == ("Grace", manager.memory.label)
    assert (home.through, home.after) == ("Roger", brother.memory.label)
    assert found.steps[home.step].query == "Roger live"
    assert found.steps[home.step].depth == 2
    assert home.covers == ("live",)


def test_a_chain_with_vectors_is_followed_too():
    with store_of(FAMILY, settings=HASHING) as engram:
        assert engram.reason(BROTHER).is_sufficient


def test_a_question_that_one_memory_answers_is_asked_once():
    with store_of(FAMILY) as engram:
        found = engram.reason("Where does Ada live?")

    assert [step.query for step in found.steps] == ["Where does Ada live?"]
    assert found.is_sufficient
    assert _texts(found)[0] == "Ada lives in Porto."


def test_what_is_told_of_a_find_is_evidence_even_without_a_word_of_the_question():
    with store_of(FAMILY) as engram:
        found = engram.reason("In which city does Maria work?")

    (office,) = [each for each in found if "Turin" in each.memory.content]
    assert (office.through, office.covers) == ("Acme", ())
    assert found.gaps == ("city",)
    assert not found.is_sufficient


def test_words_that_stand_in_no_memory_are_told_as_gaps():
    with store_of(FAMILY) as engram:
        found = engram.reason("Who is the dentist of Ada's manager?")

    assert found.gaps == ("dentist",)
    assert not found.is_sufficient
    assert found.stopped == "nothing more"


@pytest.mark.parametrize(
    ("question", "memory"),
    [
        ("Who is the owner of the billing service?", "Ada owns the billing service."),
        ("Who owns the billing service?", "Ada is the owner of the billing service."),
        ("Who is running the marathon?", "Ada runs the marathon."),
        ("Who are the runners of the marathon?", "Ada runs the marathon."),
        ("Who is the buyer of the boat?", "Grace buys the boat."),
    ],
)
def test_a_word_stands_in_a_memory_in_whatever_form(question, memory):
    with store_of((memory, *FAMILY)) as engram:
        found = engram.reason(question)

    assert (found.gaps, found.is_sufficient) == ((), True)


def test_a_word_that_any_text_may_hold_is_no_form_of_another():
    with store_of(("The billing service has its own kitchen.",)) as engram:
        found = engram.reason("Who is the owner of the billing service?")

    assert found.gaps == ("owner",)


def test_a_question_about_two_people_is_sufficient_when_both_are_covered():
    with store_of(("Bob drives a Volvo.", "Carla drives a Fiat.")) as engram:
        found = engram.reason("What do Bob and Carla drive?")

    assert found.is_sufficient
    assert set(_texts(found)) == {"Bob drives a Volvo.", "Carla drives a Fiat."}


def test_memories_that_were_related_by_hand_lead_on():
    with store_of(("The build fails at night.", "The cron job eats the disk.")) as engram:
        engram.relate("mem-0001", "mem-0002", "caused_by")
        found = engram.reason("Which disk has to do with the build that fails?")

    build, job = found.chain
    assert (build.memory.label, job.memory.label) == ("mem-0001", "mem-0002")
    assert (job.through, job.after) == ("caused_by", "mem-0001")
    assert found.is_sufficient


def test_a_memory_between_two_that_are_linked_is_followed_without_a_word_of_the_question():
    said = ("The build fails at night.", "Runner seven is broken.", "The cron job eats the disk.")
    with store_of(said) as engram:
        engram.relate("mem-0001", "mem-0002", "caused_by")
        engram.relate("mem-0002", "mem-0003", "caused_by")
        found = engram.reason("Which disk has to do with the build that fails?")

    assert [each.memory.label for each in found.chain] == ["mem-0001", "mem-0002", "mem-0003"]
    assert found.is_sufficient
    followed = next(step for step in found.steps if step.kind == "links")
    assert (followed.depth, followed.query) == (1, found.question)
    assert "mem-0001" in followed.detail
    assert [found.steps[each.step].kind for each in found.chain] == ["recall", "links", "links"]


def test_a_chain_is_followed_by_what_somebody_is_called_as_well():
    said = ("Ada's manager is Bob.", "Robert Miller lives in Bergen.", "Max lives in Oslo.")
    with store_of(said) as engram:
        before = engram.reason("Where does Ada's manager live?")
        engram.merge_entities("Bob", "Robert Miller")
        after = engram.reason("Where does Ada's manager live?")
        of_himself = engram.reason("Where does Bob live?")

    assert (before.is_sufficient, after.is_sufficient) == (False, True)
    assert _texts(after.chain) == list(said[:2])
    assert after.chain[1].through == "robert miller"
    assert of_himself.is_sufficient
    assert _texts(of_himself)[0] == said[1]


def test_what_was_retired_is_no_evidence_even_when_it_is_linked():
    with store_of(("The build fails at night.", "The cron job eats the disk.")) as engram:
        engram.relate("mem-0001", "mem-0002", "caused_by")
        engram.forget("mem-0002", reason="wrong")
        found = engram.reason("Which disk has to do with the build that fails?")

    assert _texts(found) == ["The build fails at night."]


def test_the_depth_bounds_how_far_a_chain_is_followed():
    with store_of(FAMILY) as engram:
        shallow, deep = engram.reason(BROTHER, depth=1), engram.reason(BROTHER, depth=2)

    assert (shallow.stopped, shallow.is_sufficient) == ("depth", False)
    assert max(step.depth for step in shallow.steps) == 1
    assert deep.is_sufficient


@pytest.mark.parametrize("depth", [0, 6, True, "2", 1.5])
def test_a_depth_that_makes_no_sense_is_refused(engram, depth):
    with pytest.raises(InvalidInput):
        engram.reason("anything", depth=depth)


def test_limit_and_budget_bound_what_is_given_back():
    with store_of(FAMILY) as engram:
        assert len(engram.reason(BROTHER, limit=2)) == 2
        tight = engram.reason(BROTHER, budget=7)

    assert sum(-(-len(each.memory.content) // 4) for each in tight) <= 7


def test_a_question_of_signs_alone_finds_nothing():
    with store_of(FAMILY) as engram:
        found = engram.reason("???")

    assert (len(found), found.assessment, found.is_sufficient) == (0, "unknown", False)


def test_what_is_flagged_stays_out_of_automatic_reasoning():
    said = (
        "Ada's manager is Grace.",
        {"text": "Grace's brother is Roger.", "source": "web:example.org"},
    )
    with store_of(said) as engram:
        asked = engram.reason("Who is the brother of Ada's manager?")
        unasked = engram.reason("Who is the brother of Ada's manager?", automatic=True)

    assert len(asked.chain) == 2
    assert _texts(unasked) == ["Ada's manager is Grace."]


def test_a_chain_never_leads_into_another_scope(clock: FakeClock):
    with Engram.open(":memory:", clock=clock) as owner:
        owner.remember("Ada's manager is Grace.", scope=Scope("acme"))
        owner.remember("Grace's brother is Roger.", scope=Scope("beta"))
        from engram import Principal

        found = owner.seen_by(Principal.of(Scope("acme"))).reason(
            "Who is the brother of Ada's manager?"
        )

    assert _texts(found) == ["Ada's manager is Grace."]
    assert found.gaps == ("brother",)


def test_reasoning_is_one_read_in_the_audit_and_counts_one_use(engram):
    for text in FAMILY:
        engram.remember(text)
    engram.settle()

    engram.reason(BROTHER)

    engram.settle()
    reads = [each.action for each in engram.audit() if each.action in ("recall", "reason")]
    assert reads == ["reason"]
    assert engram.get("mem-0003").usage.accesses == 1


@dataclass
class _Endless:
    """A store in which every answer names somebody else."""

    memories: list
    asked: list[str] = field(default_factory=list)

    def ask(self, query):
        hit = self.memories[len(self.asked) % len(self.memories)]
        self.asked.append(query)
        return RecallResult((hit,), Quality(1, 1, 0.0, 0, 1.0), 0.3, "uncertain", "full", ())

    def linked(self, hits):
        return []

    def behind(self, hits):
        return {}

    def aliases(self):
        return {}


def _hits(count: int):
    names = "Abe Bea Cid Dan Eve Fay Gus Hal Ida Jay Kim Lee Mia Ned Oda Pam".split()[:count]
    told = [f"{one} knows {other}." for one, other in pairwise(names)]
    with store_of(told) as engram:
        return [engram.recall(text, limit=1)[0] for text in told]


def test_no_more_is_asked_than_the_depth_allows():
    look = _Endless(_hits(16))

    found = reason("Where does Abe swim?", look, Limits(5, 10, None, lambda: False))

    assert len(look.asked) <= 1 + 5 * 3
    assert len(set(look.asked)) == len(look.asked)
    assert not found.is_sufficient


def test_nothing_more_is_asked_when_the_time_is_up():
    look = _Endless(_hits(4))

    found = reason("Where does Abe swim?", look, Limits(5, 10, None, lambda: True))

    assert found.stopped == "time"
    assert len(look.asked) == 1


def test_the_words_of_a_question_are_those_that_an_answer_must_contain():
    assert list(question_words("What kind of car does Ada's boss drive?")) == [
        "car", "Ada", "boss", "drive",
    ]  # fmt: skip
    assert list(question_words("Who owns billing-service?")) == ["owns", "billing-service"]


def test_those_who_talk_all_the_time_lead_nowhere():
    said = [
        {"text": "I ran a race, Mel.", "speaker": "Caroline"},
        {"text": "Great, Caroline! Was the race long?", "speaker": "Melanie"},
        {"text": "The race was long, Melanie.", "speaker": "Caroline"},
        {"text": "I got a certificate of swimming, Caroline.", "speaker": "Melanie"},
    ]
    with store_of(said) as engram:
        found = engram.reason("Which certificate did Caroline get at the race?")

    assert not any(step.through in ("Mel", "Melanie", "Caroline") for step in found.steps)


def _world() -> tuple[list[str], list[tuple[str, str]]]:
    """People who are each other's managers and brothers, and questions over two or three facts."""
    people = "Ada Bea Cid Dora Egon Fay Gus Hilda Ivor Jana Kurt Lena Milo Nora Otto Pia".split()
    towns = "Lyon Porto Bergen Turin Oslo Graz Ghent Basel Split Riga Cork Bilbao".split()
    manager = {name: people[(place + 7) % 16] for place, name in enumerate(people)}
    brother = {name: people[(place + 5) % 16] for place, name in enumerate(people)}
    home = {name: towns[place % 12] for place, name in enumerate(people)}
    facts = [
        fact
        for name in people
        for fact in (
            f"{name}'s manager is {manager[name]}.",
            f"{name}'s brother is {brother[name]}.",
            f"{name} lives in {home[name]}.",
            f"{name} likes jazz.",
        )
    ]
    questions = []
    for name in people:
        boss = manager[name]
        questions.append((f"Where does {name}'s manager live?", f"{boss} lives in {home[boss]}."))
        other = brother[boss]
        asked = f"Where does the brother of {name}'s manager live?"
        questions.append((asked, f"{other} lives in {home[other]}."))
    return facts, questions


def test_questions_over_several_memories_are_answered_where_recall_alone_cannot():
    facts, questions = _world()
    with store_of(facts) as engram:
        reasoned = [answer in _texts(engram.reason(asked))[:3] for asked, answer in questions]
        recalled = [answer in _texts(engram.recall(asked))[:3] for asked, answer in questions]

    assert sum(reasoned) == len(questions)
    assert sum(recalled) <= len(questions) // 4


def test_of_two_memories_with_the_same_words_the_one_that_tells_it_of_the_person_leads():
    said = (
        "Tim's manager is Ada.", "Ada's manager is Grace.",
        "Tim lives in Oslo.", "Grace lives in Lyon.",
    )  # fmt: skip
    with store_of(said) as engram:
        found = engram.reason("Where does Ada's manager live?")

    assert _texts(found)[:2] == ["Ada's manager is Grace.", "Grace lives in Lyon."]
