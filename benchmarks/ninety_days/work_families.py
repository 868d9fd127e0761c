"""Families of facts about the person's projects: what is said, what is asked, and the answers."""

from benchmarks.ninety_days.family import Family
from benchmarks.ninety_days.words import (
    COLLEAGUES,
    COMPANIES,
    COMPONENTS,
    SURNAMES,
    TOWNS,
    listed,
)

_HARBOUR, _ATLAS, _ORCHARD = "harbour", "atlas", "orchard"
_PORTS = tuple(str(7_003 + 61 * place) for place in range(40))


def _owners(project: str, first: int) -> Family:
    people = COLLEAGUES[first:] + COLLEAGUES[:first]
    return Family(
        project, COMPONENTS[project], people[:10],
        ("{answer} is responsible for the {key}.", "The {key} belongs to {answer}, ask there "
         "before touching it."),
        "Who is responsible for the {key}?",
    )  # fmt: skip


def _ports(project: str, first: int) -> Family:
    return Family(
        project, COMPONENTS[project][:8], _PORTS[first : first + 8],
        ("The {key} listens on port {answer}.", "In the compose file the {key} has port {answer}."),
        "Which port does the {key} listen on?",
    )  # fmt: skip


def _tickets(project: str, letters: str, faults: str) -> Family:
    keys = listed(faults)
    numbers = tuple(f"{letters}-{311 + 23 * place}" for place in range(len(keys)))
    return Family(
        project, keys, numbers,
        ("The {key} is tracked as {answer}.", "I opened {answer} for the {key}."),
        "Which ticket is the {key} tracked in?",
    )  # fmt: skip


def _causes(project: str, incidents: str, causes: str) -> Family:
    return Family(
        project, listed(incidents), listed(causes),
        ("The {key} was caused by {answer}.", "We finally know why we had the {key}: it was "
         "{answer}."),
        "What caused the {key}?",
    )  # fmt: skip


def _decisions(project: str, purposes: str, choices: str) -> Family:
    return Family(
        project, listed(purposes), listed(choices),
        ("We decided to use {answer} for {key}.", "After the long discussion we settled on "
         "{answer} for {key}."),
        "What did we decide to use for {key}?",
    )  # fmt: skip


def _contacts(project: str, companies: tuple[str, ...], names: tuple[str, ...]) -> Family:
    return Family(
        project, companies, names,
        ("Our contact at {key} is Ms {answer}.", "If something is wrong with {key}, write to Ms "
         "{answer}."),
        "Who is our contact at {key}?",
    )  # fmt: skip


def _times(project: str, first: int) -> Family:
    moments = tuple(f"{1 + place % 5:02d}:{(7 * place + first) % 60:02d}" for place in range(8))
    return Family(
        project, COMPONENTS[project][2:], moments,
        ("The nightly job of the {key} starts at {answer}.",
         "I set the nightly job of the {key} to {answer}."),
        "When does the nightly job of the {key} start?",
    )  # fmt: skip


def _flags(project: str, behaviours: str, flags: str) -> Family:
    return Family(
        project, listed(behaviours), listed(flags),
        ("To turn off {key} you set {answer}.", "{answer} is the switch that turns off {key}."),
        "How do I turn off {key}?",
    )  # fmt: skip


def _buckets(project: str, contents: str, names: str) -> Family:
    return Family(
        project, listed(contents), listed(names),
        ("The {key} are kept in the bucket {answer}.", "You find the {key} in the bucket "
         "{answer}."),
        "In which bucket are the {key}?",
    )  # fmt: skip


def _money(project: str, items: str, first: int) -> Family:
    keys = listed(items)
    sums = tuple(f"{first + 1_170 * place:,}" for place in range(len(keys)))
    return Family(
        project, keys, sums,
        ("The budget for the {key} is {answer} euros.", "We got {answer} euros for the {key}, "
         "not more."),
        "How big is the budget for the {key}?",
    )  # fmt: skip


