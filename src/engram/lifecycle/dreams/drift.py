"""Checks what memories say of this host's files: reported once, and taken back when still gone."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from engram.lifecycle.dreams.archive import is_protected
from engram.lifecycle.dreams.made import Made, made
from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.memory.changes import Action
from engram.memory.dreams.artefact import Artefact, ArtefactKind, inherited
from engram.memory.dreams.drift import (
    Exists,
    FileClaim,
    Standing,
    Verdict,
    claim_in,
    commands_in,
    is_of_this_host,
    is_too_much,
    standing,
    verdict,
)
from engram.memory.record import Memory
from engram.memory.vocabulary import Status
from engram.storage.reader import StoreReader
from engram.storage.unit import UnitOfWork

_PROGRAM_FOLDERS = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin", "/opt/homebrew/bin")
_MOST_COMMANDS = 200
_PAUSE = 16


def drift(night: Night, see: StoreReader) -> Planned:
    """Which claims about files have failed, for the first time or again."""
    statements = night.statements(see)
    host = night.host.name
    claims: list[FileClaim] = []
    for place, memory in enumerate(statements):
        if place % _PAUSE == 0:
            night.breathe()
        claim = claim_in(memory, host=host)
        if claim is not None:
            claims.append(claim)
    found = _looked_up(night, claims)
    strikes = {each.key: each for each in see.artefacts.all(ArtefactKind.DRIFT, scope=night.scope)}
    counts = Counter(found.values())
    findings = [*_partly(claims, found), *_commands(night, statements, host)]
    if is_too_much(counts[Standing.GONE], len(claims)):
        findings.insert(0, _so_much(counts[Standing.GONE], len(claims)))
        gone: list[FileClaim] = []
    else:
        gone = [claim for claim in claims if found[claim.memory.number] is Standing.GONE]
    decisions = [
        *_cleared(night, claims, found, strikes),
        *_struck(night, gone, strikes, findings),
    ]
    most = night.options.decisions_per_pass
    return Planned(
        decisions=tuple(decisions[:most]), findings=tuple(findings), looked_at=len(statements),
        is_whole=len(decisions) <= most,
    )  # fmt: skip


def _looked_up(night: Night, claims: Sequence[FileClaim]) -> dict[int, Standing]:
    known: dict[str, bool | None] = {}

    def exists(path: str) -> bool | None:
        if path not in known:
            night.breathe()
            known[path] = night.host.exists(path)
        return known[path]

    return {claim.memory.number: standing(claim, exists) for claim in claims}


def _so_much(gone: int, checked: int) -> str:
    return (
        f"files of {gone} of {checked} memories are missing at once: this looks like another "
        "machine or a disk that is away, and nothing was decided"
    )


def _partly(claims: Sequence[FileClaim], found: Mapping[int, Standing]) -> Iterator[str]:
    for claim in claims:
        if found[claim.memory.number] is Standing.PARTLY:
            yield f"{claim.memory.label} names several files, and not all of them are there"


def _commands(night: Night, statements: Sequence[Memory], host: str) -> Iterator[str]:
    """Commands are told of and nothing else: a program may lie anywhere."""
    exists: Exists = night.host.exists
    local = [each for each in statements if is_of_this_host(each, host)]
    for memory, command in commands_in(local)[:_MOST_COMMANDS]:
        night.breathe()
        found = [exists(f"{folder}/{command}") for folder in _PROGRAM_FOLDERS]
        if all(each is False for each in found):
            yield f"{memory.label} names a command that is in none of this host's usual folders"


def _cleared(
    night: Night,
    claims: Sequence[FileClaim],
    found: Mapping[int, Standing],
    strikes: Mapping[str, Artefact],
) -> Iterator[Decision]:
    """What was noted of memories whose files are back, or that no longer claim anything."""
    by_label = {claim.memory.label: claim for claim in claims}
    for key, strike in sorted(strikes.items()):
        claim = by_label.get(key)
        is_back = claim is not None and found[claim.memory.number] is Standing.THERE
        if claim is None or is_back:
            why = f"What {key} names is there again." if is_back else f"{key} names it no more."
            yield made(Made(f"clear {strike.change_id}", end=(strike,)), why, night.scope, {})


def _struck(
    night: Night,
    gone: Sequence[FileClaim],
    strikes: Mapping[str, Artefact],
    findings: list[str],
) -> Iterator[Decision]:
    for claim in gone:
        memory = claim.memory
        strike = strikes.get(memory.label)
        decided = verdict(
            memory, strike, night.now, days=night.options.drift_strike_days,
            is_protected=is_protected(night.registry, memory.category),
        )  # fmt: skip
        findings.append(_told(claim, decided))
        if decided is Verdict.STRIKE:
            note = Made(f"strike {memory.number} {memory.version}", keep=(_strike(night, claim),))
            why = f"What {memory.label} names is not there; it is looked at again another night."
            yield made(note, why, night.scope, {memory.number: memory})
        elif strike is not None and decided in (Verdict.CHALLENGE, Verdict.INVALIDATE):
            yield _retired(night, memory, strike, decided)


def _told(claim: FileClaim, decided: Verdict) -> str:
    symbols = "a symbol" if claim.symbols == 1 else f"{claim.symbols} symbols"
    beside = f", and {symbols} beside it" if claim.symbols else ""
    left = "; a person decides" if decided is Verdict.LEAVE else ""
    return f"{claim.memory.label} names a file that is not there{beside}{left}"


def _strike(night: Night, claim: FileClaim) -> Artefact:
    trust, secrecy = inherited([claim.memory])
    digest = hashlib.sha256("\n".join(claim.paths).encode("utf-8", "surrogatepass")).hexdigest()
    return Artefact(
        kind=ArtefactKind.DRIFT, scope=night.scope, key=claim.memory.label,
        text=f"{claim.memory.label} names what is not there: {', '.join(claim.paths)}",
        body={"version": claim.memory.version, "paths": digest[:16], "count": len(claim.paths)},
        sources=(claim.memory.number,), trust=trust, secrecy=secrecy, made_at=night.now,
    )  # fmt: skip


def _retired(night: Night, memory: Memory, strike: Artefact, decided: Verdict) -> Decision:
    is_doubt = decided is Verdict.CHALLENGE
    target = Status.CHALLENGED if is_doubt else Status.INVALIDATED
    action = Action.CHALLENGE if is_doubt else Action.INVALIDATE
    since = strike.made_at.isoformat(timespec="seconds")
    why = f"What {memory.label} names has not been there since {since}."

    def carry_out(unit: UnitOfWork) -> bool:
        present = unit.see.current(memory.number)
        if present is None or present.change_id != memory.change_id:
            return False
        unit.begin_change(action, night.scope, why)
        unit.replace(present, status=target)
        if not is_doubt:
            unit.end_artefact(strike)
        return True

    key = f"{decided.value} {memory.number} {memory.version} {strike.change_id}"
    return Decision(key, why, (memory.number,), carry_out)
