#!/usr/bin/env python3
"""Writes the recipes of the encoders that docs/robustness.md compares.

Usage: robust_recipes.py OUT

All are made of crates/train/recipes/builtin.toml. `robust.toml` is that recipe with rewritten examples, and the network goes
on for some steps. The others are smaller: problems and a few packages, and the static stage alone is to be looked at. They
differ only in what rewrites their examples, once each:

    none.toml      nothing
    recode.toml    the members of the catalogue that are nearest to ReCode's four
    orig-4.toml    our four of the same kinds
    half.toml      ten of new-20, every other one
    new-20.toml    all of new-20

No problem of HumanEval is trained on: its programs are attacked.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILTIN = ROOT / "crates/train/recipes/builtin.toml"
WEIGHTS = ROOT / "crates/model/weights/familiar-5.bin"
RECODE = ["variable-rename", "operand-swap", "for-while", "if-else-flip"]
HALF = [
    "modular-arithmetic-distribution",
    "recursive-comprehension-flattening",
    "cyclic-variable-rotation",
    "state-variable-accumulation",
    "modular-state-threading",
    "temporal-state-inversion",
    "probabilistic-control-flow",
    "iterative-state-composition",
    "modular-state-interleaving",
    "cumulative-state-mapping",
]
FIGURE = {"none": [], "recode": RECODE, "orig-4": ["orig-4"], "half": HALF, "new-20": ["new-20"]}
PACKAGES = """[[source]]
packages = [
    "W40/networkx-3.4.2", "W40/nltk-3.9.1", "W40/twisted-24.11.0", "java-libraries/commons-math3-3.6.1", "C/redis-7.0.15",
    "cpp/fmtlib-9.1.0+ds1", "javascript/lodash-4.17.21", "typescript/rxjs-7.8.1", "go/prometheus-2.42.0+ds", "rust/tokio-1.43.0",
]
functions_of_package = 600
groups_in_batch = 8
rows_of_group = 5

"""


def replaced(text, old, new):
    """The text with what stands there once replaced; a recipe that has changed is an error."""
    if text.count(old) != 1:
        sys.exit(f"{BUILTIN}: expected once: {old}")
    return text.replace(old, new)


def rewriting(names, steps, copies):
    listed = ", ".join(f'"{name}"' for name in names)
    return f"[rewriting]\nwith = [{listed}]\nshare = 0.5\nsteps = {steps}\ncopies = {copies}\n\n"


def named(text, name):
    text = replaced(text, 'name = "familiar-5"', f'name = "{name}"')
    text = replaced(text, '"../../model/weights/familiar-5.bin"', f'"{WEIGHTS}"')
    multilang = 'file = "humaneval_mbpp_multilang.jsonl.zst"\n'
    return replaced(text, multilang, multilang + 'without_groups = ["humaneval-"]\n')


def robust(text):
    text = named(text, "robust")
    text = replaced(text, "[training]\nsteps = 0\nwarmup = 60\nrate = 0.0007", "[training]\nsteps = 200\nwarmup = 30\nrate = 0.0005")
    text = replaced(text, "functions_of_package = 2000", "functions_of_package = 500")
    return replaced(text, "\n[augmentation]", "\n" + rewriting(["new-20", "orig-20"], 3, 1) + "[augmentation]")


def figure(text, name, names):
    text = named(text, f"figure-{name}")
    text = replaced(text, "[words]\nsteps = 600", "[words]\nsteps = 300")
    text = replaced(text, "[forms]\nsteps = 1200", "[forms]\nsteps = 600")
    if names:
        text = replaced(text, "\n[augmentation]", "\n" + rewriting(names, 1, 4) + "[augmentation]")
    head, *sources = re.split(r"(?=^\[\[source\]\])", text, flags=re.M)
    *problems, packages = sources
    apart = packages[packages.index("[[apart]]") :]
    kept = [source for source in problems if "poj104" not in source and "families" not in source]
    many = 'without_groups = ["humaneval-"]\ngroups_in_batch = '
    return replaced(head + "".join(kept) + PACKAGES + apart, many + "8", many + "24")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    text = BUILTIN.read_text()
    (out / "robust.toml").write_text(robust(text))
    for name, names in FIGURE.items():
        (out / f"{name}.toml").write_text(figure(text, name, names))


if __name__ == "__main__":
    main()
