"""Pairs of statements that look alike and say different things: what must never be made one.

Made by rule from invented names and things, so that each pair differs in exactly one respect.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

NAMES = ("Orla", "Bram", "Tova", "Ivo", "Lene", "Marek", "Sunniva", "Teo")
THINGS = ("kiln", "loom", "press", "boiler", "mill", "crane")
PLACES = ("Brno", "Turku", "Gdansk", "Bergen", "Vilnius", "Aarhus")
# What stands in both, and the two ways in which it is said.
_KINDS: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "number": ("{name} keeps {} spare belts for the {thing}",
               (("4", "5"), ("six", "sixteen"), ("12", "120"), ("1,000", "10,000"),
                ("2.5", "25"), ("some", "all"), ("a few", "few"), ("both", "most"))),
    "unit": ("The {thing} of {name} takes a load of 40 {}",
             (("kg", "g"), ("pounds", "tonnes"), ("litres", "millilitres"), ("%", "kg"))),
    "version": ("The {thing} at {name}'s place runs firmware {}",
                (("v2.3.1", "v2.3.10"), ("1.0", "1.1"), ("3", "3-beta"), ("4.x", "5.x"))),
    "negation": ("{name} {} the old {thing}",
                 (("trusts", "does not trust"), ("uses", "never uses"), ("likes", "dislikes"),
                  ("can repair", "cannot repair"), ("wants", "no longer wants"),
                  ("finds reliable", "finds unreliable"))),
    "name": ("{} looks after the {thing} in {place}",
             (("Orla", "Bram"), ("Tova", "Ivo"), ("Lene", "Lena"), ("Teo", "Theo"))),
    "place": ("{name} stores the {thing} in {}",
              (("Brno", "Turku"), ("Gdansk", "Bergen"), ("the cellar", "the attic"))),
    "date": ("{name} checks the {thing} on {}",
             (("3 May 2026", "4 May 2026"), ("Monday", "Friday"), ("2026-08-03", "2026-08-30"),
              ("the first of June", "the first of July"))),
    "clock": ("{name} starts the {thing} at {}",
              (("5 pm", "5 am"), ("17:00", "17:30"), ("noon", "midnight"))),
    "frequency": ("{name} oils the {thing} {}",
                  (("daily", "weekly"), ("always", "sometimes"), ("often", "rarely"),
                   ("once", "twice"))),
    "tense": ("{name} {} the {thing}",
              (("owns", "owned"), ("rents", "rented"), ("is selling", "was selling"))),
    "modality": ("{name} {} the {thing}",
                 (("can start", "must start"), ("will buy", "might buy"),
                  ("should clean", "may clean"), ("moves", "wants to move"),
                  ("rebuilds", "plans to rebuild"))),
    "condition": ("{name} stops the {thing} {} it rains",
                  (("when", "unless"), ("if", "after"), ("before", "because"))),
    "preposition": ("{name} put the manual {} the {thing}",
                    (("on", "under"), ("into", "behind"), ("above", "below"))),
    "speaker": ("{} own the {thing} at {name}'s place",
                (("I", "We"), ("We", "You"), ("I", "They"))),
    "quantity": ("{} of the workers at {name}'s know the {thing}",
                 (("All", "Some"), ("Most", "None"), ("Half", "Both"))),
    "thing": ("{name} is proud of the {} in {place}",
              (("kiln", "loom"), ("old mill", "new mill"), ("red crane", "blue crane"))),
}  # fmt: skip
_TURNED = (
    "{one} teaches {other} to run the {thing}",
    "{one} pays {other} for the {thing}",
    "{one} prefers working with {other} at the {thing}",
)


@dataclass(frozen=True, slots=True)
class NearMiss:
    """Two statements that differ in one respect."""

    kind: str
    one: str
    other: str


def near_misses() -> list[NearMiss]:
    """All pairs, each once."""
    pairs = [*_by_words(), *_by_direction(), *_by_form()]
    return list({(each.one, each.other): each for each in pairs}.values())


def _by_words() -> Iterator[NearMiss]:
    for kind, (frame, ways) in _KINDS.items():
        some_names, some_things = (NAMES[:5], THINGS[:4])
        for name, thing, (one, other) in product(some_names, some_things, ways):
            place = PLACES[NAMES.index(name) % len(PLACES)]
            said = {"name": name, "thing": thing, "place": place}
            yield NearMiss(kind, *(f"{frame.format(each, **said)}." for each in (one, other)))


def _by_direction() -> Iterator[NearMiss]:
    for frame, (place, one), thing in product(_TURNED, enumerate(NAMES), THINGS):
        other = NAMES[(place + 3) % len(NAMES)]
        turned = (
            frame.format(one=one, other=other, thing=thing),
            frame.format(one=other, other=one, thing=thing),
        )
        yield NearMiss("direction", *(f"{each}." for each in turned))


def _by_form() -> Iterator[NearMiss]:
    for name, thing in product(NAMES, THINGS):
        yield NearMiss("question", f"{name} sold the {thing}.", f"{name} sold the {thing}?")
        yield NearMiss("plural", f"{name} mends the {thing}.", f"{name} mends the {thing}s.")
        yield NearMiss("owner", f"{name}'s {thing} is loud.", f"{name} and the {thing} are loud.")
