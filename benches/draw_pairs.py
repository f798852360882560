#!/usr/bin/env python3
"""Draws Type-4 pairs to be read from a result of `familiar clones --types 4 --format ndjson`.

    python3 benches/draw_pairs.py RESULT --seed 41 --reported 20 > pairs.tsv
    python3 benches/draw_pairs.py RESULT --seed 41 --reported 34 --drawn 16 --code TREE > sample.txt

`--reported` draws from the pairs with 0.75 and more, the default of `--confidence`; `--drawn` as many from each band of
probability below. Writes a table of tabs: part, left, left_name, right, right_name, probability. With `--code` it writes the
code of each pair instead, numbered as the rows of the table, for readers. The same result and seed give the same pairs.
"""

import argparse
import json
import random
from pathlib import Path

REPORTED = 0.75
BANDS = [(0.05, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, REPORTED)]


def place(fragment: dict) -> tuple[str, int]:
    return fragment["path"], fragment["start_line"]


def drawn(result: Path, seed: int, reported: int, below: int) -> list[tuple[str, dict]]:
    """The pairs with the part that each is drawn from."""
    with result.open() as lines:
        pairs = [pair for pair in map(json.loads, lines) if pair["type"] == 4]
    pairs.sort(key=lambda pair: place(pair["left"]) + place(pair["right"]))
    random.Random(seed).shuffle(pairs)
    chosen = [("reported", pair) for pair in pairs if pair["similarity"] >= REPORTED][:reported]
    for at, (low, high) in enumerate(BANDS):
        of_band = [("drawn", pair) for pair in pairs if low <= pair["similarity"] < high]
        chosen += of_band[: (below + len(BANDS) - 1 - at) // len(BANDS)]
    return chosen


def code(tree: Path, side: dict, most: int = 60) -> str:
    """The lines of one side, the first `most` of them."""
    text = (tree / side["path"]).read_text(errors="replace").splitlines()
    lines = text[side["start_line"] - 1 : side["end_line"]]
    shown = [f"    {line[:140]}" for line in lines[:most]]
    if len(lines) > most:
        shown.append(f"    … {len(lines) - most} more lines")
    return "\n".join([f"--- {side['path']}:{side['start_line']} {side['name']}", *shown])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--reported", type=int, default=0)
    parser.add_argument("--drawn", type=int, default=0)
    parser.add_argument("--code", type=Path, metavar="TREE")
    arguments = parser.parse_args()
    chosen = drawn(arguments.result, arguments.seed, arguments.reported, arguments.drawn)
    if arguments.code:
        # The readers do not see the probability, nor from which part a pair comes.
        order = list(range(len(chosen)))
        random.Random(arguments.seed).shuffle(order)
        for at in order:
            sides = [code(arguments.code, chosen[at][1][side]) for side in ("left", "right")]
            print(f"=== {at + 1}", *sides, "", sep="\n")
        return
    print("part", "left", "left_name", "right", "right_name", "probability", sep="\t")
    for part, pair in chosen:
        sides = [pair["left"], pair["right"]]
        cells = [cell for side in sides for cell in ("{}:{}".format(*place(side)), side["name"])]
        print(part, *cells, f"{pair['similarity']:.2f}", sep="\t")


if __name__ == "__main__":
    main()
