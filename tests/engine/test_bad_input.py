"""Bad input gets a typed error with a code and a hint, and changes nothing."""

import re
from collections.abc import Callable

import pytest

from engine.dump import dump
from engram import Engram, Scope
from engram.errors import EngramError

NAN = float("nan")
LONE = "caf\ud800"
Call = Callable[[Engram], object]

REMEMBER: dict[str, dict[str, object]] = {
    "empty text": {"text": ""},
    "blank text": {"text": " \n\t\u00a0"},
    "a megabyte of text": {"text": "x" * 1_048_576},
    "NUL in text": {"text": "a\x00b"},
    "lone surrogate in text": {"text": LONE},
    "text of bytes": {"text": b"bytes"},
    "no text": {"text": None},
    "number for text": {"text": 5},
    "unknown category": {"category": "nonsense"},
    "category of another type": {"category": 5},
    "unknown layer": {"layer": "nonsense"},
    "layer of another type": {"layer": ["working"]},
    "unknown type": {"memory_type": "nonsense"},
    "importance above one": {"importance": 1.01},
    "importance below zero": {"importance": -0.01},
    "importance not a number": {"importance": NAN},
    "importance as text": {"importance": "0.5"},
    "importance as a flag": {"importance": True},
    "confidence not a number": {"confidence": NAN},
    "confidence infinite": {"confidence": float("inf")},
    "time as a number": {"at": 1_700_000_000},
    "time as nonsense": {"at": "yesterday"},
    "time out of range": {"at": "9999-12-31T23:59:59-05:00"},
    "ends before it begins": {
        "valid_from": "2026-01-02T00:00:00Z", "valid_until": "2026-01-01T00:00:00Z",
    },
    "ends when it begins": {
        "valid_from": "2026-01-01T00:00:00Z", "valid_until": "2026-01-01T00:00:00Z",
    },
    "empty speaker": {"speaker": ""},
    "speaker with a line break": {"speaker": "a\nb"},
    "speaker with NUL": {"speaker": "a\x00b"},
    "speaker with a lone surrogate": {"speaker": LONE},
    "speaker too long": {"speaker": "x" * 201},
    "subject too long": {"subject": "é" * 201},
    "session of another type": {"session": 5},
    "reference too long": {"reference": "x" * 1000},
    "key too long": {"idempotency_key": "x" * 1000},
    "unknown source": {"source": "nonsense:x"},
    "source of another type": {"source": 5},
    "source with a line break": {"source": "tool:a\nb"},
    "metadata as a list": {"metadata": [1]},
    "metadata not a number": {"metadata": {"a": NAN}},
    "metadata infinite": {"metadata": {"a": float("-inf")}},
    "metadata nested": {"metadata": {"a": {"b": 1}}},
    "metadata nested in a list": {"metadata": {"a": [["b"]]}},
    "metadata of numbers in a list": {"metadata": {"a": [1]}},
    "metadata of bytes": {"metadata": {"a": b"x"}},
    "metadata with a bad key": {"metadata": {5: "x"}},
    "metadata with an empty key": {"metadata": {"": "x"}},
    "metadata with a lone surrogate": {"metadata": {"a": LONE}},
    "metadata key with a lone surrogate": {"metadata": {LONE: "a"}},
    "metadata with NUL": {"metadata": {"a": "\x00"}},
    "metadata too large": {"metadata": {"a": "x" * 9000}},
    "pinned as a number": {"pinned": 1},
    "pinned as text": {"pinned": "yes"},
    "scope as text": {"scope": "project=acme"},
    "summary too long": {"summary": "x" * 513},
    "empty summary": {"summary": ""},
    "replaces nothing": {"replaces": "mem-9999"},
    "replaces a number": {"replaces": 5},
    "replaces a lone surrogate": {"replaces": LONE},
}  # fmt: skip

