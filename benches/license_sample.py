"""Draws files on which license detection is measured, from packages that a seed chooses.

    license_sample.py names SEED                 prints the packages to fetch, one REGISTRY:NAME a line
    license_sample.py files SEED COUNT ROOT...   prints the files to label, one path a line

`names` reads the lists of package names in $PACKAGE_LISTS (npm.tsv, pypi.tsv: name and, in the third or fourth column, how often it is
fetched) and $DEBIAN_SOURCES (what `apt-get indextargets` calls Sources). Crates are those in $VENDORED, a folder that `cargo vendor` has filled,
but for those in Cargo.lock. Two seeds never choose the same package: each takes every second name of one fixed order.

`files` draws at most LEAST + COUNT / packages files of a package. Three of four speak of licenses or of copyright; files of the
same content are drawn once.
"""

import csv
import hashlib
import os
import random
import re
import sys

COUNTS = {"debian": 40, "pypi": 24, "npm": 24, "crates": 24}
SPEAKS = re.compile(rb"licen[cs]|copying|copyright|redistribut|public domain|SPDX", re.I)
SHARE_THAT_SPEAKS = 0.75
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


def names(seed):
    lists = os.environ["PACKAGE_LISTS"]
    known = {
        "debian": debian(os.environ["DEBIAN_SOURCES"]),
        "npm": listed(f"{lists}/npm.tsv", lambda row: row[2].isdigit() and int(row[2]) >= 100_000),
        "pypi": listed(f"{lists}/pypi.tsv", lambda row: row[3].isdigit()),
    }
    lock = set(re.findall(r'^name = "(.+)"$', open("Cargo.lock", encoding="utf-8").read(), re.M))
    known["crates"] = sorted(name for name in os.listdir(os.environ["VENDORED"]) if name not in lock)
    for registry, all_names in known.items():
        random.Random(0).shuffle(all_names)
        for name in all_names[seed % 2::2][:COUNTS[registry]]:
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
