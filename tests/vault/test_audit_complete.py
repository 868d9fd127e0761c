"""Every public method that reads or writes leaves a line: action, caller, place, no words."""

import inspect
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from clock import FakeClock

from engram import Engram, Scope
from engram.engine.episodes import Episodes
from engram.engine.facade import TakenAway
from engram.engine.knowledge import Knowledge
from engram.engine.skills import Skills
from engram.engine.working import Working
from engram.errors import AccessDenied, EngramError
from engram.memory.changes import Action, AuditEntry
from engram.upkeep import Upkeep

CANARY = "zebrafinch-7731"
SITUATION = f"Deploying the site of {CANARY}."
EVENT = {"type": "user_message", "content": f"Go on, {CANARY}."}
SKILL = {
    "name": "deploy",
    "description": f"Puts the site of {CANARY} online.",
    "trigger": {"description": f"the site of {CANARY} has to go live"},
    "procedure": {
        "steps": [
            {"description": "Push it.", "action": {"type": "call_tool", "tool": "push"}},
        ]
    },
}


@dataclass
class World:
    """A store with something of everything, seen by one caller."""

    engram: Engram
    memory: str
    other: str
    held: str
    gone: str  # a change that can be taken back
    episode: str
    open_episode: str
    belief: str
    folder: Path
    key: str = ""

    @property
    def scope(self) -> str:
        return (self.engram.principal.scope or Scope()).path


