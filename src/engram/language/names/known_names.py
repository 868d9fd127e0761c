"""Names that most readers know: given names, places, organisations, days and peoples."""


def _listed(names: str) -> frozenset[str]:
    return frozenset(" ".join(name.split()) for name in names.split(","))


GIVEN_NAMES = frozenset(
    """aaron abby abdul abigail ada adam adrian agnes ahmed aisha alan albert alberto alejandro
    alex alexander alexandra alexis alfred ali alice alicia alina alison allison amanda amber
    amelia amir amy ana anastasia andre andrea andrew andy angel angela angelina anita ann anna
    anne annie anthony antoine anton antonia antonio arjun arthur ashley audrey aurora ava
    barbara beatrice ben benjamin bernard beth betty bill billy bjorn bob bobby brad brandon
    brenda brian bruce bryan caleb calvin cameron camila carl carla carlos carmen carol
    carolina caroline catherine cecilia charles charlie charlotte chloe chris christian
    christina christine christopher cindy claire clara claudia colin connor craig curtis
    cynthia daniel daniela danielle danny darren dave david deborah debra dennis derek diana
    diane diego dmitri dominic donald donna doris dorothy doug douglas dylan eddie edgar
    eduardo edward eileen elaine elena eleanor eli elijah elisa elisabeth elizabeth ella ellen
    emilia emily emma eric erica erik erin esther ethan eva evan evelyn fatima felix fernando
    fiona florence frances francesca francis francisco fred frederick gabriel gabriela gary
    george gerald gina giovanni giulia glen gloria gordon greg gregory greta gustavo hannah
    hans harold harriet harry hassan hazel heather hector heidi helen helena henri henry
    hiroshi howard hugo ian ibrahim igor ingrid irene isaac isabel isabella ivan jackie jacob
    jake jamal james jamie jan jane janet janice jared jason javier jeff jeffrey jenna jennifer
    jenny jeremy jerry jesse jessica jessie jill jim jimmy joan joanna joe joel johan john
    johnny jolene jon jonas jonathan jordan jorge jose joseph josh joshua joyce juan juanita
    judith judy jules julian julie julien juliet june justin karen karim karina karl kate
    katherine kathleen kathy katie keith kelly ken kenneth kevin kim kimberly klaus kofi
    kristin kurt kyle lara larry lars laura lauren laurie lea leah lena leo leon leonard leslie
    liam lin linda lisa liz lois louis louise luca lucas lucia lucy luis luke lydia lynn maggie
    manuel marc marcel marco marcus margaret maria marie marina mario marisol marjorie marta
    martha martin martina mary mateo matilda matt matteo matthew maureen max maya megan mei
    melanie melissa mia michael michel michelle miguel mike mila mohamed mohammed molly mona
    monica morgan muhammad nadia nancy naomi natalia natalie natasha nate nathan neil nicholas
    nick nicolas nicole nikolai nina noah nora norman oleg olga oliver olivia omar oscar otto
    pablo pamela paolo patricia patrick paul paula pauline pavel pedro peggy philip phil pierre
    priya rachel rafael rahul ralph ramon raquel raymond rebecca regina renee ricardo richard
    rick rita rob robert roberta roberto rodrigo roger roland roman ron ronald rosa ross roy
    russell ruth ryan sabrina sally sam samantha samir samuel sandra sara sarah sasha scott
    sean sebastian sergei sergio seth shannon sharon sheila shirley silvia simon simone sofia
    sonia sonya sophia sophie stacy stanley stefan stella stephanie stephen steve steven stuart
    susan suzanne svetlana sylvia tamara tanya tara ted teresa terry thea theo theodore theresa
    thomas tim timothy tina todd tom tommy tony tracy tyler ursula valentina valerie vanessa
    vera veronica vicky victoria vincent viktor virginia vivian vladimir wanda wayne wendy
    wilhelm william xavier yasmin yuki yusuf yvonne zachary zoe""".split()
)
PLACES = _listed(
    """africa, alabama, alaska, albania, algeria, amsterdam, angola, antarctica, argentina,
    arizona, arkansas, armenia, asia, athens, atlanta, auckland, austin, australia, austria,
    azores, baghdad, bali, baltimore, bangalore, bangkok, bangladesh, barcelona, basel,
    bavaria, beijing, beirut, belarus, belfast, belgium, belgrade, berlin, bern, bilbao,
    birmingham, bogota, bolivia, bordeaux, boston, brazil, brighton, bristol, britain,
    brooklyn, brussels, bucharest, budapest, buenos aires, bulgaria, cairo, calgary,
    california, cambodia, cambridge, canada, cape town, caribbean, chennai, chicago, chile,
    china, cologne, colombia, colorado, connecticut, copenhagen, costa rica, croatia, cuba,
    cyprus, czech republic, dallas, damascus, delaware, delhi, denmark, denver, detroit, dubai,
    dublin, dubrovnik, ecuador, edinburgh, egypt, england, estonia, ethiopia, europe, finland,
    florence, florida, france, frankfurt, geneva, germany, ghana, glasgow, greece, greenland,
    guatemala, haiti, hamburg, hanoi, havana, hawaii, helsinki, hong kong, houston, hungary,
    iceland, idaho, illinois, india, indiana, indonesia, iowa, iran, iraq, ireland, israel,
    istanbul, italy, jakarta, jamaica, japan, jerusalem, johannesburg, kansas, kentucky, kenya,
    kiev, korea, krakow, kuala lumpur, kyiv, kyoto, lagos, las vegas, latvia, lebanon, leipzig,
    libya, lima, lisbon, lithuania, liverpool, ljubljana, london, los angeles, louisiana,
    luxembourg, lyon, madrid, maine, malaysia, malta, manchester, manhattan, manila, marseille,
    maryland, massachusetts, mediterranean, melbourne, mexico, mexico city, miami, michigan,
    milan, minneapolis, minnesota, mississippi, missouri, moldova, monaco, mongolia, montana,
    montreal, morocco, moscow, mumbai, munich, nairobi, naples, nebraska, nepal, netherlands,
    nevada, new delhi, new hampshire, new jersey, new mexico, new orleans, new york, new york
    city, new zealand, nice, nigeria, north carolina, north dakota, north korea, norway,
    oakland, ohio, oklahoma, ontario, oregon, osaka, oslo, ottawa, oxford, pakistan, palestine,
    panama, paris, patagonia, peru, philadelphia, philippines, pittsburgh, poland, porto,
    portland, portugal, prague, quebec, queensland, reykjavik, riga, rio de janeiro, romania,
    rome, rotterdam, russia, rwanda, salzburg, san antonio, san diego, san francisco, santiago,
    sao paulo, saudi arabia, scandinavia, scotland, seattle, senegal, seoul, serbia, seville,
    shanghai, shenzhen, siberia, sicily, singapore, slovakia, slovenia, sofia, somalia, south
    africa, south carolina, south dakota, south korea, spain, sri lanka, st. louis, stockholm,
    stuttgart, sudan, sweden, switzerland, sydney, syria, taipei, taiwan, tallinn, tanzania,
    tasmania, tehran, tel aviv, tennessee, texas, thailand, tibet, tokyo, toronto, toulouse,
    tunisia, turin, turkey, tuscany, uganda, uk, ukraine, united kingdom, united states,
    uruguay, usa, utah, utrecht, valencia, vancouver, vatican, venezuela, venice, vermont,
    vienna, vietnam, vilnius, wales, warsaw, washington, wisconsin, wyoming, yemen, yorkshire,
    zagreb, zambia, zimbabwe, zurich"""
)
ORGANIZATIONS = _listed(
    """accenture, adidas, adobe, airbus, alibaba, alphabet, amazon, amd, amnesty international,
    anthropic, apple, asus, at&t, bbc, bmw, boeing, bosch, bp, broadcom, canon, cern, cia,
    cisco, cnn, coca-cola, costco, deepmind, dell, deloitte, disney, ebay, epa, ericsson, esa,
    eu, european union, fbi, fda, ferrari, fifa, ford, gartner, gm, google, greenpeace,
    harvard, hitachi, honda, hp, hsbc, huawei, ibm, ieee, ikea, imf, intel, interpol, irs,
    jpmorgan, kpmg, lenovo, lg, linux foundation, mastercard, mcdonald's, mckinsey, mercedes,
    meta, microsoft, mit, mozilla, nasa, nato, nba, nestle, nfl, nhs, nih, nike, nintendo,
    nokia, novartis, nvidia, openai, oracle, oxfam, panasonic, pepsi, pfizer, philips, porsche,
    pwc, qualcomm, red cross, red hat, roche, samsung, sap, siemens, sony, spacex, stanford,
    starbucks, target, tesla, toyota, ucla, ucl, un, unesco, unhcr, unicef, united nations,
    visa, vmware, volkswagen, volvo, walmart, who, world bank, world health organization, wto,
    xerox, yahoo, yale"""
)
CALENDAR = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs
    fri sat sun january february march april may june july august september october november
    december jan feb mar apr jun jul aug sep sept oct nov dec christmas easter thanksgiving
    halloween hanukkah ramadan diwali passover spring summer autumn fall winter am pm utc gmt
    est pst cet q1 q2 q3 q4""".split()
)
PEOPLES = frozenset(
    """african american arab arabic argentinian asian australian austrian belgian brazilian
    british bulgarian buddhist canadian catholic chinese christian colombian croatian cuban
    czech danish dutch egyptian english ethiopian european filipino finnish french german greek
    hebrew hindi hindu hungarian icelandic indian indonesian iranian irish islamic israeli
    italian jamaican japanese jewish kenyan korean latin latino lebanese mandarin mediterranean
    mexican moroccan muslim nigerian norwegian persian peruvian polish portuguese protestant
    romanian russian scottish serbian slovak spanish swedish swiss syrian thai tibetan turkish
    ukrainian vietnamese welsh""".split()
)
