"""Words that vocabularies hold whole, and fragments that words fall into.

Written by `scripts/list_frequent_words.py` out of the vocabularies of cl100k and o200k (MIT
licence): the words of four letters and more that both hold whole and that were put in early, and
the earliest fragments without a blank before them. They tell everyday English and code from names,
rare words and other languages in Latin letters, which take more tokens for as many letters.
"""

# fmt: off
FREQUENT_WORDS = frozenset(
    """
    abandon abandoned aber abilities ability able abort abortion about above abroad absence
    absolute absolutely absor abstract abund abuse acad academic acceler accept acceptable accepted
    access accessible accessories accident accom accommod accompany accompl accomplish accord
    accordance according account accounts accum accur accuracy accurate accused achie achieve
    achieved acid acknow acknowled acqu acquire acquired across acting action actions activ
    activate activated activation active actively activists activities activity actor actors acts
    actual actually adapt adapter added adding addition additional addr address addressed addresses
    adds adjust admin administr administration administrative admit admitted adopt adopted adult
    adults advance advanced advant advantage advantages advent adventure advert advertis
    advertising advice advis advoc affairs affect affected affects affili affiliate afford
    affordable afraid after afternoon again against aged agencies agency agenda agent agents ages
    aggress aggressive agre agree agreed agreement agreements agricult ahead aimed aims aircraft
    airport alarm album alcohol alert algorithm alias alien align alignment alive alla alle alleg
    allegations alleged allegedly allies alloc allocate allocated allow allowed allowing allows
    almost alone along alongside alpha already also alter altern alternative although always
    amateur amazing amid among amount amounts ampl analy analys analysis analyst anchor ancient
    android androidx anger angle angry angular anim animal animals animated animation anime
    anniversary anno annotation announce announced announcement annual anonymous another answer
    answered answers anth anti antib anticip anxiety anybody anymore anyone anything anyway
    anywhere apart apartment apolog apparent apparently appe appeal appear appearance appeared
    appears append appl applic applicable application applications applied applies apply applying
    appoint appointed appointment appreciate appro approach approaches appropri appropriate
    approval approved approx approximately apps arbit arch architect architecture archive area
    areas aren argc argparse args argue argued argument arguments argv aria armed armor arms army
    around arrang array arrays arrest arrested arrival arrive arrived arrow article articles
    artificial artist artists arts aside asked asking asks aspect aspects assault assembly assert
    assess assessment asset assets assign assigned assignment assist assistance assistant associ
    associate associated association assum assume assumed assumes astr async athletes atmos
    atmosphere atom attach attached attachment attack attacked attacking attacks attempt attempted
    attempting attempts attend attended attention attitude attorney attr attract attractive attrib
    attribute attributes attrs auch auction audience audio auth authentic authentication author
    authorities authority authorized authors auto autom automatic automatically availability
    available avatar avec aver average avoid await award awarded awards aware awareness away
    awesome axios axis baby back backed backend background backup bacter bags bake balance ball
    balls band bands bank banking banks banned bare barely barrel barrier bars base baseball based
    bases basic basically basis basket basketball bass batch bath bathroom batt batter battery
    battle beach bean bear bearing beat beaut beautiful beauty became because become becomes
    becoming bedroom been beer before began begin beginning begins begun behalf behavior behaviour
    behind being beings belie belief beliefs believe believed believes belong belongs below belt
    bench bene benef benefit benefits best beta better between beyond bias bien bigger biggest bike
    bill billion bills binary bind binding bird birds birth birthday bitcoin bite bitmap bits black
    blame blank blast blend bless blind block blockchain blocked blocking blocks blog blood blow
    blue board boards boat bodies body bold bomb bond bone bonus book booking books bool boolean
    boost boot border born borrow boss both bother bott bottle bottom bought bound boundaries
    boundary bounds bowl boxes boys brain branch branches brand brands bread break breakfast
    breaking breaks breast breath brew bridge brief bright brill brilliant bring bringing brings
    broad broadcast broke broken broker brother brothers brought brown brows browser brush brut
    buck bucket budget buff buffer bugs build builder building buildings builds built bulk bull
    bullet bunch bund bundle burden burn burning burst business businesses bust busy butter button
    buttons buyers buying byte bytes cabin cabinet cable cache cached cada cake calc calcul
    calculate calculated calculation calendar call callback called caller calling calls calm came
    camera cameras camp campaign campaigns campus cancel cancell cancer candid candidate candidates
    cann cannabis cannot cant canvas capabilities capability capable capac capacity capital caps
    capt caption capture captured carbon card cards care career careful carefully carried carrier
    carry carrying cars cart case cases cash casino caso cast casual catalog catch categor
    categories category cats caught cause caused causes causing ceiling cele celebr celebrate cell
    cells cent center centers central centre century ceremony cert certain certainly certificate
    certified cette chain chair chairman chall challeng challenge challenges challenging champion
    championship chance chances chang change changed changes changing channel channels chapter char
    character characteristics characters charg charge charged charges charging charity chars
    charset chart chat cheap cheaper check checked checking checks cheese chem chemical cher chest
    chicken chief child childhood children chip chocolate choice choices choose choosing chose
    chosen chrom chronic chunk church circ circle circuit circum circumstances cited cities citiz
    citizen citizens city civil claim claimed claiming claims clang clar class classes classic
    classified clause clean cleaning cleanup clear cleared clearly click clicked clicking client
    clients clim climate clin clinical clip clock clone clos close closed closely closer closest
    closing closure clothes clothing cloud club clubs cluster coach coal coast coat code codes
    coding coeff coff coffee cogn coin coinc coins cold coll collabor collaboration collapse colle
    colleagues collect collected collection collections collective college collision colon color
    colors colour cols colspan column columns comb combat combination combine combined combo come
    comedy comes comfort comfortable comic coming comm command commands comme comment comments
    commercial commission commit commitment committed committee common commonly communic
    communicate communication communications communities community como comp compact compan
    companies companion company compar compare compared comparison compat compatible compens
    compensation compet compete competition competitive compile compiled compiler compl complaint
    complaints comple complement complet complete completed completely completion complex
    complexity compliance complicated component components composition compr compreh comprehensive
    comput compute computer computers conc conce concent concentr concentration concept concepts
    concern concerned concerning concerns concert concluded conclusion concrete cond condem
    condition conditions conduct conducted cone conf conference confidence confident config
    configuration configure configured confirm confirmation confirmed conflic conflict confront
    confused confusion congress conj conn connect connected connecting connection connections cons
    consc conscious consent consequ consequences conserv conservative consider consideration
    considered considering consist consistent consistently consists console conspir const constant
    constantly constants constexpr constit constitution constr constraint constraints construct
    constructed construction constructor consult consum consumer consumers consumption cont contact
    contacts contain contained container containing contains contemporary content contents contest
    context contin continu continue continued continues continuing continuous contr contract
    contracts contrad contrast contrib contribute contributed contribution contributions
    contributors control controlled controller controls controvers controversial conv conven
    convenience convenient convent convention conventional conver convers conversation
    conversations conversion convert converted convey convicted convin convinced cook cookie
    cookies cooking cool cooper cooperation coord coordinate coordinates copied copies copy
    copyright cord core corn corner coron corpor corporate corre correct correctly correspond
    corresponding corrupt corruption cort cost costs could couldn coun council counsel count
    counter countries country counts county coup couple couples cour course courses court courts
    cout cover coverage covered covering covers crack craft crash crate crazy cream creat create
    created creates creating creation creative creator creature creatures cred credentials credit
    credits cref crew crime crimes criminal crisis crit criteria critic critical criticism critics
    crop cross crow crowd cruc crucial crush crusher crushing crypt crypto cryptoc cult cultural
    culture curious curl curr currency current currently cursor curve cust custom customer
    customers cute cuts cutting cyber cycle daily damage damaged dance danger dangerous dans dark
    dass data database datas dataset date dates datetime dating datos daughter days dead deadline
    deal dealing deals death deaths debate debt debug debut decade decades decent decide decided
    decimal decision decisions deck decl declar declaration declarations declare declared decline
    declined decode decor decoration decre decrease dedicated deep deeper deeply default defaults
    defe defeat defect defence defend defense defensive defer define defined defines definitely
    definition definitions degree degrees delay delayed deleg delegate delet delete deleted deliber
    delicious delight deliver delivered delivery della delta demand demands demo democr democracy
    demon demonstr demonstrate demonstrated dengan denied density dent deny depart department
    depend dependencies dependent depending depends deploy deposit depression depth deriv derived
    desc describe described describes describing description descriptor desde deserve design
    designed designer designs desire desired desk desktop desper despite dess dest destination
    destroy destroyed destruct destruction detail detailed details detect detected detection deter
    determin determine determined devast develop developed developer developers developing
    development device devices diabetes diagn diagnosis diagnostic diagram dialog dialogue diam
    diameter diamond dice dict dictionary didn died dies diet diff differ difference differences
    different differently difficult difficulty digest digit digital digits dimension dimensions
    dining dinner dipl dire direct directed direction directions directly director directory dirty
    disable disabled disag disappe disappoint disaster disc discipl disclaimer discount discover
    discovered discovery discrimination discuss discussed discussion discussions dise disease
    diseases dish disk dismiss disorder disp dispatch display displayed displays diss dist distance
    distinct distingu distr distrib distribute distributed distribution district divers diverse
    diversity divide divided division django doctor doctors document documentation documents does
    doesn dogs doing doll dollar dollars domain domestic domin done donne dont door doors dose doub
    double doubt down download downtown dozen dozens draft drag dram drama dramatic draw drawing
    drawn dream dreams dress drink drinking drinks drive driven driver drivers drives driving drop
    dropdown dropped drops drove drug drugs dtype dual dummy dump duplicate duration durch during
    dust duties duty dying dynam dynamic each earlier early earn earned earth ease easier easily
    east easy eating echo econ econom economic economy edge edges edit edited editing edition
    editor educ education educational effect effective effectively effects efficiency efficient
    effort efforts eggs eight eine einem einen einer either elder elect elected election elections
    electric electrical electricity electron electronic eleg elem element elements elev elif elig
    eligible elim eliminate elite else elseif elsewhere email emails embed embedded embr emerg
    emerged emergency emissions emit emot emotion emotional emotions emph emphas employ employed
    employee employees employer employers employment empty enable enabled enables encode encoded
    encoding encontr encounter encountered encour encourage encouraged ended endif ending endl
    endorse endpoint ends enemies enemy energ energy enforcement engage engaged engagement engaging
    engine engineering engines enhance enjoy enjoyed enjoying enorm enormous enough ensure ensuring
    enter entered entering enterprise entert entertainment enthusi entire entirely entities
    entitled entity entr entrance entre entreprene entries entry enum enumer enumerate environment
    environmental environments episode episodes epoch equal equality equally equals equipment
    equipped equivalent error errors escape eslint especially essay essays essential essentially
    esta establish established establishment estate este estim estimate estimated estimates ethnic
    euro eval evalu evaluate evaluation even evening event events eventually ever every everybody
    everyday everyone everything everywhere evid evidence evil evolution exact exactly exam examine
    example examples exceed excell excellent except exception exceptions excess exchange excited
    exciting exclude exclus exclusive exec execute executed execution executive exem exerc exercise
    exercises exhaust exhib exist existence existing exists exit expand expanded expansion expect
    expectations expected expecting expense expenses expensive exper experi experience experienced
    experiences experiment experimental experiments expert expertise experts expl explain explained
    explains explan explanation explicit explicitly explo explode explore explos export exports
    exposed exposure expr express expressed expression extend extended extends extension extensions
    extensive extent extern external extr extra extract extrem extreme extremely eyes fabric face
    facebook faced faces facilit facilities facility facing fact factor factors factory facts
    faculty fade fail failed failing fails failure fair faire fairly fait faith fake fall fallen
    falling falls false familiar families family famous fans fant fantastic fantasy fare farm
    farmers fasc fashion fast faster fatal father fault favor favorite favour favourite fear feat
    feature featured features featuring fecha federal feed feedback feel feeling feelings feels
    fees feet fell fellow felt female femin femme fert fest festival fetch fewer fiction field
    fields fifth fight fighting figure figures file filed filename files fill filled filling film
    films filter filtered filters final finally finance financial find finding findings finds fine
    finger fingers finish finished fire firebase fired firing firm firms first fiscal fish fishing
    fitness fits five fixed fixture flag flags flash flask flat flav flavor flex flexible flight
    flip float floating flood floor flour flow flower flowers fluid flush flying fname focus
    focused focusing fold folder folks follow followed followers following follows fond font food
    foods foot footage football fopen force forced forces fore foreach forecast foreign forest
    forever forg forget fork form forma formal format formation formats formed former forms formula
    fort forth forum forward fought found foundation founded founder four fourth fprintf fraction
    frag fragment frame frames framework fran franch franchise fraud frauen free freedom freq frequ
    frequency frequent frequently fresh friend friendly friends from front frozen fruit frustr fuel
    fulfill full fully func function functional functionality functions fund fundament fundamental
    funding funds funny furn furniture further future gain gained gains gall gallery game games
    gaming gamma gang garage gard garden gate gather gathered gathering gave gear gender gene gener
    general generally generate generated generation generations generator generic genes genetic
    genre gent gentle genu genuine geometry gest gets getting ghost giant gift gifts girl
    girlfriend girls give given gives giving glad glass glob global glyphicon goal goals goes going
    gold golden golf gone gonna good goods google goto gotten gover govern governing government
    governments governor grab grace grad grade gradient graduate gram gran grand grant granted
    graph graphic graphics grass grat gratis gratuit gray great greater greatest greatly green grep
    grew grey grid grinding gross ground grounds group groups grow growing grown growth guar
    guarante guarantee guaranteed guard guess guest guests guid guidance guide guidelines guilty
    guitar guns guys haben habit hack hadn hair half hall hand handed handful handle handled
    handler handles handling hands hang hanging happ happen happened happening happens happiness
    happy hard harder hardly hardware harm harmon hash hasn hate have haven having head headed
    header headers heading heads healing health healthcare healthy heap hear heard hearing heart
    hearts heat heav heaven heavily heavy height held hell help helped helper helpful helping helps
    hence here hereby hero heroes hers herself hidden hide hier high higher highest highlight
    highlights highly himself hint hire hired hist histor historic historical history hits hitting
    hold holder holding holds hole holes holiday home homeless homes honest honor hook hope
    hopefully hopes hoping horizontal horm horn horror horse hosp hospital host hosted hosting
    hosts hotel hour hours hous house household houses housing hover however href html http https
    huge human humanity humans hundred hundreds hung hunt hunting hurt husband hydro hyper hypo
    icon idea ideal ideas ident identical identification identified identifier identify identity
    ignore ignored ikke illegal illness illustr imag image images imagine immediate immediately
    immigr immigrants immigration immune impact imper impl implement implementation implemented
    implements implicit implied import importance important importantly imports impossible impr
    impress impression impressive impro improve improved improvement improvements improving inbox
    incent inch inches incident incl includ include included includes including income incoming
    incontri incor incorpor incorrect incre increase increased increases increasing increasingly
    incred incredible incredibly increment inde indeed indent independ independent index indic
    indicate indicated indicates indicating indicator indices indiv individ individual individuals
    indu industrial industries industry inev infection infl inflater influ influence info inform
    information informed infrastructure ingredients inher inhib init initi initial initialization
    initialize initialized initially initiative inject injured injuries injury inline inner innoc
    innov innovation innovative input inputs insert inserted inside insight inspir inspiration
    inspired inst install installation installed instance instanceof instances instant instantly
    instead instit institution institutions instr instruct instruction instructions instrument
    insurance intake integ integer integr integrated integration integrity intel intellect
    intellectual intelligence intended intense intensity intent intention inter interact
    interaction interactions interactive interest interested interesting interests interface
    interior intern internal international internet interpol interpre interpret interpretation
    interrupt intersection interval intervention interview interviews intim into intr intro introdu
    introduce introduced introduction invalid invent inventory invest investig investigate
    investigation investment investments investors invite invited invoke invol involve involved
    involvement involves involving iron isinstance island isol isset issue issued issues item items
    iter iteration iterator itself jail java javafx javax jest jobs join joined joining joint joke
    jour journal journalist journalists journey json judge judgment juice jump jury just justice
    justify kann keep keeping keeps kept kernel keyboard keys keyword keywords kick kids kill
    killed killing kind kinds king kiss kitchen knee knew knife knock know knowing knowledge known
    knows kont kosten kotlin kwargs label labels labor labour lack ladies lady laid lake lambda
    land landing lands landscape lane lang language languages laptop larg large largely larger
    largest laser last late later latest latitude latter laugh launch launched laws lawsuit lawyer
    lawyers layer layers layout lazy lead leader leaders leadership leading leads leaf league lean
    learn learned learning least leather leave leaves leaving lect left legacy legal legend legis
    legisl legislation legit legitimate legs lemma length lens lesb less lesson lessons lets letter
    letters letting level levels liberal libert libraries library license licensed licenses lies
    life lifestyle lifetime lift light lighting lights like liked likely likes limit limitation
    limitations limited limits line linear lines link linked links lips liqu liquid list lista
    listed listen listener listening listing lists liter literally literature little live lived
    lives living load loaded loader loading loads loan loans lobby local locale located location
    locations lock locked logged logger logging logic logical login logo logout logs lombok long
    longer longest longitude look looked looking looks lookup loop loose lose losing loss losses
    lost lots loud love loved lovely loves loving lower lowest luck lucky lunch lung luxury lying
    mach machine machines macro made magazine magic magn mail main mainly mainstream maint maintain
    maintained maintaining maintenance mais major majority make makes making male malloc manage
    managed management manager managers managing mand mandatory manifest manip manner manual
    manually manufact manufacturer manufacturers manufacturing many mapping maps march marg margin
    mari marijuana mark marked marker market marketing markets marks marriage married mask mass
    massage massive mast master match matched matches matching material materials math mathematic
    matplotlib matrix matter matters mature maximum maybe mayor meal meals mean meaning meaningful
    means meant meas measure measured measurement measurements measures meat mechan mechanical
    mechanism media median medic medical medicine medium meet meeting meetings meets mehr member
    members membership memcpy memo memor memories memory memset meng mens ment mental mention
    mentioned menu merc merch mere merely merg merge mesh mess message messages meta metab metadata
    metal meter meters meth method methods metric metrics micro middle might migr migration
    migrations mild mile miles milit military milk mill million millions mind minds mine mini minim
    minimal minimum mining minister minor minority minute minutes mirror miss missed missing
    mission mist mistake mistakes mixed mixture mobile mock modal mode model models moder modern
    modes modification modified modifier modify module modules moist moment moments money mongoose
    monitor monitoring monster mont month monthly months mood moon moral more morning mort mortgage
    most mostly mother motion motiv motor mount mountain mounted mouse mouth move moved movement
    movements moves movie movies moving much mult multi multip multiple municip murder muscle music
    musical must myself mysql mysqli myst mystery myth nach name named names namespace narr
    narrative narrow nation national nations native natur natural naturally nature navbar navigate
    navigation near nearby nearly necess necessarily necessary neck need needed needs negative
    neighbor neighborhood neighbors neighbour neither nerv nervous nest network networks neur neuro
    neutral never newly news newsletter newsp newspaper next nice nicht nick niet night nights nine
    nobody noch node nodes noexcept noise nombre nome nonatomic none norm normal normalize normally
    north northern nose note noted notes nothing notice noticed notification notifications notify
    notion nous novel nuclear null nullable nullptr number numbers numer numero numerous numpy nums
    object objective objects oblig observ observation observe observed observer obst obtain
    obtained obtaining obvious obviously occas occasion occasionally occup occur occurred occurs
    ocean odds oder offense offensive offer offered offering offers offic office officer officers
    offices official officially officials offset often okay older once onclick ones ongoing online
    only onto opacity open opened opening opens oper operate operating operation operations
    operator operators opin opinion opinions oppon opponent opponents opportunities opportunity
    oppos opposed opposite opposition optim optimal option optional options opts oral orange order
    ordered ordering orders ordinary organ organic organis organisation organization organizations
    organized orient orientation orig origin original originally orphan other others otherwise
    ought ours ourselves outcome outcomes outdoor outer outline output outputs outr outs outside
    outstanding over overall overcome overflow override overs overse overwhel overwhelming owned
    owner owners ownership pace pack package packages packed packet padding page pages paid pain
    paint painting pair pairs pand pandas panel panels panic paper papers para paragraph parallel
    param parameter parameters params parent parents park parking parliament pars parse parsed
    parser parsing part parte partial partic particip participants participate participation
    particle particles particular particularly parties partition partner partners partnership parts
    party pass passage passed passengers passes passing passion password past patch path paths
    patient patients pattern patterns pause paying payload payment payments pays peace peak peer
    penalty pending pens pent people percent percentage perception perf perfect perfectly perform
    performance performed performing perhaps period periods perm perman permanent permission
    permissions permit permitted pero perpet pers persist person personal personality personally
    personnel persons perspective pert petition pharm phase phen phenomen phil philosoph philosophy
    phone phones phot photo photograph photos phrase phys physical physically physics pick picked
    picking pickle picks pics picture pictures piece pieces pier pill pilot pink pipe pipeline
    pitch pixel pixels pizza place placed placeholder placement places plain plan plane planet
    planned planning plans plant plants plastic plate platform platforms play played player players
    playing playoff plays please pleased pleasure plenty plot plug plugin plugins plus pocket
    podcast point pointed pointer pointing points poison poker polic police policies policy polit
    political politicians politics poll polls poly pool poor popular popularity population
    populations popup port portable portfolio portion portions ports pose posit position positions
    positive poss possess possession possibility possible possibly post posted poster posting posts
    potential potentially pounds pour poverty powder power powered powerful powers pract practical
    practice practices prayer prec preced precis precision pred predict predicted prediction
    predictions pref prefer preference preferences preferred prefix preg pregn pregnancy pregnant
    prem premier premium prep prepar preparation prepare prepared preparing pres prescription
    presence present presentation presented presents preserve president presidential press pressed
    pressure prest presum pret pretty prev prevent preview previous previously price prices pricing
    pride prim primarily primary prime princip principal principle principles print printed printer
    printf printing println prior priority prison priv privacy private privile prize prob
    probability probably probe proble problem problems proc proced procedure procedures proceed
    process processed processes processing processor prod produ produce produced producer produces
    producing product production products prof profession professional professionals professor
    profile profiles profit profits program programme programming programs progress progressive
    prohib proj project projection projects prom prominent promise promised promises promot promote
    promoting promotion prompt pron proof prop propag proper properly properties property
    proportion propos proposal proposed propri props pros prosec prospect prostit prostitutas prot
    prote protect protected protecting protection protein protest protests proto protocol proud
    prov prove proved proven provid provide provided provider providers provides providing province
    provision provisions prox proxy psych pthread public publication publicly publish published
    publisher publishing pued puede pull pulled pulling pump punch purch purchase purchased
    purchasing pure purpose purposes purs pursue push pushed pushing puts putting pygame python
    qual qualified quality quant quantity quarter quarterback queries query quest question
    questions queue quick quickly quiet quit quite quote quotes race races racial racing radi
    radical radio radius rail rain rais raise raised raising rally ramp rand random range ranges
    rank ranked ranking ranks rapid rapidly rare rarely rate rated rates rather rating ratings
    ratio reach reached reaching react reaction read reader readers reading readonly reads ready
    real reality realize realized really realm rear reason reasonable reasons recall rece receipt
    receive received receiver receives receiving recent recently reception recipe recipes recipient
    recogn recognition recognize recognized recomm recommend recommendations recommended recon
    record recorded recording records recover recovery recre recruit rect rectangle redirect redis
    redistribute redu reduce reduced reducing reduction refer reference references referred
    referring refers reflect reflection reform refr refresh refuge refugees refund refused regard
    regarding regardless regex regime region regional regions register registered registr
    registration registry regret regul regular regularly regulation regulations regulatory rein
    reject rejected related relating relation relations relationship relationships relative
    relatively relax rele release released releases relevant reli reliable relief relig religion
    religious reload rely remain remained remaining remains remark remarkable remember remote
    removal remove removed removing rencontre rend render rendered renderer rendering renew rent
    rental repair repe repeat repeated repeatedly repl replace replaced replacement replied reply
    repo report reported reportedly reporter reporters reporting reports repository represent
    representation representative represented representing represents reprodu reproduce reputation
    requ request requested requests require required requirement requirements requires requiring
    resc rescue research researchers reserv reserve reserved reset resid residence resident
    residential residents resist resistance resize resolution resolve resolved resort resource
    resources resp respect respective respectively respond responded respons response responses
    responsibility responsible rest restart restaur restaurant restaurants restore restr restrict
    restricted restriction restrictions result resulted resulting results resume retail retain
    retire retired retirement retrieve retro retry return returned returning returns retval reve
    reveal revealed reveals revel reven revenue revers reverse review reviewed reviews revis
    revolution reward rewards rewrite rice rich ride riding right rights ring rise rising risk
    risks rival river road roads robot robust rock rocks role roles roll rolled rolling roof room
    rooms root roots rose roster rotate rotation rough roughly round rounded rounds rout route
    router routes routine rows rubber rule ruled rules ruling runner running runs runtime rural
    rush rust sacr safe safely safety said salary sale sales salt same sample samples sand sanit
    sans satisf satisfied sauce save saved saving savings saying says scala scalar scale scan scanf
    scanner scar scen scenario scene scenes sched schedule scheduled schema scheme scholar school
    schools science scient scientific scientists scope score scored scores scoring scrap scratch
    scre screen screening screens screw script scripts scroll sealed search searching season
    seasons seat seats second secondary seconds secre secret secretary section sections sector
    secure security seed seeds seeing seek seeking seem seemed seemingly seems seen sees segment
    segments sein seks select selected selection selector self sell seller selling semi send sender
    sending sends senior sens sense sensitive sensor sent sentence sentences separ separate
    separated sequ sequence serial serializer series serious seriously serv serve served server
    servers serves service services serving sess session sessions sesso sets sett setting settings
    settled settlement setup seven sevent sever several severe shader shadow shall shame shape
    shapes share shared shares sharing sharp sheet shell shelter shield shift ship shipping ships
    shirt shock shoes shoot shooting shop shopping shops short shortly shot shots should shoulder
    shouldn show showed shower showing shown shows shut sich sick side sides sight sigma sign
    signal signals signature signed signific significant significantly signing signs silence silent
    silver similar simp simpl simple simply simulation simult since sind sing singer single singles
    sink sist sister site sites sits sitting situ situation situations size sizeof sizes skill
    skills skin skip sklearn slave slee sleep sleeping slic slice slide slider slides slight
    slightly slip slot slots slow slowly small smaller smart smartphone smell smile smoke smoking
    smooth snap snapshot snow sobre soccer soci social society sock socket soft software soil solar
    sold soldiers sole solely solid soll solo solution solutions solve solving some somebody
    somehow someone something sometimes somewhat somewhere song songs sono sont soon soph sorry
    sort sorted sorts sought soul sound sounds soup sour source sources south southern space spaces
    span spark spawn speak speaker speakers speaking speaks spec special species specific
    specifically specified specify spect spectrum speech speed spell spend spending spent spin spir
    spirit spiritual split spoke spoken spokes spokesman spons sport sports spot spots spray spread
    spring sprintf sprite sqlite sqrt squad square stability stable stack staff stage stages stake
    stamp stand standard standards standing stands star stars start started starting starts startup
    stat state stated statement statements states static station stations statist statistics stats
    status stay stayed staying stdout stead steam steel stem step steps ster stere stick still stim
    stir stmt stock stocks stolen stom stomach stone stood stop stopped stopping stops storage
    store stored stores stories storm story straight strange strateg strategic strategies strategy
    strcpy stre stream streaming streams street streets strength strengthen stress stretch strict
    stride strike strikes striking string strings strip strlen stroke strong stronger strongly
    struck struct structure structures strugg struggle struggling stub stuck stud student students
    studied studies studio study studying stuff stunning stupid style styled styles subject
    subjects submission submit submitted subs subscribe subscription subsection subsequent
    substance substant substantial substr succ succeed success successful successfully such suck
    sudden suddenly suff suffer suffered suffering sufficient suffix sugar suggest suggested
    suggesting suggestions suggests suicide suit suitable suite summary summer super superior
    supplement supplied supplier suppliers supplies supply support supported supporters supporting
    supports suppose supposed sure surely surf surface surg surge surgery surpr surprise surprised
    surprising surround surrounded surrounding surv surve surveillance survey surviv survival
    survive susp suspect suspended sust sustain sustainable swap sweet swim swing switch sword
    symbol symbols sympt symptoms sync synchron synchronized synd syntax system systems table
    tables tablet tabs tack tackle tact tags tail take taken takes taking talent talented talk
    talked talking talks tall tamb tang tank tape target targeted targets task tasks taste taught
    taxes taxp teach teacher teachers teaching team teams tear tech techn technical technique
    techniques technologies technology teen teeth tele telephone television tell telling tells temp
    temper temperature temperatures template templates tempor temporary tend tens tensor tent term
    termin terminal terms terr terrible territory terror terrorist test tested testing tests text
    texts texture thai than thank thanks that their them theme themes themselves then theory ther
    therapy there therefore these thesis theta they thick thin thing things think thinking thinks
    third this thorough those though thought thoughts thous thousand thousands thread threads
    threat threatened threats three threshold threw through throughout throw throwing thrown throws
    thus tick ticket tickets tied ties tight tile tiles till time timeout timer times timestamp
    timing tiny tipo tips tired tissue title titles toast today todo todos together toggle token
    tokens told toler tomorrow tone tong tonight tons took tool tools topic topics torch torn tort
    total totally touch tough tour tournament tout toward towards tower town toxic toys trab trace
    track tracking tracks trad trade trading tradition traditional traff traffic trail trailer
    train trained training trait trans transaction transactions transf transfer transferred
    transform transformation transition transl translate translation transmission transparent
    transport transportation trap trash trav travel traveling treat treated treatment treatments
    tree trees trem trend trends trial trials triangle trib trick tried tries trigger triggered
    trim trip trips troops trop troub trouble truck true truly trust trusted truth trying tube
    tuple turn turned turning turns tutorial tweet twenty twice twitter type typedef typename
    typeof types typical typically typing uint ultimate ultimately unable uncert undefined under
    underlying underst understand understanding understood undert unexpected uniform union unique
    unit units unittest univers universal universe universities university unknown unless unlike
    unlikely unlock unsafe unset unsigned unter until untuk unus unused unusual upcoming update
    updated updates updating upgrade upload uploaded upon upper upset urban usage used useful user
    username users uses using usize usual usually usuario util utility utils utter uuid vacation
    vacc valid validate validation validator valor valuable value values vari variable variables
    variant variation variety various vars vary vast vector vectors veget vehicle vehicles velocity
    vend vendor vent venue verb verbose verification verify vers version versions versus vert
    vertex vertical vertices very vess veter veteran viagra vibr vice vict victim victims victory
    vide video videos view viewed viewers viewing views vill village viol violation violence
    violent virt virtual virtually virus visible vision visit visited visiting visitor visitors
    visits visual vital voice void volatile volt voltage volume volunte volunteers voor vote voted
    voters votes voting votre vous vrou vulner vulnerable wage wages wait waiting wake walk walked
    walking walks wall wallet walls want wanted wanting wants warm warn warned warning warnings
    warrant warranty wash wasn waste watch watched watching water waters wave waves ways weak
    weakness wealth weapon weapons wear wearing weather website websites wedding week weekend
    weekly weeks weigh weight weights weird welcome welfare well wenn went werden were weren west
    western what whatever wheel wheels when whenever where whereas whether which while white whites
    whole whom whose wide widely wider wides widget width wife wild will willing wind window
    windows wine wing winner winning wins winter wird wire wireless wiring wish with withdraw
    within without witness woman women wonder wonderful wondering wood wooden word words work
    worked worker workers working works world worldwide worried worry worse worst worth would
    wouldn wrap wrapped wrapper wrest writ write writer writers writes writing written wrong wrote
    yang yard yards yeah year years yellow yesterday yield young younger your yours yourself youth
    zero zeros zijn zone zoom
    """.split()
)
FRAGMENTS = frozenset(
    """
    ab abel able ac ace ach ache ack ackage act action ad add ade ader ag age ager ages ah ail ain
    ainer ains aint air ait aj ak ake aking al ale alk all ally als alse alth alue am ame ames amp
    ample an anc ance and ang ange ank ann ans ant ants ap aph app ar aram arch ard are ared arent
    arg arget ark arn arr array ars art ary as ase ased ash ask ason ass assword ast at ata atch
    ate ated ateg ater ates ath ather atic ating ation ational ations ative ator ats att atter
    ature atus ault av ave aw ax ay ayer ayout ays az back be ber bers bject ble bo br bs by ca
    cause cc ccess ce cent cept ception ces cess ch char che cho ck cl class clud clude co code com
    con cond config const cont content count cre cri cript ct ction data date day dd de def define
    der div du duct ear ec ect ected ector ed ef eg eger ek el eld elf ell elp else ely em ember
    ement en ename enc ence end ender ends ene ener eng ength ens ense ent enter ents enu ep er ere
    ern err error ers ersion erson ert erty erv ervice ery es ess essage ession est et eta etail
    eter eth ethod ets ew ex export ext ey face fe fer ff ffect fig file fl fo fore form fr from ft
    fter ful ge ger get gh gr gram ground he heck her ht html http ia ial ian ib ible ic ical ice
    icense ices ich ick icon ics ict id idd ide ident ideo ider idth ie ied ield ience ient ier ies
    iew if ife ific ified ify ig igh ight ign igned ik il ild ile ility ill ily im image ime imes
    img import in inal ince include ind index indow indows ine ined ines iness ing ings ink input
    ins int io ion ions ious ip ir ire irect irst is ise ish ision iss ist ister ists it itch ite
    ited item ith itial ities ition itle itor its itt ity iv ivate ive iver ivers ives ivity ix iz
    ize ized ject ke key label land lass ld le lear lease lect lection led leg lement ler les less
    let lete li lic lick lient line lish list ll lo load loat lob loc lock log lose ly ma man mand
    mary ment ments mer min miss mit ml mon mp ms name nc nd nder ne nection ner new ng ning not nt
    ob object oc ock ocument od ode odel odule ody of off og oid oint ok oken ol old ole olean oll
    ollow olog olor olum olumn om ome on one ong ont ood ook ool oot op ople opy or ord order ore
    org ork orld orm orn ors ort ory os ose ost ot ote other ott ou ouble ough ould oun ound ount
    our ource ous ouse out ov ove ow ower own pace package pan par param pe pec pect per ph php pl
    plate play ple pon ponent ponse port pos pp pr pre press print pro ps pt ption ptions pty
    public put px ql qu qual que query quest quire ra raph raw rawing rc re read reak ream reat
    reate red ree ref reg rem ren res ress result return ri rib rid ride right rint rit rite ro
    roid rol roll roller rom rop rou rough round roup row rows rr rray rror ry se search select
    self ser set sh so sole son span ss st stance std str string struct sum summary td te tem ter
    test text th the ther thing this til time ting tn to ton tp tr trans trib tring true try ttp
    turn ty type ual ually ub ublic uc uch uck uct ud ude ue ues uf uff ug uild ul ular ule ull ult
    um umber ument ump un unc unction und up ur ure ures uring url urn urre urrent urs us use user
    ush using uss ust ustom ut ute uth uthor util ution uto utton val valid value var ve vel velop
    ven vent ver vert very vice vid view void ward ware we ween wh wn wo word work ww yle ym yn ync
    yp ype ypes ys yst ystem
    """.split()
)
