"""A store in which every kind of decision is due: fading, merging, contradicting, recurring."""

from engram import Engram, Scope

SETTINGS = {
    "embedder": {"kind": "hashing"},
    "daemon": {"start": "never"},
    "storage": {"backup_every_hours": 0},
}
PROJECT = Scope(project="acme")
_TEA = (
    "I prefer green tea over coffee.",
    "I prefer green tea over coffee",
    "I really prefer green tea over coffee.",
    "Actually I prefer green tea over coffee.",
    "I prefer the green tea over coffee.",
    "I prefer green tea over coffee!",
)
_PORT = (
    "The office VPN uses WireGuard on port 51820.",
    "The office VPN really uses WireGuard on port 51820.",
    "Actually the office VPN uses WireGuard on port 51820.",
    "The office VPN just uses WireGuard on port 51820.",
    "The office VPN still uses WireGuard on port 51820.",
    "Indeed the office VPN uses WireGuard on port 51820.",
)
_SMALL_TALK = ("Good morning!", "Ha, nice one.", "Thanks a lot, see you later.", "How are you?")


def fill(engram: Engram, clock) -> None:
    """Half a year of it; the clock ends at the evening on which the store dreams."""
    for text in _SMALL_TALK:
        engram.observe(text, session="first", role="user")
    engram.flush()
    engram.remember("Perhaps the deploy key is rotated monthly.", confidence=0.3)
    engram.remember("I will send Bo the report by Friday.", category="commitment")
    engram.remember("The old kiosk had a blue door.", category="general", importance=0.1,
                    source="import:notes")  # fmt: skip
    engram.remember("The bell rang twice in the yard.", category="general", importance=0.1,
                    source="import:notes", scope=PROJECT)  # fmt: skip
    pinned = engram.remember("The spare key hangs in the shed.", category="general", importance=0.1,
                             pinned=True, source="import:notes")  # fmt: skip
    assert pinned.kind == "stored"
    clock.advance(days=60)
    for number, text in enumerate(_TEA):
        _said(engram, text, f"tea-{number}")
        clock.advance(hours=30)
    for number, text in enumerate(_PORT):
        engram.remember(text, category="infra", session=f"vpn-{number}")
    _people(engram)
    _changed(engram, clock)
    clock.advance(days=100)
    _much_used(engram, clock)
    clock.advance(minutes=10)
    engram.settle()


def _said(engram: Engram, text: str, session: str) -> None:
    """Kept as a memory of its own, as an import of old notes leaves them."""
    engram.remember(text, category="moment", session=session, source=f"import:{session}")


def _people(engram: Engram) -> None:
    for text in (
        "Ada Okafor works at Northwind as an engineer.",
        "Ada Okafor leads the Nightjar project.",
        "Ada Okafor plays the cello on Sundays.",
        "Ada Okafor lives in Porto.",
        "Ada Okafor reviews every change to the parser.",
        "The Nightjar project uses Rust.",
        "The Nightjar project is written in Rust and tested with pytest.",
        "Bo Larsen works with Ada Okafor on Nightjar.",
    ):
        engram.remember(text, category="fact", source="import:people")
    engram.remember("The release is signed in /srv/never/there/release.key.", category="infra",
                    source="import:people")  # fmt: skip
    engram.knowledge.learn("Porto", "located_in", "Portugal")
    engram.knowledge.learn("Portugal", "located_in", "Europe")


def _changed(engram: Engram, clock) -> None:
    """Two that cannot both hold; a preference; something that is only in mind now."""
    engram.remember("Mia Chen moved to Lisbon.", category="fact", confidence=0.9)
    clock.advance(hours=30)
    engram.remember("Mia Chen moved to Porto.", category="fact", confidence=0.6)
    engram.remember("I prefer short functions.", category="preference")
    engram.remember("The build is running on the second machine.", layer="working")


def _much_used(engram: Engram, clock) -> None:
    for _ in range(7):
        engram.recall("Ada Okafor Nightjar")
        clock.advance(hours=2)
    engram.settle()
