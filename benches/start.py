#!/usr/bin/env python3
"""How long `familiar find` takes as a whole command, from its start to its end.

    python3 benches/start.py FAMILIAR CORPUS TREE [SUFFIX FILES RUNS]

Asks for FILES files below TREE whose names end in SUFFIX (.rs) and that have 5 to 40 KB, each RUNS times after one run that warms the
page cache, with licenses and without. Takes the least of the runs of each file, and prints the median and the greatest of the files in
milliseconds: wall time and processor time (user + system).
"""
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path


def chosen(tree, suffix, number):
    files = (path for path in Path(tree).rglob(f"*{suffix}") if path.is_file())
    files = sorted(path for path in files if 5_000 <= path.stat().st_size <= 40_000)
    random.seed(21)
    return random.sample(files, min(number, len(files)))


def once(command):
    """Wall and processor time of one run, in milliseconds."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {process.returncode}")
    return 1000 * wall, 1000 * (used.ru_utime + used.ru_stime)


def main():
    familiar, corpus, tree = sys.argv[1:4]
    suffix = sys.argv[4] if len(sys.argv) > 4 else ".rs"
    number, runs = (int(text) for text in (sys.argv[5:7] + ["20", "5"][len(sys.argv[5:7]) :]))
    files = chosen(tree, suffix, number)
    if not files:
        sys.exit(f"{tree} has no files that end in {suffix} and have 5 to 40 KB")
    for name, extra in [("with licenses", []), ("without", ["--no-licenses"])]:
        walls, used = [], []
        for path in files:
            command = [familiar, "find", path, "--in", corpus, *extra]
            once(command)
            measured = [once(command) for _ in range(runs)]
            walls.append(min(wall for wall, _ in measured))
            used.append(min(processor for _, processor in measured))
        print(
            f"{name}: {len(files)} files, wall {statistics.median(walls):.0f} (greatest {max(walls):.0f}) ms, "
            f"processor {statistics.median(used):.0f} (greatest {max(used):.0f}) ms"
        )


if __name__ == "__main__":
    main()
