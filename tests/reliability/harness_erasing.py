"""What a process does that is killed while it erases."""

from pathlib import Path

from engram import Engram
from engram.errors import MemoryNotFound

PERSON = "Quirina Zolnerowich"
WORDS = ("quirina", "zolnerowich", "kaleidoscope", "gramophone", "xylophonist")
KEPT = "Bo Larsen keeps the harbour lights in order."


def fill(store: str, outside: str) -> int:
    """A small store about somebody and others, with a backup of its own and one outside."""
    with Engram.open(store) as engram:
        engram.remember(KEPT, subject="Bo Larsen")
        for number in range(4):
            engram.remember(f"{PERSON} has kaleidoscope number {number}.", subject=PERSON)
            engram.remember(f"The harbour has pier number {number}.")
        engram.remember(f"{PERSON} has a gramophone.", subject=PERSON, secrecy="confidential")
        engram.observe(f"My neighbour {PERSON} is a xylophonist.", session="talk", role="user")
        engram.flush()
        engram.settle()
        engram.backup()
        engram.backup(Path(outside))
        return len(engram.list(limit=100))


def erase(store: str) -> str:
    """Erase the person; whoever armed a failpoint kills this before it answers."""
    with Engram.open(store) as engram:
        return engram.erase(subject=PERSON).state.value


def settle(store: str) -> dict[str, object]:
    """Open the store after the kill, erase if nothing was begun, and tell how things are."""
    with Engram.open(store) as engram:
        was_begun = bool(engram.erasures())
        if not was_begun:
            engram.erase(subject=PERSON)
        erasures = engram.erasures()
        with engram._store.database.reading(5) as view:
            run = view._connection.execute
            names = [name for (name,) in run(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE V%'"
            )]  # fmt: skip
            said = "\n".join(repr(run(f"SELECT * FROM {name}").fetchall()) for name in names)
        return {
            "was_begun": was_begun,
            "states": [each.state.value for each in erasures],
            "certified": [each.certificate is not None for each in erasures],
            "told": [word for word in WORDS if word in said.lower()],
            "memories": sorted(memory.content for memory in engram.list(limit=100)),
            "is_intact": engram.verify_audit().is_intact,
            "is_fine": engram.doctor().is_fine,
        }


def restore(store: str, outside: str) -> list[str]:
    """Bring back the backup from before; what any memory then says."""
    with Engram.open(store) as engram:
        engram.restore(Path(outside))
        return sorted(memory.content for memory in engram.list(limit=100))


def write_about(store: str, name: str, count: int) -> list[str]:
    """Say things about the person, as one of several processes; what was acknowledged."""
    told = []
    with Engram.open(store) as engram:
        for number in range(count):
            kept = engram.remember(
                f"{PERSON} met {name} on day {number}.", subject=PERSON,
                secrecy="confidential" if number % 2 else "cleartext",
            )  # fmt: skip
            told.append(kept.memory.id)
    return told


def erase_meanwhile(store: str, times: int) -> list[dict[str, object]]:
    """Erase the person a few times while others write."""
    done = []
    with Engram.open(store) as engram:
        for _ in range(times):
            try:
                each = engram.erase(subject=PERSON)
            except MemoryNotFound:  # quicker than whoever writes
                is_clean = all(each.is_proven for each in engram.finish_erasures())
                done.append({"state": "proven" if is_clean else "pending", "memories": 0})
                continue
            done.append({"state": each.state.value, "memories": each.memories})
    return done


def readable(store: str) -> dict[str, object]:
    """Every memory by id with whether its text can be read; and whether the store is whole."""
    with Engram.open(store) as engram:
        return {
            "memories": {memory.id: memory.content for memory in engram.list(limit=1000)},
            "is_intact": engram.verify_audit().is_intact,
            "is_fine": engram.doctor().is_fine,
        }