IDS: dict[str, object] = {
    "unknown id": "0" * 26,
    "unknown label": "mem-9999",
    "empty id": "",
    "number for an id": 5,
    "no id": None,
    "id of bytes": b"x",
    "id with a lone surrogate": LONE,
    "id with NUL": "\x00",
    "id of a megabyte": "x" * 1_000_000,
    "a label beyond any": "mem-999999999999999999",
}
BY_ID: dict[str, Callable[[Engram, object], object]] = {
    "get": lambda e, id_: _or_none(e.get(id_)),
    "history": lambda e, id_: e.history(id_),
    "importance": lambda e, id_: e.importance(id_),
    "status_history": lambda e, id_: e.status_history(id_),
    "why": lambda e, id_: e.why("fact", id_),
    "audit": lambda e, id_: e.audit(memory_id=id_) if id_ is not None else _or_none(None),
    "revise": lambda e, id_: e.revise(id_, "new"),
    "forget": lambda e, id_: e.forget(id_),
    "set_status": lambda e, id_: e.set_status(id_, "stale", reason="x"),
    "approve": lambda e, id_: e.approve(id_),
    "reject": lambda e, id_: e.reject(id_),
    "verify": lambda e, id_: e.verify(id_),
    "pin": lambda e, id_: e.pin(id_),
    "promote": lambda e, id_: e.promote(id_),
    "undo": lambda e, id_: e.undo(id_),
}

OTHERS: dict[str, Call] = {
    "item of another type": lambda e: e.remember_many([5]),
    "item without text": lambda e: e.remember_many([{"category": "fact"}]),
    "item with an unknown name": lambda e: e.remember_many([{"text": "x", "colour": "red"}]),
    "items of another type": lambda e: e.remember_many(5),
    "one text instead of items": lambda e: e.remember_many("abc"),
    "revised to nothing": lambda e: e.revise("mem-0001", ""),
    "revised to too much": lambda e: e.revise("mem-0001", "x" * 9000),
    "revised to NUL": lambda e: e.revise("mem-0001", "\x00"),
    "revised to a lone surrogate": lambda e: e.revise("mem-0001", LONE),
    "unknown status": lambda e: e.set_status("mem-0001", "nonsense", reason="x"),
    "status of another type": lambda e: e.set_status("mem-0001", 5, reason="x"),
    "illegal move": lambda e: e.set_status("mem-0001", "rejected", reason="x"),
    "move to where it is": lambda e: e.set_status("mem-0001", "active", reason="x"),
    "approving what is not held": lambda e: e.approve("mem-0001"),
    "reason too long": lambda e: e.forget("mem-0001", reason="x" * 3000),
    "reason of another type": lambda e: e.forget("mem-0001", reason=5),
    "reason with a lone surrogate": lambda e: e.forget("mem-0001", reason=LONE),
    "query of another type": lambda e: e.recall(5),
    "no query": lambda e: e.recall(None),
    "unknown mode": lambda e: e.recall("x", mode="nonsense"),
    "mode of another type": lambda e: e.recall("x", mode=["full_context"]),
    "limit zero": lambda e: e.recall("x", limit=0),
    "limit below zero": lambda e: e.recall("x", limit=-1),
    "limit of a half": lambda e: e.recall("x", limit=0.5),
    "limit as a flag": lambda e: e.recall("x", limit=True),
    "limit beyond any": lambda e: e.recall("fact", limit=10**30),
    "budget zero": lambda e: e.recall("x", budget=0),
    "budget as text": lambda e: e.recall("x", budget="many"),
    "unknown filter": lambda e: e.recall("x", filters={"colour": "red"}),
    "filters as text": lambda e: e.recall("x", filters="subject"),
    "filters as pairs": lambda e: e.recall("x", filters=[("subject", "x")]),
    "filter of another type": lambda e: e.recall("x", filters={"subject": 5}),
    "filter with a lone surrogate": lambda e: e.recall("x", filters={"subject": LONE}),
    "filter by unknown category": lambda e: e.recall("x", filters={"category": "nonsense"}),
    "filter by unknown layer": lambda e: e.recall("x", filters={"layer": "nonsense"}),
    "filter by unknown kind": lambda e: e.recall("x", filters={"kind": "nonsense"}),
    "filter by unknown type": lambda e: e.recall("x", filters={"memory_type": "nonsense"}),
    "filter pinned by a number": lambda e: e.recall("x", filters={"pinned": 1}),
    "filter by nested metadata": lambda e: e.recall("x", filters={"metadata": {"a": {}}}),
    "scope as text": lambda e: e.recall("x", scope="project=acme"),
    "scope as text for get": lambda e: e.get("mem-0001", scope="project=acme"),
    "scope as text for forget": lambda e: e.forget("mem-0001", scope="project=acme"),
    "scope as text for stats": lambda e: e.stats(scope="project=acme"),
    "list limit zero": lambda e: e.list(limit=0),
    "list limit too high": lambda e: e.list(limit=10**6),
    "list limit as text": lambda e: e.list(limit="10"),
    "list limit as a flag": lambda e: e.list(limit=True),
    "list by unknown status": lambda e: e.list(status="nonsense"),
    "list by unknown filter": lambda e: e.list(colour="red"),
    "list filter with a lone surrogate": lambda e: e.list(subject=LONE),
    "list before what is no label": lambda e: e.list(before="nonsense"),
    "list before a number": lambda e: e.list(before=3),
    "audit limit below zero": lambda e: e.audit(limit=-1),
    "audit limit as text": lambda e: e.audit(limit="many"),
    "audit of an unknown action": lambda e: e.audit(action="nonsense"),
}