WORK_FAMILIES = (
    _owners(_HARBOUR, 0), _owners(_ATLAS, 9), _owners(_ORCHARD, 17),
    _ports(_HARBOUR, 0), _ports(_ATLAS, 9), _ports(_ORCHARD, 18),
    _times(_HARBOUR, 3), _times(_ATLAS, 11), _times(_ORCHARD, 26),
    _tickets(_HARBOUR, "HRB", "double booking bug|blank invoice bug|wrong tide offset|"
             "stuck crane slot|missing receipt bug|kiosk freeze|ghost reservation|late refund bug"),
    _tickets(_ATLAS, "ATL", "black tile bug|mirrored scan|lost legend bug|zoom jump|"
             "broken thumbnail|upside down sheet|encoding mishap|slow panning bug"),
    _tickets(_ORCHARD, "ORC", "doubled crate bug|wrong weekday bug|missing share|"
             "price rounding bug|printer jam bug|lost route bug|frozen portal|reminder loop"),
    _causes(_HARBOUR, "Easter outage|mail flood|pier blackout|calendar rollback|login storm|"
            "sensor silence|invoice pile-up|map freeze",
            "an expired certificate|a loop in the unsubscribe link|a cable cut by the dredger|"
            "a daylight saving switch|a crawler from the tourist board|a drained gateway battery|"
            "a comma in the tariff table|a tile with negative width"),
    _causes(_ATLAS, "colour shift|viewer crash|export gap|index rebuild|tile storm|scan backlog|"
            "label mix-up|disk alarm",
            "a dying lamp in the scanner|a sheet with zero pages|a filter on the wrong century|"
            "an unplugged shelf|a school class on the terminals|a swapped barcode roll|"
            "two archives with one number|a forgotten debug dump"),
    _causes(_ORCHARD, "lost delivery|frost false alarm|double payment|empty newsletter|"
            "label shortage|"
            "route detour|portal slowdown|wrong weights",
            "a blocked forest road|a sensor in the compost heap|an impatient member|"
            "a template without a body|a stolen paper roll|the half marathon|an old photo gallery|"
            "a scale set to pounds"),
    _decisions(_HARBOUR, "sending mail|drawing the mooring map|signing invoices|"
               "storing tide tables|"
               "the kiosk screens|translating the portal|load testing|the pilots' phones",
               "Postmarkt|Leafletine|Sealwax|Tidebox|Glasspane|Weblingo|Gatling Gun|Ruggedo"),
    _decisions(_ATLAS, "reading labels|tiling large sheets|long term storage|colour profiles|"
               "the public viewer|naming sheets|checking scans|renting scanners",
               "Kraken Reader|Slicerino|Coldvault|Huekeeper|Openmirador|Callnumberly|Scanlint|"
               "Repro Verleih"),
    _decisions(_ORCHARD, "planning routes|printing labels|taking payments|weather warnings|"
               "member chat|counting crates|the newsletter|soil samples",
               "Routario|Etikettomat|Paybasket|Frostwacht|Clucktalk|Cratecounter|Leafletter|"
               "Bodenlab"),
    _contacts(_HARBOUR, COMPANIES[:6], SURNAMES[18:]),
    _contacts(_ATLAS, COMPANIES[6:11], SURNAMES[6:11]),
    _contacts(_ORCHARD, COMPANIES[11:], SURNAMES[:6]),
    _flags(_HARBOUR, "the welcome banner|overnight refunds|the tide warnings|guest bookings|"
           "the audible bell|automatic waitlists",
           "HIDE_BANNER|HOLD_REFUNDS|MUTE_TIDES|MEMBERS_ONLY|SILENT_DOCK|MANUAL_QUEUE"),
    _flags(_ATLAS, "watermarks|edge sharpening|the beta viewer|public comments|"
           "background stitching|the guided tour",
           "PLAIN_SHEETS|SOFT_EDGES|CLASSIC_VIEW|QUIET_PAGES|LAZY_SEAMS|SKIP_TOUR"),
    _flags(_ORCHARD, "late reminders|recipe tips|the referral offer|weekend routes|"
           "share swapping|text messages",
           "NO_NAGGING|BARE_CRATES|STOP_REFERRAL|WEEKDAYS_ONLY|FIXED_SHARES|MAIL_ONLY"),
    _money(_HARBOUR, "kiosk renewal|tide licence|pier cameras|security review|pilot training|"
           "accessibility audit", 4_300),
    _money(_ATLAS, "scanner rental|paper restoration|opening night|image rights|student helpers|"
           "climate cabinet", 6_150),
    _money(_ORCHARD, "cooling trailer|seed order|harvest party|bee hives|road signs|"
           "label printer", 2_480),
    _buckets(_HARBOUR, "tide archives|scanned contracts|drone pictures|pilot logs|crane videos|"
             "old invoices|sensor dumps|press photos",
             "salt-marsh|ink-well|gull-view|north-star|steel-arm|paper-trail|deep-hum|flash-bulb"),
    _buckets(_ATLAS, "raw scans|tile pyramids|colour targets|restoration notes|donor letters|"
             "audio guides|loan papers|poster drafts",
             "grey-vellum|stone-step|rain-bow|glue-pot|thank-you|whisper-box|round-trip|loud-wall"),
    _buckets(_ORCHARD, "harvest photos|soil reports|member forms|route recordings|bee counts|"
             "jam recipes|lease papers|season plans",
             "red-apple|dark-earth|open-gate|long-road|busy-wing|sweet-jar|old-fence|four-winds"),
    Family(
        _HARBOUR,
        listed("design team|night shift|pilots' council|billing circle|press office|dive crew|"
               "works council|trainee group"),
        listed("Barnacle|Fog Horn|Sextant|Abacus|Parrot|Oxygen|Compass Rose|Driftwood"),
        ("The {key} meets in the room {answer}.", "If you look for the {key}, they sit in the "
         "room {answer}."),
        "In which room does the {key} meet?",
    ),
    Family(
        _HARBOUR, COLLEAGUES[:14],
        tuple(str(212 + 19 * place) for place in range(14)),
        ("{key} has the extension {answer}.", "You reach {key} under extension {answer}."),
        "What is {key}'s extension?",
    ),
    Family(
        _ATLAS, COLLEAGUES[6:20],
        listed("copperplate engravings|sea charts|railway plans|star maps|cadastral books|"
               "watermarks|city panoramas|glacier surveys|trench maps|pilgrim routes|canal locks|"
               "forest boundaries|tax rolls|wind roses"),
        ("{key} is our expert for {answer}.", "When it comes to {answer}, {key} knows everything."),
        "What is {key} an expert in?",
    ),
    Family(
        _ORCHARD, COLLEAGUES[12:],
        listed("peat-free compost|the heirloom tomatoes|cider pressing|the wild bees|grafting|"
               "the mushroom logs|the irrigation|pruning|the pumpkin field|the herb spiral|"
               "the hedges|the chicken tractor|the potato cellar|fruit drying"),
        ("{key} looks after {answer} this season.", "I asked, {key} takes care of {answer}."),
        "What does {key} look after in the orchard?",
    ),
    Family(
        _HARBOUR, COMPANIES[4:12],
        listed("Danish|Estonian|Basque|Flemish|Slovenian|Maltese|Galician|Faroese"),
        ("{key} needs the manual in {answer}.", "{key} insists on a {answer} version of the "
         "manual."),
        "In which language does {key} need the manual?",
    ),
    Family(
        _ATLAS, TOWNS[8:],
        listed("the fire station|a former convent|the town bakery|a castle cellar|a railway shed|"
               "the salt warehouse|a school attic|the old mint|a lighthouse|the customs house|"
               "a granary|the post museum"),
        ("The map archive of {key} is kept in {answer}.",
         "I learnt that {key} keeps its map archive in {answer}."),
        "Where does {key} keep its map archive?",
    ),
    Family(
        _ORCHARD,
        listed("plum trees|crates|twine|bee wax|straw|jam jars|willow rods|cider bottles|mulch|"
               "seed potatoes"),
        listed("Baumschule Tanner|Kistenkontor|Seilerei Hook|Imkerei Wabe|Hof Larsen|Glasperle|"
               "Korbhaus|Flaschenpost|Rindenreich|Knollenhof"),
        ("We buy the {key} from {answer}.", "Our supplier for the {key} is {answer}."),
        "Where do we buy the {key}?",
    ),
)  # fmt: skip
