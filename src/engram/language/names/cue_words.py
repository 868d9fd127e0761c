"""The words around and inside a name that tell what bears it."""

LEGAL_FORMS = frozenset(
    """inc ltd llp corp gmbh plc ag sa bv co kg oy ab srl
    spa pty llc incorporated limited""".split()
)
ORGANIZATION_HEADS = LEGAL_FORMS | frozenset(
    """academy administration agency airlines airways alliance arts assembly associates
    association attorneys authority bakery band bank bar biotech boutique brewery brothers
    bureau cafe capital cathedral center centre chamber charity choir church cinema clinic club
    coalition college commission committee community company congress consortium consultants
    consulting cooperative corporation council court dealership dental department diner
    dynamics electronics energy engineers enterprises entertainment extension faculty farm
    farms federation finance financial firm fitness foods foundation fund gallery games garden
    gardens group guild gym health healthcare holdings hospital hotel industries inn institute
    institution insurance international investments journal kitchen lab laboratories laboratory
    labs law league legal library logistics magazine management manufacturing market markets
    media ministry mission motors museum network networks news nursery office orchard orchestra
    organisation organization parliament partners partnership party pharmaceuticals pharmacy
    pictures police post press productions publishing realty records regiment registry resort
    restaurant robotics salon school schools securities senate services shelter shop society
    software solutions stables store strategies studio studios supermarket supply symphony
    syndicate team teams technologies telecom theater theatre times trust union university
    ventures vineyard winery works workshop zoo""".split()
)
PLACE_HEADS = frozenset(
    """airport alley avenue bay beach boulevard bridge canyon castle cave city coast county cove
    creek desert district falls flats forest gorge harbor harbour heights highlands hill hills
    island islands isle lagoon lake lane marsh meadow meadows mountain mountains ocean park
    pass peninsula plains plateau point port province reef reserve ridge river road sea shore
    springs square station street strait town trail valley village volcano woods""".split()
)
PLACE_STARTS = frozenset("""lake mount mt port fort cape san santa st saint""".split())
PROJECT_HEADS = frozenset(
    """app benchmark blueprint bot challenge chronicle compiler cycle dashboard editor engine
    experiment explorer framework initiative migration model models pipeline planner platform
    plan portal program programme project protocol prototype redesign refactor release roadmap
    sprint suite toolkit tracker""".split()
)
# A name may go on behind "of" only after a word that asks for it.
OF_HEADS = frozenset(
    """academy association bank bay board bureau center centre church city college court
    department faculty federation game gulf guild house institute isle kingdom league lord
    ministry museum office order republic school society state temple town university""".split()
)
PARTICLES = frozenset(
    """de del della der den di da dos du la le van von bin al el ibn y ten ter""".split()
)

