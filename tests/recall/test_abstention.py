"""Knowing what is not known: a store of everyday facts, with the model that ships."""

import pytest

from recall.stores import QUIET, store_of

FACTS = [
    "My sister Hannah lives in Rotterdam with her two cats.",
    "I am allergic to walnuts.",
    "Our landlord is called Mr Okafor.",
    "The wifi password at the cabin is taped under the router.",
    "I take the number 14 tram to work.",
    "My dentist is Dr Lindqvist on Elm Street.",
    "We adopted a greyhound named Biscuit in April.",
    "I play the cello in an amateur orchestra on Thursdays.",
    "My passport expires in November 2029.",
    "The car is a blue Skoda from 2017.",
    "I drink my coffee black, without sugar.",
    "My father worked as a glassblower for forty years.",
    "Our wedding anniversary is on the 9th of June.",
    "The spare key hangs behind the garden shed.",
    "I am reading a novel about lighthouse keepers.",
    "My blood type is O negative.",
    "We are saving for a trip to Patagonia.",
    "The washing machine was repaired in January.",
    "I prefer window seats on trains.",
    "My team at work maintains the payroll system.",
    "Our daughter Mina started school this autumn.",
    "I broke my left wrist while skating as a child.",
    "The plumber charged us 180 euros.",
    "I learned to bake sourdough from my neighbour Teresa.",
    "My favourite colour is dark green.",
    "The gym is closed on Sunday evenings.",
    "We planted two apple trees behind the house.",
    "I wear size 42 shoes.",
    "Our electricity contract ends in March.",
    "My old school friend Rafael became a marine biologist.",
    "I keep the tax papers in the grey filing cabinet.",
    "My manager is Ingrid, she sits in the Oslo office.",
    "The bathroom tiles come from a shop in Valencia.",
    "I run ten kilometres every Saturday morning.",
    "Grandma's birthday cake always has poppy seeds.",
    "I sold my motorcycle to a colleague last year.",
    "The insurance covers theft but not water damage.",
    "My phone number ends in 5582.",
    "We watch the news in Portuguese to practise.",
    "The neighbours on the second floor have a baby.",
    "I studied geology at the University of Leeds.",
    "Mina is afraid of thunderstorms.",
    "The balcony needs a new coat of paint.",
    "I volunteer at the food bank twice a month.",
    "My grandmother was born in Trieste.",
    "Biscuit gets his vaccination every spring.",
    "The best pizza in town is at Da Gino.",
    "I always forget the code of the bicycle lock: 7319.",
    "Our family doctor is moving to another clinic.",
    "I stopped eating meat three years ago.",
    "The piano was a gift from my aunt Margit.",
    "My brother in law repairs antique clocks.",
    "We rent out the attic to a student.",
    "The recycling is collected on Wednesdays.",
    "I get migraines from red wine.",
    "My first job was in a bookshop.",
    "The kids' swimming lessons cost 60 euros a month.",
    "I use a standing desk because of my back.",
    "We met at a chess tournament in Ghent.",
    "The heating is controlled by an app on my phone.",
]

# A question, and a word of the memory that answers it.
KNOWN = [
    ("Where does my sister live?", "Rotterdam"),
    ("What am I allergic to?", "walnuts"),
    ("What is our landlord's name?", "Okafor"),
    ("Where can I find the wifi password at the cabin?", "router"),
    ("Which tram do I take to work?", "14"),
    ("Who is my dentist?", "Lindqvist"),
    ("What is our greyhound called?", "Biscuit"),
    ("Which instrument do I play in the orchestra?", "cello"),
    ("When does my passport expire?", "2029"),
    ("What car do we have?", "Skoda"),
    ("How do I drink my coffee?", "black"),
    ("What did my father do for a living?", "glassblower"),
    ("When is our wedding anniversary?", "June"),
    ("Where is the spare key?", "shed"),
    ("What is my blood type?", "negative"),
    ("Which trip are we saving for?", "Patagonia"),
    ("When was the washing machine repaired?", "January"),
    ("Which seats do I prefer on trains?", "window"),
    ("How much did the plumber charge?", "180"),
    ("Who taught me to bake sourdough?", "Teresa"),
    ("What is my favourite colour?", "green"),
    ("When is the gym closed?", "Sunday"),
    ("What is my shoe size?", "42"),
    ("When does our electricity contract end?", "March"),
    ("What did my friend Rafael become?", "biologist"),
    ("Where are the tax papers?", "cabinet"),
    ("Who is my manager?", "Ingrid"),
    ("Where do the bathroom tiles come from?", "Valencia"),
    ("What is the code of the bicycle lock?", "7319"),
    ("What is Mina afraid of?", "thunderstorms"),
    ("Where was my grandmother born?", "Trieste"),
    ("When is the recycling collected?", "Wednesdays"),
    ("What did I study at university?", "geology"),
    ("Where did we meet?", "chess"),
]

