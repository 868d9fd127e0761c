"""Words of many languages that o200k alone holds whole; see `frequent_words.py`.

Written by `scripts/list_frequent_words.py` out of the vocabulary of o200k (MIT licence).
"""

# ruff: noqa: RUF001  # Cyrillic is meant where it looks like Latin
# fmt: off
FURTHER_WORDS = frozenset(
    """
    aamma aanb aand aang aange aans aantal abord abril absol absolut acab academ accent acceptance
    acceso accommodate accommodation accomp accompan accompanied accomplished accounting accred
    acesso ache achievement achter acomp acompanh acon aconte acord acordo acquisition acredit
    acres actividad actividades actress actu acuerdo adalah adap addiction additionally adecu
    además adequ adequate adjacent adjusted administer admission admissions adolesc adoption
    adventures advers advise advised aest afect afin afirm aggreg aggregate agora agosto agric agua
    agus ahora ainda ainsi aire ajust akan akka aktiv albums algo algu algumas algun alguna algunas
    algunos alguns alike aliment alimentos alleen allem allemaal allen aller allerg alles alors
    alta alternatives altijd alto alum aluminum além amaz ambient ambiente amen amend amenities
    amer american amet amigo amigos amin amongst amor anak analog analyt analytics analyze anche
    anda ander andere anderen anders andre ange anjeun annan anni announ annoy année années anos
    ante anterior antes antibi anunc anytime anyị anál apar apare apartments apenas aper aplic
    aplik apost appar appare appart appel appet appetite apple appli appliances applicants appr
    appreci appreciated appropr aprend aprender apresent april apro aprove aproxim après após
    aquell aquest aqui aquí arbe arbitr arena arom arqu arrange arranged arrangement arrangements
    arriv arrives arte artikel artistic artwork artículo aseg asist aspir asse assez assim assort
    assure assured atau atención atend ativ atrav através atrás attending attractions atual audi
    audit august aujourd aument aumento aunque aura ausge aussi authent automated automation
    automatis autonom autor autour autre autres avait aval avant avent avez avis avoir avons awọn
    ayaa ayuda años babies bacteria badan baik bail bajo bakal baking balanced balcon banc banda
    bang bann banner banyak bara bard barn barr bash bast bastante bate bater batteries beaches
    beam beans beaucoup beautifully beber beberapa bedrij bedrijf bedrooms beds beef beet begr
    behand behavi beho beide beiden beim bekend belang belangrijk bele bell belle beloved beneath
    benefici beneficial bent bepa bere bereits berm bers bert besch beschik besl beso besoin
    besonders besser beste besten betek beter betre bets betting bewe bezoek bhfuil bibli bied
    bieden biedt bieten bietet bijvoorbeeld bila bilan bild bile bilen binnen biological bisa biti
    blanc bland blev blij blijft blijven blir blogging blogs boek boiler bois bole bona bonne
    bonuses booked bookmark boots bord boring bottles bout boven brace brasile breat breathing
    breed brick brit bron browse browsers browsing brug bude buen buena buiten bureau burg busc
    busca buscar buyer både béné cabe cabo cade cadre café calidad calor calories camb cambio
    camping campo canal cancellation cand cantidad capacidad capaz cara caract caracter
    características cardi cargo caring carp carpet carr carre carries carro carte casa casi casinos
    casos catal cater caus causa caut ceil cela celebrated celebration celle celui cement centr
    centro centuries cerc cerca cere cerr certains certific certification ceux chairs cham chamb
    champ chan chap chaque charm charts chauff checkout cheer chef cheg chemicals chemistry chez
    chim chips chois choix chol choses christ chron chun chuy cialis cidade cient cikin cinco
    cinema circul circular ciudad claro classe classification classroom cleaned cliente clientes
    climb clinic closet cloth coaches coaching coisa coisas colabor collecting colleg colleges
    coloc colours combin combines combust coment comenz comer comerc comercial começ commun
    comparable compart compassion compañ competitors completa completing completo complic
    compliment comport compos composed compound compra comprar compress comprom compt compte
    computing compét comun comunic concer concl conclus condi condiciones conditioning condu conect
    confer confidential configur conform confort conhe conjunto conna conoc conocer conqu conse
    consecut consegu conseguir conservation consid considerable consolid constitu constru
    consultant consultation consulting consume consumo conta contacted containers contamin contar
    conte contem contempl conten contra contractor contrat contre contribut contro controle cooked
    cooling coordin copper corners coronavirus corpo corps corr cosa cosas cotton couch countless
    coupon coupons courage cours cous crear creativity cree cres crian crist cruise crushers
    cryptocurrency crystal crédit crít cual cualquier cuando cuatro cuenta cuer cuerpo cuid cuisine
    cultiv cultura cultures cumpl cups cure curios curriculum curs curso cush customize customized
    cycl cómo công côté cũng daar dabei dado dados dafür daga dagen daha dalam dalla damages damer
    damit dancing dank dann dapat dara darauf dare dari dash davon dazu dealer dear debe deben
    deber dece decid decir decis decreased dedic deel deemed defin definit degli deix dejar dela
    dele delighted delivering delivers dell delle dels demande denen denk denken denn denne denomin
    dental dentro departments deployment depo depois deport depos depuis deput dere derecho derni
    dernier dernière desarroll desarrollo descon descr describ dese desem desen desenvol
    desenvolvimento desert designated designers designing desp después dessa desta destac deste
    destin destinations destr detal determ determination determining dette deur deuts deux devant
    deve developments dever deze dial dias dich dici dien diese diesel diesem diesen dieser dieses
    difer diferente diferentes diffic difficulties différ différents dific difí difícil dign dijo
    dimin dina dinero ding dinheiro dins diplom dira direito direkt dirig dirt disability
    disappointed discip discipline discounts discr discre discussing diseño disfr dishes disorders
    dispar dispon disponible disponibles dispos dispose disposit disput disse disso distint
    distribut disturb diversas diversos divert divid divis divorce dizer doch dock doel doen doet
    dois doit dokument dolor domic domingo donation donc donde donn donner données dorm dort dost
    downloaded drain drei drie droit druk duas dumpster duplic durable durant durante duur
    dysfunction début déjà départ dévelop développ développement días dụng eager earning earnings
    ears easiest eben ebook echt echter económ ecos ecosystem edad edil editorial eens eenvoud
    eerst eerste efect effectiveness effet effic efficiently efic efter eftir eigen eigenen eind
    eines einfach eing einige einmal eins einz ejemplo ejerc ekki ekonom elabor electr electro
    elegant elektr elementos eles elimin elkaar elke ella elle eller elles ello ellos embargo
    emerging emoc empez emphasis emple empower empres empresa empresas enabling encontrar encore
    encouraging encuent encuentra ende endless enem ener energet energia energie enfants enfer enfr
    engineer engineers english enhanced enhancement enjoyable enjoys enkele enorme enqu enquanto
    enroll ense ensemble ensuite ensures entend entender entertain entertaining enth entonces entra
    entrada entrar entreg entrega entrepr entrepreneur entrev ents então envi environ envol epic
    epis equip equipe equipo equity erect erfol erhalten erre erst erste ersten ervaring escal
    escol escr escrib eskorte espa espacio espaço españ espec especial especialmente espect especí
    esper esqu essa esse essere estab estaba estable estad estado estamos estar estas estava estilo
    esto estos estr estre estud estudi está están estão eten etern ethn etter että etwa etwas euch
    europ europe euros evaluated evento evit evitar evol examination examined excel excelente
    excellence exceptional excessive excit excitement exclusively execut exempl exemple exemplo
    exhibition exig existe expanding exped experien experiencia experiencing explic exploration
    exploring expos expres extens exterior extraord extraordinary fabulous facial facil facile
    facilitate fais fakt falar fals falta famil familia familie famille família fancy fantast
    fascinating fase fastest fato faut favorites fazer façon feeding feito femmes ferm ferr festiv
    fiber fica ficar fich figured filme finale financ financing finden findet fines finest
    finishing finns fins fitted fitting fles flexibility flights flooring floors flor flux foam
    foar focuses fois folk foll fonction fora foram forex forgot formas forme forne forsk forte
    forums fost foto fotograf fotos fract fram franc français freel frem frente fres friendship
    fruits från fuer fuera fueron funcion funct fung funk funktion furnished futhi futuro fyrir
    fácil führ gaan gaat gambling gant ganz garant garbage gast geben gebied gebru gebruik
    gebruiken gebruikt geeft geeignet geen gegen gehen geht geld gele gemaakt gemacht geme gemeins
    genau generating generous geno gens gente geom gerade geral gere gerne gesch gestion geval
    geven gevo gevol gewe gewoon geworden gibi gibt gilt ging gior gleich globe gluc gobierno
    godine godt goed goede gore gorgeous gost gouver governo graag gracias grades gradu graduated
    graf grain grande grandes grants grateful grav grave grill grip groep grond groot gros grote
    groupe groß große großen grund grup grupo grupos grâce größ guer guerra guides gust gusta gute
    génér général haar habe haber habil habits había hace hacer hacia hafa halt hana handy hann
    hanno hans hanya hari harmful harmony hart harus harvest hass hast hasta hatte haut hauv havia
    haya heating hebben hebt hecho heeft heel hefur hele helemaal helpen helt hemos heritage herm
    herr herramient heures heute hill hina hindi hing hinter hiring historia história hizo hiện
    hoch hogy hoje holidays hombre homem homework homme hommes honestly honey hood hoof hoog hora
    horas hore horiz horr hors horses hospitals hotels houd houden huid huis humano humor hund hvor
    hybrid hypoth hàng iche iconic idee identifying iedere iedereen iemand iets ignor igual ihre
    ihrem ihren ihrer imagen imagin imagination immed immer immers immun impacts implant imple
    implementing importante importantes impos impres impressed improv inaug inclu inclus inclusive
    incluso incon incorporate independently indirect individu indoor industr industri infant infect
    infections infer inflamm inflation información informatie informations informative informações
    infr infra ingen ingred ingredient inici inicial initiatives injection inne insan inscr insect
    inser insights insp inspect inspection inspire instal installing instruments inte integral
    intelig intellig intelligent intend intens interes interess internacional interv interven
    intuit inté invention invers investing invit invoice ipsum irre irrit isang isso ital için jaar
    jack jacket jako jamais janu jard jaren jazz jeans jede jeden jeder jedoch jenter jetzt jeune
    jeunes jeung jeux jewelry jing jogo joka jong jorn journ journée jours jouw jsou juego juegos
    juga juin jullie juni junior junk junto jurisd jusqu juste kadar kako kala kale kama kami kamp
    kana kang kanggo kannst kans kant karena kart kasut kata katika kaufen keen keer kein keine
    kend kenn kennen kennis kepada không kijken kinderen kita klanten klar klass klein kleine
    knowledgeable koja koje koji kole komb komen komm kommen kommer kommt kommun komple komt konnte
    kons kontakt kort kost kostenlos krij krijgen krijgt krit kter ktor które który kuch kuin kull
    kullan kuma kung kunne kunnen kunst kunt kunye kuri kuti kuwa kval kwal kwaliteit kwam kwaye
    kwenye können könnte laat laatste laboratory lado lagi lagu lahko lain lamp landsc lange langs
    lanç largo lassen lasting lately laten lati laug laund laundry lava lavor lawn leak lease lebih
    lecture leer leis lekker lemon leng lent leswaku leswi lett letz letzten leuk leur leurs leven
    lever leyi liability liber libr libre libro licht lider lief liegt lieu lightweight ligne ligt
    likewise ling lingu linha liste listings lite litt liver livre livro llam lleg llegar llev
    llevar locally locate loko lomb loro lors lorsque lover lovers loyal luch lucr luego lugar
    lyrics läng lässt líder línea maak maakt maand maar maat machen machinery macht magaz magical
    magnet magnetic maintenant maior maison maka maken maker makers makeup maks males mama mana
    mane maneira manera mang mange manier manière mano mant manufactured marc marca marché mare
    marine marketplace marque mars mart masa mash massasje mata mate mater mathemat matr matt
    mattress maxim mayoría mechanisms medi mediante medication medications medida medidas medio
    meer meest meille meilleur mein meine meiner meio mejor mejores melhor melhores mell memb membr
    memil memiliki memorable menc mend mening menj menjadi menn menor menos mensen meny mercado
    merchandise mereka merk mesa meses mesma mesmo mest mesure metabol metros mettre mich midd
    mientras mieux mijn milhões milli millones mina minder miner mineral minha ministry mins mint
    minutos mise mism misma mismo mitt mixing mobil modelo modelos moderate moderne modifications
    modo moet moeten mogelijk moins mois moisture mold mole molecular momento momentos mond monde
    monet mong mooi mooie mostr mostrar motivation motivo moto mots mountains muaj muchas mucho
    muchos muit muitas muito muitos mujer mujeres mula mulher mulheres mund mundial mundo mung
    municipal muri muscles muse museum mush muss mutta mutual myster myös máximo même möchte
    möglich música müssen naam naar nacional nada nail naken nama nang nast natu natuurl natuurlijk
    natürlich nave navig ndzi nearest neat nebo neces necesario negoc negoti negó neigh nella nemen
    nesta neste nett networking neue neuen neut newest nghi ngok ngày người nhiều nhất những nicely
    niche nichts niets nieuw nieuwe niin nije ning ninu niveau nivel niños noche nodig noite
    nombreux nood nooit nord norge nors norsk norske nosotros noss nossa nosso nossos nost nota
    notamment notre nour nouv nouve nouveau nouvelle nouvelles nova november novembre novo ntawm
    nuest nuestra nuestro nuestros nueva nuevas nuevo nuevos numa nunca nurse nursing nutr
    nutrition nuts nwere näch nécess númer número objectives objet objetivo objeto obligation obra
    obras obsc observations obten obtener ocas occasions ocup ofere offline offre oficial ofrece
    også ohne ohun oils olan olar olarak oldest oldu olduğ oleh olla omdat onde onder onderzoek
    onge ontw ontwikk onye onze operated operates operational ople oportun opportun optical
    optimization orang oraz orden organisations organiz orth oslo otra otras otro otros outdoors
    outfit outlet outra outras outro outros ovat oven overnight overseas overview overw oxygen paar
    packaging pada pagar pagina pagk painful painted pais palab palav pale paling pandem pandemic
    pang pant pants papel parad paras parc parce parcel pare parece parfait parks parl partes parti
    participant participating particuli partido partie partir pasado pasar paso passar passe passen
    passenger passer passionate pasta paste patent patience patio patr patron país países peaceful
    pedido pela pelas pele pelo pelos películ pemb pena penal pend pendant penetr peng pensar pense
    pension pentru pepper pequ peque perc perce perd perder performances permet permite persona
    personalized personas personn personne personnes persoon perspect perí período però peso pesso
    pessoa pessoas petit petite petits pets peut peuvent pharmac philos photographer photographs
    photography phrases physician phải piano pict pied piel pikeun pile pills ping pint pione pisc
    piss pist plaats plac placing plais planta plante plast plat plata plates pleasant plein
    plusieurs plut pobl poco pode podem podemos poder podr podría poetry poin pois polar pole
    politi politique pollution polít política pont ponto pontos popul popula porque porta portal
    porte portr portrait posible possibil possibilities possível potent potreb pouco pourquoi
    pourrait pouv pouvez pouvoir pover prac pracht practition prakt prav pray precio precious
    precisa precise precisely premi première prend prendre preoc preocup presente preserv
    presidente preval prevention prez priced prij prijs prima primeira primeiro primer primera prin
    principales principalmente prints priorit prip pris prix probable probl problema problemas
    problème procent proces proceso processo procur producción producers producten productive
    productivity producto productos produit produits produk produkt produto produtos produção
    profes profesional profess profiss programa programma projekt projet projeto prol prolong
    promin promo promotions propor proporcion proport propose propr propriet prospective prospects
    prosper prost protagon proteins provinc provoc proxim proyect proyecto prue prze przez przy
    práct près préc prés présent própr próximo psychological publ publications pueden puedes pues
    puis punt punto puntos pupp purchases purple puzz puzzle página péri públic pública público
    před pẹlu qhov quad quadr quais qualidade qualify qualities qualité qualquer quan quand quando
    quanto quart quase qued queda quel quelque quelques quem quer questo quien quis quiz quoi quot
    radiation raison rang ranging rapp rapport reactions readily realidad realistic realiz realizar
    realmente recept recher recherche recht recib recip recl recom recomend recommendation reconoc
    recr recuper recursos recycl rede reden redes reduces reflex refriger regards regel registro
    região relacion relación relat relate relativ relaxed relaxing relação relev reliability remind
    remov renamed renov rentals repairs repar repet replac replacing replica repr representatives
    représ reput requis rese reservation resol resolver respe respir responsabil responsable
    responsibilities responsive respuesta ress reste resto resultado resultados retailers retir
    retour retr reun revert revol richt richtig rien ries rings rode roku roller roman romance
    romantic rond roulette royal ruim ruimte rund réal réalis région répond rése résult saat sabe
    saber sagen sagt sais saison saja saka sake sala salad salah salle salon salud salv sama samen
    samo samp samt sana sandwich sang sangat sant santé sareng satellite satisfaction satisfy satu
    savoir saya saúde scal scatter sche schn schnell schol scholarship schon schrij schw schö schön
    sculpt seal seam sebagai sebel secara secrets sect sectors secur secured segu seguir segunda
    segundo segurança seguridad seguro según sehen sehr seine seinem seinen seiner seis seit seja
    selbst sele selecting selle selon selv semaine semana sempre sendo seni sensors sentido
    sentiment sentir senza separately separation seper seperti sept september sera serait seria
    serie seront serr servi servicio servicios serviço serviços será serão settle seul seulement
    seus sext shade shar shed sheets shel shine shipped shoe shorter sicher sido siempre siendo
    significa sigu siguiente siis simples simultaneously singing sinn sino sint sistem sistema
    sistemas sitio situación situated siya sized skal sketch skilled skulle slim snack snel soap
    sociale sociales société sofa sogar soir soit solic sollte sollten somet sommes sondern sonra
    sons sophisticated sorte souha sous sout souvent sowie spacious spam spar spare specialist
    specialists specialized specif specifications spectacular spel spelen spielen spins spre spéc
    staan staat stabil stad stainless stan stap stark statistical statt stav stays steady steeds
    stehen steht stellen stil stimul stones stor stra straightforward strain strictly structural
    stuk stup styl stylish suas submitting subscrib subse substit substitute subt subtle succes
    sudah sufic sugg suggestion suis suited suits suiv sujet suka summ sung sunt superb superfic
    supp supplements suppress surfaces surgical surt surtout suspend suspension svoj swimming synt
    synth synthetic syst système szer sábado sécur sécurité série sólo tablets tahun tako tale tama
    también também tamp tand tant tanto tard tarde tare tart tears techni tecn tegen teil tekn
    tekst telah telefon televis tema temas temos temple tempo temporada temps tempt tenant tender
    tenemos tener teng tengo tenho tennis tension terc terra terrain terre territor terse tersebut
    terug teve texto theater theoret therap therm thermal thiab thickness thirty thoroughly thro
    thuis thumb thành tias tidak tiempo tien tiene tienen tienes tijd tijdens timely timest ting
    tinha tipos tire tires titre toch toda todas toeg toen toget togg toilet toim toll tomar tooth
    toss totalmente toujours tourist tourn tours tous toute toutes towns trabaj trabajo trabal
    trabalh trabalho tradem tradicional trag trainer tran tranqu transformed transmit transpar
    transporte tras trat trata trava travail travaux travers través treating tremend tren tres
    tricks tritur trituradora trois trom trong trou troubles trouve trouver trucks très trên três
    tudi tudo tule tune tung tussen tutti twee tweede twist técn télé tête ubic uchun uitge ukuba
    ukuthi ultr ultra unas unders unem uniqu unlimited unos unser unsere unserem unseren unserer
    upang upgr upor usar usuarios utilis utiliz utilizar utilize utilized utilizing vaak vaccine
    vacuum vain vale valores valu valve vamos vanaf vara varias variations varied varios veces veel
    vegetables veilig vele veloc vendors venta vente venture vera verand verd verdad verdade verde
    verder vere verg verified verið verk verl verm verr versatile versch verschied verschill
    verschillende verse verst verte vertr verv verw verz vest vezes vibrant vida viel viele vielen
    vien viene vier villa ville vind vinden vindt vine vintage viral visa visibility visita visite
    vista visto vita vitam vitamin vite vivo việc vocal você voices voir voit voldo volg volgende
    volgens voll volled volta volumes volunt volunteer vont vooral voord voork voorzien vorm voyage
    vraag vragen vraiment vriend vrij vrouw vuel være víde vídeo waar waarbij waard waardoor waarin
    waist wana wand wanneer ward ware warehouse waren washing watches waxa wedi weer weet weil weit
    weiter weitere weiß welche welke wellness wenig werd wereld werk werken werkt weten whak
    wherever whilst wichtig wieder wiki willen wilt winners wirk wirklich wisdom wise wishes wohl
    woll wollen worden wordt workout workplace workshop workshops worlds worn worship wurde wurden
    während wäre würde yake yana yoga youtube zaman zdrav zeer zeggen zegt zeker zelf zelfs zich
    zien zitten zoals zodat zoek zona zonder zones zorg zorgen zowel zullen zurück zusammen zwar
    zwei zwischen água área áreas çalış économ égal également élect época était êtes être është
    över última último últimos única único über üçin üçün þeir þess được động είναι παρα περι προσ
    στην τους автом автомоб адам актив анал барои бесп бесплат бизнес билән благ более болуп боль
    больш больше болған будет будут бутлуур была были было быть вари виде видео включ вним внут
    возмож вопрос восп врем времени время всегда всего всем всех встр втор высок глав говор года
    году город государ готов груп гэта даже девуш действ день добав докум долж дома дост достат
    доступ друг других если есть жана женщ жизни және завис зада закон заяв здоров знач измен имеет
    интер интерес информа использ использовать кажд кара карт каче клас когда колич комп компании
    конт котор которая которые который которых крас кров көрс лучше людей матери материал машин
    между менен меня менән мест меся метод милли мини минут мног много могут может можете можно
    напр направ наст наход него некотор необ необходим необходимо неск несколько норм нужно обесп
    обеспеч обла области обор образ обыч обяз один одна онлайн опера определ орган основ особ ответ
    откры отлич отно отнош очень пара парт перв перед пери план плат поддерж позвол показ покуп
    полож получ польз помощ после послед пост постав потреб поэтому появ прав практи пред предп
    представ преп прив прид приз прим примен прин прис прич проб проблем пров провед провер провод
    прог програм прод проду продук проект произ производ проп прос прост просто прот против проф
    проц процес прош работ работы разв развит различ разм расп расс раст ребен результ результат
    рекомен свет свои свой свою связ сдел сделать себе себя систем ситуа сказ скор след следующ
    слов слож служ случ случа случае собствен содерж создан сообщ соответ соответств сост состав
    состоя специаль способ сред срок став стан стар стать стоит стол стор стра стро студ также
    такой телеф технолог того только тран треб труд тура уйғур указ управ уров услов условия
    установ участ филь форм фото функ хара характер хитай хорош цвет цент част челов человек
    человека через чтобы школ эконом эксп элект элем этого этой этом этот является қара қили
    үйлдвэр үчүн үшін աշխատ առաջ գործ ժամանակ կարող համար հայտ մասին մարդ քաղաք אויף וואס זיין יותר
    יכול נישט أفضل أكثر استخ استخدام استف استفاده اسلام افغان افغانستان الأخ الأس الأم الأول الإن
    الات الاس الاست الان البر البي التج التح التع التن التي الدول الذهب الذي الرئيس السعود السي
    العالم العام العربية العمل القر الكرة الله المؤ المت المتحدة المج المح المد المر المس المست
    المش المص المع المن المنا المنت النا الوق اليوم اپنے ایران باشد باید برای برنام بشكل تكون تمام
    جميع حکومت خلال داخل دارد دیگر رئيس ساتھ شركة صورت عليه فيها قانون قرار كانت لپاره محمد مختلف
    مطحنة موجود موقع نظام نہیں هناك واحد والأ والت والم وجود ولكن يكون يمكن پاکستان کرتے کرنے کنید
    ہوئے ადამიან არის გამო თქვენ მაგრამ მისი როგორც რომელ რომელიც საქართველ უნდა ყველ შემდეგ ჩვენ
    წარმ წლის 있습니다
    """.split()
)
