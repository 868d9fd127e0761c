"""What `tool_context` finds for calls of tools, and what it leaves alone: made-up, and labelled.

Each memory of a household, a workshop, a surgery, a school and a theatre is what the call beside it
should bring up; nothing in the store has to do with the calls in `UNRELATED`, though some of their
words stand there. The calls of the school and the theatre, and the unrelated ones from `define`
on, were written after the rule and looked at once.

    python -m benchmarks.tool_calls
"""

import sys
import time

from engram import Engram

_LEAST = 0.85  # of the calls that get what they need
_MOST_WRONG = 0.2  # of the unrelated ones that get something
_Call = tuple[str, dict[str, object]]

PAIRS: tuple[tuple[str, _Call], ...] = (
    ("Nurse Okafor checks insulin before it is handed out.",
     ("dispense", {"drug": "insulin", "units": 12, "patient": 8812, "urgent": False})),
    ("Mr. Pereira is allergic to penicillin.",
     ("prescribe", {"patient": "Pereira", "drug": "amoxicillin", "note": "thrice a day with tea"})),
    ("The boiler in Elm Street is serviced by Halvorsen every May.",
     ("create_appointment", {"subject": "Boiler", "place": "Elm Street", "when": "2027-05-03"})),
    ("Halvorsen asks to be called before eight.",
     ("place_call", {"contact": "Halvorsen", "script": "Good evening, may we move our date?"})),
    ("The lathe must not run above 1200 turns with brass.",
     ("start_machine", {"machine": "lathe", "speed": 1500, "material": "brass"})),
    ("config/kiln.yaml is generated; edit the template instead.",
     ("write_file", {"path": "/srv/workshop/config/kiln.yaml", "content": "hold: 20"})),
    ("Oak boards come from Brandt, never from the market.",
     ("order", {"items": [{"article": "oak board", "count": 14}], "delivery": "next week"})),
    ("Wanda turns up late on Fridays because of choir.",
     ("invite", {"people": ["wanda@example.org"], "title": "Weekly review", "day": "Friday"})),
    ("The Novak invoice is paid in two parts.",
     ("pay_invoice", {"customer": "Novak", "amount": 840.5, "currency": "EUR", "number": 114})),
    ("Room B12 has no projector.",
     ("book_room", {"room": "B12", "from": "09:00", "needs": ["projector", "whiteboard"]})),
    ("Grandmother Ilse hears badly on the telephone, so write to her.",
     ("send_message", {"to": "Ilse", "channel": "voice", "body": "We come on Sunday."})),
    ("The greenhouse is watered from the tank when it rained.",
     ("set_irrigation", {"zone": "greenhouse", "minutes": 25})),
    ("Dr. Lindqvist wants referrals as letters, not as faxes.",
     ("refer", {"to": "Dr. Lindqvist", "by": "fax", "reason": "Knee hurts since a fall in May"})),
    ("The van with the plate KL-204 pulls to the left.",
     ("assign_vehicle", {"vehicle": "KL-204", "driver": "Samir", "trip": "quarry and back"})),
    ("Samir may not drive after dark.",
     ("plan_route", {"driver": "Samir", "start": "19:30", "stops": ["quarry", "harbour"]})),
    ("Glaze number 7 cracks on thin plates.",
     ("schedule_firing", {"kiln": 2, "pieces": "thin plates", "glaze": "number 7"})),
    ("The archive of the surgery is on the shelf behind reception.",
     ("find_document", {"query": "where do we keep the old archive of patients"})),
    ("Tomasz signs for parcels when nobody is at the gate.",
     ("redirect_parcel", {"parcel": "JJD0099", "to": "Tomasz"})),
    ("The dog Bruno gets half a tablet with breakfast.",
     ("add_reminder", {"text": "Bruno tablet", "at": "07:15", "repeat": "daily"})),
    ("repo pottery-shop is deployed by hand from the laptop of Mirela.",
     ("trigger_pipeline", {"repository": "github.com/mirela/pottery-shop", "branch": "main"})),
    ("The third act of Macbeth starts in the dark.",
     ("set_lights", {"play": "Macbeth", "act": 3, "level": 80, "fade_seconds": 4})),
    ("Class 7c has no lessons on the last Thursday of a month.",
     ("add_lesson", {"class": "7c", "subject": "history", "date": "2026-11-26"})),
    ("Beatriz plays the cello and not the violin.",
     ("cast", {"name": "Beatriz", "instrument": "violin", "evening": "premiere"})),
    ("The costumes are kept dry with bags of rice.",
     ("move_stock", {"what": "costumes", "from": "attic", "to": "cellar", "boxes": 9})),
    ("Parents of Yusuf read letters in Turkish.",
     ("send_letter", {"pupil": "yusuf", "language": "en", "text": "Dear parents, we meet soon."})),
    ("score_sheets/overture.pdf misses the page for the oboe.",
     ("print", {"file": "D:/theatre/score_sheets/overture.pdf", "copies": 30})),
    ("The fog machine sets off the alarm in the foyer.",
     ("start_effect", {"device": "fog machine", "seconds": 30})),
    ("Headmaster Quist signs nothing without two offers.",
     ("request_purchase", {"article": "chairs", "price": 2300, "approver": "Quist"})),
    ("The bus company Ferrante wants the number of wheelchairs in advance.",
     ("book_bus", {"company": "Ferrante", "seats": 48, "day": "2027-03-02"})),
    ("Tickets of row K are sold at the door alone.",
     ("sell_ticket", {"row": "K", "seat": 14, "channel": "web"})),
    ("The chemistry room loses power when the ovens of the canteen run.",
     ("reserve", {"room": "chemistry room", "equipment": ["burner", "scale"], "hours": 2})),
    ("Ines may leave at one, says her mother.",
     ("mark_absent", {"pupil": "Ines", "from": "13:05", "reason": None})),
)  # fmt: skip
UNRELATED: tuple[_Call, ...] = (
    ("translate", {"text": "It was fine, and the harbour full of ships before dark.", "to": "fr"}),
    ("resize_image", {"width": 1200, "height": 800}),
    ("summarise", {"text": "Nobody came to the gate. It rained, the market had gone by eight."}),
    ("search_web", {"query": "best films of the year"}),
    ("run_python", {"code": "print(sum(range(12)))"}),
    ("play_music", {"artist": "The Weavers", "volume": 7}),
    ("draw", {"prompt": "a cake with two candles on a shelf, in the style of an old letter"}),
    ("set_timer", {"minutes": 25}),
    ("get_rate", {"from": "USD", "to": "JPY"}),
    ("define", {"word": "serendipity", "language": "en"}),
    ("write_poem", {"topic": "rain", "lines": 8, "tone": "in the manner of an evening song"}),
    ("http_get", {"url": "https://example.org/api/v2/items?page=3", "timeout": 10}),
    ("compress", {"path": "/tmp/pictures.tar", "level": "high"}),
    ("chat", {"message": "Thank you, that was all for today. See you on Monday!"}),
    ("guess_language", {"text": "Buongiorno, come sta?"}),
)  # fmt: skip
_BESIDE = (
    "The {} in the {} is {}.", "shed attic porch cellar hall loft".split(),
    "ladder paint rope bucket bench saw drill hammer mirror carpet".split(),
    "old heavy green lent broken".split(),
)  # fmt: skip