TITLES = frozenset(
    """mr mrs ms mx miss dr prof professor sir dame madam rev reverend captain colonel general
    sergeant lieutenant officer judge senator president king queen prince princess pope father
    sister brother uncle aunt auntie grandma grandpa coach chef nurse doctor ceo cto cfo coo
    cmo vp svp evp cpa phd md""".split()
)
ROLES = TITLES | frozenset(
    """accountant actor actress adviser advisor analyst architect artist assistant attorney
    auditor author baker barber boss boyfriend buddy bride chairman chairwoman child classmate
    client coder colleague commissioner composer consultant contractor contributor coordinator
    cousin coworker co-worker curator customer dad daughter dentist designer developer director
    driver editor engineer ex fiance fiancé fiancee fiancée founder cofounder co-founder friend
    gardener girlfriend goalkeeper grandfather grandmother groomer guest host hr husband
    instructor intern investor journalist kid landlady landlord lawyer lead leader librarian
    maintainer manager mayor mechanic mentor mom mother mum neighbor neighbour nephew niece
    novelist owner painter partner patient pediatrician physician photographer physiotherapist
    pianist plumber poet principal producer professor recruiter reporter researcher reviewer
    roommate scientist secretary singer sister-in-law son speaker spouse student supervisor
    surgeon teacher teammate therapist trainer tutor twin user vet veterinarian volunteer
    waiter wife writer""".split()
)
# Verbs whose subject speaks, thinks, feels or decides; other past tenses are a weaker sign.
HUMAN_VERBS = frozenset(
    """says said tells told asks asked thinks thought believes believed wants wanted likes liked
    loves loved hates hated prefers preferred feels felt hopes hoped wrote writes spoke speaks
    agrees agreed knows knew remembers remembered plans planned decided decides mentioned
    suggested suggests promised recommended replied answered explained complained laughed cried
    smiled met meets married lives lived works worked bought ate eats drank drove slept taught
    teaches studied studies enjoys enjoyed visited helped helps called emailed texted joined
    joins left moved traveled travelled reviewed paired led identified confirmed discussed
    drafted prefers owns adopted graduated grew invited cooked painted sang plays played walked
    wished worries worried apologized apologised argued noticed learned learnt reads sent
    thanked chimed""".split()
)
AUXILIARIES = frozenset(
    """is was has had will would can could should may might must does did doesn't didn't isn't
    wasn't hasn't won't can't couldn't wouldn't shouldn't hadn't goes went got gets gave gives
    took takes made makes came comes kept keeps ran runs began begins saw sees
    found finds""".split()
)
PAST_VERBS = frozenset(
    """went got gave took made came kept ran began saw found built broke brought caught chose did
    drew fell fed flew forgot held hid hurt laid lost paid put read rode rose sat sold set shot
    shut stood stole swam threw tore understood woke won wore""".split()
)
# Verbs whose subject is a machine rather than a person.
THING_VERBS = frozenset(
    """crashed crashes failed fails supports requires returns handles compiles renders stores
    indexes depends ships exposes caches times restarts scales leaks leaked emits""".split()
)
# Verbs whose object is a person.
ADDRESSING = frozenset(
    """told tell asked ask met meet thanked thank emailed email called call texted text helped
    help invited invite hired hire married marry pinged ping cc copied copy introduced remind
    reminded visited visit miss missed hugged kissed interviewed mentored paid owes owe gave
    give showed show taught teach contacted contact let consulted convinced warned joined""".split()
)
GREETINGS = frozenset(
    """hi hey hello dear thanks bye goodbye morning sorry congrats congratulations""".split()
)
TRAVEL_VERBS = frozenset(
    """went go goes going gone moved move moving flew fly flying drove drive driving travelled
    traveled travel traveling travelling trip trips relocated relocate relocating visit visited
    visiting back commute commutes emigrated returned return came""".split()
)
WORK_WORDS = frozenset(
    """work works worked working job jobs joined join joining employed employee employees intern
    interned internship career position role hired engineer engineers developer team manager
    contact office customer client time""".split()
)
PLACE_PREPOSITIONS = frozenset(
    """in near across around outside inside throughout toward towards""".split()
)

PLACE_NOUNS = frozenset(
    """airport area beach city coast county countryside district downtown harbor harbour island
    mountains neighborhood neighbourhood province region river road shore street suburb suburbs
    town valley village weather""".split()
)
PROJECT_NOUNS = frozenset(
    """app baseline board build codebase dashboard effort engine epic experiment feature
    initiative launch milestone migration module outage pilot pipeline platform plan product
    program programme project prototype redesign refactor release repo repository rewrite
    roadmap rollout rules sprint tool work workstream""".split()
)
TECHNOLOGY_NOUNS = frozenset(
    """algorithm api backend binding bindings cli client compiler container database driver
    extension file files format framework function interpreter language library libraries
    linter package packages parser plugin plugins protocol query queries script scripts sdk
    syntax toolchain version""".split()
)
SERVICE_NOUNS = frozenset(
    """service server servers cluster instance endpoint gateway queue daemon
    worker account""".split()
)
ORGANIZATION_NOUNS = frozenset(
    """board branch campus ceo cfo cto employees engineers executives founder headquarters hq
    journal lawyers office offices paper researchers shareholders staff stock
    students team""".split()
)
CONCEPT_NOUNS = frozenset(
    """people tribe myth cycle motif theorem law effect principle method""".split()
)

# Capitals that name nothing.
GENERIC_CAPITALS = frozenset(
    """ai api apis asap atm bbq btw cc cd ci cli cpu crud css csv cv db diy dm dvd eta etc faq fyi
    gb gif gpu gui hr html http https id ide idk imo io ip irl it json kb kpi lgtm lmao lol mb
    ml mvp nda nlp ok okay omg os pc pdf po pr prs ps qa ram rip rsvp sdk seo sla sms sop sos
    sql ssd tba tbd tbh tl todo tv ui uom url usb uuid ux vip vpn wfh wifi
    wip xml yaml yolo q&a im""".split()
)
INTERJECTIONS = frozenset(
    """ah aha ahh ahem amen argh aw aww awww boo bravo brr cheers cool darn duh eh eww gee gosh ha
    haha hahaha hehe heck hm hmm hooray huh hurray kudos lol mm mmm nah nope oh ooh oops ouch
    oof phew pff psst shh sup ugh uh um umm uhm voila whew whoa woah woo woohoo wow yah yay yea
    yeah yep yes yikes yo yum yup""".split()
)
