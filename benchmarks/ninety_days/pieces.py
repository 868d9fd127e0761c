"""The pieces from which everyday talk is put together, so that few sentences are said twice."""

from benchmarks.ninety_days.words import listed

WEATHER = listed(
    "raining again|finally sunny|so windy that the shutters rattle|grey since Monday|hot already|"
    "freezing in here|foggy down by the water|lovely outside|drizzling|about to storm"
)
MOODS = listed(
    "a bit tired|full of energy|slow today|quite cheerful|hungry already|still half asleep|"
    "glad it is quiet|not very focused|in a good mood|a little restless"
)
LITTLE = listed(
    "had porridge for breakfast|missed the tram by a second|spilled coffee on my notes|"
    "slept badly because of the moon|went for a short run|watched half a film last night|"
    "found an old mixtape|burnt the toast|talked to the neighbour far too long|"
    "cycled in with cold hands|fixed the squeaky door|forgot my headphones|"
    "baked a crooked cake|watered all the plants|lost a chess game online|"
    "listened to the radio all morning|took a nap after lunch|cleaned out one drawer|"
    "dropped my glasses|saw a heron on the way|mended a sock|mixed up the bus lines"
)
REPLIES = listed(
    "That sounds familiar|Nice|I hope the day gets better from here|Good to hear|Understood|"
    "Ha, that happens|Thanks for telling me|Let's make it an easy one then|I can imagine|Oh no|"
    "Lovely|Sounds about right"
)
TURNING = listed(
    "Shall we start?|What would you like to look at first?|Where were we?|Ready when you are.|"
    "What is next?|We can take it slowly.|Should I open the list from yesterday?|"
    "Do you want to begin with the small things?|Shall I read out what is open?|"
    "I have the window open already."
)
THANKS = listed(
    "Thanks, that helps|Perfect, thank you|Great, let's leave it at that|Okay, makes sense|"
    "Cool, I'll have a look|Hm, okay|Nice|Good enough for now|Got it, thanks a lot|"
    "Alright, moving on|Fine with me|That was quick"
)
NEXT = listed(
    "now the next one|I'll try it after lunch|let me read it again|I'd keep the second version|"
    "we can polish it later|leave the rest as it is|I'll show it around|no need for more|"
    "then I make a coffee|I'll push it in a minute|let me think about the name|that is all for it"
)
TROUBLE = listed(
    "is slow this morning|shows an empty page|logs the same warning twice|eats too much memory|"
    "needs a restart after lunch|looks odd on the small screen|does not pick up the change|"
    "takes ages to build|fails its third test|sends two answers instead of one|"
    "forgets the sort order|complains about a missing header|hangs at the last step|"
    "rounds in the wrong direction|shows yesterday's numbers|skips the first row"
)
WISHES = listed(
    "rename the inner functions|split the long module|write a test for the edge case|"
    "clean up the log lines|move the constants to the top|check the error messages|"
    "draft the release note|compare the two approaches|sketch another layout|"
    "look at the slow query|simplify the loop|read through the open comments|"
    "tidy the folder|explain the stack trace|shorten the summary|update the diagram"
)
FINDINGS = listed(
    "it was a missing index|the cache was full|two calls ran in the wrong order|"
    "an old test expected the wrong sign|the list was sorted twice|a default was never read|"
    "the loop stopped one step early|the header was sent after the body|nothing is wrong there|"
    "a null slipped through|the file was read line by line|the timeout was too short"
)
DOINGS = listed(
    "I changed|I cleaned up|I rewrote|I looked at|I shortened|I split|I commented|I traced|"
    "I simplified|I ran|I compared|I moved"
)
VERBS = tuple("load parse check send merge sort draw count store fetch render match".split())
NOUNS = tuple("row page slot sheet item label entry queue total field batch line".split())
COMMANDS = listed(
    "pytest -q|npm run build|ruff check .|docker compose up|make lint|psql -c analyze|"
    "git status --short|curl -sI localhost|cargo test|terraform plan"
)
GUESSES = listed(
    "Maybe the {part} is slow because of {noun} number {count}.|I guess the {part} will be "
    "replaced in {count} months.|Perhaps {person} will take over the {part} at some point.|"
    "It could be that nobody uses the {part} on weekends.|I suspect that {function} in the {part} "
    "leaks memory, but I have not looked.|Possibly {person} is leaving in autumn, I am not sure.|"
    "I think the {part} might be older than {function}.|Not sure, but the {part} may need "
    "{count} more machines soon."
)
PROMISES = listed(
    "I'll send {person} the notes on {function} by {when}.|I will review the {part} by {when}.|"
    "I promised {person} an answer about the {part} until {when}.|I have to finish the slides "
    "for {person} by {when}.|I'll call {person} about {function} by {when}."
)
UPDATES = listed(
    "The {part} migration is at {percent} percent.|{person} has finished {percent} percent of the "
    "{part} review.|The {part} has been quiet since {hour} o'clock.|We are at {count} open "
    "comments on the {part}.|The {part} tests took {count} minutes today.|The queue of the {part} "
    "is down to {count} entries.|{person} is out today, so {function} in the {part} has to wait.|"
    "Still waiting for {person} to look at {function} in the {part}."
)
WHENS = listed("tomorrow|Friday|next Monday|the end of the week|Wednesday|the end of the month")
# Colleagues of whom nothing lasting is told: what matters is told of others.
PASSING = tuple(
    """Arvid Bianca Cedric Denise Erwan Fiona Gaspar Hilde Ilja Jasmin Kasper Livia Matteo Nadja
    Olaf Petra""".split()
)
ERRANDS = listed(
    "buy stamps|return the parcel|pick up the dry cleaning|water the balcony|call the bank|"
    "wash the windows|sort the receipts|book a haircut|descale the kettle|mend the zip|"
    "empty the freezer|air the mattress|sweep the cellar|oil the hinges|dust the lamps|"
    "fold the laundry"
)
DISHES = listed(
    "lentil soup|a potato salad|mushroom risotto|pea curry|pancakes|a leek quiche|noodles|"
    "a bean stew|fried rice|an onion tart|dumplings|a beetroot salad|gnocchi|shakshuka"
)
EXTRAS = listed(
    "with too much pepper|for four people|on Sunday|without cream|from the freezer|with chives|"
    "for the neighbours|after the walk|in the big pot|with a green salad|before the film|"
    "with leftover bread"
)
STORIES = listed(
    "a detective in the rain|two sisters on a farm|a ship in the ice|a forger|an old translator|"
    "a lighthouse keeper|a lost orchestra|a village without children|a botanist|a chess cheat|"
    "a night train|a clockmaker"
)
JUDGEMENTS = listed(
    "the middle is long|the ending surprised me|I fell asleep twice|the pictures are lovely|"
    "the plot makes little sense|I would watch it again|the music was too loud|I laughed a lot|"
    "it was over too soon|the dialogue is clever"
)
