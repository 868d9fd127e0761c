"""Limits on what a language model may take: hard ones, also for many processes together."""

import dataclasses
import secrets
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from clock import FakeClock
from providers.scripted_model import ScriptedModel, answers, says, scripted_model

from engram.capture.governor import GovernedModel, check_limits, spending_report
from engram.errors import ModelUnavailable, StoreClosed
from engram.memory.ids import IdMint
from engram.memory.scopes import Principal, Reach, Scope
from engram.providers.chat_openai import OpenAiChat
from engram.providers.language_model import Completion, Prompt, prompt_tokens
from engram.providers.model_options import ModelOptions
from engram.storage.migrate import load_migrations
from engram.storage.options import StorageOptions
from engram.storage.spending import CallOutcome, SpendingLedger, SpendingRow, Spent
from engram.storage.sqlite.embedded import EmbeddedStore, memory_database
from engram.storage.sqlite.folder import StoreFolder
from engram.storage.store import Store

ACME = Scope("acme")
BETA = Scope("beta")
PROMPT = Prompt(system="Read.", user="Words.", schema={}, max_tokens=300, purpose="extract")
MOST = prompt_tokens(PROMPT) + 300  # what a call with this prompt is reserved with


@pytest.fixture(scope="module")
def running() -> Iterator[ScriptedModel]:
    with scripted_model() as server:
        yield server


@pytest.fixture
def server(running: ScriptedModel) -> ScriptedModel:
    running.will(says("well", tokens=(40, 10)))
    return running


@pytest.fixture
def store(clock: FakeClock) -> Iterator[Store]:
    opened = Store(
        memory_database(StorageOptions, clock()),
        IdMint(secrets.randbits),
        schema=len(load_migrations("sqlite")),
    )
    yield opened
    opened.close()


@pytest.fixture
def governed(server: ScriptedModel, store: Store, clock: FakeClock) -> Callable[..., GovernedModel]:
    def governed_model(scope: Scope = ACME, **values: object) -> GovernedModel:
        settings = {"kind": "openai", "url": server.url, "model": "m", "retries": 0, **values}
        options = ModelOptions(**settings)
        return GovernedModel(
            OpenAiChat(options), store, scope, options=lambda: options, clock=clock
        )

    return governed_model


def reach_of(scope: Scope) -> Reach:
    return Principal.of(scope).reach()


def rows(store: Store, scope: Scope = ACME) -> list[SpendingRow]:
    with store.database.reading(5.0) as transaction:
        return SpendingLedger(transaction).by_day(
            reach_of(scope),
            since=datetime(2000, 1, 1, tzinfo=UTC),
            until=datetime(2100, 1, 1, tzinfo=UTC),
        )


def test_a_call_is_written_down_with_what_it_took(governed, store, clock):
    completion = governed().complete(PROMPT)

    assert completion == Completion("well", 40, 10)
    assert rows(store) == [
        SpendingRow(
            day=clock().date(), purpose="extract", model="m", outcome=CallOutcome.ANSWERED,
            calls=1, tokens_in=40, tokens_out=10, milliseconds=0,
        )
    ]  # fmt: skip


def test_no_more_calls_are_made_than_a_day_allows(governed, server):
    model = governed(max_calls_per_day=3)
    for _ in range(3):
        model.complete(PROMPT)

    with pytest.raises(ModelUnavailable, match="max_calls_per_day") as raised:
        model.complete(PROMPT)

    assert len(server.asked) == 3
    assert raised.value.is_unspent


def test_a_call_that_could_pass_the_limit_of_tokens_is_not_made(governed, server):
    model = governed(max_tokens_per_day=MOST + 99)
    model.complete(PROMPT)
    model.complete(PROMPT)

    with pytest.raises(ModelUnavailable, match="max_tokens_per_day"):
        model.complete(PROMPT)

    assert len(server.asked) == 2


@pytest.mark.parametrize("limit", ["max_calls_per_day", "max_tokens_per_day"])
def test_a_limit_of_nothing_allows_nothing(governed, server, limit):
    with pytest.raises(ModelUnavailable, match=limit):
        governed(**{limit: 0}).complete(PROMPT)

    assert server.asked == []


def test_every_scope_has_limits_of_its_own(governed, server):
    governed(ACME, max_calls_per_day=1).complete(PROMPT)
    governed(BETA, max_calls_per_day=1).complete(PROMPT)

    for scope in (ACME, BETA):
        with pytest.raises(ModelUnavailable):
            governed(scope, max_calls_per_day=1).complete(PROMPT)
    assert len(server.asked) == 2


def test_a_day_ends_at_midnight_utc(governed, clock):
    model = governed(max_calls_per_day=1)
    clock.set(datetime(2026, 3, 1, 23, 59, 59, 999_999, tzinfo=UTC))
    model.complete(PROMPT)
    with pytest.raises(ModelUnavailable):
        model.complete(PROMPT)

    clock.advance(microseconds=1)

    model.complete(PROMPT)
    with pytest.raises(ModelUnavailable):
        model.complete(PROMPT)


