"""Which tier a memory is kept in: what is found decides, people override, and it is inherited."""

from datetime import timedelta

import pytest

from engram import Engram, Scope
from engram.capture.extract import ExtractRules, read_session
from engram.errors import AccessDenied, IdempotencyConflict, InvalidInput, UndoConflict
from engram.memory.scopes import Principal
from engram.memory.secrecy import decided, is_veiled, shown
from engram.memory.vocabulary import Secrecy
from engram.providers.language_model import Completion
from engram.providers.text_reader import packaged_reader
from engram.security.screening.protected import (
    allowed_summary,
    open_summary,
    protected_in,
    summary_for,
    tier_of,
)
from engram.storage.turns import UnreadSession

MAIL = "ada.lovelace@analytical.org"
CARD = "4111 1111 1111 1111"
AGENT = Scope(project="acme", agent="coder")


@pytest.fixture
def engram(open_store) -> Engram:
    return open_store()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The office is in Porto.", Secrecy.CLEARTEXT),
        ("My name is Ada and I live in Porto.", Secrecy.CLEARTEXT),
        ("The server is at 192.168.10.22.", Secrecy.CLEARTEXT),
        (f"Write to {MAIL}.", Secrecy.SENSITIVE),
        ("Call me at +49 30 901820.", Secrecy.SENSITIVE),
        (f"The card is {CARD}.", Secrecy.CONFIDENTIAL),
        (f"The card {CARD} belongs to {MAIL}.", Secrecy.CONFIDENTIAL),
    ],
)
def test_what_is_found_in_a_text_decides_its_tier(text, expected):
    assert tier_of(protected_in(text)) is expected


def test_a_memory_is_kept_in_the_tier_its_text_calls_for(engram):
    plain = engram.remember("The office is in Porto.").memory
    sensitive = engram.remember(f"Write to {MAIL}.").memory
    confidential = engram.remember(f"The card is {CARD}.").memory

    assert plain.secrecy is Secrecy.CLEARTEXT
    assert (sensitive.secrecy, sensitive.summary) == (Secrecy.SENSITIVE, "Write to [email].")
    assert (confidential.secrecy, confidential.summary) == (Secrecy.CONFIDENTIAL, None)
    assert engram.get(confidential.id).content == f"The card is {CARD}."


def test_metadata_counts_for_the_tier(engram):
    memory = engram.remember("The contact of the client.", metadata={"mail": MAIL}).memory

    assert memory.secrecy is Secrecy.SENSITIVE
    assert engram.get(memory.id).metadata["mail"] == MAIL


def test_a_person_overrides_both_ways(engram):
    raised = engram.remember("The bonus is large.", secrecy="confidential").memory
    lowered = engram.remember(f"Write to {MAIL}.", secrecy="cleartext").memory

    assert raised.secrecy is Secrecy.CONFIDENTIAL
    assert lowered.secrecy is Secrecy.CLEARTEXT


def test_an_agent_only_raises(open_store):
    agent = open_store(scope=AGENT)

    raised = agent.remember("The bonus is large.", secrecy="confidential").memory
    kept = agent.remember(f"Write to {MAIL}.", secrecy="cleartext").memory

    assert raised.secrecy is Secrecy.CONFIDENTIAL
    assert kept.secrecy is Secrecy.SENSITIVE


def test_with_the_setting_asked_only_a_word_decides(open_store):
    engram = open_store(settings={"security": {"tiers": "asked"}})

    assert engram.remember(f"Write to {MAIL}.").memory.secrecy is Secrecy.CLEARTEXT
    said = engram.remember("The bonus is large.", secrecy="sensitive").memory
    assert said.secrecy is Secrecy.SENSITIVE


def test_an_unknown_tier_is_refused_with_those_there_are(engram):
    with pytest.raises(InvalidInput) as refused:
        engram.remember("x", secrecy="top")
    assert "confidential" in refused.value.hint


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("How to reach the client", "How to reach the client"),
        (f"Mail to {MAIL}", "Write to [email]."),
        ("Mail to ADA.LOVELACE @ analytical.org", "Write to [email]."),
    ],
)
def test_a_summary_stands_beside_a_sensitive_memory_unless_it_tells(engram, given, expected):
    memory = engram.remember(f"Write to {MAIL}.", summary=given).memory

    assert memory.summary == expected


def test_of_what_a_person_calls_sensitive_nothing_is_told_unless_given(engram):
    alone = engram.remember("The merger is near.", secrecy="sensitive").memory
    given = engram.remember("Prices rise.", secrecy="sensitive", summary="About prices").memory

    assert alone.summary is None
    assert given.summary == "About prices"


