#!/usr/bin/env python3
"""Clones of a tree by Spark and by one machine, on the same two cores: whether they are the same, time, and bytes shuffled.

    benches/spark.py TREE WORK [--min-tokens 50] [--copies 1]

Needs the Python package with `spark`, and Java. `--copies` takes the tree several times, each time with other names of functions and
variables, so that there is as much more to read and to compare.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import sys
import time

import familiar
import familiar.spark
import pyarrow
import pyarrow.parquet
from pyspark.sql import SparkSession

SUFFIXES = {".py", ".java", ".rs", ".c", ".h", ".cpp", ".js", ".ts", ".go"}
NAMES = re.compile(rb"\b([a-z]{3,}_[a-z_]+|[a-z]+[A-Z]\w+)\b")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--min-tokens", type=int, default=50)
    parser.add_argument("--copies", type=int, default=1)
    return parser.parse_args()


def write_table(tree, copies, out):
    """The files of a tree as Parquet, and below `out`/tree as files."""
    paths, code = [], []
    for file in sorted(tree.rglob("*")):
        if not file.is_file() or file.is_symlink() or file.suffix not in SUFFIXES:
            continue
        text = file.read_bytes()
        for copy in range(copies):
            other = NAMES.sub(rb"\1" + str(copy).encode(), text) if copy else text
            paths.append(f"{copy}/{file.relative_to(tree)}")
            code.append(other)
            place = out / "tree" / paths[-1]
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(other)
    table = pyarrow.table({"path": paths, "code": pyarrow.array(code, pyarrow.large_binary())})
    pyarrow.parquet.write_table(table, out / "table.parquet", row_group_size=256, compression="zstd")
    return sum(map(len, code)), len(code)


def place(side):
    return side["path"], side["start_line"], side["end_line"]


def pairs_of(rows):
    return {(*sorted((place(row["left"]), place(row["right"]))), row["type"], round(row["similarity"], 9)) for row in rows}


def metrics(folder):
    """Milliseconds that tasks ran, milliseconds in workers of Python, and bytes shuffled, out of the log of events."""
    run = python = shuffled = 0
    for log in folder.rglob("events_*"):
        for line in log.read_text(errors="replace").splitlines():
            event = json.loads(line)
            if event.get("Event") != "SparkListenerTaskEnd":
                continue
            task = event["Task Metrics"]
            run += task["Executor Run Time"]
            shuffled += task["Shuffle Write Metrics"]["Shuffle Bytes Written"]
            for value in event["Task Info"]["Accumulables"]:
                if value.get("Name") == "time to run Python workers":
                    python += int(value["Update"])
    return run, python, shuffled


def main():
    given = arguments()
    shutil.rmtree(given.work, ignore_errors=True)
    given.work.mkdir(parents=True)
    (given.work / "events").mkdir()
    size, files = write_table(given.tree, given.copies, given.work)
    print(f"{files} files, {size / 1e6:.1f} MB")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "3g")
        .config("spark.sql.shuffle.partitions", "8")
        .config("spark.eventLog.enabled", "true")
        .config("spark.eventLog.compress", "false")
        .config("spark.eventLog.dir", f"file://{(given.work / 'events').resolve()}")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    start = time.time()
    told = []
    found = familiar.spark.clones(
        spark.read.parquet(str(given.work / "table.parquet")),
        str(given.work / "stages"),
        column="code",
        id_column="path",
        min_tokens=given.min_tokens,
        progress=lambda stage, rows: told.append((stage, rows, time.time() - start)),
    )
    of_jobs = time.time() - start
    last = 0.0
    for stage, rows, at in told:
        print(f"{stage:10} {rows:9} rows  {at - last:6.1f} s")
        last = at
    start = time.time()
    spread = pairs_of(found.pairs().toArrow().to_pylist())
    of_pairs = time.time() - start
    spark.stop()
    start = time.time()
    local = familiar.clones(
        given.work / "tree", granularity="function", measure="token-overlap", min_tokens=given.min_tokens, no_ignore=True
    )
    one = pairs_of(local)
    of_one = time.time() - start
    run, python, shuffled = metrics(given.work / "events")
    print(f"pairs: {len(spread)} by Spark, {len(one)} by one machine, the same: {spread == one}")
    print(f"Spark {of_jobs:.1f} s and {of_pairs:.1f} s for the pairs; one machine {of_one:.1f} s with the pairs")
    print(f"tasks {run / 1e3:.1f} s, of which workers of Python {python / 1e3:.1f} s; {shuffled / size:.2f} bytes shuffled per byte")


main()
