"""Runs the official conformance suite against /mcp: `scripts/conformance.sh` installs it first.

The suite knows no keys, so its requests are given one on their way to the gate; everything else is
as `engram serve` does it. Of the tools that the suite wants to find in a server, those stand beside
ours that say something, fail and take long. Scenarios that need other tools, prompts or resources
of the suite's own, or what no server has to offer (sampling, elicitation, logging), do not apply.
"""

import dataclasses
import json
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import cast

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from engram import Engram
from engram.errors import InvalidInput
from engram.surfaces.documents import Document
from engram.surfaces.http.app import Service
from engram.surfaces.http.gate import Names
from engram.surfaces.mcp.tool import Tool
from engram.surfaces.mcp.toolsets import ToolSet, all_tools
from engram.surfaces.operations import OPERATIONS, Arguments, Progress

_BOTH = (
    "completion-complete", "tools-list", "tools-call-simple-text", "tools-call-error",
    "tools-call-with-progress", "resources-list", "prompts-list", "dns-rebinding-protection",
)  # fmt: skip
SCENARIOS = {
    "2025-11-25": ("server-initialize", "ping", *_BOTH),
    "2026-07-28": (
        "server-stateless", "server-sse-multiple-streams", "sep-2164-resource-not-found",
        "caching", "http-header-validation",
        "input-required-result-missing-input-response",
        "input-required-result-unsupported-methods", "input-required-result-ignore-extra-params",
        "input-required-result-validate-input", *_BOTH,
    ),
}  # fmt: skip


class Nothing(Arguments):
    """No arguments."""


def say(engram: Engram, given: Arguments, progress: Progress) -> Document:  # noqa: ARG001  # fixed
    return {"text": "This is a simple text response for testing."}


def fail(engram: Engram, given: Arguments, progress: Progress) -> Document:  # noqa: ARG001  # fixed
    raise InvalidInput(hint="This tool intentionally returns an error for testing.")


def take_long(engram: Engram, given: Arguments, progress: Progress) -> Document:  # noqa: ARG001  # fixed
    for done in (0, 50, 100):
        progress(done, 100)
        time.sleep(0.15)
    return {"text": "Done."}


def add_tools() -> None:
    """Put what the suite calls beside the tools there are."""
    tools = cast("dict[str, Tool]", all_tools(ToolSet.STANDARD))
    acts = {
        "test_simple_text": say,
        "test_error_handling": fail,
        "test_tool_with_progress": take_long,
    }
    for name, act in acts.items():
        operation = dataclasses.replace(
            OPERATIONS["health"], name=name, takes=Nothing, run=act, summary=f"For {name}.",
            tells=lambda document: str(document["text"]), is_long=act is take_long,
        )  # fmt: skip
        tools[name] = Tool(operation)


def with_key(app: ASGIApp, key: str) -> ASGIApp:
    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            header = (b"authorization", f"Bearer {key}".encode())
            scope = {**scope, "headers": [*scope["headers"], header]}
        await app(scope, receive, send)

    return serve


def failures(suite: list[str], url: str, scenario: str, version: str) -> tuple[int, list[str]]:
    """How many checks of a scenario passed, and what failed that could be tested here."""
    words = ["--url", url, "--scenario", scenario, "--spec-version", version, "--verbose"]
    found = subprocess.run([*suite, "server", *words], capture_output=True, text=True, check=False)
    start = found.stdout.find("[\n")
    if start < 0:
        return 0, [found.stdout[-500:] + found.stderr[-500:]]
    checks = json.JSONDecoder().raw_decode(found.stdout[start:])[0]
    passed = sum(check["status"] == "SUCCESS" for check in checks)
    failed = [
        f"{check['id']}: {check.get('errorMessage')}"
        for check in checks
        if check["status"] == "FAILURE" and not (check.get("details") or {}).get("untestable")
    ]
    return passed, failed


def run(suite: list[str], url: str) -> int:
    """Every scenario that applies, in both eras; 1 when a check failed."""
    is_fine = True
    for version, scenarios in SCENARIOS.items():
        for scenario in scenarios:
            passed, failed = failures(suite, url, scenario, version)
            print(
                f"{version} {scenario}: {passed} passed, {len(failed)} failed", *failed, sep="\n  "
            )
            is_fine = is_fine and not failed
    return 0 if is_fine else 1


def main() -> int:
    suite = sys.argv[1:]
    add_tools()
    with (
        tempfile.TemporaryDirectory(prefix="engram-conformance-") as folder,
        Engram.open(Path(folder) / "store", settings={"embedder": {"kind": "hashing"}}) as owner,
        socket.create_server(("127.0.0.1", 0)) as listening,
    ):
        owner.remember("Ada Lovelace lives in Porto.", session="monday")
        key = owner.issue_key("conformance", role="curator").text
        port = listening.getsockname()[1]
        service = Service(owner, Names.of(port), has_mcp=True)
        app = with_key(service.app(), key)
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on", ws="none"))
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        result = run(suite, f"http://127.0.0.1:{port}/mcp")
        server.should_exit = True
        thread.join(10)
        service.close()
    return result


if __name__ == "__main__":
    sys.exit(main())
