"""News of changes that go out: signed, in order, again until they arrive, and never lost."""

import hashlib
import hmac
import json
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram import Engram, Scope
from engram.errors import AccessDenied, InvalidInput
from engram.sharing.webhooks.send import wait_seconds
from engram.storage.webhooks import WebhookTable, has_news
from engram.surfaces.http.webhook_out import WebhookSender

SECRET = "a secret of sixteen or more"


def told(receiver, action="remember"):
    return [each for each in receiver.documents if each["action"] == action]


def test_a_change_is_told_with_ids_and_without_words(engram, receiver):
    engram.add_webhook("n8n", receiver.url)
    stored = engram.remember("Ada's office is in Lyon.")

    engram.deliver_due()

    [news] = receiver.documents
    assert news["action"] == "remember"
    assert news["memory_ids"] == [stored.memory.id]
    assert news["labels"] == [stored.memory.label]
    assert news["change_id"] == stored.change_id
    assert news["scope"] == "/"
    assert news["at"] == "2026-03-01T09:00:00+00:00"
    assert b"Lyon" not in receiver.got[0].body
    assert "memories" not in news


def test_the_signature_can_be_checked_with_a_few_lines_of_anybodys(engram, receiver, clock):
    issued = engram.add_webhook("n8n", receiver.url, secret=SECRET)
    engram.remember("Ada's office is in Lyon.")

    engram.deliver_due()

    [got] = receiver.got
    seconds, code = (part.split("=")[1] for part in got.headers["Engram-Signature"].split(","))
    signed = seconds.encode() + b"." + got.body
    assert hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest() == code
    assert int(seconds) == int(clock().timestamp())
    assert got.headers["Engram-Event"] == "remember"
    assert got.headers["Engram-Delivery"] == got.document["id"]
    assert got.document["id"].startswith(issued.webhook.id)


def test_only_what_happens_after_it_was_made_is_told(engram, receiver):
    engram.remember("Ada's office is in Lyon.")
    engram.add_webhook("n8n", receiver.url)
    engram.remember("Ada's desk is by the window.")

    engram.deliver_due()

    assert len(receiver.got) == 1


def test_a_change_of_two_memories_is_one_piece_of_news(engram, receiver):
    old = engram.remember("Ada's office is in Lyon.").memory
    engram.add_webhook("n8n", receiver.url, events=["supersede", "remember"])
    new = engram.remember("Ada's office is in Porto.", replaces=old.id).memory

    engram.deliver_due()

    ids = [set(each["memory_ids"]) for each in receiver.documents]
    assert set().union(*ids) == {old.id, new.id}
    assert len({each["change_id"] for each in receiver.documents}) == 1


def test_only_the_actions_that_were_asked_for_are_told(engram, receiver):
    engram.add_webhook("n8n", receiver.url, events=["forget"])
    memory = engram.remember("Ada's office is in Lyon.").memory
    engram.forget(memory.id, reason="moved")

    engram.deliver_due()

    assert [each["action"] for each in receiver.documents] == ["forget"]


def test_reads_are_no_news(engram, receiver):
    engram.add_webhook("n8n", receiver.url)
    engram.recall("Where is Ada's office?")
    engram.settle()

    engram.deliver_due()

    assert receiver.got == []


def test_another_scopes_changes_are_not_told(engram, receiver):
    engram.add_webhook("acme", receiver.url, scope=Scope(project="acme"))
    engram.remember("Theirs.", scope=Scope(project="other"))
    engram.remember("An agent's.", scope=Scope(project="acme", agent="coder"))
    ours = engram.remember("Ours.", scope=Scope(project="acme")).memory
    everybodys = engram.remember("Everybody's.").memory

    engram.deliver_due()

    assert [each["memory_ids"] for each in receiver.documents] == [[ours.id], [everybodys.id]]


def test_with_below_what_lies_inside_the_scope_is_told_too(engram, receiver):
    engram.add_webhook("acme", receiver.url, scope=Scope(project="acme"), below=True)
    engram.remember("Theirs.", scope=Scope(project="other"))
    agents = engram.remember("An agent's.", scope=Scope(project="acme", agent="coder")).memory

    engram.deliver_due()

    assert [each["memory_ids"] for each in receiver.documents] == [[agents.id]]


def test_words_are_told_only_when_it_was_made_for_that_and_only_what_is_in_force(engram, receiver):
    engram.add_webhook("n8n", receiver.url, with_content=True, events=["remember"])
    engram.remember("Ada's office is in Lyon.")
    gone = engram.remember("Ada's desk is by the window.").memory
    engram.forget(gone.id, reason="no longer")

    engram.deliver_due()

    first, second = receiver.documents
    assert [each["content"] for each in first["memories"]] == ["Ada's office is in Lyon."]
    assert second["memories"] == []


