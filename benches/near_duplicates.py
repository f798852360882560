#!/usr/bin/env python3
"""Holds `familiar codenet duplicates` and `familiar.duplicates` beside libraries that estimate by MinHash: the time of each, what
it finds, and what it misses.

    python3 benches/near_duplicates.py --familiar target/release/familiar --data rows.jsonl [--set-jaccard 0.8] [--runs 3]

DATA is JSON lines with id, lang and code. All compare the same sets: those of the tokens that `familiar tokens` writes. The
answer is the pairs whose Jaccard index reaches the threshold; it is computed here by comparing all sets with all, which uses no
code of Familiar. The others get the sets as they are in memory, so their time is that of the sketches and the search alone.
Familiar reads the file and lexes the code, and that counts.

Each method runs in a process of its own, in turns. The figures are medians; CPU is user and system time of that process and its
children. Needs numpy and scipy; familiar-code, rensa and datasketch take part where they are installed. Prints a Markdown table.
"""

import argparse
import csv
import json
import multiprocessing
import resource
import statistics
import subprocess
import time
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

PERMUTATIONS = 128
Pairs = set[tuple[int, int]]


def token_sets(program: Path, data: Path) -> list[list[str]]:
    """The different tokens of each row, in the order of the rows."""
    return [sorted(set(row)) for row in token_lists(program, data)]


def token_lists(program: Path, data: Path) -> list[list[str]]:
    """The tokens of each row as they stand there."""
    words = [program, "tokens", data, "--format", "json", "--quiet"]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return [[one["token"] for one in row["tokens"] if not one.get("directive")] for row in rows]


def exhaustive(sets: list[list[str]], threshold: float) -> Pairs:
    """All sets with all, as a product of matrices."""
    import numpy
    from scipy.sparse import csr_matrix

    numbers: dict[str, int] = {}
    columns = [numbers.setdefault(token, len(numbers)) for tokens in sets for token in tokens]
    sizes = numpy.array([len(tokens) for tokens in sets])
    starts = numpy.concatenate([[0], numpy.cumsum(sizes)])
    ones = numpy.ones(len(columns), dtype=numpy.int32)
    matrix = csr_matrix((ones, columns, starts), shape=(len(sets), len(numbers)))
    found: Pairs = set()
    for first in range(0, len(sets), 500):
        common = (matrix[first : first + 500] @ matrix.T).toarray()
        union = sizes[first : first + 500, None] + sizes[None, :] - common
        # Whole numbers, so that no pair at the threshold is lost by rounding.
        rows, others = numpy.nonzero((common > 0) & (common >= threshold * union - 1e-9))
        found |= {(first + int(row), int(other)) for row, other in zip(rows, others) if first + row < other}
    return found


def by_command(data: Path, threshold: float, program: Path) -> Pairs:
    words = [program, "codenet", "duplicates", data, f"--set-jaccard={threshold}", "--multiset-jaccard=0", "--format=csv"]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return numbered(data, csv.DictReader(done.stdout.splitlines()))


def by_package(data: Path, threshold: float) -> Pairs:
    import familiar

    return numbered(data, familiar.duplicates(data, set_jaccard=threshold, multiset_jaccard=0))


def numbered(data: Path, pairs: Iterable[dict]) -> Pairs:
    """Pairs by the numbers of their rows."""
    number = {row["id"]: place for place, row in enumerate(map(json.loads, data.open()))}
    return {tuple(sorted((number[pair["id1"]], number[pair["id2"]]))) for pair in pairs}


def by_rensa(sets: list[list[str]], threshold: float, verified: bool) -> Pairs:
    from rensa import RMinHash, RMinHashLSH

    sketches = []
    for tokens in sets:
        sketch = RMinHash(PERMUTATIONS, 1)
        sketch.update(tokens)
        sketches.append(sketch)
    # Sixteen bands of eight rows: they are steepest at a Jaccard index of about 0.7, so that few pairs at 0.8 are lost.
    index = RMinHashLSH(threshold, PERMUTATIONS, PERMUTATIONS // 8)
    for number, sketch in enumerate(sketches):
        index.insert(number, sketch)
    return chosen(sets, sketches, index.query, threshold, verified)


def by_datasketch(sets: list[list[str]], threshold: float, verified: bool) -> Pairs:
    from datasketch import MinHash, MinHashLSH

    sketches = []
    for tokens in sets:
        sketch = MinHash(PERMUTATIONS)
        sketch.update_batch([token.encode() for token in tokens])
        sketches.append(sketch)
    index = MinHashLSH(threshold, PERMUTATIONS)
    for number, sketch in enumerate(sketches):
        index.insert(number, sketch)
    return chosen(sets, sketches, index.query, threshold, verified)


def chosen(sets: list[list[str]], sketches: list, query, threshold: float, verified: bool) -> Pairs:
    """The candidates that reach the threshold: by the sketches, or by the sets themselves."""
    whole = [frozenset(tokens) for tokens in sets] if verified else []
    found: Pairs = set()
    for number, sketch in enumerate(sketches):
        for other in query(sketch):
            if number < other:
                if verified:
                    left, right = whole[number], whole[other]
                    common = len(left & right)
                    index = common / (len(left) + len(right) - common)
                else:
                    index = sketch.jaccard(sketches[other])
                if index >= threshold:
                    found.add((number, other))
    return found


def measured(work, *given) -> tuple[Pairs, float, float]:
    """What it finds, seconds, and CPU seconds, in a process of its own."""
    receive, send = multiprocessing.Pipe(duplex=False)

    def run() -> None:
        began = time.perf_counter()
        found = work(*given)
        seconds = time.perf_counter() - began
        used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        cpu = sum(one.ru_utime + one.ru_stime for one in used)
        send.send((found, seconds, cpu))

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    answer = receive.recv()
    process.join()
    return answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--familiar", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set-jaccard", type=float, default=0.8)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    sets, threshold = token_sets(given.familiar, given.data), given.set_jaccard
    methods = {
        "all with all": (exhaustive, sets, threshold),
        "`familiar codenet duplicates`": (by_command, given.data, threshold, given.familiar),
    }
    if find_spec("familiar"):
        methods["`familiar.duplicates`"] = (by_package, given.data, threshold)
    for name, work in (("rensa", by_rensa), ("datasketch", by_datasketch)):
        if find_spec(name):
            methods[f"{name}, by its estimates"] = (work, sets, threshold, False)
            methods[f"{name}, candidates compared"] = (work, sets, threshold, True)
    answer, _, _ = measured(exhaustive, sets, threshold)
    print(f"{len(sets)} rows, {len(answer)} pairs at or above {threshold}\n")
    print("| method | seconds | CPU seconds | pairs | missed | not in the answer |")
    print("|---|--:|--:|--:|--:|--:|")
    measurements = [{name: measured(work, *rest) for name, (work, *rest) in methods.items()} for _ in range(given.runs)]
    for name in methods:
        runs = [measurement[name] for measurement in measurements]
        found = runs[0][0]
        seconds, cpu = (statistics.median(run[at] for run in runs) for at in (1, 2))
        missed, wrong = len(answer - found), len(found - answer)
        print(f"| {name} | {seconds:.2f} | {cpu:.2f} | {len(found)} | {missed} | {wrong} |")


if __name__ == "__main__":
    main()
