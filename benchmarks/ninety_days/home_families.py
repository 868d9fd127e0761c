"""Families of facts about the person's own life: what is said, what is asked, and the answers."""

from benchmarks.ninety_days.family import Family
from benchmarks.ninety_days.spoken import HOME
from benchmarks.ninety_days.words import CITIES, FRIENDS, KIN, SURNAMES, TOWNS, listed

_NUMBERS = tuple(str(4_000 + 137 * place) for place in range(1, 40))

HOME_FAMILIES = (
    Family(
        HOME, KIN[:12],
        listed("3 February|19 May|27 August|8 October|14 January|22 April|30 June|11 September|"
               "5 November|17 July|25 March|2 December"),
        ("{key}'s birthday is on {answer}.", "Note that {key} was born on {answer}, I always "
         "forget it.", "We celebrate {key}'s birthday every year on {answer}."),
        "When is {key}'s birthday?",
    ),
    Family(
        HOME, KIN[2:14],
        listed("hazelnuts|shellfish|celery|penicillin|birch pollen|sesame|latex|wasp stings|mango|"
               "lupin flour|kiwi|horse hair"),
        ("{key} is allergic to {answer}.", "We have to be careful at dinner, {key} is allergic to "
         "{answer}."),
        "What is {key} allergic to?",
    ),
    Family(
        HOME,
        listed("bike cellar|garden shed|rehearsal room|boat house|allotment gate|laundry room|"
               "summer cottage|storage unit|club kitchen|parish hall"),
        _NUMBERS[:10],
        ("The code for the {key} is {answer}.", "If anyone asks, the {key} opens with {answer}."),
        "What is the code for the {key}?",
    ),
    Family(
        HOME,
        listed("dentist|dermatologist|optician|vet|tax adviser|physiotherapist|paediatrician|"
               "allergist|lawyer|notary"),
        SURNAMES[:10],
        ("Our {key} is Doctor {answer}, she has her practice by the canal.",
         "I am very happy with our {key}, the name is {answer}."),
        "Who is our {key}?",
    ),
    Family(
        HOME,
        listed("dishwasher|espresso machine|cargo bike|tumble dryer|record player|heat pump|"
               "sewing machine|lawn mower|piano|tent"),
        listed("spring 2031|autumn 2029|winter 2030|summer 2033|autumn 2032|spring 2028|"
               "winter 2029|summer 2030|autumn 2035|spring 2034"),
        ("The warranty of the {key} runs until {answer}.",
         "I looked it up, the {key} is under warranty until {answer}."),
        "How long does the warranty of the {key} run?",
    ),
    Family(
        HOME,
        listed("electricity|water|gym|liability insurance|car sharing|library|museum card|"
               "train pass|fibre line|dental insurance"),
        listed("KL-20871|BR-55310|WQ-81264|HT-90427|ZN-33816|PD-71905|VX-46128|GJ-18593|MS-62740|"
               "CF-27459"),
        ("My {key} contract has the number {answer}.",
         "For the form: the customer number of my {key} contract is {answer}."),
        "What is the number of my {key} contract?",
    ),
    Family(
        HOME, CITIES[:12],
        listed("Hotel Bellarosa|Pension Möwe|the Linden Inn|Casa Ferrante|Hostel Tramontana|"
               "Hotel Kronprins|Villa Serafina|the Copper Kettle|Hotel Zlata|Pension Adler|"
               "the Old Mill|Casa Branca"),
        ("I booked {answer} for our trip to {key}.", "For {key} I went with {answer} in the end, "
         "it has a garden."),
        "Where are we staying in {key}?",
    ),
    Family(
        HOME, FRIENDS[:12],
        listed("a waxed canvas bag|fountain pen ink|a mushroom knife|a star chart|wool slippers|"
               "a bread proofing basket|juggling balls|a bird feeder|linen napkins|a hip flask|"
               "a kite|a pressure cooker"),
        ("{key} would love {answer} as a present.",
         "I have an idea for {key}'s present: {answer}, she said so herself."),
        "What present would {key} like?",
    ),
    Family(
        HOME, FRIENDS[4:16],
        listed("Pixel|Brunhilde|Mokka|Socrates|Bandit|Nougat|Waffle|Kasimir|Tapas|Zeppelin|Fidget|"
               "Pumpernickel"),
        ("{key}'s dog is called {answer}.", "{key} got a dog from the shelter and named it "
         "{answer}."),
        "What is the name of {key}'s dog?",
    ),
    Family(
        HOME, FRIENDS[8:],
        listed("the drill|the blue tent|the beekeeping book|the pasta machine|"
               "the red skis|the projector|the sleeping bag|the trailer|the folding chairs|"
               "the accordion|the ladder|the raclette grill"),
        ("I lent {key} {answer}.", "So that I remember, {key} has borrowed {answer} from me."),
        "What did I lend to {key}?",
    ),
    Family(
        HOME, (*KIN[6:], *FRIENDS[:4]),
        listed("a pinch of cardamom|browned butter|orange zest|a spoon of miso|dried plums|"
               "smoked salt|buttermilk|fresh tarragon|anchovy paste|a glass of cider|rose water|"
               "caraway seeds|chestnut honey|star anise"),
        ("The secret of {key}'s stew is {answer}.", "{key} finally told me what makes the stew so "
         "good: {answer}."),
        "What is the secret ingredient of {key}'s stew?",
    ),
    Family(
        HOME,
        listed("hallway|study|guest room|kitchen|bathroom|nursery|stairwell|attic"),
        listed("Quiet Fern|Baltic Dusk|Old Parchment|Plum Shadow|Wet Slate|Honey Loaf|"
               "Faded Denim|Oat Milk"),
        ("The paint on the {key} walls is called {answer}.",
         "We painted the {key} last year, the colour is {answer}."),
        "Which paint did we use in the {key}?",
    ),
    Family(
        HOME,
        listed("cello|Portuguese|pottery|sailing|singing|chess|yoga|drawing"),
        SURNAMES[12:20],
        ("My {key} teacher is Mrs {answer}.", "I take {key} lessons with Mrs {answer}."),
        "Who teaches me {key}?",
    ),
    Family(
        HOME,
        listed("plumber|roofer|chimney sweep|piano tuner|bike mechanic|upholsterer|gardener|"
               "locksmith"),
        listed("Brandt and Daughters|Klingenberg|the Rossi brothers|Tonhalle Service|Speichenwerk|"
               "Atelier Polster|Grüner Daumen|Schlüsselwolf"),
        ("The {key} we trust is {answer}.", "Whenever we need a {key} we call {answer}."),
        "Which {key} do we call?",
    ),
    Family(
        HOME,
        listed("camera|bicycle frame|laptop|kayak|amplifier|watch|telescope|violin|drone|"
               "typewriter"),
        listed("SN48812K|FR7730QX|CX90514B|KY2286LM|AM61179T|WT3305ZR|TS7742PD|VL1908EH|DR5563NC|"
               "TY8421GU"),
        ("The serial number of my {key} is {answer}.",
         "For the insurance: my {key} has the serial number {answer}."),
        "What is the serial number of my {key}?",
    ),
    Family(
        HOME, (*KIN[:6], *FRIENDS[10:16]), TOWNS[:12],
        ("{key} grew up in {answer}.", "I did not know that {key} spent the whole childhood in "
         "{answer}."),
        "Where did {key} grow up?",
    ),
    Family(
        HOME, FRIENDS,
        listed("marine biology|bookbinding|theology|carpentry|aerospace engineering|Sanskrit|"
               "veterinary medicine|puppetry|hydrology|econometrics|viticulture|stage design|"
               "midwifery|numismatics|forestry|glassblowing|seismology|liturgical music|"
               "toxicology|cartoon drawing"),
        ("{key} studied {answer} before we met.", "{key} has a degree in {answer}, who would have "
         "thought."),
        "What did {key} study?",
    ),
    Family(
        HOME,
        listed("quince tree|fig tree|rhubarb|grape vine|hop plant|medlar|climbing rose|"
               "walnut tree"),
        listed("1987|1994|2003|2009|2011|1979|1991|1968"),
        ("The {key} in our garden was planted in {answer}.",
         "My father planted the {key} in {answer}."),
        "When was the {key} planted?",
    ),
)  # fmt: skip