class _Nothing(EngramError):
    """Stands for the answer None in these tables."""


def _or_none(found: object) -> object:
    """An id that nobody has is answered with None; a thing that is no id with an error."""
    if found is None:
        raise _Nothing(hint="None")
    return found


@pytest.fixture
def filled(engram: Engram) -> Engram:
    engram.remember("A known fact.", subject="facts", metadata={"a": 1})
    engram.remember("Another fact.", scope=Scope("acme"))
    return engram


def _refused(engram: Engram, call: Call) -> EngramError:
    before = dump(engram)
    with pytest.raises(EngramError) as caught:
        call(engram)
    after = dump(engram)
    if isinstance(caught.value, _Nothing):  # a read that found nothing is a read all the same
        for rows in (before, after):
            del rows["audit"], rows["ledger"]
    assert after == before
    assert re.fullmatch(r"E[0-9]{4}", caught.value.code)
    assert caught.value.hint
    assert str(caught.value).startswith(f"[{caught.value.code}]")
    return caught.value


@pytest.mark.parametrize("case", REMEMBER)
def test_a_bad_statement_is_refused_and_changes_nothing(filled, case):
    arguments = {"text": "A new fact.", **REMEMBER[case]}

    error = _refused(filled, lambda engram: engram.remember(**arguments))

    assert not error.code.startswith("E10"), "it never gets as far as the store"


@pytest.mark.parametrize("case", REMEMBER)
def test_a_bad_item_among_good_ones_changes_nothing(filled, case):
    items = ["good one", {"text": "A new fact.", **REMEMBER[case]}, "good two"]

    _refused(filled, lambda engram: engram.remember_many(items))


@pytest.mark.parametrize("case", IDS)
@pytest.mark.parametrize("method", BY_ID)
def test_a_bad_id_is_refused_and_changes_nothing(filled, method, case):
    error = _refused(filled, lambda engram: BY_ID[method](engram, IDS[case]))

    assert not error.code.startswith("E10"), "it never gets as far as the store"


@pytest.mark.parametrize("case", OTHERS)
def test_a_bad_call_is_refused_and_changes_nothing(filled, case):
    error = _refused(filled, OTHERS[case])

    assert not error.code.startswith("E10"), "it never gets as far as the store"


@pytest.mark.parametrize(
    "options",
    [
        {"scope": "project=acme"}, {"settings": "recall"}, {"path": 5}, {"path": "a\x00b"},
        {"settings": {"recall": 5}}, {"settings": {"nonsense": {}}},
    ],
)  # fmt: skip
def test_opening_with_bad_arguments_is_refused(options, clock):
    options = {"path": ":memory:", "clock": clock, **options}

    with pytest.raises(EngramError) as caught:
        Engram.open(**options).close()

    assert caught.value.hint


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\x00", LONE, "x" * 201, 5])
def test_a_scope_with_a_bad_name_cannot_be_made(name):
    with pytest.raises(EngramError):
        Scope(project=name)


def test_a_closed_engram_says_so(clock):
    engram = Engram.open(":memory:", clock=clock)
    engram.close()
    engram.close()

    for call in (lambda: engram.remember("x"), lambda: engram.recall("x"), lambda: engram.list()):
        with pytest.raises(EngramError) as caught:
            call()
        assert caught.value.code == "E1014"
