#!/usr/bin/env python3
"""Draws files of real packages that may be generated, and says how well Familiar tells which ones are.

    python3 benches/generated_files.py draw LISTS DIR PART  # packages and files, with the part's seed; writes DIR/PART.tsv
    python3 benches/generated_files.py fetch DIR           # the files of generated_files.tsv, for `measure`
    python3 benches/generated_files.py measure DIR FAMILIAR

`generated_files.tsv`, beside this file, has the labels. A person read each file: it is `generated` where it says that a program
wrote it, and `other` where it does not. The words that count were chosen by looking at the part `tune`; `test` was drawn from other packages
afterwards. LISTS is a folder with `npm.tsv` and `pypi.tsv`, lists of
packages with one name a line in the first column; the names of Debian's packages are apt's (run `apt-get update` before). Packages that development used
(`packages.txt`, `trees.toml`) are left out. Everything is downloaded by pip, npm and apt-get; nothing is built.
"""

import csv
import json
import random
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

# For each part its seed, and how many files with a generator's words and how many without.
PARTS = {"tune": (20261124, 240, 60), "test": (20261125, 120, 30)}
HERE = Path(__file__).parent
LABELS = HERE / "generated_files.tsv"
# Packages of each registry; half of them for `test`.
PACKAGES = {"pypi": 130, "npm": 130, "debian": 200}
MOST_BYTES = 12 << 20
WORDS = re.compile(rb"generat|do not (?:edit|modify|change)|don.t edit|autogen|machine.made|do not touch", re.I)
HEAD = 6000
CODE = set(
    "py pyi js mjs cjs jsx ts tsx c h cc cpp hpp hh cxx java go rs rb php cs kt scala swift sh bash pl pm lua r jl hs ml css scss less "
    "html vue proto sql cmake mk am in m4 el vim tcl f90 vhd v sv dart ex erl gradle groovy y l s".split()
)


def main() -> int:
    what, *rest = sys.argv[1:] or [""]
    if what == "draw" and len(rest) == 3:
        draw(Path(rest[0]), Path(rest[1]), rest[2])
    elif what == "fetch" and len(rest) == 1:
        for row in labels():
            get(row["registry"], row["package"], row["version"], Path(rest[0]))
    elif what == "measure" and len(rest) == 2:
        measure(Path(rest[0]), rest[1])
    else:
        print(__doc__)
        return 2
    return 0


def labels() -> list[dict[str, str]]:
    with LABELS.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def draw(lists: Path, where: Path, part: str) -> None:
    """One file with words from each package in turn, then a second one, until there are enough; then files without."""
    seed, with_words, without_words = PARTS[part]
    chance = random.Random(seed)
    used = {row["package"] for row in labels() if row["part"] != part} if LABELS.exists() else set()
    share = with_words / PARTS["tune"][1]
    packages = [
        (registry, *one)
        for registry, count in PACKAGES.items()
        for one in chosen(registry, lists, used, round(count * share), chance)
    ]
    files = {}
    for registry, package, version in packages:
        folder = get(registry, package, version, where)
        if folder is not None:
            files[registry, package, version] = sorted_by_words(folder)
    order = sorted(files)
    chance.shuffle(order)
    drawn = take(order, files, 0, with_words, chance) + take(order, files, 1, without_words, chance)
    chance.shuffle(drawn)
    with (where / f"{part}.tsv").open("w") as out:
        print("part", "registry", "package", "version", "path", "label", "why", sep="\t", file=out)
        for row in drawn:
            print(part, *row, "", "", sep="\t", file=out)


def take(order: list, files: dict, kind: int, wanted: int, chance: random.Random) -> list:
    left = {package: files[package][kind][:] for package in order}
    taken = []
    while len(taken) < wanted and any(left.values()):
        for package in order:
            if left[package] and len(taken) < wanted:
                path = left[package].pop(chance.randrange(len(left[package])))
                taken.append((*package, path))
    return taken


def sorted_by_words(folder: Path) -> tuple[list[str], list[str]]:
    with_words, without = [], []
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink() or not path.is_file() or path.suffix[1:].lower() not in CODE or "\t" in name:
            continue
        head = path.open("rb").read(HEAD)
        if head.strip() and b"\0" not in head:
            (with_words if WORDS.search(head) else without).append(name)
    return with_words, without


