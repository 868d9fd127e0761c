"""The leak matrix: every public method, by every kind of caller, on memories of every scope."""

import dataclasses
import inspect
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import pytest
from clock import FakeClock

from engram import Engram, Principal, Scope
from engram.engine.facade import TakenAway
from engram.errors import AccessDenied, ChangeNotFound, EngramError
from engram.memory.changes import Action
from engram.memory.scopes import PrincipalKind
from engram.upkeep import Upkeep

SCOPES = {
    "global": Scope(),
    "project": Scope("acme"),
    "squad": Scope("acme", "core"),
    "agent": Scope("acme", "core", "coder"),
    "user": Scope("acme", "core", "coder", "chat", "ann"),
    "other project": Scope("beta"),
    "other squad": Scope("acme", "sales"),
    "sibling agent": Scope("acme", "core", "critic"),
    "other user": Scope("acme", "core", "coder", "chat", "bob"),
    "like-named project": Scope("acme2"),
    "skill": Scope("acme", "sales", channel="skill:lint"),
}
PRINCIPALS = {
    "owner": Principal.of(None),
    "person at global": Principal(PrincipalKind.PERSON, Scope()),
    "project": Principal.of(SCOPES["project"]),
    "squad": Principal.of(SCOPES["squad"]),
    "agent": Principal.of(SCOPES["agent"]),
    "sibling agent": Principal.of(SCOPES["sibling agent"]),
    "channel user": Principal.of(SCOPES["user"]),
    "other user": Principal.of(SCOPES["other user"]),
    "orchestrator": Principal.orchestrator(SCOPES["squad"]),
    "skill": Principal.skill("lint", SCOPES["other squad"]),
    "skill next to it": Principal.skill("test", SCOPES["other squad"]),
    "anonymous": Principal.anonymous(),
    "anonymous in a channel": Principal.of(Scope("acme", "core", "coder", "chat")),
}
# Those who stand as another one does are tried in the long runs.
_ALIKE = {
    "person at global", "squad", "sibling agent", "other user", "skill next to it",
    "anonymous in a channel",
}  # fmt: skip
CALLERS = [
    pytest.param(name, marks=pytest.mark.soak) if name in _ALIKE else name for name in PRINCIPALS
]
# Written out, not computed by the code under test.
SEES = {
    "owner": {"global"},
    "person at global": {"global"},
    "project": {"global", "project"},
    "squad": {"global", "project", "squad"},
    "agent": {"global", "project", "squad", "agent"},
    "sibling agent": {"global", "project", "squad", "sibling agent"},
    "channel user": {"global", "project", "squad", "agent", "user"},
    "other user": {"global", "project", "squad", "agent", "other user"},
    "orchestrator": {
        "global", "project", "squad", "agent", "sibling agent", "user", "other user",
    },
    "skill": {"skill"},
    "skill next to it": set(),
    "anonymous": set(),
    "anonymous in a channel": set(),
}  # fmt: skip
CHANGES = {
    "owner": {"global"},
    "person at global": {"global"},
    "project": {"project"},
    "squad": {"squad"},
    "agent": {"agent"},
    "sibling agent": {"sibling agent"},
    "channel user": {"user"},
    "other user": {"other user"},
    "orchestrator": {"squad", "agent", "sibling agent", "user", "other user"},
    "skill": {"skill"},
    "skill next to it": set(),
    "anonymous": set(),
    "anonymous in a channel": set(),
}
UNKNOWN_ID = "0" * 26
UNKNOWN_CHANGE = "chg-" + "0" * 26

Act = Callable[[Engram, str], object]

