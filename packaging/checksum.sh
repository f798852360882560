#!/usr/bin/env bash
# Writes FILE.sha256 beside each FILE, with the name alone, so that it can be checked wherever both lie.
set -euo pipefail

for file in "$@"; do
    cd "$(dirname "$file")"
    name=$(basename "$file")
    { sha256sum "$name" 2> /dev/null || shasum -a 256 "$name"; } > "$name.sha256"
    cd "$OLDPWD"
done
