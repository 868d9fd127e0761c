"""What sentences claim, what they do not, and which of them speak of the same."""

import time

import pytest

from engram.memory.claims import claim_of
from engram.memory.claims.claim import covers, plain_name
from engram.memory.claims.table import ATTRIBUTES

# Said by Ann: subject and predicate as they are compared, the value, and what is special:
# "-" denies, "many" may have several values at a time.
CLAIMED = [
    ("I live in Porto", "ann", "lives in", "Porto", ""),
    ("Ann lives in Porto.", "ann", "lives in", "Porto", ""),
    ("Ann is living in Porto", "ann", "lives in", "Porto", ""),
    ("Ann moved to Porto", "ann", "lives in", "Porto", ""),
    ("I've moved to Porto", "ann", "lives in", "Porto", ""),
    ("Ann moved from Lyon to Porto in May 2024.", "ann", "lives in", "Porto", ""),
    ("Actually, I now live in Porto", "ann", "lives in", "Porto", ""),
    ("I am based in Porto", "ann", "lives in", "Porto", ""),
    ("My brother lives in Cork", "ann's brother", "lives in", "Cork", ""),
    ("Ann no longer lives in Porto", "ann", "lives in", "Porto", "-"),
    ("Ann doesn't live in Porto anymore.", "ann", "lives in", "Porto", "-"),
    ("I moved out of Porto", "ann", "lives in", "Porto", "-"),
    ("Ann lives in Porto because of her job", "ann", "lives in", "Porto", ""),
    ("Ann works at Acme", "ann", "works at", "Acme", ""),
    ("Ann works for Globex now", "ann", "works at", "Globex", ""),
    ("I'm working at Acme", "ann", "works at", "Acme", ""),
    ("My employer is Acme", "ann", "works at", "Acme", ""),
    ("Ann stopped working at Acme", "ann", "works at", "Acme", "-"),
    ("Ann also works at Globex", "ann", "works at", "Globex", "many"),
    ("I work as a nurse", "ann", "job", "nurse", ""),
    ("My job title is Staff Engineer", "ann", "job", "Staff Engineer", ""),
    ("Ann's job is welding", "ann", "job", "welding", ""),
    ("My name is Ann", "ann", "name", "Ann", ""),
    ("My dog is called Rex", "ann's dog", "name", "Rex", ""),
    ("The service was renamed to Beacon", "service", "name", "Beacon", ""),
    ("Ann's email is ann@example.org", "ann", "email", "ann@example.org", ""),
    ("My e-mail address is a@example.org", "ann", "email", "a@example.org", ""),
    ("My phone number is +351 912 000 000", "ann", "phone", "+351 912 000 000", ""),
    ("My birthday is 3 May", "ann", "birthday", "3 May", ""),
    ("I was born on 3 May 1990", "ann", "birthday", "3 May 1990", ""),
    ("I was born in Oslo", "ann", "birthplace", "Oslo", ""),
    ("We moved to Postgres", "ann's group", "moved to", "Postgres", "many"),
    ("Ann goes by Annie", "ann", "name", "Annie", ""),
    ("The address of the clinic is 4 Mill Lane", "clinic", "address", "4 Mill Lane", ""),
    ("My favourite colour is blue", "ann", "favourite color", "blue", ""),
    ("My favorite color is now green", "ann", "favourite color", "green", ""),
    ("Ann's favourite colours are red and blue", "ann", "favourite color", "red and blue", ""),
    ("Ann is married to Bob", "ann", "married to", "Bob", ""),
    ("Ann's husband is Bob", "ann", "married to", "Bob", ""),
    ("My manager is Eve", "ann", "manager", "Eve", ""),
    ("I report to Eve", "ann", "manager", "Eve", ""),
    ("The gateway is 192.168.9.1", "gateway", "is ip address", "192.168.9.1", ""),
    ("The mirror is https://mirror.example/x", "mirror", "is url", "https://mirror.example/x", ""),
    ("The log is /var/log/beacon.log", "log", "is path", "/var/log/beacon.log", ""),
    ("The toolchain is v2.3.1", "toolchain", "is version", "v2.3.1", ""),
    ("My dog is 5 years old", "ann's dog", "is number year old", "5 years old", ""),
    ("The API port is 8080", "api", "port", "8080", ""),
    ("The port of the API is 8080", "api", "port", "8080", ""),
    ("The API's port is now 9090", "api", "port", "9090", ""),
    ("The API runs on port 8080", "api", "port", "8080", ""),
    ("The port of the API is 9090 in staging", "api in staging", "port", "9090", ""),
    ("API port: 8080", "api", "port", "8080", ""),
    ("The API runs on Kubernetes", "api", "runs on", "Kubernetes", ""),
    ("The wiki is hosted on Saturn", "wiki", "host", "Saturn", ""),
    ("The wiki's host is Saturn", "wiki", "host", "Saturn", ""),
    ("Billing is owned by the payments team", "billing", "owner", "the payments team", ""),
    ("The owner of billing is Bob", "billing", "owner", "Bob", ""),
    ("The service's version is 3.12", "service", "version", "3.12", ""),
    ("Our default branch is main", "default branch", "default branch", "main", ""),
    ("The timeout of the worker is not 30 seconds", "worker", "timeout", "30 seconds", "-"),
    ("The deadline for the report is 3 May", "report", "deadline", "3 May", ""),
    ("The report is due on 5 May.", "report", "deadline", "5 May", ""),
    ("The report's deadline was moved to 5 May", "report", "deadline", "5 May", ""),
    ("The meeting was moved to Friday at 10", "meeting", "time", "Friday at 10", ""),
    ("The weekly sync moved from Monday to Tuesday", "weekly sync", "time", "Tuesday", ""),
    ("The demo is scheduled for 14:00", "demo", "time", "14:00", ""),
    ("Ada's office is in Lyon.", "ada", "office", "Lyon", ""),
    ("Ada's office moved to Porto.", "ada", "office", "Porto", ""),
    ("The archive is located in Oslo", "archive", "location", "Oslo", ""),
    ("The archive moved to Bergen", "archive", "location", "Bergen", ""),
    ("The spare key is in the drawer", "spare key", "location", "the drawer", ""),
    ("The budget is 5000 euros", "budget", "budget", "5000 euros", ""),
    ("The budget for the launch is $5,000", "launch", "budget", "$5,000", ""),
    ("The launch budget was raised from $5,000 to $6,000", "launch", "budget", "$6,000", ""),
    ("The price of the ticket is 30 euros", "ticket", "price", "30 euros", ""),
    ("The ticket costs 30 euros", "ticket", "price", "30 euros", ""),
    ("Ticket 42 is done", "ticket 42", "status", "done", ""),
    ("Ann prefers tea over coffee", "ann", "prefers coffee or tea", "tea", ""),
    ("Ann prefers coffee to tea", "ann", "prefers coffee or tea", "coffee", ""),
    ("I prefer dark mode for editors", "ann", "prefers for editors", "dark mode", ""),
    ("My editor is vim", "ann", "editor", "vim", ""),
    ("My favourite hobby is rowing", "ann", "favourite hobbi", "rowing", ""),
    ("The status of ticket 7 is open", "ticket 7", "status", "open", ""),
    ("My phone is broken", "ann's phone", "condition", "broken", ""),
    ("The API port is closed", "api port", "status", "closed", ""),
    ("The wiki is down", "wiki", "running status", "down", ""),
    ("Kubernetes runs on Linux", "kubernetes", "runs on", "Linux", ""),
    ("Standup is scheduled for 10:00", "standup", "time", "10:00", ""),
    ("The boat belongs to Bob", "boat", "owner", "Bob", ""),
    ("I use Vim for notes", "ann", "uses for notes", "Vim", ""),
    ("I switched from Vim to Helix for notes", "ann", "uses for notes", "Helix", ""),
    ("We switched from npm to pnpm", "ann's group", "uses", "pnpm", "many"),
    ("We use pnpm instead of npm", "ann's group", "uses", "pnpm", "many"),
    ("I don't use npm anymore", "ann", "uses", "npm", "- many"),
    ("Ann likes tea", "ann", "likes", "tea", "many"),
    ("Ann hates tea", "ann", "likes", "tea", "- many"),
    ("I can't stand tea", "ann", "likes", "tea", "- many"),
    ("I have visited Rome", "ann", "has visited", "Rome", "many"),
    ("Ann knows Bob", "ann", "knows", "Bob", "many"),
    ("Ann owns a boat", "ann", "has", "a boat", "many"),
    ("I have no car", "ann", "has", "car", "- many"),
    ("I stopped smoking cigars", "ann", "smokes", "cigars", "- many"),
    ("Ann isn't a nurse", "ann", "is a", "nurse", "- many"),
]

