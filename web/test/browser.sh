#!/usr/bin/env bash
# All pages in Chromium, as PROGRAM writes and serves them: the reports of a folder of ours, of an audit, of found code and of
# licenses, the page of judges, and a server with a corpus of it.
#   web/test/browser.sh target/debug/familiar
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
export FAMILIAR_HOME=$work/home
mkdir "$FAMILIAR_HOME"
servers=
trap '[ -z "$servers" ] || kill $servers; rm -rf "$work"' EXIT

# A result of many classes, in which a server took no part.
"$program" clones ../crates/source ../crates/search ../crates/cli --min-tokens 50 --format json --output "$work/result.json" --quiet
node -e '
    const [, file] = process.argv, fs = require("node:fs"), result = JSON.parse(fs.readFileSync(file));
    result.summary.unanswered = [{ peer: "lab", reason: "</script><img src=x onerror=alert(1)>" }];
    fs.writeFileSync(file, JSON.stringify(result));
' "$work/result.json"
"$program" report "$work/result.json" --html "$work/report"
npm run --silent check -- "$work/report"

test/explained.sh "$program" "$work/explained"
npm run --silent check -- "$work/explained/report"

test/audited.sh "$program" "$work/audited"
npm run --silent check -- "$work/audited/report"

test/found.sh "$program" "$work/audited"
npm run --silent found -- "$work/audited"

test/licensed.sh "$program" "$work/licensed"
npm run --silent licenses -- "$work/licensed/report"
npm run --silent licenses -- "$work/licensed/report.html"

test/judged.sh "$program" "$work/judged"
npm run --silent judged -- "$program" "$work/judged"

# Starts a server that says its address to a file.
serve() {
    "$program" serve --listen 127.0.0.1:0 --quiet "${@:2}" > "$1" &
    servers="$servers $!"
    for _ in $(seq 100); do
        [ -s "$1" ] && return
        sleep 0.1
    done
}

"$program" corpus add our-code ../crates --quiet
FAMILIAR_HOME=$work/lab "$program" corpus add theirs ../crates/review --quiet
FAMILIAR_HOME=$work/lab serve "$work/lab-said"
serve "$work/said" --peer "lab=$(sed 's/listening on //' "$work/lab-said")"
npm run --silent service -- "$(sed 's/listening on //' "$work/said")"
