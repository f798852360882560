#!/usr/bin/env python3
"""Clones of trees by Spark and by one machine, on the same two cores: whether they are the same, time, processors, bytes shuffled.

    benches/spark.py WORK TREE... [--measure token-overlap] [--min-tokens 50] [--share 1] [--no-pairs] [--no-local]

Needs the Python package with `spark`, and Java. `--share` draws so many of the files, by a hash of their paths. `--no-pairs` compares no pairs, of which large trees have many millions.
"""

import argparse
import json
import os
import pathlib
import shutil
import sys
import time
import zlib

import familiar
import familiar.spark
import pyarrow
import pyarrow.parquet
from familiar.spark import _aligned, _build, _join, _tasks
from pyspark.sql import SparkSession

SUFFIXES = {
    ".py", ".java", ".rs", ".c", ".h", ".cc", ".cpp", ".hpp", ".js", ".ts", ".go", ".cs", ".php", ".rb", ".scala", ".kt", ".swift",
}  # fmt: skip
SCHEMA = pyarrow.schema([("path", pyarrow.string()), ("code", pyarrow.large_binary())])
#: Stages of a build.
BUILD = ("files", "repeats", "fragments")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("trees", type=pathlib.Path, nargs="+")
    parser.add_argument("--measure", default="token-overlap")
    parser.add_argument("--min-tokens", type=int, default=50)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--no-pairs", action="store_true")
    parser.add_argument("--no-local", action="store_true")
    return parser.parse_args()


def write_table(trees, share, out):
    """The files of some trees as Parquet, and as links below `out`/tree."""
    size = files = 0
    with pyarrow.parquet.ParquetWriter(out / "table.parquet", SCHEMA, compression="zstd") as writer:
        rows = []
        for tree in trees:
            for file in sorted(tree.rglob("*")):
                if file.is_symlink() or file.suffix not in SUFFIXES or not file.is_file():
                    continue
                path = f"{tree.name}/{file.relative_to(tree)}"
                if zlib.crc32(path.encode(errors="replace")) >= share * 2**32:
                    continue
                place = out / "tree" / path
                place.parent.mkdir(parents=True, exist_ok=True)
                os.link(file, place)
                rows.append({"path": path, "code": file.read_bytes()})
                size, files = size + len(rows[-1]["code"]), files + 1
                if len(rows) == 256:
                    writer.write_table(pyarrow.Table.from_pylist(rows, SCHEMA))
                    rows = []
        writer.write_table(pyarrow.Table.from_pylist(rows, SCHEMA))
    return size, files


def place(side):
    return side["path"], side["start_line"], side["end_line"]


def pairs_of(rows):
    return {(*sorted((place(row["left"]), place(row["right"]))), row["type"], round(row["similarity"], 6)) for row in rows}


class Timed(_tasks.Step):
    """A step that writes down for how many seconds the core had a processor, and its process."""

    folder = ""

    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        self._folder, self._core = Timed.folder, 0.0

    def __call__(self, batches):
        start, self._core = time.process_time(), 0.0
        yield from super().__call__(batches)
        with open(f"{self._folder}/{os.getpid()}.txt", "a") as out:
            out.write(f"{self._kind} {self._core} {time.process_time() - start}\n")

    def _call(self, work, *given):
        start = time.thread_time()
        try:
            return super()._call(work, *given)
        finally:
            self._core += time.thread_time() - start


def steps(folder):
    """For each step the seconds of the core, and of the workers' processes."""
    found = {}
    for file in folder.glob("*.txt"):
        for line in file.read_text().splitlines():
            kind, core, process = line.split()
            before = found.get(kind, (0.0, 0.0))
            found[kind] = before[0] + float(core), before[1] + float(process)
    return found


