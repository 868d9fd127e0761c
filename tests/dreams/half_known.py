"""A store that knows half of everything: about a hundred memories of projects, people and tools.

Some subjects are told whole, so that nothing is to be asked about them; some things nobody asks
about: small talk, money, health. What is wanting is what people forget to say.
"""

from engram import Engram

WHOLE = (
    # Everything one would ask is told.
    "Project Heron is a dashboard for customers.",
    "Project Heron is due on 12 June.",
    "Project Heron is led by Mira Olsen.",
    "Project Heron is built with Django, and its code lives on GitHub.",
    "Mira Olsen is a designer and my colleague.",
    "Mira Olsen likes to review drafts in the morning.",
    "I have a dog called Biscuit.",
    "Biscuit is a beagle.",
    "ledger-service runs on Kubernetes.",
    "ledger-service is owned by the payments team.",
    "ledger-service uses PostgreSQL.",
    "My sister Clara plays the cello.",
)

HALF = (
    # projects
    "Project Nightjar is a mobile app for bird watchers.",
    "Project Nightjar got a prototype last week.",
    "The Nightjar app crashes when the map is opened twice.",
    "Nightjar should work without a network.",
    "Project Kestrel replaces the old reporting platform.",
    "Project Kestrel needs a new logo before the launch page goes up.",
    "The Kestrel project has a backlog of forty tickets.",
    "Project Plover is written in Rust.",
    "Project Plover is led by Tomas Reyes.",
    "Plover reads sensor logs and writes one report a day.",
    # people
    "Tomas Reyes said the tests are too slow.",
    "Tomas Reyes prefers short meetings.",
    "Tomas Reyes lives in Ghent.",
    "Hana Sato told me about a book on gardening.",
    "Hana Sato plays chess on Sundays.",
    "Hana Sato speaks Japanese and Spanish.",
    "Jonas Weber is the lead engineer of the search group.",
    "Jonas Weber reviews all database changes.",
    "My brother moved to Lisbon.",
    "My manager wants a summary every Friday.",
    # teams and services
    "The platform team meets on Tuesdays.",
    "The platform team writes its notes in English.",
    "The billing team owns the invoices.",
    "mail-worker sends the weekly newsletter.",
    "mail-worker retries three times before it gives up.",
    "search-api answers in forty milliseconds.",
    # tools and stacks
    "I use Terraform.",
    "We use React for the customer pages.",
    "I started using Obsidian.",
    "My laptop is too loud.",
    "My printer is out of ink again.",
    "I use Neovim with a dark theme.",
    # life
    "I am planning a trip to Oslo.",
    "We booked the trip to Oslo together with the neighbours.",
    "I have a cat.",
    "I am taking a pottery class.",
    "I subscribed to Spotify.",
    "My driving test makes me nervous.",
    "I work at Brightwater.",
)

REST = (
    # told for its own sake: nothing is missing
    "I prefer tea to coffee.",
    "I prefer dark mode in every editor.",
    "The office kitchen is on the third floor.",
    "The release checklist has nine steps.",
    "Standup is at half past nine.",
    "I like to walk before breakfast.",
    "I read one novel a month.",
    "The staging database is reset every night.",
    "Log files are rotated after seven days.",
    "Code reviews need two approvals.",
    "The wiki is searchable by tag.",
    "I do not eat shellfish.",
    "Feature flags are removed after a month.",
    "Emails to customers are signed with the first name.",
    "I learnt to ride a bicycle late.",
    "The red folder holds the contracts.",
    "Meetings without an agenda are declined.",
    "The style guide asks for short sentences.",
    "I water the plants on Saturdays.",
    "The alarm code changes every quarter.",
    "Backups are tested on the first of each month.",
    "I keep receipts in a shoebox.",
    "The parking garage closes at eleven.",
    "Pull requests are squashed.",
    "I take the train when it snows.",
    "Old branches are deleted after merging.",
    "The newsletter goes out on Thursdays.",
    "I write with a fountain pen.",
    "The coffee machine is cleaned on Mondays.",
    "Tickets without an owner are closed after a month.",
    "I sleep badly before long flights.",
    "The guest network has no password.",
    "Invoices are numbered by year.",
    "The lift is slow in the morning.",
    "I prefer window seats.",
    "Weekly reports are one page long.",
    "The balcony faces south.",
    "Error messages are written in plain words.",
    "I collect postcards with lighthouses.",
    "The build runs on every push.",
    # nobody asks about these
    "I was diagnosed with asthma, and my doctor is Dr. Lund.",
    "I have a loan from my bank.",
    "My therapist moved her practice.",
    "Good morning, how nice the sun is today.",
    "Haha, that was a good one.",
)

ALL = (*WHOLE, *HALF, *REST)


def remember_all(engram: Engram) -> None:
    """Put all of it into a store."""
    engram.remember_many(ALL)
