#!/usr/bin/env python3
"""Fits what each kind of change says of two pieces of code that look alike: `crates/model/weights/changes.tsv`.

    python3 benches/fit_changes.py --familiar target/release/familiar --data CLONES --work FOLDER

CLONES holds the files of programs with tests. `familiar evaluate mutants --format ndjson` makes clones and mutants of them,
equally far from their programs, and runs them. Its rows stay in FOLDER and are read again if they are there, so empty it
if the kinds of changes change. The weights are those of a logistic regression on log2(1 + count) of each kind (Newton's method, ridge 1). HumanEval and HumanEval-X are
not fitted. The area under the curve (AUC) is printed for each of their languages. It is also printed for five parts of
the transformations, and for each kind of fault: there the weights come from pairs in which none of the part, or no fault
of this kind, had a hand.
"""

import argparse
import json
import math
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ROOT / "crates/model/weights/changes.tsv"
PYTHON = "python_functions_with_tests.jsonl.zst"
MANY = "humaneval_mbpp_multilang.jsonl.zst"
# Name, file, flags, and whether it is fitted. What has to be compiled for each run is kept small.
SOURCES = [
    ("python-mbpp", PYTHON, ["--where", "dataset=mbpp", "--pairs", "8", "--seed", "7"], True),
    ("python-quixbugs", PYTHON, ["--where", "dataset=quixbugs", "--pairs", "8", "--seed", "7"], True),
    ("python-exercism", PYTHON, ["--where", "dataset=exercism", "--pairs", "8", "--seed", "7"], True),
    ("javascript-mbxp", MANY, ["--where", "set=mbxp", "--lang", "javascript", "--programs", "150", "--seed", "7"], True),
    ("python-humaneval", PYTHON, ["--where", "dataset=humaneval"], False),
    ("javascript-humaneval", MANY, ["--where", "set=humaneval-x", "--lang", "javascript", "--programs", "40"], False),
    ("go-humaneval", MANY, ["--where", "set=humaneval-x", "--lang", "go", "--programs", "15", "--pairs", "3"], False),
    ("java-humaneval", MANY, ["--where", "set=humaneval-x", "--lang", "java", "--programs", "15", "--pairs", "3"], False),
    ("cpp-humaneval", MANY, ["--where", "set=humaneval-x", "--lang", "cpp", "--programs", "15", "--pairs", "3"], False),
]
PARTS = 5
FAULTS = {"operator", "number", "truth", "variable"}
ROUNDS = 25


def rows_of(options, name, file, flags):
    """The rows of one source, each a clone followed by its mutant."""
    path = options.work / f"{name}.jsonl"
    if not path.exists():
        command = [options.familiar, "evaluate", "mutants", options.data / file, *flags, "--quiet"]
        subprocess.run([*command, "--format", "ndjson", "--output", path], check=True)
    keep = ("label", "made_by", "changes", "distance")
    with path.open() as lines:
        rows = [{key: row[key] for key in keep} for row in map(json.loads, lines)]
    # What is too long to be aligned says nothing, and neither does the other one of its pair.
    pairs = [pair for pair in zip(rows[::2], rows[1::2]) if all(row["changes"] is not None for row in pair)]
    return [row for pair in pairs for row in pair]


def solved(matrix, vector):
    """The solution of a system of linear equations (Gauss, with pivots)."""
    rows = [row[:] + [value] for row, value in zip(matrix, vector)]
    size = len(rows)
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for row in range(at + 1, size):
            factor = rows[row][at] / rows[at][at]
            if factor:
                rows[row] = [one - factor * other for one, other in zip(rows[row], rows[at])]
    found = [0.0] * size
    for at in reversed(range(size)):
        rest = sum(rows[at][column] * found[column] for column in range(at + 1, size))
        found[at] = (rows[at][size] - rest) / rows[at][at]
    return found