CLAIM_NOTHING = [
    "Maybe Ann lives in Porto",
    "If Ann lives in Porto, call her",
    "Does Ann live in Porto?",
    "Ann lived in Porto",
    "Ann used to live in Porto",
    "Ann wants to live in Porto",
    "I might move to Porto",
    "Bob says Ann lives in Porto",
    "I think the port is 8080",
    "She lives in Porto",
    "It is 10.0.0.1",
    "You live in Porto",
    "Ann lives in Porto and works at Acme",
    "Ann lives in Porto. Bob lives in Lyon.",
    "Ann is in a meeting",
    "Ann is in Porto",
    "The team is in trouble",
    "A man lives in Porto",
    "Two servers run on Linux",
    "port = 8080",
    "username = request.form['username']",
    "- name: Check out the code",
    "Ann doesn't live in Porto, not in Lyon and not in Cork",
    "Where the office is located is unknown",
    "Ann's manager is on holiday",
    "My wife is pregnant",
    "My boss is the best",
    "My job is boring",
    "My job is to test pumps",
    "The budget is too small",
    "The deadline is tight",
    "My favourite show is on tonight",
    "I pushed to main",
    "I moved to the next task",
    "The talk moved to politics",
    "Ann goes by train",
    "Ann became a mother",
    "Ann runs on Mondays",
    "The shuttle runs on Fridays",
    "Ann belongs to the choir",
    "The mistake costs time",
    "The train is due to rain",
    "Ann will be at home",
    "Ann stands at the door",
    "Ann was delayed until Friday",
    "The lamp is set on the table",
    "Good morning to everyone!",
    "Thanks",
    "",
    "?!",
    "x" * 9_000,
]


