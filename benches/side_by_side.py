#!/usr/bin/env python3
"""Measures `familiar clones` beside the detectors people would otherwise use, on the trees that `trees.py` makes.

    python3 benches/side_by_side.py --familiar target/release/familiar --trees DIR [--runs 3] [--task NAME ...]

Every tool runs as a user would run it: a whole process, output thrown away, its own default number of threads. The
tools of a task take turns, so that a machine whose speed drifts treats them alike; the figure quoted is the median.
CPU is user and system time of the process and its children, peak memory the largest resident set, both as the system
accounts for them when the process ends (`os.wait4`; a peak cannot read lower than this script's own, some 15 MB). A
tree is read once before its task, so no tool pays for a cold disk. Peers that are not installed are left out.

Prints a Markdown table; `--json FILE` keeps every run. Exits with 1 where familiar failed at something it promises.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

EXACT = ["--granularity", "run", "--types", "1"]
NEAR = ["--granularity", "function", "--types", "1,2,3", "--similarity", "0.8", "--measure", "token-overlap",
        "--min-tokens", "65"]
FINISHED = {"arid": (0, 2)}  # 2 under --keep-going: everything was checked but files that are not Python 3 in UTF-8
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Task:
    """Commands that answer one question about one tree; `TREE` in a command stands for the tree's path."""

    name: str
    tree: str
    commands: dict[str, list[str]]  # by tool
    optional: bool = False


@dataclass(frozen=True)
class Run:
    cpu_s: float
    wall_s: float
    peak_mb: float


@dataclass
class Row:
    """One tool at one task: its runs, or why there are none, and what it is compared with."""

    task: str
    tree: str
    tree_mb: float
    tool: str
    command: list[str]
    runs: list[Run] = field(default_factory=list)
    failure: str = ""
    cpu_s: float | None = None
    wall_s: float | None = None
    peak_mb: float | None = None
    compared: dict[str, float] = field(default_factory=dict)

    def settle(self) -> None:
        """Medians over the runs, each figure by itself."""
        if self.runs and not self.failure:
            self.cpu_s = statistics.median(run.cpu_s for run in self.runs)
            self.wall_s = statistics.median(run.wall_s for run in self.runs)
            self.peak_mb = statistics.median(run.peak_mb for run in self.runs)


def main() -> int:
    arguments = parse_arguments()
    chosen = [task for task in tasks(arguments) if not arguments.task or task.name in arguments.task]
    rows = [row for task in chosen for row in measure(task, arguments.trees, arguments.runs)]
    if arguments.sourcerercc is not None:
        rows += given(rows, "near-P", "sourcerercc", arguments.sourcerercc)
    compare(rows)
    print(markdown(rows))
    if arguments.json:
        report = {"machine": machine(), "runs": arguments.runs, "rows": [asdict(row) for row in rows]}
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")
    promised = {task.name for task in chosen if not task.optional}
    return int(any(row.failure and row.tool.startswith("familiar") and row.task in promised for row in rows))


def parse_arguments() -> argparse.Namespace:
    known = [task.name for task in tasks(argparse.Namespace(familiar=None, arid=None, jscpd=None))]
    parser = argparse.ArgumentParser(
        description=" ".join(__doc__.partition("\n\n")[0].split()), epilog="tasks: " + ", ".join(known)
    )
    parser.add_argument("--familiar", required=True, metavar="FILE", help="the binary to measure (a release build)")
    parser.add_argument("--trees", required=True, metavar="DIR", type=Path, help="the folder that trees.py filled")
    parser.add_argument("--arid", metavar="FILE", default=shutil.which("arid"), help="default: from PATH")
    parser.add_argument("--jscpd", metavar="FILE", default=shutil.which("jscpd"), help="default: from PATH")
    parser.add_argument(
        "--sourcerercc",
        metavar="SECONDS",
        type=float,
        help="CPU seconds of SourcererCC (tokenizer, index, search) at the task near-P, measured elsewhere: no "
        "package registry has it",
    )
    parser.add_argument("--runs", metavar="N", type=int, default=3, help="runs of each tool (default: 3)")
    parser.add_argument("--task", metavar="NAME", action="append", help="only this task; may be repeated")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write every run there")
    arguments = parser.parse_args()
    for tool in ("familiar", "arid", "jscpd"):
        path = getattr(arguments, tool)
        if path and not shutil.which(path):
            parser.error(f"--{tool}: {path} is no program")
        setattr(arguments, tool, path and str(Path(shutil.which(path)).absolute()))
    if unknown := set(arguments.task or []) - set(known):
        parser.error(f"no such task: {', '.join(sorted(unknown))} (known: {', '.join(known)})")
    arguments.trees = arguments.trees.absolute()
    return arguments


