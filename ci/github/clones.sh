#!/usr/bin/env bash
# Runs `familiar clones` once for the GitHub Action, whose inputs are INPUT_* in the environment, and renders the result in every
# format that is asked for. A result over --fail-over is no failure here: the action fails when everything is written.
set -euo pipefail

folder=$RUNNER_TEMP/familiar
result=$folder/clones.json
mkdir -p "$folder"

fail() {
    echo "::error title=Familiar::$1"
    exit 2
}

if [ "$INPUT_UPLOAD_SARIF" = true ] && [ "$INPUT_FORMAT" != sarif ]; then
    fail 'upload-sarif needs format: sarif'
fi

arguments=(--format=json "--output=$result")
flag() {
    if [ -n "$2" ]; then
        arguments+=("--$1=$2")
    fi
}
flag types "$INPUT_TYPES"
flag min-tokens "$INPUT_MIN_TOKENS"
flag fail-over "$INPUT_FAIL_OVER"
flag baseline "$INPUT_BASELINE"
flag changed-since "$INPUT_CHANGED_SINCE"
while IFS= read -r glob || [ -n "$glob" ]; do
    flag exclude "$glob"
done <<< "$INPUT_EXCLUDE"
arguments+=(--)
while IFS= read -r path || [ -n "$path" ]; do
    if [ -n "$path" ]; then
        arguments+=("$path")
    fi
done <<< "$INPUT_PATHS"

status=0
"$FAMILIAR" clones "${arguments[@]}" || status=$?
if [ "$status" -gt 1 ]; then
    exit "$status"
fi

render() {
    "$FAMILIAR" report "$result" "$@"
}
case "$INPUT_FORMAT" in
    json)
        output=${INPUT_OUTPUT:-$result}
        [ "$output" = "$result" ] || cp -- "$result" "$output"
        ;;
    html)
        output=${INPUT_OUTPUT:-$folder/report}
        render "--html=$output"
        ;;
    *)
        output=${INPUT_OUTPUT:-$folder/clones.$INPUT_FORMAT}
        render "--format=$INPUT_FORMAT" "--output=$output"
        ;;
esac
if [ -n "$INPUT_BADGE" ]; then
    render --format=badge "--output=$INPUT_BADGE"
fi
if [ "$INPUT_SUMMARY" = true ]; then
    render --format=markdown >> "$GITHUB_STEP_SUMMARY"
fi

# A name in quotes before a number is a key: in texts, quotes are escaped.
number() {
    grep -o "\"$1\": *[0-9][0-9.e-]*" "$result" | head -n 1 | sed 's/.*: *//'
}
# A name of several lines would be several outputs.
case "$output" in
    *$'\n'*) fail 'the input output has more than one line' ;;
esac
{
    echo "classes=$(number classes)"
    echo "duplication=$(number duplication)"
    echo "result=$result"
    echo "output=$output"
    if [ "$status" = 1 ]; then
        echo over=true
    fi
} >> "$GITHUB_OUTPUT"