def processors():
    """Seconds of a processor of all processes that this one started."""
    children, own = {}, {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(process.name))
        own[int(process.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    total, left = 0.0, list(children.get(os.getpid(), []))
    while left:
        process = left.pop()
        total += own[process]
        left += children.get(process, [])
    return total


def tasks(folder):
    """Seconds that tasks ran, seconds of a processor in the JVM, and bytes shuffled, out of the log of events."""
    run = jvm = shuffled = 0
    for log in folder.rglob("events_*"):
        with log.open(errors="replace") as lines:
            for line in lines:
                if '"SparkListenerTaskEnd"' not in line:
                    continue
                of_task = json.loads(line)["Task Metrics"]
                run += of_task["Executor Run Time"]
                jvm += of_task["Executor CPU Time"]
                shuffled += of_task["Shuffle Write Metrics"]["Shuffle Bytes Written"]
    return run / 1e3, jvm / 1e9, shuffled


def session(work):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "4g")
        .config("spark.local.dir", str((work / "spill").resolve()))
        .config("spark.sql.shuffle.partitions", "16")
        .config("spark.eventLog.enabled", "true")
        .config("spark.eventLog.compress", "false")
        .config("spark.eventLog.dir", f"file://{(work / 'events').resolve()}")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    # Starts the JVM's threads and a worker, which are no part of a job.
    spark.range(100).mapInArrow(lambda batches: batches, "id bigint").count()
    return spark


class Told:
    """Says for each stage its rows, its seconds, and seconds of a processor."""

    def __init__(self):
        self.time, self.used = time.time(), processors()
        self.stages = {}

    def __call__(self, stage, rows):
        now, used = time.time(), processors()
        self.stages[stage] = now - self.time, used - self.used
        print(f"{stage:10} {rows:10} rows {now - self.time:7.1f} s {used - self.used:7.1f} s of a processor", flush=True)
        self.time, self.used = now, used


def local(tree, **settings):
    """The rows of one machine, its seconds, and seconds of a processor."""
    start, used = time.time(), time.process_time()
    found = familiar.clones(tree, granularity="function", threads=2, no_ignore=True, memory="4GiB", **settings)
    return found, time.time() - start, time.process_time() - used


def main():
    given = arguments()
    shutil.rmtree(given.work, ignore_errors=True)
    for folder in ("events", "steps", "spill", "tree"):
        (given.work / folder).mkdir(parents=True)
    size, files = write_table(given.trees, given.share, given.work)
    print(f"{files} files, {size / 1e6:.1f} MB", flush=True)
    Timed.folder = str((given.work / "steps").resolve())
    for module in (_build, _join, _aligned):
        module.Step = Timed
    settings = {"measure": given.measure, "min_tokens": given.min_tokens}
    if given.measure == "aligned":
        settings["include_idioms"] = True
    spark = session(given.work)
    table = spark.read.parquet(str(given.work / "table.parquet"))
    start, used, told = time.time(), processors(), Told()
    names = {"column": "code", "id_column": "path"}
    found = familiar.spark.clones(table, str(given.work / "stages"), progress=told, **names, **settings)
    print(f"Spark: {time.time() - start:.1f} s, {processors() - used:.1f} s of a processor", flush=True)
    if not given.no_pairs:
        start = time.time()
        spread = pairs_of(found.pairs().toArrow().to_pylist())
        print(f"{len(spread)} pairs by Spark in {time.time() - start:.1f} s", flush=True)
    spark.stop()
    of_steps = steps(given.work / "steps")
    for kind, (core, process) in of_steps.items():
        print(f"  {kind:10} core {core:7.1f} s, its processes {process:7.1f} s")
    core = sum(of_steps[kind][0] for kind in ("Files", "Fragments"))
    whole = sum(told.stages[stage][1] for stage in BUILD)
    run, jvm, shuffled = tasks(given.work / "events")
    print(f"build: {core:.1f} s of {whole:.1f} s of a processor in the core, {core / whole:.0%}")
    print(f"tasks ran {run:.1f} s, the JVM's processor {jvm:.1f} s; {shuffled / size:.2f} bytes shuffled per byte", flush=True)
    shutil.rmtree(given.work / "events")
    shutil.rmtree(given.work / "stages")
    if given.no_local:
        return
    rows, seconds, cpu = local(given.work / "tree", types=(1, 2), **settings)
    print(f"one machine, types 1 and 2: {seconds:.1f} s, {cpu:.1f} s of a processor", flush=True)
    del rows
    rows, seconds, cpu = local(given.work / "tree", **settings)
    print(f"one machine: {seconds:.1f} s, {cpu:.1f} s of a processor", flush=True)
    if not given.no_pairs:
        one = pairs_of(rows)
        print(f"{len(one)} pairs by one machine, the same: {spread == one}")


main()
