"""The steps of the demo: each does something to a real store and checks that it held."""

from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import sleep

from engram.engine import Engram
from engram.memory.record import Memory
from engram.memory.scopes import Scope

_AGENT = Scope(agent="demo-agent")
_QUESTION = "Where does Ada work?"
_PATIENCE_SECONDS = 30
_LAST_WORDS = "This was acknowledged just before the process was killed."


@dataclass(slots=True)
class Tour:
    """The store of the demo, and what earlier steps left for later ones."""

    path: Path
    engram: Engram
    kept: dict[str, Memory] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its title and what it does, telling what it saw."""

    title: str
    run: Callable[[Tour], list[str]]


def check(holds: bool, claim: str) -> None:
    """Stop the demo when a claim does not hold."""
    if not holds:
        raise AssertionError(f"This did not hold: {claim}.")


def keep(tour: Tour) -> list[str]:
    """Store three facts."""
    facts = {
        "tool": ("I prefer pnpm over npm", "tooling"),
        "server": ("The staging server runs PostgreSQL 15", "infra"),
        "office": ("Ada works in the Lyon office", "people"),
    }
    lines = []
    for name, (text, category) in facts.items():
        outcome = tour.engram.remember(text, category=category)
        check(outcome.kind == "stored", f"{text!r} is stored")
        tour.kept[name] = outcome.memory
        lines.append(f"stored {outcome.memory.label}: {text}")
    return lines


def confirm(tour: Tour) -> list[str]:
    """Say the same thing again."""
    outcome = tour.engram.remember("i prefer pnpm over npm.")
    check(outcome.kind == "confirmed", "a duplicate is a confirmation")
    check(outcome.memory.id == tour.kept["tool"].id, "no second memory is made")
    count = outcome.memory.usage.confirmations
    check(count == 1, "the confirmation is counted")
    return [f"confirmed {outcome.memory.label}: {outcome.reason}, confirmations: {count}"]


def correct(tour: Tour) -> list[str]:
    """Give a fact a new wording."""
    server = tour.kept["server"]
    revised = tour.engram.revise(
        server.id, "The staging server runs PostgreSQL 16", reason="upgraded"
    )
    entries = tour.engram.history(server.id)
    check(revised.version == 2 and len(entries) == 2, "both versions are in the history")
    return [f"version {each.memory.version}: {each.memory.content}" for each in entries]


def supersede(tour: Tour) -> list[str]:
    """Replace a fact that no longer holds by another."""
    old = tour.kept["office"]
    outcome = tour.engram.remember(
        "Ada works in the Porto office", category="people", replaces=old.id
    )
    retired = tour.engram.get(old.id)
    check(outcome.kind == "stored", "the new fact is stored")
    check(retired is not None and retired.status == "superseded", "the old fact is retired")
    tour.kept["moved"] = outcome.memory
    return [f"{outcome.memory.label} took over from {old.label}, which is now superseded"]


def recall(tour: Tour) -> list[str]:
    """Ask, and get the current answer with reasons."""
    result = tour.engram.recall(_QUESTION)
    check(bool(result.hits), "there is an answer")
    check(result[0].memory.id == tour.kept["moved"].id, "the current fact comes first")
    found = {hit.memory.id for hit in result}
    check(tour.kept["office"].id not in found, "the superseded fact is left out")
    best = result[0]
    return [f"{_QUESTION} {best.memory.content} (score {best.score:.2f}; {best.why})"]


def explain(tour: Tour) -> list[str]:
    """Ask why the old answer was not given."""
    found = tour.engram.why(_QUESTION, tour.kept["office"].id)
    check(not found.recalled and found.lost_at is not None, "the miss is explained")
    stages = [
        f"{'✓' if stage.passed else '✗'} {stage.name}: {stage.detail}" for stage in found.stages
    ]
    return [f"why not {tour.kept['office'].label}?", *stages]


def review(tour: Tour) -> list[str]:
    """Hold what an agent claims about a person until a person approves it."""
    question = "What is the name of the user?"
    with Engram.open(tour.path, scope=_AGENT) as agent:
        claim = agent.remember("The name of the user is Grace", category="identity")
        check(claim.kind == "held", "the claim is held")
        check(not agent.recall(question).hits, "a held claim is not recalled")
        tour.engram.approve(claim.memory.id, reason="she says so", scope=_AGENT)
        check(bool(agent.recall(question).hits), "the approved claim is recalled")
    tour.kept["name"] = claim.memory
    return [f"held {claim.memory.label}: {claim.reason}", "approved by a person; now recalled"]


def isolate(tour: Tour) -> list[str]:
    """Another agent sees nothing of it."""
    with Engram.open(tour.path, scope=Scope(agent="other-agent")) as other:
        check(not other.recall("What is the name of the user?").hits, "another agent finds nothing")
        check(other.get(tour.kept["name"].id) is None, "its id looks unknown to another agent")
    return ["other-agent asks the same: nothing found, and the id looks unknown"]


def forget(tour: Tour) -> list[str]:
    """Forget a fact and take that back."""
    question, tool = "pnpm or npm?", tour.kept["tool"]
    archived = tour.engram.forget(tool.id, reason="demo")
    check(not tour.engram.recall(question).hits, "a forgotten fact is not recalled")
    tour.engram.undo(archived.change_id)
    check(bool(tour.engram.recall(question).hits), "an undone forget is as if it never was")
    return [f"forgot {tool.label}: not recalled", f"undid {archived.change_id}: recalled again"]


def travel(tour: Tour) -> list[str]:
    """Ask what was known before the correction."""
    server = tour.kept["server"]
    past = tour.engram.get(server.id, known_at=server.recorded_at)
    check(past is not None and past.content.endswith("15"), "the past is still there")
    return [f"known at {server.recorded_at:%H:%M:%S.%f}: {past.content if past else ''}"]


def audit(tour: Tour) -> list[str]:
    """Check the chain of hashes over all that happened."""
    verdict = tour.engram.verify_audit()
    check(verdict.is_intact, "the audit is whole")
    return [f"{verdict.entries} entries, each chained to the one before: whole"]


def crash(tour: Tour) -> list[str]:
    """Kill a process right after its write was acknowledged."""
    tour.engram.close()
    memory_id, exit_code = _killed_after_writing(tour.path)
    tour.engram = Engram.open(tour.path)
    survivor = tour.engram.get(memory_id)
    check(survivor is not None and survivor.content == _LAST_WORDS, "nothing acknowledged is lost")
    return [f"the process was killed (signal {-exit_code}); its memory is still there"]


def _killed_after_writing(path: Path) -> tuple[str, int]:
    """Let another process write, kill it at once, and give back the id it acknowledged."""
    context = get_context("spawn")
    reading, writing = context.Pipe(duplex=False)
    process = context.Process(target=_write_and_wait, args=(path, writing))
    process.start()
    try:
        check(reading.poll(_PATIENCE_SECONDS), "the other process writes")
        memory_id = str(reading.recv())
    finally:
        process.kill()
        process.join()
        reading.close()
        writing.close()
    exit_code = process.exitcode or 0
    process.close()
    return memory_id, exit_code


def _write_and_wait(path: Path, acknowledged: "Connection[str, str]") -> None:
    engram = Engram.open(path)
    acknowledged.send(engram.remember(_LAST_WORDS).memory.id)
    sleep(_PATIENCE_SECONDS)


def examine(tour: Tour) -> list[str]:
    """Let the doctor look everything over."""
    report = tour.engram.doctor()
    check(report.is_fine, "the doctor finds nothing wrong")
    return [f"{finding.name}: {finding.detail}" for finding in report.findings]


STEPS = (
    Step("Keep facts", keep),
    Step("Recognise what is known already", confirm),
    Step("Correct a fact; the old wording stays in its history", correct),
    Step("Replace a fact that no longer holds", supersede),
    Step("Recall, with reasons", recall),
    Step("Explain a miss", explain),
    Step("Hold an agent's claim about a person for review", review),
    Step("Keep scopes apart", isolate),
    Step("Forget, and undo that", forget),
    Step("Travel in time", travel),
    Step("Verify the audit", audit),
    Step("Survive kill -9 after an acknowledged write", crash),
    Step("See a doctor", examine),
)
