"""What every store must do, whatever engine keeps it: one suite that each adapter subclasses."""

import dataclasses
import json
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise

import pytest
from clock import START, FakeClock

from engram.errors import MemoryNotFound, StatementTaken, WriteFailed
from engram.language.lexicon import query_terms
from engram.lifecycle.undo import undo
from engram.memory.changes import Action
from engram.memory.feedback import Feedback
from engram.memory.figures import RecallFigures
from engram.memory.ids import ChangeId
from engram.memory.record import Memory
from engram.memory.scopes import Principal, Reach, Scope
from engram.memory.vocabulary import (
    Kind,
    Layer,
    LearnedBy,
    MemoryType,
    Secrecy,
    SourceClass,
    Status,
)
from engram.storage.conditions import Filters, Moments
from engram.storage.store import Store
from engram.storage.unit import Evidence, UnitOfWork
from engram.text.strings import identity_hash

GLOBAL = Reach(("/",))
ACME = Scope("acme")
BETA = Scope("beta")
NOBODY = Reach(())
ALL_TYPES = tuple(MemoryType)


FIGURES = RecallFigures(
    at=START, milliseconds=1.5, candidates=20, returned=5, tokens=100, relevance=0.8,
    consistency=0.95, confidence=0.7, assessment="confident", level="full", is_degraded=True,
)  # fmt: skip


def _word(memory: Memory, change: ChangeId) -> Feedback:
    return Feedback(memory.number, False, "a question", START, "tester", change)


def reach_of(scope: Scope) -> Reach:
    return Principal.of(scope).reach()


def made(unit: UnitOfWork, content: str, scope: Scope = Scope(), **fields: object) -> Memory:  # noqa: B008
    """A memory that is ready to be inserted."""
    change = fields.pop("change_id", None) or unit.begin_change(Action.REMEMBER, scope, "")
    values: dict[str, object] = {
        "id": unit.mint_memory_id(), "number": unit.next_number(), "scope": scope,
        "content": content, "category": "fact", "memory_type": MemoryType.FACT,
        "layer": Layer.SEMANTIC, "kind": Kind.NOTE, "status": Status.ACTIVE, "source": "manual",
        "source_class": SourceClass.PERSON, "learned_by": LearnedBy.MANUAL, "confidence": 1.0,
        "base_importance": 0.5, "trust": 1.0, "at": unit.now, "learned_at": unit.now,
        "recorded_at": unit.now, "change_id": change, "identity": identity_hash(content),
    }  # fmt: skip
    return Memory(**{**values, **fields})


