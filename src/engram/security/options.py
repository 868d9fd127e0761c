"""The numbers of security, each with its range and meaning."""

from dataclasses import dataclass

from engram.memory.options import option


@dataclass(frozen=True, slots=True)
class SecurityOptions:
    """What is written down about use, and for how long."""

    read_audit: str = option(
        "batched",
        choices=("batched", "immediate", "off"),
        meaning="When reads enter the audit: within seconds, before the answer is given, or never.",
    )
    flush_seconds: float = option(
        1.0, low=0.05, high=60.0, meaning="How long batched reads may wait before they are written."
    )
    ring_entries: int = option(
        2_000,
        low=10,
        high=100_000,
        meaning="Recent reads of a process kept in memory for a quick look.",
        at_open=True,
    )
    journal_entries: int = option(
        10_000,
        low=0,
        high=1_000_000,
        meaning="Recalls whose figures are kept for `engram stats recall`; 0 keeps none.",
    )
    event_days: int = option(
        90, low=0, high=3_650, meaning="Days that security events are kept; 0 keeps them for ever."
    )
    event_entries: int = option(
        10_000, low=100, high=1_000_000, meaning="Security events that are kept at most."
    )
    unsealed_per_minute: int = option(
        200,
        low=0,
        high=1_000_000,
        meaning="Protected memories shown to one caller in a minute above which it is a security "
        "event; 0: never.",
    )
    audit_head_file: str = option(
        "",
        meaning="A file elsewhere, as on another disk, that the head of the audit is kept in too.",
        at_open=True,
    )
    harden_process: bool = option(
        True,
        meaning="Engram's own processes leave no core dump and cannot be read by a debugger.",
        at_open=True,
    )
    harden_library: bool = option(
        False,
        meaning="The same for a program of yours that opens a store as a library.",
        at_open=True,
    )
    tiers: str = option(
        "detect",
        choices=("detect", "asked"),
        meaning="What decides how a memory is protected: `detect` seals what is found to be "
        "sensitive or confidential, `asked` only what a caller says is.",
    )
    log_days: int = option(
        7, low=0, high=365, meaning="Days that log files are kept; 0 writes none.", at_open=True
    )