Act = Callable[[World], object]
A = Action
# Each method: how it is called, and which lines that leaves. A line more does no harm.
AUDITED: dict[str, tuple[Act, set[Action]]] = {
    "remember": (lambda w: w.engram.remember(f"Another fact of {CANARY}."), {A.REMEMBER}),
    "remember_many": (lambda w: w.engram.remember_many([f"Many of {CANARY}."]), {A.REMEMBER}),
    "observe": (lambda w: w.engram.observe(f"I heard of {CANARY}."), {A.OBSERVE}),
    "observe_many": (lambda w: w.engram.observe_many([f"Ada sees {CANARY}."]), {A.OBSERVE}),
    "observe_result": (
        lambda w: w.engram.observe_result("task", f"Ada moved {CANARY} to Porto on Friday."),
        {A.OBSERVE},
    ),
    "harvest": (
        lambda w: w.engram.harvest("generic", folder=w.folder / "talk.jsonl"), {A.OBSERVE},
    ),
    "scan": (lambda w: w.engram.scan(w.folder), {A.REMEMBER}),
    "recall": (lambda w: w.engram.recall(CANARY), {A.RECALL}),
    "reason": (lambda w: w.engram.reason(f"Who is {CANARY}?"), {A.REASON}),
    "context": (
        lambda w: w.engram.context([{"role": "user", "content": CANARY}], model="gpt-4o"),
        {A.RECALL},
    ),
    "tool_context": (lambda w: w.engram.tool_context("look_up", {"a": CANARY}), {A.RECALL}),
    "turn": (lambda w: _turn(w.engram), {A.RECALL, A.OBSERVE}),
    "timeline": (lambda w: w.engram.timeline(CANARY), {A.TIMELINE}),
    "why": (lambda w: w.engram.why(CANARY, w.memory), {A.WHY}),
    "get": (lambda w: w.engram.get(w.memory), {A.GET}),
    "reread": (lambda w: w.engram.reread(), {A.LIST}),
    "list": (lambda w: w.engram.list(), {A.LIST}),
    "review": (lambda w: w.engram.review(), {A.LIST}),
    "history": (lambda w: w.engram.history(w.memory), {A.HISTORY}),
    "status_history": (lambda w: w.engram.status_history(w.memory), {A.HISTORY}),
    "importance": (lambda w: w.engram.importance(w.memory), {A.GET}),
    "links": (lambda w: w.engram.links(w.memory), {A.LINKS}),
    "sources": (lambda w: w.engram.sources(w.memory), {A.LINKS}),
    "drawn": (lambda w: w.engram.drawn(w.memory), {A.LINKS}),
    "entity": (lambda w: w.engram.entity("Ada"), {A.LIST}),
    "entities": (lambda w: w.engram.entities(), {A.LIST}),
    "profile": (lambda w: w.engram.profile(), {A.LIST}),
    "card": (lambda w: w.engram.card("Ada"), {A.LIST}),
    "topics": (lambda w: w.engram.topics(), {A.LIST}),
    "traces": (lambda w: w.engram.traces(), {A.LIST}),
    "overview": (lambda w: w.engram.overview(), {A.LIST}),
    "domains": (lambda w: w.engram.domains(), {A.LIST}),
    "growth": (lambda w: w.engram.growth(), {A.LIST}),
    "gaps": (lambda w: w.engram.gaps(), {A.LIST}),
    "questions": (lambda w: w.engram.questions("s"), {A.LIST}),
    "name_proposals": (lambda w: w.engram.name_proposals(), {A.LIST}),
    "audit": (lambda w: w.engram.audit(), {A.AUDIT}),
    "changes_since": (lambda w: w.engram.changes_since(0), {A.AUDIT}),
    "dreams": (lambda w: w.engram.dreams(), {A.AUDIT}),
    "security_events": (lambda w: w.engram.security_events(), {A.SECURITY}),
    "revise": (lambda w: w.engram.revise(w.memory, f"Now {CANARY} is blue."), {A.REVISE}),
    "forget": (lambda w: w.engram.forget(w.memory, reason=CANARY), {A.FORGET}),
    "undo": (lambda w: w.engram.undo(w.gone, reason=CANARY), {A.UNDO}),
    "set_status": (
        lambda w: w.engram.set_status(w.memory, "challenged", reason=CANARY), {A.SET_STATUS},
    ),
    "approve": (lambda w: w.engram.approve(w.held, reason=CANARY), {A.APPROVE}),
    "reject": (lambda w: w.engram.reject(w.held, reason=CANARY), {A.REJECT}),
    "verify": (lambda w: w.engram.verify(w.memory), {A.VERIFY}),
    "pin": (lambda w: w.engram.pin(w.memory), {A.PIN}),
    "set_tier": (lambda w: w.engram.set_tier(w.memory, "confidential"), {A.TIER}),
    "erase": (lambda w: w.engram.erase(w.memory, reason="as asked"), {A.ERASE}),
    "export": (
        lambda w: w.engram.export(w.folder / "out.age", passphrase=CANARY), {A.EXPORT},
    ),
    "import_": (lambda w: _imported(w), {A.EXPORT, A.IMPORT}),
    "unpin": (lambda w: w.engram.unpin(w.memory), {A.UNPIN}),
    "promote": (lambda w: w.engram.promote(w.memory), {A.PROMOTE}),
    "demote": (lambda w: w.engram.demote(w.held), {A.DEMOTE}),
    "feedback": (lambda w: w.engram.feedback(w.memory, True, query=CANARY), {A.FEEDBACK}),
    "relate": (lambda w: w.engram.relate(w.memory, w.other), {A.RELATE}),
    "unrelate": (
        lambda w: w.engram.unrelate((w.memory, w.other, "supports")), {A.UNRELATE},
    ),
    "merge_entities": (lambda w: w.engram.merge_entities("Adah", "Ada"), {A.RENAME}),
    "split_entity": (lambda w: w.engram.split_entity("Grace Byron"), {A.RENAME}),
    "dream": (lambda w: w.engram.dream(steps=["topics"]), {A.DREAM}),
    "issue_key": (lambda w: w.engram.issue_key("another"), {A.ISSUE_KEY}),
    "rotate_key": (lambda w: w.engram.rotate_key(w.key), {A.ROTATE_KEY}),
    "revoke_key": (lambda w: w.engram.revoke_key(w.key), {A.REVOKE_KEY}),
    "take_access_away": (
        lambda w: w.engram.take_access_away(TakenAway((w.key,))), {A.REVOKE_KEY},
    ),
    "add_webhook": (
        lambda w: w.engram.add_webhook("one", "https://example.org/x"), {A.ADD_WEBHOOK},
    ),
    "end_webhook": (lambda w: w.engram.end_webhook(_webhook(w.engram)), {A.END_WEBHOOK}),
    "backup": (lambda w: w.engram.backup(), {A.BACKUP}),
    "restore": (lambda w: (w.engram.backup(), w.engram.restore()), {A.RESTORE}),
    "upkeep.configure": (
        lambda w: w.engram.upkeep.configure("recall.limit", "7"), {A.CONFIGURE},
    ),
    "upkeep.encrypt": (lambda w: w.engram.upkeep.encrypt(passphrase=CANARY), {A.ENCRYPT}),
    "upkeep.record": (lambda w: w.engram.upkeep.record(A.REPAIR, 1), {A.REPAIR}),
    "upkeep.recent_reads": (lambda w: w.engram.upkeep.recent_reads(), {A.AUDIT}),
    "episodes.begin": (lambda w: w.engram.episodes.begin(SITUATION), {A.BEGIN_EPISODE}),
    "episodes.add": (lambda w: w.engram.episodes.add(w.open_episode, EVENT), {A.ADD_EVENTS}),
    "episodes.end": (
        lambda w: w.engram.episodes.end(w.open_episode, "success"), {A.END_EPISODE},
    ),
    "episodes.abandon": (
        lambda w: w.engram.episodes.abandon(w.open_episode, CANARY), {A.END_EPISODE},
    ),
    "episodes.record": (
        lambda w: w.engram.episodes.record(f"Again. {SITUATION}", [EVENT], "success"),
        {A.RECORD_EPISODE},
    ),
    "episodes.get": (lambda w: w.engram.episodes.get(w.episode), {A.GET}),
    "episodes.events": (lambda w: w.engram.episodes.events(w.episode), {A.GET}),
    "episodes.ongoing": (lambda w: w.engram.episodes.ongoing(), {A.LIST}),
    "episodes.list": (lambda w: w.engram.episodes.list(), {A.LIST}),
    "episodes.by_outcome": (lambda w: w.engram.episodes.by_outcome("success"), {A.LIST}),
    "episodes.by_participant": (lambda w: w.engram.episodes.by_participant("Ada"), {A.LIST}),
    "episodes.similar": (lambda w: w.engram.episodes.similar(SITUATION), {A.RECALL}),
    "episodes.at": (lambda w: w.engram.episodes.at(w.engram._clock()), {A.RECALL}),
    "episodes.before": (lambda w: w.engram.episodes.before(w.engram._clock()), {A.RECALL}),
    "episodes.between": (
        lambda w: w.engram.episodes.between(w.engram._clock(), "2030-01-01T00:00:00Z"), {A.RECALL},
    ),
    "episodes.sequence": (lambda w: w.engram.episodes.sequence(w.episode), {A.RECALL}),
    "knowledge.learn": (
        lambda w: w.engram.knowledge.learn("Ada", "owns", "tea"), {A.LEARN_FACT},
    ),
    "knowledge.learn_many": (
        lambda w: w.engram.knowledge.learn_many(
            [{"subject": "Ada", "relation": "owns", "object": "figs"}]
        ),
        {A.LEARN_FACT},
    ),
    "knowledge.propose": (
        lambda w: w.engram.knowledge.propose("Ada", "owns", "rum"), {A.LEARN_FACT},
    ),
    "knowledge.alias": (lambda w: w.engram.knowledge.alias("Adele", "Ada"), {A.RENAME}),
    "knowledge.retract": (lambda w: w.engram.knowledge.retract(w.belief, CANARY), {A.RETRACT}),
    "knowledge.belief": (lambda w: w.engram.knowledge.belief("Ada", "owns"), {A.GET}),
    "knowledge.history": (lambda w: w.engram.knowledge.history("Ada", "owns"), {A.HISTORY}),
    "knowledge.support": (lambda w: w.engram.knowledge.support(w.belief), {A.GET}),
    "knowledge.node": (lambda w: w.engram.knowledge.node("Ada"), {A.GET}),
    "knowledge.nodes": (lambda w: w.engram.knowledge.nodes(), {A.LIST}),
    "knowledge.neighbours": (lambda w: w.engram.knowledge.neighbours("Ada"), {A.LIST}),
    "knowledge.path": (lambda w: w.engram.knowledge.path("Ada").follow("owns").find(), {A.LIST}),
    "knowledge.activate": (lambda w: w.engram.knowledge.activate(["Ada"]), {A.LIST}),
    "knowledge.infer": (lambda w: w.engram.knowledge.infer("Ada", "located_in"), {A.LIST}),
    "knowledge.query": (lambda w: w.engram.knowledge.query("What does Ada like?"), {A.LIST}),
    "skills.add": (
        lambda w: w.engram.skills.add({**SKILL, "name": "ship"}), {A.ADD_SKILL},
    ),
    "skills.revise": (
        lambda w: w.engram.skills.revise("deploy", description="Otherwise."), {A.REVISE_SKILL},
    ),
    "skills.retire": (lambda w: w.engram.skills.retire("deploy", CANARY), {A.RETIRE_SKILL}),
    "skills.feedback": (lambda w: w.engram.skills.feedback("deploy", "success"), {A.RUN_SKILL}),
    "skills.get": (lambda w: w.engram.skills.get("deploy"), {A.GET}),
    "skills.runs": (lambda w: w.engram.skills.runs("deploy"), {A.GET}),
    "skills.match": (lambda w: w.engram.skills.match(SITUATION), {A.RECALL}),
    "skills.warnings": (lambda w: w.engram.skills.warnings(tool="push"), {A.RECALL}),
    "skills.list": (lambda w: w.engram.skills.list(), {A.LIST}),
    "working.gather": (lambda w: w.engram.working.gather(SITUATION), {A.RECALL}),
    "working.attend": (lambda w: w.engram.working.attend("", memory_id=w.memory), {A.GET}),
}  # fmt: skip
# What leaves none, each with its reason.
UNAUDITED = {
    "open": "the log tells of it; what is done afterwards is audited",
    "close": "takes and gives nothing",
    "seen_by": "hands out a view; what is done with it is audited under the other's name",
    "settings": "figures of the process, no memory",
    "principal": "says who calls",
    "stats": "counts, no memory and no id",
    "recall_statistics": "counts, no memory and no id",
    "capture_statistics": "counts, no memory and no id",
    "spending": "counts, no memory and no id",
    "unread": "a count",
    "backlog": "counts",
    "last_sequence": "a count",
    "mark_at": "a hash of one line of the audit",
    "news_page": "how streams read on; ids and places of lines that are in the audit",
    "audit_head": "a count and a hash of the audit itself",
    "verify_audit": "looks at hashes alone; a broken chain is a security event",
    "health": "figures of the store, no memory",
    "doctor": "figures of the store; a repair is recorded, see upkeep.record",
    "model": "limits of a model, no memory",
    "models": "limits of models, no memory",
    "count_tokens": "counts what the caller hands in",
    "estimate": "counts what the caller hands in",
    "read": "reads what the caller hands in",
    "settle": "waits",
    "flush": "has turns read that were audited when they came; what is learnt is a change",
    "recognise": "who comes with a key is named in every line that follows; refusals are events",
    "keys": "who is let in, no memory; a change of it is audited",
    "webhooks": "where news go, no memory; a change of it is audited",
    "access_taken_away": "ids of keys and webhooks, no memory",
    "deliver_due": "sends news of lines that are in the audit",
    "test_webhook": "sends a message without a memory",
    "take_message": "an observe by the webhook, audited as one: tests/webhooks",
    "note_refusal": "is a security event itself",
    "answer_gap": "a remember that closes a gap, audited as one: tests/dreams",
    "dream_report": "needs a dream; audited like `dreams`: tests/dreams",
    "episodes": "a facet; its methods are here",
    "knowledge": "a facet; its methods are here",
    "skills": "a facet; its methods are here",
    "working": "a facet; its methods are here",
    "upkeep": "a facet; its methods are here",
    "erasures": "when what kind of thing was erased: no memory is left to name",
    "finish_erasures": "ends what `erase` began and was audited for",
    "check_certificate": "looks at a signature alone",
    "replacements": "labels of what replaced the memories that the caller has; no content",
    "imports": "when something came in, and how much; no memory",
    "upkeep.add_key": "recorded as upkeep.encrypt is: tests/vault",
    "upkeep.remove_key": "recorded as upkeep.encrypt is: tests/vault",
    "upkeep.recovery_key": "recorded as upkeep.encrypt is: tests/vault",
    "upkeep.decrypt": "recorded as upkeep.encrypt is: tests/vault",
    "upkeep.renew_keys": "recorded as upkeep.encrypt is: tests/vault",
    "upkeep.plain_backups": "names of files, no memory",
    "upkeep.ways_in": "kinds of keys, no memory",
    "upkeep.backup": "see backup",
    "upkeep.restore": "see restore",
    "upkeep.doctor": "see doctor",
    "upkeep.health": "see health",
    "upkeep.vault_problem": "a word about a file, no memory",
    "upkeep.embed": "makes vectors of what is kept; no memory is given or changed",
    "upkeep.warm": "loads the embedder",
    "upkeep.change_key": "needs an encrypted store; recorded as upkeep.encrypt is: tests/store",
    "upkeep.anticipated": "counts",
    "upkeep.scope_of": "a place, for what is then asked for and audited",
    "upkeep.scopes": "counts",
    "episodes.consolidate": "audited as what it makes: tests/episodes",
    "skills.learn_from": "audited as the skill it makes: tests/skills",
    "skills.record_flow": "audited as the runs it records: tests/skills",
    "skills.register_check": "a function of the caller's own process",
    "skills.register_extractor": "a function of the caller's own process",
    # What is in mind was recalled, and audited, when it came there.
    "working.active": "what is in mind: audited when it came there",
    "working.export_items": "what is in mind: audited when it came there",
    "working.export": "what is in mind: audited when it came there",
    "working.refresh": "what is in mind", "working.dismiss": "what is in mind",
    "working.tick": "what is in mind", "working.hear": "what is in mind",
    "working.heard": "what is in mind", "working.topic": "what is in mind",
    "working.suspend": "what is in mind", "working.resume": "what is in mind",
    "working.clear": "what is in mind",
}  # fmt: skip
# What others have to prove in files of their own, because it takes more than a call.
ELSEWHERE: dict[str, str] = {}
CALLERS = {"owner": None, "person of a project": Scope("acme")}