@pytest.mark.parametrize("answer", [500, 404, "hang", "garbage", "drop", "redirect", "huge"])
def test_what_does_not_arrive_is_sent_again_as_the_same_delivery(
    store_path, clock, receiver, answer
):
    settings = {"network": {"webhook_timeout_seconds": 0.4}}
    with Engram.open(store_path, clock=clock, settings=settings) as engram:
        webhook = engram.add_webhook("n8n", receiver.url).webhook
        engram.remember("Ada's office is in Lyon.")
        receiver.plan = [answer]

        rest = engram.deliver_due()
        [failing] = engram.webhooks()
        engram.deliver_due()  # too soon: nothing is sent
        clock.advance(seconds=3)
        engram.deliver_due()
        [arrived] = engram.webhooks()

    first, second = receiver.got
    assert first.headers["Engram-Delivery"] == second.headers["Engram-Delivery"]
    assert first.body == second.body
    assert second.path == "/webhook/engram"
    assert failing.problem
    assert failing.attempts == 1
    assert 0 < rest <= 2
    assert (arrived.problem, arrived.attempts, arrived.id) == ("", 0, webhook.id)


def test_news_arrive_in_order_also_when_one_of_them_fails(engram, receiver, clock):
    engram.add_webhook("n8n", receiver.url)
    made = [engram.remember(f"Fact number {n} is known.").memory.id for n in range(6)]
    receiver.plan = [200, 200, 500]

    engram.deliver_due()
    clock.advance(seconds=5)
    engram.deliver_due()

    arrived = [each["memory_ids"][0] for each in receiver.documents]
    assert arrived == [*made[:3], *made[2:]]


def test_one_webhook_that_fails_is_in_no_others_way(engram, receiver):
    engram.add_webhook("dead", "http://127.0.0.1:9/nobody")
    engram.add_webhook("alive", receiver.url)
    engram.remember("Ada's office is in Lyon.")

    engram.deliver_due()

    assert len(receiver.got) == 1


def test_after_some_days_it_is_given_up_and_a_test_that_arrives_lets_it_go_on(
    engram, receiver, clock
):
    webhook = engram.add_webhook("n8n", receiver.url).webhook
    engram.remember("Ada's office is in Lyon.")
    receiver.plan = [500, 500]
    engram.deliver_due()
    clock.advance(hours=73)
    engram.deliver_due()
    clock.advance(hours=73)
    engram.deliver_due()
    [given_up] = engram.webhooks()

    trial = engram.test_webhook(webhook.id)
    engram.deliver_due()

    assert given_up.is_given_up
    assert given_up.problem.startswith("Given up.")
    assert trial.has_arrived
    assert [each["action"] for each in receiver.documents[2:]] == ["webhook.test", "remember"]
    assert engram.webhooks()[0].problem == ""


def test_how_long_it_is_tried_is_a_setting(store_path, clock, receiver):
    settings = {"network": {"webhook_give_up_hours": 1.0}}
    with Engram.open(store_path, clock=clock, settings=settings) as engram:
        engram.add_webhook("n8n", receiver.url)
        engram.remember("Ada's office is in Lyon.")
        receiver.plan = [500, 500]
        engram.deliver_due()
        clock.advance(hours=2)
        engram.deliver_due()

        assert engram.webhooks()[0].is_given_up


def test_an_ended_webhook_hears_nothing(engram, receiver):
    webhook = engram.add_webhook("n8n", receiver.url).webhook
    engram.end_webhook(webhook.id)
    engram.remember("Ada's office is in Lyon.")

    engram.deliver_due()

    assert receiver.got == []
    assert engram.webhooks() == []
    assert [each.id for each in engram.webhooks(every=True)] == [webhook.id]


def test_a_write_does_not_wait_for_a_receiver(store_path, receiver):
    with Engram.open(store_path) as engram:
        engram.add_webhook("n8n", receiver.url)
        engram.remember("Ada's office is in Lyon.")
        receiver.seconds = 1.0
        delivering = threading.Thread(target=engram.deliver_due)
        delivering.start()
        time.sleep(0.3)

        began = time.monotonic()
        engram.remember("Ada's desk is by the window.")
        took = time.monotonic() - began
        delivering.join()

    assert took < 0.5


def test_it_stops_between_two_messages_when_told_and_goes_on_later(engram, receiver):
    engram.add_webhook("n8n", receiver.url)
    for n in range(5):
        engram.remember(f"Fact number {n} is known.")

    engram.deliver_due(lambda: len(receiver.got) >= 2)
    stopped_at = len(receiver.got)
    engram.deliver_due()

    assert stopped_at == 2
    assert len(receiver.got) == 5