def test_a_call_that_reached_nobody_uses_up_nothing(governed, server, store):
    model = governed(max_calls_per_day=1)
    server.will(answers(503))
    for _ in range(2):
        with pytest.raises(ModelUnavailable, match="503"):
            model.complete(PROMPT)

    server.will(says("well"))
    model.complete(PROMPT)

    outcomes = {row.outcome: (row.calls, row.tokens_in + row.tokens_out) for row in rows(store)}
    assert outcomes[CallOutcome.UNREACHED] == (2, 0)


def test_a_call_that_may_have_cost_something_counts_in_full(governed, server, store):
    server.will(answers(200, b"no protocol at all"))
    model = governed(max_calls_per_day=1)

    with pytest.raises(ModelUnavailable, match="shape"):
        model.complete(PROMPT)
    with pytest.raises(ModelUnavailable, match="max_calls_per_day"):
        model.complete(PROMPT)

    [row] = rows(store)
    assert row.outcome is CallOutcome.FAILED
    assert row.tokens_in + row.tokens_out == MOST


class _Dies:
    """A model in whose call the process ends."""

    name = "m"

    def complete(self, prompt: Prompt) -> Completion:
        raise KeyboardInterrupt

    def close(self) -> None:
        pass


def test_a_call_whose_process_died_stays_reserved_and_counts(store, clock):
    options = ModelOptions(max_calls_per_day=1)
    model = GovernedModel(_Dies(), store, ACME, options=lambda: options, clock=clock)

    with pytest.raises(KeyboardInterrupt):
        model.complete(PROMPT)

    assert [row.outcome for row in rows(store)] == [CallOutcome.RESERVED]
    with pytest.raises(ModelUnavailable, match="max_calls_per_day"):
        model.complete(PROMPT)


def test_a_changed_limit_is_in_force_at_once(governed, store, clock, server):
    options = [ModelOptions(kind="openai", url=server.url, model="m", max_calls_per_day=1)]
    chat = OpenAiChat(options[0])
    model = GovernedModel(chat, store, ACME, options=lambda: options[0], clock=clock)
    model.complete(PROMPT)

    options[0] = dataclasses.replace(options[0], max_calls_per_day=2)

    model.complete(PROMPT)
    with pytest.raises(ModelUnavailable):
        model.complete(PROMPT)


def test_a_settled_call_is_not_settled_twice(governed, store):
    governed().complete(PROMPT)
    before = rows(store)

    with store.derive() as transaction:
        SpendingLedger(transaction).settle(
            1, CallOutcome.UNREACHED, tokens_in=0, tokens_out=0, milliseconds=0
        )

    assert rows(store) == before


def test_closing_it_closes_the_model(governed, server):
    model = governed()
    model.close()

    with pytest.raises(ModelUnavailable, match="closed"):
        model.complete(PROMPT)
    assert server.asked == []


def test_no_transaction_is_open_while_the_model_thinks(governed, server, store):
    asked = threading.Event()
    go_on = threading.Event()

    def slowly(request):
        asked.set()
        go_on.wait(10)
        return says("well")(request)

    server.will(slowly)
    thread = threading.Thread(target=governed().complete, args=(PROMPT,))
    thread.start()
    asked.wait(10)

    with store.derive() as transaction:  # would wait for ever inside another write
        spent = SpendingLedger(transaction).spent(
            ACME, since=datetime(2026, 3, 1, tzinfo=UTC), until=datetime(2026, 3, 2, tzinfo=UTC)
        )
    go_on.set()
    thread.join()

    assert spent == Spent(1, MOST)


