"""A hundred made pairs: what a second fact does to the first.

REPLACES: the first held and holds no longer. BOTH: both hold. SAME: the second says what the first
says. A fact is a subject, a relation (or `.property`) and an object.
"""

REPLACES, BOTH, SAME = "replaces", "both", "same"

Fact = tuple[str, str, object]

# What one known fact tells of places, for those that agree without being the same.
BACKGROUND: list[Fact] = [
    ("Paris", "located_in", "France"), ("Montmartre", "part_of", "Paris"),
    ("Porto", "located_in", "Portugal"), ("Search team", "part_of", "Acme"),
]  # fmt: skip

_F_MOVED: list[tuple[Fact, Fact]] = [
    (("Ada", "located_in", "Lyon"), ("Ada", "located_in", "Porto")),
    (("Robin", "located_in", "Ghent"), ("Bruges", "location_of", "Robin")),
    (("Kim", ".address", "4 Mill Lane"), ("Kim", ".address", "12 Harbour Street")),
    (("Acme", "located_in", "Bonn"), ("Acme", "located_in", "Cologne")),
    (("Jo", ".home town", "Lund"), ("Jo", ".Home  Town", "Malmö")),
    (("Office", "located_in", "Kyoto"), ("the office", "located_in", "Osaka")),
    (("Ada", "located_in", "France"), ("Ada", "located_in", "Portugal")),
    (("Ada", "located_in", "Montmartre"), ("Ada", "located_in", "Porto")),
    (("Team", ".room", 204), ("Team", ".room", 310)),
    (("Ada", "works_for", "Acme"), ("Ada", "works_for", "Initech")),
    (("Ada", "works_for", "Acme"), ("Initech", "employs", "Ada")),
    (("Boat", "owned_by", "Ada"), ("Boat", "owned_by", "Robin")),
    (("Boat", "owned_by", "Ada"), ("Robin", "owns", "Boat")),
    (("Server room", "located_in", "Basel"), ("Server room", "located_in", "Bern")),
    (("Omar", "located_in", "Tunis"), ("Omar", "located_in", "Sfax")),
    (("Priya", ".desk", "B4"), ("Priya", ".desk", "C1")),
    (("Ada", "located_in", "Portugal"), ("Ada", "located_in", "Paris")),
]
_F_TOOLS: list[tuple[Fact, Fact]] = [
    (("Ada", ".editor", "Vim"), ("Ada", ".editor", "Helix")),
    (("Ada", ".default browser", "Firefox"), ("Ada", ".default browser", "Brave")),
    (("Blog", ".host", "Heroku"), ("Blog", ".host", "Fly")),
    (("Frontend", ".framework", "Angular"), ("Frontend", ".framework", "Svelte")),
    (("Ada", ".shell", "zsh"), ("ada", ".shell", "fish")),
    (("Project", ".package manager", "npm"), ("Project", ".package manager", "pnpm")),
    (("Wiki", ".theme", "Solarized"), ("Wiki", ".theme", "Nord")),
    (("Build server", ".operating system", "Debian"),
     ("Build server", ".operating system", "Alpine")),
    (("Lamp", "has_state", "broken"), ("Lamp", "has_state", "mended")),
    (("Door", "has_state", "open"), ("Door", "has_state", "closed")),
    (("Ticket 7", "has_state", "blocked"), ("Ticket 7", "has_state", "done")),
    (("Cache", ".eviction", "lru"), ("Cache", ".eviction", "lfu")),
    (("Shop", ".checkout", {"kind": "paypal"}), ("Shop", ".checkout", {"kind": "card"})),
    (("Ada", ".languages", ["French"]), ("Ada", ".languages", ["French", "Greek"])),
    (("Feature", ".is enabled", True), ("Feature", ".is enabled", False)),
    (("Repo", ".licence", "MIT"), ("Repo", ".licence", "Apache-2.0")),
]  # fmt: skip
_F_VERSIONS: list[tuple[Fact, Fact]] = [
    (("Nightjar", ".version", "1.4.2"), ("Nightjar", ".version", "1.5.0")),
    (("Nightjar", ".version", 2), ("Nightjar", ".version", 3)),
    (("API", ".port", 8080), ("API", ".port", 9090)),
    (("API", ".port", 8080), ("API", ".port", "9090")),
    (("API", ".timeout", 30.0), ("API", ".timeout", 45.0)),
    (("Launch", ".budget", "$4,000"), ("Launch", ".budget", "$5,500")),
    (("Report", ".deadline", "2026-05-03"), ("Report", ".deadline", "2026-05-17")),
    (("Licence", ".price", 20), ("Licence", ".price", 25)),
    (("Flat", ".rent", 900), ("Flat", ".rent", 950)),
    (("Gateway", ".ip address", "10.0.0.4"), ("Gateway", ".ip address", "10.0.0.9")),
    (("Logs", ".retention", "30 days"), ("Logs", ".retention", "90 days")),
    (("Python", ".latest", "3.12"), ("Python", ".latest", "3.13")),
    (("Cluster", ".nodes", 3), ("Cluster", ".nodes", 5)),
    (("Model", ".checkpoint", "v1"), ("Model", ".checkpoint", "v2")),
    (("Standup", ".time", "9:30"), ("Standup", ".time", "10:00")),
    (("Ada", ".age", 36), ("Ada", ".age", 37)),
    (("Library", ".version", "1.10"), ("Library", ".version", "1.1")),
]
_F_SEVERAL: list[tuple[Fact, Fact]] = [
    (("Ada", "uses", "Vim"), ("Ada", "uses", "Slack")),
    (("Ada", "knows", "Robin"), ("Ada", "knows", "Kim")),
    (("Vim", "created_by", "Bram"), ("Vim", "created_by", "Sven")),
    (("Ada", "related_to", "maths"), ("Ada", "related_to", "poetry")),
    (("Whale", "is_a", "mammal"), ("Whale", "is_a", "animal")),
    (("Wheel", "part_of", "car"), ("Wheel", "part_of", "cart")),
    (("Box", "contains", "pens"), ("Box", "contains", "paper")),
    (("Rain", "causes", "floods"), ("Rain", "causes", "mud")),
    (("Key", "enables", "door"), ("Key", "enables", "safe")),
    (("Lock", "prevents", "theft"), ("Lock", "prevents", "entry")),
    (("Lyon", "near_to", "Geneva"), ("Lyon", "near_to", "Grenoble")),
    (("Cat", "similar_to", "lynx"), ("Cat", "similar_to", "tiger")),
    (("Lunch", "before", "tea"), ("Lunch", "before", "dinner")),
    (("Hammer", "used_by", "Ada"), ("Hammer", "used_by", "Jo")),
    (("Ada", ".birthday", "5 May"), ("Ada", ".editor", "Vim")),
    (("Acme", "employs", "Ada"), ("Acme", "employs", "Robin")),
    (("Ada", "owns", "boat"), ("Ada", "owns", "bicycle")),
]
_F_OTHERS: list[tuple[Fact, Fact]] = [
    (("Alex", "works_for", "Acme"), ("Alex (the plumber)", "works_for", "Pipes Ltd")),
    (("Alex (sales)", "located_in", "Lyon"), ("Alex (support)", "located_in", "Nice")),
    (("Ada Byron", "located_in", "London"), ("Ada Wong", "located_in", "Hong Kong")),
    (("API", ".port", 8080), ("Proxy", ".port", 9090)),
    (("Nightjar", ".version", "1.2.0"), ("Nightjar CLI", ".version", "3.0.0")),
    (("Springfield (Ohio)", "located_in", "Ohio"), ("Springfield", "located_in", "Illinois")),
    (("Robin", ".editor", "Vim"), ("Kim", ".editor", "Emacs")),
    (("Room 4", ".capacity", 10), ("Room 5", ".capacity", 20)),
    (("Mercury (planet)", ".colour", "grey"), ("Mercury (metal)", ".colour", "silver")),
    (("C", ".author", "Dennis"), ("C++", ".author", "Bjarne")),
    (("Java", "located_in", "Indonesia"), ("Java (language)", "located_in", "Oracle")),
    (("10.0.0.1", ".role", "gateway"), ("10.0.0.11", ".role", "printer")),
    (("Jo", "works_for", "Acme"), ("Joe", "works_for", "Initech")),
    (("web-1", "has_state", "up"), ("web-2", "has_state", "down")),
    (("Kim's boat", "owned_by", "Kim"), ("Boat", "owned_by", "Robin")),
    (("Ada", "located_in", "France"), ("Ada", "located_in", "Paris")),
    (("Ada", "works_for", "Acme"), ("Ada", "works_for", "Search team")),
]
_F_WORDS: list[tuple[Fact, Fact]] = [
    (("Ada", "works_for", "Acme"), ("Acme", "employs", "Ada")),
    (("Ada", "knows", "Robin"), ("Robin", "knows", "Ada")),
    (("Wheel", "part_of", "Car"), ("Car", "has_part", "Wheel")),
    (("Lunch", "before", "Dinner"), ("Dinner", "after", "Lunch")),
    (("Vim", "used_by", "Ada"), ("Ada", "uses", "Vim")),
    (("Ada Byron", "located_in", "London"), ("ada byron", "located_in", "LONDON")),
    (("The Nightjar", "owned_by", "Ada"), ("Ada", "owns", "Nightjar")),
    (("Dr. Ada Byron", "works_for", "Acme"), ("Ada Byron", "works_for", "the Acme")),
    (("API", ".port", 8080), ("API", ".port", "8080")),
    (("API", ".Open Ports", [80, 443]), ("api", ".open  ports", [80, 443])),
    (("Rain", "causes", "Floods"), ("Floods", "caused_by", "Rain")),
    (("Lyon", "near_to", "Geneva"), ("Geneva", "near_to", "Lyon")),
    (("Vim", "created_by", "Bram"), ("Bram", "created", "Vim")),
    (("Ada", ".city", "Porto"), ("Ada", ".city", "porto")),
    (("Whale", "is_a", "Mammal"), ("Mammal", "has_kind", "Whale")),
    (("Ada", ".languages", ["Greek", "French"]), ("Ada", ".languages", ["Greek", "French"])),
]

FACTS: list[tuple[Fact, Fact, str]] = [
    *((old, new, REPLACES) for old, new in (*_F_MOVED, *_F_TOOLS, *_F_VERSIONS)),
    *((old, new, BOTH) for old, new in (*_F_SEVERAL, *_F_OTHERS)),
    *((old, new, SAME) for old, new in _F_WORDS),
]
