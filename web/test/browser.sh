#!/usr/bin/env bash
# All pages in Chromium, as PROGRAM writes and serves them: the reports of a folder of ours, of an audit and of found code, and a server with a corpus of it.
#   web/test/browser.sh target/debug/familiar
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
export FAMILIAR_HOME=$work/home
mkdir "$FAMILIAR_HOME"
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT

"$program" clones ../crates/source ../crates/search ../crates/cli --format html --output "$work/report" --quiet
npm run --silent check -- "$work/report"

test/audited.sh "$program" "$work/audited"
npm run --silent check -- "$work/audited/report"

test/found.sh "$program" "$work/audited"
npm run --silent found -- "$work/audited"

"$program" corpus add our-code ../crates --quiet
"$program" serve --listen 127.0.0.1:0 --quiet > "$work/said" &
server=$!
for _ in $(seq 100); do
    [ -s "$work/said" ] && break
    sleep 0.1
done
npm run --silent service -- "$(sed 's/listening on //' "$work/said")"
