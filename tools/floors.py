#!/usr/bin/env python3
"""Checks that crates depend only on crates of lower floors, as ARCHITECTURE.md lists them.

Usage: tools/floors.py

ARCHITECTURE.md has a code block `floors`: one floor a line, the lowest first, with the names of its crates without
`familiar-`. Every crate of the workspace stands on exactly one floor. Dependencies of tests do not count.
"""

import json
import pathlib
import re
import subprocess
import sys

PREFIX = "familiar-"


def floors(text):
    """The floor of each crate, from 0."""
    block = re.search(r"^```floors\n(.*?)^```", text, re.S | re.M)
    if block is None:
        raise SystemExit("ARCHITECTURE.md has no code block `floors`")
    of = {}
    for floor, line in enumerate(block.group(1).splitlines()):
        for name in line.split():
            if name in of:
                raise SystemExit(f"{name} stands on two floors")
            of[name] = floor
    return of


def faults(floor_of, packages):
    """What is wrong: crates without a floor, floors without a crate, and arrows that do not point down."""
    own = {package["name"].removeprefix(PREFIX): package for package in packages}
    for name in sorted(own.keys() - floor_of.keys()):
        yield f"{name} stands on no floor"
    for name in sorted(floor_of.keys() - own.keys()):
        yield f"{name} is no crate of this workspace"
    for name, package in sorted(own.items()):
        for dependency in package["dependencies"]:
            other = dependency["name"].removeprefix(PREFIX)
            # A crate of others may have the name that one of ours has after its prefix.
            foreign = dependency.get("source") is not None
            if dependency["kind"] == "dev" or foreign or other not in own or name not in floor_of:
                continue
            if floor_of.get(other, -1) >= floor_of[name]:
                yield f"{name} depends on {other}, which stands no lower"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    command = ["cargo", "metadata", "--no-deps", "--format-version", "1", "--locked"]
    metadata = json.loads(subprocess.run(command, cwd=root, check=True, capture_output=True).stdout)
    found = list(faults(floors((root / "ARCHITECTURE.md").read_text()), metadata["packages"]))
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
