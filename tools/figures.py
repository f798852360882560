#!/usr/bin/env python3
"""Prints the figures of decision 10: the graph of crates and modules, and how long files and functions are.

Usage: tools/figures.py

A module and an arrow are what tools/modules.py takes for one. Lines include those of tests. Functions do not, and a
function is as long as from its `fn` to the brace that closes it.
"""

import json
import pathlib
import re
import statistics
import subprocess

import floors
import modules

MOST = 60


def without_tests(text):
    """The text with as many lines, without strings, comments and the items of tests."""

    def blank(piece):
        return re.sub(r"[^\n]", " ", piece)

    text = modules.SILENT.sub(lambda found: blank(found.group()), text)
    while found := modules.TEST_ONLY.search(text):
        end = modules.block_end(text, found.end())
        text = text[: found.start()] + blank(text[found.start() : end]) + text[end:]
    return text


def functions(text):
    """Names of the functions that have a body, with their lengths in lines."""
    for found in re.finditer(r"\bfn\s+(\w+)", text):
        depth, start = 0, None
        for place in range(found.end(), len(text)):
            letter = text[place]
            if start is None and depth == 0 and letter == ";":
                break
            if start is None and depth == 0 and letter == "{":
                start = place
            depth += (letter in "{([") - (letter in "})]")
            if start is not None and depth == 0:
                yield found.group(1), text.count("\n", found.start(), place) + 1
                break



def crate(folder):
    """The figures of a crate."""
    sources = folder / "src"
    arrows = modules.arrows_of_rust(folder)
    circles = modules.circles(arrows)
    lines = {file: len(file.read_text().splitlines()) for file in sorted(sources.rglob("*.rs"))}
    largest = max(lines, key=lines.get)
    long = [
        f"{file.relative_to(sources)}: {name} {length}"
        for file in sorted(arrows)
        for name, length in functions(without_tests(file.read_text()))
        if length > MOST
    ]
    return {
        "modules": len(arrows),
        "arrows": sum(len(targets) for targets in arrows.values()),
        "circles": len(circles),
        "lines": lines,
        "largest": f"{largest.relative_to(sources)} {lines[largest]}",
        "long": long,
    }


def main():
    root = modules.ROOT
    command = ["cargo", "metadata", "--no-deps", "--format-version", "1", "--locked"]
    packages = json.loads(subprocess.run(command, cwd=root, check=True, capture_output=True).stdout)["packages"]
    own = {package["name"] for package in packages}
    needed = [
        (package["name"], dependency["name"])
        for package in packages
        for dependency in package["dependencies"]
        if dependency["kind"] != "dev" and dependency["name"] in own
    ]
    up = list(floors.faults(floors.floors((root / "ARCHITECTURE.md").read_text()), packages))
    folders = sorted(pathlib.Path(package["manifest_path"]).parent for package in packages)
    found = {folder.name: crate(folder) for folder in folders}
    lengths = sorted(length for figures in found.values() for length in figures["lines"].values())
    total = {name: sum(figures[name] for figures in found.values()) for name in ("modules", "arrows", "circles")}
    print(f"crates {len(packages)}, dependencies {len(set(needed))}, arrows up {len(up)}")
    print(", ".join(f"{name} {count:,}" for name, count in total.items()))
    print(f"files: median {statistics.median(lengths):g} lines, over 300 lines {sum(one > 300 for one in lengths)}")
    pages = modules.arrows_of_pages(root / "web")
    print(f"web/src: modules {len(pages)}, circles {len(modules.circles(pages))}")
    print("\n| crate | modules | arrows | lines | median file | largest file | functions over 60 lines |")
    print("|---|--:|--:|--:|--:|---|--:|")
    for name, figures in found.items():
        lines = figures["lines"].values()
        row = [f"`{name}`", figures["modules"], f"{figures['arrows']:,}", f"{sum(lines):,}"]
        row += [f"{statistics.median(lines):g}", figures["largest"], len(figures["long"])]
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    for name, figures in found.items():
        for one in figures["long"]:
            print(f"{name}: {one}")


if __name__ == "__main__":
    main()
