#!/usr/bin/env python3
"""Compares the fast path with tree-sitter over the real trees and prints the tables of docs/oracle.md.

    python3 benches/oracle.py DIR [LANGUAGE ...]

DIR is where `trees.py` put the trees. Builds and runs `familiar-oracle`; keeps its full answers, each difference
included, in `DIR/.oracle/LANGUAGE.json`. Fails where functions agree on less than 99.5 % anywhere.
"""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

TREES = {
    "python": "P",
    "java": "java",
    "c": "C",
    "cpp": "cpp",
    "csharp": "csharp",
    "javascript": "javascript",
    "typescript": "typescript",
    "go": "go",
    "rust": "rust",
}
REQUIRED = 99.5


def main() -> int:
    directory = Path(sys.argv[1])
    languages = sys.argv[2:] or list(TREES)
    answers = [compare(directory, language) for language in languages]
    print(table(answers))
    print()
    print(causes(answers))
    return int(any(answer["kinds"][0]["agreement"] < REQUIRED for answer in answers))


def compare(directory: Path, language: str) -> dict:
    answer = directory / ".oracle" / f"{language}.json"
    answer.parent.mkdir(exist_ok=True)
    command = ["cargo", "run", "--release", "--quiet", "-p", "familiar-oracle", "--", "--lang", language]
    command += ["--kind", "function,class,block", "--show", "0", "--json", answer, directory / TREES[language]]
    if language == "cpp":
        command += ["--ext", "h"]
    subprocess.run(command, check=True, stdout=sys.stderr)
    return json.loads(answer.read_text())


def table(answers: list[dict]) -> str:
    rows = [
        "| language | tree | files | MB | clean | unsure | functions in both | only tree-sitter | only ours |"
        " functions | classes | blocks |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for one in answers:
        functions, classes, blocks = one["kinds"]
        cells = [one["language"], TREES[one["language"]]]
        cells += [f"{one['files']:,}", f"{one['bytes'] / 1e6:.1f}", f"{one['clean']:,}", f"{one['unsure']:,}"]
        cells += [f"{functions[count]:,}" for count in ("both", "only_tree_sitter", "only_ours")]
        cells += [f"{kind['agreement']:.3f} %" for kind in (functions, classes, blocks)]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def causes(answers: list[dict]) -> str:
    """How the differing functions differ, counted."""
    rows = ["| language | only | the other | functions |", "|---|---|---|--:|"]
    for one in answers:
        differences = one["kinds"][0]["differences"]
        counts = Counter((each["side"], coarse(each["cause"])) for each in differences)
        for (side, cause), count in sorted(counts.items()):
            rows.append(f"| {one['language']} | {side} | {cause} | {count:,} |")
    return "\n".join(rows)


def coarse(cause: str) -> str:
    """A cause without its line numbers."""
    return re.sub(r"^the other ", "", re.sub(r" on line \d+| \d+-\d+", " elsewhere", cause))


if __name__ == "__main__":
    sys.exit(main())