# Methods that name one memory. An id that is foreign must be answered like one that is unknown.
BY_ID: dict[str, Act] = {
    "get": lambda e, id_: e.get(id_),
    "why": lambda e, id_: e.why("shared", id_),
    "history": lambda e, id_: e.history(id_),
    "importance": lambda e, id_: e.importance(id_),
    "status_history": lambda e, id_: e.status_history(id_),
    "audit": lambda e, id_: e.audit(memory_id=id_),
    "revise": lambda e, id_: e.revise(id_, "taken over"),
    "forget": lambda e, id_: e.forget(id_),
    "erase": lambda e, id_: e.erase(id_),
    "set_status": lambda e, id_: e.set_status(id_, "challenged", reason="mine"),
    "set_tier": lambda e, id_: e.set_tier(id_, "confidential"),
    "approve": lambda e, id_: e.approve(id_),
    "reject": lambda e, id_: e.reject(id_),
    "verify": lambda e, id_: e.verify(id_),
    "pin": lambda e, id_: e.pin(id_),
    "unpin": lambda e, id_: e.unpin(id_),
    "promote": lambda e, id_: e.promote(id_),
    "demote": lambda e, id_: e.demote(id_),
    "feedback": lambda e, id_: e.feedback(id_, False, query="shared", correction="taken over"),
    "answer_gap": lambda e, id_: e.answer_gap(id_, "yes"),
    # To itself: what may not be changed is refused before what makes no sense.
    "relate": lambda e, id_: e.relate(id_, id_),
    "unrelate": lambda e, id_: e.unrelate((id_, id_, "related")),
    "links": lambda e, id_: e.links(id_),
    "sources": lambda e, id_: e.sources(id_),
    "drawn": lambda e, id_: e.drawn(id_),
    "working": lambda e, id_: e.working.attend("", memory_id=id_),
    "remember": lambda e, id_: e.remember("a replacement", replaces=id_),
    "remember_many": lambda e, id_: e.remember_many([{"text": "many", "replaces": id_}]),
}
# Relating a foreign memory to one's own, either way round.
RELATING: list[Callable[[Engram, str, str], object]] = [
    lambda e, own, id_: e.relate(own, id_),
    lambda e, own, id_: e.relate(id_, own),
    lambda e, own, id_: e.unrelate((own, id_, "related")),
    lambda e, own, id_: e.unrelate((id_, own, "related")),
]
READS_BY_ID = {
    "get", "why", "history", "importance", "status_history", "audit", "links", "sources", "drawn",
    "working",  # attending to what is in sight is reading it
}  # fmt: skip
BY_CHANGE: dict[str, Act] = {"undo": lambda e, change: e.undo(change)}
# Methods that give back whatever the caller may see.
BROAD: dict[str, Callable[[Engram], object]] = {
    "recall": lambda e: [list(e.recall(token)) for token in ("shared", "evidence", *_all_tokens())],
    # What was asked for stands in the answer too, and is the caller's own.
    "reason": lambda e: [
        [each.hit for each in e.reason(token).evidence] for token in ("shared", "token0x")
    ],
    "context": lambda e: [
        _in_a_window(e, query) for query in ("shared", "evidence", *_all_tokens()[:3])
    ],
    "tool_context": lambda e: [
        e.tool_context("look_up", {"words": token}).memories for token in ("shared", "token0x")
    ],
    "timeline": lambda e: [e.timeline(token) for token in ("shared", "evidence", "token0x")],
    "list": lambda e: [e.list(limit=1000), e.list(status="any"), e.list(status="pending")],
    "review": lambda e: e.review(limit=1000),
    "export": lambda e: _carried_out(e),
    "imports": lambda e: e.imports(limit=1000),
    "audit": lambda e: e.audit(limit=10_000),
    "stats": lambda e: e.stats(),
    "growth": lambda e: e.growth(),
    "recall_statistics": lambda e: e.recall_statistics(),
    "capture_statistics": lambda e: e.capture_statistics(),
    "spending": lambda e: e.spending(),
    "unread": lambda e: e.unread(),
    "flush": lambda e: e.flush(),
    "read": lambda e: e.read("I keep two goats."),
    "entities": lambda e: e.entities(limit=1000),
    "entity": lambda e: [e.entity(token) for token in ("Acme", *_all_tokens())],
    "verify_audit": lambda e: e.verify_audit(),
    "audit_head": lambda e: e.audit_head(),
    "health": lambda e: e.health(),
    "warm": lambda e: e.upkeep.warm(),
    "vault_problem": lambda e: e.upkeep.vault_problem(),
    "settings": lambda e: e.settings,
    "settle": lambda e: e.settle(),
    "changes_since": lambda e: e.changes_since(0, limit=1_000),
    "news_page": lambda e: e.news_page(0, limit=1_000),
    "backlog": lambda e: e.backlog(),
    "upkeep": lambda e: e.upkeep.health(),
    "dream": lambda e: e.dream(steps=["topics", "archive", "merge", "gaps", "tree", "map"]),
    "dreams": lambda e: e.dreams(),
    "profile": lambda e: e.profile(),
    "topics": lambda e: e.topics(limit=1000),
    "traces": lambda e: e.traces(limit=1000),
    "overview": lambda e: e.overview(),
    "domains": lambda e: e.domains(),
    "turn": lambda e: _in_a_turn(e),
    "model": lambda e: e.model("gpt-4o"),
    "models": lambda e: e.models(),
    "count_tokens": lambda e: e.count_tokens("a neutral text"),
    "gaps": lambda e: e.gaps(),
    "name_proposals": lambda e: e.name_proposals(),
    "replacements": lambda e: e.replacements(e.list(limit=1_000, status="any")),
    "questions": lambda e: e.questions("s", limit=2),
    "dream_report": lambda e: [e.dream_report(each.id) for each in e.dreams()],
    "working": lambda e: [
        [e.working.gather(word) for word in ("shared", "evidence", "token0x")],
        e.working.active(),
        e.working.export_items(),
        e.working.export("xml").text,
        e.working.resume(session="s"),
        e.working.tick(),
        e.working.topic("switch"),
        e.working.heard(),
        e.working.suspend(),
        e.working.clear(),
    ],
}
# Methods that name somebody or something. A foreign name must be answered like an unknown one.
BY_NAME: dict[str, Act] = {
    "entity": lambda e, name: e.entity(name),
    "card": lambda e, name: e.card(name),
    "merge_entities": lambda e, name: e.merge_entities(name, "Nobody Atall"),
    "split_entity": lambda e, name: e.split_entity(name),
}
NAMES = (
    "Clara Moreau", "Peter Hansen", "Laura Bianchi", "Thomas Keller", "Emma Larsen",
    "David Novak", "Julia Weber", "Martin Dubois", "Sofia Rossi", "Daniel Fischer",
    "Nora Lindqvist",
)  # fmt: skip
# Methods that take something in, given a folder with a transcript and a source file.
TAKING_IN: dict[str, Callable[[Engram, Path], object]] = {
    "observe": lambda e, path: e.observe("A turn about nothing in particular."),
    "observe_many": lambda e, path: e.observe_many(["Nothing.", "Nothing at all."]),
    "observe_result": lambda e, path: e.observe_result("task", "The pears were counted twice."),
    "estimate": lambda e, path: e.estimate(["Nothing."]),
    "harvest": lambda e, path: e.harvest("generic", folder=path / "talk.jsonl"),
    "scan": lambda e, path: e.scan(path),
    "import_": lambda e, path: e.import_(path / "talk.jsonl"),
}
# What concerns the store as a whole is its owner's alone.
OWNER_ONLY: dict[str, Callable[[Engram, Path], object]] = {
    "reread": lambda e, path: e.reread(),
    "issue_key": lambda e, path: e.issue_key("mine", role="admin"),
    "keys": lambda e, path: e.keys(every=True),
    "rotate_key": lambda e, path: e.rotate_key("0" * 10),
    "revoke_key": lambda e, path: e.revoke_key("0" * 10),
    "recognise": lambda e, path: e.recognise("engram_" + "0" * 10 + "_" + "0" * 58),
    "access_taken_away": lambda e, path: e.access_taken_away(),
    "take_access_away": lambda e, path: e.take_access_away(TakenAway()),
    "mark_at": lambda e, path: e.mark_at(1),
    "last_sequence": lambda e, path: e.last_sequence(),
    "add_webhook": lambda e, path: e.add_webhook("mine", "https://example.org/hook"),
    "webhooks": lambda e, path: e.webhooks(every=True),
    "end_webhook": lambda e, path: e.end_webhook("0" * 10),
    "test_webhook": lambda e, path: e.test_webhook("0" * 10),
    "deliver_due": lambda e, path: e.deliver_due(),
    "seen_by": lambda e, path: e.seen_by(Principal.of(None)),
    "backup": lambda e, path: e.backup(path / "stolen.db"),
    "restore": lambda e, path: e.restore(path / "none.db"),
    "doctor": lambda e, path: e.doctor(),
    "embed": lambda e, path: e.upkeep.embed(),
    "encrypt": lambda e, path: e.upkeep.encrypt(passphrase="mine"),
    "change_key": lambda e, path: e.upkeep.change_key(passphrase="mine"),
    "add_key": lambda e, path: e.upkeep.add_key(passphrase="mine"),
    "remove_key": lambda e, path: e.upkeep.remove_key("passphrase"),
    "recovery_key": lambda e, path: e.upkeep.recovery_key(),
    "ways_in": lambda e, path: e.upkeep.ways_in(),
    "plain_backups": lambda e, path: e.upkeep.plain_backups(),
    "renew_keys": lambda e, path: e.upkeep.renew_keys("master"),
    "decrypt": lambda e, path: e.upkeep.decrypt(confirmed=True),
    "configure": lambda e, path: e.upkeep.configure("recall.limit", "1"),
    "record": lambda e, path: e.upkeep.record(Action.RESTORE, 1),
    "anticipated": lambda e, path: e.upkeep.anticipated(),
    "recent_reads": lambda e, path: e.upkeep.recent_reads(),
    "scope_of": lambda e, path: e.upkeep.scope_of("mem-0001"),
    "scopes": lambda e, path: e.upkeep.scopes(),
    "security_events": lambda e, path: e.security_events(),
    "erasures": lambda e, path: e.erasures(),
    "finish_erasures": lambda e, path: e.finish_erasures(),
}
NOT_ABOUT_MEMORIES = {
    "check_certificate": "says of a document that the caller has whether it was signed here",
    "open": "says who calls; every test here goes through it",
    "close": "lets go of the store; takes and gives nothing",
    "note_refusal": "counts that somebody was refused; gives nothing",
    "episodes": "a facet; test_leaks_of_systems.py has its methods",
    "knowledge": "a facet; test_leaks_of_systems.py has its methods",
    "skills": "a facet; test_leaks_of_systems.py has its methods",
    "take_message": "whoever signs is let in as the webhook; tests/webhooks",
}


