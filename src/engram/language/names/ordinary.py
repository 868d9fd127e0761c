"""Ordinary English words: what begins a sentence with a capital without being a name.

The words are compared by their stems, so that one form stands for all of a word. The list is of
everyday language; that it is not complete costs a wrong guess now and then, nothing more.
"""

from functools import cache, lru_cache

from engram.language.stems import stem

_ORDINARY = """
    abandon ability able about above abroad absent absolute absorb abstract academic accept access
    accident accommodate accomplish according accordingly account accounting accuracy accurate
    achieve acknowledge acquire across act action active actual adapt add added addition address
    adequate adhere adjust administrative admire adopt adorable adult advance advantage adventure
    advice adviser advisor aesthetic affect affordable after afternoon afterwards again against age
    agency agenda aging ago agree agreement ahead aim aircraft airport alarm alas alert algorithm
    align alive all allergic allergy allocate allow almost alone along already also alternate
    although altogether always am amazing amend among amount ample an analysis analyst analytics
    analyze anchor ancient and anecdote anger angle animal announce annual another answer anticipate
    any anyone anything anyway apart apology app apparently appeal appear appendix apple application
    apply appoint appreciate apprentice approach appropriate approve approx approximately arch
    architecture archive are area aren argument arise arm army around arrange arrive arrow art
    article artist as aside ask aspect aspiring assembly assess asset assign assist assistant
    associated assume at ate atmosphere attack attempt attend attention attorney attribute auction
    audience audiobook audit authentic author authority automate automatic autumn available average
    aversion avoid award aware away awesome baby back background backup bad badge bag bake baker
    balance balcony ball band bank banner bar barrel base based bash basic basically basin basket
    basketball batch bath battery battle be beach bean bear beat beautiful beauty because become bed
    bee been beer before began begin begun behind belief believe bell belong bench bend beneficial
    benefit best bet beta better between beyond bias biases big biggest bike bill binding bird birth
    birthday bit bite bitter black blame blank blast blend blind block blood bloom blow blue board
    boat body boil bold bond bone book boost boot border borrow bot both bottle bottom bought bounce
    boundary bowl box brain branch brand brave bread break breakdown breakfast breath breathable
    breathtaking brick bridge brief briefly bright bring broad broader broke broken brother brought
    brown browser brunch brush bubble buddy budget buffer bug build builder built bulb bulk bunch
    bundle burn burnout burst bus business busy but button buy by cabin cable cache cadence cake
    calculate calendar call calm came camera camp campaign can can't canal cancel cancer candidate
    candle cannot canvas cap capable capital captain captivates capture car carbon card care career
    carefully cargo carpet carry cart case cash cast castle casual cat catalog catch categorize
    category cattle caught cause celebrate cell cellar center century ceremony certain certificate
    chain chair challenge chamber chance change channel chapter character charge charity charm chart
    chase chat cheap check checklist cheer cheese chemical cherish chest chicken chief child
    children chill chocolate choice choir choose chose chosen church cider cinema circle citation
    citizen city civil claim clarification clarify clarity class classic clause clean clear clearly
    clerk click client cliff climate climb clinic clock clone close closer cloth cloud club cluster
    coach coal coast coat coconut code coffee cognition coherent cohesion coin cold collaborate
    collapse colleague collected college color column combines come comedy comfort comfy command
    comment commit committee common community commute companion company compare compatible
    compelling competition compiler complement complete complex compliance compliant comply
    component compost compound comprehensive compress compromise compute computer concept concern
    concert concise concrete condition conduct conference confident configure confirm conflict
    confused congrats congratulations connect conservation consider considerations consists console
    constant constraint constructive consult consume contact contain content contest context
    continue contract contractor contrast contribute control convenient convention conversely
    convert convey convince cook cookie cool coordinate copper copy core corner corporate corpus
    correct correctly corridor cost cottage cotton could couldn council counsel count
    counterargument country county couple courage course court cousin cover coverage cow cozy craft
    crash crazy cream create creation creative credentials credible crew crisis criteria critic
    critical crop cross crowd crown crucial cruise cry cube cuisine culture cup curious current
    cursor curve custom customer cut cute cycle daily dairy damage dance dancers danger dark dash
    dashboard data database dataset date daughter dawn day dead deadline deal dear death debt debug
    debugged decade decide decision deck decline decor decorate dedicate deep deepen deeper deeply
    default defeat defence defend definitely definition degree delay delegate delete delicious
    delightful deliver delivers delivery delve demand demonstrate dental deny depart department
    depends deploy deployment deposit depth deputy derived describe descriptive desert design desire
    desk despite dessert destination detail detect determine develop device diagram dialog dialogue
    dice dictionary did didn didn't die diet differ different difficult dig digital diligence dine
    dinner dinosaur diploma direct directly directory dirt disaster discipline discomfort discount
    discover discrepancy discriminate discuss disease dish disk dislike dismiss display dispute
    distance distinct distracted distribute distributed district disturb dive diverse divide do
    doctor document documentary does doesn doesn't dog dollar domain don't done door dose double
    doubt down download downstairs dozen draft drag drain drama drank draw drawn dream dress drew
    drink drive driven driver drop drought drove drug dry duck due durable during duty dynamic each
    eager eagle ear earlier early earn earth easier easily east easy eat eaten ecology economic edge
    editor edits education effect effective efficient effort egg eight either elbow elect electric
    electronic element elephant elite else elsewhere email embedding emerge emotionally emotions
    emphasize empire employer empty enable encounter encourage encrypted end endorsement endpoint
    enemy energy engage engine engineer engineering english enhance enjoy enjoyable enough enrich
    enrolled ensure enter entertain enthusiasm enthusiasts entire entry envelope environment
    environmental epic episode epoch equal equipped error escape escort especially essay essential
    establish estate estimate ethics evaluate even evening evenly event eventually ever every
    everyday everyone everything evidence evil evolve exact exactly exam examine example exceed
    excellent except excess exchange excited exclusive excuse execute exercise exhibit exist exit
    expand expect expense experience experienced expert expertise expire explain explanation explode
    explore export exporter expose express extend extension external extra extreme eye face fact
    factor fair faith faithful fall false familiar family fan fantastic fantasy far farm farmer
    fascinating fashion fast fatigue fault favorable favorite fear feature fed federal fee feedback
    feel feet fell fellow felt female fence festive fetch fever few fiber fiction field fierce fifth
    fight figure file filed filing fill film filmmakers filter final finally finance financial find
    fine finish fire firm first fish fit fits five fix flag flagged flat flavor fled fleet flesh
    flew flex flexible flight flip flock flood floor flour flow flower flu fluid fly focus focused
    fold folk follow font food foot football for force forecast foreign forest forge forget forgot
    fork form formal format formula fortunately fortune forum forward fossil found foundation
    founder four fox fraction fragile frame framework frankly free freedom freelance freeze freight
    frequent fresh fridge friend friendly friendship frog from front frost fruit frustrated fuel
    fulfill full fully fun function fund fundamental fungal furnace furniture further fuse future
    gain galaxy gallery game gap garage garden garlic gas gate gather gauge gave gear gender gene
    general generate generator genius genre gentle get ghost giant gift girl give given glad glance
    glass global glory glossary glove glue go goal goat goes gold golden gone good goodbye goodness
    gorgeous got government grade gradual grain grammar grand grandfather grandmother grant grape
    graph graphic grass grateful gratitude grave gravity gray great greater greatly green grew grid
    grip grocery ground group grow grown growth guarantee guard guardian guess guest guidance guide
    guidelines guild guilty guitar gun guy gym habit had hair half hall hammer hand handle hang
    happen happy harbor harbour hard hardware harvest has hasn hat hate have haven hawk he head
    header health healthcare healthy heap hear heard heart heat heaven heavy hedge heel height heir
    held hello helmet help hence her herb here heritage hero hesitate hey hi hid hidden high higher
    highlight highly hike hill him hint hire his historical history hit hobby hold hole holiday holy
    home homeless homemade honest honestly honey honor honour hook hope hopefully horizon horror
    horse hospital host hostile hot hotel hour hour-long house household how however hub huge human
    humble humor hundred hung hunt hunter hurry hurt husband hydrated hypothesis i'd i'll i'm i've
    ice icon idea ideal identity if ill illness illustrate image imagine immediate immerse impact
    implement implications import impressed improve in inbox inch incident include inclusion income
    incorporate increase incredible indeed independent index indexing indicate individual industry
    influence inform infrastructure ingredient inherit initial injury inn innovation input inquiry
    insect inside insights inspect inspired install instance instead instructions instrument
    insurance integrate integration intelligence intend intense intent interact interest interface
    internal internship interpret intersect interview into intricate intrigue introduce invaluable
    invest investor invite invoice involve iron irony is island isn isn't issue it it's item itself
    ivory jacket jail jam jar jelly jet jewel job jog join journal journey joy judge juice jump
    jungle junior jury just justice justify keep kept kernel kettle key keyboard kick kid kill kind
    king kingdom kiss kit kitchen kite knee knew knife knock knot know knowledge known lab label
    labor laboratory labour lack ladder lady laid lake lamb lamp land landed landscape lane language
    laptop large larger laser last late later latest latter laugh launch lava lavender law lawn
    lawyer layer laying layout lazy lead leadership leaf leak lean learn lease least leather leave
    lecture led ledger left leg legal legendary lemon lend length lens lent leopard less lesson let
    let's letter level leverage liberty library licence license lie life lift light lighthouse
    lightweight like likelihood likewise limit line link lion lip liquid list listen lit literally
    literary literature little live lizard load loan lobby local located lock log logic login
    logistics lonely long longer look loop lord lose loss lost lot loud lounge love lower luck
    luckily lucky lunar lunch lung machine mad made magic magician mail main maintain maintainer
    major majority make makeup man manage manager manual many maple marble margin marine mark market
    marketing marriage marry marsh mask mass master match material math matter maximize maximum
    maybe me meadow meal mean meaningful meant meanwhile measure meat mechanic mechanism medal media
    medical medicine meditation medium meet meeting melon melt member memo memorable memory mental
    mention mentor mercy merge merit mesh message met metal meter method metric microbe middle might
    migrate migration mild mile milestone military milk mill mind mine mineral minimal minimalist
    mining minister ministry minor minute mirror miss missing mission mistake mitigate mix mobile
    mock modal mode model modem moderate modern modify modular module moisture molecule mom moment
    momentum money monitor monkey monster month monthly mood moon moral more moreover morning
    mortgage mosque most mostly mother motion motivate motor mountain mouse mouth move movement
    movie much mud multiple multitasking muscle museum mushroom music musician must mutual my myself
    mystery nail name namely names narrative narrator narrow nation national native nature naval
    navigate navy near necessary neck need needle negative negotiate neighbor neighborhood neighbour
    nephew nerve nest net network neural neutral never nevertheless new next nice niece night nine
    no nobody noise none nonetheless noon nope nor normal north nose not note notebook nothing
    notice notify novel now nuanced null number nurse nursery nut oak objective oblige observation
    observe obtain obviously occasion occasionally occur occurrence ocean odd of off offer office
    official offset often oh oil ok okay old olive on once ongoing onion online only open opera
    operate operation operator opinion opportunity oppose optimize option or orange orbit orchard
    orchestra order organ organic organizational organize original orphan other otherwise our ours
    ourselves out outage outcome outdoor outfit outline output outside oven over overall overlap
    overview overwhelmed owe own owner oxygen pace pack package pad page paid paint pair palace pale
    palm pan panel panic paper parade paradise paradox paragraph parcel parent park parse parser
    parsing part participate particular particularly partner party pass passion password past pasta
    paste patch path patient patrol pattern pause pay peace peak pear peer pen pencil penguin
    pension people pepper per percentage perfect perfectly perform perhaps period permutation person
    personally perspective persuasive pest pet phase philosophy phone photo photography phrases
    physical piano pick picture piece pig pile pill pillow pilot pine pinged pink pioneer pipe
    pipeline pit pitch pizza place plain plaintext plan plane planet planner plant plastic plate
    platform play player please plenty plot plug plugin plumber plus pocket poem poet point poison
    polar pole police policy polish politics pond pony pool poor poorly popular population pork port
    portal portfolio portion portrayal pose position positive possible possibly post poster pot
    potato potential pottery pound pour poverty powder power practice praise pray prayer precise
    predict prefer pregnant prep prepare presence present preserve president press pressure
    presumably pretty prevent previous previously price pride priest primary prince princess
    principle print prioritize priority prison prize proactive probably probe problem proceed
    process producer product professional profit program progress project promise promote prompt
    proof proper properly property prophet proposal prose protagonist protect protein proto protocol
    prototype proud provide province provisions pub public publish pull pulse pump punch pupil puppy
    purchase purple purpose pursue push put puzzle quality quarter quartz queen query quest question
    queue quick quickly quiet quit quite quiz quote rabbit race radar radio rail railway rain
    rainbow raise ran ranch random rang range rapid rare rarely rate rather ratio raw ray razor
    reach reaction read readable reader ready real realistic reality realize really reason rebel
    rebellion recall receipt receive recent recharge recipe recognize recommend record recover
    recruit recruiter recycle red reduce reduction refactor reference refine reflect refresh refuse
    regardless regards region register registration registry regular regularly regulate rehearsal
    rehearse reinforce reject relate relationship relax relay release relevant reliable relief
    religion rely remain remember remind remote remove render renowned rent repair repeat repetition
    replace reply report reporter represent representation reputable request require reschedule
    rescue research reserve residing resilient resist resolve resonate resource respect response
    rest restaurant restore result resume retail retain retire retreat retrieval return reveal
    revenue reverse review revised reward rewarding rhetorical rhythm ribbon rice rich richly ride
    right ring rise risk ritual rival river road roast rob robot robust rock rocket rode role roll
    romance roof rooftop room root rope rose rotate rotten rough round route routine row royal
    rubber ruin rule ruler run runbook runtime rural rush rust sacred sad saddle sadly safe said
    sail sailor saint salad salary sale salmon salt same same-day sample sand sang sat satellite
    satisfaction satisfy sauce savage save saw say scale scan scandal scary scenario scene scenery
    schedule scheduler schema scholar scholarship school science scissors scope score scout scratch
    scream screen script sculpture sea seafood seal seamlessly search season seat second secret
    secretary section sector secure security see seed seek seem seen segment select self sell
    semester senate send senior sense sensitive sensor sent sentence separate sequence series
    serious seriously servant serve server service session set settle setup seven severe sew sewing
    shadow shaft shake shall shallow shame shape share sharp she shed sheep sheet shelf shell
    shelter shepherd sheriff shift shine ship shipped shirt shock shoe shoot shop shore short
    shorter shot should shoulder shouldn shout show showcase shower shown shut shuttle sibling sick
    side siege sign signal signature significant significantly silence silent silk silver similar
    simple simplify simply simulate simultaneous since sincerely sing singer single sink sir sister
    site sitting situation six size skeleton sketch ski skill skin skincare skirt sky slave sleek
    sleep slice slide slightly slip slope slot slow small smaller smart smartphone smell smile smoke
    smooth smoothie smoothly snack snake sneaker snippet snow so soap soccer social society sock
    soft software soil solar sold soldier sole solid solo solution solve some somehow someone
    something sometime somewhere son song soon soothing sorrow sorry soul sound soup source south
    spa space span spare spark speak speaker special species specific specify speech speed spell
    spend spent spice spider spin spine spirit spiritual split spoke spoken spoon sport spot spray
    spread spring sprint spun squad square squash squirrel stability stable stack staff stage stair
    stake stakeholders stamp stand standalone standard standout star start state statement station
    statistics statue statute stay steady steal steam steel steep steer stem step stick still stock
    stole stomach stone stood stop storage store storm story storytelling stove straightforward
    strain stranger strategic strategy straw stream streamline street strength strengthen stress
    stretch strict strictly string strip stroke strong stronger strongly structure struggle stuck
    student studio study stuff stunning stupid style stylish subject submission submit subscription
    substantial subway success successfully such suddenly sufficient sugar suggest suit suitable
    suite sum summarize summer sun sunset super superior supper supply support supposedly sure
    surely surface surgeon surgery surprise surround surrounded survey survive suspect suspend
    sustainable swallow swam swamp swan swap swear sweat sweep sweet swim swing switch sword symbol
    symptom sync synthetic system table tablet tackle tag tail tailor take taken tale talent talk
    tank tape target task taste taught tax taxable tea teach team teammates tech technical technique
    technology telemetry telescope tell template temple temporary tenant tennis tent term terrain
    terror test testament text than thank thanks that that'll that's the theater theatre their
    theirs them theme themselves then theory there there's therefore these thesis they they'll
    they're they've thick thief thin thing think third thirsty thirty this thorough thoroughly those
    though thought thousand thread threat three threshold threw thrill throat throne through
    throughout throw thumb thunder thus ticket tide tie tiger tight time timeless timeline tiny tips
    tired tissue title to toast tobacco today toe together toggle token told tomato tomorrow tone
    tongue tonight tonight's too took tool tooth top topic torch tore total touch tough tour
    tournament toward tower town toy trace tracing track tracker traction tractor trade traditions
    traffic tragedy trail train tranquil transaction transfer transition translate transparent
    transport trap travel tray treasure treat treatment treaty tree trend trial tribe tribute trick
    tricky tried trigger trip triumph troop trophy tropical trouble truck true truly trunk trust
    trustee truth try tube tunnel turbine turn tutor twelve twenty twice twin twist two type typical
    ugly ultimately umbrella unauthorized uncle under understand uneven unexpected unfortunately
    uniform union unique unit universal universe university unknown unless unlike unlock unnecessary
    unsure until unwind up upcoming update upgrade upload upon upper upstairs urban urgency urgent
    us usage user username usual usually utilize vacation vacuum valid valley valuable value van
    vanish variable variety various vary vector vegan vegetable vehicle vein velvet vendor venue
    verb verdict verify versatile verse version versus very vessel vet veteran via vibe vibrant vice
    victim victory video view village vine violence violet violin virtual virtue virus visa visible
    vision visit visitor visual visualization vital vivid voice volcano volleyball volume volunteer
    vote voyage wage wagon wait waiter wake walk wall wallet want war ward warehouse warm warn
    warning warrior was wash wasn waste watch water wave wax way we we'd we'll we're we've weak
    wealth weapon wear weather weave web webinar website wedding weed week weekend weekly weep weigh
    weight welcome well went were west wet whale what whatever wheat wheel when whenever where
    whereas wherever whether which while whisper whistle white who whoever whole whom whose why
    wicked wide widow width wife wild will win wind window wine wing winter wire wisdom wise wish
    witch with within without witness woke wolf woman women won won't wonder wonderful wood wooden
    wool word wore work workday worker workflow workload workout works workshop world worries worth
    would wouldn wound wow wrap wreck write written wrong wrote yard yarn yeah year yellow yep yes
    yesterday yet yield yoga you you'll you're you've young younger your yourself youth zero zone
    zoo
"""
# Word endings that hardly any name has.
_ENDINGS = ("ing", "tion", "sion", "ness", "ment", "ity", "ology", "ically", "ously", "ization")
_SHORTEST_ENDING = 6
# Ordinary words that are given and family names too.
_ALSO_NAMES = frozenset(
    """art baker banks bell bishop black bond brook brown bush carter chase christian church cliff
    cook cooper crystal daisy dale dawn dean drew duke earl eve faith field fisher ford forest
    fox frank gene gold grace grant gray green hall harmony heath hill hope hunt hunter iris ivy
    jack jade jasmine jean joy king knight lane lark law lee lily lord love major mark marsh mason
    may melody miles miller moore olive page park parker pat pearl penny peter piper poppy porter
    price ray reed reid rich river robin rock rod rose ruby rusty sage sandy savage shepherd
    sky smith star stone storm sue summer sunny swan taylor turner victor viola violet wade
    walker wall ward warren webb west white will winter wise wolf wood woods young""".split()
)


@cache
def _ordinary_stems() -> frozenset[str]:
    words = _ORDINARY.split()
    return frozenset(words) | frozenset(map(stem, words))


@lru_cache(maxsize=16_384)
def is_ordinary(word: str) -> bool:
    """Whether a lowercase word belongs to everyday language."""
    known = _ordinary_stems()
    if word in known or stem(word) in known:
        return True
    parts = word.split("-")
    if len(parts) > 1:
        return all(map(is_ordinary, filter(None, parts)))
    if word.endswith("ly") and is_ordinary(word.removesuffix("ly")):
        return True
    return len(word) >= _SHORTEST_ENDING and word.endswith(_ENDINGS)


def is_also_a_name(word: str) -> bool:
    """Whether a lowercase word, ordinary as it is, is what people are called too."""
    return word in _ALSO_NAMES