# Nothing in the store answers these: some are nonsense, some ask about other things.
UNKNOWN = [
    "asdf qwer zxcv",
    "blorp fizzle wum",
    "colourless green ideas sleep furiously",
    "xkcd 9000 hjkl",
    "What is the boiling point of tungsten?",
    "Who won the cricket match at Lord's?",
    "How do I configure nginx as a reverse proxy?",
    "What is the capital of Mongolia?",
    "Which kernel version runs on the build server?",
    "What did the pharaoh say to the architect?",
    "How many moons does Jupiter have?",
    "Why does the compiler reject this template?",
    "What is the exchange rate of the yen?",
    "Which opera did Verdi write first?",
    "How is penicillin produced?",
    "What was the score of the basketball final?",
    "Where is the nearest volcano?",
    "What does the legal department think of the merger?",
    "Who painted the ceiling of the chapel?",
    "How deep is the Mariana trench?",
    "Which stocks should the pension fund sell?",
    "What is the licence of the parser library?",
    "When does the submarine dock?",
    "What is the theorem of Pythagoras?",
    "How tall is the Eiffel tower?",
    "Which regiment fought at Waterloo?",
    "What is the chemical formula of ammonia?",
    "Who directed the silent film about the train robbery?",
    "How do bees navigate?",
    "What was decided at the shareholder meeting?",
    "Which protein folds wrongly in the disease?",
    "When did the empire fall?",
    "lorem ipsum dolor sit amet",
    "????? !!!!! .....",
    "the of and to a in",
]


@pytest.fixture(scope="module")
def answers():
    with store_of(FACTS, settings={**QUIET, "embedder": {"kind": "builtin"}}) as engram:
        assert engram.recall("warm up").level == "full"
        yield {
            question: engram.recall(question)
            for question in (*UNKNOWN, *(question for question, _ in KNOWN))
        }


def test_the_tables_are_large_enough():
    assert len(FACTS) == 60
    assert len(set(UNKNOWN)) >= 30
    assert len({question for question, _ in KNOWN}) >= 30


def test_what_the_store_holds_is_found_first(answers):
    first = [word in answers[question][0].memory.content for question, word in KNOWN]

    assert sum(first) >= 0.95 * len(first)


def test_what_the_store_holds_is_not_called_unknown(answers):
    named = [answers[question].assessment for question, _ in KNOWN]

    assert named.count("unknown") <= 0.05 * len(named)


def test_what_the_store_does_not_hold_gets_nothing_or_is_called_unknown(answers):
    abstained = [
        not len(answers[question]) or answers[question].assessment == "unknown"
        for question in UNKNOWN
    ]

    assert sum(abstained) >= 0.9 * len(abstained)


def test_what_the_store_does_not_hold_is_never_answered_with_confidence(answers):
    assert "confident" not in {answers[question].assessment for question in UNKNOWN}


@pytest.mark.parametrize("question", ["asdf qwer zxcv", "????? !!!!! .....", "blorp fizzle wum"])
def test_nonsense_gets_nothing(answers, question):
    assert len(answers[question]) == 0
    assert answers[question].confidence == 0.0


def test_confidence_tells_the_two_apart(answers):
    known = [answers[question].confidence for question, _ in KNOWN]
    unknown = [answers[question].confidence for question in UNKNOWN]

    ahead = sum(one > other for one in known for other in unknown)
    assert ahead >= 0.95 * len(known) * len(unknown)


def test_a_probability_stands_on_every_hit(answers):
    for result in answers.values():
        assert all(0.0 < hit.probability < 1.0 for hit in result)
    best = [answers[question][0].probability for question, _ in KNOWN]
    assert sum(best) / len(best) > 0.1
