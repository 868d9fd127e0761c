"""What is said around the facts that matter: greetings, work, tools at work, hopes and guesses.

Most of it is of no use a month later. Nothing here is anybody's text.
"""

import random
from collections.abc import Callable

from benchmarks.ninety_days import pieces
from benchmarks.ninety_days.spoken import HOME, Utterance
from benchmarks.ninety_days.words import COMPONENTS

Exchange = list[Utterance]


def small_talk(_: str, chance: random.Random) -> Exchange:
    """How the day is going."""
    pick = chance.choice
    forms = (
        f"Good morning! It is {pick(pieces.WEATHER)} and I {pick(pieces.LITTLE)}.",
        f"Hi there, I am {pick(pieces.MOODS)}. I {pick(pieces.LITTLE)}.",
        f"It's {pick(pieces.WEATHER)}, I'm {pick(pieces.MOODS)}, and I {pick(pieces.LITTLE)}.",
        f"Just a moment, I {pick(pieces.LITTLE)} and then I {pick(pieces.LITTLE)}.",
        f"How are you today? Here it is {pick(pieces.WEATHER)}.",
    )
    reply = f"{pick(pieces.REPLIES)}. {pick(pieces.TURNING)}"
    return [Utterance(pick(forms)), Utterance(reply, "assistant")]


def work(project: str, chance: random.Random) -> Exchange:
    """A wish, what was done about it, and thanks."""
    pick, part = chance.choice, chance.choice(COMPONENTS[project])
    forms = (
        f"The {part} {pick(pieces.TROUBLE)}. Can you {pick(pieces.WISHES)} around "
        f"{_function(chance)}?",
        f"Could you {pick(pieces.WISHES)} in the {part} before we touch {_function(chance)}?",
        f"Please {pick(pieces.WISHES)}, I mean near {_function(chance)} in the {part}.",
        f"Something with the {part} again: {_function(chance)} {pick(pieces.TROUBLE)}.",
        f"Let's {pick(pieces.WISHES)} for {_function(chance)} in the {part}, what do you think?",
    )
    answer = (
        f"{pick(pieces.DOINGS)} {_function(chance)}, and {pick(pieces.FINDINGS)}. "
        f"{chance.randrange(2, 90)} lines in the {part} are different."
    )
    if chance.random() < 0.4:
        answer = (
            f"{pick(pieces.DOINGS)} the {part}: {pick(pieces.FINDINGS)} in {_function(chance)}."
        )
    found = [Utterance(pick(forms)), Utterance(answer, "assistant")]
    if chance.random() < 0.6:
        found.append(Utterance(f"{pick(pieces.THANKS)}, {pick(pieces.NEXT)}."))
    return found


def tools(project: str, chance: random.Random) -> Exchange:
    """Something is run, prints what it prints, and is summed up."""
    part, command = chance.choice(COMPONENTS[project]), chance.choice(pieces.COMMANDS)
    failed, passed = chance.randrange(4), chance.randrange(20, 400)
    output = (
        f"$ {command}\n[{part.replace(' ', '_')}] collected {passed + failed} items\n"
        f"{passed} passed, {failed} failed in {chance.uniform(0.4, 30):.2f}s"
    )
    verdict = f"{failed} of {passed + failed} fail" if failed else f"all {passed} of them pass"
    return [
        Utterance(f"Run {command} for {_function(chance)} in the {part}, please."),
        Utterance(output, "tool"),
        Utterance(f"I ran it for the {part}: {verdict}.", "assistant"),
    ]


def update(project: str, chance: random.Random) -> Exchange:
    """How far something is, which will be different next week."""
    reply = f"{chance.choice(pieces.REPLIES)}. {chance.choice(pieces.TURNING)}"
    text = _filled(chance.choice(pieces.UPDATES), project, chance)
    return [Utterance(text), Utterance(reply, "assistant")]


def guess(project: str, chance: random.Random) -> Exchange:
    """Something nobody knows."""
    text = _filled(chance.choice(pieces.GUESSES), project, chance)
    return [Utterance(text), Utterance("That may be. Shall I look into it?", "assistant")]


def promise(project: str, chance: random.Random) -> Exchange:
    """Something to be done by a day that passes."""
    text = _filled(chance.choice(pieces.PROMISES), project, chance)
    return [Utterance(text), Utterance("Good luck with it.", "assistant")]


def errand(_: str, chance: random.Random) -> Exchange:
    """What is to be done around the house."""
    pick = chance.choice
    first, second = chance.sample(pieces.ERRANDS, 2)
    forms = (
        f"I still have to {first} and {second} before {chance.randrange(10, 21)} o'clock.",
        f"Remind me to {first} when I am done here, I keep forgetting.",
        f"I wanted to {first}, but then I had to {second} first.",
        f"I'll {first} by {pick(pieces.WHENS)}.",
    )
    reply = f"{pick(pieces.REPLIES)}. Then {second} after that?"
    return [Utterance(pick(forms)), Utterance(reply, "assistant")]


def leisure(_: str, chance: random.Random) -> Exchange:
    """What was cooked, seen and read."""
    pick = chance.choice
    forms = (
        f"Yesterday I made {pick(pieces.DISHES)} {pick(pieces.EXTRAS)}.",
        f"I might cook {pick(pieces.DISHES)} {pick(pieces.EXTRAS)} tonight.",
        f"We saw a film about {pick(pieces.STORIES)}, {pick(pieces.JUDGEMENTS)}.",
        f"I am reading a story about {pick(pieces.STORIES)} and {pick(pieces.STORIES)}.",
        f"{pick(pieces.PASSING)} came by and we ate {pick(pieces.DISHES)} {pick(pieces.EXTRAS)}.",
    )
    reply = f"{pick(pieces.REPLIES)}. Was there {pick(pieces.DISHES)} left?"
    found = [Utterance(pick(forms)), Utterance(reply, "assistant")]
    if chance.random() < 0.5:
        found.append(Utterance(f"Not much, {pick(pieces.JUDGEMENTS)} anyway, {pick(pieces.NEXT)}."))
    return found


def _function(chance: random.Random) -> str:
    return f"{chance.choice(pieces.VERBS)}_{chance.choice(pieces.NOUNS)}"


def _filled(form: str, project: str, chance: random.Random) -> str:
    return form.format(
        part=chance.choice(COMPONENTS[project]),
        person=chance.choice(pieces.PASSING),
        when=chance.choice(pieces.WHENS),
        function=_function(chance),
        noun=chance.choice(pieces.NOUNS),
        hour=chance.randrange(7, 19),
        percent=chance.randrange(1, 100),
        count=chance.randrange(2, 60),
    )


Kinds = tuple[tuple[Callable[[str, random.Random], Exchange], int], ...]
# How often each is heard among what does not matter.
_AT_WORK: Kinds = (
    (small_talk, 18), (work, 42), (tools, 18), (update, 14), (guess, 4), (promise, 4),
)  # fmt: skip
_AT_HOME: Kinds = ((small_talk, 34), (errand, 28), (leisure, 38))


def chatter(project: str, chance: random.Random) -> Exchange:
    """An exchange of any of the kinds heard in a project."""
    kinds = _AT_HOME if project == HOME else _AT_WORK
    chosen = chance.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])
    return chosen[0](project, chance)
