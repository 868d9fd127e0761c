"""Lines that no client should send: none of them ends the server, or costs another its answer."""

import json
import os
import random
from collections import Counter

import pytest
from talking import Talk, call, request

_ASKED = '{"jsonrpc":"2.0","id":%s,"method":"ping"}'
# A line, the id its answer names, and the code of the error (0: it is answered well; None: never).
_HOSTILE = [
    (b"", None, None),
    (b"   ", None, None),
    (b"nonsense", None, -32700),
    (b"\x00\x00\x00", None, -32700),
    (b"\xff\xfe\x00\x01", None, -32700),
    (b"null", None, -32600),
    (b"5", None, -32600),
    (b"[]", None, -32600),
    (f"[{_ASKED % 1},{_ASKED % 2}]".encode(), None, -32600),
    (b"{}", None, -32600),
    (b"[" * 100_000, None, -32700),
    (b'{"a":' * 100_000, None, -32700),
    (b'{"jsonrpc":"2.0","id":11,"method":"ping","params":' + b"[" * 100_000, 11, -32700),
    (_ASKED.encode() % b"12" + b"garbage", 12, -32700),
    (b'{"jsonrpc":"2.0","id":13,"method":"ping"', 13, -32700),
    (b'{"jsonrpc":"2.0","id":14,"method":"ping","params":{"n":NaN}}', 14, -32700),
    (b'{"jsonrpc":"2.0","id":15,"method":"ping","params":{"n":-Infinity}}', 15, -32700),
    (b'{"jsonrpc":"2.0","id":16,"method":"ping","params":{"n":' + b"9" * 9_999 + b"}}", 16, -32700),
    (b'{"jsonrpc":"2.0","id":' + b"9" * 9_999 + b',"method":"ping"}', None, -32700),
    (b'{"jsonrpc":"2.0","id":17,"method":"ping","params":{"t":"\xff"}}', 17, -32700),
    (b'{"jsonrpc":"2.0","id":18,"method":"ping","params":{"n":1e999}}', 18, 0),
    (b'{"jsonrpc":"2.0","id":1,"id":19,"method":"ping"}', 19, 0),
    (b'{"jsonrpc":"2.0","id":20,"method":"pong","method":"ping"}', 20, 0),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"1.0","id":21,"method":"ping"}', 21, -32600),
    (b'{"id":22,"method":"ping"}', 22, -32600),
    (b'{"jsonrpc":"2.0","id":23,"method":5}', 23, -32600),
    (b'{"jsonrpc":"2.0","id":24,"method":"ping","params":[1]}', 24, -32600),
    (b'{"jsonrpc":"2.0","id":25,"method":"nothing/like/it"}', 25, -32601),
    (b'{"jsonrpc":"2.0","id":26,"method":"tools/call"}', 26, -32602),
    (b'{"jsonrpc":"2.0","id":27,"method":"tools/call","params":{"name":5}}', 27, -32602),
    (b'{"jsonrpc":"2.0","id":28,"method":"tools/call","params":{"name":"rm"}}', 28, -32602),
    (b'{"jsonrpc":"2.0","id":29,"result":{}}', None, None),
    (b'{"jsonrpc":"2.0","id":30,"result":5}', None, None),
    (b'{"jsonrpc":"2.0","id":31,"error":{"code":1,"message":"x"}}', None, None),
    (b'{"jsonrpc":"2.0","method":"notifications/unheard/of"}', None, None),
    (
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":404}}',
        None,
        None,
    ),
    (b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}', None, None),
    (b'{"jsonrpc":"2.0","method":"notifications/progress","params":5}', None, -32600),
]


def test_hostile_lines_are_answered_as_they_deserve_and_end_nothing(store_path):
    with Talk(store_path) as talk:
        talk.begin()
        for number, (line, known, code) in enumerate(_HOSTILE):
            talk.raw(line + b"\n")
            found = [talk.answer()] if code is not None else []
            talk.send(request(f"after {number}", "ping"))
            found.append(talk.answer())

            told = [(each["id"], each.get("error", {}).get("code", 0)) for each in found]
            expected = [(known, code)] if code is not None else []
            assert told == [*expected, (f"after {number}", 0)], line[:80]


def test_a_line_of_fifty_megabytes_is_refused_and_takes_no_room(store_path):
    with Talk(store_path) as talk:
        talk.begin()
        talk.tool(1, "memory_list")
        before = talk.resident_megabytes
        talk.raw(b'{"jsonrpc":"2.0","id":2,"method":"ping","params":{"t":"')
        for _ in range(50):
            talk.raw(b"x" * 1_000_000)
        talk.raw(b'"}}\n')
        refused = talk.answer()
        after = talk.resident_megabytes
        talk.raw(
            b'{"method":"ping","params":{"t":"' + b"y" * 9_000_000 + b'"},"jsonrpc":"2.0","id":3}\n'
        )
        last = talk.answer()
        alive = talk.ask(request(4, "ping"))

    assert (refused["id"], refused["error"]["code"]) == (2, -32600)
    assert (last["id"], last["error"]["code"]) == (3, -32600)
    assert alive["result"] == {}
    assert after - before < 40


