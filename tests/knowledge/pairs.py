"""Two hundred made pairs: what a second statement does to the first.

REPLACES: the first held and holds no longer. BOTH: both hold. SAME: the second says what the first
says. Half are sentences for `remember`, half are facts for `learn`; a fact is a subject, a relation
(or `.property`) and an object.
"""

REPLACES, BOTH, SAME = "replaces", "both", "same"

# Moved house
_MOVED = [
    ("Ada lives in Lyon.", "Ada lives in Porto."),
    ("Ada lives in Lyon.", "Ada moved to Porto."),
    ("I live in Bergen.", "I live in Oslo now."),
    ("I live in Bergen.", "I moved from Bergen to Oslo."),
    ("My address is 4 Mill Lane.", "My address is 12 Harbour Street."),
    ("Robin resides in Ghent.", "Robin relocated to Bruges in May."),
    ("Our office is located in Kyoto.", "Our office moved to Osaka."),
    ("Kim is based in Turin.", "Kim is based in Genoa."),
    ("The data centre is located in Dublin.", "The data centre has moved to Cork."),
    ("Jo lives in a flat in Malmö.", "Jo lives in Lund."),
    ("My sister's address is 9 Elm Road.", "My sister's address is 30 Birch Close."),
    ("Acme's headquarters is Bonn.", "Acme's headquarters is Cologne."),
    ("The team sits in room 204.", "The team sits in room 310."),
    ("Priya's office is in Leeds.", "Priya's office is in York."),
    ("I am living in Split.", "I am living in Zadar."),
    ("Omar lives in Tunis.", "Omar lives in Sfax since March."),
    ("Our server room is located in Basel.", "Our server room is located in Bern."),
]
# Changed tool
_TOOLS = [
    ("My editor is Vim.", "My editor is Helix."),
    ("The default browser is Firefox.", "The default browser is Brave."),
    ("My favourite shell is zsh.", "My favourite shell is fish."),
    ("The project's package manager is npm.", "The project's package manager is pnpm."),
    ("Our primary database is MySQL.", "Our primary database is Postgres."),
    ("The build server runs on Debian.", "The build server runs on Alpine."),
    ("The blog is hosted on Heroku.", "The blog is hosted on Fly."),
    ("My operating system is Ubuntu.", "My operating system is Fedora."),
    ("The wiki's theme is Solarized.", "The wiki's theme is Nord."),
    ("The frontend's framework is Angular.", "The frontend's framework is Svelte."),
    ("My password manager is KeePass.", "My password manager is Bitwarden."),
    ("I use vim.", "I switched from vim to Helix."),
    ("We use Jenkins.", "We replaced Jenkins with Buildkite."),
    ("The preferred terminal is Kitty.", "The preferred terminal is Ghostty."),
    ("The main branch of the wiki is master.", "The main branch of the wiki is trunk."),
    ("My terminal font is Hack.", "My terminal font is Iosevka."),
    ("The search service is hosted on Azure.", "The search service is hosted on Hetzner."),
]
# Version bumps and other figures
_VERSIONS = [
    ("The version of Nightjar is 1.4.2.", "The version of Nightjar is 1.5.0."),
    ("Nightjar's version is 2.0.0.", "Nightjar's version was bumped to 2.1.0."),
    ("The API listens on port 8080.", "The API listens on port 9090."),
    ("The timeout is 30 seconds.", "The timeout is 45 seconds."),
    (
        "The billing API's timeout is 5 seconds.",
        "The billing API's timeout was raised to 8 seconds.",
    ),
    ("The budget of the launch is $4,000.", "The budget of the launch is $5,500."),
    ("The deadline for the report is 3 May.", "The deadline for the report is 17 May."),
    ("The standup is at 9:30.", "The standup is moved to 10:00."),
    ("The price of the licence is €20.", "The price of the licence is €25."),
    ("My rent is €900.", "My rent is €950."),
    ("The gateway's ip address is 10.0.0.4.", "The gateway's ip address is 10.0.0.9."),
    ("The retention of the logs is 30 days.", "The retention of the logs is 90 days."),
    ("The release date of Nightjar is 1 June.", "The release date of Nightjar is 8 June."),
    ("The staging branch is release-7.", "The staging branch is release-8."),
    ("The quota of the cluster is 200 GB.", "The quota of the cluster was increased to 300 GB."),
    ("The review takes place on Monday.", "The review was postponed until Thursday."),
]
# Likes and other things of which there are several
_SEVERAL = [
    ("I like tea.", "I like coffee."),
    ("Ada likes hiking.", "Ada likes chess."),
    ("Ada speaks French.", "Ada speaks Greek."),
    ("I use Vim.", "I use Slack."),
    ("Robin plays the cello.", "Robin plays the flute."),
    ("We use Postgres.", "We use Redis."),
    ("Kim knows Ada.", "Kim knows Jo."),
    ("I have visited Peru.", "I have visited Chile."),
    ("Jo is allergic to nuts.", "Jo is allergic to pollen."),
    ("My brother lives in Riga.", "My other brother lives in Vilnius."),
    ("Ada owns a boat.", "Ada owns a bicycle."),
    ("The team needs a designer.", "The team needs a tester."),
    ("The database is Postgres.", "The database is encrypted."),
    ("I live in Berlin.", "I live in Hamburg on weekends."),
    ("Priya enjoys jazz.", "Priya enjoys opera."),
    ("The service supports TLS.", "The service supports HTTP/3."),
    ("My favourite fruit is mango.", "My favourite drink is cider."),
]
# Different people and things of one name, or nearly so
_OTHERS = [
    ("Alex Smith works at Acme.", "Alex Jones works at Initech."),
    ("Ada's manager is Robin.", "Jo's manager is Kim."),
    ("The port of the API is 8080.", "The port of the proxy is 9090."),
    ("My brother's birthday is 3 May.", "My sister's birthday is 9 June."),
    ("Alex from sales lives in Lyon.", "Alex from support lives in Nice."),
    ("The old server's ip address is 10.0.0.1.", "The spare server's ip address is 10.0.0.2."),
    ("The budget of Nightjar is $100.", "The budget of Kestrel is $900."),
    ("The port is 8080 in staging.", "The port is 9090 in production."),
    ("Ada Byron lives in London.", "Ada Wong lives in Hong Kong."),
    ("The version of Nightjar is 1.2.0.", "The version of Nightjar CLI is 3.0.0."),
    ("Robin's editor is Vim.", "Kim's editor is Emacs."),
    ("My dentist is Dr. Hale.", "My doctor is Dr. Moss."),
    ("The deadline for the draft is 3 May.", "The deadline for the review is 9 May."),
    ("Paris, France is located in Europe.", "Paris, Texas is located in America."),
    ("Room 4's capacity is 10.", "Room 5's capacity is 20."),
    ("The web team's lead is Jo.", "The data team's lead is Omar."),
]
# The same in other words
_WORDS = [
    ("Ada works at Acme.", "Ada works for Acme."),
    ("Ada's manager is Robin.", "Ada reports to Robin."),
    ("The port of the API is 8080.", "The API's port is 8080."),
    ("The API listens on port 8080.", "The API's port is 8080."),
    ("I live in Porto.", "I live in Porto, Portugal."),
    ("The deadline for the report is 3 May.", "The report is due on May 3rd."),
    ("My birthday is 5 May.", "I was born on May 5th."),
    ("Robin is married to Kim.", "Robin's wife is Kim."),
    ("The budget of the launch is $4,000.", "The launch budget is $4,000."),
    ("Nightjar is owned by Ada.", "Nightjar's owner is Ada."),
    ("My favorite colour is green.", "My favourite colour is green."),
    ("The timeout is 30 seconds.", "The timeout is thirty seconds."),
    ("The blog is hosted on Fly.", "The blog's host is Fly."),
    ("Ada lives in Lyon.", "Ada is living in Lyon."),
    ("My phone number is 555 0100.", "My telephone number is 555 0100."),
    ("Jo works as a welder.", "Jo's job is welder."),
    ("The lamp costs $40.", "The price of the lamp is $40."),
]

TEXTS: list[tuple[str, str, str]] = [
    *((old, new, REPLACES) for old, new in (*_MOVED, *_TOOLS, *_VERSIONS)),
    *((old, new, BOTH) for old, new in (*_SEVERAL, *_OTHERS)),
    *((old, new, SAME) for old, new in _WORDS),
]

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