def fitted(rows):
    """The weight of each kind, and `bias`."""
    names = ["bias", *sorted({kind for row in rows for kind in row["changes"]})]
    place = {name: at for at, name in enumerate(names)}
    inputs = [[(0, 1.0), *((place[kind], math.log2(1 + count)) for kind, count in row["changes"].items())] for row in rows]
    weights = [0.0] * len(names)
    for _ in range(ROUNDS):
        slope = [weight if at else 0.0 for at, weight in enumerate(weights)]
        curve = [[0.0] * len(names) for _ in names]
        for at in range(len(names)):
            curve[at][at] = 1.0 if at else 1e-6
        for row, values in zip(rows, inputs):
            share = 1 / (1 + math.exp(-max(-30.0, min(30.0, sum(weights[at] * value for at, value in values)))))
            wrong, worth = share - row["label"], share * (1 - share)
            for at, value in values:
                slope[at] += wrong * value
                line, part = curve[at], worth * value
                for other, theirs in values:
                    line[other] += part * theirs
        step = solved(curve, slope)
        weights = [weight - by for weight, by in zip(weights, step)]
        if max(map(abs, step)) < 1e-9:
            break
    return dict(zip(names, weights))


def score(weights, row):
    return sum(weights.get(kind, 0.0) * math.log2(1 + count) for kind, count in row["changes"].items())


def auc(weights, rows):
    """The probability that a clone scores higher than a mutant; ties count half."""
    scores = sorted((score(weights, row), row["label"]) for row in rows)
    clones = sum(row["label"] for row in rows)
    wins, below, at = 0.0, 0, 0
    while at < len(scores):
        end = at
        while end < len(scores) and scores[end][0] == scores[at][0]:
            end += 1
        positive = sum(label for _, label in scores[at:end])
        wins += positive * (below + (end - at - positive) / 2)
        below += end - at - positive
        at = end
    return wins / max(1, clones * (len(rows) - clones))


def part_of(row, parts):
    """The part of the transformation that had a hand in a row; none where none had."""
    return next((parts[name] for name in row["made_by"] if name in parts), None)


def without(rows, parts, part):
    """Pairs in which no transformation of a part had a hand, and those whose clone is made by one."""
    pairs = list(zip(rows[::2], rows[1::2]))
    out = [row for pair in pairs if all(part_of(row, parts) != part for row in pair) for row in pair]
    inside = [row for pair in pairs if part_of(pair[0], parts) == part for row in pair]
    return out, inside


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--familiar", default="target/release/familiar")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    seen, kept = [], []
    for name, file, flags, fits in SOURCES:
        rows = rows_of(options, name, file, flags)
        (seen.extend(rows) if fits else kept.append((name, rows)))
        print(f"{name}: {len(rows) // 2} pairs{', fitted' if fits else ''}")
    weights = fitted(seen)
    lines = [f"{name}\t{weights[name]:.3f}" for name in ["bias", *sorted(weights.keys() - {"bias"})]]
    head = "# What each kind of change says of two texts that look alike: benches/fit_changes.py makes this file."
    options.output.write_text("\n".join([head, *lines]) + "\n")
    print(f"\n{len(seen) // 2} pairs are fitted: AUC {auc(weights, seen):.3f}")
    for name, rows in kept:
        print(f"{name}: AUC {auc(weights, rows):.3f} over {len(rows) // 2} pairs")
    tested = [row for _, rows in kept for row in rows]
    names = sorted({row["made_by"][0] for row in [*seen, *tested] if row["label"]})
    parts = {name: at % PARTS for at, name in enumerate(names)}
    for part in range(PARTS):
        rest, _ = without(seen, parts, part)
        _, inside = without(tested, parts, part)
        print(f"transformations kept apart, part {part + 1}: AUC {auc(fitted(rest), inside):.3f} over {len(inside) // 2} pairs")
    for fault in sorted(FAULTS):
        rest = [row for pair in zip(seen[::2], seen[1::2]) if fault not in pair[1]["made_by"] for row in pair]
        alone = [pair for pair in zip(tested[::2], tested[1::2]) if FAULTS.intersection(pair[1]["made_by"]) == {fault}]
        inside = [row for pair in alone for row in pair]
        print(f"faults kept apart, {fault}: AUC {auc(fitted(rest), inside):.3f} over {len(alone)} pairs")


if __name__ == "__main__":
    main()
