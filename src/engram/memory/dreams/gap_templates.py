"""What one expects to know of somebody or something, sort by sort, and how one asks for it.

A row says what makes a subject of its sort, which fields it should have, by which words a statement
tells a field, how a question reads, and the sentence that a short answer becomes.
"""

import re

from engram.language.names.kinds import EntityType
from engram.memory.dreams.gap_shapes import Field, Template, field, words

# Whose it is: one's own, or that of somebody with a name ("It's" and the like are nobody).
_OWNER = (
    r"(?P<owner>\b(?i:my|our|the user's)|(?<!\w)(?!(?:It|That|He|She|There|What|Here|Who|Let"
    r"|How)'s)"
    r"[A-Z][\w-]+'s)"
)
_SELF = r"(?<!\w)(?:I|[Ww]e|[Tt]he user(?: and others)?)"
_HAVE = r"(?:have|has|had|got|own|owns|adopted|bought)"


def _owned(nouns: str) -> tuple[re.Pattern[str], ...]:
    """ "My old laptop", "Ada's dog", "I have a small cat"."""
    thing = rf"(?P<thing>(?i:{nouns}))\b"
    return (
        re.compile(rf"{_OWNER} (?:(?!and\b)[\w-]+ ){{0,2}}?{thing}(?!'s? \w+'s)"),
        re.compile(rf"{_SELF} (?:just |also |recently )?{_HAVE} (?:a|an|one) "
                   rf"(?:[\w-]+ ){{0,2}}?{thing}"),
    )  # fmt: skip


_MONTHS = (
    r"january|february|march|april|may \d|(?:in|by|until|early|late|mid|this|next) may|june|july"
    r"|august|september|october|november|december"
)
_DAYS = r"mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?"
_WHEN = (
    rf"{_MONTHS}|{_DAYS}|tomorrow|tonight|next (?:week|month|year|spring|summer|autumn|fall|winter)"
    r"|this (?:week|weekend|month|spring|summer|autumn|fall|winter)|christmas|easter"
    r"|\d{1,2}:\d\d|\d{1,2} ?[ap]m|\d{4}-\d\d-\d\d|q[1-4]|(?:19|20)\d\d|in \w+ (?:days|weeks"
    r"|months)"
)
_OVER = words(
    r"was|were|went|had|attended|last (?:week|month|year|spring|summer|autumn|winter)|ago|yesterday"
    r"|returned|came back|got back|back from|cancell?ed|called off|remember(?:s|ed)?|used to|over"
)
_BUILD = (
    r"vite|webpack|rollup|esbuild|parcel|turbopack|turborepo|bazel|gradle|maven|cmake|snowpack"
    r"|create react app|next\.js|nextjs|poetry|hatch|setuptools|make|sbt|npm scripts|cargo|mix"
    r"|bundler|build tool|built with|bundle[sd]? (?:by|with)"
)
_TESTS = (
    r"jest|vitest|mocha|cypress|playwright|pytest|unittest|junit|rspec|selenium|testing library"
    r"|phpunit|go test|cargo test|test framework|tested with|tests? (?:run|are) (?:in|with)"
)
_DEPLOYS = (
    r"vercel|netlify|heroku|aws|ec2|lambda|gcp|google cloud|azure|fly\.io|render|digitalocean"
    r"|kubernetes|k8s|docker swarm|cloudflare|hetzner|on-prem\w*|bare metal|deploy\w*|hosted"
)
_DATABASES = (
    r"postgres\w*|mysql|mariadb|sqlite|mongo\w*|redis|dynamodb|cassandra|cockroachdb|database"
    r"|oracle|elasticsearch|clickhouse|duckdb|neo4j|supabase|firebase|firestore"
)
_DEADLINE = (
    rf"due|deadline|ships?|shipping|launch\w*|go(?:es)? live|releas\w+|finish\w*|done by"
    rf"|(?:by|until|before|on|for) (?:the end of )?(?:{_WHEN})|no deadline"
)
_LEAD = (
    r"leads?|led by|owns?|owned by|owner|manages?|managed by|manager|maintain\w*|runs the|lead is"
    r"|responsible|in charge|heads?|headed by|runs it|coordinates?"
)