def _carried_out(engram: Engram) -> object:
    """All that a caller can write into a file; who may write none carries nothing out."""
    with tempfile.TemporaryDirectory() as folder, suppress(AccessDenied):
        path = Path(folder) / "out.jsonl"
        engram.export(path, format="jsonl", plaintext=True)
        return path.read_text()
    return ""


def _in_a_window(engram: Engram, query: str) -> object:
    """All that a model is shown for a message that names nothing itself."""
    said = [{"role": "user", "content": "What do you know of it?"}]
    made = engram.context(said, model="gpt-4o", session="s", query=query, mode="deep")
    return [made.document(), made.text, made.memories]


def _in_a_turn(engram: Engram) -> object:
    """All that a model is shown in a turn, and what is told of it afterwards."""
    with engram.turn("s", model="gpt-4o") as turn:
        window = turn.build("What is the shared secret of this place?")
        turn.answered("Nothing in particular.")
    return [window.document(), window.text, window.memories, turn.report]


def _all_tokens() -> list[str]:
    return [f"token{index}x" for index in range(len(SCOPES))]


@dataclass
class World:
    """A store with memories in every scope, and what each is called."""

    path: Path
    clock: FakeClock
    ids: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    pending: dict[str, str] = field(default_factory=dict)
    changes: dict[str, list[str]] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    opened: list[Engram] = field(default_factory=list)

    def open(self, principal: Principal) -> Engram:
        self.opened.append(Engram.open(self.path, principal=principal, clock=self.clock))
        return self.opened[-1]

    def foreign(self, name: str) -> list[str]:
        return [scope for scope in SCOPES if scope not in SEES[name]]

    def secrets_of(self, scopes: list[str]) -> list[str]:
        """Everything that would give a foreign memory away."""
        found = []
        for scope in scopes:
            found += [self.ids[scope], self.pending[scope], self.tokens[scope]]
            found += self.changes[scope]
        return found

    def dump(self, scopes: list[str]) -> list[tuple[object, ...]]:
        """All rows of these scopes, as they are in the database."""
        for each in self.opened:
            each.settle()
        raw = apsw.Connection(str(self.path / "engram.db"), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            rows: list[tuple[object, ...]] = []
            for scope in scopes:
                path = SCOPES[scope].path
                rows += raw.execute("SELECT * FROM memories WHERE scope = ?", (path,))
                rows += raw.execute(
                    "SELECT usage.* FROM usage JOIN memories USING (number) WHERE scope = ?",
                    (path,),
                )
                rows += raw.execute("SELECT * FROM changes WHERE scope = ?", (path,))
                rows += raw.execute(
                    "SELECT count(*) FROM audit WHERE scope = ? AND change_id IS NOT NULL", (path,)
                )
            return rows
        finally:
            raw.close()

    def count(self) -> int:
        raw = apsw.Connection(str(self.path / "engram.db"), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            return raw.execute("SELECT count(*) FROM memories").fetchone()[0]
        finally:
            raw.close()


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Built once: every scope has a memory with a history, a confirmation and a pending one."""
    world = World(tmp_path_factory.mktemp("leaks") / "template", FakeClock())
    owner = world.open(Principal.of(None))
    for index, (name, scope) in enumerate(SCOPES.items()):
        token = _all_tokens()[index]
        made = owner.remember(
            f"The shared secret of this place is {token}.",
            scope=scope, subject=f"subject {token}", speaker=f"speaker {token}",
            reference=f"reference {token}", metadata={"note": f"metadata {token}"},
            idempotency_key="the same key",
        )  # fmt: skip
        known = owner.remember(
            f"The shared secret of this place is {token}!",
            scope=scope, subject=f"subject {token}", speaker=f"speaker {token}",
            reference=f"evidence {token}",
        )  # fmt: skip
        assert known.kind == "confirmed"
        revised = owner.revise(
            made.memory.id, f"The shared secret here was {token}.", scope=scope, reason=token
        )
        above = Principal.orchestrator(Scope(scope.project, scope.squad, scope.agent))
        with Engram.open(world.path, principal=above, clock=world.clock) as proposer:
            held = proposer.remember(f"Proposed {token}.", category="identity", scope=scope)
        assert held.kind == "held"
        world.ids[name] = made.memory.id
        world.labels[name] = made.memory.label
        world.pending[name] = held.memory.id
        world.changes[name] = [str(revised.change_id), made.change_id, held.change_id]
        world.tokens[name] = token
        world.clock.advance(minutes=1)
    everyone = world.open(Principal.orchestrator(Scope()))
    _look_around(everyone, world)
    everyone.why("shared", world.ids["user"])
    for name, scope in SCOPES.items():
        owner.get(world.ids[name], scope=scope)
        owner.history(world.ids[name], scope=scope)
        owner.recall("shared", scope=scope)
    for each in world.opened:
        each.close()
    world.opened.clear()
    return world


def _look_around(everyone: Engram, world: World) -> None:
    everyone.recall("shared")
    everyone.recall("evidence")
    BROAD["list"](everyone)
    for name in SCOPES:
        everyone.get(world.ids[name])
    everyone.settle()


@pytest.fixture
def world(template: World, tmp_path: Path) -> Iterator[World]:
    """A fresh copy in which someone who sees everything has just looked around."""
    path = tmp_path / "world"
    shutil.copytree(template.path, path)
    copy = World(
        path, FakeClock(template.clock.time), template.ids, template.labels, template.pending,
        template.changes, template.tokens,
    )  # fmt: skip
    # In this process too: what it would keep for others is warm.
    _look_around(copy.open(Principal.orchestrator(Scope())), copy)
    yield copy
    for each in copy.opened:
        each.close()


def outcome(act: Callable[[], object]) -> tuple[object, ...]:
    """What a caller can tell from a call."""
    try:
        return ("value", act())
    except EngramError as error:
        return ("error", type(error), error.code, error.message, error.hint, str(error))


def public_names(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind) if not name.startswith("_")}


@pytest.mark.failure("F22", "F27")
def test_every_public_method_is_in_the_matrix():
    listed = {
        *BY_ID, *BY_CHANGE, *BY_NAME, *BROAD, *TAKING_IN, *OWNER_ONLY, *NOT_ABOUT_MEMORIES,
    }  # fmt: skip

    missing = (public_names(Engram) | public_names(Upkeep)) - listed
    gone = listed - public_names(Engram) - public_names(Upkeep)

    assert not missing, "add the new methods to the matrix"
    assert not gone, "the matrix lists methods that no longer exist"


@pytest.mark.failure("F22", "F23", "F25", "F28")
@pytest.mark.parametrize("method", BY_ID)
@pytest.mark.parametrize("name", CALLERS)
def test_a_foreign_id_is_answered_like_an_unknown_one(world: World, name: str, method: str):
    caller = world.open(PRINCIPALS[name])
    foreign = world.foreign(name)
    before, size = world.dump(foreign), world.count()
    unknown = outcome(lambda: BY_ID[method](caller, UNKNOWN_ID))

    for _round in (1, 2):
        for scope in foreign:
            for known_as in (world.ids, world.labels, world.pending):
                found = outcome(lambda id_=known_as[scope]: BY_ID[method](caller, id_))
                assert found == unknown, f"{method} tells of a memory of {scope}"

    assert unknown == ("value", None) or unknown[0] == "error"
    assert world.dump(foreign) == before
    assert world.count() == size


@pytest.mark.failure("F28")
@pytest.mark.parametrize("name", CALLERS)
def test_a_foreign_change_cannot_be_undone_or_told_from_an_unknown_one(world: World, name: str):
    caller = world.open(PRINCIPALS[name])
    foreign = world.foreign(name)
    before = world.dump(foreign)
    unknown = outcome(lambda: caller.undo(UNKNOWN_CHANGE))

    for _round in (1, 2):
        for scope in foreign:
            for change in world.changes[scope]:
                assert outcome(lambda id_=change: caller.undo(id_)) == unknown

    assert world.dump(foreign) == before


@pytest.mark.failure("F22", "F23", "F25")
@pytest.mark.parametrize("method", BROAD)
@pytest.mark.parametrize("name", CALLERS)
def test_what_is_given_back_holds_nothing_foreign(world: World, name: str, method: str):
    caller = world.open(PRINCIPALS[name])
    # The owner's audit tells what it did under other scopes; its review and export are of all.
    is_owners = name == "owner" and method in ("audit", "review", "export")
    secrets = [] if is_owners else world.secrets_of(world.foreign(name))

    for _round in (1, 2):
        given = _everything_in(_answer(BROAD[method], caller))

        leaked = [secret for secret in secrets if secret in given]
        assert not leaked, f"{method} gives {len(leaked)} foreign things away"


@pytest.mark.failure("F22", "F23")
@pytest.mark.parametrize("name", CALLERS)
def test_taking_something_in_tells_and_changes_nothing_foreign(
    world: World, name: str, tmp_path: Path
):
    folder = tmp_path / "orchard"
    folder.mkdir()
    (folder / "pears.py").write_text("def count(): ...\n")
    (folder / "talk.jsonl").write_text('{"role": "user", "text": "The pears are ripe."}\n')
    caller = world.open(PRINCIPALS[name])
    foreign = world.foreign(name)
    before = world.dump(foreign)

    for method, take_in in TAKING_IN.items():
        given = _everything_in(_answer(lambda e, act=take_in: act(e, folder), caller))
        leaked = [secret for secret in world.secrets_of(foreign) if secret in given]
        assert not leaked, f"{method} gives {len(leaked)} foreign things away"

    assert world.dump(foreign) == before


@pytest.mark.failure("F22", "F23")
@pytest.mark.parametrize("name", CALLERS)
def test_what_was_said_elsewhere_is_not_told_and_not_read(world: World, name: str):
    owner = world.open(PRINCIPALS["owner"])
    for scope, place in SCOPES.items():
        owner.observe(f"note {world.tokens[scope]}", scope=place, session=world.tokens[scope])
    caller = world.open(PRINCIPALS[name])
    foreign = world.foreign(name)

    counted = caller.unread()
    turns = sum(each.count for each in caller.capture_statistics() if "turn" in each.outcome)
    given = _everything_in(caller.flush())

    assert counted == turns == len(SEES[name])
    if name != "owner":  # who reads also what it kept in other scopes
        assert not [secret for secret in world.secrets_of(foreign) if secret in given]
        for scope in foreign:
            with world.open(Principal(PrincipalKind.PERSON, SCOPES[scope])) as own:
                assert own.flush().turns == 1, f"the turn of {scope} was read by another"


@pytest.mark.failure("F22", "F23")
@pytest.mark.parametrize("name", CALLERS)
def test_a_foreign_name_is_answered_like_an_unknown_one(world: World, name: str):
    owner = world.open(PRINCIPALS["owner"])
    named = dict(zip(SCOPES, NAMES, strict=True))
    for scope, place in SCOPES.items():
        owner.remember(f"{named[scope]} lives in Lyon.", scope=place)
    caller = world.open(PRINCIPALS[name])

    for method, act in BY_NAME.items():
        unknown = outcome(lambda act=act: act(caller, "Zachary Quill"))
        for scope in world.foreign(name):
            found = outcome(lambda act=act, known=named[scope]: act(caller, known))
            assert found == unknown, f"{method} tells of a name in {scope}"

    listed = _everything_in(caller.entities(limit=1000))
    assert {known for known in NAMES if known in listed} == {named[each] for each in SEES[name]}


def _answer(method: Callable[[Engram], object], caller: Engram) -> object:
    """What a caller gets; an anonymous one may be refused, and then gets nothing."""
    try:
        return method(caller)
    except AccessDenied:
        assert caller.principal.kind is PrincipalKind.ANONYMOUS
        return None


def _everything_in(value: object) -> str:
    """All that stands in a value, also what its repr keeps to itself."""
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return " ".join(_everything_in(getattr(value, field.name)) for field in fields)
    if isinstance(value, dict):
        return " ".join(_everything_in(item) for pair in value.items() for item in pair)
    if isinstance(value, list | tuple | set | frozenset):
        return " ".join(map(_everything_in, value))
    return repr(value)


def test_the_matrix_looks_at_what_a_memory_says(world: World):
    owner = world.open(PRINCIPALS["owner"])

    shown = _everything_in(owner.list(limit=1000))

    own = owner.list(limit=1)[0]
    assert own.content in shown
    assert own.id in shown


@pytest.mark.failure("F22")
@pytest.mark.parametrize("name", CALLERS)
def test_each_caller_sees_exactly_its_chain(world: World, name: str):
    caller = world.open(PRINCIPALS[name])

    listed = {memory.id for memory in caller.list(limit=1000)}
    recalled = {hit.memory.id for hit in caller.recall("shared", limit=100)}
    got = {scope for scope in SCOPES if caller.get(world.ids[scope]) is not None}

    expected = {world.ids[scope] for scope in SEES[name]}
    assert listed == expected
    assert recalled == expected
    assert got == SEES[name]
    assert caller.stats().memories == 2 * len(expected)


@pytest.mark.failure("F28")
@pytest.mark.parametrize("name", CALLERS)
def test_what_is_only_visible_from_above_cannot_be_changed(world: World, name: str):
    caller = world.open(PRINCIPALS[name])
    fixed = sorted(SEES[name] - CHANGES[name])
    before, size = world.dump(fixed), world.count()

    for scope in fixed:
        for method in set(BY_ID) - READS_BY_ID - {"answer_gap"}:
            with pytest.raises(AccessDenied):
                BY_ID[method](caller, world.ids[scope])

    assert world.dump(fixed) == before
    assert world.count() == size


@pytest.mark.failure("F22", "F28")
@pytest.mark.parametrize("name", CALLERS)
def test_a_word_about_what_is_only_visible_from_above_stays_with_the_caller(
    world: World, name: str
):
    caller = world.open(PRINCIPALS[name])
    fixed = sorted(SEES[name] - CHANGES[name])
    before = world.dump(fixed)

    for scope in fixed:
        said = caller.feedback(world.ids[scope], False, query="shared")
        with caller._view(None) as see:
            assert see.feedback_for([said.memory.number]) == [said.feedback]

    assert world.dump(fixed) == before


@pytest.mark.failure("F22", "F25")
@pytest.mark.parametrize("name", CALLERS)
def test_words_and_recalls_of_others_are_not_told(world: World, name: str):
    owner, caller = world.open(Principal.of(None)), world.open(PRINCIPALS[name])
    for scope, place in SCOPES.items():
        owner.feedback(world.ids[scope], False, query=world.tokens[scope], scope=place)

    with caller._view(None) as see:
        told = see.feedback_for(range(1, 100))
    counted = caller.recall_statistics().recalls

    assert {each.query for each in told} == {world.tokens[scope] for scope in SEES[name]}
    # Of the fixture: one in each scope; those of the one who sees everything are nobody else's.
    assert counted == len(SEES[name])


@pytest.mark.failure("F23", "F24")
@pytest.mark.parametrize("name", CALLERS)
def test_a_foreign_memory_is_related_to_nothing_of_ones_own(world: World, name: str):
    caller = world.open(PRINCIPALS[name])
    foreign = world.foreign(name)
    before = world.dump(foreign)

    for mine in (world.ids[own] for own in sorted(CHANGES[name])):
        for act in RELATING:
            unknown = outcome(lambda: act(caller, mine, UNKNOWN_ID))  # noqa: B023  # called at once
            for scope in foreign:
                for known_as in (world.ids, world.labels, world.pending):
                    found = outcome(lambda id_=known_as[scope]: act(caller, mine, id_))  # noqa: B023
                    assert found == unknown, f"a memory of {scope} is told of"
        assert caller.links(mine) == []

    assert world.dump(foreign) == before


@pytest.mark.failure("F23", "F24")
@pytest.mark.parametrize("name", CALLERS)
def test_a_link_is_seen_only_where_both_its_ends_are(world: World, name: str):
    """Every memory related to every other by one who sees all; each caller sees its own part."""
    everyone = world.open(Principal.orchestrator(Scope()))
    places = list(SCOPES)
    pairs = [(a, b) for a in places for b in places if a < b]
    links = {pair: everyone.relate(*(world.ids[each] for each in pair)) for pair in pairs}
    caller = world.open(PRINCIPALS[name])

    with caller._view(None) as see:
        numbers = range(1, 100)
        around = {(start, end) for start, end, _ in see.links.around(numbers)}
    told = [link for scope in SEES[name] for link in caller.links(world.ids[scope])]
    audit = _everything_in(caller.audit(limit=10_000))

    both = [pair for pair in pairs if set(pair) <= SEES[name]]
    ends = {(links[pair].link.from_number, links[pair].link.to_number) for pair in both}
    assert around == ends
    assert {link.change_id for link in told} == {links[pair].change_id for pair in both}
    if name != "owner":
        hidden = [world.ids[scope] for scope in world.foreign(name)]
        assert not [each for each in hidden if each in _everything_in(told) or each in audit]
    for pair in set(pairs) - set(both):
        unknown = outcome(lambda: caller.unrelate(UNKNOWN_CHANGE))
        change = links[pair].change_id
        assert outcome(lambda change=change: caller.unrelate(change)) == unknown
        assert outcome(lambda change=change: caller.undo(change))[1] is ChangeNotFound


@pytest.mark.failure("F22", "F28")
@pytest.mark.parametrize("method", ["get", "list", "recall", "stats", "audit", "history", "pin"])
@pytest.mark.parametrize("name", CALLERS)
def test_naming_a_scope_never_widens_what_is_seen(world: World, name: str, method: str):
    caller = world.open(PRINCIPALS[name])
    foreign = [s for s in world.foreign(name) if name != "owner"]  # its owner may name any
    acts: dict[str, Callable[[str], object]] = {
        "get": lambda scope: caller.get(world.ids[scope], scope=SCOPES[scope]),
        "list": lambda scope: caller.list(scope=SCOPES[scope]),
        "recall": lambda scope: list(caller.recall("shared", scope=SCOPES[scope])),
        "stats": lambda scope: caller.stats(scope=SCOPES[scope]).memories,
        "audit": lambda scope: caller.audit(scope=SCOPES[scope]),
        "history": lambda scope: caller.history(world.ids[scope], scope=SCOPES[scope]),
        "pin": lambda scope: caller.pin(world.ids[scope], scope=SCOPES[scope]),
    }
    before = world.dump(foreign)

    for scope in foreign:
        found = outcome(lambda named=scope: acts[method](named))
        nothing = found[0] == "error" or not found[1]
        assert nothing, f"{method} with scope={scope}"

    assert world.dump(foreign) == before


@pytest.mark.failure("F22", "F43")
@pytest.mark.parametrize("name", CALLERS)
def test_repeating_a_foreign_statement_does_not_tell_that_it_is_known(world: World, name: str):
    caller = world.open(PRINCIPALS[name])
    foreign = world.foreign(name)
    before = world.dump(foreign)

    for scope in foreign:
        token = world.tokens[scope]
        found = outcome(
            lambda token=token: caller.remember(
                f"The shared secret here was {token}.",
                subject=f"subject {token}", speaker=f"speaker {token}",
            ).kind
        )  # fmt: skip
        assert found == ("value", "stored") or found[1] is AccessDenied

    assert world.dump(foreign) == before


@pytest.mark.failure("F22")
@pytest.mark.parametrize("category", ["general", "relationship"])
@pytest.mark.parametrize("name", ["project", "squad", "agent", "person at global"])
def test_writing_into_a_scope_one_cannot_read_tells_nothing_about_it(
    world: World, name: str, category: str
):
    """A wider caller may leave a memory in a narrower scope without seeing what is there."""
    caller = world.open(PRINCIPALS[name])
    own = PRINCIPALS[name].scope
    inner = [s for s in world.foreign(name) if own.contains(SCOPES[s])]
    owner = world.open(Principal.of(None))
    for scope in inner:
        owner.remember(
            "Bob reports to Carol.", category=category, subject="Bob", scope=SCOPES[scope]
        )

    for scope in inner:
        told = [
            outcome(
                lambda scope=scope, subject=subject, said=said: (
                    caller.remember(
                        said, category=category, subject=subject, scope=SCOPES[scope]
                    ).kind
                )
            )
            for subject, said in (
                ("Bob", "Bob reports to Carol."),
                ("Bob", "Bob reports to Dan."),
                ("Nobody", "Nobody reports to Dan."),
            )
        ]
        assert len(set(told)) == 1, f"{scope}: {told}"


@pytest.mark.failure("F22", "F28")
@pytest.mark.parametrize("name", ["project", "squad", "agent", "person at global"])
def test_replacing_in_a_scope_one_cannot_read_tells_nothing_about_it(world: World, name: str):
    caller = world.open(PRINCIPALS[name])
    own = PRINCIPALS[name].scope
    inner = [s for s in world.foreign(name) if own.contains(SCOPES[s])]
    before = world.dump(inner)

    for scope in inner:
        told = {
            outcome(
                lambda scope=scope, id_=id_: (
                    caller.remember("new", scope=SCOPES[scope], replaces=id_).memory
                )
            )
            for id_ in (UNKNOWN_ID, world.ids[scope], world.labels[scope], world.pending[scope])
        }
        assert len(told) == 1, f"{scope}: {sorted(str(each[1]) for each in told)}"

    assert world.dump(inner) == before


@pytest.mark.failure("F25", "F26")
@pytest.mark.parametrize("name", CALLERS)
def test_an_idempotency_key_of_another_caller_means_nothing(world: World, name: str):
    caller = world.open(PRINCIPALS[name])

    found = outcome(lambda: caller.remember("fresh", idempotency_key="the same key").memory.content)

    if name in ("owner", "person at global"):  # the audit names both person:/
        assert found[0] == "error"  # its own key, used for another text
    else:
        assert found == ("value", "fresh") or found[1] is AccessDenied


@pytest.mark.failure("F29")
@pytest.mark.parametrize("method", OWNER_ONLY)
@pytest.mark.parametrize("name", [name for name in PRINCIPALS if name != "owner"])
def test_only_the_owner_may_touch_the_store_as_a_whole(
    world: World, name: str, method: str, tmp_path: Path
):
    caller = world.open(PRINCIPALS[name])
    before = world.dump(list(SCOPES))

    with pytest.raises(AccessDenied):
        OWNER_ONLY[method](caller, tmp_path)

    assert not (tmp_path / "stolen.db").exists()
    assert not (world.path / "keys.json").exists()
    assert world.dump(list(SCOPES)) == before


def test_an_orchestrator_sees_below_but_not_beside(world: World):
    caller = world.open(Principal.orchestrator(SCOPES["project"]))

    seen = {scope for scope in SCOPES if caller.get(world.ids[scope]) is not None}

    assert seen == set(SCOPES) - {"other project", "like-named project"}


def test_an_orchestrator_of_a_channel_does_not_see_its_users(world: World):
    """Channel and user are one level: nothing lies between, so nothing can be looked down on."""
    caller = world.open(Principal.orchestrator(Scope("acme", "core", "coder", "chat")))

    assert caller.get(world.ids["user"]) is None
    assert caller.get(world.ids["other user"]) is None


def test_anonymous_callers_can_neither_read_nor_write(world: World):
    for name in ("anonymous", "anonymous in a channel"):
        caller = world.open(PRINCIPALS[name])

        assert caller.list(status="any") == []
        assert len(caller.recall("shared")) == 0
        assert caller.stats().memories == 0
        assert caller.audit() == []
        with pytest.raises(AccessDenied):
            caller.remember("I was here.")