def tasks(tools: argparse.Namespace) -> list[Task]:
    clones = [tools.familiar, "clones", "--quiet", "--format", "json", "--output", os.devnull]
    arid = {"arid": [tools.arid, "--no-config", "--no-fail-on-findings", "--keep-going", "--format", "json", "TREE"]}
    jscpd = {"jscpd": [tools.jscpd, "--reporters", "silent", "TREE"]}
    exact = {"familiar": [*clones, *EXACT, "TREE"]}
    near = {"familiar": [*clones, *NEAR, "TREE"]}
    default = {"familiar": [*clones, "TREE"]}
    threads = {f"familiar, {n} thread{'s' * (n > 1)}": [*clones, "--threads", str(n), "TREE"] for n in (1, 2)}
    return [
        Task("exact-P", "P", exact | arid | jscpd),
        Task("exact-C", "C", exact | jscpd),
        Task("exact-java", "java", exact | jscpd),
        Task("near-P", "P", near),
        Task("default-P", "P", default),
        Task("exact-W40", "W40", exact | arid),  # jscpd would need some 17 GB here
        Task("near-W40", "W40", near),
        Task("default-W40", "W40", default),
        Task("threads", "P", threads),
        Task("floor", "P", {"familiar": [tools.familiar, "debug", "lex", "TREE"]}, optional=True),
    ]


# Measuring


def measure(task: Task, trees: Path, runs: int) -> list[Row]:
    tree = trees / task.tree
    if not tree.is_dir():
        print(f"{task.name}: left out, no tree {task.tree}", file=sys.stderr)
        return []
    size = read_through(tree) / 1e6
    rows = [
        Row(task.name, task.tree, size, tool, [str(tree) if word == "TREE" else word for word in command])
        for tool, command in task.commands.items()
        if command[0]  # the tool is installed
    ]
    for turn in range(runs):
        for row in rows:
            if not row.failure:
                print(f"{task.name}: {row.tool}, run {turn + 1} of {runs}", file=sys.stderr, flush=True)
                take_turn(row)
    for row in rows:
        row.settle()
    return rows


def read_through(tree: Path) -> int:
    """The tree's bytes, read so that they are in the system's cache."""
    buffer, size = bytearray(1 << 16), 0
    for folder, _, names in os.walk(tree):
        for name in names:
            with open(os.path.join(folder, name), "rb", buffering=0) as file:
                while count := file.readinto(buffer):
                    size += count
    return size


def take_turn(row: Row) -> None:
    """Runs the command in an empty folder, where no tool finds a configuration."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        child = subprocess.Popen(
            row.command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors
        )
        _, status, used = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in FINISHED.get(row.tool, (0,)):
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip().splitlines()
            row.failure = f"exit {child.returncode}: {said[-1] if said else 'no message'}"
            return
    row.runs.append(Run(used.ru_utime + used.ru_stime, wall, used.ru_maxrss * MAXRSS_UNIT / 1e6))


def given(rows: list[Row], task: str, tool: str, cpu_s: float) -> Iterator[Row]:
    """A peer's figure that was measured elsewhere, as a row beside the rows of its task."""
    for row in rows:
        if row.task == task and row.tool == "familiar":
            yield Row(task, row.tree, row.tree_mb, tool, [], cpu_s=cpu_s)


# Comparing


def compare(rows: list[Row]) -> None:
    """Fills `compared`: familiar over a peer at the same task; a larger tree, more threads or the floor over the
    familiar run they are a variant of."""
    measured = {(row.task, row.tool): row for row in rows if row.cpu_s is not None}
    for (task, tool), row in measured.items():
        own = measured.get((task, "familiar"))
        if own is not None and own is not row:
            note(row, f"familiar/{tool}", own, row, ["cpu_s", "wall_s", "peak_mb"])
        small = measured.get((task.replace("-W40", "-P"), tool))
        if task.endswith("-W40") and small is not None:
            note(row, "W40/P per MB", row, small, ["cpu_s", "peak_mb"], small.tree_mb / row.tree_mb)
        single = measured.get((task, "familiar, 1 thread"))
        if single is not None and single is not row:
            note(row, "2/1 threads", row, single, ["cpu_s", "wall_s"])
        whole = measured.get(("default-P", "familiar"))
        if task == "floor" and whole is not None:
            note(row, "floor/default-P", row, whole, ["cpu_s"])


def note(place: Row, label: str, above: Row, below: Row, figures: list[str], factor: float = 1.0) -> None:
    """Puts `factor` × above / below into `place`, for the figures that both have."""
    for figure in figures:
        numerator, denominator = getattr(above, figure), getattr(below, figure)
        if numerator is not None and denominator:
            place.compared[f"{label} {figure}"] = factor * numerator / denominator


# Printing


def markdown(rows: list[Row]) -> str:
    head = ["task", "tree", "tool", "CPU s", "wall s", "peak MB", "CPU ms per MB", "compared"]
    lines = [head, ["---", "---", "---", "--:", "--:", "--:", "--:", "---"]]
    order = {task: place for place, task in enumerate(dict.fromkeys(row.task for row in rows))}
    for row in sorted(rows, key=lambda row: order[row.task]):
        per_mb = row.cpu_s and row.cpu_s * 1e3 / row.tree_mb
        figures = [(row.cpu_s, 2), (row.wall_s, 2), (row.peak_mb, 0), (per_mb, 1)]
        shown = ["–" if value is None else f"{value:,.{digits}f}" for value, digits in figures]
        compared = "; ".join(f"{name} **{ratio:.2f}**" for name, ratio in row.compared.items())
        tree = f"{row.tree} ({row.tree_mb:.1f} MB)"
        lines.append([row.task, tree, row.tool, *shown, f"not measured: {row.failure}" if row.failure else compared])
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)


def machine() -> dict[str, str | int | None]:
    return {"system": platform.system(), "architecture": platform.machine(), "cores": os.cpu_count()}


if __name__ == "__main__":
    sys.exit(main())
