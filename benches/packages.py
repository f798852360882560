#!/usr/bin/env python3
"""Fetches the packages of the figures for a hundred million lines, each into a folder of its own.

    python3 benches/packages.py DIR [--only debian|pypi] [--lines N]

`packages.txt` pins packages of PyPI, and `debian-sources.txt` source packages of Debian, both beside this file; a
package of PyPI without a version had no wheel, or was not tried, and is left out. Every package is unpacked to
`DIR/REGISTRY/PACKAGE-VERSION/` with only the files of the languages whose functions Familiar reads, about 7 GB in
all. An archive is deleted as soon as it is unpacked, and a folder that is there is not fetched again. `--lines N`
ends once there are N lines. A line for each package says what it has. The registries' own clients (pip, apt-get) do
the fetching; nothing is built.
"""

import argparse
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import trees

HERE = Path(__file__).parent
EXTENSIONS = (
    "c h cc cpp cxx hh hpp hxx cs go java js jsx mjs cjs kt kts php py rb rs scala swift ts tsx".split()
)
REFUSED = (trees.Unavailable, OSError, subprocess.SubprocessError, tarfile.TarError, zipfile.BadZipFile)
Fetch = Callable[[str, Path], tuple[str, Path]]


def main() -> int:
    arguments = parse_arguments()
    failed = all_lines = 0
    with tempfile.TemporaryDirectory(dir=made(arguments.directory), prefix=".download-") as scratch:
        for registry, fetch, pin in pins(arguments.only, Path(scratch)):
            if arguments.lines and all_lines >= arguments.lines:
                break
            try:
                place = package(made(arguments.directory / registry), pin, fetch, Path(scratch))
            except REFUSED as error:
                print(f"{pin}: not fetched: {error}", file=sys.stderr, flush=True)
                failed += 1
                continue
            files, size, lines = trees.figures(place)
            print(f"{place.name}: {files:,} files, {size / 1e6:.1f} MB, {lines:,} lines", flush=True)
            all_lines += lines
    print(f"{all_lines:,} lines; {failed} packages not fetched", flush=True)
    return int(failed > 0)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("directory", metavar="DIR", type=Path, help="where the packages are kept; made if missing")
    parser.add_argument("--only", choices=["debian", "pypi"], help="the packages of one registry (default: both)")
    parser.add_argument("--lines", type=int, help="end once there are so many lines (default: never)")
    return parser.parse_args()


def pins(only: str | None, scratch: Path) -> Iterator[tuple[str, Fetch, str]]:
    """Each package as its registry, what fetches it, and its pin."""
    if only != "pypi":
        environment = trees.apt_environment(scratch)
        for pin in pinned("debian-sources.txt"):
            yield "debian", partial(debian_source, environment=environment), pin
    if only != "debian":
        for line in pinned("packages.txt"):
            if "==" in line:
                yield "pypi", trees.wheel, line.removeprefix("pypi:")


def debian_source(pin: str, scratch: Path, environment: dict[str, str]) -> tuple[str, Path]:
    return trees.debian_package(pin, False, True, scratch, environment)


def pinned(name: str) -> list[str]:
    lines = (line.partition("#")[0].strip() for line in (HERE / name).read_text().splitlines())
    return [line for line in lines if line]


def package(registry: Path, pin: str, fetch: Fetch, scratch: Path) -> Path:
    """The folder of a package, fetched and unpacked unless it is there."""
    place = registry / pin.replace("==", "-").replace("=", "-")
    if not place.exists():
        with tempfile.TemporaryDirectory(dir=scratch) as own:
            _, archive = fetch(pin, Path(own))
            part = Path(own) / "part"
            part.mkdir()
            trees.unpack(archive, part, partial(trees.is_wanted, {"extensions": EXTENSIONS}))
            part.rename(place)
    return place


def made(place: Path) -> Path:
    place.mkdir(parents=True, exist_ok=True)
    return place


if __name__ == "__main__":
    sys.exit(main())
