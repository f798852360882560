#!/usr/bin/env bash
# Tests the language server with the client library of VS Code, and packs the extension: check.sh PROGRAM.
set -euo pipefail
FAMILIAR=$(realpath "$1")
export FAMILIAR
cd "$(dirname "$0")"
npm ci --no-audit --no-fund
npm test
npm run pack
