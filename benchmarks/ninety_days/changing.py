"""What has one value at a time: each said when it changes, so that the one before is stale."""

import random
from dataclasses import dataclass

from benchmarks.ninety_days.spoken import HOME, Changing
from benchmarks.ninety_days.words import listed

_TURNS_PER_THING = 30


@dataclass(frozen=True, slots=True)
class _Slot:
    project: str
    key: str
    question: str
    first: str
    later: tuple[str, ...]
    values: tuple[str, ...]


_SLOTS = (
    _Slot("harbour", "standup", "When is the harbour standup?", "The standup is at {value}.",
          ("The standup is at {value} now.", "We moved the standup to {value}."),
          listed("8:50|9:35|10:05|9:20")),
    _Slot("harbour", "staging server", "Which version runs on the staging server?",
          "The staging server runs version {value}.",
          ("The staging server runs version {value} now.",
           "The staging server now runs version {value}."),
          listed("3.1.4|3.2.0|3.4.1|4.0.2")),
    _Slot("harbour", "summer release", "When is the summer release planned?",
          "The summer release is planned for {value}.",
          ("The summer release was postponed to {value}.",
           "The summer release is planned for {value} now."),
          listed("12 June|26 June|10 July")),
    _Slot("harbour", "billing team", "Who leads the billing team?", "{value} leads the billing "
          "team.", ("{value} leads the billing team now.",),
          listed("Gunnar|Philippa|Marcel")),
    _Slot("harbour", "production database", "Where is the production database hosted?",
          "The production database is hosted in {value}.",
          ("The production database is now hosted in {value}.",
           "We moved the production database to {value}."),
          listed("Frankfurt|Dublin|Stockholm")),
    _Slot("harbour", "berth fee", "How high is the berth fee?", "The berth fee is {value} euros.",
          ("The berth fee is {value} euros now.", "The berth fee was raised to {value} euros."),
          listed("18|21|23")),
    _Slot("harbour", "security lead", "Who is the security lead?", "The security lead is {value}.",
          ("The security lead is {value} now.", "Our security lead is now {value}."),
          listed("Ottilie|Benedikt|Samira")),
    _Slot("harbour", "retry limit", "What is the retry limit?", "The retry limit is {value}.",
          ("The retry limit is now {value}.", "We changed the retry limit to {value}."),
          listed("45|60|90")),
    _Slot("harbour", "on-call phone", "Who has the on-call phone?",
          "{value} has the on-call phone.",
          ("{value} has the on-call phone now.",), listed("Gunnar|Samira|Marcel|Philippa")),
    _Slot("harbour", "log retention", "How long is the log retention?",
          "The log retention is {value} days.", ("The log retention is {value} days now.",),
          listed("14|30|75")),
    _Slot("atlas", "opening night", "When is the opening night?",
          "The opening night is on {value}.",
          ("The opening night is on {value} now.", "The opening night was moved to {value}."),
          listed("4 September|18 September|2 October")),
    _Slot("atlas", "tile server", "Which machine is the tile server?",
          "The tile server is {value}.",
          ("The tile server is now {value}.", "We moved the tile server to {value}."),
          listed("heron|osprey|bittern")),
    _Slot("atlas", "weekly call", "When is the weekly call?", "The weekly call is on {value}.",
          ("The weekly call is on {value} now.", "We moved the weekly call to {value}."),
          listed("Tuesday|Thursday|Wednesday")),
    _Slot("atlas", "curator", "Who is the curator of the exhibition?", "The curator is {value}.",
          ("The curator is {value} now.", "The curator is now {value}."),
          listed("Adeline|Ignatius|Rosanna")),
    _Slot("atlas", "scan resolution", "Which scan resolution do we use?",
          "The scan resolution is {value} dpi.", ("The scan resolution is {value} dpi now.",
          "We changed the scan resolution to {value} dpi."), listed("400|600|800")),
    _Slot("atlas", "reading room", "Where is the reading room?",
          "The reading room is on the {value} floor.",
          ("The reading room is on the {value} floor now.",),
          listed("ground|second|fourth")),
    _Slot("atlas", "default language", "What is the default language of the viewer?",
          "The default language of the viewer is {value}.",
          ("The default language of the viewer is now {value}.",),
          listed("German|English|French")),
    _Slot("atlas", "loan desk", "Who runs the loan desk?", "{value} runs the loan desk.",
          ("{value} runs the loan desk now.",), listed("Ignatius|Clemence|Adeline")),
    _Slot("atlas", "print run", "How big is the print run of the catalogue?",
          "The print run of the catalogue is {value} copies.",
          ("The print run of the catalogue is now {value} copies.",
           "We changed the print run of the catalogue to {value} copies."),
          listed("800|1200|1500")),
    _Slot("atlas", "viewer framework", "Which viewer framework do we use?",
          "The viewer framework is {value}.", ("We switched the viewer framework to {value}.",
          "The viewer framework is {value} now."), listed("Vue|Svelte|Solid")),
    _Slot("orchard", "pickup day", "What is the pickup day?", "The pickup day is {value}.",
          ("The pickup day is now {value}.", "We moved the pickup day to {value}."),
          listed("Monday|Thursday|Saturday")),
    _Slot("orchard", "share price", "What is the share price?", "The share price is {value} euros.",
          ("The share price is {value} euros now.", "The share price was raised to {value} euros."),
          listed("82|88|94")),
    _Slot("orchard", "delivery van", "Where is the delivery van parked?",
          "The delivery van is parked at {value}.", ("The delivery van is parked at {value} now.",
          "The delivery van is now parked at {value}."),
          listed("the mill|the church|the depot")),
    _Slot("orchard", "member count", "What is the member count?", "The member count is {value}.",
          ("The member count is now {value}.", "The member count is {value} now."),
          listed("131|148|163|177")),
    _Slot("orchard", "treasurer", "Who is the treasurer?", "The treasurer is {value}.",
          ("The treasurer is {value} now.", "The treasurer is now {value}."),
          listed("Konstanze|Dimitri|Harriet")),
    _Slot("orchard", "cooling room", "What temperature is the cooling room set to?",
          "The cooling room is set to {value} degrees.",
          ("The cooling room is set to {value} degrees now.",),
          listed("three|five|seven")),
    _Slot("orchard", "general meeting", "When is the general meeting?",
          "The general meeting is on {value}.",
          ("The general meeting was moved to {value}.", "The general meeting is on {value} now."),
          listed("9 May|23 May|6 June")),
    _Slot("orchard", "seed order", "Who does the seed order?", "{value} does the seed order.",
          ("{value} does the seed order now.",), listed("Harriet|Lorenz|Konstanze")),
    _Slot("orchard", "farm shop", "When does the farm shop open?",
          "The farm shop opens at {value}.",
          ("The farm shop opens at {value} now.", "The farm shop now opens at {value}."),
          listed("7:30|8:15|9:45")),
    _Slot("orchard", "newsletter editor", "Who is the newsletter editor?",
          "The newsletter editor is {value}.", ("The newsletter editor is now {value}.",),
          listed("Lorenz|Dimitri|Philomena")),
    _Slot(HOME, "desk", "Where is my desk?", "My desk is in the {value}.",
          ("My desk is in the {value} now.", "I moved my desk to the {value}."),
          listed("living room|loft|winter garden")),
    _Slot(HOME, "choir practice", "When is choir practice?", "Choir practice is on {value}.",
          ("Choir practice is on {value} now.", "Choir practice was moved to {value}."),
          listed("Tuesday|Thursday|Monday")),
    _Slot(HOME, "running goal", "What is my running goal?",
          "My running goal is {value} kilometres.",
          ("My running goal is now {value} kilometres.",),
          listed("6|9|13|16")),
    _Slot(HOME, "cleaner", "Who is our cleaner?", "Our cleaner is {value}.",
          ("Our cleaner is now {value}.", "Our cleaner is {value} now."),
          listed("Radka|Mercedes|Olivia")),
    _Slot(HOME, "phone plan", "Which company is my phone plan with?",
          "My phone plan is with {value}.",
          ("My phone plan is with {value} now.", "I switched my phone plan to {value}."),
          listed("Telora|Mobilix|Ringwave")),
    _Slot(HOME, "spare key", "Where is the spare key?", "The spare key is {value}.",
          ("The spare key is now {value}.",),
          listed("under the flower pot|with the baker|in the mailbox")),
    _Slot(HOME, "favourite tea", "What is my favourite tea?", "My favourite tea is {value}.",
          ("My favourite tea is now {value}.", "My favourite tea is {value} these days."),
          listed("rooibos|oolong|gunpowder")),
    _Slot(HOME, "bank", "What is my bank?", "My bank is {value}.",
          ("My bank is now {value}.", "My bank is {value} now."), listed("Umbra|Sparhaus|Tomari")),
    _Slot(HOME, "car", "Where is the car parked?", "The car is parked in {value}.",
          ("The car is parked in {value} now.", "The car is now parked in {value}."),
          listed("Lark Street|Mill Lane|Quay Road|Abbey Row")),
    _Slot(HOME, "swimming day", "What is my swimming day?", "My swimming day is {value}.",
          ("My swimming day is now {value}.", "My swimming day is {value} now."),
          listed("Wednesday|Sunday|Friday")),
)  # fmt: skip


def changing_things(days: int, turns: int, *, seed: int = 13) -> tuple[Changing, ...]:
    """What changes in so many days of so many turns; the last value comes before the end.

    Little talk has room for few of them.
    """
    chance = random.Random(seed)
    count = min(len(_SLOTS), max(2, days * turns // _TURNS_PER_THING))
    slots = sorted(chance.sample(range(len(_SLOTS)), count))
    return tuple(_scheduled(_SLOTS[place], days, chance) for place in slots)


def _scheduled(slot: _Slot, days: int, chance: random.Random) -> Changing:
    last = max(len(slot.values), days - 2)  # the newest stands for a night at least
    count = min(len(slot.values), last)
    when = sorted(chance.sample(range(last), count))
    values = slot.values[:count]
    forms = [slot.first, *(chance.choice(slot.later) for _ in values[1:])]
    texts = tuple(_said(form, value) for form, value in zip(forms, values, strict=True))
    return Changing(slot.project, slot.key, slot.question, values, texts, tuple(when))


def _said(form: str, value: str) -> str:
    text = form.format(value=value)
    return text[:1].upper() + text[1:]
