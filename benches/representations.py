#!/usr/bin/env python3
"""How many bytes of source are represented in a second of one core: tokens, simplified parse trees and code graphs, as Parquet.

    python3 benches/representations.py --familiar target/release/familiar SOURCE...

A SOURCE is a folder, a file, or JSON lines with code. Each command runs on one thread, --runs times in turns. The table has the
medians of CPU seconds (user and system) of the whole process, of wall seconds and of the peak memory, and bytes of source for each
CPU second. Bytes of source are those of the programs that the command took, as its table says.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

LANGUAGES = "c,cpp,java,python"
ENDINGS = (".c", ".h", ".cc", ".cpp", ".hpp", ".java", ".py")


def measured(command):
    """CPU seconds, wall seconds and peak kilobytes of a command."""
    before = time.monotonic()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command}: status {status}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - before, usage.ru_maxrss


def source_bytes(source):
    """Bytes of source: of the code of rows, or of the files below a folder that are programs by their names."""
    if os.path.isdir(source):
        files = (os.path.join(folder, name) for folder, _, names in os.walk(source) for name in names)
        return sum(os.path.getsize(file) for file in files if file.endswith(ENDINGS))
    if not source.endswith(".jsonl"):
        return os.path.getsize(source)
    with open(source, encoding="utf-8") as rows:
        return sum(len(json.loads(row)["code"].encode()) for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--familiar", default="target/release/familiar")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()
    print("| source | MB | what | CPU s | wall s | peak MB | MB / CPU s |\n|---|--:|---|--:|--:|--:|--:|")
    for source in options.sources:
        size = source_bytes(source) / 1e6
        results = {"tokens": [], "tree": [], "graph": []}
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(options.runs):
                for verb, runs in results.items():
                    output = os.path.join(folder, f"{verb}.parquet")
                    command = [options.familiar, verb, "-q", "--threads", "1", "--lang", LANGUAGES]
                    runs.append(measured([*command, "--output", output, source]))
        for verb, runs in results.items():
            cpu, wall, peak = (statistics.median(column) for column in zip(*runs))
            name = os.path.basename(source.rstrip("/"))
            print(f"| {name} | {size:.1f} | {verb} | {cpu:.2f} | {wall:.2f} | {peak / 1e3:.0f} | {size / cpu:.1f} |", flush=True)


if __name__ == "__main__":
    main()