def test_whether_something_is_left_to_tell_is_known_also_when_only_reads_were_added(
    engram, receiver
):
    def is_left() -> bool:
        with engram._store.database.reading(5) as transaction:
            return any(has_news(transaction, each) for each in WebhookTable(transaction).all())

    engram.add_webhook("n8n", receiver.url, events=["remember"])
    memory = engram.remember("Ada's office is in Lyon.").memory
    before = is_left()
    engram.deliver_due()
    engram.recall("Where is Ada's office?")
    engram.settle()
    after_reading = is_left()
    engram.forget(memory.id, reason="moved")
    engram.deliver_due()  # not asked for, and so passed over

    assert (before, after_reading, is_left()) == (True, False, False)


def test_a_server_delivers_while_it_runs(store_path, receiver):
    with Engram.open(store_path) as engram:
        engram.add_webhook("n8n", receiver.url)
        sender = WebhookSender(engram)
        sender.start()
        engram.remember("Ada's office is in Lyon.")
        receiver.wait_for(1)
        sender.close()

    assert not sender._thread.is_alive()


def test_a_number_of_the_audit_that_comes_again_after_a_restore_is_another_delivery(
    store_path, receiver
):
    with Engram.open(store_path) as engram:
        engram.add_webhook("n8n", receiver.url)
        backup = engram.backup()
        for _ in range(2):
            engram.remember("Ada's office is in Lyon.")
            engram.deliver_due()
            engram.restore(backup.path)

    first, second = receiver.documents
    assert first["id"] != second["id"]


def test_a_webhook_that_sees_little_does_not_look_through_the_same_lines_for_ever(engram, receiver):
    engram.add_webhook("acme", receiver.url, scope=Scope(project="acme"))
    other = Scope(project="other")
    engram.remember_many([{"text": f"Fact {n} is theirs.", "scope": other} for n in range(1_100)])

    engram.deliver_due()

    assert engram.webhooks()[0].cursor >= 1_100


def test_making_and_ending_a_webhook_is_audited_and_its_secret_is_shown_once(engram, receiver):
    issued = engram.add_webhook("n8n", receiver.url)
    engram.end_webhook(issued.webhook.id)

    actions = [each.action for each in engram.audit()]
    assert actions == ["end_webhook", "add_webhook"]
    assert issued.secret.startswith("whsec_")
    assert issued.secret not in repr(issued)
    assert [each.secret for each in engram.webhooks(every=True)] == [""]
    assert engram.verify_audit().is_intact


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/x",
        "https://",
        "https://user:password@example.com/x",
        "https://example.com/x?token=1",
        "https://example.com/x#part",
        "http://example.com/x",
        "https://example.com/a b",
        "https://example.com/a\r\nHost: evil",
        "https://exämple.com/x",
        "https://[::1",
        "file:///etc/passwd",
        "",
    ],
)
def test_an_address_that_holds_a_secret_or_is_none_is_refused(engram, url):
    with pytest.raises(InvalidInput):
        engram.add_webhook("n8n", url)


def test_plain_http_to_another_machine_has_to_be_allowed(engram):
    webhook = engram.add_webhook("n8n", "http://n8n.lan:5678/hook", allow_plain_http=True).webhook

    assert webhook.url == "http://n8n.lan:5678/hook"


@pytest.mark.parametrize(
    "wrong",
    [
        {"events": []},
        {"events": ["*", "nonsense"]},
        {"events": "remember"},
        {"secret": "short"},
        {"secret": "with\nnewline and long enough"},
    ],
)
def test_wrong_arguments_are_refused(engram, wrong):
    with pytest.raises(InvalidInput):
        engram.add_webhook("n8n", "https://example.com/x", **wrong)


def test_only_the_owner_looks_after_webhooks(engram, open_store):
    stranger = open_store(scope=Scope(project="acme"))

    for act in (
        lambda: stranger.add_webhook("n8n", "https://example.com/x"),
        lambda: stranger.webhooks(),
        lambda: stranger.end_webhook("hook-1"),
        lambda: stranger.test_webhook("hook-1"),
        lambda: stranger.deliver_due(),
        lambda: stranger.take_message("hook-1", b"{}", signature=""),
    ):
        with pytest.raises(AccessDenied):
            act()


def test_what_changed_is_listed_for_a_caller_through_its_own_reach(engram):
    first = engram.remember("Ada's office is in Lyon.")
    engram.remember("Theirs.", scope=Scope(project="other"))
    engram.forget(first.memory.id, reason="moved")

    found = engram.changes_since(0)

    assert [each.action for each in found] == ["remember", "forget"]
    assert engram.changes_since(found[0].sequence) == found[1:]
    assert engram.changes_since(0, limit=1) == found[:1]
    assert json.dumps([each.scope for each in found]) == '["/", "/"]'


@given(st.integers(0, 10_000), st.floats(0, 1), st.floats(0, 4_000))
def test_waits_grow_but_stay_bounded_and_never_fall_below_what_was_asked(attempts, chance, asked):
    wait = wait_seconds(attempts, chance, asked=asked)

    assert max(asked, 1.0) <= wait <= max(asked, 3_600.0)
    assert wait_seconds(attempts + 1, chance, asked=asked) >= wait
