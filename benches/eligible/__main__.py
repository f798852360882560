#!/usr/bin/env python3
"""Counts the Python programs to which each transformation should apply, and compares that with what it did.

Usage: python3 benches/eligible ROWS.jsonl.zst VARIANTS.jsonl [NAME…]

ROWS has `id`, `lang` and `code`. VARIANTS is what `cargo run -p familiar-sandbox --example variants` writes. A program
is eligible where its syntax tree has the form that the transformation's page describes. That is decided here alone,
with the module `ast`, and without the transformations' own code. With names, the eligible programs that were not
rewritten are listed, with the reason.
"""

import collections
import json
import pathlib
import subprocess
import sys

import auto_spt  # noqa: F401 (each of these adds its rules)
import classics  # noqa: F401
import expressions  # noqa: F401
import layout  # noqa: F401
import statements  # noqa: F401
from forms import RULES
from program import Program

HEAD = "| transformation | eligible | applied and right | share |\n|---|--:|--:|--:|"


def rows(path):
    text = subprocess.run(["zstd", "-dc", path], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        row = json.loads(line)
        if row["lang"] == "python":
            yield row


def main():
    programs = {}
    for row in rows(sys.argv[1]):
        try:
            programs[row["id"]] = Program(row["code"])
        except SyntaxError:
            continue
    results = collections.defaultdict(dict)
    reasons = {}
    for line in pathlib.Path(sys.argv[2]).read_text().splitlines():
        row = json.loads(line)
        results[row["name"]][row["id"]] = row["result"]
        reasons[row["name"], row["id"]] = row.get("reason", "")
    print(HEAD)
    for name, rule in RULES.items():
        eligible = [id for id, program in programs.items() if rule(program)]
        # What was applied and has no test that its original passes can be no more than applied.
        done = [id for id in eligible if results[name].get(id) in ("right", "untested")]
        share = f"{100 * len(done) / len(eligible):.1f} %" if eligible else "–"
        print(f"| `{name}` | {len(eligible)} | {len(done)} | {share} |")
        if name in sys.argv[3:]:
            for id in sorted(set(eligible) - set(done)):
                print(f"  {id}: {reasons.get((name, id), '')}")
    for name in sorted(results.keys() - RULES.keys()):
        print(f"no rule for {name}")


if __name__ == "__main__":
    main()
