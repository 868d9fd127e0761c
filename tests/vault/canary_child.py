"""A process that keeps canaries in every way the library has, and waits to be looked at.

Told by its arguments where the store is and what to do; each line on its output names a moment, and
it goes on when a line comes in. The one who looks is another process: no lock is disturbed.
"""

import os
import sys
from pathlib import Path

from engram import Engram, Scope
from engram.memory.episodes.events import UserMessage
from engram.memory.episodes.outcomes import Success
from engram.memory.skills import (
    CallTool,
    Feature,
    KeywordPresent,
    Procedure,
    ProcedureStep,
    Skill,
    TriggerPattern,
)

OPENLY = os.environ.get("CANARY_OPENLY") == "yes"  # to see that each canary is really kept
CONFIDENTIAL, SENSITIVE = (None, None) if OPENLY else ("confidential", "sensitive")
CARD = "4111 1111 1111 1111"  # what makes a text confidential by itself
WAYS = (
    "content", "metadata", "summary", "revised", "many", "turn", "observed", "situation", "event",
    "outcome", "value", "step", "query", "feedback", "mind", "correction", "reasoned",
)  # fmt: skip
# Where nothing is encrypted, who is meant and where it stands is told to whoever reads the file.
NAMES = ("subject", "speaker", "session", "reference", "scopename", "reason")


def canary(way: str) -> str:
    """A word that is nowhere else, and is told apart from the others by its beginning."""
    return f"{way}ZK7Q9x".lower()


def tell(name: str) -> None:
    sys.stdout.write(f"{name}\n")
    sys.stdout.flush()


def moment(name: str) -> None:
    tell(name)
    sys.stdin.readline()


def opened(store: str) -> Engram:
    return Engram.open(store, passphrase=os.environ.get("CANARY_PASSPHRASE"))


def use(engram: Engram, *, names: bool) -> None:
    """Canaries by every way in, all of them protected."""
    named = {each: canary(each) for each in ("subject", "speaker", "session", "reference")}
    scope = Scope(project=canary("scopename")) if names else None
    kept = engram.remember(
        f"The account {canary('content')} has the card {CARD}.", secrecy=CONFIDENTIAL,
        summary=canary("summary"), metadata={"note": canary("metadata")}, scope=scope,
        **(named if names else {}),
    ).memory  # fmt: skip
    reason = canary("reason") if names else ""
    engram.revise(kept.id, f"The account {canary('revised')}, {CARD}.", scope=scope, reason=reason)
    engram.remember_many(
        [{"text": f"Number {n} {canary('many')} " + "x " * 700, "secrecy": SENSITIVE}
         for n in range(40)]
    )  # fmt: skip
    engram.observe(f"My card is {CARD} and my word {canary('turn')}.", session="talk")
    engram.observe(f"I live in {canary('observed')} since May.", secrecy=CONFIDENTIAL)
    engram.flush()
    engram.episodes.record(
        f"A payment by {CARD} {canary('situation')}",
        [UserMessage(f"The card {CARD} {canary('event')}")],
        Success(f"{CARD} {canary('outcome')}"),
    )  # fmt: skip
    engram.knowledge.learn("Ada", property="card", value=f"{CARD} {canary('value')}")
    engram.skills.add(skill())
    engram.recall(canary("query"))
    engram.why(canary("query"), kept.id, scope=scope)
    engram.feedback(
        kept.id, False, query=f"{canary('feedback')} {'' if OPENLY else CARD}", scope=scope
    )
    engram.feedback(
        engram.remember(f"An old card {CARD}.").memory.id, False, query="cards",
        correction=f"A new card {CARD} {canary('correction')}.",
    )  # fmt: skip
    engram.working.attend(f"{CARD} {canary('mind')}", session="talk")
    engram.working.suspend(session="talk")
    engram.reason(f"What about {canary('reasoned')}?")
    engram.context([{"role": "user", "content": canary("query")}], model="gpt-4o", session="talk")
    engram.settle(60)


def skill() -> Skill:
    return Skill(
        name="pay",
        description=f"Pay by card {CARD}.",
        trigger=TriggerPattern(features=(Feature("pay", KeywordPresent(("pay",))),)),
        procedure=Procedure(
            steps=(ProcedureStep(description=f"{CARD} {canary('step')}", action=CallTool("pay")),)
        ),
    )


def everything(store: str, where: Path, *, names: bool) -> None:
    """All that the library does with files."""
    with opened(store) as engram:
        use(engram, names=names)
        moment("open")
        engram.dream()
        engram.backup()
        engram.backup(where / "outside.db")
        moment("backup")
        engram.export(where / "all.age", passphrase="a passphrase of several words")
        moment("export")
        engram.doctor()
        engram.restore()
        moment("restored")
    moment("closed")


def until_killed(store: str) -> None:
    """Write without end; whoever started this kills it in the middle."""
    with opened(store) as engram:
        number = 0
        while True:
            texts = [{"text": f"{number} {n} {canary('many')} {CARD} " + "y " * 500,
                      "secrecy": CONFIDENTIAL} for n in range(20)]  # fmt: skip
            engram.remember_many(texts)
            number += 1
            tell("wrote")


if __name__ == "__main__":
    if sys.argv[1] == "everything":
        everything(sys.argv[2], Path(sys.argv[3]), names=sys.argv[4] == "names")
    else:
        until_killed(sys.argv[2])