def test_the_pieces_of_a_long_text_have_summaries_of_their_own(open_store):
    engram = open_store(settings={"capture": {"max_content_bytes": 256}})
    text = " ".join(f"Part {n} is about matter number {n}." for n in range(12))

    outcome = engram.remember(f"{text} Write to {MAIL}. {text}")

    assert len(outcome.parts) > 1
    for part in outcome.parts:
        assert part.secrecy is Secrecy.SENSITIVE
        assert MAIL not in (part.summary or "")
        assert (part.summary or "")[:20] in part.content.replace(MAIL, "[email]")


def test_a_summary_without_the_finds_is_made_and_checked():
    assert open_summary(f"Write to {MAIL}.") == "Write to [email]."
    assert open_summary("Ask for zebra.", ["zebra "]) is None
    assert allowed_summary("fine", Secrecy.SENSITIVE, ["zebra"]) == "fine"
    assert summary_for("The merger is near.", None, Secrecy.SENSITIVE) is None


def test_a_repeat_of_a_protected_statement_confirms_it(engram):
    first = engram.remember(f"The card is {CARD}.")
    again = engram.remember(f"The card is {CARD}.")

    assert (again.kind, again.memory.id) == ("confirmed", first.memory.id)


def test_a_statement_that_comes_again_under_a_higher_tier_is_raised(engram):
    first = engram.remember("The bonus is large.").memory
    again = engram.remember("The bonus is large.", secrecy="confidential")

    assert (again.kind, again.memory.id) == ("confirmed", first.id)
    assert engram.get(first.id).secrecy is Secrecy.CONFIDENTIAL


def test_a_statement_that_comes_again_in_the_open_stays_protected(engram):
    first = engram.remember("The bonus is large.", secrecy="confidential").memory
    again = engram.remember("The bonus is large.")

    assert (again.kind, again.memory.id) == ("confirmed", first.id)
    assert engram.get(first.id).secrecy is Secrecy.CONFIDENTIAL


def test_an_idempotent_request_is_one_also_when_it_is_protected(engram):
    first = engram.remember(f"The card is {CARD}.", idempotency_key="k")
    again = engram.remember(f"The card is {CARD}.", idempotency_key="k")

    assert again.memory.id == first.memory.id
    with pytest.raises(IdempotencyConflict):
        engram.remember("Something else.", idempotency_key="k")


def test_a_new_wording_is_protected_at_least_as_the_old_one(engram):
    secret = engram.remember("The bonus is large.", secrecy="confidential").memory
    plain = engram.remember("Ask the office.").memory

    assert engram.revise(secret.id, "The bonus is small.").secrecy is Secrecy.CONFIDENTIAL
    revised = engram.revise(plain.id, f"Ask {MAIL}.")
    assert (revised.secrecy, revised.summary) == (Secrecy.SENSITIVE, "Ask [email].")
    assert {entry.memory.secrecy for entry in engram.history(plain.id)} == {Secrecy.SENSITIVE}


def test_what_is_drawn_from_a_turn_inherits_its_tier(engram):
    engram.observe("I prefer tea over coffee in the morning.", session="s", secrecy="confidential")
    engram.flush()

    memories = engram.list()
    assert len(memories) > 1
    assert {memory.secrecy for memory in memories} == {Secrecy.CONFIDENTIAL}


def test_the_tier_is_set_and_taken_back_exactly(engram):
    before = engram.remember("The bonus is large.", summary="About pay").memory

    changed = engram.set_tier(before.id, "confidential", reason="private")
    assert (changed.secrecy, changed.content) == (Secrecy.CONFIDENTIAL, before.content)
    (again,) = engram.undo(changed.change_id)
    assert (again.secrecy, again.content) == (Secrecy.CLEARTEXT, before.content)
    assert again.summary == "About pay"
    assert [hit.memory.id for hit in engram.recall("bonus")] == [before.id]
    (redone,) = engram.undo(again.change_id)
    assert redone.secrecy is Secrecy.CONFIDENTIAL


def test_the_same_tier_changes_nothing(engram):
    memory = engram.remember("The bonus is large.").memory

    assert engram.set_tier(memory.id, "cleartext").change_id == memory.change_id


def test_a_tier_that_was_moved_on_is_not_taken_back_from_under_it(engram):
    memory = engram.remember("The bonus is large.").memory
    first = engram.set_tier(memory.id, "sensitive")
    engram.set_tier(memory.id, "confidential")

    with pytest.raises(UndoConflict):
        engram.undo(first.change_id)


def test_an_agent_raises_a_tier_and_does_not_lower_it(open_store):
    with open_store() as owner:
        said = owner.remember("The bonus is large.", scope=AGENT, secrecy="sensitive").memory
    agent = open_store(scope=AGENT)

    raised = agent.set_tier(said.id, "confidential")

    assert raised.secrecy is Secrecy.CONFIDENTIAL
    with pytest.raises(AccessDenied):
        agent.set_tier(said.id, "sensitive")
    with pytest.raises(AccessDenied):
        agent.undo(raised.change_id)


