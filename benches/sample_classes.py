"""Draws clone classes from a result, with the code of one pair of each, for two people to read and judge.

    familiar clones TREE --format json --output clones.json
    python3 benches/sample_classes.py clones.json TREE --seed 1 > sample.txt
    python3 benches/sample_classes.py --score docs/precision/fifth/*.tsv

The first 20 classes are what a reader sees first; 20 more are drawn from all classes, each equally likely. Of every class
the representative is shown beside one other member, drawn at random. The judgements stand in `docs/precision/`, a table
for each tree: part, rank, kind, type, left, right, and each reader's word: `yes`, `no` or `doubtful`.
"""

import argparse
import json
import math
import random
from collections import defaultdict
from pathlib import Path

FIRST = 20


def drawn(result: dict, others: int, seed: int) -> list[tuple[str, dict, dict]]:
    """The part, the class and the other member of each that is to be read."""
    generator = random.Random(seed)
    classes = result["classes"]
    chosen = [("first", row) for row in classes[:FIRST]]
    chosen += [("all", row) for row in generator.sample(classes, min(others, len(classes)))]
    return [(part, row, generator.choice(row["members"][1:])) for part, row in chosen]


def code(tree: Path, side: dict, most: int) -> str:
    """The lines of one side, the first `most` of them."""
    text = (tree / side["path"]).read_text(errors="replace").splitlines()
    lines = text[side["start_line"] - 1 : side["end_line"]]
    shown = [f"    {line[:140]}" for line in lines[:most]]
    if len(lines) > most:
        shown.append(f"    … {len(lines) - most} more lines")
    return "\n".join([f"--- {place(side)} {side['name']}", *shown])


def place(side: dict) -> str:
    return f"{side['path']}:{side['start_line']}-{side['end_line']}"


def interval(right: int, all_: int) -> tuple[float, float]:
    """Wilson's interval of 95 %."""
    z, share = 1.96, right / all_
    middle = (share + z * z / (2 * all_)) / (1 + z * z / all_)
    half = z * math.sqrt(share * (1 - share) / all_ + z * z / (4 * all_ * all_)) / (1 + z * z / all_)
    return middle - half, middle + half


def score(tables: list[Path]) -> None:
    """Prints how many were right in the eyes of both readers, and how often these agree."""
    total: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for table in tables:
        own: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        for line in table.read_text().splitlines()[1:]:
            part, *_, first, second = line.split("\t")
            for counts in (own[part], total[part]):
                counts[0] += first == second == "yes"
                counts[1] += 1
                counts[2] += first == second
        print(table.stem, " · ".join(line_of(part, *counts) for part, counts in sorted(own.items())))
    print("together", " · ".join(line_of(part, *counts) for part, counts in sorted(total.items())))


def line_of(part: str, right: int, all_: int, same: int) -> str:
    low, high = interval(right, all_)
    return f"{part}: {right} of {all_} right ({100 * low:.0f}–{100 * high:.0f} %), the readers agree on {same}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", type=Path, nargs="?", help="a result in the format json")
    parser.add_argument("tree", type=Path, nargs="?", help="the tree that it is of")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--others", type=int, default=20, help="classes drawn from all")
    parser.add_argument("--lines", type=int, default=30, help="lines of each side to show")
    parser.add_argument("--table", type=Path, help="write the table to be filled in, too")
    parser.add_argument("--score", type=Path, nargs="+", help="tables that are filled in")
    arguments = parser.parse_args()
    if arguments.score:
        score(arguments.score)
        return
    result = json.loads(arguments.result.read_text())
    rows = ["part\trank\tkind\ttype\tleft\tright\tfirst reader\tsecond reader"]
    for number, (part, row, other) in enumerate(drawn(result, arguments.others, arguments.seed), start=1):
        left, right = (result["fragments"][at] for at in (row["representative"], other))
        rows.append(f"{part}\t{row['rank']}\t{left['kind']}\t{row['type']}\t{place(left)}\t{place(right)}\t\t")
        print(f"=== {number}: {part}, rank {row['rank']}, {left['kind']}, type {row['type']}, {len(row['members'])} members")
        print(code(arguments.tree, left, arguments.lines))
        print(code(arguments.tree, right, arguments.lines))
        print()
    if arguments.table:
        arguments.table.write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