def _turn(engram: Engram) -> None:
    with engram.turn("s", model="gpt-4o") as turn:
        turn.build(f"What of {CANARY}?")
        turn.answered(f"I know of {CANARY}.")


def _imported(world: World) -> None:
    path = world.folder / "carried.age"
    world.engram.export(path, passphrase=CANARY)
    world.engram.import_(path, passphrase=CANARY)


def _webhook(engram: Engram) -> str:
    return engram.add_webhook("one", "https://example.org/x").webhook.id


def made_world(path: Path, clock: FakeClock, scope: Scope | None) -> dict[str, str]:
    """Put something of everything into a store; what each thing is called."""
    with Engram.open(path, scope=scope, clock=clock) as engram:
        memory = engram.remember(f"Ada knows {CANARY}.", subject="Ada").memory
        other = engram.remember("Ada lives in Porto.", subject="Ada").memory
        pinned = engram.pin(other.id)
        engram.relate(memory.id, other.id, "supports")
        engram.remember("Adah was here. Grace Byron runs the lab.", subject="Adah")
        engram.merge_entities("Grace Byron", "Ada")
        episode = engram.episodes.record(SITUATION, [EVENT], "success", participants=["Ada"])
        begun = engram.episodes.begin(f"Still {SITUATION}")
        held = engram.remember(f"Held: {CANARY}.", category="identity", source="web:x").memory
        belief = engram.knowledge.learn("Ada", "owns", "pears")
        engram.skills.add(SKILL)
        key = engram.issue_key("one").key.id if scope is None else ""
        engram.settle()
        return {
            "memory": memory.id, "other": other.id, "held": held.id, "gone": pinned.change_id,
            "episode": episode.episode.memory.id, "open_episode": begun.memory.id,
            "belief": belief.belief.memory.id, "key": key,
        }  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A store for each caller, made once and copied for every call."""
    found = {}
    for name, scope in CALLERS.items():
        path = tmp_path_factory.mktemp("made") / "store"
        found[name] = (path, made_world(path, FakeClock(), scope))
    return found


@pytest.fixture
def open_world(made, tmp_path):
    opened: list[Engram] = []

    def open_as(caller: str) -> World:
        template, named = made[caller]
        shutil.copytree(template, tmp_path / "store")
        (tmp_path / "talk.jsonl").write_text(
            '{"role": "user", "content": "My office is in Porto, on the river."}\n'
        )
        (tmp_path / "code.py").write_text('"""Counts pears."""\n\ndef count() -> int: ...\n')
        clock = FakeClock(FakeClock()() + timedelta(hours=1))
        opened.append(Engram.open(tmp_path / "store", scope=CALLERS[caller], clock=clock))
        return World(engram=opened[-1], folder=tmp_path, **named)

    yield open_as
    for engram in opened:
        engram.close()


def lines_of(world: World, act: Act) -> list[AuditEntry]:
    """The lines that a call adds."""
    engram = world.engram
    before = engram.audit_head().entries
    act(world)
    engram.settle()
    return [each for each in engram.audit(limit=1_000) if each.sequence > before]


def public(kind: type, prefix: str = "") -> set[str]:
    return {prefix + name for name, _ in inspect.getmembers(kind) if not name.startswith("_")}


def test_every_public_method_is_in_the_table_or_left_out_for_a_reason():
    facets = {"episodes.": Episodes, "knowledge.": Knowledge, "skills.": Skills,
              "working.": Working, "upkeep.": Upkeep}  # fmt: skip
    methods = public(Engram).union(*(public(kind, name) for name, kind in facets.items()))

    known = set(AUDITED) | set(UNAUDITED) | set(ELSEWHERE)
    assert methods - known == set()
    assert not set(AUDITED) & set(UNAUDITED)


@pytest.mark.failure("F67")
@pytest.mark.parametrize("caller", CALLERS)
@pytest.mark.parametrize("name", AUDITED)
def test_a_call_leaves_its_lines_with_who_where_and_no_words(open_world, name, caller):
    act, wanted = AUDITED[name]
    world = open_world(caller)

    try:
        found = lines_of(world, act)
    except AccessDenied:
        assert caller != "owner"
        return

    lines = [each for each in found if each.action in wanted]
    assert {each.action for each in lines} == wanted
    assert {each.actor for each in lines} == {world.engram.principal.actor}
    assert {each.scope for each in lines} <= {world.scope, "/"}
    assert CANARY not in repr(found)


def test_what_is_refused_leaves_no_line_that_claims_otherwise(open_world):
    world = open_world("owner")
    before = world.engram.audit_head().entries
    for act in (
        lambda: world.engram.forget("mem-9999"),
        lambda: world.engram.revise(world.memory, ""),
        lambda: world.engram.undo("chg-" + "0" * 26),
        lambda: world.engram.remember("x", category="none such"),
    ):
        with pytest.raises(EngramError):
            act()

    found = [each for each in world.engram.audit(limit=1_000) if each.sequence > before]
    assert not [each for each in found if each.change_id]
