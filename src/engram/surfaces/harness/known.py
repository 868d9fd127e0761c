"""The harnesses that are known: where each keeps what, and in which form.

One row per harness; what each row rests on is written in docs/harnesses.md. What is not certain
is printed instead of written.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engram.errors import InvalidInput


class Form(StrEnum):
    """In which form a file is kept."""

    JSON = "json"  # with comments and trailing commas, where somebody wrote them
    TOML = "toml"
    YAML_FILE = "yaml"  # a file of our own


class HookStyle(StrEnum):
    """How hooks are written down."""

    GROUPS = "groups"  # event: [{"hooks": [{"type": "command", "command": …}]}]
    COMMANDS = "commands"  # event: [{"command": …}]
    OWN_FILE = "own file"  # event: [{"type": "command", "command": …}] in a file of our own
    SCRIPTS = "scripts"  # an executable named as the event


class CommandStyle(StrEnum):
    """How a slash command is written down."""

    CLAUDE = "claude"  # Markdown, $ARGUMENTS
    PLAIN = "plain"  # Markdown, what was typed behind it is in the conversation
    GEMINI = "gemini"  # TOML, {{args}}
    VSCODE = "vscode"  # .prompt.md
    CONTINUE = "continue"  # Markdown that says that it can be invoked


@dataclass(frozen=True, slots=True)
class Spot:
    """Where something is kept for a person, and for a project; the first that exists counts."""

    user: tuple[str, ...] = ()
    project: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Server:
    """Where the entry of an MCP server goes."""

    spot: Spot
    path: tuple[str, ...]  # the names above the entry
    form: Form = Form.JSON
    extra: Mapping[str, object] = field(default_factory=dict)  # beside command and args
    approvals: str = ""  # the field of the entry that lists tools which need no asking


@dataclass(frozen=True, slots=True)
class Hooks:
    """Which moments of a session can be hooked, and how."""

    spot: Spot
    style: HookStyle
    events: Mapping[str, str]  # ours: theirs
    timeout: int | None = 10  # in the harness's own unit; our own limit is shorter
    version: int | None = None  # a field that the file must have


@dataclass(frozen=True, slots=True)
class Commands:
    """Where slash commands are kept."""

    spot: Spot
    style: CommandStyle
    suffix: str = ".md"


@dataclass(frozen=True, slots=True)
class Harness:
    """One program around a coding agent."""

    name: str
    title: str
    server: Server
    hooks: Hooks | None = None
    commands: Commands | None = None
    permissions: Spot | None = None  # of a settings file with permissions.allow
    signs: tuple[str, ...] = ()  # folders that tell that it is on this machine
    programs: tuple[str, ...] = ()  # executables that tell so
    is_certain: bool = True  # otherwise its files are written only where it is found
    note: str = ""  # what is left for the person to do


_SESSION = {"session-start": "SessionStart", "prompt": "UserPromptSubmit", "stop": "Stop"}
_STDIO = {"type": "stdio"}
_CLAUDE_SETTINGS = Spot(
    ("{home}/.claude/settings.json",), ("{project}/.claude/settings.local.json",)
)
_GEMINI_SETTINGS = Spot(
    ("{home}/.gemini/settings.json", "{config}/gemini-cli/settings.json"),
    ("{project}/.gemini/settings.json",),
)
_CLINE_STORAGE = (
    "{support}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"
)

KNOWN: tuple[Harness, ...] = (
    Harness(
        "claude-code",
        "Claude Code",
        Server(
            Spot(("{home}/.claude.json",), ("{project}/.mcp.json",)), ("mcpServers",), extra=_STDIO
        ),
        Hooks(_CLAUDE_SETTINGS, HookStyle.GROUPS, {**_SESSION, "session-end": "SessionEnd"}),
        Commands(
            Spot(("{home}/.claude/commands",), ("{project}/.claude/commands",)), CommandStyle.CLAUDE
        ),
        permissions=_CLAUDE_SETTINGS,
        signs=("{home}/.claude", "{home}/.claude.json"),
        programs=("claude",),
        note="Claude Code asks once whether a project's .mcp.json may be used.",
    ),
    Harness(
        "codex",
        "Codex CLI",
        Server(
            Spot(("{home}/.codex/config.toml",), ("{project}/.codex/config.toml",)),
            ("mcp_servers",),
            Form.TOML,
        ),
        Hooks(
            Spot(("{home}/.codex/hooks.json",), ("{project}/.codex/hooks.json",)),
            HookStyle.GROUPS,
            _SESSION,
        ),
        Commands(Spot(("{home}/.codex/prompts",)), CommandStyle.CLAUDE),
        signs=("{home}/.codex",),
        programs=("codex",),
        note="Codex runs hooks after they were reviewed once (/hooks), and a project's files "
        "only in a project that it trusts.",
    ),
    Harness(
        "cursor",
        "Cursor",
        Server(
            Spot(("{home}/.cursor/mcp.json",), ("{project}/.cursor/mcp.json",)), ("mcpServers",)
        ),
        Hooks(
            Spot(("{home}/.cursor/hooks.json",), ("{project}/.cursor/hooks.json",)),
            HookStyle.COMMANDS,
            {
                "session-start": "sessionStart",
                "prompt": "beforeSubmitPrompt",
                "stop": "afterAgentResponse",
            },
            timeout=None,
            version=1,
        ),
        Commands(
            Spot(("{home}/.cursor/commands",), ("{project}/.cursor/commands",)), CommandStyle.PLAIN
        ),
        signs=("{home}/.cursor",),
        programs=("cursor", "cursor-agent"),
        note="That a prompt can be given context is not in Cursor's documents; 3.20 does it.",
    ),
    Harness(
        "vscode",
        "VS Code",
        Server(
            Spot(("{support}/Code/User/mcp.json",), ("{project}/.vscode/mcp.json",)),
            ("servers",),
            extra=_STDIO,
        ),
        Hooks(Spot(project=("{project}/.github/hooks/engram.json",)), HookStyle.OWN_FILE, _SESSION),
        Commands(
            Spot(("{support}/Code/User/prompts",), ("{project}/.github/prompts",)),
            CommandStyle.VSCODE,
            suffix=".prompt.md",
        ),
        signs=("{support}/Code",),
        programs=("code",),
        note="Hooks of VS Code are a preview, and kept per project only.",
    ),
    Harness(
        "windsurf",
        "Windsurf",
        Server(Spot(("{home}/.codeium/windsurf/mcp_config.json",)), ("mcpServers",)),
        Hooks(
            Spot(("{home}/.codeium/windsurf/hooks.json",), ("{project}/.windsurf/hooks.json",)),
            HookStyle.COMMANDS,
            {"prompt": "pre_user_prompt", "stop": "post_cascade_response"},
            timeout=None,
        ),
        Commands(
            Spot(
                ("{home}/.codeium/windsurf/global_workflows",), ("{project}/.windsurf/workflows",)
            ),
            CommandStyle.PLAIN,
        ),
        signs=("{home}/.codeium/windsurf",),
        programs=("windsurf",),
        note="Windsurf's hooks listen; they cannot add to a prompt.",
    ),
    Harness(
        "gemini",
        "Gemini CLI",
        Server(
            _GEMINI_SETTINGS,
            ("mcpServers",),
        ),
        Hooks(
            _GEMINI_SETTINGS,
            HookStyle.GROUPS,
            {"session-start": "SessionStart", "prompt": "BeforeAgent", "stop": "AfterAgent"},
            timeout=10_000,
        ),
        Commands(
            Spot(
                ("{home}/.gemini/commands", "{config}/gemini-cli/commands"),
                ("{project}/.gemini/commands",),
            ),
            CommandStyle.GEMINI,
            suffix=".toml",
        ),
        signs=("{home}/.gemini",),
        programs=("gemini",),
    ),
    Harness(
        "cline",
        "Cline",
        Server(
            Spot(("{home}/.cline/data/settings/cline_mcp_settings.json", _CLINE_STORAGE)),
            ("mcpServers",),
            approvals="autoApprove",
        ),
        Hooks(
            Spot(("{home}/Documents/Cline/Hooks",), ("{project}/.clinerules/hooks",)),
            HookStyle.SCRIPTS,
            {"session-start": "TaskStart", "prompt": "UserPromptSubmit"},
        ),
        Commands(
            Spot(("{home}/Documents/Cline/Workflows",), ("{project}/.clinerules/workflows",)),
            CommandStyle.PLAIN,
        ),
        signs=("{home}/.cline", "{home}/Documents/Cline"),
        programs=("cline",),
        note="Cline runs hooks after they were switched on in its Hooks tab.",
    ),
    Harness(
        "zed",
        "Zed",
        Server(
            Spot(("{config}/zed/settings.json",), ("{project}/.zed/settings.json",)),
            ("context_servers",),
            extra={"source": "custom"},
        ),
        signs=("{config}/zed",),
        programs=("zed", "zeditor"),
        note="Zed has no hooks; the server's prompts are its slash commands.",
    ),
    Harness(
        "continue",
        "Continue",
        Server(
            Spot(
                ("{home}/.continue/mcpServers/engram.yaml",),
                ("{project}/.continue/mcpServers/engram.yaml",),
            ),
            ("mcpServers",),
            Form.YAML_FILE,
        ),
        commands=Commands(
            Spot(("{home}/.continue/prompts",), ("{project}/.continue/prompts",)),
            CommandStyle.CONTINUE,
        ),
        signs=("{home}/.continue",),
        programs=("cn",),
        note="Continue has no hooks.",
    ),
    Harness(
        "claude-desktop",
        "Claude Desktop",
        Server(Spot(("{support}/Claude/claude_desktop_config.json",)), ("mcpServers",)),
        signs=("{support}/Claude",),
        is_certain=False,
        note="Claude Desktop has no hooks; the server's prompts are its slash commands. "
        "It reads its settings when it starts.",
    ),
)


def find_harness(name: str) -> Harness:
    """The harness of that name."""
    for harness in KNOWN:
        if harness.name == name:
            return harness
    raise InvalidInput(hint=f"Known are: {', '.join(each.name for each in KNOWN)}.")