def test_a_raise_reaches_the_turn_and_what_was_made_of_it(engram):
    engram.observe("I prefer tea over coffee in the morning.", session="s")
    engram.flush()
    turn, *drawn = sorted(engram.list(), key=lambda memory: memory.number)
    assert drawn

    changed = engram.set_tier(drawn[0].id, "confidential")

    assert engram.get(turn.id).secrecy is Secrecy.CONFIDENTIAL
    engram.undo(changed.change_id)
    assert engram.get(turn.id).secrecy is Secrecy.CLEARTEXT


def test_a_lowered_tier_is_a_security_event(engram):
    memory = engram.remember("The bonus is large.", secrecy="confidential").memory
    engram.set_tier(memory.id, "cleartext")

    assert [hit.memory.id for hit in engram.recall("bonus")] == [memory.id]
    assert any(event.kind == "tier_lowered" for event in engram.security_events())


def test_confidential_memories_enter_no_prompt_unasked(engram):
    engram.remember("The bonus of the team is large.", secrecy="confidential")
    engram.remember("The bonus of the team is paid in May.", secrecy="sensitive")

    offered = engram.recall("bonus of the team", automatic=True)

    assert {hit.memory.secrecy for hit in offered} <= {Secrecy.SENSITIVE}
    asked = engram.recall("What is the bonus of the team?")
    assert Secrecy.CONFIDENTIAL in {hit.memory.secrecy for hit in asked}


def test_who_may_ask_for_less():
    person, agent = Principal.of(None), Principal.of(AGENT)

    assert decided(Secrecy.SENSITIVE, Secrecy.CLEARTEXT, person) is Secrecy.CLEARTEXT
    assert decided(Secrecy.SENSITIVE, Secrecy.CLEARTEXT, agent) is Secrecy.SENSITIVE
    assert decided(Secrecy.SENSITIVE, Secrecy.CONFIDENTIAL, agent) is Secrecy.CONFIDENTIAL
    assert not is_veiled(agent)


def test_what_stands_for_a_text():
    assert shown("text", "gist", Secrecy.CLEARTEXT) == "text"
    assert shown("text", "gist", Secrecy.SENSITIVE) == "gist"
    assert shown("text", None, Secrecy.SENSITIVE) == "[sensitive]"
    assert shown("text", "gist", Secrecy.CONFIDENTIAL) == "[confidential]"


def test_an_event_that_calls_for_it_raises_its_episode(engram):
    begun = engram.episodes.begin("A quiet talk")
    assert begun.memory.secrecy is Secrecy.CLEARTEXT

    engram.episodes.add(begun.id, {"type": "user_message", "content": f"Write to {MAIL}"})

    assert engram.episodes.get(begun.id).memory.secrecy is Secrecy.SENSITIVE


def test_what_replaces_a_protected_memory_is_protected_like_it(engram):
    old = engram.remember("The bonus is large.", secrecy="confidential").memory
    new = engram.remember("The bonus is small.", replaces=old.id).memory
    corrected = engram.feedback(new.id, False, correction="There is no bonus.").correction

    assert new.secrecy is Secrecy.CONFIDENTIAL
    assert corrected.memory.secrecy is Secrecy.CONFIDENTIAL


class _Listening:
    """A model that notes what it is shown and finds nothing."""

    identity = "listening"

    def __init__(self) -> None:
        self.shown: list[str] = []

    def complete(self, prompt):
        self.shown.append(prompt.user)
        return Completion('{"facts": []}', 1, 1)


def test_a_model_reads_no_confidential_turn(engram):
    engram.observe("The word of the day is zebra.", session="s", secrecy="confidential")
    engram.observe("The word of the week is gnu.", session="s")
    model, now = _Listening(), engram._clock()
    rules = ExtractRules(engram._draft_rules(now), packaged_reader(), model=lambda _: model)

    session = UnreadSession(Scope(), "s", 2, now, is_urgent=False)
    read_session(engram._store, session, rules, due_by=now + timedelta(days=1))

    assert any("gnu" in each for each in model.shown)
    assert not any("zebra" in each for each in model.shown)


def test_a_raise_does_not_follow_a_link_that_somebody_tied(engram):
    rule = engram.remember("Deployments happen on Tuesdays.").memory
    junk = engram.remember("Something else.").memory
    engram.relate(rule.id, junk.id, "derived_from")

    engram.set_tier(junk.id, "confidential")

    assert engram.get(rule.id).secrecy is Secrecy.CLEARTEXT