@pytest.mark.parametrize(("text", "subject", "predicate", "value", "special"), CLAIMED)
def test_a_clear_sentence_claims_one_thing(text, subject, predicate, value, special):
    claim = claim_of(text, speaker="Ann")

    assert claim is not None
    assert (*claim.key, claim.object) == (subject, predicate, value)
    assert claim.is_negated == ("-" in special)
    assert claim.is_functional == ("many" not in special)


@pytest.mark.parametrize("text", CLAIM_NOTHING)
def test_what_is_not_clearly_one_statement_claims_nothing(text):
    assert claim_of(text, speaker="Ann") is None


def test_without_a_speaker_the_first_person_is_the_user():
    mine = claim_of("I live in Porto")
    told = claim_of("The user lives in Porto")

    assert mine is not None
    assert told is not None
    assert mine.subject == "the user"
    assert mine.key == told.key


def test_two_speakers_do_not_claim_the_same():
    by_ann = claim_of("My favourite tea is sencha", speaker="Ann")
    by_bob = claim_of("My favourite tea is sencha", speaker="Bob")

    assert by_ann is not None
    assert by_bob is not None
    assert by_ann.key != by_bob.key


def test_one_name_with_two_addresses_is_one_key_with_two_values():
    earlier, later = claim_of("X is 192.168.7.1"), claim_of("X is 192.168.9.1")

    assert earlier is not None
    assert later is not None
    assert earlier.key == later.key
    assert earlier.is_functional
    assert (earlier.object, later.object) == ("192.168.7.1", "192.168.9.1")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The dog is 5 years old", "The dog is 30 kg"),
        ("The port of the API is 80 in staging", "The port of the API is 443 in production"),
        ("The gateway is 10.0.0.1", "The gateway is https://gateway.example"),
        ("The budget for 2024 is 5000", "The budget for 2025 is 6000"),
        ("My favourite tea is sencha", "My favourite coffee is espresso"),
        ("Ann prefers tea over coffee", "Ann prefers red over blue"),
        ("I use Vim for notes", "I use Helix for code"),
        ("Ann's brother lives in Cork", "Ann lives in Cork"),
        ("The service is running", "The service is stable"),
        ("The API port is 8080", "The API port is closed"),
        ("I was born on 3 May", "I was born in Oslo"),
    ],
)
def test_values_of_different_properties_are_not_one_key(one, other):
    first, second = claim_of(one, speaker="Ann"), claim_of(other, speaker="Ann")

    assert first is not None
    assert second is not None
    assert first.key != second.key


