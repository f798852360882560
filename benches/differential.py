#!/usr/bin/env python3
"""Looks for a program that a transformation breaks, for as long as it is told to.

Usage: differential.py LANGUAGE SECONDS OUT.jsonl --rows FILE... [--seed N] [--at-once N]

Draws programs of LANGUAGE from FILEs (JSON lines with `id`, `lang`, `code` and, where there is one, `test`; plain or .zst),
changes half of them a little (another number, another operator), and gives them to `familiar transform --verify` with a new
seed each time: every transformation alone, then compositions of a few that are drawn. The command runs each variant beside its source in the
sandbox. A variant that behaves differently goes to OUT.jsonl, and the last line that is printed counts what was run.

The program is $FAMILIAR, or target/release/familiar.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FAMILIAR = os.environ.get("FAMILIAR", str(ROOT / "target/release/familiar"))
LONGEST = 6000  # characters of a program
COMPOSITIONS = 12  # of each program
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "&&": "||", "||": "&&"}
OPERATOR = re.compile(r"(?<= )(<=|>=|==|!=|&&|\|\||[<>+-])(?= )")
NUMBER = re.compile(r"(?<![\w.])\d{1,4}(?![\w.])")


def lines_of(path):
    """The lines of a file, plain or compressed."""
    if path.endswith(".zst"):
        return subprocess.run(["zstd", "-dc", path], capture_output=True, check=True).stdout.decode().splitlines()
    return pathlib.Path(path).read_text().splitlines()


def rows_of(paths, language):
    """The rows of the files that are short programs of the language."""
    for path in paths:
        for number, line in enumerate(lines_of(path)):
            row = json.loads(line)
            if row.get("lang") == language and len(row["code"]) <= LONGEST:
                kept = {key: row[key] for key in ("lang", "code", "test", "entry_point") if row.get(key)}
                yield {"id": f"{pathlib.Path(path).name}:{number}"} | kept


def mutated(row, draw):
    """The program with one number or one operator replaced. Its own test does not hold for it any more."""
    pattern = draw.choice((OPERATOR, NUMBER))
    places = list(pattern.finditer(row["code"]))
    if not places:
        return row
    place = draw.choice(places)
    new = OTHER.get(place[0]) or str(draw.choice((0, 1, 2, 7, int(place[0]) + 1)))
    code = row["code"][: place.start()] + new + row["code"][place.end() :]
    return {"id": row["id"] + "~", "lang": row["lang"], "code": code}


def transformations(language):
    """The names of the transformations that know the language."""
    listed = subprocess.run([FAMILIAR, "transform", "--list"], capture_output=True, check=True, text=True).stdout
    rows = re.findall(r"^([a-z][a-z0-9-]*) .*\(([a-z, ]+)\)$", listed, re.M)
    return [name for name, languages in rows if language in languages.split(", ")]


def run(rows, recipe, seed, folder):
    """The lines that the command writes for the rows."""
    source, made = folder / "rows.jsonl", folder / "made.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    made.unlink(missing_ok=True)
    command = [FAMILIAR, "transform", source, *recipe, "--seed", str(seed)]
    command += ["--verify", "--format", "ndjson", "--output", made]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode not in (0, 1):
        sys.exit(f"the command ended with {ran.returncode}: {ran.stderr[-2000:]}")
    return [json.loads(line) for line in made.read_text().splitlines()] if made.exists() else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language")
    parser.add_argument("seconds", type=float)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--rows", nargs="+", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=10)
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)
    known = list(rows_of(arguments.rows, arguments.language))
    if not known:
        sys.exit(f"no row of {arguments.language}")
    names = transformations(arguments.language)
    counts, steps, programs = collections.Counter(), collections.Counter(), 0
    end = time.monotonic() + arguments.seconds
    with tempfile.TemporaryDirectory() as name, arguments.out.open("a") as out:
        while time.monotonic() < end:
            rows = draw.sample(known, min(arguments.at_once, len(known)))
            rows = [mutated(row, draw) if draw.random() < 0.5 else row for row in rows]
            by_id = {row["id"]: row for row in rows}
            programs += len(rows)
            seed = draw.randrange(1 << 32)
            variants = run(rows, ["--set", "all"], seed, pathlib.Path(name))
            for _ in range(COMPOSITIONS):
                if time.monotonic() < end:
                    drawn = draw.sample(names, draw.randint(2, 5))
                    variants += run(rows, ["--with", ",".join(drawn)], draw.randrange(1 << 32), pathlib.Path(name))
            for variant in variants:
                verified = variant.get("verified")
                counts[verified] += 1
                if verified in ("passed", "agreed", "weakly-agreed"):
                    steps.update(step["name"] for step in variant["steps"])
                if verified == "failed":
                    original = by_id.get(variant["source"], {}).get("code")
                    out.write(json.dumps(variant | {"original": original}) + "\n")
                    out.flush()
    fewest = ", ".join(f"{name} {count}" for name, count in steps.most_common()[: -4 : -1])
    told = ", ".join(f"{count} {verified}" for verified, count in counts.most_common())
    print(f"{arguments.language}: {programs} programs, {told}; {len(steps)} transformations seen, fewest: {fewest}")


if __name__ == "__main__":
    main()