def beside() -> list[str]:
    """Three hundred memories that no call asks for."""
    frame, places, things, states = _BESIDE
    return [frame.format(a, b, c) for a in things for b in places for c in states]


def main() -> int:
    """Ask for all calls, print the figures, and say whether they hold."""
    with Engram.open(":memory:") as engram:
        engram.remember_many([*(text for text, _ in PAIRS), *beside()], wait=True)
        engram.tool_context("warm", {"up": "the embedder"})
        found, taken, told = 0, [], 0
        for text, (tool, arguments) in PAIRS:
            begun = time.perf_counter()
            made = engram.tool_context(tool, arguments)
            taken.append((time.perf_counter() - begun) * 1_000)
            told += len(made.memories)
            is_found = any(hit.memory.content == text for hit in made.memories)
            found += is_found
            if not is_found:
                print(f"missed by {tool}: {text}")
        wrong = [tool for tool, given in UNRELATED if engram.tool_context(tool, given).memories]
    taken.sort()
    print(f"found {found} of {len(PAIRS)}, {told / len(PAIRS):.1f} memories a block")
    print(f"unrelated calls that got something: {len(wrong)} of {len(UNRELATED)} {wrong}")
    print(f"p50 {taken[len(taken) // 2]:.1f} ms, p95 {taken[-2]:.1f} ms")
    holds = found >= _LEAST * len(PAIRS) and len(wrong) <= _MOST_WRONG * len(UNRELATED)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
