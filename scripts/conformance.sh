#!/bin/sh
# The official conformance suite of MCP against /mcp. The suite and the Node it needs are installed
# into build/; only that needs a network.
set -eu
cd "$(dirname "$0")/.."
folder=build/conformance
suite=$folder/node_modules/@modelcontextprotocol/conformance/dist/index.js
node=$folder/node_modules/node/bin/node
if ! test -f "$suite" || ! test -x "$node"; then
    mkdir -p "$folder"
    npm install --silent --no-audit --no-fund --prefix "$folder" \
        @modelcontextprotocol/conformance@0.2.0-alpha.12 node@22
fi
exec .venv/bin/python scripts/conformance.py "$node" "$suite"
