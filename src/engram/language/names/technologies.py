"""Technologies and services by name, each with the ways it is written."""

from dataclasses import dataclass
from functools import cache

from engram.language.names.keys import key_of
from engram.language.names.kinds import EntityType

# One name per entry, entries separated by commas; behind "=" stand other ways to write it.
_TECHNOLOGIES = """
JavaScript = js = ecmascript, TypeScript = ts, Python = py3 = cpython, Rust = rustlang, Go =
golang, Java, Kotlin, Scala, Clojure, Groovy, C++ = cpp, C# = csharp, F# = fsharp, Objective-C,
Swift, Ruby, Perl, PHP, Haskell, OCaml, Elixir, Erlang, Elm, Dart, Lua, Julia, Fortran, COBOL,
MATLAB, Zig, Nim, Crystal, Solidity, WebAssembly = wasm, SQL, GraphQL = gql, HTML = html5, CSS
= css3, Sass = scss, XML, JSON, YAML, TOML, Markdown, LaTeX, Bash, PowerShell, Zsh, Assembly,
Prolog, Scheme, React = react.js = reactjs, React Native, Next.js = nextjs, Vue = vue.js =
vuejs, Nuxt, Svelte, SvelteKit, Angular = angularjs, Solid.js, Ember, Backbone, jQuery, Redux,
MobX, Remix, Gatsby, Astro, Tailwind = tailwindcss = tailwind css, Bootstrap, Material UI,
Storybook, Webpack, Vite, Rollup, esbuild, Babel, ESLint, Prettier, Node.js = nodejs = node,
Deno, Bun, npm, pnpm, Yarn, Express = express.js = expressjs, NestJS, Fastify, Electron, Tauri,
Flutter, Expo, Ionic, Xamarin, Django, Flask, FastAPI, Starlette, Pydantic, SQLAlchemy, Celery,
Gunicorn, uvicorn, Jinja, NumPy, pandas, Polars, SciPy, scikit-learn = sklearn, PyTorch =
torch, TensorFlow, Keras, JAX, Jupyter, Matplotlib, Plotly, Streamlit, Gradio, spaCy, NLTK,
Hugging Face = huggingface, LangChain, LlamaIndex, Ollama, llama.cpp, vLLM, ONNX, CUDA, OpenCV,
XGBoost, LightGBM, pytest, Hypothesis, mypy, Ruff, Poetry, pip, conda, Ruby on Rails = rails,
Sinatra, Laravel, Symfony, Spring Boot, Spring, Hibernate, Maven, Gradle, Quarkus, ASP.NET,
.NET = dotnet, Unity, Unreal Engine, Godot, Qt, GTK, Phoenix LiveView, Actix, Tokio, serde,
Axum, Cargo, LLVM, GCC, Clang, CMake, Bazel, Make, PostgreSQL = postgres = psql, MySQL,
MariaDB, SQLite = sqlite3, MongoDB = mongo, Redis, Memcached, Cassandra, ScyllaDB, DynamoDB,
CouchDB, Neo4j, InfluxDB, TimescaleDB, ClickHouse, DuckDB, CockroachDB, Elasticsearch,
OpenSearch, Solr, Lucene, Qdrant, Weaviate, Milvus, pgvector, FAISS, Chroma, LanceDB, BigQuery,
Snowflake, Redshift, Databricks, Prisma, Kafka = apache kafka, RabbitMQ, NATS, ZeroMQ,
ActiveMQ, Airflow = apache airflow, Dagster, Prefect, dbt, Spark = apache spark, Hadoop, Flink,
Beam, Parquet, Avro, Arrow, Protobuf = protocol buffers, gRPC, REST, WebSocket = websockets,
WebRTC, WebGL, WebGPU, OpenGL, Vulkan, OAuth = oauth2, OpenID Connect, SAML, JWT, TLS, SSH,
DNS, HTTP, HTTPS, TCP, UDP, MQTT, Bluetooth, Docker, Docker Compose, Kubernetes = k8s = kube,
kubectl, Helm, Istio, Envoy, Linkerd, Podman, containerd, Nomad, Consul, Vault, Terraform,
OpenTofu, Pulumi, Ansible, Chef, Puppet, Vagrant, Packer, Nginx, Apache, Caddy, Traefik,
HAProxy, Prometheus, Grafana, Loki, Jaeger, OpenTelemetry = otel, Kibana, Logstash, Fluentd,
Linux, Ubuntu, Debian, Fedora, Arch Linux, NixOS, Alpine Linux, CentOS, macOS, iOS, Android,
Windows, FreeBSD, Raspberry Pi, Arduino, Git, Mercurial, Subversion = svn, Vim, Neovim, Emacs,
VS Code = vscode = visual studio code, Visual Studio, IntelliJ, PyCharm, Xcode, Android Studio,
Eclipse, tmux, Homebrew = brew, Selenium, Playwright, Cypress, Jest, Vitest, Mocha, JUnit,
Cucumber, Postman, Swagger, OpenAPI, Figma, Photoshop, Blender, Excel, PowerPoint, Tableau,
Power BI, MCP, RAG, LLM, GPT, BERT, Claude, ChatGPT, Gemini, Llama, Mistral, Whisper, Stable
Diffusion, Copilot, Claude Code, Codex, Cursor, GPT-4, GPT-4o, GPT-5, MiniLM, HNSW, BM25,
Bitcoin, Ethereum, Blockchain, PlayStation, Xbox, Nintendo Switch, iPhone, iPad, MacBook,
Kindle, Fitbit, Apple Watch
"""
_SERVICES = """
GitHub, GitLab, Bitbucket, GitHub Actions, CircleCI, Jenkins, Travis CI, Jira, Confluence,
Trello, Asana, Linear, Notion, Slack, Discord, Microsoft Teams, Zoom, Google Meet, Gmail,
Outlook, Google Drive, Google Docs, Google Sheets, Google Calendar, Google Maps, Dropbox,
OneDrive, iCloud, AWS = amazon web services, EC2, S3, Lambda, CloudFront, CloudWatch, GCP =
google cloud, Azure, Heroku, Vercel, Netlify, Render, Fly.io, DigitalOcean, Linode, Cloudflare,
Fastly, Firebase, Supabase, Auth0, Okta, Stripe, PayPal, Twilio, SendGrid, Mailchimp, Sentry,
Datadog, New Relic, PagerDuty, Splunk, Segment, Mixpanel, Amplitude, HubSpot, Salesforce,
Zendesk, Intercom, Shopify, WordPress, Squarespace, Wix, YouTube, Netflix, Spotify, Twitch,
Instagram, Facebook, Twitter, TikTok, LinkedIn, Reddit, WhatsApp, Telegram, Pinterest,
Snapchat, Airbnb, Uber, Lyft, DoorDash, Etsy, eBay, Goodreads, Strava, Duolingo, Coursera,
Udemy, Kaggle, Stack Overflow = stackoverflow, PyPI, Docker Hub, Wikipedia, Hacker News,
Substack, Medium, Patreon, Kickstarter, Venmo, Hulu, Audible
"""
# Names that are everyday words, other names or plants too: only with a capital inside a sentence.
_AMBIGUOUS = frozenset(
    """airflow alpine amplitude apache arrow assembly astro audible babel backbone beam blender
    bootstrap brew bun caddy cargo celery chef chroma claude codex consul copilot crystal
    cucumber cursor cypress dart discord eclipse elm ember envoy excel expo express flask
    flutter gemini go groovy helm hulu hypothesis intercom ionic jest julia kindle lambda
    linear llama loki make mcp medium mistral mocha nim node nomad notion outlook packer
    phoenix poetry postman prefect prettier puppet rails react remix render rest rollup ruby
    ruff rust scheme segment sentry slack snowflake solid spark spring stripe swagger swift
    tableau telegram torch twitch uber unity vault whisper windows wix yarn zig zoom""".split()
)


@dataclass(frozen=True, slots=True)
class Term:
    """One way to write the name of a technology or a service."""

    words: tuple[str, ...]
    name: str
    type: EntityType
    is_ambiguous: bool


@cache
def terms_by_first_word() -> dict[str, tuple[Term, ...]]:
    """Every way to write a name, by its first word in lower case, the longest first."""
    found: dict[str, list[Term]] = {}
    listed = ((_TECHNOLOGIES, EntityType.TECHNOLOGY), (_SERVICES, EntityType.SERVICE))
    for names, kind in listed:
        for entry in names.replace("\n", " ").split(","):
            spellings = [each.strip() for each in entry.split("=")]
            for spelling in spellings:
                words = tuple(spelling.lower().split())
                is_ambiguous = spelling.lower() in _AMBIGUOUS
                term = Term(words, spellings[0], kind, is_ambiguous)
                found.setdefault(words[0], []).append(term)
    return {
        first: tuple(sorted(terms, key=lambda term: -len(term.words)))
        for first, terms in found.items()
    }


@cache
def display_names() -> dict[str, str]:
    """How each technology and service is written, by the key that every spelling of it has."""
    terms = terms_by_first_word().values()
    return {key_of(term.name): term.name for listed in terms for term in listed}
