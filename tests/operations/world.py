"""A small store in which every operation has something to work on."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from clock import FakeClock

from engram import Engram, Principal, Scope
from engram.memory.scopes import PrincipalKind
from engram.surfaces.documents import Document
from engram.surfaces.operations import OPERATIONS
from engram.surfaces.operations.parsing import parse_document
from operations.skills_world import MINIMAL_OF_SKILLS

AGENT = Principal(PrincipalKind.AGENT, Scope())


def silent(done: int, total: int) -> None:
    """Progress that nobody watches."""


@dataclass
class World:
    """A store on disk, opened by its owner, and what was put into it."""

    owner: Engram
    folder: Path
    clock: FakeClock

    def kept(self, text: str, **arguments: object) -> str:
        return self.owner.remember(text, **arguments).memory.id

    def held(self, text: str) -> str:
        outcome = self.owner.seen_by(AGENT).remember(text, category="identity")
        assert outcome.kind == "held"
        return outcome.memory.id

    def erased(self) -> str:
        return self.owner.erase(self.kept("Something to be gone.")).id

    def turn(self, text: str) -> str:
        return self.owner.observe(text).memory.id

    def in_mind(self) -> str:
        """The id of a slot."""
        return self.owner.working.attend(STATEMENT).id

    def link(self) -> tuple[str, str]:
        a, b = self.kept("The deploy failed on Friday."), self.kept("The disk was full on Friday.")
        self.owner.relate(a, b, "caused_by")
        return a, b

    def begun(self) -> str:
        return self.owner.episodes.begin("The site has to go live.", participants=["Ada"]).id

    def happened(self) -> str:
        situation = {"text": "The site has to go live.", "goal": "It is online"}
        return self.owner.episodes.record(situation, [CALLED, FAILED], BROKEN).episode.id

    def dreamt(self) -> str:
        """The id of a dream."""
        self.kept(STATEMENT)
        return self.owner.dream(steps=["topics"]).id

    def asked(self) -> str:
        """The id of a question that waits."""
        self.kept("mail-worker sends the weekly newsletter.")
        self.owner.dream(steps=["gaps"])
        return self.owner.gaps()[0].id

    def overseen(self) -> str:
        """The id of a dream that made an overview and a map."""
        self.kept(STATEMENT)
        return self.owner.dream(steps=["tree", "map"]).id

    def made_sense_of(self) -> str:
        """The id of a dream that has made a profile, a card, topics and a trace."""
        for text in ("has a bakery", "sails on Sundays", "sells rye bread", "has a dog", "is tall"):
            self.owner.remember(f"Bob Smith {text}.")
        self.owner.remember("I prefer rye bread.", category="preference")
        for number in range(2):
            said = f"The ferry to Hvar has {40 + number} seats at the northern pier."
            self.owner.observe(said, session=f"ferry-{number}")
            self.owner.flush()
        return self.owner.dream(steps=["entities", "profile", "boxes", "topics"]).id

    def learnt(self) -> str:
        """Two tools that Ada uses with who made them, and where one of those lives."""
        facts = [
            ("Ada", "uses", "Vim"), ("Ada", "uses", "Tmux"), ("Vim", "created_by", "Bram"),
            ("Bram", "located_in", "Lisse"), ("Lisse", "located_in", "Holland"),
        ]  # fmt: skip
        for subject, relation, target in facts:
            learned = self.owner.knowledge.learn(subject, relation, target)
        return learned.belief.id

    def file(self, name: str, text: str) -> Path:
        path = self.folder / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


def call(engram: Engram, name: str, given: Document) -> Document:
    """Ask for an operation as a caller from outside does."""
    operation = OPERATIONS[name]
    return operation.run(engram, parse_document(operation, given), silent)


def nothing(_: object) -> Document:
    """No arguments, once something was done."""
    return {}


Given = Callable[[World], Document]
STATEMENT = "Ada keeps her bicycle in Lyon."
NOBODY = "http://127.0.0.1:1/hook"  # nobody listens there
CALLED: Document = {"type": "tool_call", "tool": "deploy"}
FAILED: Document = {"type": "tool_result", "tool": "deploy", "result": "full", "success": False}
BROKEN: Document = {"type": "failure", "error": "the disk is full", "learned": "look first"}
EARLIER, LATER = "2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z"
EDITOR: Document = {"subject": "Ada", "property": "editor", "value": ["vim", "ed"]}
MADE_BY: list[Document] = [{"relation": "uses"}, {"relation": "created_by"}]
TRANSCRIPT = '{"role": "user", "content": "We moved the office to Porto last week."}\n'

# The least that each operation can be asked with, on a store that has what it is about.
MINIMAL: dict[str, Given] = {
    "remember": lambda world: {"text": STATEMENT},
    "remember_many": lambda world: {"items": [{"text": "Bo sails."}, {"text": "Cy paints."}]},
    "get": lambda world: {"memory_id": world.kept(STATEMENT)},
    "list": lambda world: nothing(world.kept(STATEMENT)),
    "revise": lambda world: {"memory_id": world.kept("Ada works in Lyon."), "text": "In Porto."},
    "forget": lambda world: {"memory_id": world.kept(STATEMENT)},
    "erase": lambda world: {"memory_id": world.kept(STATEMENT)},
    "erasures": lambda world: nothing(world.erased()),
    "finish_erasures": lambda world: nothing(world.erased()),
    "history": lambda world: {"memory_id": world.kept(STATEMENT)},
    "importance": lambda world: {"memory_id": world.kept(STATEMENT)},
    "status_history": lambda world: {"memory_id": world.kept(STATEMENT)},
    "recall": lambda world: {"query": "bicycle"} if world.kept(STATEMENT) else {},
    "why": lambda world: {"query": "bicycle", "memory_id": world.kept(STATEMENT)},
    "gather": lambda world: {"situation": "bicycle"} if world.kept(STATEMENT) else {},
    "attend": lambda world: {"content": STATEMENT},
    "active": lambda world: nothing(world.in_mind()),
    "export_working": lambda world: nothing(world.in_mind()),
    "refresh": lambda world: {"slot_id": world.in_mind()},
    "dismiss": lambda world: {"slot_id": world.in_mind()},
    "hear": lambda world: {"text": STATEMENT},
    "tick": lambda world: nothing(world.in_mind()),
    "change_topic": lambda world: {"shift": "switch"} if world.in_mind() else {},
    "suspend": lambda world: nothing(world.in_mind()),
    "resume": lambda world: nothing(world.in_mind()),
    "clear_working": lambda world: nothing(world.in_mind()),
    "observe": lambda world: {"text": "I prefer tea over coffee, and I live in Lyon."},
    "observe_many": lambda world: {"turns": [{"text": "I like tea."}, {"text": "Noted."}]},
    "estimate": lambda world: {"turns": [{"text": "I prefer tea."}]},
    "read": lambda world: {"text": "I live in Lyon. Do you know it?"},
    "observe_result": lambda world: {
        "kind": "task", "text": "The tests of the parser pass on all three platforms now.",
    },
    "flush": lambda world: nothing(world.turn("I live in Lyon since 2020.")),
    "unread": lambda world: {},
    "reread": lambda world: nothing(world.turn("I live in Lyon since 2020.")),
    "sources": lambda world: {"memory_id": _learnt(world)},
    "drawn": lambda world: {"turn_ids": [world.turn("I live in Lyon. I prefer tea.")]},
    "pin": lambda world: {"memory_id": world.kept(STATEMENT)},
    "unpin": lambda world: {"memory_id": world.kept(STATEMENT, pinned=True)},
    "promote": lambda world: {"memory_id": world.kept(STATEMENT, layer="working")},
    "demote": lambda world: {"memory_id": world.kept(STATEMENT, layer="semantic")},
    "verify": lambda world: {"memory_id": world.kept(STATEMENT)},
    "approve": lambda world: {"memory_id": world.held("Ada was born in 1990.")},
    "reject": lambda world: {"memory_id": world.held("Ada was born in 1991.")},
    "set_tier": lambda world: {"memory_id": world.kept(STATEMENT), "tier": "confidential"},
    "set_status": lambda world: {
        "memory_id": world.kept(STATEMENT), "status": "challenged", "reason": "Bo doubts it",
    },
    "review": lambda world: nothing(world.held("Ada was born in 1992.")),
    "undo": lambda world: {"change_id": world.owner.remember(STATEMENT).change_id},
    "feedback": lambda world: {"memory_id": world.kept(STATEMENT), "helpful": True},
    "relate": lambda world: {"a": world.kept("A is so."), "b": world.kept("B is so.")},
    "unrelate": lambda world: dict(zip("ab", world.link(), strict=True), relation="caused_by"),
    "links": lambda world: {"memory_id": world.link()[0]},
    "entities": lambda world: nothing(world.kept("Ada Lovelace met Bob Smith.")),
    "entity": lambda world: {"name": "Bob Smith"} if _two_people(world) else {},
    "merge_entities": lambda world: {"name": "Bob Smith", "into": _two_people(world)},
    "split_entity": lambda world: {"name": "Bob Smith"} if _merged(world) else {},
    "stats": lambda world: nothing(world.kept(STATEMENT)),
    "health": lambda world: {},
    "doctor": lambda world: {},
    "capture_statistics": lambda world: nothing(world.turn("I like tea.")),
    "recall_statistics": lambda world: nothing(_recalled(world)),
    "spending": lambda world: {},
    "audit": lambda world: nothing(world.kept(STATEMENT)),
    "verify_audit": lambda world: nothing(world.kept(STATEMENT)),
    "audit_head": lambda world: nothing(world.kept(STATEMENT)),
    "security_events": lambda world: nothing(world.kept(STATEMENT)),
    "backup": lambda world: nothing(world.kept(STATEMENT)),
    "embed": lambda world: nothing(world.kept(STATEMENT)),
    "scopes": lambda world: nothing(world.kept(STATEMENT)),
    "settings": lambda world: {},
    "setting": lambda world: {"key": "recall.limit"},
    "configure": lambda world: {"key": "recall.limit", "value": 7},
    "reason": lambda world: {"query": f"Where does {_two_people(world)} work?"},
    "context": lambda world: {
        "messages": [{"role": "user", "content": f"Who rides? {world.kept(STATEMENT)}"}],
        "model": "gpt-4o",
    },
    "tool_context": lambda world: {
        "tool": "find_bicycle", "arguments": {"owner": "Ada", "about": world.kept(STATEMENT)},
    },
    "timeline": lambda world: {"topic": "bicycle"} if world.kept(STATEMENT) else {},
    "issue_key": lambda world: {"name": "laptop"},
    "keys": lambda world: nothing(_key(world)),
    "rotate_key": lambda world: {"key_id": _key(world)},
    "revoke_key": lambda world: {"key_id": _key(world)},
    "changes_since": lambda world: nothing(world.kept(STATEMENT)),
    "backlog": lambda world: nothing(world.kept(STATEMENT)),
    "add_webhook": lambda world: {"name": "automation", "url": NOBODY},
    "webhooks": lambda world: nothing(_webhook(world)),
    "end_webhook": lambda world: {"webhook_id": _webhook(world)},
    "test_webhook": lambda world: {"webhook_id": _webhook(world)},
    "begin_episode": lambda world: {"situation": "The site has to go live."},
    "add_events": lambda world: {"episode_id": world.begun(), "events": [CALLED]},
    "end_episode": lambda world: {"episode_id": world.begun(), "outcome": "success"},
    "abandon_episode": lambda world: {"episode_id": world.begun(), "reason": "no time"},
    "record_episode": lambda world: {
        "situation": {"goal": "The site is live"}, "events": [CALLED], "outcome": BROKEN,
    },
    "episode": lambda world: {"episode_id": world.happened()},
    "episode_events": lambda world: {"episode_id": world.happened()},
    "episodes": lambda world: nothing(world.happened()),
    "ongoing_episodes": lambda world: nothing(world.begun()),
    "similar_episodes": lambda world: {"situation": "the site"} if world.happened() else {},
    "episodes_at": lambda world: {"time": world.clock().isoformat()} if world.happened() else {},
    "episodes_before": lambda world: {"time": LATER} if world.happened() else {},
    "episodes_between": lambda world: {"start": EARLIER, "end": LATER, "limit": 9},
    "episode_sequence": lambda world: {"episode_id": world.happened()},
    "consolidate_episodes": lambda world: nothing(world.happened()),
    "learn": lambda world: {"subject": "Ada", "relation": "uses", "object": "Vim"},
    "learn_many": lambda world: {
        "items": [{"subject": "Ada", "relation": "knows", "object": "Bo"}, EDITOR],
    },
    "propose_belief": lambda world: {"subject": "Ada", "relation": "knows", "object": "Cy"},
    "add_alias": lambda world: {"name": "Ada Byron", "of": "Ada"} if world.learnt() else {},
    "retract": lambda world: {"belief_id": world.learnt(), "reason": "a mistake"},
    "support": lambda world: {"belief_id": world.learnt()},
    "belief": lambda world: {"subject": "Vim", "relation": "created_by"} if world.learnt() else {},
    "belief_history": lambda world: {"subject": "Vim", "relation": "created_by"}
    if world.learnt() else {},
    "knowledge_of": lambda world: {"name": "Ada"} if world.learnt() else {},
    "nodes": lambda world: nothing(world.learnt()),
    "neighbours": lambda world: {"name": "Bram"} if world.learnt() else {},
    "traverse": lambda world: {"start": "Ada", "steps": MADE_BY} if world.learnt() else {},
    "activate": lambda world: {"names": ["Ada"]} if world.learnt() else {},
    "infer": lambda world: {"name": "Bram", "relation": "located_in"} if world.learnt() else {},
    "query_knowledge": lambda world: {"text": "Who made Vim?"} if world.learnt() else {},
    "profile": lambda world: nothing(world.made_sense_of()),
    "card": lambda world: {"name": "Bob Smith"} if world.made_sense_of() else {},
    "topics": lambda world: nothing(world.made_sense_of()),
    "traces": lambda world: nothing(world.made_sense_of()),
    "dream": lambda world: {"steps": ["topics"]} if world.kept(STATEMENT) else {},
    "dreams": lambda world: nothing(world.dreamt()),
    "growth": lambda world: nothing(world.dreamt()),
    "overview": lambda world: nothing(world.overseen()),
    "domains": lambda world: nothing(world.overseen()),
    "model": lambda world: {"name": "gpt-4o"},
    "models": nothing,
    "count_tokens": lambda world: {"text": STATEMENT},
    "gaps": lambda world: nothing(world.asked()),
    "questions": lambda world: {"session": "s-1"} if world.asked() else {},
    "answer_gap": lambda world: {"gap_id": world.asked(), "text": "mail-worker runs on a VM."},
    "dream_report": lambda world: {"dream_id": world.dreamt()},
    **MINIMAL_OF_SKILLS,
    "harvest": lambda world: {
        "harness": "generic", "folder": str(world.file("talk.jsonl", TRANSCRIPT)),
    },
    "scan": lambda world: {
        "folder": str(world.file("code/app.py", "def run() -> None:\n    '''Go.'''\n").parent),
    },
}  # fmt: skip


def _learnt(world: World) -> str:
    world.turn("I live in Lyon. I prefer tea over coffee.")
    world.owner.flush()
    return next(each.id for each in world.owner.list(status="any") if each.category != "turn")


def _two_people(world: World) -> str:
    world.kept("Bob Smith runs the bakery in Lyon.")
    world.kept("Robert Miller runs the bakery in Porto.")
    return "Robert Miller"


def _merged(world: World) -> bool:
    return bool(world.owner.merge_entities("Bob Smith", _two_people(world)))


def _recalled(world: World) -> bool:
    world.kept(STATEMENT)
    return len(world.owner.recall("bicycle")) > 0


def _key(world: World) -> str:
    return world.owner.issue_key("laptop", role="writer").key.id


def _webhook(world: World) -> str:
    return world.owner.add_webhook("automation", NOBODY).webhook.id
