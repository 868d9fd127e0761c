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
    log_days: int = option(
        7, low=0, high=365, meaning="Days that log files are kept; 0 writes none.", at_open=True
    )
