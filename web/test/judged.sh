#!/usr/bin/env bash
# A small benchmark whose pairs people judge, as PROGRAM makes it of rows of our own. Names and code are hostile on purpose.
#   web/test/judged.sh PROGRAM FOLDER
# FOLDER gets `b`, with three judges in one group.
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
cd "$2"

"$program" benchmark new b --quiet
node -e '
    const rows = Array.from({ length: 14 }, (_, at) => ({
        lang: "python",
        code1: `def weigh_${at}(rows, rate):\n    """</pre><script>alert(1)</script>"""\n    total = ${at}\n    for row in rows:\n        if row.width > ${at}:\n            total += row.width * rate  # <img src=x onerror=alert(2)>\n    return total\n`,
        code2: `def weight_of_all_${at}(table, price):\n    wide = filter(lambda it: it.width > ${at}, table)\n    return ${at} + sum(map(lambda it: price * it.width, wide))\n`,
    }));
    require("node:fs").writeFileSync("rows.jsonl", rows.map((row) => JSON.stringify(row)).join("\n") + "\n");
'
"$program" benchmark import b rows.jsonl --quiet
"$program" benchmark parse b --quiet
"$program" benchmark filter b --quiet
# What tests say of the pairs, which is shown afterwards.
"$program" benchmark test b --quiet
node -e '
    const fs = require("node:fs");
    const rows = fs.readFileSync("b/tests.jsonl", "utf8").trim().split("\n").map((line) => JSON.parse(line));
    for (const row of rows) row.report = { verdict: "agrees <b>", compared: 40 };
    fs.writeFileSync("b/tests.jsonl", rows.map((row) => JSON.stringify(row)).join("\n") + "\n");
'
sed -i -e 's/^groups = .*/groups = [["ada", "bob", "eve"]]/' -e 's/^share_twice = .*/share_twice = 0.5/' -e "s/^labels = .*/labels = ['copied', 'edited <i>']/" b/benchmark.toml
