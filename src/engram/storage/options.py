"""The numbers of storage, each with its range and meaning."""

from dataclasses import dataclass

from engram.memory.options import option


@dataclass(frozen=True, slots=True)
class StorageOptions:
    """How the store behaves on this machine."""

    busy_timeout_seconds: float = option(
        30.0,
        low=0.1,
        high=600.0,
        meaning="How long a write waits for other writers before it fails.",
        at_open=True,
    )
    max_waiting_writers: int = option(
        256,
        low=1,
        high=10_000,
        meaning="Threads of one process that may queue for a write; more are told to come back.",
    )
    rows_per_commit: int = option(
        500, low=1, high=10_000, meaning="Memories per transaction when many are stored at once."
    )
    cache_kilobytes: int = option(
        4_000,
        low=500,
        high=1_000_000,
        meaning="Page cache of each database connection.",
        at_open=True,
    )
    checkpoint_pages: int = option(
        1_000,
        low=100,
        high=100_000,
        meaning="Pages in the write-ahead log before it is folded back.",
    )
    backup_every_hours: float = option(
        24.0,
        low=0.0,
        high=8_760.0,
        meaning="A backup is made at opening when the last is older; 0 turns that off.",
    )
    backups_kept: int = option(
        3, low=1, high=365, meaning="Verified backups that are kept before the oldest goes."
    )
    check_megabytes: int = option(
        64,
        low=0,
        high=100_000,
        meaning="After a crash, databases up to this size are checked whole at opening.",
        at_open=True,
    )
    minimum_free_megabytes: int = option(
        100, low=0, high=1_000_000, meaning="Health warns when the disk has less free space."
    )
