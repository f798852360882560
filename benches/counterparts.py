#!/usr/bin/env python3
"""Counts how many functions that two collections of algorithms in two languages name alike are found as pairs.

    python3 benches/counterparts.py LEFT RIGHT --program target/release/familiar

A name counts where a function of five lines or more in both has it, or its file; short and general names, such as `insert`,
do not count, nor do tests. It is found where a reported pair across languages joins two that have it.
"""

import argparse
import json
import re
import subprocess
import tempfile
from pathlib import Path

GENERAL = set(
    "main index test run solve init setup utils util node constructor insert remove delete add get set find search sort push pop"
    " size print display update contains create next equals compare tostring swap peek clear build check helper solution"
    " example".split()
)
IS_TEST = re.compile(r"(^|/)(tests?|__tests?__|spec|specs|testing|unittest|unittests)/|[._](test|spec)\.|(^|/)test_|_test\.|Tests?\.\w+$", re.I)
LEAST_LINES = 5
LEAST_LETTERS = 4


def names(path: str, name: str) -> set[str]:
    """The name of a function and of its file, letters and digits alone."""
    both = {re.sub(r"[^a-z0-9]", "", text.lower()) for text in (path.rsplit("/", 1)[-1].split(".")[0], name or "")}
    return {text for text in both if len(text) >= LEAST_LETTERS and text not in GENERAL}


def named(program: str, tree: Path, work: Path) -> set[str]:
    """The names in a tree."""
    vectors = work / f"{tree.name}.npy"
    subprocess.run([program, "embed", tree, "--output", vectors, "--quiet"], check=True)
    rows = map(json.loads, vectors.with_suffix(".npy.jsonl").read_text().splitlines())
    found = set()
    for row in rows:
        if row["name"] and not IS_TEST.search(row["path"]) and row["end_line"] - row["start_line"] + 1 >= LEAST_LINES:
            found |= names(row["path"], row["name"])
    return found


def pairs(program: str, trees: list[Path], work: Path) -> list[dict]:
    """The pairs across languages."""
    result = work / "pairs.ndjson"
    options = ["--types", "4", "--granularity", "function", "--cross-language", "--min-tokens", "50"]
    command = [program, "clones", *trees, *options, "--format", "ndjson", "--output", result, "--quiet"]
    subprocess.run(command, check=True)
    rows = map(json.loads, result.read_text().splitlines())
    return [row for row in rows if row["left"]["language"] != row["right"]["language"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", type=Path, nargs=2)
    parser.add_argument("--program", default="target/release/familiar")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        both = set.intersection(*(named(arguments.program, tree, work) for tree in arguments.trees))
        reported = pairs(arguments.program, arguments.trees, work)
    sides = [[names(row[side]["path"], row[side]["name"]) for side in ("left", "right")] for row in reported]
    found = both & set().union(*(left & right for left, right in sides))
    print(f"{len(found)} of {len(both)} names found ({len(found) / max(len(both), 1):.0%}), {len(reported)} pairs")
    print("missed:", ", ".join(sorted(both - found)))


if __name__ == "__main__":
    main()
