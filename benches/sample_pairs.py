"""Draws clone pairs at random from a result, with their code, for a person to read and judge.

    familiar clones TREE --format ndjson --output pairs.ndjson
    python3 benches/sample_pairs.py pairs.ndjson TREE --count 100 --seed 1 > sample.txt

Every pair of the result is as likely as any other. The judgements behind the default thresholds stand in
`docs/precision.md`.
"""

import argparse
import json
import random
from pathlib import Path


def drawn(path: Path, count: int, seed: int) -> list[tuple[int, dict]]:
    """`count` lines of the file, each equally likely, with their numbers, in order."""
    with path.open("rb") as file:
        total = sum(1 for _ in file)
    chosen = sorted(random.Random(seed).sample(range(total), min(count, total)))
    wanted = set(chosen)
    with path.open("rb") as file:
        return [(at, json.loads(line)) for at, line in enumerate(file) if at in wanted]


def code(tree: Path, side: dict, most_lines: int) -> str:
    """The lines of one side, the first `most_lines` of them."""
    text = (tree / side["path"]).read_text(errors="replace").splitlines()
    lines = text[side["start_line"] - 1 : side["end_line"]]
    shown = [f"    {line[:120]}" for line in lines[:most_lines]]
    if len(lines) > most_lines:
        shown.append(f"    … {len(lines) - most_lines} more lines")
    place = f"{side['path']}:{side['start_line']}-{side['end_line']} {side['name']}"
    return "\n".join([f"--- {place}", *shown])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=Path, help="a result in the format ndjson")
    parser.add_argument("tree", type=Path, help="the tree that it is of")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=30, help="lines of each side to show")
    arguments = parser.parse_args()
    for number, (_, pair) in enumerate(drawn(arguments.pairs, arguments.count, arguments.seed), start=1):
        left, right = pair["left"], pair["right"]
        print(f"=== {number}: {left['kind']}, type {pair['type']}, similarity {pair['similarity']:.3f}")
        print(code(arguments.tree, left, arguments.lines))
        print(code(arguments.tree, right, arguments.lines))
        print()


if __name__ == "__main__":
    main()
