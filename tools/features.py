#!/usr/bin/env python3
"""Whether the command and the Python package are built of what `cargo test` compiles.

Usage: features.py

Cargo compiles a crate once for each set of its features. What `cargo test` builds has the features that tests ask for, too. Where
a build of `familiar-cli` or `familiar-python` alone has others, it compiles the crate and all above it again, and tests do not run
what users run. Such crates are listed; the features then belong into the workspace's Cargo.toml.
"""

import pathlib
import re
import subprocess
import sys

BUILDS = {
    ("familiar-cli",): set(),
    # `cargo clones`. ctrlc alone needs nix there.
    ("familiar-cli", "--no-default-features", "--features", "allocator,trees"): {"familiar-cli", "familiar-features", "nix"},
    # What only the package has, and the command without the allocator of a program.
    ("familiar-python",): {"familiar-cli", "familiar-python"}
    | {"pyo3", "pyo3-build-config", "pyo3-ffi", "pyo3-macros", "pyo3-macros-backend", "target-lexicon"},
}
LINE = re.compile(r"(?P<crate>\S+ v\S+)(?: \((?:proc-macro|/[^)]*)\))*(?P<features>[^()]*)")


def parsed(tree):
    """The crates of a tree, as (name and version, features)."""
    matches = (LINE.match(line) for line in tree.splitlines())
    return {(match["crate"], match["features"].strip()) for match in matches if match}


def crates(*selected):
    command = ["cargo", "tree", "--locked", "--prefix", "none", "--format", "{p} {f}", *selected]
    root = pathlib.Path(__file__).resolve().parent.parent
    return parsed(subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout)


def main():
    tested = crates("--edges", "normal,build,dev")
    status = 0
    for package, own in BUILDS.items():
        alone = crates("--package", *package, "--edges", "normal,build")
        for crate, features in sorted(alone - tested):
            if crate.split()[0] not in own:
                print(f"{' '.join(package)} needs {crate} with the features {features or '(none)'}, and cargo test builds no such crate")
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