def test_threads_together_stay_below_the_limit(governed, server):
    model = governed(max_calls_per_day=5)
    refused: list[ModelUnavailable] = []

    def call() -> None:
        try:
            model.complete(PROMPT)
        except ModelUnavailable as error:
            refused.append(error)

    threads = [threading.Thread(target=call) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(server.asked) == 5
    assert len(refused) == 7


CHILD = """
import secrets, sys
from datetime import UTC, datetime
from pathlib import Path
from engram.capture.governor import GovernedModel
from engram.errors import ModelUnavailable
from engram.memory.ids import IdMint
from engram.memory.scopes import Scope
from engram.providers.chat_openai import OpenAiChat
from engram.providers.language_model import Prompt
from engram.providers.model_options import ModelOptions
from engram.storage.migrate import load_migrations
from engram.storage.options import StorageOptions
from engram.storage.sqlite.embedded import EmbeddedStore
from engram.storage.sqlite.folder import StoreFolder
from engram.storage.store import Store

def now():
    return datetime(2026, 3, 1, 9, tzinfo=UTC)

url, limit = sys.argv[2], int(sys.argv[3])
options = ModelOptions(kind="openai", url=url, model="m", max_tokens_per_day=limit)
place = EmbeddedStore(
    StoreFolder(Path(sys.argv[1])), unlock=lambda _: None, options=StorageOptions, now=now
)
store = Store(place.database, IdMint(secrets.randbits), schema=len(load_migrations("sqlite")))
model = GovernedModel(OpenAiChat(options), store, Scope("acme"), options=lambda: options, clock=now)
prompt = Prompt(system="Read.", user="Words.", schema={}, max_tokens=300, purpose="extract")
answered = 0
for _ in range(12):
    try:
        model.complete(prompt)
        answered += 1
    except ModelUnavailable:
        pass
print(answered)
place.close()
"""


def test_processes_together_stay_below_the_limit_of_tokens(server, tmp_path, clock):
    folder = tmp_path / "store"
    EmbeddedStore(
        StoreFolder(folder), unlock=lambda _: None, options=StorageOptions, now=clock
    ).close()
    server.will(says("well", tokens=(MOST - 10, 10)))
    limit = 10 * MOST + 5

    children = [
        subprocess.Popen(
            [sys.executable, "-c", CHILD, str(folder), server.url, str(limit)],
            stdout=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    counts = [int(child.communicate(timeout=60)[0]) for child in children]

    assert sum(counts) == 10
    assert len(server.asked) == 10


def test_a_report_sums_up_by_day_purpose_model_and_outcome(governed, server, clock, store):
    other = dataclasses.replace(PROMPT, purpose="merge")
    model = governed()
    model.complete(PROMPT)
    model.complete(PROMPT)
    model.complete(other)
    clock.advance(days=1)
    model.complete(PROMPT)
    server.will(answers(401))
    with pytest.raises(ModelUnavailable):
        model.complete(PROMPT)

    report = spending_report(rows(store), ModelOptions(price_in=1_000.0, price_out=10_000.0))

    first, second = date(2026, 3, 1), date(2026, 3, 2)
    assert [(each.row.day, each.row.purpose, each.row.outcome, each.row.calls)
            for each in report.lines] == [
        (first, "extract", "answered", 2),
        (first, "merge", "answered", 1),
        (second, "extract", "answered", 1),
        (second, "extract", "unreached", 1),
    ]  # fmt: skip
    assert (report.calls, report.tokens_in, report.tokens_out) == (5, 160, 40)
    assert report.lines[0].cost == pytest.approx(0.28)
    assert report.cost == pytest.approx(0.56)


def test_a_report_without_prices_names_no_cost(governed, store):
    governed().complete(PROMPT)

    report = spending_report(rows(store), ModelOptions())

    assert report.cost is None
    assert report.lines[0].cost is None


def test_a_report_shows_the_scopes_that_its_reader_sees(governed, store):
    governed(ACME).complete(PROMPT)
    governed(BETA).complete(PROMPT)
    governed(Scope()).complete(PROMPT)

    assert sum(row.calls for row in rows(store, ACME)) == 2
    with store.database.reading(5.0) as transaction:
        nothing = SpendingLedger(transaction).by_day(
            Reach(()),
            since=datetime(2026, 1, 1, tzinfo=UTC),
            until=datetime(2027, 1, 1, tzinfo=UTC),
        )
    assert nothing == []


def test_a_report_covers_the_span_that_was_asked_for(governed, store, clock):
    governed().complete(PROMPT)
    at = clock()

    def found(since: datetime, until: datetime) -> int:
        with store.database.reading(5.0) as transaction:
            return len(SpendingLedger(transaction).by_day(reach_of(ACME), since=since, until=until))

    assert found(at, at + timedelta(microseconds=1)) == 1
    assert found(at - timedelta(days=1), at) == 0


def test_milliseconds_are_measured_and_never_negative(governed, server, store, clock):
    def later(seconds: float):
        def reply(asked):
            clock.advance(seconds=seconds)
            return says("well")(asked)

        return reply

    server.will(later(1.5), later(-60.0))
    model = governed()
    model.complete(PROMPT)
    model.complete(PROMPT)

    assert sum(row.milliseconds for row in rows(store)) == 1_500


def test_a_call_is_not_made_when_it_cannot_be_written_down(governed, server, store):
    model = governed()
    store.close()

    with pytest.raises(StoreClosed):
        model.complete(PROMPT)

    assert server.asked == []


@pytest.mark.parametrize(
    ("spent", "tokens", "is_allowed"),
    [
        (Spent(0, 0), 100, True),
        (Spent(9, 900), 100, True),
        (Spent(10, 0), 0, False),
        (Spent(0, 901), 100, False),
        (Spent(0, 0), 1_001, False),
    ],
)
def test_the_last_call_and_the_last_token_may_be_used(spent, tokens, is_allowed):
    options = ModelOptions(max_calls_per_day=10, max_tokens_per_day=1_000)

    if is_allowed:
        check_limits(spent, tokens, options)
    else:
        with pytest.raises(ModelUnavailable):
            check_limits(spent, tokens, options)
