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

    def turn(self, text: str) -> str:
        return self.owner.observe(text).memory.id

    def link(self) -> tuple[str, str]:
        a, b = self.kept("The deploy failed on Friday."), self.kept("The disk was full on Friday.")
        self.owner.relate(a, b, "caused_by")
        return a, b

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
TRANSCRIPT = '{"role": "user", "content": "We moved the office to Porto last week."}\n'

# The least that each operation can be asked with, on a store that has what it is about.
MINIMAL: dict[str, Given] = {
    "remember": lambda world: {"text": STATEMENT},
    "remember_many": lambda world: {"items": [{"text": "Bo sails."}, {"text": "Cy paints."}]},
    "get": lambda world: {"memory_id": world.kept(STATEMENT)},
    "list": lambda world: nothing(world.kept(STATEMENT)),
    "revise": lambda world: {"memory_id": world.kept("Ada works in Lyon."), "text": "In Porto."},
    "forget": lambda world: {"memory_id": world.kept(STATEMENT)},
    "history": lambda world: {"memory_id": world.kept(STATEMENT)},
    "status_history": lambda world: {"memory_id": world.kept(STATEMENT)},
    "recall": lambda world: {"query": "bicycle"} if world.kept(STATEMENT) else {},
    "why": lambda world: {"query": "bicycle", "memory_id": world.kept(STATEMENT)},
    "observe": lambda world: {"text": "I prefer tea over coffee, and I live in Lyon."},
    "observe_many": lambda world: {"turns": [{"text": "I like tea."}, {"text": "Noted."}]},
    "estimate": lambda world: {"turns": [{"text": "I prefer tea."}]},
    "observe_result": lambda world: {
        "kind": "task", "text": "The tests of the parser pass on all three platforms now.",
    },
    "flush": lambda world: nothing(world.turn("I live in Lyon since 2020.")),
    "unread": lambda world: {},
    "sources": lambda world: {"memory_id": _learnt(world)},
    "drawn": lambda world: {"turn_ids": [world.turn("I live in Lyon. I prefer tea.")]},
    "pin": lambda world: {"memory_id": world.kept(STATEMENT)},
    "unpin": lambda world: {"memory_id": world.kept(STATEMENT, pinned=True)},
    "promote": lambda world: {"memory_id": world.kept(STATEMENT, layer="working")},
    "demote": lambda world: {"memory_id": world.kept(STATEMENT, layer="semantic")},
    "verify": lambda world: {"memory_id": world.kept(STATEMENT)},
    "approve": lambda world: {"memory_id": world.held("Ada was born in 1990.")},
    "reject": lambda world: {"memory_id": world.held("Ada was born in 1991.")},
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
    "backup": lambda world: nothing(world.kept(STATEMENT)),
    "embed": lambda world: nothing(world.kept(STATEMENT)),
    "scopes": lambda world: nothing(world.kept(STATEMENT)),
    "settings": lambda world: {},
    "setting": lambda world: {"key": "recall.limit"},
    "configure": lambda world: {"key": "recall.limit", "value": 7},
    "reason": lambda world: {"query": f"Where does {_two_people(world)} work?"},
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
