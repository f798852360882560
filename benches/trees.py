#!/usr/bin/env python3
"""Re-creates the real source trees that the benchmarks run on.

    python3 benches/trees.py DIR [NAME ...]

`trees.toml`, beside this file, pins what each tree is made of. Everything is downloaded by the registries' own
clients (pip, apt-get, npm, cargo), unpacked to `DIR/NAME/PACKAGE-VERSION/` with only the files of the tree's
languages kept, and the archives are deleted. A tree is built beside its place and renamed into it when it is whole,
so a tree that is there is complete and is skipped. Needs Python 3.11 and nothing outside its library.
"""

import argparse
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath

Tree = dict[str, list[str]]  # a table of trees.toml
PINS = Path(__file__).with_name("trees.toml")
DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")  # generated beside real TypeScript: never kept


class Unavailable(Exception):
    """A source that its registry does not give as pinned; the message names it."""


def main() -> int:
    trees = tomllib.loads(PINS.read_text())
    arguments = parse_arguments(trees)
    arguments.directory.mkdir(parents=True, exist_ok=True)
    failed = False
    for name in arguments.names or trees:
        place = arguments.directory / name
        try:
            if not place.exists():
                create(place, trees[name], arguments.any_version)
            print(describe(place), flush=True)
        except (Unavailable, OSError, subprocess.SubprocessError, tarfile.TarError, zipfile.BadZipFile) as error:
            print(f"{name}: not created: {error}", file=sys.stderr, flush=True)
            failed = True
    return int(failed)


def parse_arguments(trees: dict[str, Tree]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n")[0],
        epilog="trees: " + ", ".join(trees),
    )
    parser.add_argument("directory", metavar="DIR", type=Path, help="where the trees are kept; made if missing")
    parser.add_argument("names", metavar="NAME", nargs="*", help="the trees to create (default: all)")
    parser.add_argument(
        "--any-version",
        action="store_true",
        help="take the version of a Debian package that the registry has now where the pinned one is gone",
    )
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(trees):
        parser.error(f"no such tree: {', '.join(sorted(unknown))} (known: {', '.join(trees)})")
    return arguments


def create(place: Path, tree: Tree, any_version: bool) -> None:
    """Builds a tree beside `place` and renames it there once every source is in it."""
    part = place.with_name(f".{place.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    wanted = partial(is_wanted, tree)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".download-") as scratch:
        for package, archive in downloads(tree, Path(scratch), any_version):
            kept = unpack(archive, part / package, wanted)
            archive.unlink()
            print(f"  {package}: {kept} files", file=sys.stderr, flush=True)
    part.rename(place)


def describe(place: Path) -> str:
    """One line a reader can quote with a figure: the tree's files, bytes and lines."""
    files, size, lines = figures(place)
    return f"{place.name}: {files:,} files, {size / 1e6:.1f} MB, {lines:,} lines"


def figures(place: Path) -> tuple[int, int, int]:
    """The files, bytes and lines of a tree."""
    files = size = lines = 0
    for path in place.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            files, size, lines = files + 1, size + len(content), lines + content.count(b"\n")
    return files, size, lines


# Registries: each yields (PACKAGE-VERSION, archive) for its list of pins.


def downloads(tree: Tree, scratch: Path, any_version: bool) -> Iterator[tuple[str, Path]]:
    for pin in tree.get("wheels", []):
        yield wheel(pin, scratch)
    for pin in tree.get("npm", []):
        yield npm_package(pin, scratch)
    if debian := tree.get("debian-source", []) + tree.get("debian-binary", []):
        environment = apt_environment(scratch)
        for pin in debian:
            binary = pin in tree.get("debian-binary", [])
            yield debian_package(pin, binary, any_version, scratch, environment)
    if crates := tree.get("crates", []):
        yield from crate_sources(crates, scratch)


def wheel(pin: str, scratch: Path) -> tuple[str, Path]:
    """A wheel for CPython 3.11 on 64-bit Linux, whatever runs this: the .py files are then always the same."""
    platforms = [f"--platform=manylinux{v}_x86_64" for v in ("2014", "_2_17", "_2_24", "_2_27", "_2_28")]
    target = ["--only-binary=:all:", "--python-version=3.11", "--implementation=cp", *platforms]
    run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *target, "--dest", ".", pin], scratch)
    return pin.replace("==", "-"), only(scratch.glob("*.whl"), pin)


def npm_package(pin: str, scratch: Path) -> tuple[str, Path]:
    run(["npm", "pack", "--silent", pin], scratch)
    return pin.lstrip("@").replace("/", "-").replace("@", "-"), only(scratch.glob("*.tgz"), pin)


def debian_package(
    pin: str, binary: bool, any_version: bool, scratch: Path, environment: dict[str, str]
) -> tuple[str, Path]:
    """The upstream archive of a source package, or a binary package. A pin is an upstream version: Debian's own
    revisions (a security fix, say) do not change the upstream archive, so any that is still there will do."""
    name, _, upstream = pin.partition("=")
    refused = Unavailable(pin)
    for version in debian_versions(name, upstream, binary, any_version, environment):
        folder = scratch / f"{name}={version}"
        folder.mkdir()
        verb = ["download"] if binary else ["source", "--download-only", "--tar-only"]
        try:
            run(["apt-get", *verb, "--quiet", f"{name}={version}"], folder, environment)
            pattern = "*.deb" if binary else "*.orig.tar.*[!c]"
            return f"{name}-{upstream_of(version)}", only(folder.glob(pattern), pin)
        except Unavailable as error:
            refused = error
    raise refused


