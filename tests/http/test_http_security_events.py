"""Whoever is refused at the door is counted: by whom, how often, and never with what was sent."""

from client import Client

CANARY = "zebrafinch-7731"


def counted(engram) -> dict[tuple[str, str], int]:
    return {(each.kind.value, each.actor): each.count for each in engram.security_events()}


def test_a_caller_without_a_valid_key_is_counted_under_nobodys_name(engram, app, stranger):
    stranger.ask("GET", "/api/v1/memories")
    Client(app, f"engram_{CANARY}").ask("GET", "/api/v1/memories")

    assert counted(engram) == {("key_refused", ""): 2}


def test_who_asks_too_often_is_named_by_the_key(engram, caller):
    eager = caller("reader", per_minute=1)
    replies = [eager.ask("GET", "/api/v1/stats").status for _ in range(30)]
    (found,) = counted(engram)

    assert 429 in replies
    assert found[0] == "rate_limited"
    assert found[1] not in ("", engram.principal.actor)


def test_who_wants_what_it_may_not_is_named_by_the_key(engram, caller):
    reader = caller("reader")

    assert reader.ask("POST", "/api/v1/memories", {"text": CANARY}).status == 403

    ((kind, actor),) = counted(engram)
    assert kind == "access_denied"
    assert actor not in ("", engram.principal.actor)
    assert CANARY not in repr(engram.security_events())


def test_a_page_of_another_site_is_counted(engram, writer):
    writer.ask("GET", "/api/v1/stats", headers={"origin": f"https://{CANARY}.example"})
    writer.ask("GET", "/api/v1/stats", headers={"host": f"{CANARY}.example"})

    assert counted(engram) == {("request_refused", ""): 2}
    assert CANARY not in repr(engram.security_events())


def test_a_path_that_does_not_exist_is_no_event(engram, writer):
    writer.ask("GET", "/api/v1/nothing-here")
    writer.ask("DELETE", "/api/v1/stats")
    writer.ask("POST", "/api/v1/memories", {"text": ""})

    assert counted(engram) == {}


def test_a_hook_that_nobody_made_is_counted(engram, stranger):
    stranger.ask("POST", "/api/v1/hooks/none", body=b"{}")

    assert counted(engram) == {("signature_invalid", ""): 1}


def test_an_admin_reads_them_over_http_and_a_curator_does_not(engram, caller, stranger):
    stranger.ask("GET", "/api/v1/memories")

    shown = caller("admin").ask("GET", "/api/v1/security/events?kind=key_refused")

    assert [each["count"] for each in shown.json()["events"]] == [1]
    assert caller("curator").ask("GET", "/api/v1/security/events").status == 403
