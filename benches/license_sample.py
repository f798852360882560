"""Draws files on which license detection is measured, from packages that a seed chooses.

    license_sample.py names SEED                 prints the packages to fetch, one REGISTRY:NAME a line
    license_sample.py files SEED COUNT ROOT...   prints the files to label, one path a line

`names` reads the lists of package names in $PACKAGE_LISTS (npm.tsv, pypi.tsv: name and, in the third or fourth column, how often it is
fetched) and $DEBIAN_SOURCES (what `apt-get indextargets` calls Sources). Crates are those in $VENDORED, a folder that `cargo vendor` has filled,
but for those in Cargo.lock. Each seed takes names of one fixed order: an even seed those at even places, an odd one those at odd places, and each
seed goes on where the one two below it ended; 21 and 22 are the first. Packages that the labels of an earlier seed (license_labels_*.tsv beside
this file) have files of are left out. So two seeds do not measure the same package, as long as the labels of the earlier one are here. Which crates
are vendored differs from draw to draw, so only the labels say which were drawn before.

`files` draws at most LEAST + COUNT / packages files of a package. Three of four speak of licenses or of copyright; files of the
same content are drawn once.
"""

import csv
import glob
import hashlib
import os
import random
import re
import sys

COUNTS = {"debian": 40, "pypi": 24, "npm": 24, "crates": 24}
SPEAKS = re.compile(rb"licen[cs]|copying|copyright|redistribut|public domain|SPDX", re.I)
SHARE_THAT_SPEAKS = 0.75
FIRST_SEED = 21
LEAST = 2
LARGEST = 200_000


def listed(path, is_popular):
    """the names of a list that are fetched often enough"""
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        return [row[0] for row in rows if is_popular(row)]


def debian(path):
    """source packages of a size that is quickly fetched"""
    names, name, sizes = [], None, []
    for line in open(path, encoding="utf-8"):
        if line.startswith("Package: "):
            name, sizes = line.split()[1], []
        elif re.match(r" [0-9a-f]{32} ", line):
            sizes.append(int(line.split()[1]))
        elif not line.strip() and name:
            if 50_000 < sum(sizes) < 4_000_000:
                names.append(name)
            name = None
    return sorted(set(names))


def spelled(name):
    """the name of a package as all registries would spell it"""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def labelled(seed):
    """the packages that earlier seeds have files of: registry and name"""
    packages = set()
    for path in glob.glob(os.path.join(os.path.dirname(__file__), "license_labels_*.tsv")):
        if int(re.search(r"(\d+)\.tsv$", path)[1]) < seed:
            with open(path, encoding="utf-8") as file:
                next(file)
                packages.update(line.split("/")[0] for line in file)
    return {(registry, spelled(re.split(r"_" if registry == "debian" else r"-\d", name)[0]))
            for registry, _, name in (package.partition("-") for package in packages)}


def drawn(seed, registry, ordered, earlier):
    """the names of one registry that a seed takes of those in the fixed order"""
    count, turn = COUNTS[registry], max(0, seed - FIRST_SEED) // 2
    rest = ordered[seed % 2::2][0 if registry == "crates" else turn * count:]
    return [name for name in rest if (registry, spelled(name)) not in earlier][:count]


def names(seed):
    lists = os.environ["PACKAGE_LISTS"]
    known = {
        "debian": debian(os.environ["DEBIAN_SOURCES"]),
        "npm": listed(f"{lists}/npm.tsv", lambda row: row[2].isdigit() and int(row[2]) >= 100_000),
        "pypi": listed(f"{lists}/pypi.tsv", lambda row: row[3].isdigit()),
    }
    lock = set(re.findall(r'^name = "(.+)"$', open("Cargo.lock", encoding="utf-8").read(), re.M))
    known["crates"] = sorted(name for name in os.listdir(os.environ["VENDORED"]) if name not in lock)
    earlier = labelled(seed) if seed > FIRST_SEED + 1 else set()
    for registry, ordered in known.items():
        random.Random(0).shuffle(ordered)
        for name in drawn(seed, registry, ordered, earlier):
            print(f"{registry}:{name}")


def files(seed, count, roots):
    packages = [os.path.join(root, name) for root in roots for name in sorted(os.listdir(root))]
    share = LEAST + count // max(1, len(packages))
    chosen, seen = [], set()
    for package in packages:
        found = {True: [], False: []}
        for folder, folders, entries in os.walk(package):
            folders.sort()
            for entry in sorted(entries):
                path = os.path.join(folder, entry)
                if os.path.islink(path) or not os.path.isfile(path) or not 0 < os.path.getsize(path) <= LARGEST:
                    continue
                content = open(path, "rb").read()
                if b"\0" not in content[:8192]:
                    found[bool(SPEAKS.search(content))].append((path, hashlib.sha256(content).digest()))
        draw = random.Random(f"{seed}:{os.path.basename(package)}")
        for speaks, most in ((True, round(share * SHARE_THAT_SPEAKS)), (False, share - round(share * SHARE_THAT_SPEAKS))):
            draw.shuffle(found[speaks])
            for path, content in found[speaks]:
                if most and content not in seen:
                    most -= 1
                    seen.add(content)
                    chosen.append(path)
    random.Random(seed).shuffle(chosen)
    print("\n".join(sorted(chosen[:count])))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["names", seed]:
            names(int(seed))
        case ["files", seed, count, *roots] if roots:
            files(int(seed), int(count), roots)
        case _:
            sys.exit(__doc__)