def chosen(registry: str, lists: Path, taken: set[str], count: int, chance: random.Random) -> list[tuple[str, str]]:
    used = set(re.findall(r"[\w.@/+-]+", (HERE / "packages.txt").read_text() + (HERE / "trees.toml").read_text()))
    used = taken | {re.sub(r"^(pypi|npm|deb|crates):|[@=_][\d.].*$", "", name) for name in used}
    if registry == "debian":
        rows = debian_packages()
    else:
        rows = [line.rstrip("\n").split("\t") for line in (lists / f"{registry}.tsv").open()][1:]
        # Those that many people download: the others are mostly a few lines.
        often = (lambda row: len(row) > 3 and row[3]) if registry == "pypi" else (lambda row: len(row) > 2 and int(row[2] or 0) > 100_000)
        rows = [(row[0], row[1]) for row in rows if often(row)]
    rows = sorted(row for row in rows if row[0] not in used)
    return chance.sample(rows, count)


# Debian's binary packages that hold sources: headers, crates, modules of Go, Ruby, PHP, Perl, Lisp, R and Node.js.
OF_SOURCES = re.compile(r"librust-.*-dev|golang-.*-dev|lib.*-dev|lib.*-(?:perl|java)|(?:ruby|node|php|elpa|r-cran|cl)-.*")


def debian_packages() -> list[tuple[str, str]]:
    text = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, check=True, text=True).stdout
    rows = {}
    for entry in text.split("\n\n"):
        fields = dict(re.findall(r"^(Package|Version|Size): (\S+)", entry, re.M))
        if OF_SOURCES.fullmatch(fields.get("Package", "")) and int(fields["Size"]) < MOST_BYTES // 4:
            rows[fields["Package"]] = fields["Version"]
    return sorted(rows.items())


def get(registry: str, package: str, version: str, where: Path) -> Path | None:
    """The unpacked package, or none where the registry does not give it."""
    folder = where / "packages" / f"{registry}-{package.replace('/', '__')}-{version.replace(':', '_')}"
    if folder.exists():
        return folder
    part = where / "part"
    shutil.rmtree(part, ignore_errors=True)
    (part / "got").mkdir(parents=True)
    commands = {
        "pypi": ["pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", ".", f"{package}=={version}"],
        "npm": ["npm", "pack", "--silent", f"{package}@{version}"],
        "debian": ["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", f"{package}={version}"],
    }
    try:
        subprocess.run(commands[registry], cwd=part, check=True, timeout=120, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for archive in sorted(part.glob("*.*")):
            if archive.stat().st_size < MOST_BYTES:
                unpack(archive, part / "got")
    except (subprocess.SubprocessError, OSError, tarfile.TarError, zipfile.BadZipFile, ValueError) as error:
        print(f"{registry}:{package}: {error}", file=sys.stderr)
        return None
    (where / "packages").mkdir(exist_ok=True)
    (part / "got").rename(folder)
    return folder


def unpack(archive: Path, into: Path) -> None:
    if archive.suffix in (".whl", ".zip"):
        zipfile.ZipFile(archive).extractall(into)
    elif archive.suffix == ".deb":
        subprocess.run(["dpkg-deb", "-x", archive, into], check=True)
    elif ".tar" in archive.name or archive.suffix == ".tgz":
        tarfile.open(archive).extractall(into, filter="data")


def measure(where: Path, familiar: str) -> None:
    rows, gone = labels(), 0
    counts = {(part, label, found): 0 for part in ("tune", "test") for label in ("generated", "other") for found in (True, False)}
    for row in rows:
        name = f"{row['registry']}-{row['package'].replace('/', '__')}-{row['version'].replace(':', '_')}"
        path = where / "packages" / name / row["path"]
        if not path.is_file():
            gone += 1
            continue
        out = subprocess.run([familiar, "clones", "--format", "json", "--quiet", path], capture_output=True, check=False)
        found = any(skip["reason"] == "generated" for skip in json.loads(out.stdout)["summary"].get("skipped", []))
        counts[row["part"], row["label"], found] += 1
        if found != (row["label"] == "generated"):
            print(row["part"], row["label"], row["why"], path, sep="\t")
    for part in ("tune", "test"):
        right, wrong = counts[part, "generated", True], counts[part, "other", True]
        missed, kept = counts[part, "generated", False], counts[part, "other", False]
        print(f"{part}: precision {right}/{right + wrong}, recall {right}/{right + missed}, others kept {kept}")
    if gone:
        print(f"{gone} files are not there: their packages are no longer to be had")


if __name__ == "__main__":
    raise SystemExit(main())
