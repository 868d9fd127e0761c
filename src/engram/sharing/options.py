"""The numbers of export and import, each with its range and meaning."""

from dataclasses import dataclass

from engram.memory.options import option

LEAST_WORK = 10
MOST_WORK = 18  # 2**18 rounds take 256 MiB; a file that asks for more is refused unread


@dataclass(frozen=True, slots=True)
class SharingOptions:
    """How an export is sealed, and how much an import takes before it gives up."""

    export_work: int = option(
        MOST_WORK,
        low=LEAST_WORK,
        high=MOST_WORK,
        meaning="How hard the passphrase of an export is to guess: scrypt with 2 to this power "
        "rounds. One more doubles time and memory; 18 takes 256 MiB for about a second.",
    )
    import_max_bytes: int = option(
        1_073_741_824,
        low=1_024,
        high=1_099_511_627_776,
        meaning="Largest file that is imported, as it lies there and as it is when decrypted.",
    )
    import_max_line_bytes: int = option(
        1_048_576,
        low=1_024,
        high=16_777_216,
        meaning="Longest line, or item of a list, that is read of a file; longer ones are skipped.",
    )
    import_max_depth: int = option(
        16, low=2, high=64, meaning="How deep objects and lists may lie in each other in an import."
    )
    import_max_items: int = option(
        200_000, low=1, high=10_000_000, meaning="Most lines or items of one import."
    )
    import_max_seconds: float = option(
        3_600.0,
        low=0.1,
        high=86_400.0,
        meaning="Longest time one import may take; what is in stays, and repeating it goes on.",
    )
