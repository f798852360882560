#!/usr/bin/env python3
"""Draws pairs to be read from a result of `familiar clones --format ndjson`: draw_pairs.py RESULT SEED COUNT

Writes a table of tabs: left, left_name, right, right_name, probability. The same result and seed give the same pairs."""

import json
import random
import sys


def place(fragment):
    return fragment["path"], fragment["start_line"]


def main(result, seed, count):
    with open(result) as lines:
        pairs = [pair for pair in map(json.loads, lines) if pair["type"] == 4]
    pairs.sort(key=lambda pair: place(pair["left"]) + place(pair["right"]))
    random.Random(int(seed)).shuffle(pairs)
    print("left", "left_name", "right", "right_name", "probability", sep="\t")
    for pair in pairs[: int(count)]:
        sides = [pair["left"], pair["right"]]
        cells = [cell for side in sides for cell in ("{}:{}".format(*place(side)), side["name"])]
        print(*cells, f"{pair['similarity']:.2f}", sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
