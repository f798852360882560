"""Draws clone pairs at random from a result, with their code, for a person to read and judge.

    familiar clones TREE --format json --output clones.json
    python3 benches/sample_pairs.py clones.json TREE --count 100 --seed 1 > sample.txt

Every entry of the result's `pairs` is as likely as any other. The judgements behind the default thresholds stand in
`docs/precision.md`.
"""

import argparse
import json
import random
from pathlib import Path


def drawn(path: Path, count: int, seed: int) -> list[dict]:
    """`count` pairs of the result, each equally likely, in order, with their fragments in the place of ids."""
    result = json.loads(path.read_text())
    fragments, pairs = result["fragments"], result["pairs"]
    chosen = sorted(random.Random(seed).sample(range(len(pairs)), min(count, len(pairs))))
    return [
        {**pairs[at], "left": fragments[pairs[at]["left"]], "right": fragments[pairs[at]["right"]]} for at in chosen
    ]


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
    parser.add_argument("pairs", type=Path, help="a result in the format json")
    parser.add_argument("tree", type=Path, help="the tree that it is of")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=30, help="lines of each side to show")
    arguments = parser.parse_args()
    for number, pair in enumerate(drawn(arguments.pairs, arguments.count, arguments.seed), start=1):
        left, right = pair["left"], pair["right"]
        print(f"=== {number}: {left['kind']}, type {pair['type']}, similarity {pair['similarity']:.3f}")
        print(code(arguments.tree, left, arguments.lines))
        print(code(arguments.tree, right, arguments.lines))
        print()


if __name__ == "__main__":
    main()
