"""Copies a tree of Python files, with every name of three letters and more ending in _1, _2, ... in each copy.

    python3 benches/renamed_copies.py TREE OUT COPIES

For measuring large corpora: each copy holds everything that the tree holds, up to names.
"""

import keyword
import os
import re
import sys

KEYWORDS = "|".join(keyword.kwlist + keyword.softkwlist).encode()
NAME = re.compile(rb"\b(?!(?:%s)\b)([A-Za-z_]\w{2,})\b" % KEYWORDS)


def copy(tree, out, number):
    ending = rb"\1_%d" % number
    for folder, _, files in os.walk(tree):
        target = os.path.join(out, str(number), os.path.relpath(folder, tree))
        os.makedirs(target, exist_ok=True)
        for name in files:
            if name.endswith(".py"):
                with open(os.path.join(folder, name), "rb") as source:
                    text = NAME.sub(ending, source.read())
                with open(os.path.join(target, name), "wb") as renamed:
                    renamed.write(text)


def main():
    tree, out, copies = sys.argv[1:]
    for number in range(1, int(copies) + 1):
        copy(tree, out, number)


if __name__ == "__main__":
    main()
