#!/usr/bin/env python3
"""Fits how sure an encoder is to Type-4 pairs of real trees that people or models have read.

    python3 benches/calibrate.py --familiar target/release/familiar --encoder weights:run/weights.bin TREES

TREES holds the trees of `docs/type4-pairs.tsv`, `docs/precision/type4/` and `docs/precision/type4-bands/`, each under the
last part of its name (`git archive` of the revision). A pair is looked up in what `familiar clones --types 4` gives at a
low confidence. The logarithm of its odds becomes that of the curve by one slope and one offset, fitted by least
logarithmic loss (Platt 1999) to every other pair of `type4-bands`, which were drawn across all probabilities. Prints the
fit, how many judged pairs stand in the result, and how many are right above each probability, before and after: of the
pairs that were fitted, and of those that were not.
"""

import argparse
import csv
import json
import math
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

JUDGED = Path(__file__).resolve().parent.parent / "docs"
LEAST = 0.02  # the confidence from which on pairs are looked up


class Judged(NamedTuple):
    """A pair that was read within one language: its two places, whether it is right, and whether the curve is fitted to it."""

    place: tuple
    right: bool
    fits: bool


def judged() -> dict[str, list[Judged]]:
    """The pairs that were read, by the folder of their tree."""
    found: dict[str, list[Judged]] = {}
    with (JUDGED / "type4-pairs.tsv").open() as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            if " + " not in row["tree"]:
                one = Judged(key(row), row["alike"] == "yes", False)
                found.setdefault(row["tree"].rpartition("/")[2], []).append(one)
    folders = {path.lower(): path for path in ("Humanizer",)}
    for folder in ("type4", "type4-bands"):
        for table in sorted((JUDGED / "precision" / folder).glob("*.tsv")):
            with table.open() as lines:
                for at, row in enumerate(csv.DictReader(lines, delimiter="\t")):
                    right = row["first reader"] == row["second reader"] == "yes"
                    one = Judged(key(row), right, folder == "type4-bands" and at % 2 == 0)
                    found.setdefault(folders.get(table.stem, table.stem), []).append(one)
    return found


def key(row: dict) -> tuple:
    return tuple(sorted([row["left"], row["right"]]))


def searched(familiar: str, encoder: str, tree: Path) -> dict[tuple, float]:
    """The probability of each Type-4 pair of a tree, by its two places."""
    with tempfile.NamedTemporaryFile(suffix=".ndjson") as out:
        command = [familiar, "clones", str(tree), "--types", "4", "--granularity", "function", "--encoder", encoder]
        command += ["--confidence", str(LEAST), "--format", "ndjson", "--quiet", "--output", out.name]
        subprocess.run(command, check=True)
        pairs = [json.loads(line) for line in Path(out.name).read_text().splitlines()]
    place = lambda side: f"{side['path']}:{side['start_line']}"
    return {tuple(sorted([place(p["left"]), place(p["right"])])): p["similarity"] for p in pairs}


def logit(probability: float) -> float:
    probability = min(probability, 1 - 1e-9)
    return math.log(probability / (1 - probability))


def fitted(points: list[tuple[float, bool]]) -> tuple[float, float]:
    """The slope and the offset with the least logarithmic loss, by Newton's method."""
    slope, offset = 1.0, 0.0
    for _ in range(50):
        g0 = g1 = h00 = h01 = h11 = 0.0
        for x, right in points:
            p = 1 / (1 + math.exp(-(slope * x + offset)))
            w = p * (1 - p)
            g0, g1 = g0 + (p - right), g1 + (p - right) * x
            h00, h01, h11 = h00 + w, h01 + w * x, h11 + w * x * x
        h00, h11 = h00 + 1e-3, h11 + 1e-3
        determinant = h00 * h11 - h01 * h01
        offset -= (h11 * g0 - h01 * g1) / determinant
        slope -= (h00 * g1 - h01 * g0) / determinant
    return slope, offset


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", type=Path)
    parser.add_argument("--familiar", default="familiar")
    parser.add_argument("--encoder", default="builtin")
    arguments = parser.parse_args()
    points, missing, reported = [], [0, 0], 0
    for tree, pairs in sorted(judged().items()):
        found = searched(arguments.familiar, arguments.encoder, arguments.trees / tree)
        reported += sum(probability >= 0.75 for probability in found.values())
        hits = [(found[pair.place], pair) for pair in pairs if pair.place in found]
        for pair in pairs:
            if pair.place not in found:
                missing[pair.right] += 1
        points += hits
        above = [pair.right for probability, pair in hits if probability >= 0.75]
        print(f"{tree}: {len(hits)} of {len(pairs)} judged pairs found; {sum(above)} of {len(above)} right at 0.75; "
              f"{sum(p >= 0.75 for p in found.values())} reported", flush=True)
    print(f"not found: {missing[True]} right and {missing[False]} wrong; {reported} reported at 0.75")
    slope, offset = fitted([(logit(p), pair.right) for p, pair in points if pair.fits])
    print(f"fit: slope × {slope:.3f}, offset {offset:+.3f}")
    after = lambda p: 1 / (1 + math.exp(-(slope * logit(p) + offset)))
    for fits, what in ((True, "fitted"), (False, "not fitted")):
        of_them = [(p, pair.right) for p, pair in points if pair.fits == fits]
        for limit in (0.2, 0.4, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9):
            old = [right for p, right in of_them if p >= limit]
            new = [right for p, right in of_them if after(p) >= limit]
            print(f"{what}, at {limit}: before {sum(old)} of {len(old)}, after {sum(new)} of {len(new)} right")


if __name__ == "__main__":
    main()