def debian_versions(
    name: str, upstream: str, binary: bool, any_version: bool, environment: dict[str, str]
) -> list[str]:
    """Debian's versions of one upstream version, as the registry lists them."""
    query = ["apt-cache", "show" if binary else "showsrc", name]
    known = re.findall(r"^Version: (\S+)$", run(query, Path(), environment), re.MULTILINE)
    fitting = [version for version in known if upstream_of(version) == upstream]
    if not fitting and not (known and any_version):
        have = ", ".join(known) or "none"
        raise Unavailable(f"{name} {upstream} (the registry has {have}; --any-version takes that)")
    return fitting or known[-1:]


def upstream_of(version: str) -> str:
    """`5:7.0.15-1~deb12u7` → `7.0.15`"""
    return re.sub(r"^\d+:|-[^-]*$", "", version)


def apt_environment(scratch: Path) -> dict[str, str]:
    """Settings under which apt-get sees this system's sources with their source packages, without changing them."""
    parts = scratch / "sources"
    parts.mkdir()
    for path in [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]:
        if path.suffix == ".sources":
            text = re.sub(r"^Types:.*$", "Types: deb deb-src", path.read_text(), flags=re.MULTILINE)
            (parts / path.name).write_text(text)
        elif path.suffix == ".list" and path.is_file():
            lines = re.findall(r"^deb\s.*$", path.read_text(), flags=re.MULTILINE)
            (parts / path.name).write_text("".join(f"{line}\ndeb-src{line[3:]}\n" for line in lines))
    for folder in ("lists", "cache"):
        (scratch / folder / "partial").mkdir(parents=True)
    (scratch / "apt.conf").write_text(
        f'Dir::Etc::SourceList "/dev/null";\nDir::Etc::SourceParts "{parts.resolve()}";\n'
        f'Dir::State::Lists "{(scratch / "lists").resolve()}";\nDir::Cache "{(scratch / "cache").resolve()}";\n'
        'APT::Sandbox::User "root";\n'
    )
    environment = {"APT_CONFIG": str((scratch / "apt.conf").resolve())}
    run(["apt-get", "update", "--quiet"], scratch, environment)
    return environment


def crate_sources(pins: list[str], scratch: Path) -> Iterator[tuple[str, Path]]:
    """The named crates as cargo vendors them; what they depend on is fetched with them and left out."""
    project = scratch / "crates"
    (project / "src").mkdir(parents=True)
    (project / "src" / "lib.rs").touch()
    manifest = ["[package]", 'name = "trees"', 'version = "0.0.0"', 'edition = "2021"', "[dependencies]"]
    for name, _, version in (pin.partition("@") for pin in pins):
        manifest.append(f'{name} = {{ version = "={version}", default-features = false }}')
    (project / "Cargo.toml").write_text("\n".join(manifest))
    run(["cargo", "vendor", "--quiet", "--versioned-dirs", "vendored"], project)
    for pin in pins:
        package = pin.replace("@", "-")
        archive = scratch / f"{package}.tar"
        with tarfile.open(archive, "w") as tar:
            tar.add(project / "vendored" / package, arcname=package)
        yield package, archive


def run(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    """A client's standard output; what it says of a failure becomes the error."""
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **(environment or {})}, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise Unavailable(f"`{' '.join(command)}`: {done.stderr.strip()[-500:]}")
    return done.stdout


def only(paths: Iterator[Path], pin: str) -> Path:
    found = list(paths)
    if len(found) != 1:
        raise Unavailable(f"{pin}: one archive expected, {len(found)} came")
    return found[0]


# Archives: only wanted regular files are written, below the package's own folder.


def is_wanted(tree: Tree, path: PurePosixPath) -> bool:
    """Has an ending of the tree's languages, is not generated, and stays inside the folder it is unpacked to."""
    named = path.suffix[1:] in tree["extensions"] and not path.name.endswith(DECLARATIONS)
    return named and not path.is_absolute() and not {"..", *tree.get("without", [])} & set(path.parts)


def unpack(archive: Path, place: Path, wanted: Callable[[PurePosixPath], bool]) -> int:
    count = 0
    for name, content in members(archive.name, archive.read_bytes()):
        path = PurePosixPath(name)
        if not wanted(path):
            continue
        target = place / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        count += 1
    return count


def members(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the regular files in a wheel, zip, tar or .deb."""
    if name.endswith(".deb"):
        content = subprocess.run(
            ["dpkg-deb", "--fsys-tarfile", "/dev/stdin"], input=content, stdout=subprocess.PIPE, check=True
        ).stdout
    if name.endswith((".whl", ".zip")):
        with zipfile.ZipFile(io.BytesIO(content)) as zipped:
            yield from ((entry, zipped.read(entry)) for entry in zipped.namelist() if not entry.endswith("/"))
        return
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        for member in tar:
            if member.isfile() and (file := tar.extractfile(member)):
                nested = name.endswith(".deb") and member.name.endswith("src.zip")
                yield from members("src.zip", file.read()) if nested else [(member.name, file.read())]


if __name__ == "__main__":
    sys.exit(main())