class StoreContract:
    """Subclass it with a `store` fixture; `raw` runs SQL past the store, for damage and looks."""

    @pytest.fixture
    def store(self) -> Store:
        raise NotImplementedError

    @pytest.fixture
    def raw(self, store: Store) -> Callable[..., list[tuple[object, ...]]]:
        raise NotImplementedError

    @pytest.fixture
    def clock(self) -> FakeClock:
        return FakeClock()

    def put(
        self, store: Store, content: str, scope: Scope = Scope(), now=START, **fields: object  # noqa: B008
    ) -> Memory:  # fmt: skip
        with store.write(reach_of(scope), actor="tester", now=now) as unit:
            memory = made(unit, content, scope, **fields)
            unit.insert(memory)
        return memory

    # one transaction

    def test_a_memory_comes_back_as_it_was_put_in(self, store):
        memory = self.put(
            store, "Full \u00e9\n record", speaker="s", subject="t", session="u", reference="v",
            valence=-0.5, arousal=0.25, surprise=0.125, is_pinned=True,
            valid_from=START - timedelta(days=1), valid_until=START + timedelta(microseconds=1),
            last_verified_at=START, horizon="30d", summary="sum",
            metadata={"a": 1, "b": [True and "x"], "c": None, "d": 1.5, "e": False},
        )  # fmt: skip

        with store.read(GLOBAL, timeout_seconds=5) as see:
            assert see.memory(memory.id) == memory
            assert see.memory(memory.label) == memory
            assert see.current(memory.number) == memory
            assert see.last_state(memory.number) == (memory, None)

    def test_row_index_change_and_audit_are_written_together(self, store, raw):
        memory = self.put(store, "One zebra.")

        assert raw("SELECT count(*) FROM memories") == [(1,)]
        assert raw("SELECT count(*) FROM changes WHERE id = ?", (memory.change_id,)) == [(1,)]
        assert raw("SELECT memory_id, change_id FROM audit") == [(memory.id, memory.change_id)]
        assert raw("SELECT last_number, audit_count FROM ledger") == [(1, 1)]
        with store.read(GLOBAL, timeout_seconds=5) as see:
            assert len(self.search(see, "zebra")) == 1
        assert store.verify_audit(timeout_seconds=5).is_intact

    @pytest.mark.failure("F44")
    @pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, MemoryNotFound])
    def test_a_unit_that_raises_leaves_nothing_at_all(self, store, raw, kind):
        kept = self.put(store, "kept zebra")
        tables = (
            "memories", "usage", "confirmations", "feedback", "changes", "audit", "idempotency",
            "ledger", "recall_journal",
        )  # fmt: skip
        before = {table: raw(f"SELECT * FROM {table}") for table in tables}

        with pytest.raises(kind), store.write(GLOBAL, actor="tester", now=START) as unit:  # noqa: PT012
            unit.insert(made(unit, "lost zebra"))
            unit.begin_change(Action.PIN, Scope(), "")
            unit.replace(kept, is_pinned=True)
            unit.confirm(kept, Evidence(START, "manual", None, "ref", None))
            unit.count_access(kept.number, accesses=3, at=START, gap=timedelta(0))
            unit.note_request(Scope(), "k", _request(kept))
            unit.add_feedback(
                kept, _word(kept, unit.begin_change(Action.FEEDBACK, Scope(), "")), Scope()
            )
            unit.journal([("/", FIGURES)], kept=10)
            unit.audit(Action.BACKUP, "/")
            raise kind()

        assert {table: raw(f"SELECT * FROM {table}") for table in tables} == before
        with store.read(GLOBAL, timeout_seconds=5) as see:
            assert [match.memory.content for match in self.search(see, "zebra")] == ["kept zebra"]
        assert self.put(store, "next").number == 2

    def search(self, see, query: str, limit: int = 50, **moments: object):
        return see.search_text(
            query_terms(query), Moments(now=START, **moments), Filters(),
            types=ALL_TYPES, limit=limit,
        )  # fmt: skip

    # states

    def test_a_replaced_state_stays_and_can_be_asked_for_by_its_time(self, store):
        memory = self.put(store, "first zebra")
        later = START + timedelta(days=1)
        with store.write(GLOBAL, actor="tester", now=later) as unit:
            unit.begin_change(Action.REVISE, Scope(), "why")
            new = unit.replace(
                memory, content="second zebra", version=2, identity=identity_hash("second zebra")
            )

        with store.read(GLOBAL, timeout_seconds=5) as see:
            assert see.memory(memory.id) == new
            assert see.memory(memory.id, START).content == "first zebra"
            assert see.memory(memory.id, later).content == "second zebra"
            assert see.memory(memory.id, START - timedelta(microseconds=1)) is None
            assert [e.memory.content for e in see.history(memory.id)] == [
                "first zebra", "second zebra",
            ]  # fmt: skip
            assert [e.change.action for e in see.history(memory.label)] == ["remember", "revise"]
            assert [m.memory.content for m in self.search(see, "zebra")] == ["second zebra"]
            assert [m.memory.content for m in self.search(see, "zebra", known_at=START)] == [
                "first zebra"
            ]
            assert see.state_ended_by(memory.number, new.change_id).content == "first zebra"
            assert see.state_ended_by(memory.number, memory.change_id) is None
            assert see.listing(
                Moments(now=later, known_at=START), Filters(), status=None, limit=5
            )[0].content == "first zebra"  # fmt: skip

    def test_states_keep_their_order_when_the_clock_goes_back(self, store):
        memory = self.put(store, "v1")
        for version in (2, 3, 4):
            with store.write(GLOBAL, actor="tester", now=START - timedelta(days=version)) as unit:
                unit.begin_change(Action.REVISE, Scope(), "")
                memory = unit.replace(memory, content=f"v{version}", version=version)

        with store.read(GLOBAL, timeout_seconds=5) as see:
            entries = [entry.memory for entry in see.history(memory.id)]
        assert [entry.version for entry in entries] == [1, 2, 3, 4]
        assert [e.recorded_at for e in entries] == sorted(e.recorded_at for e in entries)
        assert all(old.recorded_until == new.recorded_at for old, new in pairwise(entries))

    def test_a_withdrawn_memory_is_gone_and_can_be_restored(self, store):
        memory = self.put(store, "a zebra")
        with store.write(GLOBAL, actor="tester", now=START + timedelta(1)) as unit:
            undoing = unit.begin_change(Action.UNDO, Scope(), "oops", undoes=memory.change_id)
            unit.withdraw(memory)
            unit.mark_undone(memory.change_id, undoing)
        with store.read(GLOBAL, timeout_seconds=5) as see:
            assert see.memory(memory.id) is None
            assert see.current(memory.number) is None
            past, ended_by = see.last_state(memory.number)
            assert ended_by == undoing
            assert see.ending(memory.id).id == undoing
            assert self.search(see, "zebra") == []
            assert see.change(memory.change_id).change.undone_by == undoing

        with store.write(GLOBAL, actor="tester", now=START + timedelta(2)) as unit:
            unit.begin_change(Action.UNDO, Scope(), "", undoes=undoing)
            unit.restore(past, after=past.recorded_until)

        with store.read(GLOBAL, timeout_seconds=5) as see:
            assert see.memory(memory.id).content == "a zebra"
            assert len(self.search(see, "zebra")) == 1

    def test_a_state_that_is_no_longer_there_cannot_be_replaced(self, store):
        memory = self.put(store, "a zebra")
        with store.write(GLOBAL, actor="tester", now=START) as unit:
            unit.begin_change(Action.UNDO, Scope(), "")
            unit.withdraw(memory)

        with pytest.raises(WriteFailed), store.write(GLOBAL, actor="t", now=START) as unit:  # noqa: PT012
            unit.begin_change(Action.PIN, Scope(), "")
            unit.replace(memory, is_pinned=True)

    def test_two_memories_cannot_say_the_same_in_one_scope(self, store, raw):
        first = self.put(store, "a zebra")

        with store.write(GLOBAL, actor="t", now=START) as unit:
            second = unit.insert(made(unit, "a zebra"))
            unit.return_number()

        assert not second
        assert raw("SELECT number FROM memories") == [(first.number,)]
        assert raw("SELECT count(*) FROM changes") == [(1,)]
        self.put(store, "a zebra", ACME)
        self.put(store, "a zebra", status=Status.ARCHIVED)
        assert store.verify_audit(timeout_seconds=5).is_intact

    def test_a_memory_cannot_become_what_another_says(self, store):
        self.put(store, "a zebra")
        other = self.put(store, "a lion")

        def reword() -> None:
            with store.write(GLOBAL, actor="t", now=START) as unit:
                unit.begin_change(Action.REVISE, Scope(), "")
                unit.replace(other, content="a zebra", identity=identity_hash("a zebra"))

        with pytest.raises(StatementTaken):
            reword()

        with store.read(GLOBAL, timeout_seconds=5) as see:
            assert see.memory(other.id) == other

    # scopes

    @pytest.mark.failure("F22", "F23")
    def test_no_read_sees_a_foreign_scope(self, store):
        memory = self.put(store, "a zebra", ACME, subject="s", category="relationship")
        with store.write(reach_of(ACME), actor="tester", now=START) as unit:
            unit.begin_change(Action.CONFIRM, ACME, "")
            unit.confirm(memory, Evidence(START, "manual", None, "secret-ref", None))

        for reach in (NOBODY, GLOBAL, reach_of(BETA), Principal.orchestrator(BETA).reach()):
            with store.read(reach, timeout_seconds=5) as see:
                assert see.memory(memory.id) is None
                assert see.memory(memory.label) is None
                assert see.history(memory.id) == []
                assert see.ending(memory.id) is None
                assert see.listing(Moments(now=START), Filters(), status=None, limit=9) == []
                assert self.search(see, "zebra") == []
                assert see.match_rank(query_terms("zebra"), memory.number) is None
                assert see.references(memory.number) == []
                assert see.same_statement(memory.identity, ACME) is None
                assert not see.has_rival(memory.replaced(identity=b"x"))
                assert see.current(memory.number) is None
                assert see.last_state(memory.number) is None
                assert see.state_ended_by(memory.number, memory.change_id) is None
                assert see.counts(START) == []
                assert see.span() == (None, None, None)
                assert see.audit(limit=9) == []

    def test_everyone_on_the_chain_and_who_looks_down_sees(self, store):
        inner = Scope("acme", "core", "coder", "chat", "ann")
        memory = self.put(store, "a zebra", ACME)
        deep = self.put(store, "a lion", inner)

        with store.read(reach_of(inner), timeout_seconds=5) as see:
            assert see.memory(memory.id) is not None
            assert see.memory(deep.id) is not None
        with store.read(Principal.orchestrator(ACME).reach(), timeout_seconds=5) as see:
            assert see.memory(deep.id) is not None
        with store.read(reach_of(ACME), timeout_seconds=5) as see:
            assert see.memory(deep.id) is None

    def test_a_scope_that_only_begins_alike_is_not_below(self, store):
        memory = self.put(store, "a zebra", Scope("acme2"))

        with store.read(Principal.orchestrator(ACME).reach(), timeout_seconds=5) as see:
            assert see.memory(memory.id) is None

    @pytest.mark.parametrize("name", ["a/b", "a%2Fb", "a,b", "a=b", "é日本", "%", "'"])
    def test_a_scope_comes_back_as_it_was_put_in(self, store, name):
        memory = self.put(store, "a zebra", Scope(name))

        with store.read(reach_of(Scope(name)), timeout_seconds=5) as see:
            assert see.memory(memory.id).scope == Scope(name)

    # evidence, uses, requests

    def test_confirmations_are_counted_with_their_references(self, store):
        memory = self.put(store, "a zebra")
        changes: list[ChangeId] = []
        for reference in ("r1", None, "r2"):
            with store.write(GLOBAL, actor="tester", now=START) as unit:
                changes.append(unit.begin_change(Action.CONFIRM, Scope(), ""))
                unit.confirm(memory, Evidence(START, "manual", "s", reference, "A ZEBRA"))
        with store.write(GLOBAL, actor="tester", now=START) as unit:
            undoing = unit.begin_change(Action.UNDO, Scope(), "")
            unit.set_confirmation(memory, changes[0], undoing)

        with store.read(GLOBAL, timeout_seconds=5) as see:
            assert see.memory(memory.id).usage.confirmations == 2
            assert see.references(memory.number) == ["r2"]
            assert see.confirmation(memory.number, changes[0]) == "withdrawn"
            assert see.confirmation(memory.number, changes[1]) == "counted"
            assert see.confirmation(memory.number, ChangeId("none")) is None

    def test_words_come_back_to_who_sees_both_the_memory_and_the_giver(self, store):
        memory, foreign = self.put(store, "a zebra"), self.put(store, "a gnu", BETA)
        said: list[Feedback] = []
        for scope, about in ((Scope(), memory), (ACME, memory), (BETA, memory), (ACME, foreign)):
            with store.write(reach_of(scope), actor="tester", now=START) as unit:
                said.append(_word(about, unit.begin_change(Action.FEEDBACK, scope, "")))
                unit.add_feedback(about, said[-1], scope)

        def seen(reach: Reach) -> list[Feedback]:
            with store.read(reach, timeout_seconds=5) as see:
                return see.feedback_for([memory.number, foreign.number, 99])

        assert seen(GLOBAL) == said[:1]
        assert seen(reach_of(ACME)) == said[:2]
        assert seen(reach_of(BETA)) == [said[0], said[2]]
        assert seen(NOBODY) == []

    def test_a_word_is_withdrawn_and_given_again(self, store):
        memory = self.put(store, "a zebra")
        with store.write(GLOBAL, actor="tester", now=START) as unit:
            change = unit.begin_change(Action.FEEDBACK, Scope(), "")
            unit.add_feedback(memory, _word(memory, change), Scope())

        for withdrawn_by, state, count in ((True, "withdrawn", 0), (False, "counted", 1)):
            with store.write(GLOBAL, actor="tester", now=START) as unit:
                undoing = unit.begin_change(Action.UNDO, Scope(), "")
                unit.set_feedback(memory, change, undoing if withdrawn_by else None)
            with store.read(GLOBAL, timeout_seconds=5) as see:
                assert see.feedback_of(memory.number, change) == state
                assert len(see.feedback_for([memory.number])) == count
                assert see.feedback_of(memory.number, ChangeId("none")) is None

    def test_the_newest_recalls_come_back_to_their_scope(self, store):
        later = dataclasses.replace(FIGURES, at=START + timedelta(days=1), is_degraded=False)
        with store.write(NOBODY, actor="engram", now=START) as unit:
            unit.journal([("/", FIGURES)] * 5 + [(ACME.path, later), ("/", later)], kept=3)

        with store.read(GLOBAL, timeout_seconds=5) as see:
            assert see.recalls() == [FIGURES, later]
            assert see.recalls(later.at) == [later]
        with store.read(reach_of(ACME), timeout_seconds=5) as see:
            assert see.recalls() == [FIGURES, later, later]
        with store.read(NOBODY, timeout_seconds=5) as see:
            assert see.recalls() == []

    def test_uses_are_counted_and_bursts_once(self, store):
        memory = self.put(store, "a zebra")
        gap = timedelta(hours=1)
        with store.write(NOBODY, actor="engram", now=START) as unit:
            for minutes in (0, 10, 59, 200, 100):
                unit.count_access(
                    memory.number, accesses=1, at=START + timedelta(minutes=minutes), gap=gap
                )

        with store.read(GLOBAL, timeout_seconds=5) as see:
            usage = see.memory(memory.id).usage
        assert usage.accesses == 5
        assert usage.spaced_accesses == 2
        assert usage.last_accessed_at == START + timedelta(minutes=200)

    @pytest.mark.failure("F43")
    def test_a_request_is_known_to_its_own_caller_in_its_own_scope(self, store):
        memory = self.put(store, "a zebra")
        with store.write(GLOBAL, actor="one", now=START) as unit:
            unit.note_request(Scope(), "key", _request(memory))

        with store.write(GLOBAL, actor="one", now=START) as unit:
            assert unit.idempotent_request(Scope(), "key") == (
                b"body", "stored", "new", 1, memory.change_id,
            )  # fmt: skip
            assert unit.idempotent_request(ACME, "key") is None
            assert unit.idempotent_request(Scope(), "other") is None
        with store.write(GLOBAL, actor="two", now=START) as unit:
            assert unit.idempotent_request(Scope(), "key") is None

    def test_rivals_are_live_statements_about_the_same_subject(self, store):
        self.put(store, "Bob works here", subject="Bob", category="relationship")
        with store.write(GLOBAL, actor="t", now=START) as unit:
            other = made(unit, "Bob left", subject="Bob", category="relationship")
            assert unit.see.has_rival(other)
            assert not unit.see.has_rival(other.replaced(subject="Dan"))
            assert not unit.see.has_rival(other.replaced(category="fact"))
            assert not unit.see.has_rival(other.replaced(subject=None))
            assert not unit.see.has_rival(other.replaced(scope=ACME))

    # listing and counting

    def test_listing_filters_pages_and_tells_present_statuses(self, store):
        for index in range(5):
            self.put(store, f"fact {index}", horizon="30d", subject=f"s{index % 2}")
        late = Moments(now=START + timedelta(days=31))

        with store.read(GLOBAL, timeout_seconds=5) as see:
            page = see.listing(
                Moments(now=START), Filters(subject="s0"), status=Status.ACTIVE, limit=2
            )
            rest = see.listing(
                Moments(now=START), Filters(subject="s0"), status=Status.ACTIVE, limit=9,
                before=page[-1].number,
            )  # fmt: skip
            assert [m.number for m in (*page, *rest)] == [5, 3, 1]
            assert see.listing(late, Filters(), status=Status.ACTIVE, limit=9) == []
            assert len(see.listing(late, Filters(), status=Status.STALE, limit=9)) == 5
            assert see.counts(START) == [("active", "fact", "semantic", 5)]
            assert see.counts(START + timedelta(days=31)) == [("stale", "fact", "semantic", 5)]
            assert see.span() == (START, START, START)

    def test_what_no_longer_holds_is_listed_but_not_at_that_date(self, store):
        self.put(store, "past", valid_until=START - timedelta(days=1))

        with store.read(GLOBAL, timeout_seconds=5) as see:
            assert len(see.listing(Moments(now=START), Filters(), status=None, limit=9)) == 1
            assert (
                see.listing(Moments(now=START, as_of=START), Filters(), status=None, limit=9) == []
            )

    def test_protected_text_never_reaches_the_text_index(self, store, raw):
        memory = self.put(store, "a zebra")

        assert memory.is_indexable
        assert not memory.replaced(secrecy=Secrecy.CONFIDENTIAL).is_indexable
        assert not memory.replaced(secrecy=Secrecy.SENSITIVE).is_indexable

    def test_the_best_match_comes_first_and_the_cut_comes_last(self, store):
        for index in range(10):
            self.put(store, f"zebra among other animals number {index}")
        best = self.put(store, "zebra zebra")

        with store.read(GLOBAL, timeout_seconds=5) as see:
            found = self.search(see, "zebra", limit=3)
            assert len(found) == 3
            assert found[0].memory.id == best.id
            assert [m.rank for m in found] == sorted(m.rank for m in found)
            assert see.match_rank(query_terms("zebra"), best.number) == pytest.approx(found[0].rank)
            assert see.match_rank(query_terms("lion"), best.number) is None
            assert see.match_rank([], best.number) is None
            assert see.search_text(
                [], Moments(now=START), Filters(), types=ALL_TYPES, limit=5
            ) == []  # fmt: skip

    # changes and audit

    def test_a_change_tells_who_did_what_to_which(self, store):
        memory = self.put(store, "a zebra", ACME)

        with store.read(NOBODY, timeout_seconds=5) as see:
            stored = see.change(memory.change_id)
            assert see.change("chg-none") is None
        assert stored.numbers == (memory.number,)
        assert (stored.change.action, stored.change.actor, stored.change.scope) == (
            "remember", "tester", ACME.path,
        )  # fmt: skip
        assert stored.change.at == START

    def test_a_change_that_touched_nothing_is_not_written(self, store, raw):
        with store.write(GLOBAL, actor="t", now=START) as unit:
            unit.begin_change(Action.PIN, Scope(), "")

        assert raw("SELECT count(*) FROM changes") == [(0,)]

    def test_undo_of_a_stored_change_works_on_the_store_alone(self, store):
        memory = self.put(store, "a zebra")
        with store.write(GLOBAL, actor="t", now=START) as unit:
            undo(unit, Principal.of(None), memory.change_id, reason="")

        with store.read(GLOBAL, timeout_seconds=5) as see:
            assert see.memory(memory.id) is None

    def fill_audit(self, store: Store) -> None:
        for index in range(5):
            self.put(store, f"fact {index}")

    def test_the_audit_lists_newest_first_and_by_condition(self, store):
        self.fill_audit(store)
        memory = self.put(store, "late", now=START + timedelta(days=1))

        with store.read(GLOBAL, timeout_seconds=5) as see:
            lines = see.audit(limit=3)
            assert [line.sequence for line in lines] == [6, 5, 4]
            assert [x.memory_id for x in see.audit(limit=9, memory_id=memory.id)] == [memory.id]
            assert len(see.audit(limit=9, since=START + timedelta(hours=1))) == 1
            assert see.audit(limit=9, action="pin") == []
            assert see.store_id() == see.store_id() != ""

    def test_an_untouched_audit_is_intact(self, store):
        self.fill_audit(store)

        verdict = store.verify_audit(timeout_seconds=5)

        assert verdict.is_intact
        assert verdict.entries == 5
        assert len(verdict.head) == 64
        assert verdict.problem == ""

    @pytest.mark.parametrize("column", [
        "at", "actor", "action", "memory_id", "change_id", "scope", "count", "digest", "entry_hash",
    ])  # fmt: skip
    @pytest.mark.parametrize("sequence", [1, 3, 5])
    def test_an_altered_entry_is_found(self, store, raw, column, sequence):
        self.fill_audit(store)
        odd = {"at": 1, "count": 99, "digest": b"x", "entry_hash": b"x"}.get(column, "/other")

        raw(f'UPDATE audit SET "{column}" = ? WHERE sequence = ?', (odd, sequence))

        assert not store.verify_audit(timeout_seconds=5).is_intact

    @pytest.mark.parametrize("sequence", [1, 3, 5])
    def test_a_dropped_entry_is_found(self, store, raw, sequence):
        self.fill_audit(store)

        raw("DELETE FROM audit WHERE sequence = ?", (sequence,))

        verdict = store.verify_audit(timeout_seconds=5)
        assert not verdict.is_intact
        assert verdict.problem

    def test_dropping_everything_is_found(self, store, raw):
        self.fill_audit(store)

        raw("DELETE FROM audit")

        assert not store.verify_audit(timeout_seconds=5).is_intact

    def test_renumbering_after_a_drop_is_found(self, store, raw):
        self.fill_audit(store)

        raw("DELETE FROM audit WHERE sequence = 3")
        raw("UPDATE audit SET sequence = 3 WHERE sequence = 4")
        raw("UPDATE audit SET sequence = 4 WHERE sequence = 5")
        raw("UPDATE ledger SET audit_count = 4")

        assert not store.verify_audit(timeout_seconds=5).is_intact

    @pytest.mark.parametrize("sequence", [0, 6, 99])
    def test_an_added_entry_is_found(self, store, raw, sequence):
        self.fill_audit(store)

        raw(
            "INSERT INTO audit SELECT ?, at, actor, action, memory_id, change_id, scope, count, "
            "digest, entry_hash FROM audit WHERE sequence = 5",
            (sequence,),
        )

        assert not store.verify_audit(timeout_seconds=5).is_intact

    def test_swapped_entries_are_found(self, store, raw):
        self.fill_audit(store)

        raw("UPDATE audit SET sequence = 99 WHERE sequence = 2")
        raw("UPDATE audit SET sequence = 2 WHERE sequence = 3")
        raw("UPDATE audit SET sequence = 3 WHERE sequence = 99")

        assert not store.verify_audit(timeout_seconds=5).is_intact

    def test_the_audit_holds_no_text(self, store, raw):
        self.put(store, "a zebra secret")

        assert "zebra" not in json.dumps(raw("SELECT * FROM audit"), default=repr)


def _request(memory: Memory) -> dict[str, object]:
    return {
        "body": b"body", "outcome": "stored", "reason": "new", "number": memory.number,
        "change_id": memory.change_id,
    }  # fmt: skip
