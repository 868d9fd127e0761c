"""What is kept beside a protected memory is protected like it, in every table and every file."""

import base64
from pathlib import Path

import pytest

from engram import Engram
from engram.memory.episodes.events import ToolCall, UserMessage
from engram.memory.episodes.outcomes import Failure, Success
from engram.memory.skills import (
    CallTool,
    Feature,
    KeywordPresent,
    Procedure,
    ProcedureStep,
    Skill,
    TriggerPattern,
)
from engram.memory.vocabulary import Secrecy

CANARY = "zebrafinchq"
MAIL = f"{CANARY}@analytical.org"
CARD = "4111 1111 1111 1111"


@pytest.fixture
def engram(open_store) -> Engram:
    return open_store()


def forms(word: str) -> list[bytes]:
    """The ways in which a word can stand in a file: as letters, as base64, in two bytes each."""
    found = [word.encode(), word.lower().encode(), word.upper().encode()]
    found += [word.encode("utf-16-le"), word.encode("utf-16-be")]
    coded = [base64.b64encode(b"x" * shift + word.encode()) for shift in range(3)]
    return [*found, *(each[4:-4] for each in coded)]


def files_with(folder: Path, *words: str) -> list[str]:
    """The files below a folder in which any of some words stands in any form."""
    sought = [form for word in words for form in forms(word)]
    return [
        path.name
        for path in sorted(folder.rglob("*"))
        if path.is_file() and any(form in path.read_bytes() for form in sought)
    ]


def skill(words: str, tool: str = "post") -> Skill:
    return Skill(
        name=f"pay {words}",
        description=f"Pay with {words}.",
        trigger=TriggerPattern(features=(Feature("pay", KeywordPresent(("pay",))),)),
        procedure=Procedure(
            steps=(ProcedureStep(description=f"Type {words}.", action=CallTool(tool)),)
        ),
    )


def episode(engram: Engram, words: str, tool: str = "post"):
    return engram.episodes.record(
        {"text": f"Ask about {words}", "goal": f"know {words}"},
        [UserMessage(f"Say {words}"), ToolCall(tool, {"key": words})],
        Failure(f"no {words}"),
        participants=[words],
    ).episode  # fmt: skip


def again_events(engram: Engram, episode_id: str):
    return [each.event for each in engram.episodes.events(episode_id).events]


def test_no_detail_of_what_is_found_to_be_protected_is_in_any_file(engram, store_path):
    episode(engram, MAIL)
    begun = engram.episodes.begin("A quiet talk")
    engram.episodes.add(begun.id, [UserMessage(f"Write to {MAIL}")])
    engram.episodes.end(begun.id, Success(f"wrote to {MAIL}"))
    engram.knowledge.learn("Ada", property="contact", value=MAIL)
    engram.knowledge.learn(MAIL, "part_of", "Analytical Society")
    engram.skills.add(skill(MAIL))
    engram.skills.feedback(f"pay {MAIL}", Failure(f"no mail to {MAIL}"), tool=CANARY)
    kept = engram.remember(f"Write to {MAIL}.", metadata={"mail": MAIL}).memory
    engram.feedback(kept.id, True, query=f"Where is {MAIL}?")
    engram.feedback(engram.remember("Plain.").memory.id, True, query=f"Where is {MAIL}?")
    engram.observe(f"Please write to {MAIL} about the tea.", session="s")
    engram.flush()
    engram.working.attend(f"Think of {MAIL}", session="s")
    engram.working.suspend(session="s")
    engram.settle(30)
    engram.dream()
    engram.backup()

    assert files_with(store_path, CANARY) == []
    engram.close()
    assert files_with(store_path, CANARY) == []


def test_details_are_read_as_they_were_told(engram):
    lived = episode(engram, MAIL)
    learned = engram.knowledge.learn("Ada", property="contact", value=MAIL)
    engram.skills.add(skill(MAIL))
    engram.skills.feedback(f"pay {MAIL}", Failure(f"no mail to {MAIL}"), tool="post")

    again = engram.episodes.get(lived.id)
    assert again.memory.secrecy is Secrecy.SENSITIVE
    assert (again.situation, again.participants) == (lived.situation, lived.participants)
    assert again.outcome == lived.outcome
    assert [event.happening for event in again_events(engram, lived.id)] == [
        UserMessage(f"Say {MAIL}"), ToolCall("post", {"key": MAIL}),
    ]  # fmt: skip
    assert MAIL in str(engram.knowledge.belief("Ada", property="contact"))
    assert learned.belief.memory.secrecy is Secrecy.SENSITIVE
    found = engram.skills.get(f"pay {MAIL}")
    assert found.skill == skill(MAIL)
    assert found.stats.failures == 1


def test_a_repeated_fact_confirms_a_protected_one(engram):
    first = engram.knowledge.learn("Ada", property="contact", value=MAIL)
    again = engram.knowledge.learn("Ada", property="contact", value=MAIL)

    assert (again.kind, again.belief.id) == ("confirmed", first.belief.id)


@pytest.mark.parametrize("tier", ["sensitive", "confidential"])
def test_a_tier_that_is_set_later_reaches_all_details(engram, open_store, store_path, tier):
    words = f"{CANARY} of the hill"
    lived = episode(engram, words, CANARY)
    learned = engram.knowledge.learn("Ada", property="bird", value=words)
    engram.skills.add(skill(words, CANARY))
    engram.skills.feedback(f"pay {words}", Failure(f"no {words}"), tool=CANARY)
    practised = engram.skills.get(f"pay {words}").memory
    judged = engram.remember(f"The bird is {words}.").memory
    engram.feedback(judged.id, True, query=f"Which {words}?")
    engram.settle(30)
    assert files_with(store_path, CANARY)

    changes = [
        engram.set_tier(memory_id, tier).change_id
        for memory_id in (lived.id, learned.belief.id, practised.id, judged.id)
    ]
    engram.close()

    assert files_with(store_path, CANARY) == []
    with open_store() as again:
        assert again.episodes.get(lived.id).situation == lived.situation
        assert again.skills.get(f"pay {words}").skill == skill(words, CANARY)
        for change in changes:
            again.undo(change)
        assert again.episodes.get(lived.id).situation == lived.situation
        assert again.skills.get(f"pay {words}").skill == skill(words, CANARY)
        assert again.episodes.by_participant(words)
    assert files_with(store_path, CANARY)


def test_a_forgotten_wording_is_protected_like_the_present_one(engram, store_path):
    memory = engram.remember(f"The bird is {CANARY}.").memory
    engram.revise(memory.id, "The bird is green.")
    engram.set_tier(memory.id, "confidential")
    engram.close()

    assert files_with(store_path, CANARY) == []


def test_the_key_of_a_protected_request_is_no_plain_hash(engram, store_path):
    import hashlib
    import json

    engram.remember(f"The card is {CARD}.", idempotency_key="k")
    engram.close()

    plain = hashlib.sha256(
        json.dumps([f"The card is {CARD}.", {"idempotency_key": "k", "pinned": False}],
                   sort_keys=True).encode()
    ).digest()  # fmt: skip
    assert not any(plain in path.read_bytes() for path in store_path.rglob("*") if path.is_file())
