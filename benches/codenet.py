#!/usr/bin/env python3
"""Measures `familiar codenet`: how import and duplicates grow, and whether duplicates finds what comparing all with all finds.

Usage: benches/codenet.py growth COUNT… [--folder DIR]
       benches/codenet.py oracle ROWS.jsonl[.zst] COUNT

`growth` makes synthetic submissions, runs both commands with --memory 1GiB, and prints the seconds and the peak memory of each.
One in ten submissions is a copy with one name changed. `oracle` takes the first COUNT rows, reads their tokens from `familiar
tokens`, compares all samples of sizes that allow it, and says whether `codenet duplicates` has the same pairs and indices.

$FAMILIAR names the program; the one in the path otherwise.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

FAMILIAR = os.environ.get("FAMILIAR", "familiar")
STATUSES = ["Accepted", "Accepted", "Wrong Answer", "Time Limit Exceeded", "Runtime Error"]


def name(draw):
    """A name. Few are frequent and many are rare, as in real code, so the vocabulary grows with the data."""
    return f"v{int(draw.paretovariate(0.7)) % 10**9}"


def program(draw):
    """A program in C of about 600 bytes."""
    names = [name(draw) for _ in range(12)]
    lines = [f"    int {name} = {draw.randrange(100)};" for name in names[:6]]
    for _ in range(12):
        one, two, three = draw.choice(names), draw.choice(names), draw.choice(names)
        lines.append(
            draw.choice(
                [
                    f"    {one} = {two} + {three} * {draw.randrange(50)};",
                    f"    if ({one} > {two}) {three} -= {draw.randrange(20)};",
                    f"    for (int i = 0; i < {one}; i++) {two} += i;",
                    f'    printf("%d {one}\\n", {two});',
                    f"    while ({one} < {draw.randrange(1000)}) {one} += f{draw.randrange(2000)}({two});",
                ]
            )
        )
    return "int main() {\n" + "\n".join(lines) + "\n    return 0;\n}\n", names


def write_rows(path, count):
    draw = random.Random(7)
    code, names = program(draw)
    with open(path, "w") as out:
        for number in range(count):
            if number % 10 == 9:
                text = code.replace(names[0], name(draw), 1)
            else:
                code, names = program(draw)
                text = code
            row = {
                "submission_id": f"s{number:09}",
                "problem_id": f"p{draw.randrange(max(1, count // 3400)):05}",
                "user_id": f"u{draw.randrange(max(1, count // 90)):09}",
                "date": 1_600_000_000 + number,
                "language": "C",
                "status": draw.choice(STATUSES),
                "code": text,
            }
            out.write(json.dumps(row) + "\n")


def measured(words):
    """Seconds on the wall, of the processor, and the peak memory in MiB of a run."""
    started = time.monotonic()
    child = subprocess.Popen([FAMILIAR, *words], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(words)} failed")
    return time.monotonic() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def growth(counts, folder):
    print("| submissions | command | seconds | CPU seconds | peak memory, MiB |\n|--:|---|--:|--:|--:|")
    for count in counts:
        with tempfile.TemporaryDirectory(dir=folder) as work:
            rows = os.path.join(work, "rows.jsonl")
            write_rows(rows, count)
            commands = {
                "duplicates of the table": ["codenet", "duplicates", rows, "--memory", "1GiB", "--quiet"],
                "import": ["codenet", "import", rows, "--output", os.path.join(work, "set"), "--memory", "1GiB", "--quiet"],
            }
            for name, words in commands.items():
                wall, cpu, memory = measured(words)
                print(f"| {count:,} | {name} | {wall:.1f} | {cpu:.1f} | {memory:.0f} |", flush=True)


def lines_of(path, count):
    opened = subprocess.Popen(["zstd", "-dc", path], stdout=subprocess.PIPE).stdout if path.endswith(".zst") else open(path, "rb")
    for number, line in enumerate(opened):
        if number == count:
            return
        yield line


def oracle(path, count):
    with tempfile.TemporaryDirectory() as work:
        rows = pathlib.Path(work, "rows.jsonl")
        rows.write_bytes(b"".join(lines_of(path, count)))
        tokens = subprocess.run([FAMILIAR, "tokens", rows, "--format", "ndjson"], capture_output=True, check=True).stdout
        samples = []
        for line in tokens.splitlines():
            row = json.loads(line)
            bag = collections.Counter(token["token"] for token in row["tokens"] if not token.get("directive"))
            samples.append((len(bag), row["id"], frozenset(bag), bag))
        samples.sort(key=lambda sample: sample[0])
        wanted = {}
        for at, (size, left, tokens, bag) in enumerate(samples):
            for before in range(at - 1, -1, -1):
                smaller, right, others, other_bag = samples[before]
                # No smaller set can reach 0.9 from here on.
                if smaller < 0.9 * size - 1e-6:
                    break
                both = len(tokens & others)
                union = size + smaller - both
                if both / union < 0.9 if union else False:
                    continue
                least = sum(min(bag[token], other_bag[token]) for token in tokens & others)
                most = sum(bag.values()) + sum(other_bag.values()) - least
                multiset = least / most if most else 1.0
                if multiset >= 0.8:
                    wanted[tuple(sorted((left, right)))] = (both / union if union else 1.0, multiset)
        found = {}
        pairs = subprocess.run([FAMILIAR, "codenet", "duplicates", rows, "--format", "csv"], capture_output=True, check=True).stdout
        for line in pairs.decode().splitlines()[1:]:
            left, right, jaccard, multiset = line.rsplit(",", 3)
            found[(left, right)] = (float(jaccard), float(multiset))
    same = wanted == found
    print(f"{len(samples)} samples: {len(wanted)} pairs by comparing all, {len(found)} pairs found: {'equal' if same else 'DIFFERENT'}")
    return 0 if same else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    growing = commands.add_parser("growth")
    growing.add_argument("counts", type=int, nargs="+")
    growing.add_argument("--folder")
    checking = commands.add_parser("oracle")
    checking.add_argument("rows")
    checking.add_argument("count", type=int)
    given = parser.parse_args()
    if given.command == "growth":
        growth(given.counts, given.folder)
        return 0
    return oracle(given.rows, given.count)


if __name__ == "__main__":
    sys.exit(main())