def _recorded(number: int) -> dict:
    """One request of a session such as agents have."""
    kinds = [
        call(number, "memory_store", content=f"Fact {number}: Ada moved to Porto.", importance=0.5),
        call(number, "memory_search", query="Where does Ada live?", limit=3),
        call(number, "memory_list", category="tooling", limit=5),
        call(number, "memory_update", id="mem-0001", content="Other words.", reason="why"),
        call(number, "memory_delete", id="mem-0002"),
        call(number, "memory_feedback", id="mem-0001", helpful=True),
        call(number, "memory_relate", source_id="mem-0001", target_id="mem-0003"),
        request(number, "tools/list"),
        request(number, "resources/list", cursor="50"),
        request(number, "resources/read", uri="memory://recall"),
        request(number, "prompts/get", name="recall", arguments={"query": "Ada"}),
        request(
            number,
            "completion/complete",
            ref={"type": "ref/prompt", "name": "remember"},
            argument={"name": "category", "value": "to"},
        ),
        request(number, "ping"),
    ]
    return kinds[number % len(kinds)]


_PIECES = [
    b"NaN", b"-0", b"1e400", b"99999999999999999999999", b"null", b"true", b'"', b"\\", b"\x00",
    b"\xff", b"\xed\xa0\x80", b"\\ud800", b"{", b"}", b"[", b"]", b",", b":", b"[" * 500,
    b'"id":1,', b"\r", b"\xe2\x80\xa8", b'{"a":{"b":[]}}', b"-", b"0x10", b"''",
]  # fmt: skip


def _mutated(line: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice((0, 1, 1, 1, 2, 4))):
        place = chance.randrange(len(line) + 1)
        end = min(len(line), place + chance.randrange(1, 12))
        act = chance.randrange(5)
        if act == 0:
            line = line[:place] + line[end:]
        elif act == 1:
            line = line[:place] + chance.choice(_PIECES) + line[place:]
        elif act == 2:
            line = line[:place] + chance.choice(_PIECES) + line[end:]
        elif act == 3:
            line = line[:place] + line[place:end] * 3 + line[end:]
        else:
            line = line[:place] + bytes(chance.randrange(256) for _ in range(3)) + line[end:]
    return line.replace(b"\n", b" ")


def _asked(line: bytes) -> object:
    """The id that must be answered, if the line is a request; None when it is not."""
    try:
        document = json.loads(line.decode(), parse_constant=_refused)
    except (ValueError, RecursionError):
        return None
    known = document.get("id") if isinstance(document, dict) and "method" in document else None
    return known if isinstance(known, int | str) and not isinstance(known, bool) else None


def _refused(name: str) -> float:
    raise ValueError(name)


def _fuzzed(talk: Talk, count: int, seed: int) -> None:
    chance = random.Random(seed)  # to be repeated, not to be secret
    lines = [_mutated(json.dumps(_recorded(n)).encode(), chance) for n in range(1, count + 1)]
    expected = Counter(known for line in lines if (known := _asked(line)) is not None)
    odd = sum(_asked(line) is None for line in lines)
    found: Counter[object] = Counter()
    for start in range(0, count, 100):
        talk.raw(b"".join(line + b"\n" for line in lines[start : start + 100]))
        end = f"end of {start}"
        talk.send(request(end, "ping"))
        while found[end] == 0:
            found[talk.answer()["id"]] += 1
    while any(found[known] < times for known, times in expected.items()):
        found[talk.answer()["id"]] += 1

    beyond = sum((found - expected).values()) - len(range(0, count, 100))
    assert beyond <= odd
    assert talk.ask(request("alive", "ping"))["result"] == {}


def test_mutated_requests_are_each_answered_once(store_path):
    with Talk(store_path) as talk:
        talk.begin()
        talk.tool(0, "memory_list")
        before = talk.resident_megabytes
        _fuzzed(talk, 600, seed=int(os.environ.get("ENGRAM_SEED", "1")))

        assert talk.resident_megabytes - before < 100
        assert talk.end() < 2


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_twenty_thousand_mutated_requests_are_each_answered_once(store_path, seed):
    with Talk(store_path, "--tools", "full") as talk:
        talk.begin()
        _fuzzed(talk, 2_000, seed=seed)