_PROJECT = Template(
    name="project",
    type=EntityType.PROJECT,
    node_type="project",
    category="project",
    fewest=2,
    cue=words(r"project|app|application|website|site|platform|dashboard|library|package|plugin"
               r"|prototype|migration|rewrite|redesign|launch\w*|sprint|milestone|roadmap|repo\w*"
               r"|releas\w+|deploy\w*|deadline|codebase|feature|game|product|tool|built|build\w*"),
    fields=(
        field("deadline", "When is {asked} due?", "{told} is due {answer}.", _DEADLINE, 0.6,
               predicates="deadline; launch date; release date; time",
               relations="deadline due launch_date release_date",
               none="{told} has no deadline."),
        field("lead", "Who leads {asked}?", "{told} is led by {answer}.", _LEAD, 0.6,
               predicates="lead; owner; manager; maintainer", relations="owned_by lead owner",
               none="Nobody leads {told}."),
        field("purpose", "What is {asked} for?", "{told} is for {answer}.",
               r"is an? \w+|are an? \w+|helps?|lets?|allows?|purpose|goal|aims?|meant|replaces?"
               r"|used (?:for|to)|so that|tracks|for (?:the |our |my )?(?:customers|users|clients)"
               r"|is (?:about|for) ", 0.5,
               predicates="is a", relations="is_a instance_of purpose goal",
               none="{told} has no particular purpose.", is_of_subject=True),
        field("stack", "What is {asked} built with?", "{told} is built with {answer}.",
               r"built (?:in|on|with)|written in|uses?|using|stack|runs on|react|vue|angular|svelte"
               r"|django|flask|fastapi|rails|python|typescript|javascript|rust|golang|kotlin|swift"
               r"|java|elixir|php", 0.5, predicates="uses; framework; runs on; database",
               relations="uses used_by stack framework language",
               none="{told} is built with nothing in particular."),
        field("repository", "Where does the code of {asked} live?",
               "The code of {told} lives in {answer}.",
               r"repo|repository|github|gitlab|bitbucket|monorepo|git|checked out|source code", 0.3,
               predicates="repository; url; remote", relations="repository url",
               none="The code of {told} lives in no repository."),
    ),
)  # fmt: skip
_SERVICE = Template(
    name="service",
    type=EntityType.SERVICE,
    category="infra",
    fields=(
        field("host", "Where does {asked} run?", "{told} runs on {answer}.",
               _DEPLOYS + r"|runs? (?:on|in|at|inside)|running (?:on|in|at)|cluster|server|host\w*"
               r"|listens|port|region|container|namespace|node", 0.6,
               predicates="host; runs on; location; region; cluster; url; endpoint",
               relations="located_in host runs_on",
               none="{told} runs nowhere."),
        field("owner", "Who looks after {asked}?", "{told} is owned by {answer}.",
               _LEAD + r"|on call|looks? after|team", 0.5, predicates="owner; maintainer; lead",
               relations="owned_by owner created_by",
               none="Nobody looks after {told}."),
        field("database", "Which database does {asked} use?", "{told} uses {answer}.",
               _DATABASES + r"|stateless|stores?|storage", 0.4, predicates="database; uses",
               relations="uses used_by database",
               none="{told} uses no database."),
    ),
)  # fmt: skip
_PERSON = Template(
    name="person",
    is_somebody=True,
    type=EntityType.PERSON,
    node_type="person",
    category="entity",
    fewest=2,
    cue=words(r"he|she|his|her|him|said|says|told|asked|met|meets?|wants?|thinks?|likes?|loves?"
               r"|prefers?|works?|lives?|reviews?|reviewed|wrote|writes|leads?|joined|colleague"
               r"|friend|sister|brother|manager|boss|husband|wife|partner|mother|father|neighbou?r"
               r"|daughter|son|cousin|mentor|client|knows?|speaks|plays|born|birthday|engineer"
               r"|designer|developer|doctor|teacher|suggested|helped|called|invited|owns"),
    fields=(
        field("role", "What does {asked} do?", "{told} works as {answer}.",
               r"works? (?:as|at|for|in|on)|is an? \w+|is the \w+|job|role|engineer\w*|designer"
               r"|manager|developer|lead\w*|teacher|doctor|nurse|student|studies|director|head of"
               r"|ceo|cto|owner|founder|analyst|lawyer|architect|writer|artist|scientist|retired"
               r"|responsible|runs|boss|colleague", 0.5,
               predicates="job; works at; title; is a", relations="works_for is_a job role",
               none="{told} has no job.", is_of_subject=True),
        field("tie", "How do you know {asked}?", "The user knows {told}: {answer}.",
               r"(?:my|our|the user's|\w+'s) (?:\w+ )?(?:friend|colleague|co-?worker|boss|manager"
               r"|sister|brother|mother|father|mum|mom|dad|son|daughter|wife|husband|partner|cousin"
               r"|aunt|uncle|neighbou?r|teacher|mentor|client|customer|doctor|landlord|roommate"
               r"|flatmate|boyfriend|girlfriend|fianc\w+|team ?mate|grand\w+|niece|nephew|team)"
               r"|friends? with|met|knows?|reports? to|work\w* (?:with|together)|married|team"
               r"|colleagues?|leads?|led by|reviews|owns|maintains|engineer|designer", 0.4,
               predicates="manager; married to; knows", relations="knows related_to works_for",
               none="The user does not know {told}.", is_of_subject=True),
    ),
)  # fmt: skip
_RELATIVE = Template(
    name="relative",
    is_somebody=True,
    words=frozenset(
        """sister brother partner wife husband girlfriend boyfriend daughter son manager boss
        landlord roommate flatmate mentor""".split()
    ),
    category="entity",
    phrases=(re.compile(
        r"(?P<owner>\b(?i:my|our|the user's)) (?:(?:older|younger|big|little|twin|best|new) ){0,2}"
        r"(?P<thing>(?i:sister|brother|partner|wife|husband|girlfriend|boyfriend|daughter|son"
        r"|manager|boss|landlord|roommate|flatmate|mentor))\b(?!'s? (?:\w+ )?(?:name"
        r"|\w+'s)"
        r"| in law|-in-law)"),),
    fields=(
        field("name", "What is {asked}'s name?", "{told}'s name is {answer}.",
               r"named|called|name is|name's", 0.5, predicates="name; married to; manager",
               relations="name"),
    ),
)  # fmt: skip
_TEAM = Template(
    name="team",
    words=frozenset(
        """team squad""".split()
    ),
    category="entity",
    fewest=2,
    phrases=(
        re.compile(r"(?P<owner>\b(?i:the|our|my))"
                   r" (?P<thing>(?!same|whole|entire|other|new|old|best|small|big|right|wrong|dream"
                   r"|user|first|second|own|core)[\w-]{3,24} (?i:team|squad))\b"),
    ),
    asked="the {thing}",
    told="the {thing}",
    fields=(
        field("lead", "Who leads {asked}?", "{told} is led by {answer}.",
               r"leads?|led by|lead|manages?|managed by|manager|heads?|headed by|runs the"
               r"|boss", 0.5,
               predicates="lead; manager; owner", relations="lead owned_by",
               none="Nobody leads {told}."),
        field("duty", "What is {asked} responsible for?", "{told} is responsible for {answer}.",
               r"responsible|owns?|maintains?|builds?|looks? after|works? on|handles?|runs (?!the)"
               r"|in charge|mission|takes care|operates|develops|supports|duty"
               r"|(?:owned|run|built) by", 0.4,
               relations="responsible_for owns",
               none="{told} is responsible for nothing in particular."),
    ),
)  # fmt: skip
_ORGANIZATION = Template(
    name="organization",
    type=EntityType.ORGANIZATION,
    node_type="organization",
    category="entity",
    fewest=3,
    fields=(
        field("tie", "What do you have to do with {asked}?",
               "The user and {told}: {answer}.",
               r"works?|working|worked|job|employ\w+|client|customer|vendor|supplier|partner|school"
               r"|university|stud\w+|member|bank|subscri\w+|account|hired|intern\w*|contract\w*"
               r"|team|company|insur\w+|competitor|invest\w+|joined|founded|interview\w*|buys?"
               r"|bought|order\w*|volunteer\w*", 0.4,
               predicates="works at", relations="works_for part_of related_to",
               none="The user has nothing to do with {told}."),
    ),
)  # fmt: skip
_JOB = Template(
    name="job",
    words=frozenset(
        """work works working job""".split()
    ),
    category="fact",
    phrases=(
        re.compile(rf"{_SELF} (?:now |currently |still )?(?:works?|am working|is working"
        r"|are working"
                   r"|started working|started work|got a job) (?:at|for) "
                   r"(?P<thing>[A-Z][\w&.-]*(?: [A-Z][\w&.-]*){0,3})"),
    ),
    asked="{thing}",
    told="{thing}",
    fields=(
        field("role", "What is your role at {asked}?", "The user works at {told} as {answer}.",
               r"(?:i am|i'm|the user is|i work as|the user works as) (?:an?|the) \w+"
               r"|(?:my|the user's) (?:role|position|job|job title|title)|works? (?:there )?as"
               r"|work as", 0.6, predicates="job; title",
               relations="job role", is_anywhere=True,
               none="The user has no particular role at {told}."),
    ),
)  # fmt: skip
_STACK = Template(
    name="tech_stack",
    words=frozenset(
        """react vue vue.js angular svelte sveltekit next.js nuxt django flask fastapi rails laravel
        spring express nestjs phoenix flutter remix astro symfony asp.net""".split()
    ),
    category="tooling",
    phrases=(
        re.compile(
            rf"(?P<owner>{_SELF}|(?<!\w)(?!The|This|That|It)[A-Z][\w-]+) "
            r"(?:now |currently |still |mostly |only )?(?:uses?|is using|are using|am using"
            r"|is built (?:with|on|in)|runs on|switched to|migrated to) "
            r"(?P<thing>React|Vue(?:\.js)?|Angular|Svelte|SvelteKit|Next\.js|Nuxt|Django|Flask"
            r"|FastAPI|Rails|Ruby on Rails|Laravel|Spring Boot|Express|NestJS|Phoenix|Flutter"
            r"|React Native|Remix|Astro|Symfony|ASP\.NET)(?![\w-])(?! Native)"
        ),
    ),
    asked="{thing}",
    told="{thing}",
    fields=(
        field("version", "Which version of {asked} {do} {whom} use?",
               "{who} {uses} version {answer} of {told}.", r"v?\d+(?:\.\d+)*|version", 0.4,
               predicates="version", relations="version",
               none="{who} {uses} no particular version of {told}."),
        field("build_tool", "Which build tool {do} {whom} use with {asked}?",
               "{who} {uses} {answer} as the build tool with {told}.", _BUILD, 0.4,
               relations="build_tool", is_anywhere=True,
               none="{who} {uses} no build tool with {told}."),
        field("test_framework", "What {do} {whom} test {asked} code with?",
               "{who} {uses} {answer} to test {told} code.", _TESTS, 0.4,
               relations="test_framework", is_anywhere=True,
               none="{who} {uses} nothing to test {told} code."),
        field("deploy_target", "Where is what {whom} {build} with {asked} deployed?",
               "What {who} {build} with {told} is deployed to {answer}.", _DEPLOYS, 0.4,
               relations="deploy_target host", is_anywhere=True,
               none="What {who} {build} with {told} is deployed nowhere."),
    ),
)  # fmt: skip
_TOOL = Template(
    name="tool",
    words=frozenset(
        """terraform ansible kubernetes docker jenkins airflow kafka rabbitmq redis elasticsearch
        grafana prometheus notion figma obsidian jira linear trello postman sentry datadog snowflake
        dbt tableau blender photoshop zapier supabase firebase""".split()
    ),
    category="tooling",
    phrases=(
        re.compile(
            rf"{_SELF} (?:now |currently |still |mostly )?(?:uses?|is using|are using|am using"
            r"|switched to|started using) "
            r"(?P<thing>Terraform|Ansible|Kubernetes|Docker|Jenkins|Airflow|Kafka|RabbitMQ|Redis"
            r"|Elasticsearch|Grafana|Prometheus|Notion|Figma|Obsidian|Jira|Linear|Trello|Postman"
            r"|Sentry|Datadog|Snowflake|dbt|Tableau|Blender|Photoshop|Zapier|Supabase|Firebase)"
            r"(?![\w-])"
        ),
    ),
    asked="{thing}",
    told="{thing}",
    fields=(
        field("purpose", "What do you use {asked} for?", "The user uses {told} for {answer}.",
               r"for|to (?!the)\w+|because|as (?:the|our|my|a)|instead of|where|in the|on the", 0.4,
               relations="purpose",
               none="The user uses {told} for nothing in particular."),
    ),
)  # fmt: skip
_TRIP = Template(
    name="trip",
    words=frozenset(
        """trip holiday vacation journey honeymoon traveling travelling flying break""".split()
    ),
    phrases=(
        re.compile(r"(?i:trip|holiday|vacation|journey|honeymoon|travell?ing|flying|city break)"
                   r" (?:to|in) (?P<thing>[A-Z][\w-]+(?: [A-Z][\w-]+)?)"),
    ),
    asked="your trip to {thing}",
    told="the user's trip to {thing}",
    unless=_OVER,
    fresh_days=60,
    fields=(
        field("when", "When is {asked}?", "{told} is {answer}.", _WHEN, 0.5,
               predicates="time; start; date", relations="time date start",
               none="{told} has no date."),
        field("company", "Who is coming along on {asked}?", "On {told} comes along {answer}.",
               r"with (?:my|our|the user's|a|an|some|[A-Z])\w*|alone|solo|together|by myself"
               r"|couple|family|friends|colleagues|team", 0.4,
               none="Nobody comes along on {told}."),
        field("stay", "Where are you staying on {asked}?", "On {told} the user stays {answer}.",
               r"hotel|hostel|airbnb|apartment|stay\w*|flat|camp\w*|cabin|resort|guest ?house"
               r"|at \w+'s"
               r"|day trip", 0.4,
               none="The user has no place to stay on {told}."),
    ),
)  # fmt: skip
_DEVICE = Template(
    name="device",
    words=frozenset(
        """laptop phone tablet desktop printer router camera monitor car bike motorbike ereader
        e-reader drone nas""".split()
    ),
    phrases=_owned(r"laptop|phone|tablet|desktop|printer|router|camera|monitor|car|bike|motorbike"
                   r"|e-?reader|drone|3d printer|nas"),
    fields=(
        field("model", "Which model is {asked}?", "{told} is {answer}.",
               r"model|macbook|thinkpad|dell|lenovo|hp|asus|acer|surface|iphone|pixel|galaxy"
               r"|samsung"
               r"|ipad|kindle|canon|nikon|sony|fujifilm|epson|brother|fritz\w*|netgear|synology"
               r"|qnap"
               r"|toyota|ford|vw|volkswagen|bmw|audi|tesla|honda|skoda|renault|volvo|kia|framework"
               r"|trek|specialized|brompton|yamaha|dji|prusa|bambu|lg|eizo|logitech|peugeot|fiat"
               r"|mazda|hyundai|nissan|opel|seat", 0.4, predicates="model", relations="model",
               none="{told} is of no particular model."),
    ),
)  # fmt: skip
_PET = Template(
    name="pet",
    is_somebody=True,
    words=frozenset(
        """dog cat puppy kitten rabbit hamster pig parrot budgie horse pony tortoise turtle ferret
        canary""".split()
    ),
    phrases=_owned(r"dog|cat|puppy|kitten|rabbit|hamster|guinea pig|parrot|budgie|horse|pony"
                   r"|tortoise"
                   r"|turtle|ferret|canary"),
    fields=(
        field("name", "What is {asked} called?", "{told} is called {answer}.",
               r"named|called|name is|name's|goes by", 0.5, predicates="name", relations="name",
               none="{told} has no name."),
        field("breed", "What breed is {asked}?", "{told} is a {answer}.",
               r"breed|mix|mixed|mongrel|labrador|retriever|beagle|poodle|terrier|shepherd|collie"
               r"|spaniel|dachshund|husky|bulldog|pug|corgi|siamese|persian|maine coon|bengal|tabby"
               r"|british shorthair|ragdoll|border|greyhound|pointer|setter|chihuahua|rescue"
               r"|shih tzu|maltese|boxer|rottweiler|doberman|schnauzer", 0.3,
               predicates="is a", relations="breed is_a",
               none="{told} is of no particular breed."),
    ),
)  # fmt: skip
_EVENT = Template(
    name="event",
    words=frozenset(
        """wedding party graduation talk defence defense interview housewarming marathon recital
        exhibition test move""".split()
    ),
    phrases=_owned(r"wedding|birthday party|graduation|conference talk|thesis defen[cs]e"
                   r"|job interview"
                   r"|housewarming|marathon|half marathon|recital|exhibition|driving test"
                   r"|house move"),
    unless=_OVER,
    fresh_days=60,
    fields=(
        field("when", "When is {asked}?", "{told} is {answer}.", _WHEN, 0.5,
               predicates="time; date; start", relations="time date start",
               none="{told} has no date."),
        field("where", "Where is {asked}?", "{told} is {answer}.",
               r"(?:in|at) (?:the |a |an |our |my )?(?!\d|january|february|march|april|may|june"
               r"|july"
               r"|august|september|october|november|december|spring|summer|autumn|winter"
               r"|\w+ weeks)\w+"
               r"|online|remote\w*|venue|takes place|hosted|abroad", 0.4,
               predicates="location", relations="located_in location",
               none="{told} has no place."),
    ),
)  # fmt: skip
_COURSE = Template(
    name="course",
    words=frozenset(
        """course class bootcamp degree series""".split()
    ),
    phrases=(
        re.compile(rf"{_SELF} (?:am |is |are )?(?:taking|enrolled in|signed up for|doing|started"
                   r"|attending|takes|attends) (?:a|an|the|my|another) "
                   r"(?P<thing>(?:[\w-]+ ){0,3}?(?:course|class|bootcamp|degree"
                   r"|workshop series))\b"),
    ),
    asked="your {thing}",
    told="the user's {thing}",
    unless=_OVER,
    fresh_days=120,
    fields=(
        field("end", "When does {asked} end?", "{told} ends {answer}.",
               r"ends?|until|till|finish\w*|graduat\w+|lasts?|weeks|months|semester"
               r"|through \w+", 0.4,
               predicates="end", relations="end",
               none="{told} has no end date."),
        field("place", "Where do you take {asked}?", "{told} takes place {answer}.",
               r"at (?!the moment)\w+|online|coursera|udemy|edx|university|college|school|academy"
               r"|institute|community cent\w+|remote\w*|evening school|zoom|khan", 0.4,
               predicates="location", relations="located_in",
               none="{told} takes place nowhere in particular."),
    ),
)  # fmt: skip
_SUBSCRIPTION = Template(
    name="subscription",
    words=frozenset(
        """subscribed subscribe subscribes subscription membership""".split()
    ),
    phrases=(
        re.compile(rf"{_SELF} (?:have |has |am |is |are )?(?:subscribed|subscribes?) to "
                   r"(?P<thing>[A-Z][\w+&.-]*(?: [A-Z][\w+&.-]*){0,2})"),
        re.compile(r"\b(?i:my|our|the user's) (?P<thing>[A-Z][\w+&.-]*(?: [A-Z][\w+&.-]*){0,2})"
                   r" (?:subscription|membership)\b"),
    ),
    asked="your {thing} subscription",
    told="the user's {thing} subscription",
    unless=words(r"cancell?ed|ended|stopped|used to|no longer|unsubscribed|quit"),
    fields=(
        field("renewal", "When does {asked} renew?", "{told} renews {answer}.",
               r"renew\w*|monthly|yearly|annual\w*|expires?|ends|every (?:month|year)|until"
               r"|per month"
               r"|trial", 0.4, predicates="expiry; end; date", relations="renewal expiry",
               none="{told} does not renew."),
        field("plan", "Which plan is {asked}?", "{told} is the {answer} plan.",
               r"plan|tier|family|student|premium|pro|basic|individual|team|business|free"
               r"|plus", 0.3,
               predicates="tier", relations="plan tier",
               none="{told} has no particular plan."),
    ),
)  # fmt: skip

TEMPLATES: tuple[Template, ...] = (
    _PROJECT, _SERVICE, _PERSON, _RELATIVE, _TEAM, _ORGANIZATION, _JOB, _STACK, _TOOL, _TRIP,
    _DEVICE, _PET, _EVENT, _COURSE, _SUBSCRIPTION,
)  # fmt: skip
BY_NAME = {template.name: template for template in TEMPLATES}
BY_TYPE = {template.type: template for template in TEMPLATES if template.type is not None}
BY_NODE_TYPE = {template.node_type: template for template in TEMPLATES if template.node_type}
DESCRIBED = tuple(template for template in TEMPLATES if template.phrases)


def field_of(template: str, name: str) -> Field | None:
    """A field by the names of its template and itself; None: it is no longer in the table."""
    found = BY_NAME.get(template)
    return next((each for each in found.fields if each.name == name), None) if found else None