@pytest.mark.parametrize(
    ("text", "given_up"),
    [
        ("We switched from npm to pnpm", "npm"),
        ("We use pnpm instead of npm", "npm"),
        ("Ann moved from Lyon to Porto", "Lyon"),
        ("The budget of the launch was cut from $5,000 to $4,000", "$5,000"),
        ("We use pnpm", ""),
    ],
)
def test_a_change_names_what_was_given_up(text, given_up):
    claim = claim_of(text, speaker="Ann")

    assert claim is not None
    assert claim.instead_of == given_up


def test_a_claim_knows_whether_the_sentence_says_more():
    whole = claim_of("Ann lives in Porto now")
    dated = claim_of("Ann moved to Porto in May 2024")

    assert whole is not None
    assert dated is not None
    assert whole.is_whole
    assert not dated.is_whole


@pytest.mark.parametrize(
    ("wider", "narrower", "is_covered"),
    [
        ("Porto, Portugal", "Porto", True),
        ("Porto", "Porto, Portugal", False),
        ("3 May 1990", "3 May", True),
        ("3 May", "3 May 1990", False),
        ("May 5th", "5 May", True),
        ("5 May", "6 May", False),
        ("five", "5", True),
        ("1,000 euros", "1000 euros", True),
        ("8080", "8081", False),
        ("the Payments Team", "payments team", True),
        ("Newport", "Port", False),
    ],
)
def test_a_value_covers_what_it_says_in_more_detail(wider, narrower, is_covered):
    assert covers(wider, narrower) == is_covered


def test_a_name_is_compared_without_its_article():
    assert plain_name("The  Billing API") == plain_name("billing api") == "billing api"


def test_every_property_of_the_list_has_one_value_at_a_time():
    claims = {name: claim_of(f"The gizmo's {name} is Zed 7") for name in ATTRIBUTES}

    wrong = {
        name
        for name, claim in claims.items()
        if claim is None or claim.key != ("gizmo", ATTRIBUTES[name]) or not claim.is_functional
    }
    assert wrong == set()


@pytest.mark.parametrize(
    "piece", ["a", "1 ", "'s ", "moved from ", "is ", "the port of ", "not ", "no longer ", ": "]
)
def test_long_input_is_read_at_once(piece):
    text = piece * (262_144 // len(piece))

    started = time.thread_time()
    for length in (390, 8_192, len(text)):
        claim_of(text[:length])
    assert time.thread_time() - started < 0.25
